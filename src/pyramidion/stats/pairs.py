"""Counting pairs of points under many weightings at once: the inner loops of rank correlation.

Points run down the first axis, weightings (resamples) along the second. Ranks of shape (n,) are
the same in all weightings and are counted by matrix products with sign matrices, which is quick
for up to a few hundred points; ranks of shape (n, weightings) differ between them.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints, Signs
from pyramidion.stats.dense_ranks import Ranks

__all__ = [
    "Weights",
    "above_both",
    "add_up",
    "agreement",
    "column_pieces",
    "counting_type",
    "multiply",
    "row_blocks",
    "signs",
]

#: Counts of points, as float32 or float64; they are whole numbers, and sums of them exact.
Weights = npt.NDArray[np.floating[Any]]

# Cells of a matrix that are worked on together: a few megabytes.
_BLOCK = 1 << 20
# From this width on, adding row to row is faster than numpy.cumsum along the first axis.
_NARROW = 48
# OpenBLAS wakes its threads for products above 4 * 65,536 multiplications. On small matrices
# their waiting takes many times the processor time of the work itself.
_ONE_THREAD = 1 << 18


def signs(a: Ranks, b: Ranks) -> Signs:
    """Give the sign of a - b.

    Examples
    --------
    >>> signs(np.array([1, 2, 3]), np.array([2, 2, 2])).tolist()
    [-1, 0, 1]
    """
    difference: Signs = np.greater(a, b).view(np.int8) - np.less(a, b).view(np.int8)
    return difference


def counting_type(largest: float) -> type[np.float32] | type[np.float64]:
    """Choose the fastest type in which whole numbers up to the largest are exact.

    Examples
    --------
    >>> counting_type(50**2).__name__, counting_type(5_000**2).__name__
    ('float32', 'float64')
    """
    return np.float32 if largest < 1 << 24 else np.float64


def row_blocks(n: int, width: int) -> Iterator[tuple[int, int]]:
    """Cut n rows of this width into blocks of a few megabytes.

    Examples
    --------
    >>> list(row_blocks(3_000, 2**10))
    [(0, 1024), (1024, 2048), (2048, 3000)]
    """
    step = max(1, _BLOCK // max(1, width))
    for start in range(0, n, step):
        yield start, min(n, start + step)


def column_pieces(shape: tuple[int, ...], columns: int) -> Iterator[slice]:
    """Cut the columns that a small matrix is multiplied with into pieces that stay on one thread.

    Examples
    --------
    >>> [piece.stop for piece in column_pieces((50, 50), 300)]
    [104, 208, 300]
    """
    step = max(1, _ONE_THREAD // max(1, shape[-2] * shape[-1]))
    for start in range(0, columns, step):
        yield slice(start, min(columns, start + step))


def add_up(rows: Weights, starts: Ints | None = None) -> Weights:
    """Add to each row the sum of those above it, in place, beginning anew at some rows.

    Examples
    --------
    >>> add_up(np.array([[1.0], [2.0], [3.0]]), np.array([0, 2])).ravel().tolist()
    [1.0, 3.0, 3.0]
    """
    first = np.zeros(1, dtype=np.int64) if starts is None else starts
    if rows.shape[1] < _NARROW:
        np.cumsum(rows, axis=0, out=rows)
        if len(first) > 1:
            before = np.concatenate([np.zeros_like(rows[:1]), rows[first[1:] - 1]])
            rows -= np.repeat(before, np.diff(first, append=len(rows)), axis=0)
        return rows
    fresh = set(first.tolist())
    for i in range(1, len(rows)):
        if i not in fresh:
            np.add(rows[i], rows[i - 1], out=rows[i])
    return rows


def agreement(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    """Count concordant minus discordant pairs, each weighted by the product of its two weights.

    Examples
    --------
    >>> x, z = np.array([0, 1, 2]), np.array([0, 2, 1])
    >>> agreement(x, z, np.array([[1.0, 2.0], [1.0, 1.0], [1.0, 0.0]])).tolist()
    [1.0, 2.0]
    """
    if x.ndim == z.ndim == 1:
        both = signs(x[:, None], x) * signs(z[:, None], z)
        sums = multiply(both.astype(weights.dtype), weights)
        twice: Weights = np.einsum("ib,ib->b", weights, sums)
        return twice.astype(np.float64) / 2
    x, z = x.reshape(len(x), -1), z.reshape(len(z), -1)
    total = np.zeros(max(a.shape[1] for a in (x, z, weights)))
    for i in range(len(x) - 1):
        both = signs(x[i], x[i + 1 :]) * signs(z[i], z[i + 1 :])
        total += weights[i] * _weighted_sum(both, weights[i + 1 :])
    return total


def above_both(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    """Sum for each point the weights of those that lie above it in both rankings.

    Examples
    --------
    >>> x, z = np.array([0, 1, 2]), np.array([0, 2, 1])
    >>> above_both(x, z, np.array([[1.0], [1.0], [1.0]])).ravel().tolist()
    [2.0, 0.0, 0.0]
    """
    if x.ndim == z.ndim == 1:
        above = ((x[:, None] < x) & (z[:, None] < z)).astype(weights.dtype)
        return multiply(above, weights).astype(np.float64)
    x, z = x.reshape(len(x), -1), z.reshape(len(z), -1)
    return np.stack([_weighted_sum((x[i] < x) & (z[i] < z), weights) for i in range(len(x))])


def multiply(matrix: Weights, weights: Weights) -> Weights:
    """Multiply a small matrix with many columns of weights, on one thread.

    Examples
    --------
    >>> multiply(np.array([[1.0, -1.0]]), np.array([[3.0, 5.0], [1.0, 1.0]])).tolist()
    [[2.0, 4.0]]
    """
    product = np.empty((len(matrix), weights.shape[1]), dtype=weights.dtype)
    # OpenBLAS may raise the flag for lanes beyond the last column, which hold nothing.
    with np.errstate(invalid="ignore"):
        for piece in column_pieces(matrix.shape, weights.shape[1]):
            product[:, piece] = matrix @ weights[:, piece]
    return product


def _weighted_sum(indicators: npt.NDArray[Any], weights: Weights) -> Floats:
    counted = indicators.astype(weights.dtype)
    if weights.shape[1] == 1:
        return weights[:, 0] @ counted
    counted, weights = np.broadcast_arrays(counted, weights)
    sums: Floats = np.einsum("ib,ib->b", counted, weights)
    return sums
