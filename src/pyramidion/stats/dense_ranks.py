"""Dense ranks that rounding noise cannot break apart."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.stats.differences import noise_level

__all__ = ["Ranks", "dense_ranks"]

#: Ranks from 0 in the smallest integers that hold them, which are compared fastest.
Ranks = npt.NDArray[np.integer[Any]]


def dense_ranks(values: Floats, *, noise: float | None = None) -> Ranks:
    """Give numbers to the distinct values along the first axis from 0, the smallest first.

    Sorted neighbours within the noise, or within `noise_level` of all the values where none is
    given, get the same number: means of the same numbers taken in another order must not count
    as different.

    Examples
    --------
    >>> dense_ranks(np.array([0.3, 0.1 + 0.2, 7.0, -1.0])).tolist()
    [1, 1, 2, 0]
    """
    rows = np.ascontiguousarray(values.T)
    order = np.argsort(rows, axis=-1, kind="stable")
    gaps = np.diff(np.take_along_axis(rows, order, -1), axis=-1)
    kind = np.int16 if len(values) < 1 << 15 else np.int32
    level = noise_level(rows) if noise is None else noise
    steps = np.cumsum(gaps > level, axis=-1, dtype=kind)
    ranks = np.zeros(rows.shape, dtype=kind)
    np.put_along_axis(ranks, order[..., 1:], steps, -1)
    return np.ascontiguousarray(ranks.T)
