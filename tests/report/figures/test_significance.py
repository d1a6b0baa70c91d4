"""The heat map of pairs."""

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

from pyramidion.errors import InputError
from pyramidion.evaluation._compare.charts import pair_arrays, significance_figure
from pyramidion.report.charts.tiles import HIGHER, LOWER
from report.figures.samples import THREE, comparison, one_topic_result, result_of


def colors(figure):
    """Return the color of each tile, row by row."""
    mesh = figure.axes[0].collections[0]
    mesh.update_scalarmappable()
    found = np.array([to_hex(color) for color in mesh.get_facecolors()])
    return found.reshape(mesh.get_array().shape).tolist()


def labels(figure, which):
    return [label.get_text() for label in getattr(figure.axes[0], f"get_{which}ticklabels")()]


def test_colors_tell_direction_and_level():
    assert colors(significance_figure(result_of(*THREE))) == [
        ["#ffffff", HIGHER[3], HIGHER[2]],
        [LOWER[3], "#ffffff", HIGHER[0]],
        [LOWER[2], LOWER[0], "#ffffff"],
    ]


@pytest.mark.parametrize(
    ("p", "level"), [(0.051, 0), (0.05, 1), (0.011, 1), (0.01, 2), (0.0011, 2), (0.001, 3)]
)
def test_levels_follow_alpha(p, level):
    systems = [("7", "machine", 2, "a"), ("8", "machine", 1, "b")]
    assert colors(significance_figure(result_of(systems, {("7", "8"): p})))[0][1] == HIGHER[level]
    tenth = result_of(systems, {("7", "8"): p * 2}, alpha=0.1)
    figure = significance_figure(tenth)
    assert colors(figure)[0][1] == HIGHER[level]
    key = [label.get_text() for label in figure.axes[1].get_xticklabels()]
    assert key == ["p ≤ 0.002", "p ≤ 0.02", "p ≤ 0.1", "undecided"]


def test_what_is_not_significant_is_pale():
    for pale, *strong in (HIGHER, LOWER):
        assert min(to_rgb(pale)) > 0.85
        assert all(min(to_rgb(color)) < 0.62 for color in strong)


def test_systems_stand_in_the_order_of_the_ranking_both_ways():
    result = comparison(66, 48, 8)
    figure = significance_figure(result)
    assert labels(figure, "x") == labels(figure, "y") == [s.system for s in result.systems]
    assert len(figure.axes[0].collections[0].get_facecolors()) == 66 * 66  # type: ignore[attr-defined]
    assert not figure.axes[0].texts


def test_counts_of_significant_tiles_agree_with_the_result():
    result = comparison(66, 48, 8)
    strong = sum(
        c in (*HIGHER[1:], *LOWER[1:]) for row in colors(significance_figure(result)) for c in row
    )
    assert strong == 2 * result.counts.significant > 0
    note = significance_figure(result).texts[1].get_text()
    assert note.startswith(f"{result.counts.significant:,} of 2,145 pairs significantly different")


def test_few_systems_show_their_p_values():
    figure = significance_figure(result_of(*THREE))
    shown = {text.get_position(): text.get_text() for text in figure.axes[0].texts}
    assert shown == {
        (1, 0): "<.001",
        (2, 0): ".008",
        (2, 1): ".600",
        (0, 1): "<.001",
        (0, 2): ".008",
        (1, 2): ".600",
    }


def test_a_baseline_is_the_only_column():
    result = comparison(20, 30, 2, baseline="5")
    figure = significance_figure(result)
    assert labels(figure, "x") == ["5"]
    assert len(labels(figure, "y")) == 20
    assert len(figure.axes[0].texts) == 19
    assert figure.texts[0].get_text() == "Differences from 5: rouge-2-r ↑, task A"


def test_undefined_p_values_are_gray_and_explained():
    figure = significance_figure(one_topic_result())
    assert colors(figure) == [["#ffffff", "#767676"], ["#767676", "#ffffff"]]
    assert [text.get_text() for text in figure.axes[0].texts] == ["?", "?"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["p undefined"]


def test_equal_means_have_no_direction():
    systems = [("7", "machine", 2, "a"), ("8", "machine", 2, "a")]
    figure = significance_figure(result_of(systems, {("7", "8"): 1.0}))
    assert colors(figure)[0][1] == colors(figure)[1][0] == "#efefef"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["equal means"]


def test_pairs_are_the_same_seen_from_both_sides():
    arrays = pair_arrays(comparison(12, 30, 4))
    np.testing.assert_array_equal(arrays.outcome, -arrays.outcome.T)
    np.testing.assert_array_equal(arrays.p, arrays.p.T)
    assert not arrays.compared.diagonal().any()


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ({("1", "2"), ("2", "3"), ("1", "3")}, None),
        ({("1", "2"), ("2", "3")}, 1),
        ({("1", "2"), ("1", "3")}, 0),
        ({("1", "2")}, None),
        (set(), None),
    ],
)
def test_a_baseline_is_recognised(pairs, expected):
    systems = [(name, "machine", 4 - int(name), "a") for name in "123"]
    arrays = pair_arrays(result_of(systems, dict.fromkeys(pairs, 0.5)))
    assert arrays.baseline == expected


def test_no_system_is_refused():
    with pytest.raises(InputError, match="there are no systems to draw"):
        significance_figure(result_of([], {}))
