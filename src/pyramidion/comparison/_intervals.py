"""Intervals of the differences of all pairs, which agree with the test and its correction."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Bools, Floats, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison._result import Comparison, ComparisonResult, rating_width
from pyramidion.comparison.procedures import (
    STATISTIC_TESTS,
    CorrectionName,
    StatisticName,
    TestName,
    effective_correction,
)
from pyramidion.stats import CriticalScale, PairwiseTest, pair_intervals

if TYPE_CHECKING:
    from pyramidion.comparison._compare import CompareOptions

# Where an interval is moved to agree with a test, 0 lies outside by this share of the difference.
_SHARE_BEYOND_ZERO = 1e-6


@dataclass(frozen=True, slots=True)
class IntervalTest:
    """The intervals that match a test of pairs, and the scale of its largest statistic."""

    test: PairwiseTest
    scale: CriticalScale | None = None


def interval_test(test: TestName, statistic: StatisticName) -> IntervalTest | None:
    """Return the intervals that match a test; None if it has no units of the score."""
    if test == "wilcoxon" or (test in STATISTIC_TESTS and statistic == "w"):
        return IntervalTest("wilcoxon", "w")
    if test in STATISTIC_TESTS:
        # P-values of unpaired T under swaps are those of paired T, but not its largest values.
        return IntervalTest("paired-t", "t" if statistic == "t" else None)
    if test in ("permutation", "paired-t"):
        return IntervalTest("paired-t", "sum")
    unpaired_tests: dict[str, PairwiseTest] = {"unpaired-t": "unpaired-t", "welch": "welch"}
    return IntervalTest(unpaired_tests[test]) if test in unpaired_tests else None


def corrected_level(p_adjusted: Floats, alpha: float, correction: CorrectionName) -> float:
    """Return the level of each interval under a correction of p-values.

    Holm's is Bonferroni's in a single step; that of Benjamini and Hochberg has the level at which
    its significant pairs were tested, which controls the false coverage rate.
    """
    n_tests = max(int(np.count_nonzero(~np.isnan(p_adjusted))), 1)
    if correction == "none":
        return alpha
    return alpha * (max(int((p_adjusted <= alpha).sum()), 1) if correction == "bh" else 1) / n_tests


def with_intervals(
    comparisons: Sequence[Comparison],
    matrices: Sequence[tuple[ScoreMatrix, Pairs]],
    test: TestName,
    options: "CompareOptions",
    cutoff: float,
) -> tuple[Comparison, ...]:
    """Add the intervals of all pairs of some matrices, simultaneous if p-values are corrected.

    With max-T, `cutoff` is what the largest statistic must exceed; NaN for a single pair.
    """
    matching_test, alpha = interval_test(test, options.statistic), options.alpha
    if matching_test is None:
        return tuple(comparisons)
    correction = effective_correction(options.correction, test)
    uses_max_t = matching_test.scale is not None and not math.isnan(cutoff)

    def compute_ends(
        level: float, critical: float | None = None, *, allow_unseen: bool = True
    ) -> tuple[Floats, Floats, Bools]:
        intervals = [
            pair_intervals(
                matrix.values, test=matching_test.test, pairs=pairs, alpha=level, critical=critical,
                scale=matching_test.scale or "sum", clusters=matrix.cluster_codes,
                continuity=options.continuity, width=rating_width(matrix) if allow_unseen else None,
            )
            for matrix, pairs in matrices
        ]  # fmt: skip
        low, high, is_sparse = (
            np.concatenate([getattr(part, name) for part in intervals])
            for name in ("low", "high", "sparse")
        )
        return low, high, is_sparse

    p_adjusted = np.array([pair.p_adjusted for pair in comparisons])
    level = alpha if uses_max_t else corrected_level(p_adjusted, alpha, correction)
    is_stepwise = correction in ("maxt", "holm")
    low, high, is_sparse = compute_ends(level, cutoff if uses_max_t else None)
    if uses_max_t and (is_sparse | np.isnan(low)).any():
        # With few topics no statistic can reach the cutoff, and random signs say little about
        # differences that were not seen; Bonferroni's intervals are finite.
        lowest_ends, highest_ends, _ = compute_ends(corrected_level(p_adjusted, alpha, "holm"))
        is_wider, is_above, is_below = is_sparse | np.isnan(low), low > 0, high < 0
        low = np.where(is_wider, np.fmin(low, lowest_ends), low)
        high = np.where(is_wider, np.fmax(high, highest_ends), high)
        # Decisions by max-T are kept.
        low = np.where(is_above, np.maximum(low, _SHARE_BEYOND_ZERO * high), low)
        high = np.where(is_below, np.minimum(high, _SHARE_BEYOND_ZERO * low), high)
    difference_comparisons = with_difference_intervals(
        comparisons, low, high, alpha=alpha, stepwise=is_stepwise
    )
    if options.margin is None:
        return difference_comparisons
    p_equivalence = np.array([pair.p_equivalence_adjusted for pair in comparisons])
    # They belong to the tests of equivalence.
    low, high, _ = compute_ends(
        2 * corrected_level(p_equivalence, alpha, correction), allow_unseen=False
    )
    is_stepwise = correction not in ("bh", "none")
    return with_margin_intervals(
        difference_comparisons, low, high, margin=options.margin, stepwise=is_stepwise
    )


def t_interval_ends(
    differences: Floats, errors: Floats, df: Floats, levels: Floats | float
) -> tuple[Floats, Floats]:
    """Return intervals of differences by t; NaN without an error."""
    from scipy.special import stdtrit

    half_width = -stdtrit(df, np.asarray(levels) / 2) * np.where(errors > 0, errors, np.nan)
    return differences - half_width, differences + half_width


def with_model_intervals(
    comparisons: Sequence[Comparison],
    results: Sequence[ComparisonResult],
    correction: CorrectionName,
) -> tuple[Comparison, ...]:
    """Replace the intervals of several models by those of a correction for all their pairs."""
    models = [result.model for result in results if result.model]
    if len(models) < len(results):
        return tuple(comparisons)
    alpha, margin = results[0].alpha, results[0].margin
    differences, p_adjusted, p_equivalence = np.array(
        [(pair.difference, pair.p_adjusted, pair.p_equivalence_adjusted) for pair in comparisons]
    ).T
    errors, df = (
        np.concatenate([getattr(model, name) for model in models])
        for name in ("pair_errors", "pair_df")
    )

    def compute_ends(p: Floats, factor: int) -> tuple[Floats, Floats]:
        return t_interval_ends(
            differences, errors, df, factor * corrected_level(p, alpha, correction)
        )

    if margin is not None:
        is_stepwise = correction not in ("bh", "none")
        low, high = compute_ends(p_equivalence, 2)
        comparisons = with_margin_intervals(
            comparisons, low, high, margin=margin, stepwise=is_stepwise
        )
    low, high = compute_ends(p_adjusted, 1)
    return with_difference_intervals(
        comparisons, low, high, alpha=alpha, stepwise=correction == "holm"
    )


def with_difference_intervals(
    comparisons: Sequence[Comparison],
    low: Floats,
    high: Floats,
    *,
    alpha: float,
    stepwise: bool = False,
) -> tuple[Comparison, ...]:
    """Add intervals to pairs; an end on the wrong side of 0, by the test, is moved there.

    Stepwise corrections may find a pair although its interval, from a single step, includes 0.
    """
    differences, p_adjusted = np.array(
        [(pair.difference, pair.p_adjusted) for pair in comparisons]
    ).T
    is_significant: Bools = p_adjusted <= alpha
    # If most differences are 0, so is everything between two of their means.
    low, high = (np.where(low < high, end, np.nan) for end in (low, high))
    # The interval of a pseudomedian need not contain the mean difference.
    is_positive = low + high > 0
    inner_ends = np.where(is_positive, low, -high)
    offsets = _SHARE_BEYOND_ZERO * np.minimum(
        np.abs(differences), np.where(is_positive, high, -low)
    )
    inner_ends[~is_significant] = np.minimum(inner_ends[~is_significant], 0.0)
    if not stepwise:
        inner_ends = np.where(is_significant & (inner_ends <= 0), offsets, inner_ends)
    low, high = (
        np.where(is_positive, inner_ends, low),
        np.where(is_positive, high, 0.0 - inner_ends),
    )
    rows = zip(comparisons, low.tolist(), high.tolist(), strict=True)
    return tuple(
        replace(pair, low=lower_end, high=upper_end) for pair, lower_end, upper_end in rows
    )


def with_margin_intervals(
    comparisons: Sequence[Comparison], low: Floats, high: Floats, *, margin: float, stepwise: bool
) -> tuple[Comparison, ...]:
    """Add the intervals that are compared with the margin.

    If a pair is not equivalent by its tests, which may allow for skewness, an interval within the
    margin is extended to it. Unless the correction is stepwise, the intervals of equivalent pairs
    lie within the margin.
    """
    is_equivalent = np.array([pair.verdict == "equivalent" for pair in comparisons], np.bool_)
    is_inside = (low > -margin) & (high < margin)
    is_positive, is_wider = low + high > 0, is_inside & ~is_equivalent
    low, high = (
        np.where(is_wider & ~is_positive, -margin, low),
        np.where(is_wider & is_positive, margin, high),
    )
    if not stepwise:
        inner_margin = margin * (1 - _SHARE_BEYOND_ZERO)
        low, high = (
            np.where(is_equivalent, np.clip(end, -inner_margin, inner_margin), end)
            for end in (low, high)
        )
    rows = zip(comparisons, low.tolist(), high.tolist(), strict=True)
    return tuple(replace(pair, margin_low=a, margin_high=b) for pair, a, b in rows)


def pair_interval_notes(
    comparisons: Sequence[Comparison], test: str, statistic: StatisticName, alpha: float
) -> Iterator[str]:
    """Yield notes on what the intervals estimate, if any, and where they disagree with p-values."""
    matching_test = interval_test(test, statistic)  # type: ignore[arg-type]
    if matching_test is None:
        yield (
            f"Pairs have no intervals: {test} does not estimate a difference in units of the score."
        )
    elif matching_test.test == "wilcoxon":
        yield (
            f"Intervals of pairs are for the pseudomedian of the differences, which {test} "
            "tests, not for their mean."
        )
    n_unbounded = sum(math.isnan(pair.low) and not math.isnan(pair.p) for pair in comparisons)
    if matching_test and n_unbounded:
        subject = "1 pair has" if n_unbounded == 1 else f"{n_unbounded:,} pairs have"
        yield f"{subject} no interval: differences do not vary, or topics are too few for {test}."
    n_contradicted = sum(
        pair.p_adjusted <= alpha and pair.low <= 0 <= pair.high for pair in comparisons
    )
    if n_contradicted:
        subject = (
            "1 significant pair has"
            if n_contradicted == 1
            else f"{n_contradicted:,} significant pairs have"
        )
        yield (
            f"{subject} an interval that includes 0: the intervals are single-step simultaneous "
            "intervals, while p-values are corrected stepwise."
        )
