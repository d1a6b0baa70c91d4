"""Helpers shared by several questions: indices of names, means that ignore NaN."""

import math
from collections.abc import Collection, Hashable, Iterable, Iterator
from typing import Any, TypeVar

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Scores
from pyramidion.errors import NotFoundError, known_names
from pyramidion.stats import pearson, spearman

K = TypeVar("K", bound=Hashable)


def require_known(kind: str, name: str, names: Collection[str]) -> None:
    """Raise an error if a name is unknown."""
    if name not in names:
        raise NotFoundError(f"there is no {kind} {name!r}", hint=known_names(name, names))


def numbered(names: Iterable[K]) -> dict[K, int]:
    """Return the index of each name."""
    return {name: index for index, name in enumerate(names)}


def places_of(values: Iterable[K], names: Iterable[K]) -> Ints:
    """Return the index of each value among the names, or -1."""
    index, rows = numbered(names), list(values)
    codes_of_values = {value: index.get(value, -1) for value in dict.fromkeys(rows)}
    return np.fromiter(map(codes_of_values.__getitem__, rows), np.int64, len(rows))


def joined(names: Iterable[str]) -> str:
    """Join distinct names for a signature."""
    return "+".join(dict.fromkeys(names))


def rows_of(scores: Scores, *columns: str) -> Iterator[tuple[Any, ...]]:
    """Yield some columns of a table, row by row."""
    return zip(*(scores.columns[name] for name in columns), strict=True)


def known_means(values: Floats, axis: int = 0) -> Floats:
    """Average along an axis, ignoring NaN; NaN if all values are."""
    is_present = ~np.isnan(values)
    return ratios(np.where(is_present, values, 0.0).sum(axis=axis), is_present.sum(axis=axis))


def ratios(parts: Floats | Ints, totals: Floats | Ints) -> Floats:
    """Divide elementwise; NaN where the divisor is not positive."""
    quotients = np.full(totals.shape, np.nan)
    np.divide(parts, totals, out=quotients, where=totals > 0)
    return quotients


def known_mean(values: Iterable[float]) -> float:
    """Average, ignoring NaN; NaN if there are no numbers."""
    known_values = [value for value in values if not math.isnan(value)]
    return float(np.mean(known_values)) if known_values else math.nan


def both_known(first: Floats, second: Floats) -> Bools:
    """Return where neither table is NaN."""
    return ~np.isnan(first) & ~np.isnan(second)


def means_of_both(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Average two tables over the topics for which a system has both scores."""
    has_both = both_known(first, second)
    return known_means(np.where(has_both, first, np.nan)), known_means(
        np.where(has_both, second, np.nan)
    )


def correlate_pairs(first: Floats, second: Floats) -> tuple[int, float, float]:
    """Return the number of pairs, and Pearson's and Spearman's correlation."""
    has_both = both_known(first, second)
    n = int(has_both.sum())
    if n < 2:
        return n, math.nan, math.nan
    return (
        n,
        pearson(first[has_both], second[has_both]).value,
        spearman(first[has_both], second[has_both]).value,
    )
