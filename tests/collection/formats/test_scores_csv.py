"""CSV files: lines without quotation marks are read as the csv module reads quoted ones."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collection.refusals import refusal
from pyramidion.collection.formats.reading import read_as
from pyramidion.errors import FormatError

fields = st.text("ab 'é\0", max_size=3)
files = st.tuples(
    st.integers(0, 2),
    st.lists(st.one_of(st.just([]), st.lists(fields, min_size=2, max_size=3)), max_size=6),
)


def read(path, columns=("topic=x", "text=y")):
    return [
        (s.topic, s.text) for s in read_as(path, requested_columns=columns).collection.summaries
    ]


def outcome(path):
    try:
        return read(path)
    except FormatError as error:
        return str(error)


@given(files, st.sampled_from([",", "\t"]), st.sampled_from(["\n", "\r\n"]))
def test_plain_lines_are_read_like_quoted_ones(tmp_path_factory, content, delimiter, end):
    top, rows = content
    path = tmp_path_factory.mktemp("csv") / "scores.csv"
    rows = [*[[]] * top, ["x", "y"], *rows]
    path.write_bytes(end.join(map(delimiter.join, rows)).encode())
    plain = outcome(path)
    with path.open("w", newline="", encoding="utf-8") as stream:
        quoting = {"quoting": csv.QUOTE_ALL, "lineterminator": end}
        csv.writer(stream, delimiter=delimiter, **quoting).writerows(rows)
    assert outcome(path) == plain


def test_quoted_fields_may_have_delimiters_and_line_breaks(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text('x,y\n"a,b",1\n\n"c\nd",2\n"""",3\n')
    columns = ("text=x", "topic=y")
    assert read(path, columns) == [("1", "a,b"), ("2", "c\nd"), ("3", '"')]
    path.write_text('x,y\n"a,b",1\n\n"c\nd",2\n"""",\n')
    message = refusal(FormatError, read, path, columns)
    hint = "fill it in, or remove the line if it is a footer or a total"
    assert message == f"{path}, line 6: `y` is empty; {hint}"


@pytest.mark.parametrize("mark", ["", '"'])
def test_a_field_may_be_as_long_as_a_book(mark, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(f"x,y\n1,{mark}{'a' * 200_000}{mark}\n")
    assert read(path) == [("1", "a" * 200_000)]


def test_a_line_break_of_another_kind(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_bytes(b"x,y\n1,2\r3,4\n")
    assert "new-line character seen in unquoted field" in refusal(FormatError, read, path)


def test_a_repeated_column(tmp_path):
    path = tmp_path / "scores.csv"
    for header in ("x, x", '"x",x'):
        path.write_text(f"{header}\n1,2\n")
        assert refusal(FormatError, read, path) == f"{path}: column `x` occurs twice; rename one"
