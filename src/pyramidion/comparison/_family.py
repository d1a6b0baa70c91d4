"""Correction for the pairs of several measures and tasks together."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from pyramidion._types import Floats, Ints, Pairs
from pyramidion.collection import ScoreMatrix
from pyramidion.comparison._assessors import adjusted_for_assessors
from pyramidion.comparison._compare import (
    CompareOptions,
    ResamplingOptions,
    apply_max_t,
    apply_test,
    compare_matrix,
    few_topics_note,
    has_single_test,
    pair_counts,
    with_verdicts,
)
from pyramidion.comparison._intervals import with_intervals, with_model_intervals
from pyramidion.comparison._result import (
    LESS_THAN_MARGIN_NOTE,
    Comparison,
    ComparisonResult,
    groups_of,
    limit_to_scale,
    ranking_notes,
)
from pyramidion.comparison.common import numbered
from pyramidion.comparison.procedures import (
    MAX_T,
    RESAMPLING_TESTS,
    STATISTIC_TESTS,
    Correction,
    CorrectionName,
    TestName,
    effective_correction,
)
from pyramidion.stats import adjust_p, least_resamples
from pyramidion.stats.pairs import Mapper


def compare_family(
    matrices: Sequence[ScoreMatrix], options: CompareOptions, test: TestName, mapper: Mapper = map
) -> list[ComparisonResult]:
    """Compare the systems of each matrix; p-values are corrected for the pairs of all of them."""
    system_counts = [len(matrix.systems) for matrix in matrices]
    n_pairs = sum(n - 1 if options.baseline else n * (n - 1) // 2 for n in system_counts)
    correction = _family_correction(matrices, options, test)
    if len(matrices) == 1 or correction == "none":
        return [compare_matrix(matrix, options, test=test, mapper=mapper) for matrix in matrices]
    resampling_options = options
    if not options.model:
        matrices = [adjusted_for_assessors(matrix) for matrix in matrices]
    if not options.model and (options.margin or correction in ("holm", "bh")):
        min_resamples = least_resamples(n_pairs, options.alpha)
        resampling_options = replace(options, n_resamples=max(options.n_resamples, min_resamples))
    results = [
        compare_matrix(matrix, resampling_options, test=test, mapper=mapper) for matrix in matrices
    ]
    pairs = [pair for result in results for pair in result.comparisons]
    p, cutoff = np.array([pair.p for pair in pairs]), math.nan
    if correction in ("holm", "bh", "none"):
        p_adjusted = adjust_p(p, method=correction)
    elif has_single_test(p):
        p_adjusted = p
    else:
        # No correction makes p smaller, or defines what is undefined for the measure alone.
        joint_p, cutoff = _joint_max_t(matrices, results, resampling_options, test, mapper)
        p_adjusted = np.maximum(p, joint_p)
        p_adjusted[[math.isnan(pair.p_adjusted) for pair in pairs]] = np.nan
    corrected_comparisons = tuple(
        replace(pair, p_adjusted=p, note=_corrected_note(pair, p))
        for pair, p in zip(pairs, p_adjusted.tolist(), strict=True)
    )
    if options.margin is not None:
        corrected_comparisons = with_verdicts(
            corrected_comparisons,
            np.array([pair.p_equivalence for pair in corrected_comparisons]),
            options,
        )
    if options.model:
        corrected_comparisons = with_model_intervals(corrected_comparisons, results, correction)
    else:
        corrected_options = replace(options, correction=correction)
        matrix_pairs = [
            (m, _pair_columns(m, result)) for m, result in zip(matrices, results, strict=True)
        ]
        corrected_comparisons = with_intervals(
            corrected_comparisons, matrix_pairs, test, corrected_options, cutoff
        )
    pair_ends = np.cumsum([len(result.comparisons) for result in results]).tolist()
    note = f"Corrected for the {n_pairs:,} pairs of {len(matrices)} measures and tasks together."
    if test in RESAMPLING_TESTS and resampling_options.n_resamples > options.n_resamples:
        resamples_text = f"{resampling_options.n_resamples:,}"
        note += f" Resamples were raised to {resamples_text} for this number of pairs."
    return [
        _update_result(matrix, result, corrected_comparisons[end - len(result.comparisons) : end],
                         correction, note)
        for matrix, result, end in zip(matrices, results, pair_ends, strict=True)
    ]  # fmt: skip


def _family_correction(
    matrices: Sequence[ScoreMatrix], options: CompareOptions, test: TestName
) -> Correction:
    """Return the correction; Holm's if measures have no resamples in common."""
    correction = effective_correction(options.correction, test)
    # Whole clusters can be drawn only if all measures have all topics.
    is_separate = len({matrix.topics for matrix in matrices}) > 1 and bool(matrices[0].clusters)
    if correction in MAX_T and (
        options.model or test == "kruskal" or (test == "hb" and is_separate)
    ):
        return "holm"
    return correction


def _joint_max_t(
    matrices: Sequence[ScoreMatrix],
    results: Sequence[ComparisonResult],
    options: CompareOptions,
    test: TestName,
    mapper: Mapper,
) -> tuple[Floats, float]:
    """Compare each pair with the largest statistic of all matrices after the same resamples.

    Return corrected p-values, and what the largest statistic must exceed.
    """
    # A difference of 0 adds nothing to sums and has no rank, so it can replace a missing one.
    is_zero_neutral = test not in STATISTIC_TESTS or (test == "mc" and options.statistic == "w")
    values, pairs, codes = join_matrices(
        matrices, results, absent_value=0.0 if is_zero_neutral else math.nan
    )
    resampling = ResamplingOptions(
        options.n_resamples, options.statistic, options.seed, options.continuity,
        step_down=options.correction == "maxt", clusters=codes, mapper=mapper, alpha=options.alpha,
    )  # fmt: skip
    run_test = apply_test if test in RESAMPLING_TESTS else apply_max_t
    pair_tests = run_test(values, pairs, test, resampling)
    assert pair_tests.p_max_t is not None
    return pair_tests.p_max_t, pair_tests.cutoff


def _pair_columns(matrix: ScoreMatrix, result: ComparisonResult) -> Pairs:
    """Return the columns of each pair of a result."""
    column_by_system = numbered(matrix.systems)
    return np.array(
        [(column_by_system[pair.a], column_by_system[pair.b]) for pair in result.comparisons],
        np.intp,
    )


def join_matrices(
    matrices: Sequence[ScoreMatrix], results: Sequence[ComparisonResult], *, absent_value: float
) -> tuple[Floats, Pairs, Ints | None]:
    """Join matrices, one row per topic, with `absent_value` where a measure lacks it.

    A topic has one sign for all measures and tasks, which is sound even if they are unrelated:
    symmetric differences stay symmetric when all change their sign.
    """
    keys_by_matrix = [list(zip(m.topics, m.clusters or m.topics, strict=True)) for m in matrices]
    row_by_topic = numbered(dict.fromkeys(chain(*keys_by_matrix)))
    values = np.full((len(row_by_topic), sum(len(m.systems) for m in matrices)), absent_value)
    pairs: list[list[int]] = []
    start = 0
    for matrix, topic_keys, result in zip(matrices, keys_by_matrix, results, strict=True):
        stop = start + len(matrix.systems)
        # A power of two is exact, and keeps one measure's rounding from swamping another.
        _, exponent = math.frexp(float(np.nanmax(np.abs(matrix.values), initial=0.0)))
        values[[row_by_topic[key] for key in topic_keys], start:stop] = np.ldexp(
            matrix.values, -exponent
        )
        pairs += (start + _pair_columns(matrix, result)).tolist()
        start = stop
    codes = None
    if matrices[0].clusters:
        codes = np.unique([cluster for _, cluster in row_by_topic], return_inverse=True)[1]
    return values, np.array(pairs, dtype=np.intp), codes


def _corrected_note(pair: Comparison, p_adjusted: float) -> str:
    """Return a pair's note; max-T of all pairs may be undefined where a single pair needs none."""
    note = "" if pair.note == LESS_THAN_MARGIN_NOTE else pair.note
    return note or few_topics_note(pair.n) if math.isnan(p_adjusted) else note


def _update_result(
    matrix: ScoreMatrix,
    result: ComparisonResult,
    pairs: tuple[Comparison, ...],
    correction: CorrectionName,
    note: str,
) -> ComparisonResult:
    """Replace a result's corrected p-values, and update everything that depends on them."""
    systems, alpha = result.systems, result.alpha
    pairs = limit_to_scale(matrix, pairs, result.test)
    if result.baseline is None:
        letters, groups = groups_of([system.system for system in systems], pairs, alpha)
        systems = tuple(
            replace(system, group=letters[system.system], cluster=groups[system.system])
            for system in systems
        )
    old_notes = set(ranking_notes(result))
    corrected_result = replace(
        result, family="measures", correction=correction, comparisons=pairs, systems=systems,
        **pair_counts(matrix, pairs, alpha),
        notes=(*(line for line in result.notes if line not in old_notes), note),
    )  # fmt: skip
    return replace(
        corrected_result, notes=(*corrected_result.notes, *ranking_notes(corrected_result))
    )
