"""Systems compared while topics arrive: intervals valid at any stopping time (--sequential)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pyramidion._types import Bools, Floats, Ints, Pairs
from pyramidion.collection import Scale, ScoreMatrix
from pyramidion.collection.matrix import topic_indices
from pyramidion.comparison._compare import (
    CompareOptions,
    build_comparisons,
    comparison_result,
    left_out_notes,
    paired_systems,
    require_comparable,
)
from pyramidion.comparison._intervals import corrected_level, with_difference_intervals
from pyramidion.comparison._result import (
    Comparison,
    ComparisonResult,
    Ranking,
    SequentialPair,
    scale_ends,
)
from pyramidion.comparison.common import places_of
from pyramidion.comparison.procedures import Correction
from pyramidion.errors import InputError
from pyramidion.questions import Options, option
from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from pyramidion.rendering.labels import counted, heading_of, with_arrow
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns
from pyramidion.stats import ConfidenceSequence, adjust_p, confidence_sequence
from pyramidion.stats.mean_intervals import MeanIntervals
from pyramidion.stats.pairs import merge_rounding_ties, noise_level

ScaleEnds = tuple[float, float]

# Panels and rows of the figure.
_MAX_PANELS, _MAX_ROWS = 8, 20


@dataclass(frozen=True, slots=True)
class SequentialOptions(Options):
    """How systems are compared while topics arrive."""

    sequential: bool = option(
        False, "Compute intervals and p-values that are valid whenever you stop, for topics that "
        "arrive one after the other in random order: you may check the result after each topic, "
        "and stop when a pair is decided.",
        flags=("--sequential",),
    )  # fmt: skip
    scale: tuple[float, ...] = option(
        (), "Lowest and highest possible score of measures whose scale is unknown. Intervals do "
        "not exceed it, and --sequential needs it.", metavar="LOW,HIGH",
    )  # fmt: skip

    def check(self) -> None:
        """Check the ends of the scale."""
        if self.scale and (len(self.scale) != 2 or not self.scale[0] < self.scale[1]):
            raise InputError("--scale needs two numbers, the lower one first", hint="such as 1,5")

    def on_scale(self, matrix: ScoreMatrix) -> ScoreMatrix:
        """Return the scores with the scale that was given, if any."""
        return replace(matrix, scale=Scale(*self.ends(matrix))) if self.scale else matrix

    def ends(self, matrix: ScoreMatrix) -> ScaleEnds:
        """Return the ends of a measure's scale, which all scores must lie between."""
        ends = (self.scale[0], self.scale[1]) if self.scale else scale_ends(matrix)
        name, values = matrix.measure, matrix.values[~np.isnan(matrix.values)]
        if ends is None:
            message = f"the scale of {name} is unknown, and --sequential needs it"
            raise InputError(
                message, hint="give the lowest and highest possible score: --scale 1,5"
            )
        values_outside = values[(values < ends[0]) | (values > ends[1])]
        if len(values_outside):
            message = (
                f"{name} has a score of {values_outside[0]:g}, outside {ends[0]:g} to {ends[1]:g}"
            )
            raise InputError(message, hint="give the ends of the scale: --scale LOW,HIGH")
        return ends


def require_sequential(options: Any, cluster: str | None, judge: str | None) -> None:
    """Raise an error for options of `compare` and `power` that have no sequential version."""
    test = options.test if isinstance(options.test, str) else options.test[0]
    unsupported_options = {
        "--model": options.model, "--margin": options.margin, "--cluster": cluster,
        "--judge": judge, "--family": getattr(options, "family", "pairs") != "pairs",
        f"--test {test}": test != "permutation",
    }  # fmt: skip
    if used_options := [name for name, value in unsupported_options.items() if value]:
        message = f"--sequential and {used_options[0]} cannot go together"
        raise InputError(message, hint="leave one of them out")


def compare_sequentially(
    matrix: ScoreMatrix, options: CompareOptions, sequential_options: SequentialOptions
) -> ComparisonResult:
    """Compare every pair by the confidence sequence of its differences."""
    require_comparable(matrix, options.baseline)
    ends, (rows, arrival_text) = sequential_options.ends(matrix), _arrival_order(matrix)
    values, correction = matrix.values[rows], _sequential_correction(options)
    means = matrix.means()
    goodness = matrix.goodness(merge_rounding_ties(means, noise_level(means)))
    ranking = Ranking(means, goodness, np.ones(len(means), np.int64))
    pairs = paired_systems(matrix, ranking.order, options.baseline)
    differences = [values[:, a] - values[:, b] for a, b in pairs.tolist()]
    level = corrected_level(np.ones(len(pairs)), options.alpha, correction)
    sequences = _confidence_sequences(differences, ends, level)
    p_adjusted = _adjust_p_values(sequences, differences, correction)
    if correction == "bh":
        level = corrected_level(p_adjusted[-1], options.alpha, correction)
        sequences = _confidence_sequences(differences, ends, level)
    comparisons = _build_pairs(matrix, pairs, sequences, p_adjusted[-1], options)
    system_sequences = _confidence_sequences(
        list(values.T), ends, 1 - options.confidence_level, are_differences=False
    )
    low, high = np.array([(s.low[-1], s.high[-1]) for s in system_sequences if s]).T
    result = comparison_result(
        matrix, ranking, comparisons, MeanIntervals(means, low, high, "betting"),
        replace(options, correction=correction), test="sequential", interval_method="betting",
        left_out=tuple(left_out_notes(matrix, "sequential", comparisons)),
    )  # fmt: skip
    decided_after = _decided_after(p_adjusted <= options.alpha)
    topics = [matrix.topics[row] for row in rows]
    sequential_pairs = tuple(
        _sequential_pair(result, pair, pair_sequence, topics, pair_differences, n_decided)
        for pair, pair_sequence, pair_differences, n_decided in zip(
            comparisons, sequences, differences, decided_after, strict=True
        )
    )
    notes = (*_stopping_notes(result, sequential_pairs, arrival_text), *result.notes)
    return replace(result, sequence=sequential_pairs, notes=notes)


def _sequential_correction(options: CompareOptions) -> Correction:
    """Return the correction; max-T needs a fixed number of topics, and Holm's replaces it."""
    return options.correction if options.correction in ("bh", "none") else "holm"


def _arrival_order(matrix: ScoreMatrix) -> tuple[Ints, str]:
    """Return the topics in order of arrival, and the source of that order.

    A topic has arrived when its last score has.
    """
    scores = matrix.rows
    if scores is None:
        return np.arange(len(matrix.topics)), "in the order of the table"
    topic_codes = topic_indices(scores, matrix.topics)
    system_codes = places_of(scores.columns["system"], matrix.systems)
    complete_rows = np.flatnonzero((topic_codes >= 0) & (system_codes >= 0))
    times = scores.columns["time"][complete_rows]
    if all(times):
        last_times: dict[int, str] = {}
        for row, time in zip(topic_codes[complete_rows].tolist(), times.tolist(), strict=True):
            last_times[row] = max(last_times.get(row, ""), time)
        time_order = sorted(last_times, key=lambda row: (last_times[row], row))
        return np.array(time_order), "by the time of their last score"
    return np.array(
        list(dict.fromkeys(topic_codes[complete_rows].tolist()))
    ), "in the order of the table"


def _confidence_sequences(
    values: Sequence[Floats], ends: ScaleEnds, level: float, *, are_differences: bool = True
) -> list[ConfidenceSequence | None]:
    """Return the confidence sequences of the values that are not missing."""
    scale_width = ends[1] - ends[0]
    bounds, null_mean = (
        ((-scale_width, scale_width), 0.0) if are_differences else (ends, sum(ends) / 2)
    )
    known_columns = [column[~np.isnan(column)] for column in values]
    return [
        confidence_sequence(column, bounds=bounds, null=null_mean, confidence_level=1 - level)
        if len(column)
        else None
        for column in known_columns
    ]


def _adjust_p_values(
    sequences: Sequence[ConfidenceSequence | None],
    differences: Sequence[Floats],
    correction: Correction,
) -> Floats:
    """Return the corrected p-values after each topic: topics x pairs.

    Holm's correction of p-values that hold at any time holds at any time; so does that of
    Benjamini and Hochberg for one over the present e-values (e-BH), however pairs depend.
    """
    p = np.ones((len(differences[0]), len(sequences)))
    for column, (sequence, values) in enumerate(zip(sequences, differences, strict=True)):
        if sequence is None:
            p[:, column] = np.nan
            continue
        n_seen = np.cumsum(~np.isnan(values))
        numbers = np.exp(-np.maximum(sequence.log_e, 0)) if correction == "bh" else sequence.p
        p[n_seen > 0, column] = numbers[n_seen[n_seen > 0] - 1]
    return np.array([adjust_p(row, method=correction) for row in p])  # type: ignore[arg-type]


def _decided_after(is_significant: Bools) -> list[int]:
    """Return the number of topics after which each pair stays significant; 0 if it is not."""
    n_topics = len(is_significant)
    undecided_for = np.argmax(~is_significant[::-1], axis=0)
    undecided_for[is_significant.all(axis=0)] = n_topics
    return np.where(is_significant[-1], n_topics - undecided_for + 1, 0).tolist()  # type: ignore[no-any-return]


def _build_pairs(
    matrix: ScoreMatrix,
    pairs: Pairs,
    sequences: Sequence[ConfidenceSequence | None],
    p_adjusted: Floats,
    options: CompareOptions,
) -> tuple[Comparison, ...]:
    """Return the pairs as they are after the last topic."""
    pair_values = np.full((7, len(pairs)), np.nan)
    for column, sequence in enumerate(sequences):
        if sequence is not None:
            a, b = matrix.values[:, pairs[column, 0]], matrix.values[:, pairs[column, 1]]
            spread = float(np.nanstd(a - b, ddof=1)) if len(sequence.mean) > 1 else 0.0
            mean = float(sequence.mean[-1])
            pair_values[:, column] = (
                len(sequence.mean), mean, sequence.log_e[-1] / math.log(10), sequence.p[-1],
                mean / spread if spread > 0 else math.nan, sequence.low[-1], sequence.high[-1],
            )  # fmt: skip
    n, difference, statistic, p, effect, low, high = pair_values
    counts = np.nan_to_num(n).astype(np.int64)
    notes = np.where(counts > 0, "", "no shared topic").tolist()
    comparisons = build_comparisons(
        matrix, pairs, counts, difference, statistic, p, p_adjusted, effect, notes=notes
    )
    is_stepwise = options.correction not in ("bh", "none")
    return with_difference_intervals(
        comparisons, low, high, alpha=options.alpha, stepwise=is_stepwise
    )


def _sequential_pair(
    result: ComparisonResult,
    pair: Comparison,
    sequence: ConfidenceSequence | None,
    topics: Sequence[str],
    differences: Floats,
    n_decided: int,
) -> SequentialPair:
    """Return the interval of a pair after each topic, and whether to stop."""
    worse_system = pair.b if result.favors(pair) == pair.a else pair.a
    decision = f"stop: {worse_system} is worse" if result.significant(pair) else "go on"
    if sequence is None:
        return SequentialPair(pair.a, pair.b, 0, math.nan, None, "go on", (), (), (), ())
    seen_rows = np.flatnonzero(~np.isnan(differences)).tolist()
    columns = (tuple(ends.tolist()) for ends in (sequence.mean, sequence.low, sequence.high))
    e_value = math.exp(min(float(sequence.log_e[-1]), 700.0))
    topic_names = tuple(topics[row] for row in seen_rows)
    return SequentialPair(
        pair.a, pair.b, pair.n, e_value, n_decided or None, decision, topic_names, *columns
    )


def _stopping_notes(
    result: ComparisonResult, sequence: Sequence[SequentialPair], arrival_text: str
) -> Iterator[str]:
    """Yield whether to stop, and what is assumed."""
    topics = max(pair.n for pair in sequence)
    if len(sequence) == 1:
        n_decided = sequence[0].decided_after
        decision_text = f"{sequence[0].decision}, decided after {n_decided or 0} of {topics} topics"
        go_on_text = f"go on: {counted(topics, 'topic')} do not show a difference yet"
        text = decision_text if n_decided else go_on_text
    else:
        n_decided_pairs = sum(pair.decided_after is not None for pair in sequence)
        verb = "is" if n_decided_pairs < 2 else "are"
        text = f"{n_decided_pairs or 'none'} of {len(sequence):,} pairs {verb} decided; "
        go_on_text = "go on for the others, or stop at any time" if n_decided_pairs else "go on"
        text += go_on_text if n_decided_pairs < len(sequence) else "stop"
    yield f"{text[0].upper()}{text[1:]}."
    yield (
        f"Topics are taken {arrival_text}. Intervals and p-values hold at every number of topics "
        "if the order is random."
    )


SEQUENCE_VIEW: View[SequentialPair] = View(
    "sequence",
    (
        *columns("a", "b", n="topics"),
        Column("e_value", "e-value", show=lambda pair: f"{pair.e_value:.3g}"),
        Column("decided_after", "decided after"),
        Column("decision", "decision"),
    ),
)


def sequence_table(result: ComparisonResult) -> Table:
    """Show which pairs are decided, and after how many topics."""
    note = (
        "The e-value is the evidence for a difference: a gambler's capital, which starts at 1. "
        "A pair that is decided may be dropped; all decisions are right with "
        f"{1 - result.alpha:.0%} confidence."
    )
    if result.correction == "bh":
        note = (
            "The e-value is the evidence for a difference: a gambler's capital, which starts at 1."
        )
    key = (("task", result.task), ("measure", result.measure))
    title = f"Whether to stop, by {with_arrow(result.measure, result.direction)}"
    return SEQUENCE_VIEW.table(result.sequence, title, note, key=key)


def sequence_picture(result: ComparisonResult) -> Picture:
    """Draw the intervals of the main pairs as topics arrive, the first on top."""
    path_by_pair = {(pair.a, pair.b): pair for pair in result.sequence}
    main_paths = [path_by_pair[pair.a, pair.b] for pair in result.main_pairs()] or list(
        result.sequence
    )
    panels = []
    for pair in [pair for pair in main_paths if pair.n][:_MAX_PANELS]:
        topic_counts = np.unique(np.linspace(1, pair.n, min(pair.n, _MAX_ROWS)).round().astype(int))
        rows = (
            PanelRow(str(n_topics), pair.mean[n_topics - 1], pair.low[n_topics - 1],
                pair.high[n_topics - 1],
                     soft=not pair.decided_after or n_topics < pair.decided_after)
            for n_topics in topic_counts.tolist()
        )  # fmt: skip
        panels.append(RowPanel(f"{pair.a} − {pair.b}", tuple(rows)))
    excerpt_note = f"{len(panels)} of {len(result.sequence):,} pairs, " * (
        len(panels) < len(result.sequence)
    )
    return row_panels_picture(
        panels, title=heading_of("Intervals as topics arrive", result.measure, result.task),
        note=f"{excerpt_note}rows: number of topics; blue where the pair is decided; "
        f"α = {result.alpha:g}",
        label="difference", mark_kind="points",
    )  # fmt: skip
