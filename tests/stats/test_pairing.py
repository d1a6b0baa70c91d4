"""Pairs of columns, their shared topics, swaps and draws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from pyramidion.stats._pair_resampling import random_draws
from pyramidion.stats._resampling import all_signs, chosen_signs
from pyramidion.stats.pairs import quantile_index, tie_threshold
from stats.pair_references import pair_up

cells = st.one_of(st.integers(1, 5).map(float), st.just(np.nan))


@given(arrays(float, (5, 4), elements=cells))
def test_patterns_part_the_pairs(scores):
    pairs = pair_up(scores)
    met = []
    for kept, rows in pairs.patterns():
        for row in rows:
            both = scores[:, pairs.indices[row]]
            assert kept.tolist() == (~np.isnan(both).any(axis=1)).tolist()
        met += rows.tolist()
    assert sorted(met) == list(range(6))


@given(arrays(float, (5, 3), elements=cells))
def test_differences_of_shared_topics(scores):
    pairs = pair_up(scores)
    for row, (i, j) in enumerate(pairs.indices):
        expected = np.nan_to_num(scores[:, i] - scores[:, j])
        assert pairs.differences[row].tolist() == expected.tolist()
        assert pairs.topics[row] == np.sum(~np.isnan(scores[:, i] - scores[:, j]))


def test_noise_is_not_a_difference():
    pairs = pair_up([[0.1 + 0.2, 0.3], [0.5, 0.4]])
    assert pairs.differences[0, 0] == 0 != pairs.differences[0, 1]


@given(st.integers(1, 8))
def test_half_of_all_signs(topics):
    signs = all_signs(topics)
    rows = {tuple(row) for row in signs.tolist()} | {tuple(row) for row in (-signs).tolist()}
    assert len(signs) == 2 ** (topics - 1)
    assert len(rows) == 2**topics
    assert signs[0].tolist() == [1] * topics


def test_drawn_signs_are_fair_and_start_with_the_data():
    signs = chosen_signs(None, 20_000, 4, 1)
    assert signs[0].tolist() == [1, 1, 1, 1]
    assert set(np.unique(signs[1:])) == {-1, 1}
    assert np.abs(signs[1:].mean(axis=0)).max() < 0.03
    assert np.abs(np.corrcoef(signs[1:].T) - np.eye(4)).max() < 0.03


@pytest.mark.parametrize("kept", [[1] * 6, [1, 0, 1, 1, 0, 0], [0, 0, 0, 0, 1, 1]])
def test_draws_of_some_topics_are_samples_with_replacement(kept):
    kept = np.array(kept, dtype=bool)
    drawn, signed = random_draws(6, 20_000, 3).counts(kept)
    n = int(kept.sum())
    assert drawn[:, 0].tolist() == signed[:, 0].tolist() == [1] * n
    drawn, signed = drawn[:, 1:], signed[:, 1:]
    assert (drawn.sum(axis=0) == n).all()
    assert (np.abs(signed) <= drawn).all()
    assert ((drawn - signed) % 2 == 0).all()
    # How often a topic is drawn is binomial, and its signs are fair.
    expected = stats.binom.pmf(np.arange(n + 1), n, 1 / n)
    for row in drawn:
        found = np.bincount(row.astype(int), minlength=n + 1) / drawn.shape[1]
        assert found == pytest.approx(expected, abs=0.02)
    assert np.abs(signed.mean(axis=1)).max() < 0.04
    assert signed.var(axis=1) == pytest.approx(np.ones(n), abs=0.06)


def test_draws_of_two_patterns_vary_together():
    draws = random_draws(10, 5_000, 3)
    some = np.arange(10) < 6
    (_, whole), (_, part) = draws.counts(np.full(10, True)), draws.counts(some)
    assert np.corrcoef(whole[0, 1:], part[0, 1:])[0, 1] > 0.6


def test_quantile_index_and_reach():
    # R's quantile(1:199, .95, type = 1) is 190, of 1:20 it is 19.
    assert [quantile_index(n, 0.95) + 1 for n in (199, 20, 2000)] == [190, 19, 1900]
    assert tie_threshold(np.array([np.inf]))[0] == np.inf
    assert tie_threshold(np.array([-2.0]))[0] < 2
