"""Where two summaries part: from which order on no pyramid confuses them (3.1.1)."""

from dataclasses import dataclass

import numpy as np

from pyramidion.errors import InputError
from pyramidion.pyramid._stability.growth import GrowingScores, Spread, spread_by_order

__all__ = ["ROUNDING", "DivergingPair", "divergence_points", "pairs_of"]

#: Differences of scores this close to a limit are at the limit, whatever their last bits say.
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class DivergingPair:
    """Two summaries that are clearly apart at the highest order.

    Parameters
    ----------
    better, worse
        Their names.
    difference
        Of their scores at the highest order.
    order
        The lowest order at which every score of the better one is above every score of the
        worse one; `None` if there is none.
    stable
        Whether that holds at all higher orders as well; false without an order.

    Examples
    --------
    >>> DivergingPair("A", "B", 0.25, order=5, stable=True).order
    5
    """

    better: str
    worse: str
    difference: float
    order: int | None
    stable: bool


def divergence_points(scores: GrowingScores, *, apart: float = 0.1) -> tuple[DivergingPair, ...]:
    """Find where each pair of summaries diverges that is apart at the highest order.

    Summaries diverge at order n where the least score of the better one by any sub-pyramid of
    order n that it is not part of is above the greatest of the worse one. Better is what scores
    higher by all references (other than itself).

    Parameters
    ----------
    scores
        The scores by all sub-pyramids.
    apart
        How far apart a pair must be at the highest order, in the thesis more than 0.1.

    Examples
    --------
    >>> from pyramidion.pyramid._stability.subpyramids import sub_pyramids
    >>> values = np.array([[0.5, 0.25], [0.75, 0.5], [0.75, 0.25]])
    >>> scores = GrowingScores(("7", "8"), np.array([-1, -1]), sub_pyramids(2), values, values[2])
    >>> divergence_points(scores)
    (DivergingPair(better='7', worse='8', difference=0.5, order=2, stable=True),)
    """
    if not apart >= 0:
        raise InputError(f"`apart` is {apart}", hint="give 0 or more")
    spread = spread_by_order(scores)
    return tuple(
        _diverging(scores, spread, a, b) if difference > 0 else _diverging(scores, spread, b, a)
        for a, b, difference in pairs_of(scores)
        if abs(difference) > apart + ROUNDING
    )


def pairs_of(scores: GrowingScores) -> list[tuple[int, int, float]]:
    """List all pairs of summaries with the difference of their scores at the highest order.

    Pairs of which a score is undefined are not among them.

    Examples
    --------
    >>> from pyramidion.pyramid._stability.subpyramids import sub_pyramids
    >>> pairs_of(GrowingScores(("7", "8"), np.array([-1, -1]), sub_pyramids(1),
    ...                        np.array([[1.0, 0.5]]), np.array([1.0, 0.5])))
    [(0, 1, 0.5)]
    """
    first, second = np.triu_indices(len(scores.names), 1)
    difference = scores.full[first] - scores.full[second]
    known = ~np.isnan(difference)
    columns = (first[known].tolist(), second[known].tolist(), difference[known].tolist())
    return list(zip(*columns, strict=True))


def _diverging(scores: GrowingScores, spread: Spread, better: int, worse: int) -> DivergingPair:
    low, high = spread.low[:, better], spread.high[:, worse]
    known = ~(np.isnan(low) | np.isnan(high))
    parted = known & (low > high)
    first = int(np.argmax(parted)) if parted.any() else None
    return DivergingPair(
        better=scores.names[better],
        worse=scores.names[worse],
        difference=float(scores.full[better] - scores.full[worse]),
        order=None if first is None else int(spread.orders[first]),
        stable=first is not None and bool(parted[first:][known[first:]].all()),
    )
