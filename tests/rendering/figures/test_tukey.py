"""Tukey's comparison intervals."""

import numpy as np
import pytest

from pyramidion.errors import InputError, NotFoundError
from pyramidion.rendering.charts.picture import Box, hex_color
from pyramidion.rendering.charts.style import BLUE, GRAY, VERMILLION
from pyramidion.stats import blocked_tukey, mean_rank_tukey
from rendering.figures.reading import intervals, key, labels, names, of, scale, texts
from rendering.figures.samples import draw, scores, tukey

GROUPS = [[1, 2, 3, 2], [11, 12, 13, 14], [4, 5, 6, 5], [12, 11, 15, 16]]
NAMES = ["T1", "T2", "T3", "T10"]


def test_intervals_are_estimates_with_half_widths():
    result = mean_rank_tukey(GROUPS)
    shown = intervals(draw("topics", result, NAMES))
    for name, estimate, half in zip(NAMES, result.estimates, result.half_widths, strict=True):
        assert shown[name][:2] == pytest.approx((estimate - half, estimate + half))


def test_those_apart_from_the_chosen_one_are_marked():
    shown = intervals(draw("topics", mean_rank_tukey(GROUPS), NAMES, marked_name="T1"))
    assert {name: color for name, (_, _, color) in shown.items()} == {
        "T1": "h2",
        "T2": "l2",
        "T3": "q",
        "T10": "l2",
    }
    assert [hex_color(color) for color in ("h2", "l2", "q")] == [BLUE, VERMILLION, GRAY]


def test_the_note_counts_the_intervals_apart():
    picture = draw(
        "topics", mean_rank_tukey(GROUPS), NAMES, marked_name="T1", measure="m", task="B"
    )
    assert picture.title == "Comparison intervals: m, task B"
    assert picture.note == (
        "2 of 3 intervals do not overlap that of T1; Tukey's test of mean ranks, "
        "95% comparison intervals"
    )
    assert key(picture) == {"T1": "h2", "does not overlap T1": "l2", "overlaps T1": "q"}
    assert len({entry.mark for entry in picture.key}) == 3


@pytest.mark.parametrize("seed", range(2))
def test_not_overlapping_is_being_significantly_different(seed):
    # Exactly so where all groups have the same size.
    matrix = scores(30, 8, seed=seed)
    result = mean_rank_tukey(matrix.values)
    for index, chosen in enumerate(matrix.topics):
        shown = intervals(draw("topics", result, matrix.topics, marked_name=chosen))
        apart = {name for name, (*_, color) in shown.items() if color == "l2"}
        pairs = result.pairs[result.significant]
        different = pairs[(pairs == index).any(axis=1)].sum(axis=1) - index
        assert apart == {matrix.topics[other] for other in different}


def test_the_lowest_is_chosen_by_default():
    picture = draw("topics", mean_rank_tukey(GROUPS), NAMES)
    assert intervals(picture)["T1"][2] == "h2"
    assert names(picture)[-1] == "T1"


def test_the_chosen_interval_is_shaded_across_all_rows():
    picture = draw("topics", mean_rank_tukey(GROUPS), NAMES, marked_name="T3")
    (band,) = of(picture, Box)
    low, high, _ = intervals(picture)["T3"]
    value = scale(picture)
    assert (value(band.x), value(band.x + band.width)) == pytest.approx((low, high))
    heights = [label.y for label in labels(picture)]
    assert band.y < min(heights) < max(heights) < band.y + band.height
    assert [label.color for label in labels(picture)].count("h2") == 1


def test_groups_go_from_high_to_low():
    result = mean_rank_tukey(GROUPS)
    by_estimate = names(draw("topics", result, NAMES))
    assert by_estimate == [NAMES[i] for i in np.argsort(-result.estimates, kind="stable")]


def test_other_tests_can_be_named():
    result = blocked_tukey([[1, 2, 4], [2, 4, 4], [5, 6, 8], [3, 5, 6]])
    picture = draw(
        "topics", result, ["x", "y", "z"], estimate="mean", test="Tukey's test in blocks"
    )
    assert "mean" in texts(picture)
    assert "Tukey's test in blocks" in picture.note


def test_every_topic_is_there():
    assert len(intervals(tukey(scores(66, 48, 8)))) == 48


def test_wrong_names_are_refused():
    result = mean_rank_tukey(GROUPS)
    with pytest.raises(NotFoundError, match="there is no 'T9'; available: T1, T2, T3, T10"):
        draw("topics", result, NAMES, marked_name="T9")


def test_undefined_intervals_are_refused_with_the_reason():
    result = blocked_tukey([[1, 2]])
    with pytest.raises(InputError, match=r"there are no intervals to draw \(.+\); compare"):
        draw("topics", result, ["x", "y"])
