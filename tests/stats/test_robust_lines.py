"""Many robust lines at once against one after the other."""

import numpy as np
import pytest

from pyramidion.errors import ShapeError
from pyramidion.stats import robust_regression
from pyramidion.stats.regression import robust_lines


def test_same_as_one_by_one():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 15))
    y = 1 + 2 * x + rng.standard_t(2, size=x.shape)
    y[:50] = np.round(y[:50])
    x[100:, 10:] = np.nan
    intercept, slope = robust_lines(x, y)
    for row in range(len(x)):
        own = ~np.isnan(x[row])
        expected = robust_regression(x[row, own, None], y[row, own])
        found = (intercept[row], slope[row])
        wanted = (expected.intercept, expected.coefficients[0])
        assert found == pytest.approx(wanted, rel=1e-6, abs=1e-7)


@pytest.mark.parametrize(("off", "kept"), [(6.2e-6, True), (7e-6, False)])
def test_what_counts_as_far_from_an_exact_line(off, kept):
    # By hand: all but the middle point lie on y = x, so the scale is its least value, 1e-6 times
    # the standard deviation of y, sqrt(10 / 4) = 1.5811. The middle point has leverage 1 / 5 and
    # weight 0 from 4.685e-6 * 1.5811 * sqrt(1 - 1 / 5) = 6.63e-6 on.
    x = np.array([-2.0, -1, 0, 1, 2])
    y = x + np.where(x == 0, off, 0)
    intercept, slope = robust_lines(x[None], y[None])
    alone = robust_regression(x[:, None], y)
    assert slope[0] == pytest.approx(1, abs=1e-12)
    for found in (intercept[0], alone.intercept):
        assert (found > 1e-9) == kept
        assert found == pytest.approx(0, abs=1e-6 if kept else 1e-12)


def test_rows_without_a_line():
    x = [[1, 2, np.nan], [3, 3, 3], [1, 2, 3], [np.nan] * 3]
    intercept, slope = robust_lines(x, [[1, 2, 3]] * 4)
    assert np.isnan(slope).tolist() == [True, True, False, True]
    assert (intercept[2], slope[2]) == pytest.approx((0, 1))
    assert robust_lines(np.empty((0, 3)), np.empty((0, 3)))[0].shape == (0,)


def test_shapes_must_fit():
    with pytest.raises(ShapeError, match="give pairs"):
        robust_lines([[1, 2, 3]], [[1, 2]])
