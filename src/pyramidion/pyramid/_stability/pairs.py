"""What small pyramids get wrong about pairs of summaries, and where two summaries part (3.1.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.pyramid._stability.growth import GrowingScores, Spread, spread_by_order

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


# Cells of the largest table of sub-pyramids by pairs that is held at once.
_CELLS = 4_000_000


@dataclass(frozen=True, slots=True)
class OrderErrors:
    """What sub-pyramids of one order get wrong, counted.

    A data point is a pair of summaries and a sub-pyramid that contains neither.

    Parameters
    ----------
    order
        The order.
    equal, different
        Data points of pairs that are equal, and that are different, at the highest order.
    e1
        Of the equal ones, those where the sub-pyramid says that they are different.
    e2
        Of the different ones, those where it says that they are equal.
    e3
        Of the different ones, those where it says that the worse one is better.
    """

    order: int
    equal: int
    different: int
    e1: int
    e2: int
    e3: int

    @property
    def points(self) -> int:
        """How many data points there are."""
        return self.equal + self.different

    @property
    def p1(self) -> float:
        """The probability of E1, given that a pair is equal."""
        return _share(self.e1, self.equal)

    @property
    def p2(self) -> float:
        """The probability of E2, given that a pair is different."""
        return _share(self.e2, self.different)

    @property
    def p3(self) -> float:
        """The probability of E3, given that a pair is different."""
        return _share(self.e3, self.different)

    @property
    def p(self) -> float:
        """The probability of any error."""
        return _share(self.e1 + self.e2 + self.e3, self.points)


def ranking_errors(scores: GrowingScores, *, equal_within: float = 0.06) -> tuple[OrderErrors, ...]:
    """Count what sub-pyramids get wrong about pairs of summaries, by order.

    The truth about a pair is what the highest order says, where each summary is scored by all
    references but itself: equal if the scores are within 0.06, else different. Ten references
    make 45 pairs, and 45 C(8, n) data points of order n.
    """
    if not equal_within >= 0:
        raise InputError(f"`equal_within` is {equal_within}", hint="give 0 or more")
    limit = equal_within + ROUNDING
    pairs = pairs_of(scores)
    first, second = (np.array([pair[i] for pair in pairs], dtype=np.int64) for i in (0, 1))
    truth = np.array([pair[2] for pair in pairs])
    counted = {
        order: _counted(scores.values[rows], first, second, truth, limit)
        for order, rows in scores.by_order().items()
    }
    found = (OrderErrors(order, *counts.tolist()) for order, counts in counted.items())
    # The whole pyramid, which peers are scored by in the end, has no error to make.
    highest = scores.sub_pyramids.drawn.shape[1]
    return tuple(errors for errors in found if errors.points and errors.order < highest)


def pooled_errors(studies: Iterable[Iterable[OrderErrors]]) -> tuple[OrderErrors, ...]:
    """Add up the counts of several topics, order by order.

    Parameters
    ----------
    studies
        What `ranking_errors` gave for each topic.

    Examples
    --------
    >>> one = (OrderErrors(1, 2, 3, 1, 1, 0),)
    >>> pooled_errors([one, one])
    (OrderErrors(order=1, equal=4, different=6, e1=2, e2=2, e3=0),)
    """
    sums: dict[int, NDArray[np.int64]] = {}
    for errors in (errors for study in studies for errors in study):
        counts = np.array([errors.equal, errors.different, errors.e1, errors.e2, errors.e3])
        sums[errors.order] = sums.get(errors.order, 0) + counts
    return tuple(OrderErrors(order, *sums[order].tolist()) for order in sorted(sums))


def _counted(
    values: Floats,
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    truth: Floats,
    limit: float,
) -> NDArray[np.int64]:
    """Count equal and different data points and the three errors, some pairs at a time."""
    counts = np.zeros(5, dtype=np.int64)
    step = max(1, _CELLS // max(1, len(values)))
    for start in range(0, len(truth), step):
        some = slice(start, start + step)
        difference = values[:, first[some]] - values[:, second[some]]
        counts += _errors(difference, truth[some], limit)
    return counts


def _errors(difference: Floats, truth: Floats, limit: float) -> NDArray[np.int64]:
    there = ~np.isnan(difference)
    equal = np.abs(truth) <= limit
    seen_equal = np.abs(difference) <= limit
    # NaN is neither equal nor on a side.
    seen_turned = (difference * np.sign(truth) < 0) & ~seen_equal
    masks = (
        there & equal,
        there & ~equal,
        there & equal & ~seen_equal,
        seen_equal & ~equal,
        seen_turned & ~equal,
    )
    return np.array([np.count_nonzero(mask) for mask in masks])


def _share(part: int, whole: int) -> float:
    return part / whole if whole else float("nan")
