"""Which systems really differ: every pair, tested, corrected, ranked."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from pyramidion._types import Floats, Ints, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation.comparison import (
    Comparison,
    ComparisonResult,
    PairCounts,
)
from pyramidion.evaluation.pair_tests import (
    PairTests,
    ResamplingOptions,
    apply_test,
    enough_resamples,
    max_t,
)
from pyramidion.evaluation.procedures import (
    CORRECTIONS,
    STATISTIC_TESTS,
    STATISTICS,
    TESTS,
    Correction,
    StatisticName,
    TestName,
    effective_correction,
    fallback_note,
    require_known,
)
from pyramidion.evaluation.ranking import mean_intervals, ranked_systems, ranking_order
from pyramidion.stats.adjust import adjust_p
from pyramidion.stats.inputs import checked_seed, share
from pyramidion.stats.pairs import multiply

__all__ = ["compare"]

# Squares of greater scores would not be numbers any more.
_LARGEST = 1e100


def compare(
    matrix: ScoreMatrix,
    *,
    test: TestName = "permutation",
    statistic: StatisticName = "w",
    correction: Correction = "maxt",
    alpha: float = 0.05,
    baseline: str | None = None,
    n_resamples: int = 9999,
    seed: int = 0,
    confidence_level: float = 0.95,
) -> ComparisonResult:
    """Compare every pair of systems on the topics both have.

    Parameters
    ----------
    matrix
        Topics x systems.
    test
        ``permutation``: random signs of mean differences, shared by all pairs. ``wilcoxon``,
        ``paired-t``, ``unpaired-t`` (pooled variance), ``welch``: one pair at a time. ``mc``
        and ``hb``: resampling of `statistic`.
    statistic
        For ``mc`` and ``hb``: ``w``, ``t`` or ``t-unpaired``.
    correction
        For the number of pairs: ``maxt`` (from shared random swaps), ``holm``, ``bh`` (false
        discovery rate) or ``none``.
    alpha
        The level of significance.
    baseline
        Compare with this system only.
    n_resamples
        How many resamples; raised where Holm's correction needs more.
    seed
        Where chance begins.
    confidence_level
        Of the systems' intervals (percentile bootstrap over topics).

    Examples
    --------
    >>> matrix = ScoreMatrix([[1, 2, 9], [2, 1, 8], [1, 2, 9], [2, 2, 7], [1, 1, 9], [3, 2, 8],
    ...                       [2, 3, 9]], list("abcdefg"), ["x", "y", "z"], measure="m")
    >>> result = compare(matrix)
    >>> [(s.system, s.group) for s in result.systems]
    [('z', 'a'), ('y', 'b'), ('x', 'b')]
    >>> result.counts
    PairCounts(pairs=3, significant=2, significant_uncorrected=2)
    """
    _require_known(test, statistic, correction)
    share(alpha, "alpha")
    share(confidence_level, "confidence_level")
    checked_seed(seed)
    _require_comparable(matrix, baseline)
    fallback = fallback_note(correction, test)
    correction = effective_correction(correction, test)
    pairs = _pairs(matrix, ranking_order(matrix), baseline)
    options = enough_resamples(
        ResamplingOptions(n_resamples, statistic, seed), test, correction, len(pairs), alpha
    )
    tested = apply_test(matrix.values, pairs, test, options)
    adjusted, resamples = _adjusted(matrix, pairs, test, correction, options, tested)
    comparisons = _comparisons(matrix, pairs, tested, adjusted)
    return ComparisonResult(
        measure=matrix.measure,
        task=matrix.task,
        test=test,
        alpha=alpha,
        correction=correction,
        statistic=statistic if test in STATISTIC_TESTS else None,
        n_resamples=resamples,
        baseline=baseline,
        confidence_level=confidence_level,
        counts=_counted(comparisons, alpha),
        human_machine=_counted(_between_kinds(matrix, comparisons), alpha),
        systems=ranked_systems(
            matrix,
            comparisons,
            alpha=alpha,
            grouped=baseline is None,
            intervals=mean_intervals(matrix.values, confidence_level=confidence_level, seed=seed),
        ),
        comparisons=comparisons,
        left_out=tuple(_left_out(matrix, test, comparisons)),
        notes=tuple(
            filter(None, (fallback, *_notes(matrix, pairs, resamples, n_resamples, alpha)))
        ),
    )


def _require_known(test: str, statistic: str, correction: str) -> None:
    for name, value, allowed in (
        ("test", test, TESTS),
        ("statistic", statistic, STATISTICS),
        ("correction", correction, CORRECTIONS),
    ):
        require_known(name, (value,), allowed)


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
