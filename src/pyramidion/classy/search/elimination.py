"""Many small systems of linear equations at once, each told how well it is determined."""

import numpy as np

from pyramidion._types import Floats

__all__ = ["eliminate"]


def eliminate(matrices: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Solve symmetric, positive definite systems by Gauss's elimination.

    One operation works on all systems, which run along the last axis. This is as fast as a loop
    over LAPACK calls, never fails, and yields the pivots.

    Parameters
    ----------
    matrices
        Shape (m, m, systems); overwritten.
    right
        Right-hand sides of shape (m, systems); overwritten.

    Returns
    -------
    solutions
        Shape (m, systems); of no use where the smallest pivot is not positive.
    pivots
        The smallest pivot of each system.

    Examples
    --------
    >>> matrices = np.array([[[2.0], [1.0]], [[1.0], [2.0]]])
    >>> solutions, pivots = eliminate(matrices, np.array([[3.0], [3.0]]))
    >>> solutions.ravel().tolist(), pivots.tolist()
    ([1.0, 1.0], [1.5])
    """
    size = len(matrices)
    pivots = np.full(matrices.shape[2], np.inf)
    for step in range(size):
        pivot = matrices[step, step]
        np.minimum(pivots, pivot, out=pivots)
        pivot[~(pivot > 0)] = 1.0
        row, below = matrices[step, step + 1 :], slice(step + 1, size)
        factors = row / pivot
        matrices[below, below] -= factors[:, None] * row
        right[below] -= factors * right[step]
    for step in range(size - 1, -1, -1):
        after = slice(step + 1, size)
        right[step] -= np.einsum("ks,ks->s", matrices[step, after], right[after])
        right[step] /= matrices[step, step]
    return right, pivots
