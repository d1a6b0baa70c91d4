"""What ROUGE-1.5.5 makes of counts: scores rounded early, averages of bootstrap means.

Everything here follows the script to the last printed digit. What a careful statistician
does instead is in `scoring` and `rouge`.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cmp_to_key, reduce
from operator import add
from typing import NamedTuple

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.rouge._counting import (
    Counts,
    ModelRule,
    Pairs,
    Scored,
    Variant,
    f_measure,
    item_counts,
    power,
    powers_of,
    ratios,
)

# drand48, which Perl has used for rand since version 5.20.
_MULTIPLIER = np.uint64(0x5DEECE66D)
_INCREMENT = np.uint64(0xB)
_MODULUS_MASK = np.uint64((1 << 48) - 1)
_SEED_LOW_BITS = np.uint64(0x330E)


def rounded(values: Floats) -> Floats:
    """Round to five decimals as C's ``%.5f`` does, on the exact binary value."""
    return np.array([float(f"{value:.5f}") for value in values.tolist()])


def exact_counts(
    counts: Counts,
    pairs: Pairs,
    variant: Variant,
    rule: ModelRule,
    *,
    peer_words: Ints | None = None,
    name_of: Callable[[int], str] = str,
) -> Counts:
    """Bring the counts of an item's models together as the script does.

    ROUGE-W's model weight is raised to the power once more (a quirk), its peer weight is that
    of the whole peer as one run, and a model without words is a division by zero, of which
    the script dies. For ``best``, recall is rounded first, except for ROUGE-L and ROUGE-W.
    """
    recall = ratios(counts.hits, counts.model, counts.weight)
    if variant.family == "w":
        assert peer_words is not None
        _require_words(counts, variant, name_of)
        model = np.array([power(base, counts.weight) for base in counts.model.tolist()])
        counts = replace(counts, model=model, peer=powers_of(peer_words, counts.weight))
    elif variant.family != "l":
        recall = rounded(recall)
    return item_counts(counts, pairs, rule, recall=recall)


def _require_words(counts: Counts, variant: Variant, name_of: Callable[[int], str]) -> None:
    empty = np.flatnonzero(counts.model == 0)
    if len(empty):
        raise InputError(
            f"{variant.perl_name} divides by zero: a reference of {name_of(int(empty[0]))} has "
            "no words that count",
            hint="leave that reference out, or do without ROUGE-W",
        )


def exact_scores(counts: Counts, *, alpha: float = 0.5) -> Scored:
    """Score items: recall and precision are rounded first, F is computed from the rounded ones."""
    recall = rounded(ratios(counts.hits, counts.model, counts.weight))
    precision = rounded(ratios(counts.hits, counts.peer, counts.weight))
    return Scored(recall, precision, rounded(f_measure(recall, precision, alpha)))


class Interval(NamedTuple):
    """An average with its confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap_means(columns: Floats, resamples: int) -> Floats:
    """Average resampled rows; resample `s` draws from drand48 seeded with `s`."""
    return _bootstrap_sums(columns, resamples) / len(columns)


def corpus_means(counts: Counts, resamples: int, alpha: float) -> Floats:
    """Resample counts and score their sums, one row a resample (ROUGE's ``-t 1``).

    ROUGE-W's root is not taken, as in the script.
    """
    columns = np.stack(counts.parts, axis=1)
    model, peer, hits = _bootstrap_sums(columns, resamples).T
    recall, precision = ratios(hits, model), ratios(hits, peer)
    return np.stack([recall, precision, f_measure(recall, precision, alpha)], axis=1)


def _bootstrap_sums(columns: Floats, resamples: int) -> Floats:
    total = np.zeros((resamples, columns.shape[1]))
    for drawn in _draws(len(columns), resamples):
        total += columns[drawn]
    return total


def _draws(size: int, resamples: int) -> Iterator[Ints]:
    """Draw as many rows as there are, each time one for every resample."""
    state = (np.arange(resamples, dtype=np.uint64) << np.uint64(16)) | _SEED_LOW_BITS
    for _ in range(size):
        state = (state * _MULTIPLIER + _INCREMENT) & _MODULUS_MASK
        yield (state.astype(np.float64) / 2.0**48 * size).astype(np.int64)


def interval(values: Floats, confidence: float) -> Interval:
    """Give the mean of bootstrap means and the interval, by the script's own interpolation."""
    ordered = sorted(values.tolist())
    size = len(ordered)
    tail = size * ((100 - confidence) / 2) / 100
    upper, lower = int(size - tail - 1), int(tail)
    share = size - tail - 1 - upper

    def at(index: int) -> float:
        return ordered[index] if 0 <= index < size else 0.0

    return Interval(
        # Added up one by one in rising order: the last digit depends on it.
        reduce(add, ordered, 0.0) / size,
        at(lower) + (at(lower + 1) - at(lower)) * share,
        at(upper) + (at(upper + 1) - at(upper)) * share,
    )


_LEADING_NUMBER = re.compile(r"\d+")


def by_evaluation(names: Sequence[str]) -> list[str]:
    """Put names in the order the script prints them: by leading number, else as text."""

    def compare(a: str, b: str) -> int:
        first, second = _LEADING_NUMBER.match(a), _LEADING_NUMBER.match(b)
        if first and second:
            return int(first.group()) - int(second.group())
        return (a > b) - (a < b)

    return sorted(sorted(names), key=cmp_to_key(compare))
