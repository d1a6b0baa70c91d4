"""Which systems really differ: every pair, tested, corrected, ranked."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation.comparison import (
    CORRECTIONS,
    STATISTICS,
    TESTS,
    Comparison,
    ComparisonResult,
    Correction,
    PairCounts,
    StatisticName,
    SystemResult,
    TestName,
)
from pyramidion.evaluation.groups import group_letters
from pyramidion.evaluation.pair_tests import (
    PairTests,
    ResamplingOptions,
    apply_test,
    max_t,
    raised_resamples,
    require_enough_resamples,
)
from pyramidion.stats.adjust import adjust_p

__all__ = ["compare"]

Floats = npt.NDArray[np.float64]
Pairs = npt.NDArray[np.intp]

_RESAMPLING_TESTS = ("permutation", "mc", "hb")
_INTERVAL_RESAMPLES = 2000


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
    _require_known(test, statistic, correction, alpha)
    _require_comparable(matrix, baseline)
    order = _ranking(matrix)
    pairs = _pairs(matrix, order, baseline)
    options, notes = _resampling(test, correction, len(pairs), alpha, n_resamples, seed, statistic)
    tested = apply_test(matrix.values, pairs, test, options)
    adjusted = _adjusted(matrix, pairs, test, correction, options, tested)
    comparisons = _comparisons(matrix, pairs, tested, adjusted)
    return ComparisonResult(
        measure=matrix.measure,
        task=matrix.task,
        test=test,
        alpha=alpha,
        correction=correction,
        statistic=statistic if test in ("mc", "hb") else None,
        n_resamples=tested.n_resamples,
        baseline=baseline,
        confidence_level=confidence_level,
        counts=_counted(comparisons, alpha),
        human_machine=_counted(_between_kinds(matrix, comparisons), alpha),
        systems=_systems(
            matrix,
            order,
            {} if baseline is not None else _letters(matrix, order, comparisons, alpha),
            _intervals(matrix.values, confidence_level, seed),
        ),
        comparisons=comparisons,
        left_out=tuple(_left_out(matrix, comparisons)),
        notes=notes,
    )


def _require_known(test: str, statistic: str, correction: str, alpha: float) -> None:
    for name, value, allowed in (
        ("test", test, TESTS),
        ("statistic", statistic, STATISTICS),
        ("correction", correction, CORRECTIONS),
    ):
        if value not in allowed:
            raise InputError(
                f"there is no {name} {value!r}", hint=f"there are: {', '.join(allowed)}"
            )
    if not 0 < alpha < 1:
        raise InputError(f"alpha is {alpha}", hint="give a number between 0 and 1")


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
    if baseline is not None and baseline not in matrix.systems:
        there = ", ".join(matrix.systems)
        raise InputError(f"there is no system {baseline!r}", hint=f"there are: {there}")


def _ranking(matrix: ScoreMatrix) -> list[int]:
    """Order the systems by their means, the best first, equal ones by name."""
    means = matrix.means()
    return sorted(range(len(means)), key=lambda i: (-means[i], i))


def _pairs(matrix: ScoreMatrix, order: list[int], baseline: str | None) -> Pairs:
    if baseline is not None:
        own = matrix.systems.index(baseline)
        return np.array([(other, own) for other in order if other != own], dtype=np.intp)
    pairs = [(a, b) for rank, a in enumerate(order) for b in order[rank + 1 :]]
    return np.array(pairs, dtype=np.intp)


def _resampling(
    test: str,
    correction: str,
    pairs: int,
    alpha: float,
    n_resamples: int,
    seed: int,
    statistic: StatisticName,
) -> tuple[ResamplingOptions, tuple[str, ...]]:
    options = ResamplingOptions(n_resamples, statistic, seed)
    if test not in _RESAMPLING_TESTS and correction != "maxt":
        return options, ()
    require_enough_resamples(options, alpha)
    if correction != "holm":
        return options, ()
    raised = raised_resamples(options, pairs, alpha)
    if raised.n_resamples == n_resamples:
        return options, ()
    note = (
        f"Resamples were raised from {n_resamples:,} to {raised.n_resamples:,}: with {pairs:,} "
        f"pairs Holm's correction finds nothing below."
    )
    return raised, (note,)


def _adjusted(
    matrix: ScoreMatrix,
    pairs: Pairs,
    test: TestName,
    correction: Correction,
    options: ResamplingOptions,
    tested: PairTests,
) -> Floats:
    if correction != "maxt":
        return adjust_p(tested.p, method=correction)
    found = tested.p_max_t
    if found is None:
        found = max_t(matrix.values, pairs, test, options)
    # Where the test itself is undefined its correction is, too.
    return np.where(np.isnan(tested.p), np.nan, found)


def _comparisons(
    matrix: ScoreMatrix, pairs: Pairs, tested: PairTests, adjusted: Floats
) -> tuple[Comparison, ...]:
    shared, difference = _shared_differences(matrix.values, pairs)
    rows = zip(
        pairs.tolist(),
        shared.tolist(),
        difference.tolist(),
        tested.statistic.tolist(),
        tested.p.tolist(),
        adjusted.tolist(),
        tested.effect.tolist(),
        tested.notes,
        strict=True,
    )
    return tuple(
        Comparison(matrix.systems[a], matrix.systems[b], *values) for (a, b), *values in rows
    )


def _shared_differences(values: Floats, pairs: Pairs) -> tuple[npt.NDArray[np.int64], Floats]:
    """Count the topics each pair shares, and average its differences on them."""
    present = (~np.isnan(values)).astype(np.float64)
    # What a topic has in common is taken out, so that sums of differences keep their digits.
    filled = np.where(present > 0, values, 0.0)
    common = filled.sum(axis=1) / np.maximum(present.sum(axis=1), 1)
    centred = np.where(present > 0, values - common[:, None], 0.0)
    sums = centred.T @ present
    first, second = pairs.T
    shared = (present.T @ present)[first, second]
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


def _left_out(matrix: ScoreMatrix, comparisons: Sequence[Comparison]) -> list[str]:
    lines = []
    undefined = [c for c in comparisons if math.isnan(c.p)]
    if undefined:
        first = undefined[0]
        why = f" ({first.note})" if first.note else ""
        lines.append(
            f"{matrix.measure}: {len(undefined)} pairs without a p-value, such as {first.a} and "
            f"{first.b}{why}"
        )
    if matrix.missing:
        lines.append(f"{matrix.measure}: {matrix.missing} missing scores; pairs use shared topics")
    return lines


def _letters(
    matrix: ScoreMatrix, order: list[int], comparisons: Sequence[Comparison], alpha: float
) -> dict[str, str]:
    different = {frozenset((c.a, c.b)) for c in comparisons if c.p_adjusted <= alpha}
    names = [matrix.systems[i] for i in order]
    return group_letters(names, lambda a, b: frozenset((a, b)) in different)


def _systems(
    matrix: ScoreMatrix,
    order: list[int],
    letters: dict[str, str],
    intervals: tuple[Floats, Floats],
) -> tuple[SystemResult, ...]:
    means = matrix.means()
    low, high = intervals
    counts = (~np.isnan(matrix.values)).sum(axis=0)
    return tuple(
        SystemResult(
            matrix.systems[i],
            "human" if matrix.human[i] else "machine",
            float(means[i]),
            float(low[i]),
            float(high[i]),
            int(counts[i]),
            1 + int((means > means[i]).sum()),
            letters.get(matrix.systems[i], ""),
        )
        for i in order
    )


def _intervals(values: Floats, confidence_level: float, seed: int) -> tuple[Floats, Floats]:
    """Draw topics with replacement, the same for all systems, and take percentiles of means."""
    topics = len(values)
    rng = np.random.default_rng([seed, 1])
    draws = rng.multinomial(topics, np.full(topics, 1 / topics), size=_INTERVAL_RESAMPLES)
    present = ~np.isnan(values)
    count = draws @ present.astype(np.float64)
    total = draws @ np.where(present, values, 0.0)
    means = np.full(total.shape, np.nan)
    np.divide(total, count, out=means, where=count > 0)
    tail = (1 - confidence_level) / 2
    bounds: Floats = np.nanquantile(means, [tail, 1 - tail], axis=0)
    return bounds[0], bounds[1]
