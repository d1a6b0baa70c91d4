"""Points grouped by equal rank, and how much each group weighs in each weighting."""

from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.stats.dense_ranks import Ranks
from pyramidion.stats.pairs import Weights, add_up, multiply

__all__ = ["TiedGroups"]

# Up to this many groups times points a matrix product sums faster than sorting.
_FEW = 1 << 13


@dataclass(frozen=True, slots=True)
class TiedGroups:
    """Groups of tied points, the lowest first, under many weightings.

    Attributes
    ----------
    ranks
        The group of each point: shape (n,), or (n, weightings) where it differs between them.
    own
        The weight of each group: shape (groups, weightings).

    Examples
    --------
    >>> groups = TiedGroups.of(np.array([0, 1, 1]), np.array([[1.0], [1.0], [2.0]]))
    >>> groups.own.ravel().tolist(), groups.untied().tolist()
    ([1.0, 3.0], [3.0])
    """

    ranks: Ranks
    own: Floats

    @classmethod
    def of(cls, ranks: Ranks, weights: Weights) -> "TiedGroups":
        """Weigh the groups of these ranks."""
        sums = _sums_of_points if ranks.ndim == 1 else _sums_of_columns
        return cls(ranks, sums(ranks, weights).astype(np.float64, copy=False))

    @property
    def total(self) -> Floats:
        """The weight of all points."""
        total: Floats = self.own.sum(axis=0)
        return total

    def up_to(self) -> Floats:
        """Give the weight of each group and all below it."""
        return add_up(self.own.copy()).astype(np.float64, copy=False)

    def places(self) -> Floats:
        """Give twice the centred mean rank of each group: the weight below minus that above."""
        up_to = self.up_to()
        places: Floats = 2 * up_to - self.own - up_to[-1]
        return places

    def spread(self, by_group: Floats) -> Floats:
        """Give each point the number of its group."""
        if self.ranks.ndim == 1:
            return by_group[self.ranks]
        ranks = np.broadcast_to(self.ranks, (len(self.ranks), by_group.shape[1]))
        return np.take_along_axis(by_group, ranks, axis=0)

    def tied(self) -> Floats:
        """Sum the squared weights of the groups: pairs of tied points, in either order."""
        pairs: Floats = np.einsum("gb,gb->b", self.own, self.own)
        return pairs

    def untied(self) -> Floats:
        """Count the pairs of points that are not tied."""
        pairs: Floats = (self.total**2 - self.tied()) / 2
        return pairs


def _sums_of_points(ranks: Ranks, weights: Weights) -> Weights:
    sizes = np.bincount(ranks)
    if len(sizes) * len(ranks) <= _FEW:
        members = (np.arange(len(sizes))[:, None] == ranks).astype(weights.dtype)
        return multiply(members, weights)
    ordered = weights[np.argsort(ranks, kind="stable")]
    if len(sizes) == len(ranks):
        return ordered
    up_to = add_up(ordered)[np.cumsum(sizes) - 1]
    return np.concatenate([up_to[:1], up_to[1:] - up_to[:-1]])


def _sums_of_columns(ranks: Ranks, weights: Weights) -> Weights:
    groups = int(ranks.max(initial=0)) + 1
    columns = max(ranks.shape[1], weights.shape[1])
    cells = ranks.astype(np.int64) * columns + np.arange(columns)
    counts = np.broadcast_to(weights.astype(np.float64), cells.shape)
    own = np.bincount(cells.ravel(), counts.ravel(), groups * columns)
    return own.reshape(groups, columns).astype(np.float64, copy=False)
