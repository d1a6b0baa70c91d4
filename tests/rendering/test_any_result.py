"""What every result can do, whatever the question."""

import pandas as pd
import polars as pl
import pytest

from collection.refusals import refusal
from pyramidion.errors import InputError
from pyramidion.questions import Signature
from pyramidion.rendering.prose import Prose
from pyramidion.rendering.result import FORMS, Chart, LazySequence, Result, signed
from pyramidion.rendering.table import Table


def ranking(task, *means):
    rows = tuple((str(number), mean) for number, mean in enumerate(means))
    return Table(
        ("system", "mean score"), rows, f"Task {task}", key=(("task", task),), name="means"
    )


@pytest.fixture
def result():
    pairs = Table(("a", "b", "p adjusted", ""), (("0", "1", 0.04, "*"),), name="pairs")
    return Result(
        command="try",
        signature=signed("try", "3f2a", 0, task="A+B", baseline=""),
        values=[{"task": "A", "mean": float("nan")}, {"task": "B", "mean": 2.0}],
        tables=[ranking("A", 0.25, None), ranking("B", 2.0), pairs],
        left_out=("1 topic",),
        charts=[Chart("ranking", lambda: "first", about=("m", "", "A")), Chart("pairs", lambda: 2)],
    )


def test_a_result_is_a_sequence_of_what_was_found(result):
    assert len(result) == 2
    assert result[1] == {"task": "B", "mean": 2.0}
    assert [value["task"] for value in result] == ["A", "B"]


def test_an_empty_result_is_still_a_result():
    assert Result(command="try", signature=Signature("try"), values=[], tables=[])


def test_data_has_no_numbers_that_json_lacks(result):
    assert result.to_dict() == {
        "command": "try",
        "signature": str(result.signature),
        "results": [{"task": "A", "mean": None}, {"task": "B", "mean": 2.0}],
        "left_out": ["1 topic"],
    }


def test_frames_join_tables_of_one_name_with_what_their_titles_say(result):
    assert result.table_names == ("means", "pairs")
    frame = result.to_frame(library="pandas")
    assert isinstance(frame, pd.DataFrame)
    assert frame.columns.tolist() == ["task", "system", "mean_score"]
    assert frame["task"].tolist() == ["A", "A", "B"]
    pairs = result.to_frame("pairs", library="polars")
    assert isinstance(pairs, pl.DataFrame)
    assert pairs.columns == ["a", "b", "p_adjusted", "mark"]
    assert "available: means, pairs" in refusal(InputError, result.to_frame, "rank")


def test_pictures_are_drawn_when_they_are_asked_for(result):
    assert result.chart_kinds == ("ranking", "pairs")
    assert result.plot() == "first"
    assert result.plot("pairs") == 2
    assert "available: ranking, pairs" in refusal(InputError, result.plot, "curve")
    assert "from 0 to 0" in refusal(InputError, result.plot, "pairs", 1)
    assert result.charts[0].stem == "m-A-ranking"


def test_a_result_without_pictures_says_so():
    bare = Result(command="try", signature=Signature("try"), values=[], tables=[])
    assert refusal(InputError, bare.plot).startswith("try has nothing to draw")


def test_every_form_is_written_piece_by_piece(result):
    for form in FORMS:
        assert "".join(result.iter_render(form)) == result.render(form)
    assert str(result) == result.render("table").rstrip("\n")


def test_markdown_is_a_table_for_a_pull_request(result):
    lines = result.to_markdown().splitlines()
    assert lines[:5] == [
        "**Task A**",
        "",
        "| system | mean score |",
        "| --- | ---: |",
        "| 0 | 0.2500 |",
    ]
    assert lines[-1] == f"`{result.signature}`"
    odd = Table(("text",), (("a|b\nc",),))
    odd_result = Result(command="try", signature=Signature("try"), values=[], tables=[odd])
    assert odd_result.to_markdown().splitlines()[2] == "| a&#124;b c |"


def test_a_prompt_and_a_notebook_show_the_first_rows_only():
    long = Table(("n",), tuple((number,) for number in range(100)), "Numbers", name="numbers")
    result = Result(command="try", signature=Signature("try"), values=[], tables=[long])
    assert "... and 70 more rows." in repr(result)
    assert len(repr(result).splitlines()) < 40
    assert "... and 70 more rows." in result._repr_html_()
    assert len(result.to_frame()) == 100
    assert " 99" in str(result)


def test_names_cannot_break_out_of_html():
    odd = Table(("<b>",), (("<script>",),), "<i>", "<u>")
    result = Result(command="try", signature=Signature("<s>"), values=[], tables=[odd])
    for text in (result.to_html(), result._repr_html_()):
        assert not any(tag in text for tag in ("<b>", "<script>", "<i>", "<u>", "<s>"))


def test_parts_are_made_when_they_are_asked_for():
    created = []
    parts = LazySequence([lambda: created.append(1) or "one", lambda: created.append(2) or "two"])
    assert len(parts) == 2
    assert not created
    assert list(parts[1:]) == ["two"]
    assert created == [2]


@pytest.mark.parametrize(("width", "widest"), [(60, 60), (0, 80), (500, 100)])
def test_running_text_is_as_wide_as_the_terminal_80_if_unknown_and_100_at_most(width, widest):
    """Two words that together are one character too long, and two that fit."""
    half = widest // 2
    for second, lines in ((half, 2), (half - 1, 1)):
        prose = Prose(("text",), (("x" * half + " " + "y" * second,),))
        assert prose.to_text(width=width).count("\n") == lines
