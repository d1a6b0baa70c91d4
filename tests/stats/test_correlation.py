"""Pearson, Spearman and Kendall against R (stats::cor.test), exact arithmetic and SciPy."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.correlation import kendall, pearson, spearman
from pyramidion.stats.correlation_tests import correlation_interval
from support import GOLD

# R 4.2.2, stats::cor.test.
CASES = json.loads((GOLD / "stats" / "correlations.json").read_text(encoding="utf-8"))["cases"]
NAMES = ("human_m1", "human_m2", "ties")

values = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=30).map(
    lambda both: np.array(both, dtype=float).T / 10
)
varied = values.filter(lambda both: np.ptp(both[0]) > 0 and np.ptp(both[1]) > 0)
functions = st.sampled_from((pearson, spearman, kendall))


@pytest.mark.parametrize("name", NAMES)
def test_gold(name):
    x, y = CASES[name]["inputs"]["x"], CASES[name]["inputs"]["y"]
    r, rho, tau = pearson(x, y), spearman(x, y), kendall(x, y, method="normal")
    fisher = correlation_interval(x, y, method="fisher").interval
    want = CASES[name]["outputs"]
    assert {"r": r.value, "p": r.p} == pytest.approx(
        {key: want["pearson"][key] for key in ("r", "p")}, rel=1e-9
    )
    assert (fisher.low, fisher.high) == pytest.approx(want["pearson"]["ci95_fisher"], rel=1e-9)
    assert {"rho": rho.value, "p_t_approx": rho.p} == pytest.approx(want["spearman"], rel=1e-9)
    assert {"tau": tau.value, "p_normal": tau.p, "z": tau.statistic} == pytest.approx(
        want["kendall_b"], rel=1e-9
    )


def exact_two_sided(x, y):
    """Count permutations by their number of inversions, in whole numbers."""
    n = len(x)
    inversions = sum((x[i] - x[j]) * (y[i] - y[j]) < 0 for i in range(n) for j in range(i))
    counts = [1]
    for size in range(2, n + 1):
        longer = [0] * (len(counts) + size - 1)
        for i, count in enumerate(counts):
            for j in range(size):
                longer[i + j] += count
        counts = longer
    tail = min(inversions, len(counts) - 1 - inversions)
    return min(1.0, float(2 * Fraction(sum(counts[: tail + 1]), math.factorial(n))))


@pytest.mark.parametrize("name", ["human_m1", "human_m2"])
def test_exact_kendall(name):
    x, y = CASES[name]["inputs"]["x"], CASES[name]["inputs"]["y"]
    result = kendall(x, y)
    assert result.method == "exact"
    assert result.p == pytest.approx(exact_two_sided(x, y), rel=1e-12)
    # R subtracts the lower tail from 1 and so keeps 16 decimals only, whatever is left of them.
    assert result.p == pytest.approx(CASES[name]["outputs"]["kendall_exact_p"], abs=1e-15)


@given(varied, st.sampled_from(("two-sided", "greater", "less")))
def test_scipy_agrees(both, alternative):
    x, y = both
    for ours, theirs in (
        (pearson(x, y, alternative=alternative), scipy.stats.pearsonr),
        (spearman(x, y, alternative=alternative), scipy.stats.spearmanr),
    ):
        expected = theirs(x, y, alternative=alternative)
        assert ours.value == pytest.approx(expected.statistic, abs=1e-12)
        # Near r = 1 the p-value is a power of the rounding error of 1 - r.
        if abs(ours.value) < 1 - 1e-9:
            assert ours.p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-12)
    expected = scipy.stats.kendalltau(x, y, method="asymptotic", alternative=alternative)
    ours = kendall(x, y, method="normal", alternative=alternative)
    assert (ours.value, ours.p) == pytest.approx((expected.statistic, expected.pvalue), abs=1e-12)


@given(varied, functions, st.randoms(use_true_random=False))
def test_order_of_pairs_does_not_matter(both, function, random):
    order = list(range(both.shape[1]))
    random.shuffle(order)
    assert function(*both[:, order]).value == pytest.approx(function(*both).value, abs=1e-12)


@given(varied, functions)
def test_symmetries(both, function):
    x, y = both
    value = function(x, y).value
    assert function(y, x).value == pytest.approx(value, abs=1e-12)
    assert function(x, -y).value == pytest.approx(-value, abs=1e-12)
    assert function(3 * x + 7, y).value == pytest.approx(value, abs=1e-9)
    assert function(x, x).value == pytest.approx(1.0, abs=1e-12)


def test_rounding_noise_is_not_a_difference():
    noisy = np.array([0.1 + 0.2, 0.3, 0.3, 0.5])
    clean = np.array([0.3, 0.3, 0.3, 0.5])
    y = np.array([1.0, 2.0, 3.0, 4.0])
    assert spearman(noisy, y).value == spearman(clean, y).value
    assert kendall(noisy, y).value == kendall(clean, y).value
    assert math.isnan(pearson(noisy[:3], y[:3]).value)


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_constant_is_undefined(function):
    result = function([1, 2, 3], [4, 4, 4])
    assert math.isnan(result.value)
    assert math.isnan(result.p)
    assert result.undefined == "all values of `y` are equal"


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
def test_two_pairs_prove_nothing(function):
    result = function([1, 2], [5, 9])
    assert (result.value, result.p) == (1.0, 1.0)


def test_perfect_correlation():
    assert pearson([1, 2, 3, 4], [2, 4, 6, 8]).p == 0.0


@pytest.mark.parametrize("function", [pearson, spearman, kendall])
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([1], [1], "at least 2"),
        ([1, 2], [1, 2, 3], "give paired samples"),
        ([1, math.nan], [1, 2], "NaN"),
        ([1, math.inf], [1, 2], "infinite"),
        ([1, "a"], [1, 2], "not a number"),
    ],
)
def test_bad_input(function, x, y, message):
    with pytest.raises(InputError, match=message):
        function(x, y)


def test_bad_options():
    with pytest.raises(InputError, match="need data without ties"):
        kendall([1, 1, 2], [1, 2, 3], method="exact")
    with pytest.raises(InputError, match="`method` is 'fast'"):
        kendall([1, 2], [1, 2], method="fast")
    with pytest.raises(InputError, match="`alternative`"):
        pearson([1, 2], [1, 2], alternative="both")
    with pytest.raises(ShapeError, match="2 dimensions"):
        pearson([[1, 2]], [[1, 2]])


def test_octave_agrees_with_ties():
    # GNU Octave 7.3, kendall and spearman.
    text = (GOLD / "stats" / "regression_octave.json").read_text(encoding="utf-8")
    case = json.loads(text)["cases"]["kendall_ties"]
    x, y = case["inputs"]["x"], case["inputs"]["y"]
    found = {"tau": kendall(x, y).value, "rho": spearman(x, y).value}
    assert found == pytest.approx(case["outputs"], rel=1e-9)
