"""Small examples of `pyramidion.stats._pair_resampling`."""

import numpy as np

from pyramidion.stats._pair_resampling import (
    Draws,
    Tally,
    given_draws,
    hybrid_blocks,
    random_draws,
    resample_pairs,
    swap_blocks,
)
from pyramidion.stats._resampling import all_signs
from stats.pair_references import pair_up


def test_swap_blocks():
    blocks = swap_blocks(
        pair_up([[1, 2], [4, 2], [5, 2]]), np.arange(1), all_signs(3), ("w",), standardized=False
    )
    assert [(rows.tolist(), found["w"].tolist()) for rows, found in blocks] == [
        ([0], [[4.0, -2.0, 0.0, -6.0]])
    ]


def test_draws():
    draws = Draws(np.array([[0, 1, 1], [2, 0, 1]]), np.zeros((2, 3), np.int8))
    assert draws.counts(np.array([True, False, True])).drawn.sum(axis=0).tolist() == [2.0, 2.0, 2.0]


def test_random_draws():
    assert random_draws(3, 100, None).n_resamples == 100


def test_given_draws():
    assert given_draws([[1, 1]], [[0, 1]], 2).counts(np.full(2, True)).drawn.tolist() == [
        [1.0, 0.0],
        [1.0, 2.0],
    ]


def test_hybrid_blocks():
    blocks = hybrid_blocks(
        pair_up([[1, 2], [4, 2], [5, 2]]),
        np.arange(1),
        random_draws(3, 10, None),
        ("w", "t"),
        standardized=True,
    )
    assert [(rows.tolist(), found["t"].shape) for rows, found in blocks] == [([0], (1, 11))]


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
