"""Rows with intervals: a point and its interval for everything that was ranked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.report.charts.axis_labels import label_size
from pyramidion.report.charts.layout import PAD, Space, fitting_pitch, text_width
from pyramidion.report.charts.named_rows import named_rows, write_beside
from pyramidion.report.charts.style import BLACK, INK, STRIPE, in_style
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["Look", "Rows", "rows_figure"]

_WIDTH = 4.6


@dataclass(frozen=True, slots=True)
class Look:
    """How rows of a kind are drawn, and what the legend calls them."""

    label: str
    colour: str
    mark: str = "o"
    filling: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """What is drawn, from the top.

    Parameters
    ----------
    names, values, low, high
        A row each; an interval that is not known is NaN.
    looks, kinds
        The kinds of rows by name, and the kind of each row.
    bold
        Which names are bold.
    marks
        Short texts at the right of each row, each text in a column of its own.
    ends
        Rows above which a line is drawn.
    striped
        Whether stripes lead the eye along the rows.
    chosen
        A row whose interval is shaded across all the others.
    ticks
        The most ticks of the axis.
    right
        Inches right of the marks, or for half of the last tick's number.
    """

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
    def legend(self) -> "list[Artist]":
        """The kinds that are there."""
        from matplotlib.lines import Line2D

        present = set(self.kinds)
        return [
            Line2D(
                [], [], color=look.colour, marker=look.mark, mfc=look.filling or look.colour,
                markersize=4.5, linewidth=1.6, label=look.label,
            )
            for kind, look in self.looks.items()
            if kind in present
        ]  # fmt: skip


@in_style
def rows_figure(rows: Rows, *, title: str, note: str, xlabel: str) -> "Figure":
    """Draw rows with their intervals."""
    names = short_names(rows.names)
    places = _mark_places(rows.marks, size=label_size(fitting_pitch(len(names))))
    right = max(places.values(), default=0.0) + rows.right
    page, axes, size, _ = named_rows(
        names, title, note,
        width=_WIDTH, space=Space(right=PAD + right), legend=rows.legend, people=rows.bold,
    )  # fmt: skip
    # Stripes and lines run below the names and marks as well.
    _draw_guides(axes, ((PAD - page.left) / _WIDTH, 1 + right / _WIDTH), rows)
    _draw_intervals(axes, rows)
    axes.set_xlabel(xlabel)
    if rows.chosen is not None:
        colour = rows.looks[rows.kinds[rows.chosen]].colour
        for label in axes.get_yticklabels():
            label.set_color(colour if label.get_text() == names[rows.chosen] else BLACK)
    for mark, inches in places.items():
        texts = (mark if mark in own else "" for own in rows.marks)
        write_beside(axes, texts, inches=inches, size=size)
    return page.figure


def _mark_places(marks: Sequence[Sequence[str]], *, size: float) -> dict[str, float]:
    """Give each mark a column: how many inches right of the plot it ends."""
    found = sorted({mark for row in marks for mark in row}, key=lambda mark: (len(mark), mark))
    places, right = {}, 0.1
    for mark in found:
        right += text_width([mark], size=size) + 0.05
        places[mark] = right
    return places


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
        colour = rows.looks[rows.kinds[rows.chosen]].colour
        low, high = rows.low[rows.chosen], rows.high[rows.chosen]
        axes.axvspan(low, high, color=colour, alpha=0.1, linewidth=0)


def _draw_intervals(axes: "Axes", rows: Rows) -> None:
    values, low, high = map(np.asarray, (rows.values, rows.low, rows.high))
    for kind, look in rows.looks.items():
        own = [row for row, found in enumerate(rows.kinds) if found == kind]
        axes.hlines(own, low[own], high[own], color=look.colour, linewidth=1.6)
        axes.plot(
            values[own], own, look.mark,
            color=look.colour, mfc=look.filling or look.colour, markersize=4.5, label=kind,
        )  # fmt: skip
    axes.margins(x=0.03)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    if rows.ticks is not None:
        axes.locator_params(axis="x", nbins=rows.ticks)
