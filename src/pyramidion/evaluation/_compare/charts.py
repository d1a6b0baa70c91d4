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
from pyramidion.evaluation._procedures import CORRECTION_TEXTS, STATISTIC_NAMES, TEST_TEXTS
from pyramidion.evaluation._tukey_chart import tukey_figure
from pyramidion.report.charts.interval_rows import Look, Rows, rows_figure
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.pairs import PairArrays, cluster_ends, pairs_figure, square_pairs
from pyramidion.report.charts.stacked_bars import Part, stacked_bars
from pyramidion.report.charts.style import BLUE, GREY, INK, PALE, VERMILLION, in_style
from pyramidion.report.labels import counted, headed, short_name, short_names
from pyramidion.report.result import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_LETTER = re.compile(r"\(([a-z]+)\)|([a-z])")
_WIDTH = 4.6
_KINDS = {"machine": Look("machine", BLUE), "human": Look("person", VERMILLION, "D")}

#: What is counted: its name, the colour of its bar, and of the number in it.
_PARTS = (
    Part("significantly higher", BLUE, "white"),
    Part("not significantly different", PALE, INK),
    Part("significantly lower", VERMILLION, "white"),
    Part("p undefined", GREY, "white"),
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


@in_style
def win_tie_loss_figure(result: ComparisonResult) -> "Figure":
    """Draw, for each system, how many others it beats, ties with and loses to."""
    pairs = pair_arrays(result)
    rows = list(range(len(result.systems))) if pairs.baseline is None else [pairs.baseline]
    systems = [result.systems[row] for row in rows]
    names = short_names(system.system for system in systems)
    who = "each system" if len(systems) == len(result.systems) else names[0]
    page, axes, _, _ = stacked_bars(
        names,
        _counts(pairs)[rows],
        _PARTS,
        headed("Wins, ties and losses", result.measure, result.task),
        f"{who} against the others; {method_note(result)}{people_note(systems)}",
        label="other systems",
        space=Space(right=PAD + 0.1),
        people=[system.kind == "human" for system in systems],
    )
    axes.locator_params(axis="x", integer=True)
    return page.figure


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
