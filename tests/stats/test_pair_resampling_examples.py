"""Small examples of `pyramidion.stats._pair_resampling`."""

import numpy as np

from pyramidion.stats._pair_resampling import (
    Draws,
    Swaps,
    Tally,
    explicit_draws,
    random_draws,
    resample_pairs,
)
from pyramidion.stats._resampling import all_signs
from stats.pair_references import pair_up

PAIRS = pair_up([[1, 2], [4, 2], [5, 2]])


def test_swaps():
    (block,) = Swaps(all_signs(3)).statistics(PAIRS, ("w",), is_standardized=False)
    assert block[1]["w"].tolist() == [[4.0, -2.0, 0.0, -6.0]]


def test_some_swaps():
    assert Swaps(all_signs(3)).part(1, 3, 1).signs.tolist() == [[1, 1, 1], [1, -1, 1], [1, -1, -1]]


def test_draws():
    draws = Draws(np.array([[0, 1, 1], [2, 0, 1]]), np.zeros((2, 3), np.int8))
    drawn, _ = draws.counts(np.array([True, False, True]))
    assert drawn.sum(axis=0).tolist() == [2.0, 2.0, 2.0]


def test_draws_without_resamples_have_the_data():
    draws = Draws(np.empty((0, 3), np.intp), np.empty((0, 3), np.int8))
    ((rows, found),) = draws.statistics(PAIRS, ("w",), is_standardized=False)
    assert (rows.tolist(), found["w"].tolist()) == ([0], [[4.0]])


def test_random_draws():
    assert random_draws(3, 100, None).n_resamples == 100


def test_given_draws():
    drawn, signed = explicit_draws([[1, 1]], [[0, 1]], 2).counts(np.full(2, True))
    assert drawn.tolist() == [[1.0, 0.0], [1.0, 2.0]]
    assert signed.tolist() == [[1.0, 0.0], [1.0, 0.0]]


def test_statistics_of_draws():
    found = random_draws(3, 10, None).statistics(PAIRS, ("w", "t"), is_standardized=True)
    assert [(rows.tolist(), values["t"].shape) for rows, values in found] == [([0], (1, 11))]


def test_resampled_statistic():
    scores = np.random.default_rng(0).normal(loc=[0, 0, 2], size=(20, 3))
    found = resample_pairs(scores, n_resamples=999).tests["t"]
    assert (found.p_max_t < 0.05).tolist() == [False, True, True]


def test_resampled_pairs():
    assert resample_pairs([[1, 2], [4, 3], [5, 1]], n_resamples=19).topics.tolist() == [3]


def test_tally():
    tally = Tally(1, 4, 0.75)
    tally.add(np.array([0]), np.array([[-2.0, 1.0, 3.0, -2.0, 0.0]]))
    result = tally.result()
    assert (result.p.tolist(), result.cutoff.tolist()) == ([0.6], [2.0])
