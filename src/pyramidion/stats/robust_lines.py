"""Robust straight lines through many sets of points at once."""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import ShapeError
from pyramidion.stats.inputs import matrix

__all__ = ["robust_lines"]

_MOST_REFITS = 50
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
_NORMAL_MAD = 0.6745
_TUNE = 4.685
_FEWEST = 3


def robust_lines(x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Floats, Floats]:
    """Fit a line to each row of points as `robust_regression` does, without the loop.

    Parameters
    ----------
    x, y
        A set of points in each row, NaN where a row has fewer points than others.

    Returns
    -------
    tuple
        Intercepts and slopes; NaN where a row has fewer than three points, or all x are equal.

    Examples
    --------
    >>> x = [[1, 2, 3, 4, 5, 6, 7, 8]]
    >>> intercept, slope = robust_lines(x, [[1.1, 1.9, 3.2, 40, 4.9, 6.1, 7.2, 7.9]])
    >>> slope.round(2).tolist()
    [1.0]
    """
    first, second = matrix(x, "x"), matrix(y, "y")
    if first.shape != second.shape:
        raise ShapeError(
            f"`x` has the shape {first.shape} and `y` {second.shape}", hint="give pairs"
        )
    there = ~np.isnan(first) & ~np.isnan(second)
    first, second = np.where(there, first, 0.0), np.where(there, second, 0.0)
    lines = np.full((2, len(first)), np.nan)
    rows = np.flatnonzero(there.sum(axis=1) >= _FEWEST)
    spread = _spread_of(first[rows], there[rows])
    rows = rows[spread > 1e-12 * np.abs(first[rows]).max(axis=1, initial=0.0)]
    if len(rows):
        lines[:, rows] = _refitted(first[rows], second[rows], there[rows])
    return lines[0], lines[1]


def _spread_of(x: Floats, there: Bools) -> Floats:
    highest = np.where(there, x, -np.inf).max(axis=1, initial=-np.inf)
    lowest = np.where(there, x, np.inf).min(axis=1, initial=np.inf)
    spread: Floats = highest - lowest
    return spread


def _refitted(x: Floats, y: Floats, there: Bools) -> Floats:
    """Repeat the fits until each row's line has settled."""
    lines = _weighted(x, y, there.astype(np.float64))
    shrink = _leverage_factor(x, there)
    floor = 1e-6 * _deviation(y, there)
    going = np.arange(len(x))
    for _ in range(_MOST_REFITS):
        own = lines[:, going]
        residuals = (y[going] - own[0][:, None] - own[1][:, None] * x[going]) / shrink[going]
        scale = np.maximum(_scale(residuals, there[going]), floor[going])
        limit = (_TUNE * scale)[:, None]
        u = np.divide(residuals, limit, out=np.zeros_like(residuals), where=limit > 0)
        weights = np.where(np.abs(u) < 1, (1 - u * u) ** 2, 0.0) * there[going]
        fresh = _weighted(x[going], y[going], weights)
        largest = np.maximum(np.abs(fresh), np.abs(own))
        settled = (np.abs(fresh - own) <= _TOLERANCE * largest).all(axis=0)
        lines[:, going] = fresh
        going = going[~settled]
        if not len(going):
            break
    return lines


def _weighted(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Fit each row by weighted least squares: intercepts and slopes."""
    total = weights.sum(axis=1)
    mean_x, mean_y = ((weights * v).sum(axis=1) / total for v in (x, y))
    away = x - mean_x[:, None]
    squares = (weights * away * away).sum(axis=1)
    products = (weights * away * (y - mean_y[:, None])).sum(axis=1)
    # With weight on one place only there is no slope; the original takes the level alone.
    slope = np.divide(products, squares, out=np.zeros_like(squares), where=squares > 0)
    return np.stack([mean_y - slope * mean_x, slope])


def _leverage_factor(x: Floats, there: Bools) -> Floats:
    count = there.sum(axis=1, keepdims=True)
    away = np.where(there, x - x.sum(axis=1, keepdims=True) / count, 0.0)
    leverage = 1 / count + away**2 / (away**2).sum(axis=1, keepdims=True)
    factor: Floats = np.sqrt(1 - np.minimum(0.9999, leverage))
    return factor


def _deviation(y: Floats, there: Bools) -> Floats:
    count = there.sum(axis=1)
    away = np.where(there, y - (y.sum(axis=1) / count)[:, None], 0.0)
    deviation: Floats = np.sqrt((away**2).sum(axis=1) / (count - 1))
    return deviation


def _scale(residuals: Floats, there: Bools) -> Floats:
    """Give the median of the absolute residuals but the smallest one, as a normal deviation."""
    ordered = np.sort(np.where(there, np.abs(residuals), np.inf), axis=1)
    count = there.sum(axis=1) - 1
    rows = np.arange(len(ordered))
    low, high = (ordered[rows, 1 + place] for place in ((count - 1) // 2, count // 2))
    scale: Floats = (low + high) / 2 / _NORMAL_MAD
    return scale
