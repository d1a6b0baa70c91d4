"""The set of sentences within a limit that covers most: an integer program."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyramidion._types import Floats, Ints

__all__ = ["Cover", "best_cover", "greedy_cover"]

#: Beyond so many units of sentences HiGHS neither finds much nor stops in time.
_LARGEST = 100_000


@dataclass(frozen=True, slots=True)
class Cover:
    """Sentences, what they cover, and how sure it is that nothing covers more.

    Parameters
    ----------
    numbers
        The sentences, in the order of what each adds to those before.
    gains
        What each adds.
    gap
        By what share a better set might exceed it: 0 if it is the best, infinite if unknown.
    too_large
        Whether there was too much to look for the best at all.

    Examples
    --------
    >>> Cover((2, 0), (3.0, 1.0), 0.0).value
    4.0
    """

    numbers: tuple[int, ...]
    gains: tuple[float, ...]
    gap: float
    too_large: bool = False

    @property
    def value(self) -> float:
        """What the sentences cover together."""
        return sum(self.gains)


def best_cover(
    units: Any, weights: Floats, lengths: Ints, limit: int, *, seconds: float = 10.0
) -> Cover:
    r"""Find the sentences that cover most, with HiGHS.

    With :math:`y_s \in \{0, 1\}` for taking sentence s of length :math:`l_s`, and
    :math:`0 \le z_{uk} \le 1` for having unit u at least k times,
    :math:`\sum_{uk} w_{uk} z_{uk}` is made greatest so that :math:`\sum_s l_s y_s \le L` and
    :math:`\sum_k z_{uk} \le \sum_s a_{su} y_s`.

    Parameters
    ----------
    units
        How often each sentence (row) has each unit (column), sparse.
    weights
        What a unit is worth when it is there; or several rows: what it adds the first time, the
        second time and so on, never more than the time before.
    lengths, limit
        Words of each sentence, and how many may be used.
    seconds
        After this time, by the clock, the best set that was found is taken. A program too large
        to be stopped in time is not begun: its greedy cover is given.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> units = csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]))
    >>> best_cover(units, np.array([2.0, 1.0, 2.0]), np.array([2, 2, 5]), 4).value
    5.0
    """
    weights = np.atleast_2d(weights)
    fitting = np.flatnonzero((lengths <= limit) & (np.diff(units.indptr) > 0))
    if not len(fitting):
        return Cover((), (), 0.0)
    if lengths[fitting].sum() <= limit:
        return _in_order_of_gains(units, weights, fitting.tolist(), 0.0)
    rows, worth = _merged(units[fitting], weights)
    if rows.nnz > _LARGEST:
        return replace(greedy_cover(units, weights, lengths, limit), too_large=True)
    taken, gap = _solved(rows, worth, lengths[fitting], limit, seconds)
    own = _in_order_of_gains(units, weights, fitting[taken].tolist(), gap)
    greedy = greedy_cover(units, weights, lengths, limit)
    if gap == 0 or greedy.value <= own.value:
        return own
    most = own.value * (1 + gap) if own.numbers else np.inf
    return Cover(greedy.numbers, greedy.gains, max(most / greedy.value - 1, 0.0))


def greedy_cover(units: Any, weights: Floats, lengths: Ints, limit: int) -> Cover:
    """Take the sentence that adds most for its length, again and again.

    Parameters
    ----------
    units, weights, lengths, limit
        See `best_cover`.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> units = csr_array(np.array([[1, 1, 0], [0, 1, 1], [1, 1, 1]]))
    >>> greedy_cover(units, np.array([2.0, 1.0, 2.0]), np.array([2, 2, 5]), 4).numbers
    (0, 1)
    """
    gains = _Gains(units, np.atleast_2d(weights))
    open_ = lengths > 0
    taken: list[int] = []
    added: list[float] = []
    while True:
        open_ &= lengths <= limit
        now = gains.now()
        worth = np.where(open_ & (now > 0), now / np.maximum(lengths, 1), -np.inf)
        best = int(np.argmax(worth))
        if not np.isfinite(worth[best]):
            return Cover(tuple(taken), tuple(added), np.inf)
        taken.append(best)
        added.append(float(now[best]))
        gains.take(best)
        open_[best] = False
        limit -= int(lengths[best])


class _Gains:
    """What each sentence would add to those that were taken."""

    def __init__(self, units: Any, weights: Floats) -> None:
        self._units = units
        self._rows = np.repeat(np.arange(units.shape[0]), np.diff(units.indptr))
        self._worth = np.vstack([np.zeros(weights.shape[1]), np.cumsum(weights, axis=0)])
        self._counts = np.zeros(weights.shape[1], dtype=np.int64)

    def now(self) -> Floats:
        units, most = self._units, len(self._worth) - 1
        before = np.minimum(self._counts[units.indices], most)
        after = np.minimum(before + units.data.astype(np.int64), most)
        added = self._worth[after, units.indices] - self._worth[before, units.indices]
        gains = np.bincount(self._rows, weights=added, minlength=units.shape[0])
        return gains.astype(np.float64)

    def take(self, number: int) -> None:
        units = self._units
        own = slice(units.indptr[number], units.indptr[number + 1])
        self._counts[units.indices[own]] += units.data[own].astype(np.int64)


def _in_order_of_gains(units: Any, weights: Floats, chosen: Sequence[int], gap: float) -> Cover:
    """Put sentences in the order in which each adds most."""
    gains = _Gains(units, weights)
    left, taken, added = list(chosen), [], []
    while left:
        now = gains.now()
        best = max(left, key=lambda number: (now[number], -number))
        left.remove(best)
        taken.append(best)
        added.append(float(now[best]))
        gains.take(best)
    return Cover(tuple(taken), tuple(added), gap)


def _merged(units: Any, weights: Floats) -> tuple[Any, Floats]:
    """Put units together that the same sentences have as often; drop those that none has."""
    columns = units.tocsc()
    columns.sort_indices()
    groups: dict[tuple[bytes, bytes], list[int]] = {}
    for unit in np.flatnonzero((np.diff(columns.indptr) > 0) & (weights.max(axis=0) > 0)).tolist():
        own = slice(columns.indptr[unit], columns.indptr[unit + 1])
        key = (columns.indices[own].tobytes(), columns.data[own].tobytes())
        groups.setdefault(key, []).append(unit)
    firsts = [group[0] for group in groups.values()]
    worth = [weights[:, group].sum(axis=1) for group in groups.values()]
    return columns[:, firsts].tocsr(), np.array(worth).reshape(len(firsts), len(weights)).T


def _solved(
    units: Any, weights: Floats, lengths: Ints, limit: int, seconds: float
) -> tuple[Ints, float]:
    """Solve the program; give no sentence where the solver had too little time."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array, hstack, vstack

    sentences, number = units.shape
    levels, of = np.nonzero(weights > 0)
    has = csr_array((np.ones(len(of)), (of, np.arange(len(of)))), shape=(number, len(of)))
    words = csr_array(lengths[None, :].astype(np.float64))
    no_units = csr_array((1, len(of)), dtype=np.float64)
    rows: Any = vstack([hstack([words, no_units]), hstack([-units.T, has])], format="csr")
    result = milp(
        np.concatenate([np.zeros(sentences), -weights[levels, of]]),
        integrality=np.concatenate([np.ones(sentences), np.zeros(len(of))]),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(
            rows,
            -np.inf,
            np.concatenate([[float(limit)], np.zeros(number)]),
        ),
        options={"time_limit": seconds, "mip_rel_gap": 0.0},
    )
    if result.x is None:
        return np.zeros(0, dtype=np.int64), np.inf
    gap = 0.0 if result.status == 0 else float(result.mip_gap)
    return np.flatnonzero(result.x[:sentences] > 0.5), gap
