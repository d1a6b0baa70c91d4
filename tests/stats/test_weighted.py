"""Many weightings at once against one call for each, by SciPy and by definition."""

import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.stats import correlation as _correlation
from pyramidion.stats import pairs as _pairs
from pyramidion.stats.correlation import TiedGroups, sum_above_both_sorted, weighted_correlations
from pyramidion.stats.pairs import (
    dense_ranks,
    multiply,
    sign_agreement,
    sum_above_both,
    sum_over_pairs,
)

COEFFICIENTS = ("pearson", "spearman", "kendall", "tau_ap")


def one_direction(truth, estimate):
    """AP correlation with ties, version b, in one direction."""
    shares = [
        np.mean(truth[estimate > pivot] > value)
        for value, pivot in zip(truth, estimate, strict=True)
        if (estimate > pivot).any()
    ]
    return 2 * np.mean(shares) - 1


def direct(x, z, coefficient):
    if np.ptp(x) == 0 or np.ptp(z) == 0:
        return math.nan
    if coefficient == "tau_ap":
        return (one_direction(x, z) + one_direction(z, x)) / 2
    name = {"pearson": "pearsonr", "spearman": "spearmanr", "kendall": "kendalltau"}[coefficient]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(getattr(scipy.stats, name)(x, z).statistic)


def counts(indices, n):
    return np.stack([np.bincount(row, minlength=n) for row in indices], axis=1).astype(float)


@st.composite
def resampled_points(draw):
    n, columns = draw(st.integers(2, 9)), draw(st.integers(1, 5))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    distinct = draw(st.integers(1, 9))
    x, z = (rng.integers(distinct, size=(n, columns)) / 7 for _ in range(2))
    return x, z, rng.integers(n, size=(columns, n))


@pytest.mark.parametrize("many", [0, 128])
@given(points=resampled_points(), coefficient=st.sampled_from(COEFFICIENTS))
def test_same_points_differently_weighted(points, coefficient, many):
    x, z, indices = points[0][:, 0], points[1][:, 0], points[2]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_correlation, "_MAX_COMPARED_POINTS", many)
        found = weighted_correlations(x, z, counts(indices, len(x)), coefficient)
    expected = [direct(x[row], z[row], coefficient) for row in indices]
    assert found.tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(resampled_points(), st.sampled_from(COEFFICIENTS))
def test_different_points_differently_weighted(points, coefficient):
    x, z, indices = points
    found = weighted_correlations(x, z, counts(indices, len(x)), coefficient)
    expected = [direct(x[row, i], z[row, i], coefficient) for i, row in enumerate(indices)]
    assert found.tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(resampled_points(), st.sampled_from(COEFFICIENTS))
def test_different_points_against_the_same(points, coefficient):
    x, z = points[0], points[1][:, 0]
    found = weighted_correlations(x, z, np.ones((len(x), 1)), coefficient)
    expected = [direct(column, z, coefficient) for column in x.T]
    assert found.tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_chunks_do_not_show(coefficient, monkeypatch):
    rng = np.random.default_rng(5)
    x, z, weights = rng.normal(size=300), rng.normal(size=300), rng.integers(3, size=(300, 7))
    whole = weighted_correlations(x, z, weights.astype(float), coefficient)
    monkeypatch.setattr(_correlation, "_CHUNK_WEIGHTS", 600)
    monkeypatch.setattr(_correlation, "_MIN_WEIGHTINGS", 1)
    parts = weighted_correlations(x, z, weights.astype(float), coefficient)
    assert parts.tolist() == pytest.approx(whole.tolist(), abs=1e-14)


@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_no_points(coefficient):
    empty = weighted_correlations(np.empty(0), np.empty(0), np.ones((0, 3)), coefficient)
    assert np.isnan(empty).tolist() == [True] * 3


def test_many_points_are_exact():
    # More than 4,096 points: sums of weights no longer fit the smaller floats.
    rng = np.random.default_rng(6)
    x, z = rng.integers(50, size=6_000) / 10, rng.normal(size=6_000)
    found = weighted_correlations(x, z, np.ones((6_000, 1)), "kendall")[0]
    assert found == pytest.approx(scipy.stats.kendalltau(x, z).statistic, abs=1e-14)


@pytest.mark.parametrize("narrow", [0, 48])
@given(points=resampled_points())
def test_halving_counts_what_comparing_all_pairs_counts(points, narrow):
    x, z = dense_ranks(points[0][:, 0]), dense_ranks(points[1][:, 0])
    weights = counts(points[2], len(x))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_pairs, "_MIN_ROWWISE_WIDTH", narrow)
        halved = sum_above_both_sorted(x, z, weights)
    assert halved.tolist() == sum_above_both(x, z, weights).tolist()
    expected = [
        sum(
            w[i] * w[j] * int(np.sign(int(x[i]) - int(x[j])) * np.sign(int(z[i]) - int(z[j])))
            for i in range(len(x))
            for j in range(i)
        )
        for w in weights.T
    ]
    assert sign_agreement(x, z, weights).tolist() == expected


@pytest.mark.parametrize("n", [20, 400])
@pytest.mark.parametrize("distinct", [3, 300, 10**6])
def test_groups_of_ties(n, distinct):
    rng = np.random.default_rng(7)
    ranks = dense_ranks(rng.integers(distinct, size=n).astype(float))
    weights = rng.integers(4, size=(n, 3)).astype(np.float32)
    groups = TiedGroups.of(ranks, weights)
    columns = TiedGroups.of(np.broadcast_to(ranks[:, None], (n, 3)), weights)
    expected = [weights[ranks == rank].sum(axis=0).tolist() for rank in range(ranks.max() + 1)]
    assert groups.weights.tolist() == columns.weights.tolist() == expected


def test_ranks_forgive_rounding_noise():
    columns = np.array([[0.1 + 0.2, 1.0], [0.3, 1.0], [0.6 / 2, 0.0]])
    assert dense_ranks(columns).tolist() == [[0, 1], [0, 1], [0, 0]]


def test_large_products_are_cut_into_pieces():
    rng = np.random.default_rng(3)
    pairs = np.triu(rng.integers(-1, 2, size=(2, 600, 600)), 1).astype(np.float32)
    weights = rng.integers(4, size=(600, 150)).astype(np.float32)
    want = [np.einsum("ib,ij,jb->b", weights, one, weights, optimize=True) for one in pairs]
    assert sum_over_pairs(pairs, weights).tolist() == np.array(want).tolist()
    assert multiply(pairs[0], weights).tolist() == (pairs[0] @ weights).tolist()
