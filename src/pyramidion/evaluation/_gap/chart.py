"""The gap between people and machines: system means, and a line through the machines only."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.errors import InputError
from pyramidion.evaluation._gap.measure import HumanGap
from pyramidion.evaluation._judged import place_name
from pyramidion.evaluation._meta.labels import named_metric
from pyramidion.report.charts.layout import PAD, Page, Panels, Space
from pyramidion.report.charts.style import BLUE, INK, VERMILLION, in_style
from pyramidion.report.labels import short_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# A line that hardly rises is cut off so many times the width of the points away from them.
_FAR = 2

#: For machines and people: the name in the legend, the colour, the mark and its size.
_KINDS = {"machine": ("machine", BLUE, "o", 4.0), "human": ("person", VERMILLION, "D", 4.5)}
_LINE: dict[str, Any] = {"color": INK, "linewidth": 1.0}
_RESIDUAL: dict[str, Any] = {"color": VERMILLION, "linewidth": 0.7, "linestyle": ":"}


@in_style
def gap_figure(gaps: Sequence[HumanGap]) -> "Figure":
    """Draw system means, and the line through the machines as far as the lowest person.

    A dotted line leads from each person down to where the line would be: their mean length is
    the gap. The line ends where it reaches the lowest person's manual score, but never before
    the last machine and never far outside the plot.
    """
    drawn = [gap for gap in gaps if gap.line is not None]
    if not drawn:
        raise InputError("there is no gap to draw", hint="people and three machines are needed")
    panels = Panels(len(drawn), side=(2.7, 2.7), gap=(0.62, 0.85), most=3)
    where = place_name(drawn[0].manual, drawn[0].task, drawn[0].collection)
    page = Page(
        f"People above the machines' line: {where}",
        _note(drawn),
        plot=panels.plot,
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.3),
        legend=_legend(),
    )
    for number, (axes, gap) in enumerate(zip(panels.axes(page), drawn, strict=True)):
        _draw_panel(axes, gap)
        axes.set_ylabel("" if number % panels.across else short_name(gap.manual))
        axes.set_title(f"gap {gap.gap:.2f} [{gap.low:.2f}, {gap.high:.2f}]", size=8, loc="left")
    return page.figure


def _note(gaps: Sequence[HumanGap]) -> str:
    fits = {"ols": "least squares", "robust": "robust regression"}
    line = f"{fits[gaps[0].options.fit]} over machines, drawn to the lowest person"
    turned = "; ↓ lower is better, sign turned" if any(gap.negated for gap in gaps) else ""
    return f"system means; {line}; gap: mean height of people above it{turned}"


def _draw_panel(axes: "Axes", gap: HumanGap) -> None:
    assert gap.line is not None
    for point in gap.people:
        foot = point.manual - point.residual
        axes.plot([point.metric] * 2, [foot, point.manual], zorder=1, **_RESIDUAL)
    start, end = min(point.metric for point in gap.machines), line_end(gap)
    ends = np.array([start, end])
    axes.plot(ends, gap.line.at(ends), zorder=2, **_LINE)
    for kind, (label, colour, mark, size) in _KINDS.items():
        own = [point for point in gap.points if point.kind == kind]
        x, y = [point.metric for point in own], [point.manual for point in own]
        axes.plot(x, y, mark, color=colour, markersize=size, alpha=0.85, label=label, zorder=3)
    axes.set_xlabel(short_name(named_metric(gap.metric, (gap.metric,) if gap.negated else ())))
    axes.grid(visible=True)
    axes.margins(0.06)
    axes.locator_params(nbins=6)


def line_end(gap: HumanGap) -> float:
    """Tell where the line ends: at the lowest person, unless that is far off."""
    scores = [point.metric for point in gap.points]
    last = max(point.metric for point in gap.machines)
    farthest = max(scores) + _FAR * (max(scores) - min(scores))
    return min(max(gap.needed, last), farthest) if math.isfinite(gap.needed) else last


def _legend() -> "list[Artist]":
    from matplotlib.lines import Line2D

    marks: list[Any] = [
        Line2D([], [], color=colour, marker=mark, markersize=size, linestyle="", label=label)
        for label, colour, mark, size in _KINDS.values()
    ]
    return [
        *marks,
        Line2D([], [], **_LINE, label="line through the machines"),
        Line2D([], [], **_RESIDUAL, label="a person's gap"),
    ]
