"""Named rows, the first on top: with intervals, in panels, or with a mark for each number."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, cycle
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from pyramidion.report.charts.layout import (
    LABEL_GAP,
    PAD,
    Page,
    Space,
    Style,
    fitting_pitch,
    label_names,
    label_size,
    text_width,
)
from pyramidion.report.charts.style import (
    BLACK,
    BLUE,
    GRAY,
    GREEN,
    INK,
    ORANGE,
    PALE,
    PURPLE,
    SKY,
    STRIPE,
    VERMILLION,
    in_style,
)
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class NamedRows(NamedTuple):
    """A page, its plot, the size of the rows' names and the plot's height in inches."""

    page: Page
    axes: "Axes"
    size: float
    height: float


def named_rows(
    names: Sequence[str],
    title: str,
    note: str,
    *,
    width: float,
    pitch: float = 0.0,
    least_height: float = 0.0,
    space: Space | None = None,
    more_width: float = 0.0,
    legend: Sequence[Style] = (),
    people: Sequence[bool] = (),
) -> NamedRows:
    """Make a page with a plot of named rows, the first on top.

    Rows are `pitch` inches apart, or as their number allows; `space` is what is needed around
    the plot beside the names, and `more_width` what further plots need at its right. Names of
    `people` are bold.
    """
    pitch = pitch or fitting_pitch(len(names))
    size, height = label_size(pitch), max(least_height, len(names) * pitch)
    left = PAD + text_width(names, size=size, bold=any(people)) + 2 * LABEL_GAP
    plot, around = (width + more_width, height), replace(space or Space(), left=left)
    page = Page(title, note, plot=plot, space=around, legend=legend)
    axes = page.axes(page.left, page.bottom, width, height)
    label_names(axes, "y", names, pitch=pitch, human=people)
    axes.set_ylim(len(names) - 0.5, -0.5)
    return NamedRows(page, axes, size, height)


def write_beside(
    axes: "Axes",
    texts: Iterable[str],
    *,
    inches: float,
    size: float,
    ha: str = "right",
    color: str = INK,
) -> None:
    """Write the text of each row that has one so many inches right of the plot."""
    for row, text in enumerate(texts):
        if text:
            axes.annotate(
                text, (1, row), (inches * 72, 0), axes.get_yaxis_transform(), "offset points",
                ha=ha, va="center_baseline", size=size, color=color, annotation_clip=False,
            )  # fmt: skip


_WIDTH = 4.6


@dataclass(frozen=True, slots=True)
class Look:
    """How rows of a kind are drawn, and what the legend calls them."""

    label: str
    color: str
    mark: str = "o"
    filling: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What is drawn, from the top."""

    names: Sequence[str]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    looks: Mapping[str, Look]
    kinds: Sequence[str]
    bold: Sequence[bool] = ()
    marks: Sequence[Sequence[str]] = ()
    ends: Sequence[int] = ()
    striped: bool = False
    chosen: int | None = None
    ticks: int | None = None
    right: float = 0.08

    @property
    def legend(self) -> list[Style]:
        """The kinds that are there."""
        present = set(self.kinds)
        return [
            {
                "label": look.label, "color": look.color, "marker": look.mark,
                "mfc": look.filling or look.color, "markersize": 4.5, "linewidth": 1.6,
            }
            for kind, look in self.looks.items()
            if kind in present
        ]  # fmt: skip


@in_style
def rows_figure(rows: Rows, *, title: str, note: str, xlabel: str) -> "Figure":
    """Draw rows with their intervals."""
    names = short_names(rows.names)
    # Each mark has a column: how many inches right of the plot it ends.
    marks = sorted({mark for row in rows.marks for mark in row}, key=lambda mark: (len(mark), mark))
    size = label_size(fitting_pitch(len(names)))
    widths = (text_width([mark], size=size) + 0.05 for mark in marks)
    _, *ends = accumulate(widths, initial=0.1)
    right = max(ends, default=0.0) + rows.right
    page, axes, size, _ = named_rows(
        names, title, note,
        width=_WIDTH, space=Space(right=PAD + right), legend=rows.legend, people=rows.bold,
    )  # fmt: skip
    # Stripes and lines run below the names and marks as well.
    _draw_guides(axes, ((PAD - page.left) / _WIDTH, 1 + right / _WIDTH), rows)
    values, low, high = map(np.asarray, (rows.values, rows.low, rows.high))
    for kind, look in rows.looks.items():
        own = [row for row, found in enumerate(rows.kinds) if found == kind]
        axes.hlines(own, low[own], high[own], color=look.color, linewidth=1.6)
        axes.plot(
            values[own], own, look.mark,
            color=look.color, mfc=look.filling or look.color, markersize=4.5, label=kind,
        )  # fmt: skip
    axes.margins(x=0.03)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    if rows.ticks is not None:
        axes.locator_params(axis="x", nbins=rows.ticks)
    axes.set_xlabel(xlabel)
    for mark, inches in zip(marks, ends, strict=True):
        texts = (mark if mark in own else "" for own in rows.marks)
        write_beside(axes, texts, inches=inches, size=size)
    return page.figure


def _draw_guides(axes: "Axes", across: tuple[float, float], rows: Rows) -> None:
    """Draw stripes that lead the eye along a row, lines between rows, and a chosen interval."""
    left, right = across
    transform = axes.get_yaxis_transform()
    if rows.striped:
        axes.barh(
            range(1, len(rows.names), 2), right - left, 1.0, left,
            color=STRIPE, transform=transform, clip_on=False, zorder=0,
        )  # fmt: skip
    for end in rows.ends:
        axes.plot(
            across, [end - 0.5] * 2,
            transform=transform, color=INK, linewidth=0.8, clip_on=False, label="cluster",
        )  # fmt: skip
    if rows.chosen is not None:
        chosen = rows.chosen
        color = rows.looks[rows.kinds[chosen]].color
        axes.axvspan(rows.low[chosen], rows.high[chosen], color=color, alpha=0.1, linewidth=0)
        name = short_names(rows.names)[chosen]
        for label in axes.get_yticklabels():
            label.set_color(color if label.get_text() == name else BLACK)


# A panel alone may be wider than one of two or more.
_WIDTHS, _ACROSS = (3.9, 3.0, 2.3), 4
_HEAD, _BELOW, _LEAST_PITCH = 0.3, 0.5, 0.2
# Single values are a little below the line of their mean.
_ASIDE = 0.24


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A row of a panel: its name, and its value with an interval, NaN where undefined.

    A row for all others together is `soft`, single values are `points` behind the mean, and
    `mark` is written at the right.
    """

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    soft: bool = False
    points: tuple[float, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class RowPanel:
    """A panel: a heading, rows, the first on top, and their color."""

    title: str
    rows: tuple[PanelRow, ...]
    color: str = BLUE


@in_style
def row_panels_figure(
    panels: Sequence[RowPanel],
    *,
    title: str,
    note: str,
    label: str,
    form: Literal["bars", "points"] = "bars",
    limits: tuple[float, float] | None = None,
) -> "Figure":
    """Draw panels beside and below each other, on one scale.

    Values are bars from 0, or points; `label` says what they are, and `limits` are ends of the
    scale that must be there.
    """
    across = min(len(panels), _ACROSS)
    pitch = max(_LEAST_PITCH, fitting_pitch(max(len(panel.rows) for panel in panels)))
    names = [short_names(row.name for row in panel.rows) for panel in panels]
    size, every = label_size(pitch), [row for panel in panels for row in panel.rows]
    left = text_width((n for own in names for n in own), size=size) + 2 * LABEL_GAP
    right = text_width((row.mark for row in every), size=size)
    bands = [panels[start : start + across] for start in range(0, len(panels), across)]
    heights = [max(len(panel.rows) for panel in band) * pitch for band in bands]
    width = _WIDTHS[min(len(panels), len(_WIDTHS)) - 1]
    step = left + width + (right + 2 * LABEL_GAP if right else 0.15)
    plot = step * across - left, sum(heights) + (len(bands) - 1) * (_HEAD + _BELOW)
    page = Page(title, note, plot=plot, space=Space(left=PAD + left, above=_HEAD))
    top = page.bottom + plot[1]
    every_name, scale = iter(names), _limits(every, limits)
    for band, height in zip(bands, heights, strict=True):
        for column, panel in enumerate(band):
            own = len(panel.rows) * pitch
            axes = page.axes(page.left + column * step, top - own, width, own)
            draw_rows(axes, panel.rows, form, panel.color)
            marks = (row.mark for row in panel.rows)
            write_beside(axes, marks, inches=LABEL_GAP, size=size, ha="left")
            label_names(axes, "y", next(every_name), pitch=pitch)
            axes.set(xlim=scale, xlabel=label)
            axes.set_title(" ".join(panel.title.split()), size=9, loc="left")
        top -= height + _HEAD + _BELOW
    return page.figure


def _limits(rows: Sequence[PanelRow], wanted: tuple[float, float] | None) -> tuple[float, float]:
    drawn = [v for row in rows for v in (row.value, row.low, row.high, *row.points, 0.0)]
    known = [value for value in (*drawn, *(wanted or ())) if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = 0.04 * ((high - low) or 1.0)
    return low - room * (low < 0), high + room * (high > 0 or low == high)


def draw_rows(axes: "Axes", rows: Sequence[PanelRow], form: str, color: str = BLUE) -> None:
    """Draw values as bars from 0 or as points, with their intervals."""
    bars, colors = form == "bars", [GRAY if row.soft else color for row in rows]
    for place, (row, own) in enumerate(zip(rows, colors, strict=True)):
        if row.points:
            axes.plot(row.points, [place + _ASIDE] * len(row.points), "o", color=SKY, markersize=3,
                      alpha=0.6, markeredgewidth=0)  # fmt: skip
        if math.isnan(row.value):
            axes.text(0, place, " undefined", va="center", size=7, color=GRAY)
            continue
        if bars:
            axes.barh(place, row.value, height=0.62, color=own, alpha=0.65, linewidth=0)
        axes.plot(row.value, place, "o", color=INK if bars else own, markersize=3.5 if bars else 5)
    low, high = [row.low for row in rows], [row.high for row in rows]
    ink, width = (INK, 1.1) if bars else (colors, 1.6)
    axes.hlines(range(len(rows)), low, high, colors=ink, linewidth=width)
    axes.axvline(0, color=GRAY, linewidth=0.8)
    axes.grid(axis="x", color=PALE)
    axes.set(ylim=(len(rows) - 0.4, -0.6))
    axes.spines["left"].set_visible(False)


#: Color and mark of the first, second, ... number of a row.
_SERIES = ((VERMILLION, "o"), (BLUE, "s"), (GREEN, "^"), (PURPLE, "D"), (ORANGE, "v"), (SKY, "P"))

#: Where a row has one number: name in the legend, color and mark of machines and people.
_KINDS = {"machine": ("machine", BLUE, "o"), "human": ("person", VERMILLION, "D")}


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A summarizer, ``human`` or ``machine``, and its numbers; NaN has no mark."""

    name: str
    kind: str
    values: tuple[float, ...]


@in_style
def marked_rows_figure(
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
    kinds = {row.kind for row in rows}
    looks = [(name, *look) for name, look in zip(series, cycle(_SERIES), strict=False)]
    looks = looks or [look for kind, look in _KINDS.items() if kind in kinds]
    legend = [
        {"label": name, "color": color, "marker": mark, "linestyle": "", "markersize": 5}
        for name, color, mark in looks
    ]
    page, axes, *_ = named_rows(
        short_names(row.name for row in rows), title, note,
        width=_WIDTH, space=Space(right=PAD + 0.15), legend=legend, people=people,
    )  # fmt: skip
    for place, row in enumerate(rows):
        if len(row.values) > 1:
            axes.plot(row.values, [place] * len(row.values), color="#bbbbbb", linewidth=1, zorder=1)
        for number, value in enumerate(row.values):
            _, color, mark = looks[number] if series else _KINDS[row.kind]
            axes.plot([value], [place], mark, color=color, markersize=5)
    axes.margins(x=0.05)
    axes.grid(axis="both")
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", nbins=7)
    axes.set_xlabel(label)
    if percent:
        axes.xaxis.set_major_formatter(lambda value, _: f"{100 * value:g} %")
    return page.figure
