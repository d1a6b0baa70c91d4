"""Differences of dependent correlations against R (cocor, psych::r.test)."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.correlation_tests import (
    OVERLAPPING_STATISTICS,
    SEPARATE_STATISTICS,
    correlation_difference,
)
from support import GOLD

# R 4.2.2, cocor.dep.groups.overlap and .nonoverlap (test = 'all'), psych 2.2.9 r.test.
CASES = json.loads((GOLD / "stats" / "correlations.json").read_text(encoding="utf-8"))["cases"]
NAMES = {
    "williams1959": "williams",
    "steiger1980": "steiger",
    "meng1992": "meng",
    "hotelling1940": "hotelling",
    "pearson1898": "pearson-filon",
    "dunn1969": "dunn-clark",
    "hittner2003": "hittner",
    "raghunathan1996": "raghunathan",
    "silver2004": "silver",
}

samples = st.integers(0, 2**32 - 1).map(
    lambda seed: np.random.default_rng(seed).normal(size=(3, 12))
)


def as_gold(result):
    interval = result.z_interval and [result.z_interval.low, result.z_interval.high]
    return {
        "statistic": result.statistic,
        "df": None if math.isinf(result.df) else result.df,
        "p": result.p,
        "ci": interval,
    }


def assert_as_gold(want, compare):
    for name, expected in want.items():
        if name in NAMES:
            found = as_gold(compare(NAMES[name]))
            assert found.keys() == expected.keys()
            for key, number in expected.items():
                want_number = number if number is None else pytest.approx(number, rel=1e-9)
                assert found[key] == want_number, (name, key)
    interval = compare("zou").interval
    assert (interval.low, interval.high) == pytest.approx(want["zou2007_ci95"], rel=1e-9)


def test_overlapping_gold():
    case = CASES["dependent_overlap"]
    data, want = case["inputs"], case["outputs"]
    assert_as_gold(
        want,
        lambda test: correlation_difference(data["m1"], data["m2"], data["human"], test=test),
    )
    result = correlation_difference(data["m1"], data["m2"], data["human"])
    assert result.n == data["n"]
    assert (result.first, result.second) == pytest.approx(
        (data["r_human_m1"], data["r_human_m2"]), rel=1e-12
    )
    assert (result.statistic, result.p) == pytest.approx(
        (want["psych_williams_t"], want["psych_p"]), rel=1e-9
    )
    assert NAMES.keys() >= want.keys() - {"zou2007_ci95", "psych_williams_t", "psych_p"}


def test_separate_gold():
    case = CASES["dependent_nonoverlap"]
    data, want = case["inputs"], case["outputs"]

    def compare(test):
        return correlation_difference(
            data["j"], data["h"], data["k"], other_human=data["m"], test=test
        )

    assert_as_gold(want, compare)
    result = compare("steiger")
    assert (result.first, result.second) == pytest.approx((data["r_jk"], data["r_hm"]), rel=1e-12)
    assert NAMES.keys() >= want.keys() - {"zou2007_ci95"}


@given(samples, st.sampled_from((*OVERLAPPING_STATISTICS, "zou")))
def test_swapping_flips_the_sign_only(data, test):
    one = correlation_difference(data[0], data[1], data[2], test=test)
    two = correlation_difference(data[1], data[0], data[2], test=test)
    assert two.difference == pytest.approx(-one.difference, abs=1e-12)
    assert two.p == pytest.approx(one.p, abs=1e-9)
    assert two.statistic == pytest.approx(-one.statistic, abs=1e-9, nan_ok=True)
    assert (two.interval.low, two.interval.high) == pytest.approx(
        (-one.interval.high, -one.interval.low), abs=1e-9
    )


@given(samples)
def test_zou_p_is_where_the_interval_touches_zero(data):
    p = correlation_difference(*data, test="zou").p
    touching = correlation_difference(*data, confidence_level=min(max(1 - p, 1e-9), 1 - 1e-12))
    nearest = min(abs(touching.interval.low), abs(touching.interval.high))
    assert nearest == pytest.approx(0, abs=1e-6)


@given(samples, st.sampled_from((*OVERLAPPING_STATISTICS, "zou")))
def test_one_sided_p_values(data, test):
    two, greater, less = (
        correlation_difference(*data, test=test, alternative=side).p
        for side in ("two-sided", "greater", "less")
    )
    assert greater + less == pytest.approx(1, abs=1e-9)
    assert two == pytest.approx(2 * min(greater, less), abs=1e-9)


@pytest.mark.parametrize("test", [*OVERLAPPING_STATISTICS, "zou"])
def test_a_metric_against_its_copy(test):
    human, metric = [1, 2, 3, 4, 5], [1, 3, 2, 5, 4]
    result = correlation_difference(metric, metric, human, test=test)
    assert (result.difference, result.p) == (0.0, 1.0)


@pytest.mark.parametrize("test", [*SEPARATE_STATISTICS, "zou"])
def test_the_same_correlation_twice(test):
    human, metric = [1, 2, 3, 4, 5], [1, 3, 2, 5, 4]
    assert correlation_difference(metric, metric, human, other_human=human, test=test).p == 1.0


def test_other_coefficients():
    human, first, second = [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 6, 5], [2, 1, 4, 3, 6, 5]
    result = correlation_difference(first, second, human, coefficient="kendall")
    assert (result.first, result.second) == pytest.approx((13 / 15, 9 / 15))


def test_undefined():
    perfect = correlation_difference([1, 2, 3, 4], [1, 3, 2, 4], [2, 4, 6, 8])
    assert math.isnan(perfect.p)
    assert perfect.undefined == "a correlation is 1 or -1"
    constant = correlation_difference([1, 1, 1, 1], [1, 3, 2, 4], [2, 4, 7, 8])
    assert constant.undefined == "all values of a sample are equal"


def test_bad_input():
    four = [1, 2, 3, 5]
    with pytest.raises(InputError, match="at least 4"):
        correlation_difference([1, 2, 3], [1, 2, 3], [1, 2, 3])
    with pytest.raises(ShapeError, match="`second` has 5"):
        correlation_difference(four, [1, 2, 3, 4, 5], four)
    with pytest.raises(InputError, match="`test` is 'silver'; use one of zou, williams"):
        correlation_difference(four, four, four, test="silver")
    with pytest.raises(InputError, match="`test` is 'williams'; use one of zou, steiger"):
        correlation_difference(four, four, four, other_human=four, test="williams")
    with pytest.raises(InputError, match="`coefficient`"):
        correlation_difference(four, four, four, coefficient="tau_ap")
    with pytest.raises(InputError, match="`confidence_level` is 95"):
        correlation_difference(four, four, four, confidence_level=95)
