"""Small examples of `pyramidion.stats._paired_tests`."""

from pyramidion.stats._paired_tests import (
    paired_t,
    permutation_test,
    signed_rank_distribution,
    wilcoxon,
)
from stats.pair_references import walsh_w_plus


def test_wilcoxon():
    assert wilcoxon([3, 5, 4], [1, 4, 4]).zeros == 1


def test_signed_rank_distribution():
    assert signed_rank_distribution([1, 2]).tolist() == [0.25, 0.0, 0.25, 0.0, 0.25, 0.0, 0.25]


def test_walsh_w_plus():
    assert walsh_w_plus([1, 2, 4, 4, -4, 4, 6, 7, -10, 13, -14]) == 41.5


def test_ttest():
    assert paired_t([2, 3], [1, 2]).note == "no spread: every difference is the same"


def test_permutation():
    assert permutation_test([3, 5, 4], [1, 4, 4]).n_resamples == 4
