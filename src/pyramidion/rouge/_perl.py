"""Scores as ROUGE-1.5.5 computes them from counts: rounded early, averaged over bootstrap means.

Everything here follows the script to the last printed digit. Statistically sound averages are in
`results`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cmp_to_key, reduce
from itertools import pairwise
from operator import add
from typing import Any, NamedTuple

import numpy as np

from pyramidion import kernels
from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.kernels.subsequences import weigh_runs
from pyramidion.rouge._perl_numbers import (
    MAX_EXACT,
    PerlNumber,
    is_whole_weight,
    real_power,
    running_total,
)
from pyramidion.rouge.counting import (
    Counts,
    ItemScores,
    ModelRule,
    Pairs,
    RougeReading,
    Variant,
    count_all,
    f_measure,
    item_counts,
    ratios,
    sums,
)

#: As long as sums stay below it, floating-point numbers behave like the script's.
_MAX_EXACT_SUM = MAX_EXACT / 4


def round_like_perl(values: Floats) -> Floats:
    """Round to five decimals as C's ``%.5f`` does, on the exact binary value."""
    with np.errstate(over="ignore", invalid="ignore"):
        scaled_values = values * 1e5
        rounded_values = np.rint(scaled_values)
        # The product is inexact: near a half, or if huge, it may round to the wrong side.
        is_clear = (np.abs(np.abs(scaled_values - rounded_values) - 0.5) > 1e-5) & (
            np.abs(scaled_values) < 1e10
        )
        decimals: Floats = rounded_values / 1e5
    unclear_rows = np.flatnonzero(~is_clear)
    decimals[unclear_rows] = [float(f"{value:.5f}") for value in values[unclear_rows].tolist()]
    return decimals


def count_exactly(
    reading: RougeReading, pairs: Pairs, variants: Sequence[Variant], *, threads: int = 1
) -> dict[Variant, Counts]:
    """Count the units of variants, with Perl's arithmetic if ROUGE-W's powers are huge."""
    lengths = np.diff(reading.summaries.sentences)
    max_length, n_sentences = float(lengths.max(initial=0)), max(len(lengths), 1)
    huge_variants = {
        variant
        for variant in variants
        if variant.family == "w"
        and real_power(max_length, variant.number) * n_sentences >= _MAX_EXACT_SUM
    }
    countable_variants = [variant for variant in variants if variant not in huge_variants]
    counts = (
        count_all(reading, pairs, countable_variants, threads=threads) if countable_variants else {}
    )
    return {
        variant: _huge_counts(reading, pairs, variant)
        if variant in huge_variants
        else counts[variant]
        for variant in variants
    }


def _huge_counts(reading: RougeReading, pairs: Pairs, variant: Variant) -> Counts:
    texts = reading.summaries
    lengths = np.diff(texts.sentences)
    powers = [
        _power_of(PerlNumber(length), variant) for length in range(int(lengths.max(initial=0)) + 1)
    ]
    bounds = pairwise(texts.texts.tolist())
    bases = _object_column(
        running_total(powers[length] for length in lengths[start:end].tolist())
        for start, end in bounds
    )
    rows = zip(pairs.peers.tolist(), pairs.models.tolist(), strict=True)
    hits = _object_column(weigh_runs(texts, *row, powers, PerlNumber(0)) for row in rows)
    return Counts(bases[pairs.models], bases[pairs.peers], hits, variant.number)


def _power_of(base: PerlNumber, variant: Variant) -> PerlNumber:
    return base.power(variant.number, whole_weight=is_whole_weight(variant.parameter))


def _object_column(numbers: Iterable[PerlNumber]) -> Any:
    column = list(numbers)
    return np.array([*column, None], dtype=object)[: len(column)]


def combine_exactly(
    counts: Counts,
    pairs: Pairs,
    variant: Variant,
    rule: ModelRule,
    *,
    peer_words: Ints | None = None,
    name_of: Callable[[int], str] = str,
) -> Counts:
    """Combine the counts of an item's models as the script does.

    ROUGE-W's model weight is raised to the power once more (a quirk), its peer weight is that
    of the whole peer as one run, and a model without words is a division by zero, on which
    the script aborts. For ``best``, recall is rounded first, except for ROUGE-L and ROUGE-W.
    """
    with np.errstate(invalid="ignore"):
        recall = ratios(_as_floats(counts.hits), _as_floats(counts.model), counts.weight)
    sum_groups = sums
    if variant.family == "w":
        assert peer_words is not None
        empty_models = np.flatnonzero(_as_floats(counts.model) == 0)
        if len(empty_models):
            raise InputError(
                f"{variant.perl_name} divides by zero: a reference of "
                f"{name_of(int(empty_models[0]))} has "
                "no words that count",
                hint="leave out that reference, or ROUGE-W",
            )
        counts = _weigh_twice(counts, variant, peer_words)
        sum_groups = _perl_sums if counts.model.dtype == object else sums
    elif variant.family != "l":
        recall = round_like_perl(recall)
    return item_counts(counts, pairs, rule, recall=recall, sum_groups=sum_groups)


def _weigh_twice(counts: Counts, variant: Variant, peer_words: Ints) -> Counts:
    bases, lengths = (part.tolist() for part in (_as_floats(counts.model), peer_words))
    model, peer = (
        np.array([real_power(float(length), counts.weight) for length in part])
        for part in (bases, lengths)
    )
    if model.sum() + peer.sum() < _MAX_EXACT_SUM:
        return replace(counts, model=model, peer=peer)
    perl_numbers = [
        value if isinstance(value, PerlNumber) else PerlNumber(value)
        for value in counts.model.tolist()
    ]
    hits = counts.hits
    return replace(
        counts,
        model=_object_column(_power_of(base, variant) for base in perl_numbers),
        peer=_object_column(_power_of(PerlNumber(length), variant) for length in lengths),
        hits=hits if hits.dtype == object else _object_column(map(PerlNumber, hits.tolist())),
    )


def _perl_sums(groups: Ints, values: Any, size: int) -> Any:
    """Sum the values of each group in order, with Perl's arithmetic."""
    totals = _object_column(PerlNumber(0) for _ in range(size))
    np.add.at(totals, groups, values)
    return totals


def _as_floats(column: Any) -> Floats:
    return np.asarray(column, dtype=np.float64)


def with_float_counts(counts: Counts) -> Counts:
    """Convert counts to floating-point numbers."""
    model, peer, hits = map(_as_floats, counts.parts)
    return Counts(model, peer, hits, counts.weight)


def score_exactly(counts: Counts, *, alpha: float = 0.5) -> ItemScores:
    """Score items: round recall and precision first, then compute F from the rounded values."""
    counts = with_float_counts(counts)
    # Infinity divided by infinity is NaN, as in the script.
    with np.errstate(over="ignore", invalid="ignore"):
        recall = round_like_perl(ratios(counts.hits, counts.model, counts.weight))
        precision = round_like_perl(ratios(counts.hits, counts.peer, counts.weight))
        return ItemScores(recall, precision, round_like_perl(f_measure(recall, precision, alpha)))


class Interval(NamedTuple):
    """An average with its confidence interval."""

    mean: float
    low: float
    high: float


def bootstrap_means(columns: Floats, resamples: int) -> Floats:
    """Average resampled rows; resample `s` draws from drand48 seeded with `s`."""
    return kernels.bootstrap_sums(columns, resamples) / max(len(columns), 1)


def corpus_means(counts: Counts, resamples: int, alpha: float) -> Floats:
    """Score the sums of resampled counts, one row per resample (``-t 1``), without W's root."""
    columns = np.stack(with_float_counts(counts).parts, axis=1)
    model, peer, hits = kernels.bootstrap_sums(columns, resamples).T
    with np.errstate(over="ignore", invalid="ignore"):
        recall, precision = ratios(hits, model), ratios(hits, peer)
        return np.stack([recall, precision, f_measure(recall, precision, alpha)], axis=1)


def interval(values: Floats, confidence: float) -> Interval:
    """Return the mean of bootstrap means and the interval, interpolated as in the script."""
    sorted_values = sorted(values.tolist())
    size = len(sorted_values)
    n_tail = size * ((100 - confidence) / 2) / 100
    upper_index, lower_index = int(size - n_tail - 1), int(n_tail)
    fraction = size - n_tail - 1 - upper_index

    def value_at(index: int) -> float:
        return sorted_values[index] if 0 <= index < size else 0.0

    return Interval(
        # Summed one by one in ascending order: the last digit depends on it.
        reduce(add, sorted_values, 0.0) / size,
        value_at(lower_index) + (value_at(lower_index + 1) - value_at(lower_index)) * fraction,
        value_at(upper_index) + (value_at(upper_index + 1) - value_at(upper_index)) * fraction,
    )


_LEADING_NUMBER = re.compile(r"\d+", re.ASCII)


def sort_by_evaluation(names: Sequence[str]) -> list[str]:
    """Sort names as the script prints them: by leading number, otherwise as text."""

    def leading_value(name: str) -> float | None:
        match = _LEADING_NUMBER.match(name)
        if match is None:
            return None
        return int(match[0]) if int(match[0]) < 2**64 else float(match[0])

    def compare(a: tuple[str, float | None], b: tuple[str, float | None]) -> int:
        (name, number), (other_name, other_number) = a, b
        if number is None or other_number is None:
            return (name > other_name) - (name < other_name)
        return (number > other_number) - (number < other_number)

    numbered_names = [(name, leading_value(name)) for name in names]
    return [name for name, _ in sorted(numbered_names, key=cmp_to_key(compare))]
