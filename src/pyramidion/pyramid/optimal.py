"""Optimal summaries: the best that so many content units can make of a pyramid."""

from dataclasses import dataclass
from math import comb

from pyramidion.errors import InputError
from pyramidion.pyramid.scores import Weighing

__all__ = ["OptimalSummaries", "optimal_summaries"]


@dataclass(frozen=True, slots=True)
class OptimalSummaries:
    """All summaries of a size that weigh as much as any of that size can.

    Parameters
    ----------
    size
        How many content units they have.
    max
        What they weigh.
    tier
        The weight of the lowest tier they draw from.
    fixed
        The units that all of them have: the tiers above it.
    free
        The units of that tier, of which each takes some.
    chosen
        How many.

    Examples
    --------
    >>> import numpy as np
    >>> found = optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), order=3), 4)
    >>> found.count, found.max, found.examples(2)
    (6, 10, [(0, 1, 2, 3), (0, 1, 3, 4)])
    """

    size: int
    max: int
    tier: int
    fixed: tuple[int, ...]
    free: tuple[int, ...]
    chosen: int

    @property
    def count(self) -> int:
        """How many there are."""
        return comb(len(self.free), self.chosen)

    def examples(self, number: int) -> list[tuple[int, ...]]:
        """Give some of them, spread evenly over all, as places of content units."""
        number = min(number, self.count)
        ranks = (self.count * index // number for index in range(number))
        return [(*self.fixed, *self._choice(rank)) for rank in ranks]

    def _choice(self, rank: int) -> tuple[int, ...]:
        """Give the choice with a certain rank in the order of the alphabet."""
        picked: list[int] = []
        for place, unit in enumerate(self.free):
            left = self.chosen - len(picked)
            if not left:
                break
            # So many choices take this unit and then any of those that follow.
            with_unit = comb(len(self.free) - place - 1, left - 1)
            if rank < with_unit:
                picked.append(unit)
            else:
                rank -= with_unit
        return tuple(picked)


def optimal_summaries(weighing: Weighing, size: int | None = None) -> OptimalSummaries:
    """Find the summaries of a size that score 1: whole tiers from the top, and some of the last.

    Parameters
    ----------
    weighing
        What the content units weigh.
    size
        How many units; a reference's mean, rounded half up, if it is not given. Beyond the
        pyramid's own there is one, with all of them.

    Examples
    --------
    >>> import numpy as np
    >>> optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), order=3), 1).free
    (0, 1)
    """
    wanted = weighing.size if size is None else size
    if wanted < 0:
        raise InputError(f"a summary cannot have {wanted} content units", hint="give 0 or more")
    weights = weighing.weights.tolist()
    tiers = sorted({weight for weight in weights if weight}, reverse=True)
    fixed: list[int] = []
    for tier in tiers:
        rows = tuple(row for row, weight in enumerate(weights) if weight == tier)
        if len(fixed) + len(rows) >= wanted or tier == tiers[-1]:
            chosen = min(wanted - len(fixed), len(rows))
            return OptimalSummaries(wanted, weighing.most(wanted), tier, tuple(fixed), rows, chosen)
        fixed += rows
    raise InputError(
        "the pyramid has no content unit that a reference expresses",
        hint="annotate its references first",
    )
