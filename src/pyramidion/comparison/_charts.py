"""Charts of a comparison: ranking, pairs, wins, scores, topics."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import ScoreMatrix
from pyramidion.collection.ids import natural_order
from pyramidion.comparison._result import ComparisonResult, Ranking, SystemResult
from pyramidion.comparison.common import known_means
from pyramidion.comparison.procedures import CORRECTION_TEXTS, STATISTIC_NAMES, describe_test
from pyramidion.errors import InputError, NotFoundError, known_names
from pyramidion.rendering.charts.bars import BarPart, bars_picture
from pyramidion.rendering.charts.layout import LABEL_GAP, label_size, row_pitch, text_width
from pyramidion.rendering.charts.picture import KeyEntry, Mark, Picture, Text, Tiles, row_names
from pyramidion.rendering.charts.rows import KIND_STYLES, Rows, rows_picture
from pyramidion.rendering.charts.tiles import (
    PairArrays,
    cluster_ends,
    name_space,
    pairs_picture,
    square_pairs,
    tile_marks,
)
from pyramidion.rendering.labels import counted, heading_of, short_name, short_names, with_arrow

if TYPE_CHECKING:
    from pyramidion.stats.multiple_comparisons import PairComparisons


def tukey_picture(
    comparisons: "PairComparisons",
    names: Sequence[str],
    *,
    marked_name: str | None = None,
    measure: str = "",
    task: str = "",
    estimate: str = "mean rank",
    test: str = "Tukey's test of mean ranks",
) -> Picture:
    """Draw comparison intervals, and mark those that do not overlap a chosen group's.

    Groups whose intervals do not overlap differ significantly. By default the chosen group is the
    one with the lowest estimate.
    """
    if np.isnan(comparisons.half_widths).any():
        reason = comparisons.note or "not all pairs were compared"
        raise InputError(f"there are no intervals to draw ({reason})", hint="compare all pairs")
    if marked_name is not None and marked_name not in names:
        raise NotFoundError(f"there is no {marked_name!r}", hint=known_names(marked_name, names))
    lowest_row = int(np.argmin(comparisons.estimates))
    chosen_row = lowest_row if marked_name is None else list(names).index(marked_name)
    rows_by_name = sorted(range(len(names)), key=lambda row: natural_order(names[row]))
    rows = sorted(rows_by_name, key=lambda row: -comparisons.estimates[row])
    widths = comparisons.half_widths + comparisons.half_widths[chosen_row]
    is_different = np.abs(comparisons.estimates - comparisons.estimates[chosen_row]) > widths
    estimates, half_widths = comparisons.estimates[rows], comparisons.half_widths[rows]
    middle_row = rows.index(chosen_row)
    label = short_names(names[row] for row in rows)[middle_row]
    kinds = ["apart" if is_different[row] else "near" for row in rows]
    kinds[middle_row] = "chosen"
    styles = {
        "chosen": KeyEntry(label, "h2", "s"),
        "apart": KeyEntry(f"does not overlap {label}", "l2", "D"),
        "near": KeyEntry(f"overlaps {label}", "q", "o"),
    }
    low, high = (estimates - half_widths).tolist(), (estimates + half_widths).tolist()
    ordered_names, values = [names[row] for row in rows], estimates.tolist()
    n_others = len(names) - 1
    apart_text = f"{kinds.count('apart')} of {n_others} intervals do not overlap that of {label}"
    level_text = f"{comparisons.confidence_level * 100:g}% comparison intervals"
    return rows_picture(
        Rows(ordered_names, values, low, high, styles, kinds, chosen=middle_row),
        title=heading_of("Comparison intervals", measure, task),
        note=f"{apart_text}; {test}, {level_text}",
        xlabel=estimate,
    )


_GAP_INCHES, _HEADING_SIZE = 0.18, 8
_COLUMNS_WIDTH, _MAX_COLUMN_WIDTH, _MIN_VALUE_WIDTH = 4.2, 0.9, 0.3

#: Colors from the lowest score to the highest, and for missing scores: viridis without the darkest
#: fifth, so that a low score does not look like a missing one.
SCORE_COLORS = (*(f"s{shade}" for shade in range(10)), "z")
_MISSING_CODE = 10
_SCORE_INKS = {
    **dict.fromkeys(SCORE_COLORS[:4], "#ffffff"),
    **dict.fromkeys(SCORE_COLORS[4:], "#000000"),
}


def score_matrix_picture(matrix: ScoreMatrix) -> Picture:
    """Draw scores as colors: best topic and system first, people separately, missing ones black.

    Topics are ranked by machines, if any: each person may have written for different topics.
    """
    low, high = score_limits(matrix)
    matrix = matrix.take(topics=ordered_topics(matrix))
    n_systems, (height, width) = len(matrix.systems), matrix.values.shape
    column_width = max(row_pitch(n_systems), min(_MAX_COLUMN_WIDTH, _COLUMNS_WIDTH / n_systems))
    topic_names, row_height = short_names(matrix.topics), row_pitch(len(matrix.topics))
    left = text_width(topic_names, size=label_size(row_height)) + 2 * LABEL_GAP
    names = dict(zip(matrix.systems, short_names(matrix.systems), strict=True))
    name_height, is_rotated = name_space(names.values(), column_width)
    name_height += 0.18  # for the headings
    format_score = _score_formatter(matrix.values)
    cell_width = (
        text_width(map(format_score, matrix.values.ravel()), size=label_size(row_height) - 1) + 0.08
    )
    shows_values = column_width >= max(_MIN_VALUE_WIDTH, cell_width)
    marks: list[Mark] = [*row_names(topic_names, left - LABEL_GAP, name_height, row_height)]
    ranking = [matrix.systems[column] for column in Ranking.of(matrix).order]
    x, right = left, left
    human = dict(zip(matrix.systems, matrix.human.tolist(), strict=True))
    for kind, is_human in (("machines", False), ("people", True)):
        systems = [system for system in ranking if human[system] == is_human]
        if not systems:
            continue
        scores = matrix.take(systems=systems).values
        tiles = Tiles(
            x,
            name_height,
            (column_width, row_height),
            _score_codes(scores, low, high),
            SCORE_COLORS,
        )
        texts = {
            (i, j): format_score(score)
            for (i, j), score in np.ndenumerate(scores)
            if not np.isnan(score)
        }
        marks.append(Text(x, 0.08, kind, _HEADING_SIZE))
        marks += tile_marks(
            tiles, [names[system] for system in systems], texts if shows_values else {},
                _SCORE_INKS,
            size=label_size(row_height) - 1, is_rotated=is_rotated,
        )  # fmt: skip
        # Headings may be wider than their columns.
        heading_width, end = text_width([kind], size=_HEADING_SIZE), x + len(systems) * column_width
        right = max(end, x + heading_width)
        x = max(end + _GAP_INCHES, x + heading_width + 0.12)
    size_text = f"{counted(height, 'topic')}, {counted(width, 'system')}"
    missing_note = (
        counted(matrix.missing, "missing score") if matrix.missing else "no score missing"
    )
    order_note = "; easiest topic first, best mean first" * (min(height, width) > 1)
    color_values = {"s0": low, "s5": (low + high) / 2, "s9": high}
    key = [KeyEntry(f"{value:.4g}", color) for color, value in color_values.items()]
    key += [KeyEntry("no score", "z")] * bool(matrix.missing)
    title = heading_of("Scores", with_arrow(matrix.measure, matrix.direction), matrix.task)
    return Picture(
        title,
        f"{size_text}, {missing_note}{order_note}",
        marks,
        (right, name_height + height * row_height),
        key,
    )


def score_limits(matrix: ScoreMatrix) -> tuple[float, float]:
    """Return the values at the two ends of the colors."""
    known_scores = matrix.values[~np.isnan(matrix.values)]
    if not known_scores.size:
        raise InputError("there is no score to draw", hint="give at least one score")
    low, high = float(known_scores.min()), float(known_scores.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def ordered_topics(matrix: ScoreMatrix) -> list[str]:
    """Return the topics, the one with the best mean first."""
    topics = sorted(matrix.topics, key=natural_order)
    ranked_values = matrix.values if matrix.human.all() else matrix.values[:, ~matrix.human]
    means = np.nan_to_num(known_means(matrix.goodness(ranked_values), axis=1), nan=-np.inf)
    mean_by_topic = dict(zip(matrix.topics, means, strict=True))
    return sorted(topics, key=lambda topic: -mean_by_topic[topic])


def _score_codes(scores: Floats, low: float, high: float) -> Ints:
    shades = np.nan_to_num((scores - low) / (high - low) * 10).astype(np.int64)
    return np.where(np.isnan(scores), _MISSING_CODE, np.clip(shades, 0, 9))


def _score_formatter(scores: Floats) -> Callable[[float], str]:
    """Format scores to three digits of the largest one; whole numbers have no decimals."""
    magnitudes = np.abs(scores[~np.isnan(scores)])
    is_whole = not np.mod(magnitudes, 1).any()
    digits = 0 if is_whole else max(0, 2 - math.floor(math.log10(magnitudes.max())))
    return lambda score: f"{score:.{digits}f}"


_GROUP_LETTER = re.compile(r"\(([a-z]+)\)|([a-z])")
#: Outcomes: their names, and the colors of their bars and of the numbers in them.
OUTCOME_PARTS = (
    BarPart("significantly better", "h2", "on"),
    BarPart("equivalent", "e", "ink"),
    BarPart("undecided", "u", "ink"),
    BarPart("significantly worse", "l2", "on"),
    BarPart("p undefined", "q", "on"),
)


def compare_topics(matrix: ScoreMatrix) -> "PairComparisons":
    """Compare topics by the mean ranks of their scores."""
    from pyramidion.stats import mean_rank_tukey

    return mean_rank_tukey([row[~np.isnan(row)] for row in matrix.goodness(matrix.values)])


def topics_picture(matrix: ScoreMatrix) -> Picture:
    measure = with_arrow(matrix.measure, matrix.direction)
    return tukey_picture(compare_topics(matrix), matrix.topics, measure=measure, task=matrix.task)


def _title(subject: str, result: ComparisonResult) -> str:
    return heading_of(subject, with_arrow(result.measure, result.direction), result.task)


def method_note(result: ComparisonResult) -> str:
    """Describe how the pairs were compared."""
    test_text = describe_test(result.test).name
    if result.statistic is not None:
        test_text += f" of {STATISTIC_NAMES[result.statistic]}"
    resamples = f"{result.n_resamples:,} resamples" if result.n_resamples else ""
    parts = (
        test_text,
        resamples,
        CORRECTION_TEXTS[result.correction].name,
        f"α = {result.alpha:g}",
    )
    return ", ".join(part for part in parts if part)


def people_note(systems: Sequence[SystemResult]) -> str:
    """Explain how people are marked, if there are any."""
    return "; people in bold" if any(s.kind == "human" for s in systems) else ""


def pair_arrays(result: ComparisonResult) -> PairArrays:
    """Lay out a comparison's pairs in ranking order, with the better system of each."""
    if not result.systems:
        raise InputError("there are no systems to draw", hint="compare at least two")
    names = [system.system for system in result.systems]
    return square_pairs(names, result.comparisons, alpha=result.alpha, ahead=result.ahead)


def ranking_picture(result: ComparisonResult) -> Picture:
    """Draw the systems, best first, with means, intervals and group letters.

    If all were compared with a baseline, a star marks those that differ from it. All systems above
    a line differ from all below it.
    """
    pairs, systems = pair_arrays(result), result.systems
    ends = cluster_ends(pairs.significant)
    kinds = [s.kind for s in systems]
    rows = Rows(
        [s.system for s in systems], [s.adjusted for s in systems], [s.low for s in systems],
        [s.high for s in systems], styles=KIND_STYLES, kinds=kinds,
        bold=[kind == "human" for kind in kinds], marks=_system_marks(result, pairs), ends=ends,
        striped=True,
    )  # fmt: skip
    scale = "log odds of " * (result.test == "ordinal")
    scale += with_arrow(short_name(result.measure), result.direction)
    return rows_picture(
        rows,
        title=_title("Ranking", result),
        note="; ".join(_ranking_notes(result, pairs, has_lines=bool(ends))),
        xlabel="log odds of being preferred" if result.test == "bradley-terry" else scale,
    )


def _system_marks(result: ComparisonResult, pairs: PairArrays) -> list[list[str]]:
    """Return the letters of each system (``ab(aa)`` means a, b and aa), or stars for a baseline."""
    if pairs.baseline is None:
        matches = (_GROUP_LETTER.findall(system.group) for system in result.systems)
        return [
            [long_letter or short_letter for long_letter, short_letter in letters]
            for letters in matches
        ]
    return [["*"] if is_different else [] for is_different in pairs.significant[pairs.baseline]]


def _ranking_notes(
    result: ComparisonResult, pairs: PairArrays, *, has_lines: bool
) -> Iterator[str]:
    is_adjusted = any(system.adjusted != system.mean for system in result.systems)
    means_text = "least-squares means" if is_adjusted else "means"
    means_text = {"bradley-terry": "strengths", "ppi": "means from people and judge"}.get(
        result.test, means_text
    )
    yield f"{means_text} with confidence intervals; {method_note(result)}"
    if pairs.baseline is None:
        equivalence_clause = f", or they are equivalent within {result.margin}" * (
            result.margin is not None
        )
        yield f"no difference was shown between systems that share a letter{equivalence_clause}"
    else:
        yield f"* differs significantly from {short_name(result.systems[pairs.baseline].system)}"
    if has_lines:
        yield "all systems above a line differ from all below it"


def significance_picture(result: ComparisonResult) -> Picture:
    """Draw the adjusted p-value of every pair, in ranking order; a baseline is the only column.

    Directions are those on shared topics: with missing scores they may contradict the means.
    """
    pairs = pair_arrays(result)
    names = short_names(system.system for system in result.systems)
    scope = "between systems" if pairs.baseline is None else f"from {names[pairs.baseline]}"
    counts = result.counts
    counts_text = (
        f"{counts.significant:,} of {counted(counts.pairs, 'pair')} significantly different"
    )
    return pairs_picture(
        pairs,
        names,
        alpha=result.alpha,
        title=_title(f"Differences {scope}", result),
        note=f"{counts_text}; {method_note(result)}{people_note(result.systems)}",
        human=[system.kind == "human" for system in result.systems],
        equivalent=f"equivalent within {result.margin}{result.unit}",
    )


# Pairs that differ, are equivalent, or are undecided.
_PAIR_STYLES = {
    "different": KeyEntry("significantly different", "h2", "o"),
    "equivalent": KeyEntry("equivalent", "e", "D"),
    "undecided": KeyEntry("undecided", "q", "s"),
}


def differences_picture(result: ComparisonResult) -> Picture:
    """Draw the differences of the main pairs with their intervals; lines at 0 and the margin."""
    pairs = [pair for pair in result.main_pairs() if not math.isnan(pair.low)]
    if not pairs:
        pairs = [pair for pair in result.comparisons if not math.isnan(pair.low)][:1]
    kinds = [pair.verdict or ("undecided", "different")[result.significant(pair)] for pair in pairs]
    compares_ranks = result.test == "wilcoxon" or result.statistic == "w"
    midpoints = [(p.low + p.high) / 2 if compares_ranks else p.difference for p in pairs]
    margin = [] if result.margin is None else [-result.margin, result.margin]
    rows = Rows(
        [f"{pair.a} − {pair.b}" for pair in pairs], midpoints,
        [pair.low for pair in pairs], [pair.high for pair in pairs], styles=_PAIR_STYLES,
        kinds=kinds, striped=True, lines=[0.0, *margin],
    )  # fmt: skip
    n_shown, n_pairs = len(pairs), len(result.comparisons)
    scope = "all pairs" if n_shown == n_pairs else f"{n_shown} of {n_pairs:,} pairs"
    is_simultaneous = n_shown > 1 and result.correction not in ("none", "bh")
    level_text = f"{'simultaneous ' * is_simultaneous}{100 * (1 - result.alpha):.4g}% intervals"
    return rows_picture(
        rows,
        title=_title("Differences", result),
        note=f"{scope}; {level_text}, {method_note(result)}",
        xlabel=f"difference{result.unit and f' ({result.unit.strip()})'}",
    )


def win_tie_loss_picture(result: ComparisonResult) -> Picture:
    """Draw how many others each system beats and loses to, and how many are undecided."""
    pairs = pair_arrays(result)
    rows = list(range(len(result.systems))) if pairs.baseline is None else [pairs.baseline]
    systems = [result.systems[row] for row in rows]
    names = short_names(system.system for system in systems)
    subject = "each system" if len(systems) == len(result.systems) else names[0]
    return bars_picture(
        names, outcome_counts(pairs)[rows], OUTCOME_PARTS, title=_title("Wins and losses", result),
        note=f"{subject} against the others; {method_note(result)}{people_note(systems)}",
        label="other systems", is_person=[system.kind == "human" for system in systems],
    )  # fmt: skip


def outcome_counts(pairs: PairArrays) -> Ints:
    """Count wins, equivalent, undecided, losses and undefined pairs, one row per system."""
    is_tested = pairs.compared & ~pairs.undefined & ~pairs.equivalent
    wins, losses = pairs.outcome > 0, pairs.outcome < 0
    masks = (wins, pairs.equivalent, is_tested & ~wins & ~losses, losses, pairs.undefined)
    return np.stack([mask.sum(axis=1) for mask in masks], axis=1)
