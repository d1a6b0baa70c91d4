"""Wins, ties and losses."""

import pytest

from pyramidion.errors import InputError
from pyramidion.rendering.charts.picture import Box, Text
from rendering.figures.reading import bars, key, labels, of
from rendering.figures.samples import THREE, comparison, draw, one_topic_result, result_of


def numbers(picture):
    """Return the numbers inside bars."""
    return [
        text.text
        for text in of(picture, Text)
        for box in of(picture, Box)
        if box.x < text.x < box.x + box.width and box.y < text.y < box.y + box.height
    ]


def test_bars_count_the_others():
    assert bars(draw("wins", result_of(*THREE))) == {
        "A": {"h2": (0, 2)},
        "7": {"u": (0, 1), "l2": (1, 1)},
        "8": {"u": (0, 1), "l2": (1, 1)},
    }


def test_everyone_meets_all_others():
    compared = comparison(66, 48, 8)
    result, parts_of = compared.only, bars(compared.plot("wins"))
    assert list(parts_of) == [system.system for system in result.systems]
    assert {sum(width for _, width in parts.values()) for parts in parts_of.values()} == {65}
    wins = sum(parts.get("h2", (0, 0))[1] for parts in parts_of.values())
    losses = sum(parts.get("l2", (0, 0))[1] for parts in parts_of.values())
    assert wins == losses == result.counts.significant
    assert {
        max(start + width for start, width in parts.values()) for parts in parts_of.values()
    } == {65}


def test_bars_do_not_cover_each_other():
    for parts in bars(comparison(12, 30, 4).plot("wins")).values():
        end = 0
        for start, width in sorted(parts.values()):
            assert start == pytest.approx(end, abs=1e-5)
            end = start + width


def test_numbers_stand_in_bars_that_are_wide_enough():
    assert sorted(numbers(draw("wins", result_of(*THREE)))) == ["1", "1", "1", "1", "2"]
    large = comparison(66, 48, 8).plot("wins")
    assert 66 < len(numbers(large)) < len(of(large, Box))


def test_undefined_pairs_are_counted_and_explained():
    picture = draw("wins", one_topic_result())
    assert bars(picture) == {"7": {"q": (0, 1)}, "8": {"q": (0, 1)}}
    assert key(picture) == {"p undefined": "q"}


def test_a_baseline_has_the_only_bar():
    compared = comparison(20, 30, 2, baseline="5")
    ((name, parts),) = bars(compared.plot("wins")).items()
    assert name == "5"
    assert sum(width for _, width in parts.values()) == 19
    assert parts["h2"][1] + parts["l2"][1] == compared.only.counts.significant


def test_title_and_note_name_measure_task_test_and_correction():
    picture = draw("wins", result_of(*THREE))
    assert picture.title == "Wins and losses: responsiveness ↑, task A"
    assert "paired t test, Holm correction, α = 0.05; people in bold" in picture.note
    assert [label.bold for label in labels(picture)] == [True, False, False]


def test_no_system_is_refused():
    with pytest.raises(InputError, match="there are no systems to draw"):
        draw("wins", result_of([], {}))
