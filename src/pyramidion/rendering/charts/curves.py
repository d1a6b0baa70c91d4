"""Curves: a grid of panels with lines, points and bands."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from pyramidion.rendering.charts.layout import Page, Panels, Space, Style
from pyramidion.rendering.charts.picture import (
    SCALE_SPACE,
    Dot,
    KeyEntry,
    Line,
    Mark,
    NumberLine,
    Picture,
    Text,
)
from pyramidion.rendering.charts.style import GRAY, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """Points, or a line through them."""

    x: Any
    y: Any
    look: Style

    def draw(self, axes: "Axes") -> None:
        """Draw it."""
        axes.plot(self.x, self.y, **self.look)


@dataclass(frozen=True, slots=True, eq=False)
class Span:
    """The range between two values at each x: a band, or separate bars."""

    x: Any
    low: Any
    high: Any
    look: Style
    bars: bool = False

    def draw(self, axes: "Axes") -> None:
        """Draw it."""
        fill = axes.vlines if self.bars else axes.fill_between
        fill(self.x, self.low, self.high, **self.look)


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A plot: its content in drawing order, and its headings on the left and right.

    `scale` is passed to `Axes.set` (labels, limits, ticks), `margins` and `ticks` to `Axes.margins`
    and `Axes.locator_params`; `more` draws anything specific to this plot.
    """

    series: Sequence[Series | Span]
    title: str = ""
    aside: str = ""
    size: float = 9
    scale: Style = field(default_factory=dict)
    margins: Style = field(default_factory=dict)
    ticks: Style = field(default_factory=dict)
    grid: Literal["x", "y", "both"] = "both"
    more: "Callable[[Axes], object] | None" = None

    def draw(self, axes: "Axes") -> None:
        """Draw it."""
        for line in self.series:
            line.draw(axes)
        axes.grid(axis=self.grid)
        if self.margins:
            axes.margins(**self.margins)
        axes.set(**self.scale)
        if self.ticks:
            axes.locator_params(**self.ticks)
        axes.set_title(self.title, size=self.size, loc="left")
        axes.set_title(self.aside, size=8, loc="right", color=GRAY)
        if self.more:
            self.more(axes)


@in_style
def panels_figure(
    panels: Sequence[Panel],
    *,
    title: str,
    note: str = "",
    side: tuple[float, float] = (4.6, 3.0),
    gap: tuple[float, float] = (0.55, 0.85),
    max_columns: int = 3,
    space: Space,
    legend: Sequence[Style] = (),
    ylabel: str = "",
    shares_scale: bool = False,
) -> "Figure":
    """Draw panels of `side` inches, at most `max_columns` per row; `ylabel` is on the left.

    With a common scale, only the first panel of each row shows its numbers.
    """
    grid = Panels(len(panels), side=side, gap=gap, max_across=max_columns)
    page = Page(title, note, plot=grid.plot_size, space=space, legend=legend)
    for number, (panel, axes) in enumerate(zip(panels, grid.axes(page), strict=True)):
        panel.draw(axes)
        is_first_column = number % grid.across == 0
        if ylabel and is_first_column:
            axes.set_ylabel(ylabel)
        if shares_scale and not is_first_column:
            axes.tick_params("y", labelleft=False)
    return page.figure


# The space for numbers and a label on the left, and for the headings of panels, in inches.
_LEFT_SPACE, _HEAD_HEIGHT = 0.62, 0.26
# The share of a panel that stays empty at each side.
_AXIS_MARGIN = 0.06


def panels_picture(
    panels: Sequence[Panel],
    *,
    title: str,
    note: str = "",
    panel_size: tuple[float, float],
    gap: tuple[float, float] = (0.55, 0.85),
    max_columns: int = 3,
    legend: Sequence[Style] = (),
    ylabel: str = "",
) -> Picture:
    """Draw panels of points, lines and bars without matplotlib, as `panels_figure` does."""
    grid, marks = (
        Panels(len(panels), side=panel_size, gap=gap, max_across=max_columns),
        list[Mark](),
    )
    for number, panel in enumerate(panels):
        row, column = divmod(number, grid.across)
        left = _LEFT_SPACE + column * (panel_size[0] + gap[0])
        top_y = _HEAD_HEIGHT + row * (panel_size[1] + gap[1])
        marks += _panel_marks(panel, left, top_y, panel_size)
        if not column:
            center_y = top_y + panel_size[1] / 2
            marks.append(Text(0.1, center_y, ylabel, 9, anchor="middle", turned=True))
    key = [KeyEntry(style["label"], style["color"], style.get("marker", "")) for style in legend]
    size = _LEFT_SPACE + grid.plot_size[0] + 0.15, _HEAD_HEIGHT + grid.plot_size[1] + SCALE_SPACE
    return Picture(title, note, marks, size, key)


def _panel_marks(
    panel: Panel, left: float, top_y: float, panel_size: tuple[float, float]
) -> Iterator[Mark]:
    """Draw a panel: scales, content and headings."""
    width, height = panel_size
    x_axis = NumberLine(*_scale_ends(panel, "xlim", ("x",)), left, width)
    y_axis = NumberLine(*_scale_ends(panel, "ylim", ("y", "low", "high")), 0, height)
    bottom = top_y + height
    yield from x_axis.marks(top_y, bottom, panel.scale.get("xlabel", ""))
    for tick in y_axis.ticks():
        yield Line(left, bottom - y_axis.position_of(tick), width, 0, "line")
    for tick in y_axis.ticks():
        text = f"{tick:g}".replace("-", "−")
        yield Text(left - 0.06, bottom - y_axis.position_of(tick), text, 8, anchor="end")
    for series in panel.series:
        yield from _series_marks(series, x_axis, y_axis, bottom)
    if panel.title:
        yield Text(left, top_y - 0.13, panel.title, panel.size)
    if panel.aside:
        yield Text(left + width, top_y - 0.13, panel.aside, 8, "soft", "end")


def _scale_ends(panel: Panel, limits: str, names: tuple[str, ...]) -> tuple[float, float]:
    """Return the limits of a scale, or the ends of what is drawn with a margin."""
    if limits in panel.scale:
        low, high = panel.scale[limits]
        return low, high
    columns = [getattr(series, name, ()) for series in panel.series for name in names]
    values_drawn = [
        float(number) for values in columns for number in values if math.isfinite(number)
    ]
    low, high = min(values_drawn, default=0.0), max(values_drawn, default=1.0)
    margin = _AXIS_MARGIN * ((high - low) or 1.0)
    return low - margin, high + margin


def _series_marks(
    series: Series | Span, x_axis: NumberLine, y_axis: NumberLine, bottom: float
) -> Iterator[Mark]:
    style = series.look
    color, stroke_width = style["color"], style.get("linewidth", 1.4)
    if isinstance(series, Span):
        for x, low, high in zip(series.x, series.low, series.high, strict=True):
            if math.isfinite(low + high):
                size = y_axis.position_of(high) - y_axis.position_of(low)
                yield Line(
                    x_axis.position_of(x),
                    bottom - y_axis.position_of(high),
                    0,
                    size,
                    color,
                    stroke_width,
                )
        return
    pairs = zip(series.x, series.y, strict=True)
    points = [
        (x_axis.position_of(x), bottom - y_axis.position_of(y))
        for x, y in pairs
        if math.isfinite(x + y)
    ]
    if style.get("linestyle") != "":
        for (x, y), (next_x, next_y) in pairwise(points):
            yield Line(x, y, next_x - x, next_y - y, color, stroke_width)
    if "marker" in style:
        yield from (Dot(x, y, color, style["marker"]) for x, y in points)
