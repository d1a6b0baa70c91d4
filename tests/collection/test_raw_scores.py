import numpy as np
import pytest

from collection.refusals import refusal
from pyramidion.collection._raw import RawTable
from pyramidion.collection._scores import REQUIRED_COLUMNS, scores_from_raw
from pyramidion.errors import FormatError, Where


def columns(**changes):
    rows = {
        "topic": ["T1", "T2"],
        "system": ["7", "8"],
        "kind": ["human", "machine"],
        "measure": ["m", "m"],
        "value": ["1", 2.5],
    }
    return rows | changes


def scores_from_columns(columns, lines=None, **about):
    return scores_from_raw(RawTable(columns, lines or range(1, 100), **about))


def test_text_numbers_and_missing_values():
    scores = scores_from_columns(columns(system=[7, np.int64(8)], assessor=[None, "K"]))
    assert list(scores.columns["system"]) == ["7", "8"]
    assert list(scores.columns["assessor"]) == ["", "K"]
    assert list(scores.columns["task"]) == ["", ""]
    assert scores.value.tolist() == [1, 2.5]


@pytest.mark.parametrize("value", [" 4 ", "4", "4.0", "4e0", 4, np.float32(4), np.int8(4)])
def test_values_that_are_numbers(value):
    assert scores_from_columns(columns(value=[1, value])).value[1] == 4


@pytest.mark.parametrize(
    ("value", "message"),
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
def test_values_that_are_none(value, message):
    call = columns(value=[1, value])
    assert refusal(FormatError, scores_from_columns, call) == f"line 2: {message}"


@pytest.mark.parametrize("name", [name for name in REQUIRED_COLUMNS if name != "value"])
@pytest.mark.parametrize("value", ["", None])
def test_empty_id(name, value):
    wrong = columns()
    wrong[name] = [wrong[name][0], value]
    assert refusal(FormatError, scores_from_columns, wrong) == (
        f"line 2: `{name}` is empty; fill it in"
    )


@pytest.mark.parametrize("name", ["topic", "task", "time"])
@pytest.mark.parametrize("value", ["a\nb", "a\r"])
def test_line_break(name, value):
    wrong = columns(**{name: ["x", value]})
    assert refusal(FormatError, scores_from_columns, wrong) == (
        f"line 2: `{name}` has a line break; take it out; a quotation mark may be open"
    )


@pytest.mark.parametrize("value", [7.5, 7.0, float("nan"), True, ["x"]])
def test_what_is_no_id(value):
    assert refusal(FormatError, scores_from_columns, columns(system=["7", value])) == (
        f"line 2: `system` is {value!r}, not text; write it as text"
    )


def test_wrong_kind():
    assert refusal(FormatError, scores_from_columns, columns(kind=["human", "Machine"])) == (
        "line 2: `kind` is 'Machine'; write human or machine"
    )


@pytest.mark.parametrize("name", REQUIRED_COLUMNS)
def test_missing_column(name):
    wrong = columns()
    del wrong[name]
    values = " with human or machine on each row" if name == "kind" else ""
    assert refusal(FormatError, scores_from_columns, wrong, where=Where("a.csv")) == (
        f"a.csv: column `{name}` is missing; add it{values}; there are: {', '.join(wrong)}"
    )


def test_no_columns():
    assert refusal(FormatError, scores_from_columns, {}) == (
        "column `topic` is missing; add it; there are: none"
    )


def test_first_wrong_row_is_named():
    wrong = columns(topic=["a\nb", ""])
    assert refusal(FormatError, scores_from_columns, wrong).startswith("line 1: ")


def test_rows_are_named_as_the_caller_counts():
    wrong = columns(value=[1, ""])
    named = {"where": Where("a.csv"), "lines": [2, 9]}
    assert refusal(FormatError, scores_from_columns, wrong, **named).startswith("a.csv, line 9: ")
    in_rows = refusal(FormatError, scores_from_columns, wrong, where=Where("a"), row_names="row")
    assert in_rows.startswith("a: row 2: `value` is empty")
