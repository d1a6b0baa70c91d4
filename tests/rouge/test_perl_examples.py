"""Small examples of `pyramidion.rouge._perl`."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.rouge._perl import (
    Interval,
    bootstrap_means,
    by_evaluation,
    corpus_means,
    exact_counts,
    exact_scores,
    interval,
    rounded,
)
from pyramidion.rouge.counting import Counts, Pairs, Variant


def test_rounded():
    assert rounded(np.array([0.123455, 2 / 3])).tolist() == [0.12345, 0.66667]


@given(st.lists(st.floats() | st.integers(-(10**6), 10**6).map(lambda n: (n + 0.5) / 1e5)))
def test_rounded_as_c_does(values):
    expected = [float(f"{value:.5f}") for value in values]
    np.testing.assert_array_equal(rounded(np.array(values)), expected)


def test_exact_counts():
    counts = Counts(np.array([4.0, 5.0]), np.array([3.0, 3.0]), np.array([1.0, 2.0]))
    pairs = Pairs.of([(0, 1, 0), (0, 2, 0)])
    assert exact_counts(counts, pairs, Variant("n", "1"), "average").hits.tolist() == [3.0]
    assert exact_counts(counts, pairs, Variant("n", "1"), "best").hits.tolist() == [2.0]


def test_exact_scores():
    assert exact_scores(Counts(np.array([3.0]), np.array([7.0]), np.array([2.0]))).f.tolist() == [
        0.4
    ]


def test_interval():
    assert Interval(0.5, 0.4, 0.6).low == 0.4


def test_bootstrap_means():
    assert bootstrap_means(np.array([[1.0], [3.0]]), 3).tolist() == [[2.0], [1.0], [2.0]]


def test_corpus_means():
    assert corpus_means(
        Counts(np.array([4.0]), np.array([2.0]), np.array([2.0])), 1, 0.5
    ).tolist() == [[0.5, 1.0, 0.6666666666666666]]


def test_interval_again():
    assert repr(interval(np.arange(1000.0), 95)) == "Interval(mean=499.5, low=25.0, high=974.0)"


def test_by_evaluation():
    assert by_evaluation(["10.X", "9.X", "b.X", "a.X", "a-1.X"]) == [
        "9.X",
        "10.X",
        "a-1.X",
        "a.X",
        "b.X",
    ]
