"""Wins, ties and losses."""

import re

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


def test_names_numbers_and_the_key_stand_in_the_middle_of_their_boxes():
    """In SVG, whose texts stand on a line 0.36 of their size below their middle."""
    svg = draw("wins", result_of(*THREE)).to_svg()
    boxes = [
        tuple(map(float, match))
        for match in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)", svg)
    ]
    middles = [(x, y + height / 2, x + width / 2) for x, y, width, height in boxes]
    texts = [
        (text, float(x), float(y) - 0.36 * float(size))
        for size, group in re.findall(r'font-size="([\d.]+)"[^>]*>(.*?)</g>', svg)
        for x, y, text in re.findall(r'<text x="([\d.]+)" y="([\d.]+)">(.*?)</text>', group)
    ]
    names = [text for text in texts if text[0] in {"A", "7", "8"}]
    in_key = [text for text in texts if "significantly" in text[0] or text[0] == "undecided"]
    in_bars = [text for text in texts if text[0] in {"1", "2"} and text[2] < names[-1][2] + 5]
    assert (len(names), len(in_key), len(in_bars)) == (3, 3, 5)
    for _, x, middle in names + in_key:
        assert any(abs(middle - other) < 0.2 for _, other, _ in middles), "beside its box"
        assert min(abs(left - x) for left, other, _ in middles if abs(middle - other) < 0.2) < 30
    for _, x, middle in in_bars:
        assert any(abs(middle - y) < 0.2 and abs(x - center) < 1 for _, y, center in middles)
    rows = sorted(middle for _, _, middle in names)
    assert rows[1] - rows[0] == pytest.approx(rows[2] - rows[1], abs=0.1)
    width, height = map(float, re.findall(r'<svg [^>]*width="([\d.]+)" height="([\d.]+)"', svg)[0])
    assert all(0 < x + w < width and 0 < y + h < height for x, y, w, h in boxes)
