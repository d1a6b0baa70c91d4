"""Which points lie above which others in two rankings, for many points and many weightings."""

import numpy as np

from pyramidion._types import Bools, Ints
from pyramidion.stats.dense_ranks import Ranks
from pyramidion.stats.pairs import Weights, add_up

__all__ = ["dominance"]


def dominance(x: Ranks, z: Ranks, weights: Weights) -> Weights:
    """Sum for each point the weights of those that lie above it in both rankings.

    The points are split in two halves by rank, these again, and so on. Of the pairs that are
    parted at one of these steps, which point is higher in one ranking is known; sorted by the
    other ranking, running sums of the weights answer for all points of the lower half. The work
    grows with n log n and the number of weightings, not with the square of n.

    Parameters
    ----------
    x, z
        Dense ranks of the n points.
    weights
        How often each point counts, of shape (n, weightings); whole numbers.

    Examples
    --------
    >>> x, z = np.array([0, 1, 2]), np.array([0, 2, 1])
    >>> dominance(x, z, np.array([[1.0], [1.0], [1.0]])).ravel().tolist()
    [2.0, 0.0, 0.0]
    """
    # Fewer distinct ranks are parted in fewer steps.
    halved, other = (x, z) if x.max() < z.max() else (z, x)
    halved, falling = halved.astype(np.int64), int(other.max()) - other.astype(np.int64)
    sums = np.zeros_like(weights)
    for step in range(int(halved.max()).bit_length()):
        # One key sorts by group, and within a group from the highest to the lowest.
        keys = (halved >> (step + 1)) * (len(other) + 1) + falling
        _add_upper_halves(sums, weights, keys, (halved >> step) & 1 == 1, len(other) + 1)
    return sums


def _add_upper_halves(
    sums: Weights,
    weights: Weights,
    keys: Ints,
    upper: Bools,
    width: int,
) -> None:
    """Add to each lower point the upper points of its group that come before it."""
    high, low = np.flatnonzero(upper), np.flatnonzero(~upper)
    high = high[np.argsort(keys[high], kind="stable")]
    groups = keys[high] // width
    running = add_up(weights[high], np.flatnonzero(np.diff(groups, prepend=-1)))
    before = np.searchsorted(keys[high], keys[low]) - 1
    met = (before >= 0) & (groups[np.maximum(before, 0)] == keys[low] // width)
    sums[low[met]] += running[before[met]]
