"""Signed sums of the differences of all pairs of systems, made of the sums of each system."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pyramidion._types import Bools, Floats, Ints, Signs
from pyramidion.stats import pairing
from pyramidion.stats.pairing import Indices, blocks
from pyramidion.stats.pairs import Weights, multiply

__all__ = ["MOST_RESAMPLES", "PairSums", "row_counts"]

#: Resamples that are worked on together: the sums of 65 pairs fit the processor's cache. Rows of
#: a power of two would fall on each other there.
MOST_RESAMPLES = 1_000

# Rows of one block; the first and the second system of each, as numbers or a range.
_Block = tuple[slice, int | Indices, slice | Indices]


class PairSums:
    """Signed sums of differences for many signs, a block of pairs at a time.

    On the topics that two systems share, a signed sum of their differences is the difference of
    their signed sums. There are far fewer systems than pairs, so that little is multiplied.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores.
    pairs
        Rows of two column numbers. It is quickest where each system's opponents stand next to
        each other in the same order, as those of all pairs do.

    Examples
    --------
    >>> sums = PairSums(np.array([[1.0, 2.0], [7.0, 4.0]]), np.array([[0, 1]]))
    >>> for batch in sums.batches(np.array([[1, 1], [1, -1]], np.int8)):
    ...     for rows, values in sums.blocks(batch):
    ...         print(rows, values.tolist())
    slice(0, 1, None) [[2.0, -4.0]]
    """

    def __init__(self, scores: Floats, pairs: Indices) -> None:
        systems, codes = _by_appearance(pairs)
        present = ~np.isnan(scores[:, systems])
        # Taking out what a topic has in common keeps the digits.
        filled = np.where(present, scores[:, systems], 0.0)
        common = filled.sum(axis=1) / np.maximum(present.sum(axis=1), 1)
        self._scores = np.where(present, filled - common[:, None], 0.0).T.copy()
        self._few = [
            _Few.of(self._scores, *gap) for gap in enumerate(present.T) if not gap[1].all()
        ]
        self._complete = np.flatnonzero(present.all(axis=0))
        self._step = self._resamples_at_once()
        # Memory for all batches, since taking it anew each time takes long.
        self._held = np.empty((len(systems), len(systems), self._step if self._few else 0))
        self._blocks = list(_cut(codes, self._step))

    def _resamples_at_once(self) -> int:
        if not self._few:
            return MOST_RESAMPLES
        # A sum for each system on each other's topics is held; eight are counted at a time.
        fitting = pairing.BATCH // len(self._scores) ** 2
        return min(MOST_RESAMPLES, max(8, fitting - fitting % 8))

    @property
    def rounding(self) -> float:
        """By how much a sum may be off, because it is the difference of two large ones."""
        largest = np.abs(self._scores).sum(axis=1).max(initial=0.0)
        return float(4 * np.finfo(np.float64).eps * largest)

    def batches(self, signs: Signs) -> Iterator[Floats]:
        """Cut resamples x topics into the batches that `blocks` takes."""
        for start in range(0, len(signs), self._step):
            yield signs[start : start + self._step].astype(np.float64)

    def blocks(self, signs: Floats) -> Iterator[tuple[slice, Floats]]:
        """Give the signed sums of some pairs after the other: a row a pair, a column a sign.

        The array is used again for the next pairs.
        """
        sums = multiply(self._scores, signs.T)
        shared = self._shared_sums(sums, signs) if self._few else None
        longest = max((rows.stop - rows.start for rows, *_ in self._blocks), default=0)
        buffer = np.empty((longest, len(signs)))
        for rows, a, b in self._blocks:
            first, second = (sums[a], sums[b]) if shared is None else (shared[b, a], shared[a, b])
            yield rows, np.subtract(first, second, out=buffer[: rows.stop - rows.start])

    def _shared_sums(self, sums: Weights, signs: Floats) -> Floats:
        """Sum each system's scores (second axis) on the topics that another has (first axis)."""
        shared = self._held[..., : sums.shape[1]]
        shared[self._complete] = sums
        for few in self._few:
            part = multiply(few.scores, signs[:, few.topics].T)
            if few.missing:
                np.subtract(sums, part, out=shared[few.system])
            else:
                shared[few.system] = part
        return shared


@dataclass(frozen=True, slots=True)
class _Few:
    """The topics that a system lacks or, if they are fewer, has, and all systems' scores there."""

    system: int
    missing: bool
    topics: Indices
    scores: Floats

    @classmethod
    def of(cls, scores: Floats, system: int, present: Bools) -> "_Few":
        missing = 2 * int(np.count_nonzero(present)) >= len(present)
        topics = np.flatnonzero(present != missing)
        return cls(system, missing, topics, scores[:, topics])


def _by_appearance(pairs: Indices) -> tuple[Indices, Indices]:
    """Give the columns as they come up, and the pairs as places among these."""
    columns, place = np.unique(pairs, return_index=True)
    order = np.argsort(place)
    return columns[order], np.argsort(order)[np.searchsorted(columns, pairs)]


def _cut(pairs: Indices, width: int) -> Iterator[_Block]:
    """Cut pairs into blocks: runs of one system's opponents if there are, to copy less."""
    first, second = pairs.T
    goes_on = (np.diff(first) == 0) & (np.diff(second) == 1)
    starts = [0, *(np.flatnonzero(~goes_on) + 1).tolist(), len(pairs)]
    if len(pairs) < 4 * len(starts):
        for rows in blocks(len(pairs), width):
            yield rows, first[rows], second[rows]
        return
    for start, stop in pairwise(starts):
        for part in blocks(stop - start, width):
            low = int(second[start]) + part.start
            opponents = slice(low, low + part.stop - part.start)
            yield slice(start + part.start, start + part.stop), int(first[start]), opponents


def row_counts(hits: Bools) -> Ints:
    """Count what is true in each row, of up to 2,040 columns.

    Examples
    --------
    >>> row_counts(np.array([[True, False, True], [False, False, True]])).tolist()
    [2, 1]
    """
    counts: Ints
    if hits.shape[1] % 8:
        counts = np.count_nonzero(hits, axis=1)
    else:
        # Eight bytes are added as one number, none of which runs over into the next.
        sums = np.add.reduce(hits.view(np.uint64), axis=1)
        counts = sums.view(np.uint8).reshape(-1, 8).sum(axis=1, dtype=np.int64)
    return counts
