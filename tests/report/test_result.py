"""Results that are made piece by piece."""

import pytest

from pyramidion.collection._questions import Signature
from pyramidion.report.result import LazySequence, Result
from pyramidion.report.table import Table


def noted(made, name):
    def make():
        made.append(name)
        return Table((name,), ((1,),))

    return make


def test_parts_are_made_when_they_are_asked_for():
    made = []
    parts = LazySequence(noted(made, name) for name in "abc")
    assert len(parts) == 3
    assert made == []
    assert parts[1].columns == ("b",)
    assert made == ["b"]
    assert [part.columns for part in parts[1:]] == [("b",), ("c",)]
    assert parts[-1] == parts[2]
    with pytest.raises(IndexError):
        parts[3]


def test_a_table_is_written_before_the_next_is_made():
    made = []
    tables = LazySequence(noted(made, name) for name in ("one", "two"))
    result = Result(command="test", signature=Signature("test"), values=[], tables=tables)
    pieces = result.iter_render("table")
    assert "one" in next(pieces)
    assert made == ["one"]
    assert "two" in next(pieces)


def test_no_table_is_made_for_json_and_no_record_for_a_table():
    made = []
    result = Result(
        command="test",
        signature=Signature("test"),
        values=LazySequence([lambda: made.append("record") or {"n": 1}]),
        tables=LazySequence([noted(made, "table")]),
    )
    assert '"n": 1' in result.render("json")
    assert made == ["record"]
    made.clear()
    result.render("table")
    assert made == ["table"]
