"""Curves: a grid of panels with lines, points and bands."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pyramidion.rendering.charts.layout import PAD, Page, Panels, Space, Style
from pyramidion.rendering.charts.style import GRAY, in_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SPACE = Space(left=PAD + 0.55, right=PAD + 0.1, above=0.3)


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
    space: Space = _SPACE,
    legend: Sequence[Style] = (),
    ylabel: str = "",
    one_scale: bool = False,
) -> "Figure":
    """Draw panels of `side` inches, at most `max_columns` per row; `ylabel` is on the left.

    With a common scale, only the first panel of each row shows its numbers.
    """
    grid = Panels(len(panels), side=side, gap=gap, most=max_columns)
    page = Page(title, note, plot=grid.plot, space=space, legend=legend)
    for number, (panel, axes) in enumerate(zip(panels, grid.axes(page), strict=True)):
        panel.draw(axes)
        first = number % grid.across == 0
        if ylabel and first:
            axes.set_ylabel(ylabel)
        if one_scale and not first:
            axes.tick_params("y", labelleft=False)
    return page.figure
