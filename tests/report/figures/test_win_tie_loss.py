"""Wins, ties and losses."""

import pytest
from matplotlib.colors import to_hex

from pyramidion.errors import InputError
from pyramidion.evaluation._compare.charts import win_tie_loss_figure
from pyramidion.report.charts.style import BLUE, GRAY, PALE, VERMILLION
from report.figures.samples import THREE, comparison, one_topic_result, result_of


def bars(figure):
    """Return each system's bars as start and width by color, empty ones left out."""
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    found: dict = {name: {} for name in names}
    for bar in figure.axes[0].patches:
        if bar.get_width():
            row = round(bar.get_y() + bar.get_height() / 2)
            found[names[row]][to_hex(bar.get_facecolor())] = (bar.get_x(), bar.get_width())
    return found


def test_bars_count_the_others():
    assert bars(win_tie_loss_figure(result_of(*THREE))) == {
        "A": {BLUE: (0, 2)},
        "7": {PALE: (0, 1), VERMILLION: (1, 1)},
        "8": {PALE: (0, 1), VERMILLION: (1, 1)},
    }


def test_everyone_meets_all_others():
    result = comparison(66, 48, 8)
    figure = win_tie_loss_figure(result)
    found = bars(figure)
    assert list(found) == [system.system for system in result.systems]
    assert {sum(width for _, width in parts.values()) for parts in found.values()} == {65}
    wins = sum(parts.get(BLUE, (0, 0))[1] for parts in found.values())
    losses = sum(parts.get(VERMILLION, (0, 0))[1] for parts in found.values())
    assert wins == losses == result.counts.significant
    assert figure.axes[0].get_xlim() == (0, 65)


def test_bars_do_not_cover_each_other():
    for parts in bars(win_tie_loss_figure(comparison(12, 30, 4))).values():
        end = 0
        for start, width in sorted(parts.values()):
            assert start == end
            end = start + width


def test_numbers_stand_in_bars_that_are_wide_enough():
    figure = win_tie_loss_figure(result_of(*THREE))
    assert sorted(text.get_text() for text in figure.axes[0].texts) == ["1", "1", "1", "1", "2"]
    large = win_tie_loss_figure(comparison(66, 48, 8))
    drawn = sum(len(parts) for parts in bars(large).values())
    assert 66 < len(large.axes[0].texts) < drawn


def test_undefined_pairs_are_counted_and_explained():
    figure = win_tie_loss_figure(one_topic_result())
    assert bars(figure) == {"7": {GRAY: (0, 1)}, "8": {GRAY: (0, 1)}}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["p undefined"]


def test_a_baseline_has_the_only_bar():
    result = comparison(20, 30, 2, baseline="5")
    (name, parts), *others = bars(win_tie_loss_figure(result)).items()
    assert (name, others) == ("5", [])
    assert sum(width for _, width in parts.values()) == 19
    assert parts[BLUE][1] + parts[VERMILLION][1] == result.counts.significant


def test_title_and_note_name_measure_task_test_and_correction():
    figure = win_tie_loss_figure(result_of(*THREE))
    assert figure.texts[0].get_text() == "Wins and losses: responsiveness ↑, task A"
    note = " ".join(text.get_text() for text in figure.texts[1:])
    assert "paired t test, Holm correction, α = 0.05; people in bold" in note


def test_no_system_is_refused():
    with pytest.raises(InputError, match="there are no systems to draw"):
        win_tie_loss_figure(result_of([], {}))
