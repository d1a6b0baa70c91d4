"""Tukey's comparison intervals."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from pyramidion.errors import InputError, NotFoundError
from pyramidion.evaluation._compare.charts import tukey_figure
from pyramidion.report.charts.style import BLUE, GRAY, VERMILLION
from pyramidion.stats._multiple_comparisons import blocked_tukey, mean_rank_tukey
from report.figures.samples import scores, tukey

GROUPS = [[1, 2, 3, 2], [11, 12, 13, 14], [4, 5, 6, 5], [12, 11, 15, 16]]
NAMES = ["T1", "T2", "T3", "T10"]


def names(figure):
    return [label.get_text() for label in figure.axes[0].get_yticklabels()]


def intervals(figure):
    """Return each name's interval and color."""
    found = {}
    for lines in figure.axes[0].collections:
        for path in lines.get_segments():
            color = to_hex(lines.get_colors()[0])
            found[names(figure)[int(path[0, 1])]] = (*path[:, 0].tolist(), color)
    return found


def test_intervals_are_estimates_with_half_widths():
    result = mean_rank_tukey(GROUPS)
    drawn = intervals(tukey_figure(result, NAMES))
    for name, estimate, half in zip(NAMES, result.estimates, result.half_widths, strict=True):
        assert drawn[name][:2] == pytest.approx((estimate - half, estimate + half))


def test_those_apart_from_the_chosen_one_are_marked():
    drawn = intervals(tukey_figure(mean_rank_tukey(GROUPS), NAMES, chosen="T1"))
    assert {name: color for name, (_, _, color) in drawn.items()} == {
        "T1": BLUE,
        "T2": VERMILLION,
        "T3": GRAY,
        "T10": VERMILLION,
    }


def test_the_number_apart_is_said():
    figure = tukey_figure(mean_rank_tukey(GROUPS), NAMES, chosen="T1", measure="m", task="B")
    assert figure.texts[0].get_text() == "Comparison intervals: m, task B"
    note = " ".join(text.get_text() for text in figure.texts[1:])
    assert note == (
        "2 of 3 intervals do not overlap that of T1; Tukey's test of mean ranks, "
        "95% comparison intervals"
    )
    legend = [text.get_text() for text in figure.legends[0].get_texts()]
    assert legend == ["T1", "does not overlap T1", "overlaps T1"]


@pytest.mark.parametrize("seed", range(2))
def test_not_overlapping_is_being_significantly_different(seed):
    # Exactly so where all groups have the same size.
    matrix = scores(30, 8, seed=seed)
    result = mean_rank_tukey(matrix.values)
    for place, chosen in enumerate(matrix.topics):
        drawn = intervals(tukey_figure(result, matrix.topics, chosen=chosen))
        apart = {name for name, (*_, color) in drawn.items() if color == VERMILLION}
        pairs = result.pairs[result.significant]
        others = pairs[(pairs == place).any(axis=1)].sum(axis=1) - place
        assert apart == {matrix.topics[other] for other in others}


def test_the_lowest_is_chosen_unless_told():
    figure = tukey_figure(mean_rank_tukey(GROUPS), NAMES)
    assert intervals(figure)["T1"][2] == BLUE
    assert names(figure)[-1] == "T1"


def test_the_chosen_interval_is_shaded_across_all_rows():
    figure = tukey_figure(mean_rank_tukey(GROUPS), NAMES, chosen="T3")
    (band,) = figure.axes[0].patches
    low, high, _ = intervals(figure)["T3"]
    assert (band.get_x(), band.get_x() + band.get_width()) == pytest.approx((low, high))  # type: ignore[attr-defined]


def test_groups_go_from_high_to_low():
    result = mean_rank_tukey(GROUPS)
    by_estimate = names(tukey_figure(result, NAMES))
    assert by_estimate == [NAMES[i] for i in np.argsort(-result.estimates, kind="stable")]


def test_other_tests_can_be_named():
    result = blocked_tukey([[1, 2, 4], [2, 4, 4], [5, 6, 8], [3, 5, 6]])
    figure = tukey_figure(result, ["x", "y", "z"], estimate="mean", test="Tukey's test in blocks")
    assert figure.axes[0].get_xlabel() == "mean"
    assert "Tukey's test in blocks" in figure.texts[1].get_text()


def test_every_topic_is_there():
    assert len(intervals(tukey(scores(66, 48, 8)))) == 48


def test_wrong_names_are_refused():
    result = mean_rank_tukey(GROUPS)
    with pytest.raises(NotFoundError, match="there is no 'T9'; there are: T1, T2, T3, T10"):
        tukey_figure(result, NAMES, chosen="T9")


def test_undefined_intervals_are_refused_with_the_reason():
    result = blocked_tukey([[1, 2]])
    with pytest.raises(InputError, match=r"there are no intervals to draw \(.+\); compare"):
        tukey_figure(result, ["x", "y"])
