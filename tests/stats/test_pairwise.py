"""All pairs at once against one pair after the other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats import paired_t, unpaired_t, wilcoxon
from pyramidion.stats._pair_permutation import pairwise_tests

ONE_PAIR = {
    "wilcoxon": wilcoxon,
    "paired-t": paired_t,
    "unpaired-t": unpaired_t,
    "welch": lambda x, y: unpaired_t(x, y, variance="welch"),
}

values = st.one_of(st.integers(1, 5), st.just(None), st.sampled_from((0.1, 0.1 + 0.2, 0.3)))
tables = st.integers(2, 4).flatmap(
    lambda systems: st.lists(
        st.lists(values, min_size=systems, max_size=systems), min_size=1, max_size=9
    )
)


def as_array(rows):
    return np.array([[np.nan if v is None else v for v in row] for row in rows], dtype=float)


def alone(test, x, y):
    """Test one pair; NaN where there are too few topics for it."""
    both = ~np.isnan(x) & ~np.isnan(y)
    if both.sum() < (1 if test == "wilcoxon" else 2):
        return np.nan, np.nan
    found = ONE_PAIR[test](x[both], y[both])
    return found.statistic, found.p


@pytest.mark.parametrize("test", ONE_PAIR)
@given(rows=tables)
def test_same_as_one_by_one(test, rows):
    scores = as_array(rows)
    found = pairwise_tests(scores, test=test)
    pairs = list(zip(*np.triu_indices(scores.shape[1], 1), strict=True))
    expected = [alone(test, scores[:, a], scores[:, b]) for a, b in pairs]
    for row, (statistic, p) in enumerate(expected):
        assert found.statistic[row] == pytest.approx(statistic, rel=1e-9, abs=1e-9, nan_ok=True)
        assert found.p[row] == pytest.approx(p, rel=1e-9, nan_ok=True)
    shared = [int((~np.isnan(scores[:, a] + scores[:, b])).sum()) for a, b in pairs]
    assert found.topics.tolist() == shared


def test_many_blocks_and_chosen_pairs():
    scores = np.random.default_rng(1).normal(size=(700, 40))
    everything = pairwise_tests(scores)
    pairs = np.array([[39, 0], [3, 5]])
    some = pairwise_tests(scores, pairs=pairs)
    whole = dict(zip(map(tuple, np.stack(np.triu_indices(40, 1)).T), everything.p, strict=True))
    assert some.p.tolist() == [whole[0, 39], whole[3, 5]]
    assert some.statistic[0] == -everything.statistic[38]


@pytest.mark.parametrize("test", ONE_PAIR)
def test_identical_systems_have_p_1(test):
    column = np.array([0.1, 0.7, 0.3])[:, None]
    found = pairwise_tests(np.hstack([column, column]), test=test)
    assert (found.statistic.tolist(), found.p.tolist()) == ([0.0], [1.0])


def test_no_spread_is_undefined_for_t_only():
    scores = np.arange(6.0)[:, None] + [0, 1]
    assert np.isnan(pairwise_tests(scores, test="paired-t").p[0])
    assert pairwise_tests(scores, test="wilcoxon").p[0] < 0.05
    assert pairwise_tests(scores, test="unpaired-t").p[0] > 0.05


def test_bad_input():
    with pytest.raises(InputError, match="`test` is 'z'"):
        pairwise_tests([[1, 2]], test="z")
    with pytest.raises(ShapeError, match="1 systems"):
        pairwise_tests([[1], [2]])
    with pytest.raises(InputError, match="give two different columns"):
        pairwise_tests([[1, 2]], pairs=[[0, 2]])
