"""Matrix products of long rows, cut so that they stay on one thread.

OpenBLAS wakes its threads for products above 4 * 65,536 multiplications. When other programs
use the processor too, their waiting takes several times the processor time of the work itself.
"""

import numpy as np

from pyramidion._types import Floats

__all__ = ["LongRows"]

_ONE_THREAD = 1 << 18


class LongRows:
    """Rows of numbers that are multiplied with many others of the same length.

    Parameters
    ----------
    rows
        Shape (rows, length).
    others
        The most rows that they are multiplied with at a time.

    Examples
    --------
    >>> rows = LongRows(np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]), others=1)
    >>> rows.dot(np.array([[1.0, 0.0, 2.0]])).tolist()
    [[7.0], [3.0]]
    >>> rows.combine(np.array([[1.0, -1.0]]), np.empty((1, 3))).tolist()
    [[0.0, 1.0, 2.0]]
    """

    def __init__(self, rows: Floats, *, others: int) -> None:
        count, length = rows.shape
        self._step = min(length, max(1, _ONE_THREAD // (count * others)))
        self._cut = length - length % self._step
        pieces = rows[:, : self._cut].reshape(count, -1, self._step)
        # Products of each kind are fastest in an order of their own.
        self._pieces = np.ascontiguousarray(pieces.transpose(1, 0, 2))
        self._upright = np.ascontiguousarray(pieces.transpose(1, 2, 0))
        self._rest = rows[:, self._cut :]

    def dot(self, others: Floats) -> Floats:
        """Multiply each row with each other row and add up: rows x others."""
        products = np.matmul(self._cut_up(others), self._upright).sum(axis=0).T
        return np.ascontiguousarray(products) + self._rest @ others[:, self._cut :].T

    def combine(self, factors: Floats, out: Floats) -> Floats:
        """Add up the rows, each times a factor, for each row of factors."""
        np.matmul(factors, self._pieces, out=self._cut_up(out))
        np.matmul(factors, self._rest, out=out[:, self._cut :])
        return out

    def _cut_up(self, others: Floats) -> Floats:
        pieces = others[:, : self._cut].reshape(len(others), len(self._pieces), self._step)
        return pieces.transpose(1, 0, 2)
