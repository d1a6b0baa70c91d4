"""Rank correlations of many predictions with one target."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.stats.dense_ranks import dense_ranks
from pyramidion.stats.differences import NOISE, midranks
from pyramidion.stats.inputs import Floats

__all__ = ["kendall_of_many", "spearman_of_many"]

Ints = npt.NDArray[np.int64]


def spearman_of_many(predictions: Floats, target: Floats) -> Floats:
    """Correlate the mean ranks of each row with those of the target; NaN for constant rows.

    Examples
    --------
    >>> target = np.array([1.0, 2.0, 3.0, 4.0])
    >>> spearman_of_many(np.array([[1.0, 3.0, 2.0, 4.0], [1, 1, 1, 1]]), target).round(3).tolist()
    [0.8, nan]
    """
    order, groups = _ordered_groups(predictions)
    ranks = _mean_positions(groups)
    ranks -= ranks.mean(axis=1, keepdims=True)
    wanted = midranks(dense_ranks(target))
    wanted -= wanted.mean()
    together = np.einsum("bn,bn->b", ranks, wanted[order])
    squares = np.einsum("bn,bn->b", ranks, ranks) * (wanted @ wanted)
    return _ratio(together, squares)


def kendall_of_many(predictions: Floats, target: Floats) -> Floats:
    """Give tau-b of each row with the target; NaN for constant rows.

    Examples
    --------
    >>> target = np.array([1.0, 2.0, 3.0, 3.0])
    >>> kendall_of_many(np.array([[1.0, 3.0, 2.0, 4.0], [1, 1, 1, 1]]), target).round(3).tolist()
    [0.548, nan]
    """
    order, groups = _ordered_groups(predictions)
    wanted = dense_ranks(target).astype(np.int64)
    ranks, tied = wanted[order], groups[:, -1] < predictions.shape[1] - 1
    distinct = int(wanted.max()) + 1
    tied_both = np.zeros(len(predictions))
    if tied.any():
        # Of tied predictions those of lower targets go first, so that none is discordant.
        keys = np.sort(groups[tied] * distinct + ranks[tied], axis=1)
        ranks[tied] = keys % distinct
        tied_both[tied] = _tied_pairs(keys)
    discordant = _inversions(ranks) - _inversions(np.sort(wanted)[None])
    pairs = len(wanted) * (len(wanted) - 1) / 2
    tied_rows, tied_target = _tied_pairs(groups), _tied_pairs(np.sort(wanted)[None])
    difference = pairs - tied_rows - tied_target + tied_both - 2 * discordant
    return _ratio(difference, (pairs - tied_rows) * (pairs - tied_target))


def _ordered_groups(rows: Floats) -> tuple[npt.NDArray[np.intp], Ints]:
    """Sort each row, and number its distinct values: those that differ by more than noise."""
    order = np.argsort(rows, axis=1)
    gaps = np.diff(np.take_along_axis(rows, order, axis=1), axis=1)
    groups = np.zeros(rows.shape, dtype=np.int64)
    noise = NOISE * np.abs(rows).max(axis=1, keepdims=True)
    np.cumsum(gaps > noise, axis=1, out=groups[:, 1:])
    return order, groups


def _mean_positions(groups: Ints) -> Floats:
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
