"""How a summary's score moves as its pyramid grows, reference by reference (3.1.1)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyramidion._types import Floats
from pyramidion.pyramid._stability.contenders import Contenders
from pyramidion.pyramid._stability.subpyramids import (
    MOST_OF_ONE_ORDER,
    ScoreName,
    SubPyramids,
    score_sub_pyramids,
    sub_pyramids,
)
from pyramidion.stats._inputs import Rng

__all__ = ["GrowingScores", "Spread", "full_scores", "score_growth", "spread_by_order"]


@dataclass(frozen=True, slots=True, eq=False)
class GrowingScores:
    """Scores of summaries by the sub-pyramids of their pyramid.

    Parameters
    ----------
    names
        The summaries.
    own
        The column of each summary among the references; -1 if it is not one of them.
    sub_pyramids
        The sub-pyramids, by rising order.
    values
        One row a sub-pyramid, one column a summary; NaN where the summary is itself in the
        sub-pyramid, or its score is undefined.
    full
        The score at the highest order, by all references but the summary itself.
    score
        Which score it is.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> from pyramidion.pyramid._stability.contenders import gather_contenders
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> scores = score_growth(gather_contenders(pyramid))
    >>> scores.values.tolist(), scores.full.tolist()
    ([[nan, 1.0], [1.0, nan], [nan, nan]], [1.0, 1.0])
    """

    names: tuple[str, ...]
    own: NDArray[np.int64]
    sub_pyramids: SubPyramids
    values: Floats
    full: Floats
    score: ScoreName = "original"

    @property
    def undefined(self) -> int:
        """How many scores are undefined although the summary is not in the sub-pyramid."""
        defined = np.count_nonzero(~np.isnan(self.values))
        return self.values.size - int(defined) - int(np.count_nonzero(self._contained()))

    def _contained(self) -> NDArray[np.bool_]:
        return _contained(self.sub_pyramids, self.own)

    def by_order(self) -> dict[int, slice]:
        """Give the rows of each order, the lowest first."""
        ends = np.cumsum(np.bincount(self.sub_pyramids.orders)).tolist()
        return {order: slice(ends[order - 1], ends[order]) for order in range(1, len(ends))}


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The least, mean and greatest score of each summary, by order of the pyramid.

    Parameters
    ----------
    orders
        The orders, from 1.
    count
        How many sub-pyramids gave a score: one row an order, one column a summary.
    low, mean, high
        Of their scores, in the same shape; NaN where there is none.

    Examples
    --------
    >>> one = np.ones((1, 1))
    >>> Spread(np.array([1]), one.astype(int), one, one, one).widths().tolist()
    [0.0]
    """

    orders: NDArray[np.int64]
    count: NDArray[np.int64]
    low: Floats
    mean: Floats
    high: Floats

    def widths(self) -> Floats:
        """Give greatest less least score, the mean over summaries, by order."""
        width, there = self.high - self.low, self.count > 0
        sums = np.where(there, width, 0.0).sum(axis=1)
        count = there.sum(axis=1)
        widths: Floats = np.full(len(sums), np.nan)
        np.divide(sums, count, out=widths, where=count > 0)
        return widths


def score_growth(
    contenders: Contenders,
    *,
    score: ScoreName = "original",
    most: int = MOST_OF_ONE_ORDER,
    rng: Rng | None = None,
) -> GrowingScores:
    """Score summaries by every sub-pyramid that does not contain them.

    Parameters
    ----------
    contenders
        The summaries and their references.
    score
        Which score; the thesis takes the original one.
    most, rng
        See `sub_pyramids`.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> from pyramidion.pyramid._stability.contenders import gather_contenders
    >>> names = "ABCDEFGHIJ"
    >>> pyramid = Pyramid.from_references(
    ...     {name: "Ice melts." for name in names},
    ...     [("Ice melts", {name: ["Ice melts"] for name in names})])
    >>> score_growth(gather_contenders(pyramid)).values.shape
    (1023, 10)
    """
    grown = sub_pyramids(contenders.references, most=most, rng=rng)
    values = score_sub_pyramids(
        grown.drawn, contenders.membership, contenders.contents, score=score
    )
    values[_contained(grown, contenders.own)] = np.nan
    full = full_scores(contenders, score=score)
    return GrowingScores(contenders.names, contenders.own, grown, values, full, score)


def full_scores(contenders: Contenders, *, score: ScoreName = "original") -> Floats:
    """Score each summary by all references but itself: its highest order.

    Parameters
    ----------
    contenders
        The summaries and their references.
    score
        Which score.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> from pyramidion.pyramid._stability.contenders import gather_contenders
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("It is old", {"B": ["It is old"]})])
    >>> full_scores(gather_contenders(pyramid)).tolist()
    [0.0, 0.0]
    """
    columns = np.arange(contenders.references)
    others = (contenders.own[:, None] != columns).astype(np.int64)
    # The rows are few kinds: one a reference, and one for all peers.
    kinds, kind = np.unique(others, axis=0, return_inverse=True)
    scores = score_sub_pyramids(kinds, contenders.membership, contenders.contents, score=score)
    full: Floats = scores[kind.ravel(), np.arange(len(kind.ravel()))]
    return full


def spread_by_order(scores: GrowingScores) -> Spread:
    """Give the least, mean and greatest score of each summary by order (Figure 3.2).

    Parameters
    ----------
    scores
        The scores by all sub-pyramids.

    Examples
    --------
    >>> from pyramidion.pyramid._stability.subpyramids import sub_pyramids
    >>> nan = float("nan")
    >>> values = np.array([[nan, 0.5], [0.25, nan], [0.75, 0.5], [nan] * 2,
    ...                    [nan, 0.5], [0.5, nan], [nan, nan]])
    >>> scores = GrowingScores(("A", "B"), np.array([0, 1]), sub_pyramids(3), values,
    ...                        np.array([0.5, 0.5]))
    >>> spread = spread_by_order(scores)
    >>> spread.low[0].tolist(), spread.mean[0].tolist(), spread.high[0].tolist()
    ([0.25, 0.5], [0.5, 0.5], [0.75, 0.5])
    """
    parts = [scores.values[rows] for rows in scores.by_order().values()]
    count = np.array([np.count_nonzero(~np.isnan(part), axis=0) for part in parts])
    sums = np.array([np.nansum(part, axis=0) for part in parts])
    return Spread(
        orders=np.arange(1, len(parts) + 1),
        count=count,
        low=np.array([np.fmin.reduce(part, axis=0) for part in parts]),
        mean=np.divide(sums, count, out=np.full(sums.shape, np.nan), where=count > 0),
        high=np.array([np.fmax.reduce(part, axis=0) for part in parts]),
    )


def _contained(grown: SubPyramids, own: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell which summaries are themselves in which sub-pyramids."""
    contained = grown.drawn[:, np.maximum(own, 0)] > 0
    return contained & (own >= 0)
