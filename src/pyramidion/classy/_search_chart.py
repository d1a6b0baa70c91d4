"""How well the best subset of each size predicts, for each method."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._search import SubsetSearch
from pyramidion.classy._training import TrainedModel
from pyramidion.report.charts.curves import Panel, Series, panels_figure
from pyramidion.report.charts.layout import PAD, Space, Style, wrapped
from pyramidion.report.charts.style import BLUE, GREEN, INK, VERMILLION

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL = (2.9, 2.1)

_LOOKS = {
    "robust": ("robust regression", BLUE, "o"),
    "nonneg": ("non-negative regression", GREEN, "s"),
    "canon": ("canonical correlation", VERMILLION, "^"),
}
_WINNER: dict[str, Any] = {
    "marker": "o",
    "markersize": 9,
    "markerfacecolor": "none",
    "markeredgecolor": INK,
    "markeredgewidth": 1.3,
    "linestyle": "",
}


@dataclass(frozen=True, slots=True, eq=False)
class SearchPanel:
    """A search to draw: what was predicted, for which task and peers."""

    title: str
    search: SubsetSearch

    @property
    def sizes(self) -> list[int]:
        """How many features a subset can have."""
        return list(range(1, len(self.search.subsets.groups) + 1))

    def best_by_size(self, method: str) -> Floats:
        """Give the highest value of each size; NaN where none has one."""
        return self._by_size(method, np.max)

    def median_by_size(self, method: str) -> Floats:
        """Give the median value of each size; NaN where none has one."""
        return self._by_size(method, np.median)

    def _by_size(self, method: str, summed: Callable[[Floats], Any]) -> Floats:
        place = [str(own) for own in self.search.methods].index(method)
        values = self.search.values[place, :, 0]
        known = (values[(self.search.sizes == n) & ~np.isnan(values)] for n in self.sizes)
        return np.array([float(summed(own)) if len(own) else np.nan for own in known])


def search_panels(models: Sequence[TrainedModel]) -> list[SearchPanel]:
    """Give the different searches that models were chosen from.

    Where two models were chosen from the same search, the one with more methods is drawn.
    """
    panels: dict[str, SearchPanel] = {}
    for trained in models:
        own = trained.model
        if trained.search is None:
            continue
        task = f"task {own.task}" if own.task else ""
        title = ", ".join(filter(None, (own.target, task, own.peers)))
        drawn = panels.get(title)
        if drawn is None or len(drawn.search.methods) < len(trained.search.methods):
            panels[title] = SearchPanel(title, trained.search)
    return list(panels.values())


def search_figure(panels: Sequence[SearchPanel], *, note: str = "") -> "Figure":
    """Draw the best and the median of all subsets of each size, and mark the winner."""
    titles = ["\n".join(wrapped(panel.title, _PANEL[0], size=9)) for panel in panels]
    room = 0.15 * max(title.count("\n") for title in titles)
    limits, search = _limits(panels), panels[0].search
    return panels_figure(
        [_drawn(panel, title, limits) for panel, title in zip(panels, titles, strict=True)],
        title="What the subsets of the features predict",
        note=note,
        side=_PANEL,
        gap=(0.3, 0.75 + room),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.34 + room),
        legend=_legend(panels),
        ylabel=f"{search.criterion}, {search.level} level",
        one_scale=True,
    )


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


def _drawn(panel: SearchPanel, title: str, limits: tuple[float, float]) -> Panel:
    lines = []
    for method in panel.search.methods:
        _, colour, mark = _LOOKS[method]
        best = {"color": colour, "marker": mark, "markersize": 3.5, "linewidth": 1.2}
        median = {"color": colour, "linestyle": ":", "linewidth": 1.0}
        lines.append(Series(panel.sizes, panel.best_by_size(method), best))
        lines.append(Series(panel.sizes, panel.median_by_size(method), median))
    ticks = panel.sizes[:: 1 + len(panel.sizes) // 8]
    return Panel(
        lines,
        title,
        scale={"ylim": limits, "xlabel": "features in the subset", "xticks": ticks},
        grid="y",
        more=partial(_mark_winner, panel=panel),
    )


def _mark_winner(axes: "Axes", panel: SearchPanel) -> None:
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


def _legend(panels: Sequence[SearchPanel]) -> list[Style]:
    methods = dict.fromkeys(method for panel in panels for method in panel.search.methods)
    found: list[Style] = []
    for label, colour, mark in (_LOOKS[method] for method in methods):
        look: dict[str, Any] = {"color": colour, "marker": mark, "markersize": 4, "linewidth": 1.2}
        found.append({**look, "label": f"{label}: best"})
    found.append({"color": INK, "linestyle": ":", "linewidth": 1.0, "label": "median"})
    return [*found, {**_WINNER, "label": "chosen"}]
