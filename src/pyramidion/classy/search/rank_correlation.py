"""Rank correlations of many predictions with one target."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.stats.dense_ranks import dense_ranks
from pyramidion.stats.differences import NOISE, midranks

__all__ = ["Ordered"]


@dataclass(frozen=True, slots=True, eq=False)
class Ordered:
    """Rows of predictions, sorted.

    Attributes
    ----------
    order
        Where the values of each sorted row come from.
    groups
        Numbers of the distinct values in each sorted row, from 0; values that differ by
        rounding noise only are tied.

    Examples
    --------
    >>> rows = Ordered.of(np.array([[1.0, 3.0, 2.0, 4.0], [1.0, 1.0, 1.0, 1.0]]))
    >>> rows.spearman(np.array([1.0, 2.0, 3.0, 4.0])).round(3).tolist()
    [0.8, nan]
    >>> rows.kendall(np.array([1.0, 2.0, 3.0, 3.0])).round(3).tolist()
    [0.548, nan]
    """

    order: npt.NDArray[np.intp]
    groups: Ints

    @classmethod
    def of(cls, rows: Floats) -> "Ordered":
        """Sort rows."""
        order = np.argsort(rows, axis=1)
        gaps = np.diff(np.take_along_axis(rows, order, axis=1), axis=1)
        groups = np.zeros(rows.shape, dtype=np.int64)
        noise = NOISE * np.abs(rows).max(axis=1, keepdims=True)
        np.cumsum(gaps > noise, axis=1, out=groups[:, 1:])
        return cls(order, groups)

    @property
    def _tied(self) -> Bools:
        tied: Bools = self.groups[:, -1] < self.groups.shape[1] - 1
        return tied

    def spearman(self, target: Floats) -> Floats:
        """Correlate the mean ranks of each row with those of the target; NaN if it is constant."""
        length = self.groups.shape[1]
        ranks = np.tile(np.arange(length) - (length - 1) / 2, (len(self.groups), 1))
        if self._tied.any():
            ranks[self._tied] = _mean_places(self.groups[self._tied]) - (length - 1) / 2
        wanted = midranks(dense_ranks(target))
        wanted -= wanted.mean()
        together = np.einsum("bn,bn->b", ranks, wanted[self.order])
        return _ratio(together, np.einsum("bn,bn->b", ranks, ranks) * (wanted @ wanted))

    def kendall(self, target: Floats) -> Floats:
        """Give tau-b of each row with the target; NaN if the row is constant."""
        wanted = dense_ranks(target).astype(np.int64)
        ranks, tied = wanted[self.order], self._tied
        tied_rows, tied_both = np.zeros((2, len(ranks)))
        if tied.any():
            # Of tied predictions those of lower targets go first, so that none is discordant.
            distinct = int(wanted.max()) + 1
            keys = np.sort(self.groups[tied] * distinct + ranks[tied], axis=1)
            ranks[tied] = keys % distinct
            tied_rows[tied], tied_both[tied] = _tied_pairs(self.groups[tied]), _tied_pairs(keys)
        lowest_first = np.sort(wanted)[None]
        discordant = _inversions(ranks) - _inversions(lowest_first)
        pairs, tied_target = len(wanted) * (len(wanted) - 1) / 2, _tied_pairs(lowest_first)
        difference = pairs - tied_rows - tied_target + tied_both - 2 * discordant
        return _ratio(difference, (pairs - tied_rows) * (pairs - tied_target))


def _mean_places(groups: Ints) -> Floats:
    """Give each place in a sorted row the mean place of its group."""
    places = np.arange(groups.shape[1], dtype=np.float64)
    opens = np.diff(groups, axis=1, prepend=-1) > 0
    closes = np.diff(groups, axis=1, append=groups[:, -1:] + 1) > 0
    first = np.maximum.accumulate(np.where(opens, places, 0.0), axis=1)
    last = np.where(closes, places, places[-1])[:, ::-1]
    mean: Floats = (first + np.minimum.accumulate(last, axis=1)[:, ::-1]) / 2
    return mean


def _tied_pairs(ordered: Ints) -> Floats:
    """Count the pairs of equal values in each sorted row."""
    opens = np.diff(ordered, axis=1, prepend=-1) > 0
    places = np.arange(ordered.shape[1])
    first = np.maximum.accumulate(np.where(opens, places, 0), axis=1)
    # Each value is tied with all before it in its group.
    pairs: Floats = (places - first).sum(axis=1, dtype=np.float64)
    return pairs


def _inversions(ranks: Ints) -> Floats:
    """Count in each row the pairs of which the first is larger, but for what all orders share.

    For each bit from the highest, values that agree in all higher bits stand together, and of
    those the ones before a zero are counted. Ones of groups before it are counted too; their
    number is the same in any order of the same values.
    """
    # Sixteen bits are sorted much faster than more.
    values: npt.NDArray[Any] = ranks.astype(np.uint16) if ranks.max() < 1 << 16 else ranks
    counted = np.zeros(len(values))
    for bit in range(int(values.max()).bit_length() - 1, -1, -1):
        together = np.argsort(values >> (bit + 1), axis=1, kind="stable")
        values = np.take_along_axis(values, together, axis=1)
        ones = (values >> bit) & 1
        before = np.cumsum(ones, axis=1, dtype=np.int32)
        counted += np.where(ones, 0, before).sum(axis=1)
    return counted


def _ratio(numerator: Floats, squared: Floats) -> Floats:
    root = np.sqrt(np.where(squared > 0, squared, np.nan))
    ratio: Floats = np.clip(numerator / root, -1.0, 1.0)
    return ratio
