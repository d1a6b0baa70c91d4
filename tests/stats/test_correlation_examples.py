"""Small examples of `pyramidion.stats.correlation`."""

import numpy as np

from pyramidion.stats.correlation import (
    TiedGroups,
    pearson,
    root_ratio,
    sum_above_both_sorted,
    undefined_reason,
    weighted_correlations,
)


def test_tied_groups():
    groups = TiedGroups.of(np.array([0, 1, 1]), np.array([[1.0], [1.0], [2.0]]))
    assert (groups.weights.ravel().tolist(), groups.count_untied_pairs().tolist()) == (
        [1.0, 3.0],
        [3.0],
    )


def test_dominance():
    x, z = np.array([0, 1, 2]), np.array([0, 2, 1])
    assert sum_above_both_sorted(x, z, np.array([[1.0], [1.0], [1.0]])).ravel().tolist() == [
        2.0,
        0.0,
        0.0,
    ]


def test_correlation():
    assert pearson([1, 2, 3], [5, 5, 5]).undefined == "all values of `y` are equal"


def test_undefined_reason():
    assert (
        undefined_reason(np.array([1.0, 2.0]), np.array([0.3, 0.1 + 0.2]))
        == "all values of `y` are equal"
    )


def test_weighted_correlations():
    x, z = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    weights = np.array([[1.0, 1.0, 3.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    assert (
        repr(weighted_correlations(x, z, weights, "kendall").round(3).tolist())
        == "[0.333, 1.0, nan]"
    )


def test_root_ratio():
    assert (
        repr(root_ratio(np.array([2.0, 0.0]), np.array([4.0, 0.0]), np.array([4.0, 1.0])).tolist())
        == "[0.5, nan]"
    )
