"""The noncentral t distribution against SciPy's, where SciPy has one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, nct, norm, t

from pyramidion.stats._effects import noncentral_t_cdf, noncentrality


@pytest.mark.parametrize("df", [2, 5, 47, 999])
@pytest.mark.parametrize("value", [-2.0, 0.0, 0.5, 3.0, 12.0])
@pytest.mark.parametrize("centre", [-1.0, 0.0, 2.5])
def test_cdf_is_scipys(value, df, centre):
    expected = nct.cdf(value, df, centre)
    assert noncentral_t_cdf(value, df, centre) == pytest.approx(expected, rel=1e-8, abs=1e-10)


@given(st.floats(-50, 50), st.integers(2, 300))
def test_without_noncentrality_it_is_students(value, df):
    assert noncentral_t_cdf(value, df, 0.0) == pytest.approx(t.cdf(value, df), abs=1e-7)


@given(st.floats(-1e6, 1e6), st.integers(1, 2000), st.sampled_from([0.025, 0.5, 0.975]))
def test_noncentrality_inverts_the_cdf(value, df, chance):
    found = noncentrality(value, df, chance)
    assert noncentral_t_cdf(value, df, found) == pytest.approx(chance, abs=1e-8)


def test_limits():
    # At t = 0 only the numerator counts; at a huge t only the denominator.
    assert noncentrality(0.0, 30, 0.025) == pytest.approx(norm.isf(0.025))
    expected = 1e8 * math.sqrt(chi2.isf(0.025, 30) / 30)
    assert noncentrality(1e8, 30, 0.025) == pytest.approx(expected, rel=1e-9)
