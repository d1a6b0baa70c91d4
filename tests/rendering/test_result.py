"""Results that are made piece by piece."""

import pytest

import pyramidion
from pyramidion.errors import InputError
from pyramidion.questions import Signature
from pyramidion.rendering.result import LazySequence, Result
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Table


def noted(created, name):
    def make():
        created.append(name)
        return Table((name,), ((1,),))

    return make


def test_parts_are_made_when_they_are_asked_for():
    created = []
    parts = LazySequence(noted(created, name) for name in "abc")
    assert len(parts) == 3
    assert created == []
    assert parts[1].columns == ("b",)
    assert created == ["b"]
    assert [part.columns for part in parts[1:]] == [("b",), ("c",)]
    assert parts[-1] == parts[2]
    with pytest.raises(IndexError):
        parts[3]


def test_a_table_is_written_before_the_next_is_made():
    created = []
    tables = LazySequence(noted(created, name) for name in ("one", "two"))
    result = Result(command="test", signature=Signature("test"), values=[], tables=tables)
    pieces = result.iter_render("table")
    assert "one" in next(pieces)
    assert created == ["one"]
    assert "two" in next(pieces)


def test_no_table_is_made_for_json_and_no_record_for_a_table():
    created = []
    result = Result(
        command="test",
        signature=Signature("test"),
        values=LazySequence([lambda: created.append("record") or {"n": 1}]),
        tables=LazySequence([noted(created, "table")]),
    )
    assert '"n": 1' in result.render("json")
    assert created == ["record"]
    created.clear()
    result.render("table")
    assert created == ["table"]


def test_a_result_saves_what_it_lists(tmp_path):
    def refuse(path, end="."):
        if path.suffix != ".txt":
            raise InputError("a text file is needed")

    def writer(result, end="."):
        return lambda path: path.write_text(f"{result.command}{end}")

    class Listing(Result):
        saves = (Savable("notes", "Write notes.", writer, refuse),)

    result = Listing(command="test", signature=Signature("test"), values=[], tables=[])
    result.save("notes", tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "test."
    result.save("notes", str(tmp_path / "notes.txt"), end="!")
    assert (tmp_path / "notes.txt").read_text() == "test!"
    with pytest.raises(InputError, match="a text file is needed"):
        result.save("notes", tmp_path / "notes.doc")
    with pytest.raises(InputError, match="test cannot save 'note'; it can save: notes"):
        result.save("note", tmp_path / "other.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_figures_are_saved_from_python_too(tmp_path):
    pytest.importorskip("matplotlib")
    result = pyramidion.compare([3, 5, 4, 6, 5, 4], [1, 4, 2, 2, 3, 3])
    result.save("figures", tmp_path / "new", figure_format="png")
    assert {path.suffix for path in (tmp_path / "new").iterdir()} == {".png"}
    with pytest.raises(InputError, match="the folder already exists"):
        result.save("figures", tmp_path / "new")
