"""The permutation test of all pairs: against one pair at a time and max-T by definition."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from pyramidion.errors import InputError
from pyramidion.stats import pairs as _pairs
from pyramidion.stats._pair_permutation import clustered_tests, least_resamples, permute_pairs
from pyramidion.stats._paired_tests import permutation_test

matrices = arrays(
    float,
    (6, 4),
    elements=st.one_of(st.integers(0, 30).map(lambda value: value / 10), st.just(np.nan)),
)


def all_swaps(topics):
    return np.array(list(itertools.product([0, 1], repeat=topics)))


def standardized(scores, pairs, signs):
    """Pairs x signs of the statistic, by definition."""
    rows = []
    for i, j in pairs:
        z = np.nan_to_num(np.round(scores[:, i] - scores[:, j], 9))
        length = np.sqrt(np.sum(z**2))
        rows.append(np.abs(signs @ z) / (length or 1.0))
    return np.round(np.array(rows), 9)


def step_down(observed, null):
    """Westfall and Young's algorithm 4.1, step by step."""
    order = np.argsort(-observed, kind="stable")
    p = np.empty(len(observed))
    highest = 0.0
    for rank, row in enumerate(order):
        maxima = null[order[rank:]].max(axis=0)
        highest = max(highest, np.mean(maxima >= observed[row]))
        p[row] = highest
    return p


@given(scores=matrices)
def test_enumeration_by_definition(scores):
    found = permute_pairs(scores)
    assert (found.exact, found.n_resamples) == (True, 64)
    known = found.topics > 0
    assert np.isnan(found.p).tolist() == (~known).tolist()
    if not known.any():
        return
    signs = 1 - 2 * all_swaps(6)
    null = standardized(scores, found.pairs[known], signs)
    observed = null[:, 0]
    assert np.abs(found.statistic[known]) == pytest.approx(observed, abs=1e-7)
    assert found.p[known] == pytest.approx(np.mean(null >= observed[:, None], axis=1))
    single = np.mean(null.max(axis=0) >= observed[:, None], axis=1)
    assert found.p_max_t[known] == pytest.approx(single)
    assert found.p_step_down[known] == pytest.approx(step_down(observed, null))


@given(scores=matrices)
def test_each_pair_as_by_itself(scores):
    found = permute_pairs(scores)
    for row, (i, j) in enumerate(found.pairs):
        shared = ~np.isnan(scores[:, i]) & ~np.isnan(scores[:, j])
        if shared.any():
            alone = permutation_test(scores[shared, i], scores[shared, j])
            assert found.p[row] == pytest.approx(alone.p)
            assert found.difference[row] == pytest.approx(alone.statistic, abs=1e-9)


@given(scores=matrices, seed=st.integers(0, 99))
def test_given_swaps_and_the_order_of_topics(scores, seed):
    rng = np.random.default_rng(seed)
    swaps = rng.integers(0, 2, (50, 6))
    order = rng.permutation(6)
    found = permute_pairs(scores, swaps=swaps)
    moved = permute_pairs(scores[order], swaps=swaps[:, order])
    assert (found.exact, found.n_resamples) == (False, 50)
    for name in ("p", "p_max_t", "p_step_down"):
        np.testing.assert_allclose(getattr(moved, name), getattr(found, name))


@given(scores=matrices, constant=st.integers(-9, 9))
def test_relabelling_turning_and_shifting(scores, constant):
    found = permute_pairs(scores)
    order = np.array([3, 1, 0, 2])
    place = np.argsort(order)
    moved = permute_pairs(scores[:, order] + constant, pairs=place[found.pairs[:, ::-1]])
    for name in ("p", "p_max_t", "p_step_down"):
        np.testing.assert_allclose(getattr(moved, name), getattr(found, name))
    np.testing.assert_allclose(moved.statistic, -found.statistic, atol=1e-7)


def test_adjusted_p_are_ordered():
    scores = np.random.default_rng(0).normal(size=(25, 12)) + np.linspace(0, 1.5, 12)
    found = permute_pairs(scores, n_resamples=999)
    assert (found.p <= found.p_step_down).all()
    assert (found.p_step_down <= found.p_max_t).all()
    assert (found.p_step_down < found.p_max_t).any()
    order = np.argsort(-np.abs(found.statistic))
    assert (np.diff(found.p_max_t[order]) >= 0).all()
    assert (np.diff(found.p_step_down[order]) >= 0).all()


def test_max_t_holds_the_level_over_all_pairs():
    rng = np.random.default_rng(1)
    false = sum(
        permute_pairs(
            rng.normal(size=(12, 6)) + rng.normal(size=(12, 1)), n_resamples=199
        ).p_max_t.min()
        <= 0.05
        for _ in range(300)
    )
    assert false <= 28


def test_a_copy_has_p_1():
    column = np.random.default_rng(2).random(40)
    found = permute_pairs(np.array([column, column / 3 * 3, column + 1]).T, n_resamples=199)
    assert found.p.tolist() == [1, 1 / 200, 1 / 200]
    assert (found.p_max_t[0], found.p_step_down[0]) == (1, 1)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("step_down", [False, True])
def test_batches_and_blocks_change_nothing(monkeypatch, missing, step_down):
    scores = np.random.default_rng(3).integers(1, 6, size=(20, 9)).astype(float)
    if missing:
        scores[::4, ::3] = np.nan
    whole = permute_pairs(scores, n_resamples=499, step_down=step_down)
    monkeypatch.setattr(_pairs, "MAX_BATCH_RESAMPLES", 48)
    monkeypatch.setattr(_pairs, "BLOCK_VALUES", 150)
    monkeypatch.setattr(_pairs, "BATCH_SIZE", 2_500)
    parts = permute_pairs(scores, n_resamples=499, step_down=step_down)
    for name in ("difference", "statistic", "p", "p_max_t", "p_step_down"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(parts, name))


@pytest.mark.parametrize("missing", [False, True])
def test_pairs_in_any_order(missing):
    rng = np.random.default_rng(4)
    scores = rng.integers(1, 6, size=(30, 8)).astype(float)
    if missing:
        scores[rng.random(scores.shape) < 0.2] = np.nan
    found = permute_pairs(scores, n_resamples=499, step_down=False)
    order = rng.permutation(len(found.pairs))
    moved = permute_pairs(scores, pairs=found.pairs[order], n_resamples=499, step_down=False)
    for name in ("topics", "difference", "statistic", "p", "p_max_t"):
        np.testing.assert_array_equal(getattr(moved, name), getattr(found, name)[order])
    assert np.isnan(moved.p_step_down).all()


def test_step_down_does_not_change_the_rest():
    scores = np.random.default_rng(5).integers(1, 6, size=(25, 40)).astype(float)
    with_it, without = (permute_pairs(scores, n_resamples=999, step_down=s) for s in (True, False))
    for name in ("p", "p_max_t"):
        np.testing.assert_array_equal(getattr(with_it, name), getattr(without, name))


@pytest.mark.parametrize("difference", [1e-2, 1e-4, 1e-6, 1e-8])
def test_one_small_difference_among_large_scores(difference):
    # A sum of one difference has one size whatever its sign, so that p is 1.
    scores = np.random.default_rng(6).uniform(0, 100, size=(1000, 6))
    scores[:, 1] = scores[:, 0]
    scores[17, 1] += difference
    scores[600:, 2] = scores[:599, 3] = np.nan
    scores[599, 3] = scores[599, 2] + difference
    found = permute_pairs(scores[:, [0, 1, 4, 5]], n_resamples=199)
    assert found.p[0] == found.p_max_t[0] == 1
    found = permute_pairs(scores, pairs=[[2, 3], [0, 1], [4, 5]], n_resamples=199)
    assert found.topics[0] == 1
    assert found.p[:2].tolist() == [1, 1]


def test_systems_that_share_no_topic():
    scores = np.array([[1, np.nan, 2], [np.nan, 3, 4], [np.nan, 2, 1.0]])
    found = permute_pairs(scores)
    assert found.topics.tolist() == [0, 1, 2]
    assert np.isnan(found.p).tolist() == [True, False, False]
    assert np.isnan([found.difference[0], found.statistic[0], found.p_max_t[0]]).all()
    assert np.isnan(permute_pairs([[1, np.nan], [np.nan, 1]]).p_step_down).all()


def test_one_topic_only():
    assert permute_pairs([[1, 2, 5]]).p.tolist() == [1, 1, 1]


def test_least_resamples():
    # 2,145 pairs at 0.05: section "Decisions" of the statistics specification.
    assert least_resamples(2145, 0.05) == 42_899
    assert least_resamples(1) == 19
    for wrong in ({"tests": 0}, {"tests": 3, "alpha": 0}):
        with pytest.raises(InputError):
            least_resamples(**wrong)


@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[1], [2]], {}, "1 systems"),
        ([[1, -np.inf]], {}, "infinite"),
        ([[1, 2]], {"n_resamples": 0.5}, "`n_resamples` is 0.5"),
        ([[1, 2]], {"swaps": [[0, 1]]}, "rows of 1 values"),
        ([[1, 2]], {"pairs": [[0, 2]]}, "from 0 to 1"),
    ],
)
def test_bad_input(scores, options, message):
    with pytest.raises(InputError) as caught:
        permute_pairs(scores, **options)
    assert message in str(caught.value)


def test_unequal_clusters_count_as_fewer():
    # Carter, Schnepel and Steigerwald 2017; the jackknife written down cluster by cluster.
    z, clusters = np.array([1.0, 2, 0, 3, 1, 4, 2, 5]), np.array([0, 1, 1, 1, 2, 2, 2, 2])
    found = clustered_tests(np.column_stack([z, np.zeros(8)]), clusters, test="paired-t")
    means = np.array([z[clusters != out].mean() for out in range(3)])
    error = np.sqrt(2 / 3 * np.sum((means - z.mean()) ** 2))
    assert found.statistic[0] == pytest.approx(z.mean() / error)
    freedom = 1 / ((1 / 8) ** 2 + (3 / 8) ** 2 + (4 / 8) ** 2) - 1
    assert found.p[0] == pytest.approx(2 * stats.t.sf(z.mean() / error, freedom))
