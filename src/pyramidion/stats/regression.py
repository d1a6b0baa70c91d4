"""Nonnegative and robust regression, and canonical correlation."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import check_choice, matrix, vector


@dataclass(frozen=True, slots=True, eq=False)
class NonnegativeRegression:
    """A least-squares fit without negative coefficients."""

    coefficients: Floats
    intercept: float
    residual: float


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalCorrelation:
    """Linear combinations of two sets of columns with maximal correlation."""

    correlations: Floats
    x_coefficients: Floats
    y_coefficients: Floats


def nonnegative_regression(
    x: npt.ArrayLike, y: npt.ArrayLike, *, intercept: bool = False
) -> NonnegativeRegression:
    r"""Least squares with coefficients of at least 0, :math:`\min_{b \ge 0} \|y - Xb\|^2`.

    Same as ``lsqnonneg`` of MATLAB and Octave and ``nnls`` of R, which have no constant term
    (reading 22). A column that decreases as `y` increases gets 0: negate it beforehand to use it.
    If columns are linearly dependent, this is one of several best fits.

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
    coefficients, norm = _nonnegative_fit(design - x_mean, target - y_mean)
    constant = y_mean - float(x_mean @ coefficients)
    return NonnegativeRegression(coefficients, constant if intercept else 0.0, norm**2)


def _nonnegative_fit(design: Floats, target: Floats) -> tuple[Floats, float]:
    # Normalize the columns, because the solver has one tolerance for all of them.
    column_norms = np.linalg.norm(design, axis=0)
    column_norms[column_norms == 0] = 1
    try:
        coefficients, norm = optimize.nnls(
            design / column_norms, target, maxiter=30 * len(column_norms)
        )
    except RuntimeError:
        raise InputError(
            "the nonnegative fit does not converge", hint="remove columns that are nearly equal"
        ) from None
    return coefficients / column_norms, float(norm)


def canonical_correlation(
    x: npt.ArrayLike, y: npt.ArrayLike, *, target: npt.ArrayLike | None = None
) -> CanonicalCorrelation:
    """Find linear combinations of the columns of `x` and of `y` with maximal correlation.

    With the QR decompositions of the centered sets, the correlations are the singular values of
    ``Qx.T @ Qy``. They are all 1 if both sets together have as many columns as rows.

    Parameters
    ----------
    x, y
        Two sets of columns with the same rows; more rows than columns in either set, and no
        constant or linearly dependent column.
    target
        One value per row. Signs of canonical variates are arbitrary; with a target, each variate
        of `x` correlates positively with it. Without one, the column of `x` with the largest
        weight (coefficient times standard deviation) gets a positive weight. The target has no
        other effect (reading 22).

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
            f"`x` has {len(first)} rows and `y` {len(second)}", hint="pass the same number of rows"
        )
    checked_target = None if target is None else _target(target, "target", len(first))
    (qx, rx), (qy, ry) = _centered_qr(first, "x"), _centered_qr(second, "y")
    left_vectors, singular_values, right_vectors = linalg.svd(qx.T @ qy, full_matrices=False)
    signs = np.sqrt(len(first) - 1) * _signs(qx, rx, left_vectors, checked_target)
    return CanonicalCorrelation(
        np.clip(singular_values, 0, 1),
        linalg.solve_triangular(rx, left_vectors) * signs,
        linalg.solve_triangular(ry, right_vectors.T) * signs,
    )


def _centered_qr(columns: Floats, name: str) -> tuple[Floats, Floats]:
    require_rows(columns, columns.shape[1] + 1, name)
    centered_columns = columns - columns.mean(axis=0)
    # Relative to the columns before centering, so that rounding noise is not mistaken for variance.
    noise = 1e-12 * np.linalg.norm(columns, axis=0)
    q, r = np.linalg.qr(centered_columns)
    dependent_columns = np.flatnonzero(np.abs(np.diag(r)) <= noise)
    if len(dependent_columns):
        message = (
            f"column {dependent_columns[0]} of `{name}` is constant or depends on those before it"
        )
        raise InputError(message, hint="remove it")
    return q, r


def _signs(q: Floats, r: Floats, left_side: Floats, target: Floats | None) -> Floats:
    """Return 1 or -1 for each pair of variates."""
    if target is None:
        weights = linalg.solve_triangular(r, left_side) * np.linalg.norm(r, axis=0)[:, None]
        deciding_values = np.take_along_axis(weights, np.abs(weights).argmax(axis=0)[None], axis=0)[
            0
        ]
    else:
        deciding_values = (target - target.mean()) @ q @ left_side
    return np.where(deciding_values < 0, -1.0, 1.0)


def regression_inputs(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Check predictors and a target with one value per row."""
    design = matrix(x, "x", nan=False)
    return design, _target(y, "y", len(design))


def _target(values: npt.ArrayLike, name: str, rows: int) -> Floats:
    target = vector(values, name)
    if len(target) != rows:
        raise ShapeError(
            f"`{name}` has {len(target)} values and `x` {rows} rows", hint="give one value per row"
        )
    if np.ptp(target) <= 1e-12 * np.abs(target).max():
        raise InputError(f"`{name}` is constant", hint="there is nothing to fit")
    return target


def require_rows(columns: Floats, min_rows: int, name: str = "x") -> None:
    """Check that a set of columns is not empty and has enough rows."""
    rows, width = columns.shape
    if not width:
        raise InputError(f"`{name}` has no columns", hint="give at least one")
    if rows < min_rows:
        hint = f"at least {min_rows} rows are needed"
        raise InputError(f"`{name}` has {rows} rows and {width} columns", hint=hint)


RobustScale = Literal["matlab", "text"]

_MAX_REFITS = 50
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
_NORMAL_MAD = 0.6745


@dataclass(frozen=True, slots=True, eq=False)
class RobustRegression:
    """A fit with reduced weights for outliers."""

    coefficients: Floats
    intercept: float
    weights: Floats
    scale: float
    iterations: int
    converged: bool


def robust_regression(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    intercept: bool = True,
    scale: RobustScale = "matlab",
    tune: float = 4.685,
) -> RobustRegression:
    r"""Fit by iteratively reweighted least squares with bisquare weights.

    1. Start from ordinary least squares, with leverages :math:`h` of at most .9999.
    2. Weigh each observation by :math:`(1 - u^2)^2`, 0 where :math:`|u| \ge 1`, with
       :math:`u = r / (t\,s\,\sqrt{1 - h})` for its residual r, the scale s and `tune` t.
    3. Repeat until no coefficient changes by more than :math:`\sqrt\epsilon` of its size.

    The scale s is at least a millionth of the standard deviation of `y`. It differs from that of
    other packages, and so do the fits (reading 11). With p for the rank of the design:

    - ``matlab``, as the program computes it: the median of the absolute values of
      :math:`r/\sqrt{1-h}` without the p - 1 smallest, over 0.6745.
    - ``text``, as its manual and the papers describe it: the median of the absolute deviations of
      r from its median without the p smallest, over 0.6745. If it is very small compared with the
      residuals, all weights become 0, which is an error.

    Parameters
    ----------
    x
        One row per observation and one column per predictor; more rows than coefficients, and no
        linearly dependent column (with an intercept, no constant one).
    y
        The target, one value per row.
    intercept
        Whether to fit a constant term.
    scale
        How to estimate the scale of the residuals.
    tune
        The tuning constant; the default is 95% as efficient as least squares for normal noise.

    References
    ----------
    P. W. Holland, R. E. Welsch. Robust regression using iteratively reweighted least-squares.
    Communications in Statistics 6(9), 1977.

    Examples
    --------
    >>> x = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> fit = robust_regression(x, [1.1, 1.9, 3.2, 40, 4.9, 6.1, 7.2, 7.9])
    >>> fit.coefficients.round(2).tolist(), fit.converged
    ([1.0], True)
    """
    check_choice(scale, "scale", RobustScale)
    if not tune > 0:
        raise InputError(f"`tune` is {tune}", hint="give a number above 0")
    columns, target = regression_inputs(x, y)
    require_rows(columns, columns.shape[1] + intercept + 1)
    design = np.column_stack([np.ones(len(target)), columns]) if intercept else columns
    fit, rank = _least_squares(design, target)
    if rank < design.shape[1]:
        message = f"`x`, with any constant term, has {design.shape[1]} columns but rank {rank}"
        raise InputError(message, hint="remove columns that are constant or depend on others")
    q, _ = np.linalg.qr(design)
    leverage_factors = np.sqrt(1 - np.minimum(0.9999, np.sum(q * q, axis=1)))
    min_scale = 1e-6 * float(np.std(target, ddof=1))
    iterations, has_converged = 0, False
    while not has_converged and iterations < _MAX_REFITS:
        residuals = target - design @ fit
        residual_scale = max(_residual_scale(residuals, leverage_factors, rank, scale), min_scale)
        weights = _bisquare(residuals / leverage_factors / (tune * residual_scale))
        root_weights, previous_fit = np.sqrt(weights), fit
        fit, rank = _least_squares(design * root_weights[:, None], target * root_weights)
        if not rank:
            message = "the weights of all observations fell to 0"
            raise InputError(message, hint="use scale 'matlab' or raise `tune`")
        magnitudes = np.maximum(np.abs(fit), np.abs(previous_fit))
        has_converged = bool(np.all(np.abs(fit - previous_fit) <= _TOLERANCE * magnitudes))
        iterations += 1
    return RobustRegression(
        coefficients=fit[1:] if intercept else fit,
        intercept=float(fit[0]) if intercept else 0.0,
        weights=weights,
        scale=_residual_scale(target - design @ fit, leverage_factors, rank, scale),
        iterations=iterations,
        converged=has_converged,
    )


def _least_squares(design: Floats, target: Floats) -> tuple[Floats, int]:
    """Fit by pivoted QR, with 0 for columns that depend on others, as the original does."""
    q, r, order = linalg.qr(design, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(r))
    rank = int(np.sum(sizes > sizes[0] * max(design.shape) * np.finfo(np.float64).eps))
    fit = np.zeros(design.shape[1])
    if rank:
        fit[order[:rank]] = linalg.solve_triangular(r[:rank, :rank], (q.T @ target)[:rank])
    return fit, rank


def _residual_scale(
    residuals: Floats, leverage_factors: Floats, rank: int, scale: RobustScale
) -> float:
    if scale == "matlab":
        deviations = np.sort(np.abs(residuals / leverage_factors))[max(1, rank) - 1 :]
    else:
        deviations = np.sort(np.abs(residuals - np.median(residuals)))[rank:]
    return float(np.median(deviations)) / _NORMAL_MAD


def _bisquare(u: Floats) -> Floats:
    return np.where(np.abs(u) < 1, (1 - np.minimum(np.abs(u), 1) ** 2) ** 2, 0.0)


_TUNING_CONSTANT = 4.685
_MIN_POINTS = 3


def robust_lines(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Fit a line to each row of points like `robust_regression`, vectorized."""
    first, second = matrix(x, "x"), matrix(y, "y")
    if first.shape != second.shape:
        raise ShapeError(
            f"`x` has the shape {first.shape} and `y` {second.shape}", hint="give pairs"
        )
    is_present = ~np.isnan(first) & ~np.isnan(second)
    first, second = np.where(is_present, first, 0.0), np.where(is_present, second, 0.0)
    lines = np.full((2, len(first)), np.nan)
    rows = np.flatnonzero(is_present.sum(axis=1) >= _MIN_POINTS)
    x_rows, is_row_value = first[rows], is_present[rows]
    max_x = np.where(is_row_value, x_rows, -np.inf).max(axis=1, initial=-np.inf)
    min_x = np.where(is_row_value, x_rows, np.inf).min(axis=1, initial=np.inf)
    rows = rows[max_x - min_x > 1e-12 * np.abs(x_rows).max(axis=1, initial=0.0)]
    if len(rows):
        lines[:, rows] = _refitted_lines(first[rows], second[rows], is_present[rows])
    return lines[0], lines[1]


def _refitted_lines(x: Floats, y: Floats, is_present: Bools) -> Floats:
    """Reweight and refit each row until it converges."""
    lines = _fit_weighted(x, y, is_present.astype(np.float64))
    counts = is_present.sum(axis=1, keepdims=True)
    deviations = np.where(is_present, x - x.sum(axis=1, keepdims=True) / counts, 0.0)
    leverage = 1 / counts + deviations**2 / (deviations**2).sum(axis=1, keepdims=True)
    leverage_factors = np.sqrt(1 - np.minimum(0.9999, leverage))
    deviations = np.where(is_present, y - y.sum(axis=1, keepdims=True) / counts, 0.0)
    min_scales = 1e-6 * np.sqrt((deviations**2).sum(axis=1) / (counts[:, 0] - 1))
    unconverged_rows = np.arange(len(x))
    for _ in range(_MAX_REFITS):
        current_lines = lines[:, unconverged_rows]
        residuals = (
            y[unconverged_rows]
            - current_lines[0][:, None]
            - current_lines[1][:, None] * x[unconverged_rows]
        ) / leverage_factors[unconverged_rows]
        scales = np.maximum(
            _residual_scales(residuals, is_present[unconverged_rows]), min_scales[unconverged_rows]
        )
        limits = (_TUNING_CONSTANT * scales)[:, None]
        u = np.divide(residuals, limits, out=np.zeros_like(residuals), where=limits > 0)
        weights = _bisquare(u) * is_present[unconverged_rows]
        refitted_lines = _fit_weighted(x[unconverged_rows], y[unconverged_rows], weights)
        magnitudes = np.maximum(np.abs(refitted_lines), np.abs(current_lines))
        has_converged = (np.abs(refitted_lines - current_lines) <= _TOLERANCE * magnitudes).all(
            axis=0
        )
        lines[:, unconverged_rows] = refitted_lines
        unconverged_rows = unconverged_rows[~has_converged]
        if not len(unconverged_rows):
            break
    return lines


def _fit_weighted(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Fit each row by weighted least squares: intercepts and slopes."""
    total_weights = weights.sum(axis=1)
    mean_x, mean_y = ((weights * v).sum(axis=1) / total_weights for v in (x, y))
    deviations = x - mean_x[:, None]
    squares = (weights * deviations * deviations).sum(axis=1)
    products = (weights * deviations * (y - mean_y[:, None])).sum(axis=1)
    # If only one x has weight, there is no slope; the original fits only the level.
    slope = np.divide(products, squares, out=np.zeros_like(squares), where=squares > 0)
    return np.stack([mean_y - slope * mean_x, slope])


def _residual_scales(residuals: Floats, is_present: Bools) -> Floats:
    """Return the scaled median of the absolute residuals without the smallest one."""
    sorted_residuals = np.sort(np.where(is_present, np.abs(residuals), np.inf), axis=1)
    n_counted = is_present.sum(axis=1) - 1
    rows = np.arange(len(sorted_residuals))
    low, high = (
        sorted_residuals[rows, 1 + position] for position in ((n_counted - 1) // 2, n_counted // 2)
    )
    return np.asarray((low + high) / 2 / _NORMAL_MAD)
