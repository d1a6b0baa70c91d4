"""Robust regression, as MATLAB's ``robustfit`` does it."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import linalg

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.inputs import choice
from pyramidion.stats.regression import regression_inputs, require_rows

__all__ = ["RobustRegression", "RobustScale", "robust_regression"]

RobustScale = Literal["matlab", "text"]

_MOST_REFITS = 50
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
_NORMAL_MAD = 0.6745


@dataclass(frozen=True, slots=True, eq=False)
class RobustRegression:
    """A fit in which outlying observations count less.

    Attributes
    ----------
    coefficients
        One per column of `x`.
    intercept
        The constant term; 0 when none was asked for.
    weights
        One per observation, from 1 down to 0 for those that were ignored in the last fit.
    scale
        The spread of the residuals of the last fit, as a normal standard deviation.
    iterations
        How often the fit was repeated after ordinary least squares.
    converged
        Whether the coefficients had settled after at most 50 of them. Fits of data without
        any noise may not, as rounding errors keep changing coefficients that are 0.

    Examples
    --------
    >>> x = [[1], [2], [3], [4], [5], [6], [7], [8]]
    >>> fit = robust_regression(x, [1.1, 1.9, 3.2, 40, 4.9, 6.1, 7.2, 7.9])
    >>> float(fit.weights[3])
    0.0
    """

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
    r"""Least squares, repeated with bisquare weights of the residuals.

    1. Start from ordinary least squares, with leverages :math:`h` of at most .9999.
    2. Weigh each observation by :math:`(1 - u^2)^2`, 0 where :math:`|u| \ge 1`, with
       :math:`u = r / (t\,s\,\sqrt{1 - h})` for its residual r, the scale s and `tune` t.
    3. Fit again, until no coefficient changes by more than :math:`\sqrt\epsilon` of its size.

    The scale s is at least a millionth of the standard deviation of `y`. It differs from those of
    other packages, so that their fits do too (reading 11). With p for the rank of the design:

    - ``matlab``, as the program computes: the median of the absolute values of
      :math:`r/\sqrt{1-h}` without the p - 1 smallest, over 0.6745.
    - ``text``, as its manual and the papers describe: the median of the absolute deviations of r
      from its median without the p smallest, over 0.6745. It may be so small beside residuals
      far from 0 that all weights become 0, which is an error.

    Parameters
    ----------
    x
        One row per observation and one column per predictor; more rows than coefficients, and no
        column that depends on the others (with an intercept, none that is constant).
    y
        The target, one value per row.
    intercept
        Whether to fit a constant term.
    scale
        How to measure the spread of the residuals.
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
    choice(scale, "scale", RobustScale)
    if not tune > 0:
        raise InputError(f"`tune` is {tune}", hint="give a number above 0")
    columns, target = regression_inputs(x, y)
    require_rows(columns, columns.shape[1] + intercept + 1)
    design = np.column_stack([np.ones(len(target)), columns]) if intercept else columns
    return _refitted(design, target, intercept=intercept, scale=scale, tune=tune)


def _refitted(
    design: Floats, target: Floats, *, intercept: bool, scale: RobustScale, tune: float
) -> RobustRegression:
    fit, rank = _first_fit(design, target)
    shrink = _leverage_factor(design)
    least_scale = 1e-6 * float(np.std(target, ddof=1))
    iterations, settled = 0, False
    while not settled and iterations < _MOST_REFITS:
        residuals = target - design @ fit
        spread = max(_spread(residuals, shrink, rank, scale), least_scale)
        weights = _bisquare(residuals / shrink / (tune * spread))
        previous, (fit, rank) = fit, _weighted_fit(design, target, weights)
        settled = _same(fit, previous)
        iterations += 1
    return RobustRegression(
        coefficients=fit[1:] if intercept else fit,
        intercept=float(fit[0]) if intercept else 0.0,
        weights=weights,
        scale=_spread(target - design @ fit, shrink, rank, scale),
        iterations=iterations,
        converged=settled,
    )


def _first_fit(design: Floats, target: Floats) -> tuple[Floats, int]:
    fit, rank = _least_squares(design, target)
    if rank < design.shape[1]:
        raise InputError(
            f"`x`, with any constant term, has {design.shape[1]} columns but rank {rank}",
            hint="take out columns that are constant or depend on others",
        )
    return fit, rank


def _weighted_fit(design: Floats, target: Floats, weights: Floats) -> tuple[Floats, int]:
    root = np.sqrt(weights)
    fit, rank = _least_squares(design * root[:, None], target * root)
    if not rank:
        raise InputError(
            "the weights of all observations fell to 0",
            hint="use scale 'matlab' or raise `tune`",
        )
    return fit, rank


def _least_squares(design: Floats, target: Floats) -> tuple[Floats, int]:
    """Fit with 0 for columns that depend on others once weights are 0, as the original does."""
    q, r, order = linalg.qr(design, mode="economic", pivoting=True)
    sizes = np.abs(np.diag(r))
    rank = int(np.sum(sizes > sizes[0] * max(design.shape) * np.finfo(np.float64).eps))
    fit = np.zeros(design.shape[1])
    if rank:
        fit[order[:rank]] = linalg.solve_triangular(r[:rank, :rank], (q.T @ target)[:rank])
    return fit, rank


def _leverage_factor(design: Floats) -> Floats:
    q, _ = np.linalg.qr(design)
    factor: Floats = np.sqrt(1 - np.minimum(0.9999, np.sum(q * q, axis=1)))
    return factor


def _spread(residuals: Floats, shrink: Floats, rank: int, scale: RobustScale) -> float:
    if scale == "matlab":
        kept = np.sort(np.abs(residuals / shrink))[max(1, rank) - 1 :]
    else:
        kept = np.sort(np.abs(residuals - np.median(residuals)))[rank:]
    return float(np.median(kept)) / _NORMAL_MAD


def _bisquare(u: Floats) -> Floats:
    return np.where(np.abs(u) < 1, (1 - np.minimum(np.abs(u), 1) ** 2) ** 2, 0.0)


def _same(fit: Floats, previous: Floats) -> bool:
    largest = np.maximum(np.abs(fit), np.abs(previous))
    return bool(np.all(np.abs(fit - previous) <= _TOLERANCE * largest))
