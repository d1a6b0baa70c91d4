"""Resampling of all pairs when scores are missing, and draws that do not fit."""

import numpy as np
import pytest

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._pair_resampling import resample_pairs
from stats.pair_references import NAMES

GOOD = np.random.default_rng(2).random((6, 3))


@pytest.mark.parametrize("method", ["mc", "hb"])
def test_missing_scores_leave_the_shared_topics(method):
    rng = np.random.default_rng(5)
    scores = rng.random((12, 4))
    scores[:4, 0] = scores[8:, 1] = np.nan
    whole = resample_pairs(scores, method=method, n_resamples=1999)
    assert whole.topics.tolist() == [4, 8, 8, 8, 8, 12]
    for row, (i, j) in enumerate(whole.pairs):
        shared = scores[:, [i, j]][~np.isnan(scores[:, [i, j]]).any(axis=1)]
        alone = resample_pairs(shared, method=method, n_resamples=1999, rng=9)
        for name in NAMES:
            one, other = whole.tests[name], alone.tests[name]
            assert one.statistic[row] == pytest.approx(other.statistic[0])
            p = other.p[0]
            assert abs(one.p[row] - p) < 5 * np.sqrt(2 * p * (1 - p) / 2000) + 1e-3


def test_hybrid_resamples_of_a_pattern_do_not_depend_on_other_pairs():
    rng = np.random.default_rng(6)
    scores = rng.random((10, 4))
    scores[:5, 0] = np.nan
    scores[3:7, 3] = np.nan
    everything = resample_pairs(scores, method="hb", n_resamples=99, rng=1)
    one = resample_pairs(scores, method="hb", n_resamples=99, rng=1, pairs=[[0, 3]])
    for name in NAMES:
        assert one.tests[name].cutoff[0] == everything.tests[name].cutoff[2]


def test_pairs_with_fewer_than_two_shared_topics_are_undefined():
    scores = np.random.default_rng(7).random((6, 4))
    scores[:5, 0] = np.nan
    scores[5, 1] = np.nan
    found = resample_pairs(scores, method="hb", n_resamples=99)
    assert found.topics.tolist() == [0, 1, 1, 5, 5, 6]
    for test in found.tests.values():
        for values in (test.statistic, test.p, test.cutoff, test.p_max_t):
            assert np.isnan(values).tolist() == [True] * 3 + [False] * 3


def test_one_topic_only_is_undefined():
    found = resample_pairs([[1, 2, 3]], n_resamples=99)
    assert np.isnan(found.tests["t"].p).all()


@pytest.mark.parametrize(
    ("indices", "swaps", "error"),
    [
        (np.zeros((20, 5), int), np.zeros((20, 6)), ShapeError),
        (np.zeros((20, 6)), np.zeros((20, 6)), InputError),
        (np.full((20, 6), 6), np.zeros((20, 6)), InputError),
        (np.zeros((20, 6), int), np.zeros((19, 6)), ShapeError),
    ],
)
def test_bad_draws(indices, swaps, error):
    with pytest.raises(error):
        resample_pairs(GOOD, method="hb", indices=indices, swaps=swaps)


def test_given_indices_need_complete_scores():
    scores = GOOD.copy()
    scores[0, 0] = np.nan
    with pytest.raises(InputError, match="scores are missing"):
        resample_pairs(scores, method="hb", indices=np.zeros((20, 6), int), swaps=np.zeros((20, 6)))
