"""Columns of CSV files: the quick way gives what the csv module gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion.collection.formats import _table_files
from pyramidion.collection.formats._table_files import read_columns
from pyramidion.errors import FormatError

fields = st.text("ab \t'é\0", max_size=3)
files = st.tuples(
    st.integers(0, 2),
    st.lists(st.one_of(st.just([]), st.lists(fields, min_size=2, max_size=3)), max_size=6),
)


def outcome(path):
    try:
        return read_columns(path)
    except FormatError as error:
        return str(error)


@given(files, st.sampled_from([",", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_quick_as_the_csv_module(tmp_path_factory, content, delimiter, end):
    top, rows = content
    path = tmp_path_factory.mktemp("csv") / "scores.csv"
    lines = [*[""] * top, delimiter.join(["x", "y"]), *map(delimiter.join, rows)]
    path.write_bytes(end.join(lines).encode())
    quick = outcome(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_table_files, "_is_plain", lambda lines: False)
        assert outcome(path) == quick


def test_what_is_quoted_is_read_as_a_whole(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text('x,y\n"a,b",1\n\n"c\nd",2\n"""",3\n')
    assert read_columns(path) == ({"x": ["a,b", "c\nd", '"'], "y": ["1", "2", "3"]}, [2, 4, 6])


@pytest.mark.parametrize("mark", ["", '"'])
def test_a_field_may_be_as_long_as_a_book(mark, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(f"x,y\n1,{mark}{'a' * 200_000}{mark}\n")
    assert read_columns(path) == ({"x": ["1"], "y": ["a" * 200_000]}, [2])


def test_a_line_break_of_another_kind(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"x,y\n1,2\r3,4\n")
    assert "new-line character seen in unquoted field" in refusal(FormatError, read_columns, path)


def test_a_column_that_stands_there_twice(tmp_path):
    path = tmp_path / "scores.csv"
    for header in ("x, x", '"x",x'):
        path.write_text(f"{header}\n1,2\n")
        assert refusal(FormatError, read_columns, path) == (
            f"{path}: column `x` occurs twice; rename one"
        )
