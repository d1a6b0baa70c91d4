"""Test statistics of paired samples on a scale, from the table of their score pairs."""

import numpy as np

from pyramidion._types import Floats
from pyramidion.stats.counted import ratio
from pyramidion.stats.differences import noise_level, settle

__all__ = ["table_statistics"]


def table_statistics(counts: Floats, scale: Floats) -> tuple[Floats, Floats]:
    """Compute W, paired T and Welch's T of Y - X for many samples at once.

    Parameters
    ----------
    counts
        Samples x score pairs: how often X has the first score and Y the second; pairs in the
        order (1, 1), (1, 2), ..., (2, 1), ...
    scale
        The possible scores.

    Returns
    -------
    statistics
        3 x samples: W standardised (zeros dropped, ties corrected), paired T, Welch's T. 0
        where there is no difference, infinite where a difference has no variance.
    freedom
        Welch's degrees of freedom; 1 where there is no variance.

    Examples
    --------
    The sample (1, 2), (1, 2), (2, 2):

    >>> statistics, freedom = table_statistics(np.array([[0.0, 2, 0, 1]]), np.array([1.0, 2.0]))
    >>> statistics.round(3).tolist(), freedom.round(3).tolist()
    ([[1.414], [2.0], [2.0]], [2.0])
    """
    x, y = (grid.ravel() for grid in np.meshgrid(scale, scale, indexing="ij"))
    n = float(counts[0].sum())
    difference = counts @ (y - x) / n
    paired, first, second = (_variance(counts, values) for values in (y - x, x, y))
    noise = noise_level(scale)
    difference[np.abs(difference) <= noise] = 0.0
    statistics = np.stack(
        [
            _signed_ranks(counts, y - x, noise),
            _over(difference, np.sqrt(paired / n)),
            _over(difference, np.sqrt((first + second) / n)),
        ]
    )
    freedom = ratio((n - 1) * (first + second) ** 2, first**2 + second**2)
    return statistics, np.maximum(freedom, 1.0)


def _variance(counts: Floats, values: Floats) -> Floats:
    n, centred = counts[0].sum(), values - values.mean()
    total = counts @ centred**2
    squares = total - (counts @ centred) ** 2 / n
    variance: Floats = np.where(squares < 1e-12 * total, 0.0, squares) / (n - 1)
    return variance


def _over(difference: Floats, error: Floats) -> Floats:
    """Divide; without variance a difference is infinite, and no difference 0."""
    infinite = np.where(difference == 0, 0.0, np.copysign(np.inf, difference))
    return np.divide(difference, error, out=infinite, where=error > 0)


def _signed_ranks(counts: Floats, z: Floats, noise: float) -> Floats:
    # All score pairs of the same absolute difference are one group of ties.
    size = settle(np.abs(z), noise)
    member = (size[:, None] == np.unique(size[size > noise])).astype(np.float64)
    drawn, signed = counts @ member, (counts * np.sign(z)) @ member
    ranks = np.cumsum(drawn, axis=1) - (drawn - 1) / 2
    total, squares = np.sum(signed * ranks, axis=1), np.sum(drawn * ranks**2, axis=1)
    return ratio(total, np.sqrt(squares))
