"""What a table of scores may hold, read from JSON lines."""

import json

import pandas as pd
import pytest

from collection.refusals import refusal
from pyramidion.collection import scores_from_frame
from pyramidion.collection.formats import read_scores
from pyramidion.errors import FormatError, Where

REQUIRED = ("topic", "system", "measure", "value")
ROWS = {
    "topic": ["T1", "T2"],
    "system": ["7", "8"],
    "kind": ["human", "machine"],
    "measure": ["m", "m"],
    "value": ["1", 2.5],
}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "scores.jsonl"


def read(path, columns, gap=""):
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text(gap.join(json.dumps(row) + "\n" for row in rows or [{}]))
    return read_scores(path)


def message(path, **changes):
    """Return what is wrong with the second row."""
    text = refusal(FormatError, read, path, ROWS | changes)
    assert text.startswith(f"{path}, line 2: ")
    return text.removeprefix(f"{path}, line 2: ")


def test_text_numbers_and_missing_values(file):
    scores = read(file, ROWS | {"system": [7, 8], "assessor": [None, "K"]})
    assert list(scores.columns["system"]) == ["7", "8"]
    assert list(scores.columns["assessor"]) == ["", "K"]
    assert list(scores.columns["task"]) == ["", ""]
    assert scores.value.tolist() == [1, 2.5]


@pytest.mark.parametrize("value", [" 4 ", "4", "4.0", "4e0", 4, 4.0])
def test_values_that_are_numbers(file, value):
    assert read(file, ROWS | {"value": [1, value]}).value[1] == 4


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("", "`value` is empty; write a number, or leave the row out"),
        (None, "`value` is empty; write a number, or leave the row out"),
        ("good", "`value` is 'good', not a number; write a number, or leave the row out"),
        ("4,5", "`value` is '4,5', not a number; write a number, or leave the row out"),
        ("1_0", "`value` is '1_0', not a number; write a number, or leave the row out"),
        ("true", "`value` is 'true', not a number; write a number, or leave the row out"),
        (True, "`value` is True, not a number; write a number, or leave the row out"),
        ([1], "`value` is [1], not a number; write a number, or leave the row out"),
        ("NaN", "`value` is 'NaN'; leave out rows without a value"),
        (float("nan"), "`value` is nan; leave out rows without a value"),
        ("-inf", "`value` is '-inf'; leave out rows without a value"),
        ("1e999", "`value` is '1e999'; write a number below 1e308"),
        (10**400, "`value` is too large; write a number below 1e308"),
    ],
)
def test_values_that_are_not_numbers(file, value, expected):
    assert message(file, value=[1, value]) == expected


@pytest.mark.parametrize("name", REQUIRED[:-1])
@pytest.mark.parametrize("value", ["", None])
def test_empty_id(file, name, value):
    assert message(file, **{name: ["x", value]}) == f"`{name}` is empty; fill it in"


@pytest.mark.parametrize("name", ["topic", "task", "time"])
@pytest.mark.parametrize("value", ["a\nb", "a\r"])
def test_line_break(file, name, value):
    assert message(file, **{name: ["x", value]}) == (
        f"`{name}` has a line break; remove it; a quotation mark may be open"
    )


@pytest.mark.parametrize("value", [7.5, 7.0, float("nan"), True, ["x"]])
def test_an_id_is_a_text_or_a_whole_number(file, value):
    assert message(file, system=["7", value]) == (
        f"`system` is {value!r}, not text; write it as text"
    )


def test_wrong_kind(file):
    expected = "`kind` is 'Machine'; write human or machine"
    assert message(file, kind=["human", "Machine"]) == expected


@pytest.mark.parametrize("name", REQUIRED)
def test_missing_column(file, name):
    columns = {column: values for column, values in ROWS.items() if column != name}
    assert refusal(FormatError, read, file, columns) == (
        f"{file}: column `{name}` is missing; add it; available: {', '.join(columns)}"
    )


def test_no_columns(file):
    assert refusal(FormatError, read, file, {}) == (
        f"{file}: column `topic` is missing; add it; available: none"
    )


def test_the_first_wrong_row_is_named(file):
    wrong = ROWS | {"topic": ["a\nb", ""]}
    assert refusal(FormatError, read, file, wrong).startswith(f"{file}, line 1: ")


def test_rows_are_counted_as_in_their_source(file):
    wrong = ROWS | {"value": [1, ""]}
    assert refusal(FormatError, read, file, wrong, "\n" * 7).startswith(f"{file}, line 9: ")
    in_frame = refusal(FormatError, scores_from_frame, pd.DataFrame(wrong), where=Where("a"))
    assert in_frame.startswith("a: row 2: `value` is empty")
