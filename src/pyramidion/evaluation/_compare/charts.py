"""The pictures of a comparison: ranking, pairs, wins, scores, topics."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Ints
from pyramidion.collection import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.evaluation._compare.result import ComparisonResult, SystemResult
from pyramidion.evaluation._compare.score_chart import score_matrix_figure
from pyramidion.evaluation._tukey_chart import tukey_figure
from pyramidion.evaluation.procedures import CORRECTION_TEXTS, STATISTIC_NAMES, TEST_TEXTS
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.interval_rows import Look, Rows, rows_figure
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.pairs import PairArrays, cluster_ends, pairs_figure, square_pairs
from pyramidion.report.charts.style import BLUE, GREY, INK, PALE, VERMILLION, style_context
from pyramidion.report.labels import counted, headed, short_name, short_names
from pyramidion.report.result import Chart

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LETTER = re.compile(r"\(([a-z]+)\)|([a-z])")
_WIDTH = 4.6
_KINDS = {"machine": Look("machine", BLUE), "human": Look("person", VERMILLION, "D")}

#: What is counted: its name, the colour of its bar, and of the number in it.
_PARTS = (
    ("significantly higher", BLUE, "white"),
    ("not significantly different", PALE, INK),
    ("significantly lower", VERMILLION, "white"),
    ("p undefined", GREY, "white"),
)


def comparison_charts(result: ComparisonResult, matrix: ScoreMatrix) -> Iterator[Chart]:
    """Give the pictures of a comparison, drawn when they are asked for."""
    chart = partial(Chart, about=(result.measure, result.task, result.test))
    yield chart(
        "ranking",
        partial(ranking_figure, result),
        "Means with intervals; a letter is shared by systems that do not differ.",
    )
    yield chart(
        "pairs",
        partial(significance_figure, result),
        "Every pair: which system is better, and how sure that is.",
    )
    yield chart(
        "wins",
        partial(win_tie_loss_figure, result),
        "How many other systems each one beats, ties with and loses to.",
    )
    yield chart(
        "scores",
        partial(score_matrix_figure, matrix),
        "All scores, topics down by difficulty, people apart, missing ones black.",
    )
    if _can_rank_topics(matrix):
        yield chart(
            "topics",
            partial(_topics_figure, matrix),
            "How hard each topic is: mean ranks with comparison intervals.",
        )


def _can_rank_topics(matrix: ScoreMatrix) -> bool:
    """Tell whether topics can be ranked: each has a score, and not all are the same."""
    counts = (~np.isnan(matrix.values)).sum(axis=1)
    return bool(counts.min() > 0 and np.nanmin(matrix.values) < np.nanmax(matrix.values))


def _topics_figure(matrix: ScoreMatrix) -> "Figure":
    from pyramidion.stats import mean_rank_tukey

    ranked = mean_rank_tukey([row[~np.isnan(row)] for row in matrix.values])
    return tukey_figure(ranked, matrix.topics, measure=matrix.measure, task=matrix.task)


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
    """Lay out a comparison's pairs in the order of the ranking."""
    if not result.systems:
        raise InputError("there are no systems to draw", hint="compare at least two")
    names = [system.system for system in result.systems]
    return square_pairs(names, result.comparisons, alpha=result.alpha)


def ranking_figure(result: ComparisonResult) -> "Figure":
    """Draw the systems, best first, each with its mean and interval.

    Letters stand at the right, each in its own column: systems that share one are not
    significantly different. Where all were compared with one baseline only, a star marks those
    that differ from it. A line separates systems all of which differ from all those below.
    """
    pairs, systems = pair_arrays(result), result.systems
    ends = cluster_ends(pairs.significant)
    rows = Rows(
        names=[s.system for s in systems],
        values=[s.mean for s in systems],
        low=[s.low for s in systems],
        high=[s.high for s in systems],
        looks=_KINDS,
        kinds=[s.kind for s in systems],
        bold=[s.kind == "human" for s in systems],
        marks=_marks(result, pairs),
        ends=ends,
        striped=True,
        ticks=7,
    )
    return rows_figure(
        rows,
        title=headed("Ranking", result.measure, result.task),
        note="; ".join(_ranking_notes(result, pairs, lines=bool(ends))),
        xlabel=short_name(result.measure) or "score",
    )


def _marks(result: ComparisonResult, pairs: PairArrays) -> list[list[str]]:
    """Give each system its letters, or a star if it differs from the baseline."""
    if pairs.baseline is None:
        return [_letters(system.group) for system in result.systems]
    return [["*"] if differs else [] for differs in pairs.significant[pairs.baseline]]


def _letters(group: str) -> list[str]:
    """Take a group apart: ``ab(aa)`` is a, b and aa."""
    return [long or short for long, short in _LETTER.findall(group)]


def _ranking_notes(result: ComparisonResult, pairs: PairArrays, *, lines: bool) -> Iterator[str]:
    yield f"means with confidence intervals; {method_note(result)}"
    if pairs.baseline is None:
        yield "systems that share a letter are not significantly different"
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
        title=headed(f"Differences {against}", result.measure, result.task),
        note=f"{found}; {method_note(result)}{people_note(result.systems)}",
        human=[system.kind == "human" for system in result.systems],
    )


def win_tie_loss_figure(result: ComparisonResult) -> "Figure":
    """Draw, for each system, how many others it beats, ties with and loses to."""
    pairs = pair_arrays(result)
    counts = _counts(pairs)
    rows = list(range(len(counts))) if pairs.baseline is None else [pairs.baseline]
    with style_context():
        figure = _drawn(result, [result.systems[row] for row in rows], counts[rows])
        figure.draw_without_rendering()
    return figure


def _counts(pairs: PairArrays) -> Ints:
    """Count wins, ties, losses and undefined pairs; one row a system."""
    defined = pairs.compared & ~pairs.undefined
    parts = (
        pairs.outcome > 0,
        defined & (pairs.outcome == 0),
        pairs.outcome < 0,
        pairs.undefined,
    )
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _drawn(result: ComparisonResult, systems: Sequence[SystemResult], counts: Ints) -> "Figure":
    from matplotlib.patches import Patch

    names = short_names(system.system for system in systems)
    who = "each system" if len(systems) == len(result.systems) else names[0]
    pitch = fitting_pitch(len(names))
    size = label_size(pitch)
    left = PAD + text_width(names, size=size, bold=True) + 2 * LABEL_GAP
    height = len(names) * pitch
    page = Page(
        headed("Wins, ties and losses", result.measure, result.task),
        f"{who} against the others; {method_note(result)}{people_note(systems)}",
        plot=(_WIDTH, height),
        space=Space(left=left, right=PAD + 0.1),
        legend=[
            Patch(facecolor=colour, label=name)
            for (name, colour, _), total in zip(_PARTS, counts.sum(axis=0), strict=True)
            if total
        ],
    )
    axes = page.axes(page.left, page.bottom, _WIDTH, height)
    _draw_bars(axes, counts, size=size - 1)
    human = [system.kind == "human" for system in systems]
    label_names(axes, "y", names, pitch=pitch, human=human)
    return page.figure


def _draw_bars(axes: "Axes", counts: Ints, *, size: float) -> None:
    rows = np.arange(len(counts))
    ends = counts.cumsum(axis=1)
    most = max(1, int(ends[:, -1].max()))
    for part, (_, colour, ink) in enumerate(_PARTS):
        widths, starts = counts[:, part], ends[:, part] - counts[:, part]
        if widths.any():
            axes.barh(rows, widths, 0.78, starts, color=colour)
            _write_numbers(axes, starts, widths, ink=ink, size=size, per_inch=most / _WIDTH)
    axes.set(xlim=(0, most), ylim=(len(counts) - 0.5, -0.5), xlabel="other systems")
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", integer=True)


def _write_numbers(
    axes: "Axes",
    starts: Ints,
    widths: Ints,
    *,
    ink: str,
    size: float,
    per_inch: float,
) -> None:
    """Write each number into its bar, if the bar is wide enough for it."""
    for row, (start, width) in enumerate(zip(starts.tolist(), widths.tolist(), strict=True)):
        text = str(width)
        if width and text_width([text], size=size) + 0.04 <= width / per_inch:
            middle = start + width / 2
            axes.text(middle, row, text, ha="center", va="center_baseline", size=size, color=ink)
