"""Differences that are free of rounding noise, and their midranks."""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats

__all__ = ["NOISE", "clean_differences", "midranks", "noise_level", "settle", "tie_term"]

#: Two numbers closer than this, relative to the largest of the data, are taken as equal.
NOISE = 1e-12


def noise_level(*arrays: npt.ArrayLike) -> float:
    """Give the distance below which two numbers of the data are taken as equal.

    It is `NOISE` times the largest absolute value: far above the rounding errors of a
    difference or a mean, far below anything that was measured.

    Examples
    --------
    >>> noise_level([3, -5], [4])
    5e-12
    """
    return NOISE * max(float(np.max(np.abs(array), initial=0.0)) for array in arrays)


def settle(values: npt.ArrayLike, tolerance: float) -> Floats:
    """Make values that differ by rounding noise equal, along the last axis.

    Sorted neighbours at most `tolerance` apart become the smallest of their group, so that no
    two almost equal values are torn apart as rounding to decimals would do.

    Examples
    --------
    >>> settle([0.3 - 0.2, 0.1, 0.2], 1e-12).tolist()
    [0.09999999999999998, 0.09999999999999998, 0.2]
    """
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    ordered = np.take_along_axis(array, order, axis=-1)
    opens = np.diff(ordered, axis=-1, prepend=-np.inf) > tolerance
    first = np.maximum.accumulate(np.where(opens, np.arange(array.shape[-1]), 0), axis=-1)
    settled = np.empty_like(array)
    np.put_along_axis(settled, order, np.take_along_axis(ordered, first, axis=-1), axis=-1)
    return settled


def clean_differences(x: Floats, y: Floats, *, tolerance: float | None = None) -> Floats:
    """Subtract, and settle zeros and ties: what is equal up to rounding noise is equal.

    Parameters
    ----------
    x, y
        Samples of one shape, pairs along the last axis.
    tolerance
        What counts as noise; `noise_level` of both samples unless given.

    Examples
    --------
    >>> clean_differences(np.array([0.3, 0.1, 0.7]), np.array([0.2, 0.2, 0.7])).tolist()
    [0.09999999999999998, -0.09999999999999998, 0.0]
    """
    level = noise_level(x, y) if tolerance is None else tolerance
    difference = x - y
    size = settle(np.abs(difference), level)
    clean: Floats = np.where(size <= level, 0.0, np.copysign(size, difference))
    return clean


def midranks(values: npt.ArrayLike) -> Floats:
    """Rank the values from 1; tied values share the mean of their ranks.

    Examples
    --------
    >>> midranks([1, 2, 4, 4, 4, 4, 6]).tolist()
    [1.0, 2.0, 4.5, 4.5, 4.5, 4.5, 7.0]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[place]
    return ranks


def tie_term(values: npt.ArrayLike) -> float:
    """Sum t³ - t over the groups of tied values, t being the size of a group.

    Examples
    --------
    >>> tie_term([1, 2, 2, 3, 3, 3])
    30.0
    """
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float(np.sum(counts**3 - counts))
