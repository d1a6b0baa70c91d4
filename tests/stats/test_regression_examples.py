"""Small examples of `pyramidion.stats.regression`."""

import re

import numpy as np
import pytest

from pyramidion.errors import InputError
from pyramidion.stats.regression import (
    canonical_correlation,
    nonnegative_regression,
    regression_inputs,
    require_rows,
    robust_lines,
    robust_regression,
)


def test_nonnegative_regression():
    assert nonnegative_regression([[1], [2], [4]], [2, 4, 9]).residual < 0.25


def test_canonical_correlation():
    result = canonical_correlation([[1], [2], [3], [4]], [[1], [3], [2], [4]])
    assert result.x_coefficients.shape == (1, 1)


def test_regression_inputs():
    with pytest.raises(InputError, match=re.escape("`y` is constant;")):
        regression_inputs([[1], [2]], [3, 3])


def test_require_rows():
    with pytest.raises(
        InputError, match=re.escape("`x` has 2 rows and 3 columns; at least 3 rows are needed")
    ):
        require_rows(np.ones((2, 3)), 3)


def test_robust_regression():
    x = [[1], [2], [3], [4], [5], [6], [7], [8]]
    fit = robust_regression(x, [1.1, 1.9, 3.2, 40, 4.9, 6.1, 7.2, 7.9])
    assert float(fit.weights[3]) == 0.0


def test_robust_lines():
    x = [[1, 2, 3, 4, 5, 6, 7, 8]]
    _, slope = robust_lines(x, [[1.1, 1.9, 3.2, 40, 4.9, 6.1, 7.2, 7.9]])
    assert slope.round(2).tolist() == [1.0]
