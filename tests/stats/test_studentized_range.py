"""The studentized range against SciPy's, and Student's t where there are two groups."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pyramidion.stats.multiple_comparisons import tukey_critical, tukey_p


@pytest.mark.parametrize("groups", [2, 3, 10, 66])
@pytest.mark.parametrize("df", [1, 5, 28, 207, np.inf])
def test_p_is_scipys(groups, df):
    t = np.array([0.01, 0.5, 1.0, 2.0, 3.0, 4.5])
    expected = [stats.studentized_range.sf(value * np.sqrt(2), groups, df) for value in t]
    assert tukey_p(t, groups, df) == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("df", [1, 2, 30, 1000])
def test_two_groups_are_students_t(df):
    t = np.array([0.0, 0.3, 2.0, 20.0, 60.0])
    assert tukey_p(t, 2, df) == pytest.approx(2 * stats.t.sf(t, df), rel=1e-9)


def test_two_groups_with_known_variance_are_normal():
    t = np.array([0.0, 0.3, 2.0, 20.0, 35.0])
    assert tukey_p(t, 2, np.inf) == pytest.approx(2 * stats.norm.sf(t), rel=1e-10)


@pytest.mark.parametrize(("groups", "df"), [(3, 10), (10, np.inf), (24, np.inf), (66, 3000)])
@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
def test_critical_values_invert_p(groups, df, level):
    critical = tukey_critical(level, groups, df)
    assert tukey_p(critical, groups, df)[0] == pytest.approx(1 - level, rel=1e-9)
    assert critical * np.sqrt(2) == pytest.approx(
        stats.studentized_range.ppf(level, groups, df), rel=1e-7
    )


def test_critical_values_below_one():
    # Printed tables of Student's t with 10 degrees of freedom, one-sided 0.25 and 0.45.
    assert tukey_critical(0.5, 2, 10) == pytest.approx(0.700, abs=5e-4)
    assert tukey_critical(0.1, 2, 10) == pytest.approx(0.129, abs=5e-4)


def test_critical_value_far_out():
    assert tukey_critical(0.95, 5, 1) > 20


@given(st.floats(0, 100), st.floats(0, 100), st.sampled_from([2, 5, 40]), st.floats(1, 500))
def test_larger_differences_have_smaller_p(one, other, groups, df):
    low, high = sorted([one, other])
    p = tukey_p([low, high], groups, df)
    assert 1 >= p[0] >= p[1] * (1 - 1e-9) >= 0


@pytest.mark.parametrize("df", [1, 50, np.inf])
def test_there_is_no_difference_too_large(df):
    assert (tukey_p([1e200, np.inf], 4, df) < 1e-90).all()


def test_nan_stays_nan():
    assert np.isnan(tukey_p([np.nan, 1.0], 3, 20)).tolist() == [True, False]
