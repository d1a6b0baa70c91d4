"""Summarizers one below the other, each with a mark for one number or several."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.named_rows import named_rows
from pyramidion.report.charts.style import (
    BLUE,
    GREEN,
    ORANGE,
    PURPLE,
    SKY,
    VERMILLION,
    style_context,
)
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["MarkedRow", "rows_figure"]

_WIDTH = 4.6

#: Colour and mark of the first, second, ... number of a row.
_SERIES = ((VERMILLION, "o"), (BLUE, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"), (SKY, "P"))

#: Where a row has one number: name in the legend, colour and mark of machines and people.
_KINDS = {"machine": ("machine", BLUE, "o"), "human": ("person", VERMILLION, "D")}


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A summarizer, ``human`` or ``machine``, and its numbers; NaN has no mark."""

    name: str
    kind: str
    values: tuple[float, ...]


def rows_figure(
    rows: Sequence[MarkedRow],
    *,
    title: str,
    label: str,
    note: str = "",
    series: Sequence[str] = (),
    percent: bool = False,
) -> "Figure":
    """Draw summarizers, the first on top; `series` names their numbers; people are bold."""
    people = [row.kind == "human" for row in rows]
    names = short_names(row.name for row in rows)
    space, legend = Space(right=PAD + 0.15), _legend(rows, series)
    with style_context():
        page, axes, *_ = named_rows(
            names, title, note, width=_WIDTH, space=space, legend=legend, people=people
        )
        _draw(axes, rows, bool(series))
        axes.set_xlabel(label)
        if percent:
            axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
        page.figure.draw_without_rendering()
    return page.figure


def _draw(axes: "Axes", rows: Sequence[MarkedRow], by_series: bool) -> None:
    for place, row in enumerate(rows):
        if len(row.values) > 1:
            axes.plot(row.values, [place] * len(row.values), color="#bbbbbb", linewidth=1, zorder=1)
        for number, value in enumerate(row.values):
            colour, mark = _SERIES[number % len(_SERIES)] if by_series else _KINDS[row.kind][1:]
            axes.plot([value], [place], mark, color=colour, markersize=5)
    axes.margins(x=0.05)
    axes.grid(axis="both")
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=7)


def _legend(rows: Sequence[MarkedRow], series: Sequence[str]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    if series:
        looks = [(name, *_SERIES[number % len(_SERIES)]) for number, name in enumerate(series)]
    else:
        looks = [look for kind, look in _KINDS.items() if kind in {row.kind for row in rows}]
    return [
        Line2D([], [], color=colour, marker=mark, linestyle="none", markersize=5, label=name)
        for name, colour, mark in looks
    ]
