"""Non-negative least squares and canonical correlation."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import matrix, vector

__all__ = [
    "CanonicalCorrelation",
    "NonnegativeRegression",
    "canonical_correlation",
    "nonnegative_regression",
]


@dataclass(frozen=True, slots=True, eq=False)
class NonnegativeRegression:
    """A least squares fit without negative coefficients.

    Attributes
    ----------
    coefficients
        One per column of `x`, none below 0.
    intercept
        The constant term, of either sign; 0 when none was asked for.
    residual
        The sum of the squared residuals.

    Examples
    --------
    >>> nonnegative_regression([[1], [2], [4]], [2, 4, 9]).residual < 0.25
    True
    """

    coefficients: Floats
    intercept: float
    residual: float


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalCorrelation:
    """Combinations of two sets of columns that correlate best.

    Attributes
    ----------
    correlations
        One per pair of canonical variates, in falling order, each between 0 and 1. There are as
        many as the smaller set has columns.
    x_coefficients, y_coefficients
        One column per pair: the weights of the columns of `x` and of `y`. The variates have
        variance 1 (n - 1 in the denominator).

    Examples
    --------
    >>> result = canonical_correlation([[1], [2], [3], [4]], [[1], [3], [2], [4]])
    >>> result.x_coefficients.shape
    (1, 1)
    """

    correlations: Floats
    x_coefficients: Floats
    y_coefficients: Floats


def nonnegative_regression(
    x: npt.ArrayLike, y: npt.ArrayLike, *, intercept: bool = False
) -> NonnegativeRegression:
    r"""Least squares with coefficients of at least 0, :math:`\min_{b \ge 0} \|y - Xb\|^2`.

    The same as ``lsqnonneg`` of MATLAB and Octave and ``nnls`` of R, which have no constant term
    (reading 22). A column that falls as `y` rises gets 0: turn its sign beforehand if it is
    meant to count. Where columns depend on each other, this is one of several best fits.

    Parameters
    ----------
    x
        One row per observation and one column per predictor; at least as many rows as columns.
    y
        The target, one value per row.
    intercept
        Whether to add a constant term, which may be negative.

    References
    ----------
    C. L. Lawson, R. J. Hanson. Solving Least Squares Problems. Prentice-Hall, 1974, chapter 23.

    Examples
    --------
    >>> fit = nonnegative_regression([[1, 3], [2, 1], [3, 2]], [2, 4, 6])
    >>> fit.coefficients.round(12).tolist()
    [2.0, 0.0]
    >>> nonnegative_regression([[1], [2], [3]], [3, 2, 1], intercept=True).intercept
    2.0
    """
    design, target = regression_inputs(x, y)
    require_rows(design, design.shape[1])
    x_mean = design.mean(axis=0) if intercept else np.zeros(design.shape[1])
    y_mean = float(target.mean()) if intercept else 0.0
    coefficients, norm = _nonnegative(design - x_mean, target - y_mean)
    constant = y_mean - float(x_mean @ coefficients)
    return NonnegativeRegression(coefficients, constant if intercept else 0.0, norm**2)


def _nonnegative(design: Floats, target: Floats) -> tuple[Floats, float]:
    # Columns of one length, as the solver's tolerance is the same for all of them.
    lengths = np.linalg.norm(design, axis=0)
    lengths[lengths == 0] = 1
    try:
        coefficients, norm = optimize.nnls(design / lengths, target, maxiter=30 * len(lengths))
    except RuntimeError:
        raise InputError(
            "the non-negative fit does not settle", hint="take out columns that are nearly the same"
        ) from None
    return coefficients / lengths, float(norm)


def canonical_correlation(
    x: npt.ArrayLike, y: npt.ArrayLike, *, target: npt.ArrayLike | None = None
) -> CanonicalCorrelation:
    """Combine the columns of `x`, and those of `y`, so that both combinations correlate best.

    With the QR decompositions of the centred sets, the correlations are the singular values of
    ``Qx.T @ Qy``. They are all 1 as soon as both sets together have as many columns as rows.

    Parameters
    ----------
    x, y
        Two sets of columns with the same rows; more rows than either has columns, and no column
        that is constant or depends on the others.
    target
        One value per row. Signs of canonical variates are arbitrary; with a target, each pair is
        turned so that its variate of `x` correlates positively with it. Without one, the column
        of `x` that weighs most (coefficient times standard deviation) gets a positive weight.
        The target has no other influence (reading 22).

    References
    ----------
    A. Bjorck, G. H. Golub. Numerical methods for computing angles between linear subspaces.
    Mathematics of Computation 27(123), 1973.

    Examples
    --------
    >>> x = [[1, 0], [2, 1], [3, 1], [4, 0], [5, 2]]
    >>> y = [[1], [2], [4], [3], [5]]
    >>> result = canonical_correlation(x, y)
    >>> result.correlations.round(4).tolist()
    [0.9481]
    >>> turned = canonical_correlation(x, y, target=[5, 4, 3, 2, 1])
    >>> bool((turned.x_coefficients == -result.x_coefficients).all())
    True
    """
    first, second = matrix(x, "x", nan=False), matrix(y, "y", nan=False)
    if len(first) != len(second):
        raise ShapeError(
            f"`x` has {len(first)} rows and `y` {len(second)}", hint="give the same rows to both"
        )
    aim = None if target is None else _target(target, "target", len(first))
    (qx, rx), (qy, ry) = _centred_qr(first, "x"), _centred_qr(second, "y")
    left, singular, right = linalg.svd(qx.T @ qy, full_matrices=False)
    signs = np.sqrt(len(first) - 1) * _signs(qx, rx, left, aim)
    return CanonicalCorrelation(
        np.clip(singular, 0, 1),
        linalg.solve_triangular(rx, left) * signs,
        linalg.solve_triangular(ry, right.T) * signs,
    )


def _centred_qr(columns: Floats, name: str) -> tuple[Floats, Floats]:
    require_rows(columns, columns.shape[1] + 1, name)
    centred = columns - columns.mean(axis=0)
    # Against the columns before centring, so that rounding noise is no variance.
    noise = 1e-12 * np.linalg.norm(columns, axis=0)
    q, r = np.linalg.qr(centred)
    dependent = np.flatnonzero(np.abs(np.diag(r)) <= noise)
    if len(dependent):
        raise InputError(
            f"column {dependent[0]} of `{name}` is constant or depends on those before it",
            hint="take it out",
        )
    return q, r


def _signs(q: Floats, r: Floats, left: Floats, target: Floats | None) -> Floats:
    """Give 1 or -1 for each pair of variates."""
    if target is None:
        weights = linalg.solve_triangular(r, left) * np.linalg.norm(r, axis=0)[:, None]
        deciding = np.take_along_axis(weights, np.abs(weights).argmax(axis=0)[None], axis=0)[0]
    else:
        deciding = (target - target.mean()) @ q @ left
    return np.where(deciding < 0, -1.0, 1.0)


def regression_inputs(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Check predictors and a target for each of their rows.

    Examples
    --------
    >>> regression_inputs([[1], [2]], [3, 3])
    Traceback (most recent call last):
    pyramidion.errors.InputError: `y` is constant; ...
    """
    design = matrix(x, "x", nan=False)
    return design, _target(y, "y", len(design))


def _target(values: npt.ArrayLike, name: str, rows: int) -> Floats:
    target = vector(values, name)
    if len(target) != rows:
        raise ShapeError(
            f"`{name}` has {len(target)} values and `x` {rows} rows", hint="give one for each row"
        )
    if np.ptp(target) <= 1e-12 * np.abs(target).max():
        raise InputError(f"`{name}` is constant", hint="there is nothing to fit")
    return target


def require_rows(columns: Floats, least: int, name: str = "x") -> None:
    """Refuse a set of columns that is empty or has too few rows.

    Examples
    --------
    >>> require_rows(np.ones((2, 3)), 3)
    Traceback (most recent call last):
    pyramidion.errors.InputError: `x` has 2 rows and 3 columns; at least 3 rows are needed
    """
    rows, width = columns.shape
    if not width:
        raise InputError(f"`{name}` has no columns", hint="give at least one")
    if rows < least:
        raise InputError(
            f"`{name}` has {rows} rows and {width} columns",
            hint=f"at least {least} rows are needed",
        )
