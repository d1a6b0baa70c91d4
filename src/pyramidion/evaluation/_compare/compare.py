"""All pairs of systems of a matrix: tested, corrected, ranked."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.collection.questions import Options, option
from pyramidion.errors import InputError
from pyramidion.evaluation._compare.pair_tests import (
    PairTests,
    ResamplingOptions,
    apply_test,
    enough_resamples,
    max_t,
)
from pyramidion.evaluation._compare.ranking import mean_intervals, ranked_systems, ranking_order
from pyramidion.evaluation._compare.result import Comparison, ComparisonResult, PairCounts
from pyramidion.evaluation._procedures import (
    STATISTIC_TESTS,
    Correction,
    StatisticName,
    TestName,
    effective_correction,
    fallback_note,
)
from pyramidion.stats._adjust import adjust_p
from pyramidion.stats._pairs import multiply

# Squares of greater scores would not be numbers any more.
_LARGEST = 1e100


@dataclass(frozen=True, slots=True)
class CompareOptions(Options):
    """How pairs of systems are tested."""

    test: tuple[TestName, ...] = option(
        ("permutation",),
        "Tests of two systems, with commas: permutation (random signs of the differences), "
        "wilcoxon, paired-t, unpaired-t, welch, mc (Monte Carlo) or hb (hybrid bootstrap).",
    )
    statistic: StatisticName = option(
        "w", "Statistic that mc and hb resample: w (Wilcoxon), t or t-unpaired."
    )
    correction: Correction = option(
        "maxt", "Multiple-comparison correction: maxt, holm, bh (false discovery rate) or none."
    )
    alpha: float = option(0.05, "Significance level.", between=(0, 1))
    baseline: str | None = option(
        None, "Compare every system with this one only.", metavar="SYSTEM"
    )
    n_resamples: int = option(
        9999, "Number of resamples; raised where Holm's correction needs more.",
        flags=("--resamples",), most=10_000_000,
    )  # fmt: skip
    seed: int = option(0, "Seed of the random numbers; the same seed repeats the result.", least=0)
    confidence_level: float = option(
        0.95, "Confidence level of the systems' intervals.", between=(0, 1), typed=False
    )

    def check(self) -> None:
        """Refuse to run no test at all."""
        if not self.test:
            raise InputError("no test is named", hint="try --test permutation")


def compare_matrix(
    matrix: ScoreMatrix,
    options: CompareOptions | None = None,
    *,
    test: TestName | None = None,
) -> ComparisonResult:
    """Compare every pair of systems on the topics both have, by the first test if none is named."""
    asked = options or CompareOptions()
    test, alpha = test or asked.test[0], asked.alpha
    _require_comparable(matrix, asked.baseline)
    correction = effective_correction(asked.correction, test)
    pairs = _pairs(matrix, ranking_order(matrix), asked.baseline)
    resampling = enough_resamples(
        ResamplingOptions(asked.n_resamples, asked.statistic, asked.seed),
        test, correction, len(pairs), alpha,
    )  # fmt: skip
    tested = apply_test(matrix.values, pairs, test, resampling)
    adjusted, resamples = _adjusted(matrix, pairs, test, correction, resampling, tested)
    comparisons = _comparisons(matrix, pairs, tested, adjusted)
    intervals = mean_intervals(
        matrix.values, confidence_level=asked.confidence_level, seed=asked.seed
    )
    notes = _notes(matrix, pairs, resamples, asked.n_resamples, alpha)
    return ComparisonResult(
        measure=matrix.measure,
        task=matrix.task,
        test=test,
        alpha=alpha,
        correction=correction,
        statistic=asked.statistic if test in STATISTIC_TESTS else None,
        n_resamples=resamples,
        baseline=asked.baseline,
        confidence_level=asked.confidence_level,
        counts=_counted(comparisons, alpha),
        human_machine=_counted(_between_kinds(matrix, comparisons), alpha),
        systems=ranked_systems(
            matrix, comparisons, alpha=alpha, grouped=asked.baseline is None, intervals=intervals
        ),
        comparisons=comparisons,
        left_out=tuple(_left_out(matrix, test, comparisons)),
        notes=tuple(filter(None, (fallback_note(asked.correction, test), *notes))),
    )


def _require_comparable(matrix: ScoreMatrix, baseline: str | None) -> None:
    if len(matrix.systems) < 2:
        raise InputError(
            f"{matrix.measure} has {len(matrix.systems)} systems", hint="two at least are compared"
        )
    if len(matrix.topics) < 2:
        raise InputError(
            f"{matrix.measure} has one topic only, so no difference can be tested",
            hint="add topics",
        )
    if np.nanmax(np.abs(matrix.values)) > _LARGEST:
        raise InputError(
            f"a score of {matrix.measure} is too large to compute with",
            hint=f"keep scores below {_LARGEST:g}",
        )
    empty = [s for s, n in zip(matrix.systems, matrix.counts(), strict=True) if not n]
    if empty:
        raise InputError(
            f"system {empty[0]} has no score of {matrix.measure}", hint="take it out of the matrix"
        )
    if baseline is not None and baseline not in matrix.systems:
        there = ", ".join(matrix.systems)
        raise InputError(f"there is no system {baseline!r}", hint=f"there are: {there}")


def _pairs(matrix: ScoreMatrix, order: list[int], baseline: str | None) -> Pairs:
    if baseline is not None:
        own = matrix.systems.index(baseline)
        return np.array([(other, own) for other in order if other != own], dtype=np.intp)
    pairs = [(a, b) for rank, a in enumerate(order) for b in order[rank + 1 :]]
    return np.array(pairs, dtype=np.intp)


def _notes(
    matrix: ScoreMatrix, pairs: Pairs, resamples: int, asked: int, alpha: float
) -> Iterator[str]:
    """Say what happened to the resamples, and where so few topics can show nothing."""
    if resamples > asked:
        yield (
            f"Resamples were raised from {asked:,} to {resamples:,}: with {len(pairs):,} pairs the "
            "correction needs as many to find a single difference."
        )
    least = 2 / 2 ** len(matrix.topics)
    if resamples and least > alpha:
        yield f"{len(matrix.topics)} topics allow no p-value below {least:g}."


def _adjusted(
    matrix: ScoreMatrix,
    pairs: Pairs,
    test: TestName,
    correction: Correction,
    options: ResamplingOptions,
    tested: PairTests,
) -> tuple[Floats, int]:
    """Correct p-values; give them with the number of resamples they rest on."""
    if correction != "maxt":
        return adjust_p(tested.p, method=correction), tested.n_resamples
    source = tested if tested.p_max_t is not None else max_t(matrix.values, pairs, test, options)
    assert source.p_max_t is not None
    # Where the test is undefined its correction is, too; and no correction makes p smaller.
    return np.maximum(tested.p, source.p_max_t), source.n_resamples


def _comparisons(
    matrix: ScoreMatrix, pairs: Pairs, tested: PairTests, adjusted: Floats
) -> tuple[Comparison, ...]:
    shared, difference = _shared_differences(matrix.values, pairs)
    first, second = np.array(matrix.systems, dtype=object)[pairs].T
    numbers = (shared, difference, tested.statistic, tested.p, adjusted, tested.effect)
    columns = (column.tolist() for column in (first, second, *numbers))
    return tuple(map(Comparison, *columns, tested.notes))


def _shared_differences(values: Floats, pairs: Pairs) -> tuple[Ints, Floats]:
    """Count the topics each pair shares, and average its differences on them."""
    present = (~np.isnan(values)).astype(np.float64)
    # What a topic has in common is taken out, so that sums of differences keep their digits.
    filled = np.where(present > 0, values, 0.0)
    common = filled.sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    centred = np.where(present > 0, values - common[:, None], 0.0)
    sums = multiply(centred.T, present)
    first, second = pairs.T
    shared = multiply(present.T, present)[first, second]
    difference = np.full(len(pairs), np.nan)
    np.divide(sums[first, second] - sums[second, first], shared, out=difference, where=shared > 0)
    return shared.astype(np.int64), difference


def _counted(comparisons: Sequence[Comparison], alpha: float) -> PairCounts:
    return PairCounts(
        len(comparisons),
        sum(c.p_adjusted <= alpha for c in comparisons),
        sum(c.p <= alpha for c in comparisons),
    )


def _between_kinds(matrix: ScoreMatrix, comparisons: Sequence[Comparison]) -> list[Comparison]:
    human = dict(zip(matrix.systems, matrix.human.tolist(), strict=True))
    return [c for c in comparisons if human[c.a] != human[c.b]]


def _left_out(matrix: ScoreMatrix, test: str, comparisons: Sequence[Comparison]) -> Iterator[str]:
    name = f"{matrix.measure}, task {matrix.task}" if matrix.task else matrix.measure
    undefined = [c for c in comparisons if math.isnan(c.p_adjusted)]
    if undefined:
        first = undefined[0]
        why = f" ({first.note})" if first.note else ""
        yield (
            f"{name}: {len(undefined)} pairs without a corrected p-value under {test}, such as "
            f"{first.a} and {first.b}{why}"
        )
    if matrix.missing:
        yield f"{name}: {matrix.missing} missing scores; pairs use shared topics"
