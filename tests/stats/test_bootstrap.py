"""Percentile and BCa intervals."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.bootstrap import (
    bca_interval,
    checked_indices,
    percentile_interval,
)

samples = st.lists(st.floats(-5, 5), min_size=2, max_size=40)


@given(samples, st.floats(0.01, 0.99))
def test_percentiles_are_numpys(values, level):
    tails = [(1 - level) / 2, 1 - (1 - level) / 2]
    for quantiles in ("linear", "hazen"):
        interval = percentile_interval(values, confidence_level=level, quantiles=quantiles)
        expected = np.quantile(values, tails, method=quantiles)
        assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-12)


def test_undefined_samples_are_left_out():
    interval = percentile_interval([math.nan, 1.0, 2.0, math.nan], confidence_level=0.5)
    assert (interval.low, interval.high) == (1.25, 1.75)
    assert math.isnan(percentile_interval([math.nan]).low)


def test_scipy_agrees_on_bca():
    data = np.random.default_rng(3).exponential(size=15)
    indices = np.random.default_rng(4).integers(15, size=(500, 15))
    left_out = [[np.delete(data, row).mean() for row in range(15)]]
    found = bca_interval(data[indices].mean(axis=1), data.mean(), left_out)

    class Given(np.random.Generator):
        """Draws the given indices."""

        def integers(self, *_, **__):
            return indices

    expected = scipy.stats.bootstrap(
        (data,), np.mean, n_resamples=500, method="BCa", rng=Given(np.random.PCG64(0))
    )
    low, high = expected.confidence_interval
    # SciPy's jackknife and quantiles are ours; its bias counts ties half as well.
    assert (found.interval.low, found.interval.high) == pytest.approx((low, high), rel=1e-9)


def test_bca_without_bias_and_skewness_is_percentile():
    values = np.arange(-50.0, 51.0)
    bca = bca_interval(values, 0.0, [[-1.0, 0.0, 1.0]])
    assert (bca.bias, bca.acceleration) == (0.0, 0.0)
    assert bca.interval == percentile_interval(values)


def test_bca_is_undefined_where_all_samples_lie_on_one_side():
    assert math.isnan(bca_interval([1.0, 2.0], 5.0, [[1.0, 2.0]]).interval.low)
    assert math.isnan(bca_interval([], 5.0, [[1.0, 2.0]]).interval.low)


def test_bad_input():
    with pytest.raises(InputError, match="`n_resamples` is 0"):
        checked_indices(None, 3, 0, 0)
    with pytest.raises(InputError, match="`quantiles`"):
        percentile_interval([1, 2], quantiles="median")
    with pytest.raises(InputError, match="`confidence_level`"):
        percentile_interval([1, 2], confidence_level=1.0)
    with pytest.raises(ShapeError, match="rows of 3"):
        checked_indices([0, 1, 2], 3, 1, 0)
    with pytest.raises(InputError, match="not a whole number"):
        checked_indices([[0.5, 1, 2]], 3, 1, 0)
    with pytest.raises(InputError, match="item -1 of 3"):
        checked_indices([[0, -1, 2]], 3, 1, 0)
