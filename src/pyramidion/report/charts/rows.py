"""Panels of named rows, each with a value and an interval: as bars, or as points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLUE, GREY, INK, PALE, SKY, in_style
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["PanelRow", "RowPanel", "row_panels_figure"]

_WIDTH, _ALONE, _ACROSS = 2.3, 3.9, 4
_HEAD, _BELOW, _LEAST_PITCH = 0.3, 0.5, 0.2
# Single values stand a little below the line of their mean.
_ASIDE = 0.24


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A row of a panel.

    Parameters
    ----------
    name
        What stands at the left.
    value, low, high
        What is drawn; NaN where undefined.
    soft
        Whether it is drawn in grey, as a row for all others together.
    points
        Single values behind the mean.
    """

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    soft: bool = False
    points: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RowPanel:
    """A panel: a heading and rows, the first on top."""

    title: str
    rows: tuple[PanelRow, ...]


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
    return _drawn(panels, title, note, label, form, _limits(panels, limits))


def _drawn(
    panels: Sequence[RowPanel],
    title: str,
    note: str,
    label: str,
    form: str,
    limits: tuple[float, float],
) -> "Figure":
    across = min(len(panels), _ACROSS)
    most = max(len(panel.rows) for panel in panels)
    pitch = max(_LEAST_PITCH, fitting_pitch(most))
    names = [short_names(row.name for row in panel.rows) for panel in panels]
    left = text_width((n for own in names for n in own), size=label_size(pitch)) + 2 * LABEL_GAP
    bands = [panels[start : start + across] for start in range(0, len(panels), across)]
    heights = [max(len(panel.rows) for panel in band) * pitch for band in bands]
    width = _ALONE if len(panels) == 1 else _WIDTH
    step = left + width + 0.15
    page = Page(
        title,
        note,
        plot=(step * across - left, sum(heights) + (len(bands) - 1) * (_HEAD + _BELOW)),
        space=Space(left=PAD + left, above=_HEAD),
    )
    top = page.bottom + sum(heights) + (len(bands) - 1) * (_HEAD + _BELOW)
    number = 0
    for band, height in zip(bands, heights, strict=True):
        for column, panel in enumerate(band):
            own = len(panel.rows) * pitch
            axes = page.axes(page.left + column * step, top - own, width, own)
            _draw(axes, panel, form)
            label_names(axes, "y", names[number], pitch=pitch)
            axes.set(xlim=limits, xlabel=label)
            axes.set_title(" ".join(panel.title.split()), size=9, loc="left")
            number += 1
        top -= height + _HEAD + _BELOW
    return page.figure


def _limits(panels: Sequence[RowPanel], wanted: tuple[float, float] | None) -> tuple[float, float]:
    rows = [row for panel in panels for row in panel.rows]
    drawn = [v for row in rows for v in (row.value, row.low, row.high, *row.points, 0.0)]
    known = [value for value in (*drawn, *(wanted or ())) if math.isfinite(value)]
    low, high = min(known, default=0.0), max(known, default=1.0)
    room = 0.04 * ((high - low) or 1.0)
    return low - room * (low < 0), high + room * (high > 0)


def _draw(axes: "Axes", panel: RowPanel, form: str) -> None:
    for place, row in enumerate(panel.rows):
        colour = GREY if row.soft else BLUE
        if row.points:
            axes.plot(row.points, [place + _ASIDE] * len(row.points), "o", color=SKY, markersize=3,
                      alpha=0.6, markeredgewidth=0)  # fmt: skip
        if math.isnan(row.value):
            axes.text(0, place, " undefined", va="center", size=7, color=GREY)
        elif form == "bars":
            axes.barh(place, row.value, height=0.62, color=colour, alpha=0.75, linewidth=0)
        else:
            axes.plot(row.value, place, "o", color=colour, markersize=5)
        if not math.isnan(row.low):
            ends = (INK, 1.1) if form == "bars" else (colour, 1.6)
            axes.plot([row.low, row.high], [place, place], color=ends[0], linewidth=ends[1])
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.grid(axis="x", color=PALE)
    axes.set(ylim=(len(panel.rows) - 0.4, -0.6))
    axes.spines["left"].set_visible(False)
