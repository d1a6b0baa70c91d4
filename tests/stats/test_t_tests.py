"""The t tests against R's t.test, and where they are undefined."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._paired_tests import paired_t, unpaired_t
from support import GOLD

# R 4.2.2, stats::t.test.
CASES = json.loads((GOLD / "stats" / "ttests.json").read_text(encoding="utf-8"))["cases"]

scores = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=25).map(
    lambda both: np.array(both, dtype=float).T / 10
)


@pytest.mark.parametrize("name", CASES)
def test_gold(name):
    x, y = CASES[name]["inputs"]["x"], CASES[name]["inputs"]["y"]
    tests = {
        "paired": paired_t(x, y),
        "pooled": unpaired_t(x, y),
        "welch": unpaired_t(x, y, variance="welch"),
    }
    for kind, expected in CASES[name]["outputs"].items():
        found = tests[kind]
        mine = (found.statistic, found.df, found.p, found.interval.low, found.interval.high)
        theirs = (expected["t"], expected["df"], expected["p"], *expected["ci"])
        assert mine == pytest.approx(theirs, rel=1e-9), kind
    assert tests.keys() == CASES[name]["outputs"].keys()


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_is_scipys(alternative):
    x, y = CASES["likert_n20"]["inputs"]["x"], CASES["likert_n20"]["inputs"]["y"]
    found = paired_t(x, y, alternative=alternative, confidence_level=0.9)
    other = stats.ttest_rel(x, y, alternative=alternative)
    assert found.p == pytest.approx(other.pvalue, rel=1e-9)
    bounds = other.confidence_interval(0.9)
    assert (found.interval.low, found.interval.high) == pytest.approx((bounds.low, bounds.high))


@given(scores)
def test_unequal_sizes_are_scipys(both):
    x, y = both[0], np.concatenate([both[1], [3.0, 9.0]])
    assume(np.ptp(x) > 0)  # SciPy warns of constant samples
    for variance in ("pooled", "welch"):
        found = unpaired_t(x, y, variance=variance)
        other = stats.ttest_ind(x, y, equal_var=variance == "pooled")
        assert found.p == pytest.approx(other.pvalue, rel=1e-6)


@given(scores)
def test_swapping_flips_the_sign_only(both):
    x, y = both
    for test in (paired_t, unpaired_t):
        one, other = test(x, y), test(y, x)
        assert one.statistic == pytest.approx(-other.statistic, nan_ok=True, rel=1e-12)
        assert one.p == pytest.approx(other.p, nan_ok=True, rel=1e-12)
        assert one.interval.low == pytest.approx(-other.interval.high, nan_ok=True)


@given(scores, st.integers(-500, 500), st.randoms(use_true_random=False))
def test_shift_and_order_change_nothing(both, shift, random):
    assume(np.ptp(both[0] - both[1]) > 0.01)
    order = list(range(both.shape[1]))
    random.shuffle(order)
    moved = both[:, order] + shift / 10
    assert paired_t(*both).p == pytest.approx(paired_t(*moved).p, rel=1e-6)


@given(scores)
def test_one_size_makes_pooled_and_welch_one_statistic(both):
    pooled, welch = unpaired_t(*both), unpaired_t(*both, variance="welch")
    assert pooled.statistic == pytest.approx(welch.statistic, nan_ok=True)


@pytest.mark.parametrize("test", [paired_t, unpaired_t])
def test_a_system_against_its_copy(test):
    found = test([0.1, 0.7, 0.3], [0.1, 0.7, 0.3])
    assert (found.statistic, found.p) == (0, 1)


def test_no_spread():
    # 0.3 - 0.2 and 0.8 - 0.7 differ in the last digit only.
    apart = paired_t([0.3, 0.8, 1.1], [0.2, 0.7, 1.0])
    assert math.isnan(apart.statistic)
    assert math.isnan(apart.p)
    assert apart.note == "no spread: every difference is the same"
    assert apart.difference == pytest.approx(0.1)
    both = unpaired_t([2, 2, 2], [2, 2, 2], variance="welch")
    assert (both.statistic, both.p) == (0, 1)
    assert "each sample" in both.note
    assert math.isnan(unpaired_t([2, 2, 2], [3, 3]).p)
    one = unpaired_t([2, 2, 2], [3, 4], variance="welch")
    assert not one.note
    assert one.df == pytest.approx(1)


def test_spread_too_small_to_square():
    assert paired_t([1e-200, 3e-200], [0, 0]).note


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: paired_t([1], [2]), InputError, "at least 2"),
        (lambda: paired_t([1, 2], [2]), InputError, "at least 2"),
        (lambda: paired_t([1, 2, 3], [2, 3]), ShapeError, "give paired samples"),
        (lambda: unpaired_t([1], [2]), InputError, "not determine a variance"),
        (lambda: unpaired_t([1], [2, 3], variance="welch"), InputError, "at least 2"),
        (lambda: unpaired_t([1, 2], [2, 3], variance="equal"), InputError, "pooled, welch"),
        (lambda: paired_t([1, 2], [2, 1], confidence_level=95), InputError, "between 0 and 1"),
        (lambda: paired_t([1, 2], [2, 1], alternative="up"), InputError, "two-sided"),
        (lambda: paired_t([1, math.nan], [2, 1]), InputError, "no value"),
    ],
)
def test_bad_input(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_one_value_of_a_sample_is_enough_when_pooled():
    assert unpaired_t([5], [1, 2, 3]).df == 2
