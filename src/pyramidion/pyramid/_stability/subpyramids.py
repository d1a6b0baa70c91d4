r"""Sub-pyramids: the pyramids that some of the references would have made, and scores by them.

A sub-pyramid of order n is the pyramid of n of the references. With few references all of them
are looked at, with many a sample of each order. All are scored at once: their weights are one
matrix product, and the most that X units can weigh is :math:`\sum_{w \ge 1} \min(X, c_w)`
with :math:`c_w` units of weight w and more, which is equation 3.1 of the thesis without a sort.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.pyramid.content import Content
from pyramidion.stats._inputs import Rng, choice, generator

__all__ = [
    "MOST_OF_ONE_ORDER",
    "ScoreName",
    "SubPyramids",
    "score_sub_pyramids",
    "sub_pyramids",
    "subsets",
]

#: The thesis' scores, or D alone without a norm.
ScoreName = Literal["original", "modified", "weight"]

#: How many sub-pyramids of one order are looked at; all up to 14 references (3,432 of order 7).
MOST_OF_ONE_ORDER = 5000

Counts = NDArray[np.int64]

# Cells of the largest table that is held at once.
_CELLS = 4_000_000

# Up to this many times what is wanted, all subsets are listed and some chosen.
_LISTED = 4


@dataclass(frozen=True, slots=True, eq=False)
class SubPyramids:
    """Sub-pyramids of one pyramid, by rising order.

    Parameters
    ----------
    drawn
        One row a sub-pyramid, one column a reference: how often it is in it (0 or 1, unless
        references are drawn with repetition).
    sampled
        The orders of which there is a sample only.

    Examples
    --------
    >>> sub_pyramids(3).orders.tolist()
    [1, 1, 1, 2, 2, 2, 3]
    """

    drawn: Counts
    sampled: tuple[int, ...] = ()

    @property
    def orders(self) -> Counts:
        """How many references each is made of."""
        orders: Counts = self.drawn.sum(axis=1)
        return orders


def sub_pyramids(
    references: int, *, most: int = MOST_OF_ONE_ORDER, rng: Rng | None = None
) -> SubPyramids:
    """List the sub-pyramids of every order; of an order with more than `most`, a sample.

    Parameters
    ----------
    references
        How many references there are.
    most
        How many sub-pyramids of one order at the most.
    rng
        Where chance begins, for samples.

    Examples
    --------
    >>> len(sub_pyramids(10).drawn)
    1023
    >>> some = sub_pyramids(20, most=100, rng=0)
    >>> some.sampled == tuple(range(2, 19)), bool((np.bincount(some.orders)[2:19] == 100).all())
    (True, True)
    """
    _require_positive(references, "references")
    _require_positive(most, "most")
    chance = generator(rng)
    orders = range(1, references + 1)
    listed = [subsets(references, order, most=most, rng=chance) for order in orders]
    sampled = tuple(order for order in orders if comb(references, order) > most)
    return SubPyramids(np.concatenate(listed), sampled)


def subsets(of: int, size: int, *, most: int, rng: Rng | None = None) -> Counts:
    """List the subsets of a size, one a row of zeros and ones; a sample if there are too many.

    Parameters
    ----------
    of, size
        How many there are, and how many are taken.
    most
        How many subsets at the most, all different.
    rng
        Where chance begins.

    Examples
    --------
    >>> subsets(3, 2, most=10).tolist()
    [[1, 1, 0], [1, 0, 1], [0, 1, 1]]
    >>> len(subsets(30, 15, most=10, rng=0))
    10
    """
    count = comb(of, size)
    if count > _LISTED * most:
        return _drawn_subsets(of, size, most, generator(rng))
    chosen = np.fromiter(chain.from_iterable(combinations(range(of), size)), dtype=np.int64)
    rows = np.zeros((count, of), dtype=np.int64)
    np.put_along_axis(rows, chosen.reshape(count, size), 1, axis=1)
    if count > most:
        rows = rows[np.sort(generator(rng).choice(count, most, replace=False))]
    return rows


def _drawn_subsets(of: int, size: int, most: int, rng: np.random.Generator) -> Counts:
    found = np.zeros((0, of), dtype=np.int64)
    while len(found) < most:
        rows = np.zeros((most, of), dtype=np.int64)
        chosen = np.argsort(rng.random((most, of)), axis=1)[:, :size]
        np.put_along_axis(rows, chosen, 1, axis=1)
        found = np.unique(np.concatenate([found, rows]), axis=0)
    return found[rng.permutation(len(found))[:most]]


def score_sub_pyramids(
    drawn: ArrayLike,
    membership: ArrayLike,
    contents: Sequence[Content],
    *,
    score: ScoreName = "original",
) -> Floats:
    """Score summaries by every sub-pyramid: one row a sub-pyramid, one column a summary.

    Parameters
    ----------
    drawn
        One row a sub-pyramid: how often each reference is in it.
    membership
        Which content units (rows) which references (columns) express.
    contents
        What each summary says.
    score
        ``original``, ``modified`` or ``weight``, which is D alone.

    Returns
    -------
    array
        0 for a summary without content, NaN where a sub-pyramid has none.

    Examples
    --------
    >>> said = [Content(np.array([1, 0, 1])), Content(np.array([1, 1, 0]), outside=2)]
    >>> score_sub_pyramids([[1, 0], [1, 1]], [[1, 1], [1, 0], [0, 0]], said).tolist()
    [[0.5, 1.0], [0.6666666666666666, 1.0]]
    """
    choice(score, "score", ScoreName)
    references = np.asarray(membership, dtype=np.float64).T
    counted = np.asarray(drawn, dtype=np.float64)
    said = np.array([content.expressed for content in contents], dtype=np.float64)
    said = said.reshape(len(contents), references.shape[1])
    units = np.array([content.units for content in contents], dtype=np.float64)
    scores = np.empty((len(counted), len(contents)))
    for rows in _blocks(len(counted), references.shape[1] + len(contents)):
        weights = counted[rows] @ references
        scores[rows] = weights @ said.T
        if score != "weight":
            average = weights.sum(axis=1, keepdims=True) / counted[rows].sum(axis=1, keepdims=True)
            # Rounded half up, as the modified score of the whole pyramid is.
            sizes = units[None] if score == "original" else np.floor(average + 0.5)
            _divide(scores[rows], _heaviest(weights, sizes))
            if score == "original":
                scores[rows][:, units == 0] = np.where(weights.any(axis=1), 0.0, np.nan)[:, None]
    return scores


def _blocks(rows: int, width: int) -> Iterator[slice]:
    step = max(1, _CELLS // max(1, width))
    return (slice(start, start + step) for start in range(0, rows, step))


def _heaviest(weights: Floats, sizes: Floats) -> Floats:
    """Give what the heaviest units weigh, for each row of weights and number of units."""
    best = np.zeros((len(weights), sizes.shape[1]))
    for level in range(1, int(weights.max(initial=0)) + 1):
        at_least = np.count_nonzero(weights >= level, axis=1)
        best += np.minimum(at_least[:, None], sizes)
    return best


def _divide(scores: Floats, best: Floats) -> None:
    best = np.broadcast_to(best, scores.shape)
    np.divide(scores, best, out=scores, where=best > 0)
    scores[best == 0] = np.nan


def _require_positive(number: int, name: str) -> None:
    if number < 1:
        raise InputError(f"`{name}` is {number}", hint="give 1 or more")
