"""The pictures of a comparison: ranking, pairs, wins, scores, topics."""

import math
import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import ScoreMatrix
from pyramidion.collection._ids import natural_order
from pyramidion.errors import InputError, NotFoundError, known_names
from pyramidion.evaluation._compare.result import ComparisonResult, Ranking, SystemResult
from pyramidion.evaluation._procedures import CORRECTION_TEXTS, STATISTIC_NAMES, TEST_TEXTS
from pyramidion.evaluation._shared import known_means
from pyramidion.report.charts.bars import BarPart, stacked_bars
from pyramidion.report.charts.layout import (
    LABEL_GAP,
    PAD,
    Page,
    Space,
    fitting_pitch,
    label_names,
    label_size,
    text_width,
)
from pyramidion.report.charts.rows import Look, Rows, rows_figure
from pyramidion.report.charts.style import BLACK, BLUE, GRAY, INK, PALE, VERMILLION, in_style
from pyramidion.report.charts.tiles import (
    EQUIVALENT,
    PairArrays,
    cluster_ends,
    draw_tiles,
    pairs_figure,
    square_pairs,
    write_cells,
)
from pyramidion.report.labels import arrowed, counted, headed, short_name, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    from pyramidion.stats._multiple_comparisons import PairComparisons


def tukey_figure(
    comparisons: "PairComparisons",
    names: Sequence[str],
    *,
    chosen: str | None = None,
    measure: str = "",
    task: str = "",
    estimate: str = "mean rank",
    test: str = "Tukey's test of mean ranks",
) -> "Figure":
    """Draw each group's comparison interval, and mark those that do not overlap a chosen one.

    Two groups whose intervals do not overlap differ significantly. The chosen one is that with
    the lowest estimate unless it is named.
    """
    rows = tukey_rows(comparisons, names, chosen=chosen)
    apart, name = rows.kinds.count("apart"), short_name(rows.names[rows.chosen or 0])
    found = f"{apart} of {len(names) - 1} intervals do not overlap that of {name}"
    level = f"{comparisons.confidence_level * 100:g}% comparison intervals"
    title, note = headed("Comparison intervals", measure, task), f"{found}; {test}, {level}"
    return rows_figure(rows, title=title, note=note, xlabel=estimate)


def tukey_rows(
    comparisons: "PairComparisons", names: Sequence[str], *, chosen: str | None = None
) -> Rows:
    """Lay out what `tukey_figure` draws."""
    if np.isnan(comparisons.half_widths).any():
        why = comparisons.note or "not all pairs were compared"
        raise InputError(f"there are no intervals to draw ({why})", hint="compare all pairs")
    if chosen is not None and chosen not in names:
        raise NotFoundError(f"there is no {chosen!r}", hint=known_names(chosen, names))
    lowest = int(np.argmin(comparisons.estimates))
    place = lowest if chosen is None else list(names).index(chosen)
    by_name = sorted(range(len(names)), key=lambda row: natural_order(names[row]))
    rows = sorted(by_name, key=lambda row: -comparisons.estimates[row])
    reach = comparisons.half_widths + comparisons.half_widths[place]
    apart = np.abs(comparisons.estimates - comparisons.estimates[place]) > reach
    estimates, half = comparisons.estimates[rows], comparisons.half_widths[rows]
    own = rows.index(place)
    label = short_names(names[row] for row in rows)[own]
    kinds = ["apart" if apart[row] else "near" for row in rows]
    kinds[own] = "chosen"
    looks = {
        "chosen": Look(label, BLUE, "s"),
        "apart": Look(f"does not overlap {label}", VERMILLION),
        "near": Look(f"overlaps {label}", GRAY, filling="white"),
    }
    low, high = (estimates - half).tolist(), (estimates + half).tolist()
    ordered, values = [names[row] for row in rows], estimates.tolist()
    return Rows(ordered, values, low, high, looks, kinds, chosen=own, right=0.15)


_GAP, _BAR_SPACE, _HEADING_SIZE = 0.18, 0.55, 8
_ROOM_FOR_COLUMNS, _WIDEST_COLUMN, _ROOM_FOR_VALUES = 4.2, 0.9, 0.3

# How bright the eye finds red, green and blue.
_BRIGHTNESS = np.array([0.299, 0.587, 0.114])


@in_style
def score_matrix_figure(matrix: ScoreMatrix) -> "Figure":
    """Draw the scores as colors, people to the right of a gap, missing scores black.

    The topic with the best mean comes first (of the machines' scores, where there are machines,
    since every person may have written for other topics), and the system with the best one.
    """
    colors = _score_colors(*score_limits(matrix))
    matrix = matrix.take(topics=ordered_topics(matrix))
    count, (height, width) = len(matrix.systems), matrix.values.shape
    column = max(fitting_pitch(count), min(_WIDEST_COLUMN, _ROOM_FOR_COLUMNS / count))
    topics, row = short_names(matrix.topics), fitting_pitch(len(matrix.topics))
    blocks = []
    for kind, mask in (("machines", ~matrix.human), ("people", matrix.human)):
        if mask.any():
            own = [matrix.systems[place] for place in Ranking.of(matrix).order if mask[place]]
            blocks.append((kind, short_names(own), matrix.take(systems=own).values))
    longest = text_width(chain(*(names for _, names, _ in blocks)), size=label_size(column))
    turned = longest > column - 0.05
    # By how much the headings are wider than the columns below them.
    overhangs = [
        text_width([kind], size=_HEADING_SIZE) - len(names) * column for kind, names, _ in blocks
    ]
    gap = max(_GAP, overhangs[0] + 0.12)
    space = Space(
        left=PAD + text_width(topics, size=label_size(row)) + 2 * LABEL_GAP,
        right=PAD + max(0.0, overhangs[-1]),
        above=0.3,
        below=(longest if turned else 0.13) + 2 * LABEL_GAP + _BAR_SPACE,
    )
    size = f"{counted(height, 'topic')}, {counted(width, 'system')}"
    missing = counted(matrix.missing, "missing score") if matrix.missing else "no score missing"
    order = "; easiest topic first, best mean first" * (min(height, width) > 1)
    page = Page(
        headed("Scores", arrowed(matrix.measure, matrix.direction), matrix.task),
        f"{size}, {missing}{order}",
        plot=(count * column + gap * (len(blocks) - 1), height * row),
        space=space,
    )
    left = page.left
    for kind, names, scores in blocks:
        page.write(kind, (left, page.bottom + height * row + 0.06), size=_HEADING_SIZE)
        axes = page.axes(left, page.bottom, len(names) * column, height * row)
        draw_tiles(axes, np.ma.masked_invalid(scores), cmap=colors.cmap, norm=colors.norm)
        if column >= _ROOM_FOR_VALUES:
            _write_values(axes, scores, colors, cell=(column, row))
        label_names(axes, "x", names, pitch=column, turned=turned)
        label_names(axes, "y", topics if left == page.left else [], pitch=row)
        left += len(names) * column + gap
    _add_color_bar(page, colors, matrix)
    return page.figure


def _score_colors(low: float, high: float) -> "ScalarMappable":
    import matplotlib
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    # The darkest fifth is left out: a low score must not look like a missing one.
    shades = matplotlib.colormaps["viridis"](np.linspace(0.2, 1, 256))
    shading = LinearSegmentedColormap.from_list("scores", shades).with_extremes(bad=BLACK)
    return ScalarMappable(Normalize(low, high), shading)


def score_limits(matrix: ScoreMatrix) -> tuple[float, float]:
    """Return the values at the two ends of the colors."""
    present = matrix.values[~np.isnan(matrix.values)]
    if not present.size:
        raise InputError("there is no score to draw", hint="give at least one score")
    low, high = float(present.min()), float(present.max())
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def ordered_topics(matrix: ScoreMatrix) -> list[str]:
    """Return the topics, that with the best mean first."""
    topics = sorted(matrix.topics, key=natural_order)
    judged = matrix.values if matrix.human.all() else matrix.values[:, ~matrix.human]
    means = np.nan_to_num(known_means(matrix.goodness(judged), axis=1), nan=-np.inf)
    mean = dict(zip(matrix.topics, means, strict=True))
    return sorted(topics, key=lambda topic: -mean[topic])


def _write_values(
    axes: "Axes", scores: Floats, colors: "ScalarMappable", *, cell: tuple[float, float]
) -> None:
    """Write the scores into their cells, if all of them fit."""
    present = np.abs(scores[~np.isnan(scores)])
    digits = 0
    if np.mod(present, 1).any():
        # Three digits of the greatest score, but all whole numbers as they are.
        digits = max(0, 2 - math.floor(math.log10(present.max())))
    every = np.ndenumerate(scores)
    texts = {place: f"{score:.{digits}f}" for place, score in every if not np.isnan(score)}
    size = label_size(cell[1]) - 1
    if text_width(texts.values(), size=size) <= cell[0] - 0.08:
        dark = colors.to_rgba(scores)[..., :3] @ _BRIGHTNESS <= 0.5
        write_cells(axes, texts, dark, size=size)


def _add_color_bar(page: Page, colors: "ScalarMappable", matrix: ScoreMatrix) -> None:
    left, bottom, length, thickness = PAD + 0.14, PAD + 0.2, 2.0, 0.11
    axes = page.axes(left, bottom, length, thickness)
    bar = page.figure.colorbar(colors, cax=axes, orientation="horizontal")
    bar.outline.set_visible(False)
    axes.tick_params(labelsize=7, length=2)
    axes.locator_params(nbins=4)
    label = arrowed(short_name(matrix.measure), matrix.direction)
    page.write(label, (left, bottom + thickness + 0.06))
    if matrix.missing:
        square = page.axes(left + length + 0.4, bottom, thickness, thickness)
        square.set(xticks=[], yticks=[], facecolor=BLACK)
        square.spines[:].set_visible(False)
        page.write("no score", (left + length + 0.4 + thickness + 0.06, bottom + 0.01))


_LETTER = re.compile(r"\(([a-z]+)\)|([a-z])")
_KINDS = {"machine": Look("machine", BLUE), "human": Look("person", VERMILLION, "D")}

#: What is counted: its name, the color of its bar, and of the number in it.
_PARTS = (
    BarPart("significantly better", BLUE, "white"),
    BarPart("equivalent", EQUIVALENT, INK),
    BarPart("undecided", PALE, INK),
    BarPart("significantly worse", VERMILLION, "white"),
    BarPart("p undefined", GRAY, "white"),
)


def ranked_topics(matrix: ScoreMatrix) -> "PairComparisons":
    """Compare topics by the mean ranks of their scores."""
    from pyramidion.stats import mean_rank_tukey

    return mean_rank_tukey([row[~np.isnan(row)] for row in matrix.goodness(matrix.values)])


def topics_figure(matrix: ScoreMatrix) -> "Figure":
    measure = arrowed(matrix.measure, matrix.direction)
    return tukey_figure(ranked_topics(matrix), matrix.topics, measure=measure, task=matrix.task)


def _titled(what: str, result: ComparisonResult) -> str:
    return headed(what, arrowed(result.measure, result.direction), result.task)


def method_note(result: ComparisonResult) -> str:
    """Write how the pairs were compared."""
    test = TEST_TEXTS[result.test].name
    if result.statistic is not None:
        test += f" of {STATISTIC_NAMES[result.statistic]}"
    drawn = f"{result.n_resamples:,} resamples" if result.n_resamples else ""
    parts = (test, drawn, CORRECTION_TEXTS[result.correction].name, f"α = {result.alpha:g}")
    return ", ".join(part for part in parts if part)


def people_note(systems: Sequence[SystemResult]) -> str:
    """Say how people are marked, if there are any."""
    return "; people in bold" if any(s.kind == "human" for s in systems) else ""


def pair_arrays(result: ComparisonResult) -> PairArrays:
    """Lay out a comparison's pairs in the order of the ranking, and which one is better."""
    if not result.systems:
        raise InputError("there are no systems to draw", hint="compare at least two")
    names = [system.system for system in result.systems]
    return square_pairs(names, result.comparisons, alpha=result.alpha, ahead=result.ahead)


def ranking_figure(result: ComparisonResult) -> "Figure":
    """Draw the systems, best first, each with its mean and interval.

    Letters stand at the right, each in its own column: systems that share one are not
    significantly different. Where all were compared with one baseline only, a star marks those
    that differ from it. A line separates systems all of which differ from all those below.
    """
    pairs, systems = pair_arrays(result), result.systems
    ends = cluster_ends(pairs.significant)
    kinds = [s.kind for s in systems]
    rows = Rows(
        [s.system for s in systems], [s.adjusted for s in systems], [s.low for s in systems],
        [s.high for s in systems], looks=_KINDS, kinds=kinds,
        bold=[kind == "human" for kind in kinds], marks=_marks(result, pairs), ends=ends,
        striped=True, ticks=7,
    )  # fmt: skip
    scale = "log odds of " * (result.test == "ordinal")
    scale += arrowed(short_name(result.measure), result.direction)
    return rows_figure(
        rows,
        title=_titled("Ranking", result),
        note="; ".join(_ranking_notes(result, pairs, lines=bool(ends))),
        xlabel="log odds of being preferred" if result.test == "bradley-terry" else scale,
    )


def _marks(result: ComparisonResult, pairs: PairArrays) -> list[list[str]]:
    """Return the letters of each system (``ab(aa)`` is a, b and aa), or stars for a baseline."""
    if pairs.baseline is None:
        found = (_LETTER.findall(system.group) for system in result.systems)
        return [[long or short for long, short in own] for own in found]
    return [["*"] if differs else [] for differs in pairs.significant[pairs.baseline]]


def _ranking_notes(result: ComparisonResult, pairs: PairArrays, *, lines: bool) -> Iterator[str]:
    adjusted = any(system.adjusted != system.mean for system in result.systems)
    means = "least-squares means" if adjusted else "means"
    means = {"bradley-terry": "strengths", "ppi": "means by people and judge"}.get(
        result.test, means
    )
    yield f"{means} with confidence intervals; {method_note(result)}"
    if pairs.baseline is None:
        within = f", or they are equivalent within {result.margin}" * (result.margin is not None)
        yield f"no difference was shown between systems that share a letter{within}"
    else:
        yield f"* differs significantly from {short_name(result.systems[pairs.baseline].system)}"
    if lines:
        yield "all systems above a line differ from all below it"


def significance_figure(result: ComparisonResult) -> "Figure":
    """Draw the adjusted p-value of every pair, in the order of the ranking.

    The direction is that on the topics both systems have: with missing scores that can be
    another order than that of the means. A baseline is the only column.
    """
    pairs = pair_arrays(result)
    names = short_names(system.system for system in result.systems)
    against = "between systems" if pairs.baseline is None else f"from {names[pairs.baseline]}"
    counts = result.counts
    found = f"{counts.significant:,} of {counted(counts.pairs, 'pair')} significantly different"
    return pairs_figure(
        pairs,
        names,
        alpha=result.alpha,
        title=_titled(f"Differences {against}", result),
        note=f"{found}; {method_note(result)}{people_note(result.systems)}",
        human=[system.kind == "human" for system in result.systems],
    )


@in_style
def win_tie_loss_figure(result: ComparisonResult) -> "Figure":
    """Draw, for each system, how many others it beats and loses to, and what is undecided."""
    pairs = pair_arrays(result)
    rows = list(range(len(result.systems))) if pairs.baseline is None else [pairs.baseline]
    systems = [result.systems[row] for row in rows]
    names = short_names(system.system for system in systems)
    who = "each system" if len(systems) == len(result.systems) else names[0]
    page, axes, _, _ = stacked_bars(
        names, outcome_counts(pairs)[rows], _PARTS, _titled("Wins and losses", result),
        f"{who} against the others; {method_note(result)}{people_note(systems)}",
        label="other systems", space=Space(right=PAD + 0.1),
        people=[system.kind == "human" for system in systems],
    )  # fmt: skip
    axes.locator_params(axis="x", integer=True)
    return page.figure


def outcome_counts(pairs: PairArrays) -> Ints:
    """Count wins, equivalent, undecided, losses and undefined pairs, one row per system."""
    defined = pairs.compared & ~pairs.undefined & ~pairs.equivalent
    won, lost = pairs.outcome > 0, pairs.outcome < 0
    parts = (won, pairs.equivalent, defined & ~won & ~lost, lost, pairs.undefined)
    return np.stack([part.sum(axis=1) for part in parts], axis=1)
