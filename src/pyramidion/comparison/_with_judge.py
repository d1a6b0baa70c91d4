"""Systems compared by few human scores and many of a judge (prediction-powered inference)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from pyramidion._types import Floats, Ints, Pairs
from pyramidion.collection import INCLUSION, ScoreMatrix
from pyramidion.collection.ids import brief_list
from pyramidion.comparison._compare import (
    CompareOptions,
    build_comparisons,
    comparison_result,
    left_out_notes,
    paired_systems,
    require_comparable,
)
from pyramidion.comparison._intervals import (
    corrected_level,
    t_interval_ends,
    with_difference_intervals,
)
from pyramidion.comparison._result import (
    Comparison,
    ComparisonResult,
    JudgedSystem,
    Ranking,
    interval_notes,
    judged_scale,
    mean_intervals,
    rating_width,
    scale_ends,
)
from pyramidion.comparison.common import ratios
from pyramidion.comparison.measure_tables import ClusteredInput, spread_over
from pyramidion.comparison.topic_choice import unequal_probabilities
from pyramidion.errors import InputError, NotFoundError
from pyramidion.rendering.labels import counted
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import View, columns
from pyramidion.stats import (
    CalibrationMethod,
    PredictionPowered,
    adjust_p,
    calibrate_judge,
    prediction_powered_differences,
    prediction_powered_means,
    topics_of_both,
)
from pyramidion.stats._prediction_powered import MIN_TOPICS
from pyramidion.stats.mean_intervals import MeanIntervals, ScaleEnds, rating_scale
from pyramidion.stats.pairs import merge_rounding_ties, noise_level

# From this number of human topics on, intervals hold for any judge.
_MIN_TOPICS = 20
_N_DRAWS = 20_000
_TOO_FEW_TOPICS = "fewer than two shared topics"
_TOO_FEW_CLUSTERS = "fewer than two shared clusters of topics"
_NO_SPREAD = "no spread: every difference is the same"

JUDGED_VIEW: View[JudgedSystem] = View(
    "judge",
    columns(
        "system", topics="human topics", judge_topics="judge only", human="people", human_low="low",
        human_high="high", mean="both", low="both low", high="both high", weight="weight",
        effective="worth topics", effective_uncalibrated="worth uncalibrated",
        naive="judge alone", naive_low="judge low",
        naive_high="judge high", bias="bias", coverage="judge holds",
    ),
    digits=3,
)  # fmt: skip


def judge_matrices(source: ClusteredInput, human: str, judge: str) -> list[ScoreMatrix]:
    """Read a judge's scores: of a measure, or of a model that judged the human measure."""
    for name in (f"{human}@{judge}", judge):
        try:
            return replace(source, measures=(name,)).read()[1]
        except NotFoundError:
            if name == judge:
                raise
    return []


def aligned_scores(human: ScoreMatrix, judge: ScoreMatrix) -> tuple[Floats, Floats, ScoreMatrix]:
    """Align human and judge scores on the union of topics and the systems they share."""
    systems = [name for name in human.systems if name in judge.systems]
    if len(systems) < 2:
        message = f"{human.measure} and {judge.measure} share {counted(len(systems), 'system')}"
        raise InputError(message, hint="people and the judge must score the same systems")
    topics = list(dict.fromkeys((*human.topics, *judge.topics)))
    human_values, judge_values = (spread_over(matrix, topics, systems) for matrix in (human, judge))
    return human_values, judge_values, human.take(systems=systems)


def _cluster_codes(human: ScoreMatrix, judge: ScoreMatrix) -> Ints | None:
    """Return the numbers of the clusters of all topics, in the order of `aligned_scores`."""
    if not human.clusters:
        return None
    pairs = (zip(matrix.topics, matrix.clusters, strict=True) for matrix in (human, judge))
    codes = np.unique(list(dict(chain(*pairs)).values()), return_inverse=True)[1]
    if not codes.any():
        message = f"all topics of {human.measure} are in one cluster, {human.clusters[0]}"
        raise InputError(message, hint="name a column with several values, or leave out --cluster")
    return codes.astype(np.int64)


def compare_with_judge(
    human: ScoreMatrix,
    judge: ScoreMatrix,
    options: CompareOptions,
    calibrate: CalibrationMethod | None = None,
) -> ComparisonResult:
    """Compare systems by people's scores, made more precise by a judge's."""
    if options.margin is not None or options.model:
        raise InputError("--judge does not support --margin or --model", hint="leave them out")
    human_values, judge_values, matrix = aligned_scores(human, judge)
    clusters, probability_by_topic = _cluster_codes(human, judge), unequal_probabilities(human)
    topics = dict.fromkeys((*human.topics, *judge.topics))
    probabilities = (
        np.array([probability_by_topic.get(t, np.nan) for t in topics])
        if probability_by_topic
        else None
    )
    too_few_reason = _TOO_FEW_TOPICS if clusters is None else _TOO_FEW_CLUSTERS
    is_undefined = topics_of_both(human_values, judge_values, clusters) < 2
    dropped_systems = [matrix.systems[column] for column in np.flatnonzero(is_undefined)]
    n_unscored = int((~np.isnan(human_values) & np.isnan(judge_values)).sum())
    if len(dropped_systems) == len(matrix.systems):
        hint = "label at least 2, better 20"
        raise InputError(
            f"{matrix.measure} has {too_few_reason} of people and {judge.measure}", hint
        )
    if dropped_systems:
        matrix = matrix.take(
            systems=[name for name in matrix.systems if name not in dropped_systems]
        )
        human_values, judge_values = human_values[:, ~is_undefined], judge_values[:, ~is_undefined]
    require_comparable(matrix, options.baseline)
    uncalibrated_tables = [judge_values] if calibrate else []
    if calibrate:
        judge_values = calibrate_judge(human_values, judge_values, calibrate, clusters)
    estimates = prediction_powered_means(human_values, judge_values, clusters, probabilities)
    level = options.confidence_level
    human_intervals = mean_intervals(matrix, confidence_level=level)
    ends = _scale_ends(human, judge, human_intervals)
    width = rating_width(matrix, ends)
    scale = None if width is None else ends
    human_rows, combined_rows = (
        np.array([(getattr(e, name), *method(e, level, scale)) for e in estimates]).T
        for name, method in (("human_mean", PredictionPowered.human_interval),
                             ("mean", PredictionPowered.interval))
    )  # fmt: skip
    means, low, high = np.clip(combined_rows, *ends)
    goodness = matrix.goodness(merge_rounding_ties(means, noise_level(means)))
    ranking = Ranking(means, goodness, np.ones(len(means), np.int64))
    pairs = paired_systems(matrix, ranking.order, options.baseline)
    difference_estimates = prediction_powered_differences(
        human_values, judge_values, pairs, clusters, probabilities, width=width
    )
    comparisons = _build_pairs(matrix, pairs, difference_estimates, options, ends[1] - ends[0])
    uncalibrated_estimates = [(prediction_powered_means(human_values, table, clusters,
        probabilities),
               prediction_powered_differences(human_values, table, pairs, clusters, probabilities,
                                              width=width))
              for table in uncalibrated_tables]  # fmt: skip
    rows = []
    for column in ranking.order:
        e, human_fields = estimates[column], np.clip(human_rows[:, column], *ends).tolist()
        fields: list[float] = [
            *human_fields, *(float(values[column]) for values in (means, low, high)), e.weight,
            e.effective_n, e.judge_mean, *e.judge_interval(level), e.bias, e.judge_coverage(level),
            *(mean_estimates[column].effective_n for mean_estimates, _ in uncalibrated_estimates),
        ]  # fmt: skip
        rows.append(JudgedSystem(matrix.systems[column], e.n, e.n_judge, *fields))
    return comparison_result(
        matrix, ranking, comparisons, MeanIntervals(means, low, high, "t"), options, test="ppi",
        clusters=0 if clusters is None else 1 + int(clusters.max()),
        left_out=(
            *left_out_notes(matrix, "ppi", comparisons),
            *[f"{n_unscored} human scores without a score of {judge.measure}"] * bool(n_unscored),
            *(f"{name}: {too_few_reason} of people and {judge.measure}"
                for name in dropped_systems),
        ),
        notes=(
            *_judge_notes(
                judge.measure, [(estimates, difference_estimates), *uncalibrated_estimates]
            ),
            *_weights_note(list(probability_by_topic.values())),
            *_reversed_pairs_note(matrix, comparisons, options),
            *_unknown_scale_note(matrix, ends),
            *interval_notes(matrix, human_intervals),
        ),
        judge=tuple(rows),
    )  # fmt: skip


def _scale_ends(human: ScoreMatrix, judge: ScoreMatrix, intervals: MeanIntervals) -> ScaleEnds:
    """Return the ends of people's scale; infinite if they are unknown.

    If the scale is undeclared, human and judge ratings together reveal more of it than a few human
    ratings alone.
    """
    human_scale, judge_scale = judged_scale(human), judged_scale(judge)
    if scale_ends(human) is None and human_scale and judge_scale:
        shared_scale = rating_scale(np.array([human_scale, judge_scale]))
        if shared_scale:
            return shared_scale
    # If all human scores are shares, others probably are, too.
    are_shares = np.nanmin(human.values) >= 0 and np.nanmax(human.values) <= 1
    return intervals.scale or ((0.0, 1.0) if are_shares else (-np.inf, np.inf))


def _unknown_scale_note(matrix: ScoreMatrix, ends: ScaleEnds) -> Iterator[str]:
    if np.isinf(ends).any():
        yield (
            f"The scale of {matrix.measure} is unknown, so intervals may extend beyond it; state "
            "it with --scale LOW,HIGH."
        )


def _weights_note(probabilities: Sequence[float]) -> Iterator[str]:
    if probabilities:
        yield (
            f"Human topics were chosen with probabilities from {min(probabilities):.2g} to "
            f"{max(probabilities):.2g} (column `{INCLUSION}`) and are weighted by their inverse."
        )


def _reversed_pairs_note(
    matrix: ScoreMatrix, comparisons: Sequence[Comparison], options: CompareOptions
) -> Iterator[str]:
    """Yield the pairs whose difference and means have opposite signs."""
    sign = -1 if matrix.lower_is_better else 1
    reversed_pairs = [
        f"{pair.a} and {pair.b}"
        for pair in comparisons
        if options.baseline is None and pair.difference * sign < 0
    ]
    if reversed_pairs:
        yield (
            f"The difference of {counted(len(reversed_pairs), 'pair')} contradicts the ranking: "
            f"{brief_list(reversed_pairs)}. Differences weight the judge differently than means "
            f"do, and use the topics of both systems; for pairs, trust the differences."
        )


def _build_pairs(
    matrix: ScoreMatrix,
    pairs: Pairs,
    difference_estimates: Sequence[PredictionPowered | None],
    options: CompareOptions,
    max_difference: float,
) -> tuple[Comparison, ...]:
    """Test each difference with a t test, and correct for multiple comparisons.

    No difference exceeds the width of the scale, so intervals do not, either.
    """
    from scipy.special import stdtr

    estimates = [e for e in difference_estimates if e is not None]
    rows = [e is not None for e in difference_estimates]
    pair_values, intervals_by_end = (
        np.full((5, len(difference_estimates)), np.nan),
        np.full((2, len(difference_estimates)), np.nan),
    )
    if estimates:
        columns = [(e.mean, e.error, e.df, e.human_error, e.unseen, e.n) for e in estimates]
        means, errors, df, human_errors, unseen_variances, n = np.array(columns).T
        spreads = np.sqrt(n * np.maximum(human_errors**2 - unseen_variances, 0.0))
        # If nothing varies or differs, t is 0, as in a paired test.
        t = ratios(means, errors)
        t[~(errors > 0) & (means == 0)] = 0.0
        p = 2 * stdtr(df, -np.abs(t))
        if options.correction in ("holm", "bh", "none"):
            p_adjusted = adjust_p(p, method=options.correction)
            level = corrected_level(p_adjusted, options.alpha, options.correction)
        else:
            influence = np.array([e.influence for e in estimates])
            p_adjusted, level = _max_t_p(influence, p, options.seed, options.alpha)
        intervals_by_end[:, rows] = np.clip(
            t_interval_ends(means, errors, df, level), -max_difference, max_difference
        )
        pair_values[:, rows] = means, t, p, p_adjusted, ratios(means, spreads)
    notes = np.where(pair_values[1] == 0, "no difference on average", "").astype(object)
    notes[np.isnan(pair_values[1])] = _NO_SPREAD
    notes[np.isnan(pair_values[0])] = _TOO_FEW_TOPICS
    n_shared = np.array([e.n if e else 0 for e in difference_estimates])
    comparisons = build_comparisons(matrix, pairs, n_shared, *pair_values, notes=notes.tolist())
    is_stepwise = options.correction == "holm"
    return with_difference_intervals(
        comparisons,
        intervals_by_end[0],
        intervals_by_end[1],
        alpha=options.alpha,
        stepwise=is_stepwise,
    )


def _max_t_p(influence: Floats, p: Floats, seed: int, alpha: float) -> tuple[Floats, float]:
    """Correct p-values by the largest of all statistics, simulated from topic influences.

    Return also the level that p must reach to be significant.
    """
    from scipy.special import ndtr, ndtri

    norms = np.sqrt((influence**2).sum(axis=1, keepdims=True))
    standardized = np.divide(influence, norms, out=np.zeros_like(influence), where=norms > 0)
    rng, max_statistics = np.random.default_rng(seed), np.empty(_N_DRAWS)
    for start in range(0, _N_DRAWS, 2000):
        statistics = rng.standard_normal((2000, influence.shape[1])) @ standardized.T
        max_statistics[start : start + 2000] = np.abs(statistics).max(axis=1)
    # The normal quantile with the same p-value as the t statistic.
    reached_statistics = -ndtri(np.maximum(p, 1e-300) / 2)
    max_statistics.sort()
    n_above = _N_DRAWS - np.searchsorted(max_statistics, reached_statistics - 1e-12)
    level = min(alpha, 2 * float(ndtr(-max_statistics[-math.floor(alpha * (_N_DRAWS + 1))])))
    return np.where(np.isnan(p), np.nan, np.maximum(p, (n_above + 1) / (_N_DRAWS + 1))), level


_Estimates = tuple[Sequence[PredictionPowered], Sequence[PredictionPowered | None]]


def _topic_value(estimates: Sequence[PredictionPowered | None]) -> float:
    """Return how many human-judged topics each one is worth with the judge's help.

    This is the human-only variance divided by the combined variance.
    """
    known_estimates = [e for e in estimates if e is not None]
    human_variance, combined_variance = (sum(e**2 for e in errors) for errors in (
        [e.human_error for e in known_estimates], [e.error for e in known_estimates]))  # fmt: skip
    return human_variance / combined_variance if combined_variance else 1.0


def _judge_notes(judge: str, estimates_by_calibration: Sequence[_Estimates]) -> Iterator[str]:
    """Yield how much the judge helped, and how much it would without calibration."""
    (estimates, difference_estimates), *uncalibrated_estimates = estimates_by_calibration
    topic_counts, judge_counts = (
        [getattr(e, name) for e in estimates] for name in ("n", "n_judge")
    )
    n_units, extra_topics = min(e.units for e in estimates), max(judge_counts)
    calibration_note = "".join(
        f"; without calibration as {_topic_value(means):.2f} and {_topic_value(differences):.2f}"
        for means, differences in uncalibrated_estimates
    )
    yield (
        f"Human scores on {_format_range(topic_counts)} topics and those of {judge} on "
        f"{_format_range(judge_counts)} more: each human topic counts as "
        f"{_topic_value(estimates):.2f} for means and "
        f"{_topic_value(difference_estimates):.2f} for differences{calibration_note}."
    )
    if len({*topic_counts}) > 1:
        yield (
            "Scores are missing: each mean is over the topics that the system has, so easy topics "
            "may give it a high rank; pairs are compared on shared topics."
        )
    if not extra_topics:
        yield f"People judged all topics of {judge}, so it adds nothing."
    unit = "clusters" if estimates[0].units < estimates[0].n else "topics"
    if n_few := sum(e.units < MIN_TOPICS and e.n_judge > 1 for e in estimates):
        yield (
            f"The judge is not used for {n_few} of {len(estimates)} systems: people judged fewer "
            f"than {MIN_TOPICS} of their {unit}."
        )
    if n_units < _MIN_TOPICS:
        yield f"With fewer than {_MIN_TOPICS} {unit} judged by people, the intervals are rough."


def _format_range(counts: Sequence[int]) -> str:
    low, high = min(counts), max(counts)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def judge_table(result: ComparisonResult) -> Table:
    """Show means by people, by people and judge, and by the judge alone."""
    note = (
        "Both: people's mean, adjusted by the judge's scores on further topics, weighted by how "
        "well it predicts people. Worth topics: the number that people alone would have to judge. "
        f"Judge holds: how often the judge's own {result.confidence_level:.0%} interval would hold "
        "with its estimated bias."
    )
    title = f"People, and the judge, by {result.measure}"
    key = (("task", result.task), ("measure", result.measure))
    is_uncalibrated = all(math.isnan(row.effective_uncalibrated) for row in result.judge)
    hidden_columns = ("worth uncalibrated",) if is_uncalibrated else ()
    return JUDGED_VIEW.table(result.judge, title, note, key=key, exclude=hidden_columns)
