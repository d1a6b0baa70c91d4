"""Correlations of two metrics after swapping their values, under many swaps at once.

A swap is +1 where a metric keeps its value and -1 where it takes the other's.
"""

import numpy as np

from pyramidion._types import Bools, Floats, Signs
from pyramidion.stats.dense_ranks import Ranks, dense_ranks
from pyramidion.stats.pairs import Weights, column_pieces, counting_type, row_blocks, signs
from pyramidion.stats.weighted import Coefficient, root_ratio, weighted_correlations

__all__ = ["swapped_correlations", "swapped_kendall"]


def swapped_correlations(
    first: Floats, second: Floats, human: Floats, swaps: Weights, coefficient: Coefficient
) -> tuple[Floats, Floats]:
    """Correlate both metrics with the human scores after each swap.

    Each point stands for two, one with either metric's value, of which one has weight 1 and the
    other 0.

    Parameters
    ----------
    first, second, human
        Values of the same n points.
    swaps
        1 or -1, of shape (n, swaps).
    coefficient
        As in :func:`~pyramidion.stats.weighted.weighted_correlations`.

    Examples
    --------
    >>> x, y = np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0])
    >>> swaps = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    >>> a, b = swapped_correlations(x, y, x, swaps, "pearson")
    >>> a.tolist(), b.tolist()
    ([1.0, -1.0], [-1.0, 1.0])
    """
    values, truth = np.concatenate([first, second]), np.concatenate([human, human])
    kept, taken = (1 + swaps) / 2, (1 - swaps) / 2
    a, b = (
        weighted_correlations(values, truth, np.concatenate(weights), coefficient)
        for weights in ((kept, taken), (taken, kept))
    )
    return a, b


def swapped_kendall(
    first: Floats, second: Floats, human: Floats, present: Bools, swaps: Weights
) -> tuple[Floats, Floats]:
    """Kendall's tau-b of both metrics with the human scores after each swap, in many units.

    It gives what :func:`swapped_correlations` gives for each unit, several times as fast: the
    sums over pairs are polynomials of the swaps, and those of the second metric are those of
    the first under the opposite swaps.

    Parameters
    ----------
    first, second, human
        Values of n points in each unit, of shape (units, n).
    present
        Which of them count.
    swaps
        1 or -1 for each point, the same in all units, of shape (n, swaps).

    Returns
    -------
    tuple of ndarray
        For either metric the coefficients, of shape (units, swaps).

    Examples
    --------
    >>> x, y = np.array([[1.0, 2.0, 3.0]]), np.array([[3.0, 2.0, 1.0]])
    >>> swaps = np.array([[1.0, -1.0], [1.0, -1.0], [1.0, -1.0]])
    >>> a, b = swapped_kendall(x, y, x, x > 0, swaps)
    >>> a.tolist(), b.tolist()
    ([[1.0, -1.0]], [[-1.0, 1.0]])
    """
    n, columns = swaps.shape
    swaps = swaps.astype(counting_type(2 * n**2), copy=False)
    found = np.empty((2, len(human), columns))
    for start, stop in row_blocks(len(human), n**2):
        some = slice(start, stop)
        found[:, some] = _kendall_of_units(
            np.concatenate([first[some], second[some]], axis=1), human[some], present[some], swaps
        )
    return found[0], found[1]


def _kendall_of_units(
    metrics: Floats, human: Floats, present: Bools, swaps: Weights
) -> tuple[Floats, Floats]:
    n = len(swaps)
    ranks, z = dense_ranks(metrics.T).T, dense_ranks(human.T).T
    x, y = ranks[:, :n], ranks[:, n:]
    # Each pair counts once, as one above the diagonal.
    pairs = np.triu(present[:, :, None] & present[:, None, :], 1).view(np.int8)
    direction = _all_signs(z, z) * pairs
    parts = [_all_signs(a, b) for a, b in ((x, x), (x, y), (y, x), (y, y))]
    agreement = _pair_sums([direction * part for part in parts], swaps)
    # Without ties the untied pairs are all pairs, whatever is swapped.
    counts = pairs.sum(axis=(1, 2), dtype=np.float64)[:, None]
    untied = np.broadcast_to(counts, agreement.shape).copy()
    tied = ranks.max(axis=1) < 2 * n - 1
    if tied.any():
        untied[:, tied] = _pair_sums([np.abs(part[tied]) * pairs[tied] for part in parts], swaps)
    untied_human = np.count_nonzero(direction, axis=(1, 2))[:, None]
    a, b = (root_ratio(agreement[i], untied[i], untied_human) for i in (0, 1))
    return a, b


def _all_signs(a: Ranks, b: Ranks) -> Signs:
    return signs(a[:, :, None], b[:, None, :])


def _pair_sums(parts: list[Signs], swaps: Weights) -> Floats:
    """Sum over the pairs of points, for the first metric and the second.

    A pair counts as a, b, c or d where its points take the values of first and first, first and
    second, second and first, or second and second. With swaps s and t of the two points that is
    ((a+b+c+d) + s(a+b-c-d) + t(a-b+c-d) + st(a-b-c+d)) / 4; and the second metric's swaps are
    the opposite of the first's.
    """
    a, b, c, d = parts
    same, mixed, kept, turned = a + d, b + c, a - d, b - c
    constant = (same + mixed).sum(axis=(1, 2), dtype=np.float64)[:, None]
    by_point = (kept + turned).sum(axis=2, dtype=swaps.dtype)
    by_point += (kept - turned).sum(axis=1, dtype=swaps.dtype)
    by_pair = (same - mixed).astype(swaps.dtype)
    sums = np.empty((2, len(a), swaps.shape[1]))
    for piece in column_pieces(by_pair.shape, swaps.shape[1]):
        some = swaps[:, piece]
        even = constant + np.einsum("uib,ib->ub", by_pair @ some, some)
        odd = by_point @ some
        sums[:, :, piece] = (even + odd) / 4, (even - odd) / 4
    return sums
