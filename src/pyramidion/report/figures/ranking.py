"""The ranking: means with intervals, letters of groups, and lines between clusters."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyramidion.evaluation.comparison import ComparisonResult, SystemResult
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLUE, INK, STRIPE, VERMILLION, style_context
from pyramidion.report.figures.pairs import PairArrays, cluster_ends, pair_arrays
from pyramidion.report.figures.words import method_note
from pyramidion.report.labels import headed, short_name, short_names

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["ranking_figure"]

_LETTER = re.compile(r"\(([a-z]+)\)|([a-z])")
_WIDTH = 4.6

#: For machines and people: the name in the legend, the colour and the mark.
_KINDS = {"machine": ("machine", BLUE, "o"), "human": ("person", VERMILLION, "D")}


def ranking_figure(result: ComparisonResult) -> "Figure":
    """Draw the systems, best first, each with its mean and interval.

    Letters stand at the right, each in its own column: systems that share one are not
    significantly different. Where all were compared with one baseline only, a star marks those
    that differ from it. A line separates systems all of which differ from all those below.

    Parameters
    ----------
    result
        A comparison of all pairs, or with a baseline.

    Examples
    --------
    >>> from pyramidion.evaluation.comparison import Comparison, PairCounts
    >>> ranking = (SystemResult("A", "human", 3, 2, 4, 9, 1, "a"),
    ...            SystemResult("8", "machine", 1, 0, 2, 9, 2, "b"))
    >>> pair = Comparison("A", "8", 9, 2.0, 3.1, 0.01, 0.01, 0.8)
    >>> one = PairCounts(1, 1, 1)
    >>> figure = ranking_figure(ComparisonResult(
    ...     "readability", "", "paired-t", 0.05, "none", None, 0, one, one, ranking, (pair,)))
    >>> figure.axes[0].get_xlabel()
    'readability'
    """
    pairs = pair_arrays(result)
    with style_context():
        figure = _drawn(result, pairs)
        figure.draw_without_rendering()
    return figure


def _drawn(result: ComparisonResult, pairs: PairArrays) -> "Figure":
    systems, ends = result.systems, cluster_ends(pairs.significant)
    names = short_names(system.system for system in systems)
    pitch = fitting_pitch(len(systems))
    size, height = label_size(pitch), len(systems) * pitch
    marks = _marks(result, pairs)
    places = _mark_places(marks, size=size)
    space = Space(
        left=PAD + text_width(names, size=size, bold=True) + 2 * LABEL_GAP,
        right=max(places.values(), default=0.0) + 0.08 + PAD,
    )
    page = Page(
        headed("Ranking", result.measure, result.task),
        "; ".join(_notes(result, pairs, lines=bool(ends))),
        plot=(_WIDTH, height),
        space=space,
        legend=_legend(systems),
    )
    # Stripes and lines run below the names and letters as well.
    across = (PAD - page.left) / _WIDTH, 1 + (space.right - PAD) / _WIDTH
    axes = page.axes(page.left, page.bottom, _WIDTH, height)
    _draw_rows(axes, across, rows=len(systems), ends=ends)
    _draw_intervals(axes, systems)
    label_names(axes, "y", names, pitch=pitch, human=[s.kind == "human" for s in systems])
    axes.set_xlabel(short_name(result.measure) or "score")
    _write_marks(axes, marks, places, size=size)
    return page.figure


def _marks(result: ComparisonResult, pairs: PairArrays) -> list[list[str]]:
    """Give each system its letters, or a star if it differs from the baseline."""
    if pairs.baseline is None:
        return [_letters(system.group) for system in result.systems]
    return [["*"] if differs else [] for differs in pairs.significant[pairs.baseline]]


def _letters(group: str) -> list[str]:
    """Take a group apart: ``ab(aa)`` is a, b and aa."""
    return [long or short for long, short in _LETTER.findall(group)]


def _notes(result: ComparisonResult, pairs: PairArrays, *, lines: bool) -> list[str]:
    notes = [f"means with confidence intervals; {method_note(result)}"]
    if pairs.baseline is None:
        notes.append("systems that share a letter are not significantly different")
    else:
        name = short_name(result.systems[pairs.baseline].system)
        notes.append(f"* differs significantly from {name}")
    if lines:
        notes.append("all systems above a line differ from all below it")
    return notes


def _mark_places(marks: Sequence[Sequence[str]], *, size: float) -> dict[str, float]:
    """Give each letter a column: how many inches right of the plot it ends."""
    found = sorted({mark for row in marks for mark in row}, key=lambda mark: (len(mark), mark))
    places, right = {}, 0.1
    for mark in found:
        right += text_width([mark], size=size) + 0.05
        places[mark] = right
    return places


def _draw_rows(
    axes: "Axes", across: tuple[float, float], *, rows: int, ends: Sequence[int]
) -> None:
    """Draw stripes that lead the eye along a row, and the lines between clusters."""
    left, right = across
    transform = axes.get_yaxis_transform()
    axes.barh(
        range(1, rows, 2),
        right - left,
        1.0,
        left,
        color=STRIPE,
        transform=transform,
        clip_on=False,
        zorder=0,
    )
    for end in ends:
        axes.plot(
            across,
            [end - 0.5] * 2,
            transform=transform,
            color=INK,
            linewidth=0.8,
            clip_on=False,
            label="cluster",
        )


def _draw_intervals(axes: "Axes", systems: Sequence[SystemResult]) -> None:
    for kind, (_, colour, mark) in _KINDS.items():
        rows = [row for row, system in enumerate(systems) if system.kind == kind]
        chosen = [systems[row] for row in rows]
        low, high = [s.low for s in chosen], [s.high for s in chosen]
        axes.hlines(rows, low, high, color=colour, linewidth=1.6)
        axes.plot([s.mean for s in chosen], rows, mark, color=colour, markersize=4.5, label=kind)
    axes.set_ylim(len(systems) - 0.5, -0.5)
    axes.margins(x=0.03)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=7)


def _write_marks(
    axes: "Axes", marks: Sequence[Sequence[str]], places: dict[str, float], *, size: float
) -> None:
    for row, found in enumerate(marks):
        for mark in found:
            axes.annotate(
                mark,
                xy=(1, row),
                xycoords=axes.get_yaxis_transform(),
                xytext=(places[mark] * 72, 0),
                textcoords="offset points",
                ha="right",
                va="center_baseline",
                size=size,
                annotation_clip=False,
            )


def _legend(systems: Sequence[SystemResult]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    present = {system.kind for system in systems}
    return [
        Line2D([], [], color=colour, marker=mark, markersize=4.5, linewidth=1.6, label=name)
        for kind, (name, colour, mark) in _KINDS.items()
        if kind in present
    ]
