"""How well the best subset of each size predicts, for each method."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy.search import SubsetSearch
from pyramidion.report.charts.layout import PAD, Page, Space, wrapped
from pyramidion.report.charts.style import BLUE, GREEN, INK, VERMILLION, style_context

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["SearchPanel", "search_figure"]

_PANEL, _ACROSS, _UP = (2.9, 2.1), 0.3, 0.75
_COLUMNS = 3

_LOOKS = {
    "robust": ("robust regression", BLUE, "o"),
    "nonneg": ("non-negative regression", GREEN, "s"),
    "canon": ("canonical correlation", VERMILLION, "^"),
}


@dataclass(frozen=True, slots=True, eq=False)
class SearchPanel:
    """A search to draw.

    Parameters
    ----------
    title
        What was predicted, for which task and peers.
    search
        The table of one target.

    Examples
    --------
    >>> from pyramidion.classy.search import Subsets
    >>> table = SubsetSearch(Subsets.of(1, None), ("canon",), np.array([[[0.5]]]),
    ...                      np.zeros((1, 1), int), "pearson", "summary")
    >>> SearchPanel("readability, task A", table).best_by_size("canon").tolist()
    [0.5]
    """

    title: str
    search: SubsetSearch

    @property
    def sizes(self) -> list[int]:
        """How many features a subset can have."""
        return list(range(1, len(self.search.subsets.groups) + 1))

    def best_by_size(self, method: str) -> Floats:
        """Give the highest value of each size; NaN where none has one."""
        return self._by_size(method, lambda values: float(np.max(values)))

    def median_by_size(self, method: str) -> Floats:
        """Give the median value of each size; NaN where none has one."""
        return self._by_size(method, lambda values: float(np.median(values)))

    def _by_size(self, method: str, summed: Any) -> Floats:
        place = [str(own) for own in self.search.methods].index(method)
        values = self.search.values[place, :, 0]
        found = []
        for size in self.sizes:
            own = values[self.search.sizes == size]
            own = own[~np.isnan(own)]
            found.append(summed(own) if len(own) else np.nan)
        return np.array(found)


def search_figure(panels: Sequence[SearchPanel], *, note: str = "") -> "Figure":
    """Draw the best and the median of all subsets of each size, and mark the winner.

    Parameters
    ----------
    panels
        The searches; by the same criterion at the same level.
    note
        What to say below the title.

    Examples
    --------
    >>> from pyramidion.classy.search import Subsets
    >>> table = SubsetSearch(Subsets.of(2, None), ("canon",), np.array([[[0.5], [0.4], [0.6]]]),
    ...                      np.zeros((3, 1), int), "pearson", "summary")
    >>> figure = search_figure([SearchPanel("readability, task A", table)])
    >>> figure.axes[0].get_ylabel()
    'pearson, summary level'
    """
    with style_context():
        figure = _drawn(panels, note)
        figure.draw_without_rendering()
    return figure


def _drawn(panels: Sequence[SearchPanel], note: str) -> "Figure":
    width, height = _PANEL
    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    titles = ["\n".join(wrapped(panel.title, width, size=9)) for panel in panels]
    lines = max(title.count("\n") for title in titles)
    up = _UP + 0.15 * lines
    page = Page(
        "What the subsets of the features predict",
        note,
        plot=(
            columns * width + (columns - 1) * _ACROSS,
            rows * height + (rows - 1) * up,
        ),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.34 + 0.15 * lines),
        legend=_legend(panels),
    )
    limits = _limits(panels)
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        axes = page.axes(
            page.left + column * (width + _ACROSS),
            page.bottom + (rows - 1 - row) * (height + up),
            width,
            height,
        )
        _draw(axes, panel)
        axes.set_title(titles[number], size=9, loc="left")
        axes.set(ylim=limits, xlabel="features in the subset")
        if column == 0:
            axes.set_ylabel(f"{panel.search.criterion}, {panel.search.level} level")
        else:
            axes.tick_params(labelleft=False)
    return page.figure


def _limits(panels: Sequence[SearchPanel]) -> tuple[float, float]:
    """Show what is drawn, with room above for the winner's label."""
    drawn = np.concatenate(
        [
            values
            for panel in panels
            for method in panel.search.methods
            for values in (panel.best_by_size(method), panel.median_by_size(method))
        ]
    )
    low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
    room = max(high - low, 0.05)
    return low - 0.05 * room, high + 0.2 * room


def _draw(axes: "Axes", panel: SearchPanel) -> None:
    for method in panel.search.methods:
        _, colour, mark = _LOOKS[method]
        best, median = panel.best_by_size(method), panel.median_by_size(method)
        axes.plot(panel.sizes, best, color=colour, marker=mark, markersize=3.5, linewidth=1.2)
        axes.plot(panel.sizes, median, color=colour, linestyle=":", linewidth=1.0)
    winner = panel.search.winner(0)
    size = len(winner.groups)
    axes.plot([size], [winner.value], **_WINNER)
    right = size > (1 + len(panel.sizes)) / 2
    axes.annotate(
        f"{winner.method}, {size}: {winner.value:.3f}",
        (size, winner.value),
        xytext=(4 if right else -4, 8),
        textcoords="offset points",
        ha="right" if right else "left",
        size=8,
        color=INK,
    )
    axes.set_xticks(panel.sizes[:: 1 + len(panel.sizes) // 8])
    axes.grid(axis="y")


_WINNER: dict[str, Any] = {
    "marker": "o",
    "markersize": 9,
    "markerfacecolor": "none",
    "markeredgecolor": INK,
    "markeredgewidth": 1.3,
    "linestyle": "",
}


def _legend(panels: Sequence[SearchPanel]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    methods = dict.fromkeys(method for panel in panels for method in panel.search.methods)
    found: list[Artist] = []
    for method in methods:
        label, colour, mark = _LOOKS[method]
        look: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 4, "linewidth": 1.2}
        found.append(Line2D([], [], label=f"{label}: best", **look))
    found.append(Line2D([], [], color=INK, linestyle=":", linewidth=1.0, label="median"))
    return [*found, Line2D([], [], label="chosen", **_WINNER)]
