"""Small examples of `pyramidion.stats.correlation_tests`."""

import numpy as np

from pyramidion.stats.correlation_tests import (
    OverlappingCorrelations,
    SeparateCorrelations,
    correlation_difference,
    draw_counts,
    fisher_interval,
    meng_error,
)


def test_draw_counts():
    assert draw_counts(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist() == [
        [1.0, 0.0],
        [0.0, 3.0],
        [2.0, 0.0],
    ]


def test_fisher_interval():
    interval = fisher_interval(0.8, 30)
    assert (round(interval.low, 3), round(interval.high, 3)) == (0.618, 0.901)


def test_overlapping():
    assert round(OverlappingCorrelations(0.9, 0.8, 0.7, 30).determinant, 3) == 0.068


def test_separate():
    assert (
        SeparateCorrelations(0.9, 0.8, jh=0.0, jm=0.0, kh=0.0, km=0.0, n=30).covariance(0.9, 0.8)
        == 0.0
    )


def test_meng_error():
    assert round(meng_error(OverlappingCorrelations(0.9, 0.8, 0.7, 30)), 4) == 0.221


def test_correlation_difference():
    assert (
        correlation_difference([1, 2, 3, 4], [1, 3, 2, 4], [2, 4, 6, 8]).undefined
        == "a correlation is 1 or -1"
    )
