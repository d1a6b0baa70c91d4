"""Small examples of `pyramidion.stats.multiple_comparisons`."""

import re

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats.multiple_comparisons import (
    Yardstick,
    blocked_tukey,
    compare_pairs,
    comparison_half_widths,
    mean_rank_tukey,
    pair_errors,
    tukey_critical,
    tukey_p,
    tukey_yardstick,
)
from pyramidion.stats.pairs import all_pairs


def test_tukey_p():
    assert tukey_p([0.0, 3.0], 5, np.inf).round(6).tolist() == [1.0, 0.022659]
    assert tukey_p([0.0, 3.0], 5, 28).round(6).tolist() == [1.0, 0.041183]


def test_tukey_critical():
    assert round(tukey_critical(0.95, 5, 28), 5) == 2.91349


def test_comparisons():
    assert mean_rank_tukey([[1, 2, 3], [11, 12, 13], [4, 5, 6]]).significant.tolist() == [
        True,
        False,
        False,
    ]


def test_yardstick():
    assert Yardstick(0.95, 1.96, lambda t: t).draws == 0


def test_all_pairs():
    assert all_pairs(3).tolist() == [[0, 1], [0, 2], [1, 2]]


def test_pair_errors():
    assert pair_errors(np.array([[2.0, 1.0], [1.0, 4.0]]), all_pairs(2)).tolist() == [2.0]


def test_compare_pairs():
    rule = Yardstick(0.95, 2.344, lambda t: tukey_p(t, 3, np.inf))
    found = compare_pairs(np.array([1.0, 2.0, 4.0]), all_pairs(3), np.ones(3), rule)
    assert found.p.round(3).tolist() == [0.577, 0.008, 0.112]


def test_comparison_half_widths():
    assert comparison_half_widths(3, all_pairs(3), [2.0, 3.0, 3.0]).tolist() == [1.0, 1.0, 2.0]


def test_tukey_yardstick():
    assert round(tukey_yardstick(0.95, 3, 20).critical, 4) == 2.53


def test_one_column():
    with pytest.raises(InputError, match=re.escape("`scores` has 1 columns; give at least two")):
        blocked_tukey([[1], [2]])
