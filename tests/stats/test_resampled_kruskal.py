"""The resampled Kruskal-Wallis test: enumeration, blocks, missing values, bad input."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._kruskal import kruskal_wallis, resampled_kruskal_wallis

NAN = np.nan
GROUPS = [[1, 2, 2], [2, 4], [3, 5, 5]]


def h(values):
    parts = np.split(np.asarray(values, dtype=float), [3, 5])
    return stats.kruskal(*parts).statistic


def test_given_orders_by_definition():
    pooled = np.concatenate(GROUPS)
    orders = np.array(list(itertools.permutations(range(8))))[::97]
    found = resampled_kruskal_wallis(GROUPS, orders=orders)
    extreme = sum(h(pooled[order]) >= h(pooled) - 1e-9 for order in orders)
    assert found.p == pytest.approx((extreme + 1) / (len(orders) + 1))
    assert found.statistic == pytest.approx(h(pooled))
    assert found.n_resamples == len(orders)


def test_sampled_near_enumerated():
    orders = np.array(list(itertools.permutations(range(8))))
    exact = resampled_kruskal_wallis(GROUPS, orders=orders).p
    assert resampled_kruskal_wallis(GROUPS, n_resamples=20_000).p == pytest.approx(exact, abs=0.015)


def test_near_chi_square_when_groups_are_large():
    rng = np.random.default_rng(0)
    groups = rng.normal([[0], [0.1], [0.2], [0.3]], size=(4, 60))
    expected = kruskal_wallis(groups).p
    assert resampled_kruskal_wallis(groups).p == pytest.approx(expected, abs=0.02)


def test_blocked_by_enumeration():
    # Two groups and four blocks: sixteen ways to exchange within the blocks.
    table = np.array([[1.0, 5, 3, 8], [2, 7, 3, 9]])
    values = []
    for exchanged in itertools.product([False, True], repeat=4):
        rows = np.where(exchanged, table[::-1], table)
        values.append(kruskal_wallis(rows).statistic)
    exact = np.mean(np.array(values) >= values[0] - 1e-9)
    found = resampled_kruskal_wallis(table, blocked=True, n_resamples=20_000)
    assert found.blocked
    assert found.p == pytest.approx(exact, abs=0.015)


def test_blocks_see_what_block_effects_hide():
    rng = np.random.default_rng(1)
    scores = np.arange(30) + rng.normal(scale=0.3, size=(4, 30)) + [[0], [0.2], [0.4], [0.6]]
    assert resampled_kruskal_wallis(scores, n_resamples=499).p > 0.5
    assert resampled_kruskal_wallis(scores, blocked=True, n_resamples=499).p < 0.01


def test_missing_values_stay_where_they_are():
    # Of each block only two groups have a value, so there are 2^3 exchanges.
    table = np.array([[1.0, 4, NAN], [2, NAN, 9], [NAN, 6, 7]])
    values = []
    for first, second, third in itertools.product([False, True], repeat=3):
        rows = table.copy()
        if first:
            rows[[0, 1], 0] = rows[[1, 0], 0]
        if second:
            rows[[0, 2], 1] = rows[[2, 0], 1]
        if third:
            rows[[1, 2], 2] = rows[[2, 1], 2]
        values.append(kruskal_wallis(rows).statistic)
    exact = np.mean(np.array(values) >= values[0] - 1e-9)
    found = resampled_kruskal_wallis(table, blocked=True, n_resamples=20_000)
    assert found.p == pytest.approx(exact, abs=0.015)


@given(
    groups=st.lists(st.lists(st.integers(1, 5), min_size=1, max_size=6), min_size=2, max_size=4),
    seed=st.integers(0, 99),
    constant=st.integers(-5, 5),
)
def test_shifting_and_missing_values_change_nothing(groups, seed, constant):
    found = resampled_kruskal_wallis(groups, n_resamples=99, rng=seed)
    moved = [[value + constant for value in group] + [NAN] for group in groups]
    again = resampled_kruskal_wallis(moved, n_resamples=99, rng=seed)
    assert again.p == found.p
    assert again.statistic == pytest.approx(found.statistic)
    assert 1 / 100 <= found.p <= 1


@pytest.mark.parametrize("blocked", [False, True])
def test_all_values_tied(blocked):
    found = resampled_kruskal_wallis(np.full((3, 4), 2.5), blocked=blocked, n_resamples=99)
    assert (found.statistic, found.p) == (0, 1)


@pytest.mark.parametrize(
    ("groups", "options", "error", "message"),
    [
        ([[1, 2]], {}, InputError, "too few"),
        ([[1], [2, 3]], {"blocked": True}, ShapeError, "equally long"),
        (GROUPS, {"orders": [[0, 1]]}, ShapeError, "give rows of 8"),
        (GROUPS, {"orders": [[0] * 8]}, InputError, "not a permutation"),
        (GROUPS, {"orders": [list(range(8))], "blocked": True}, InputError, "blocked=True"),
        (GROUPS, {"n_resamples": -1}, InputError, "`n_resamples` is -1"),
    ],
)
def test_bad_input(groups, options, error, message):
    with pytest.raises(error) as caught:
        resampled_kruskal_wallis(groups, **options)
    assert message in str(caught.value)
