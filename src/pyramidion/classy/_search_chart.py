"""How well the best subset of each size predicts, for each method."""

from collections.abc import Callable, Iterator, Sequence
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
_MEDIAN: dict[str, Any] = {"linestyle": ":", "linewidth": 1.0}
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

    def by_size(self, method: str, summed: Callable[[Floats], Any] = np.max) -> Floats:
        """Give the highest value of each size, or another summary; NaN where none has one."""
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
    search, lines = panels[0].search, [list(_lines(panel)) for panel in panels]
    # What is drawn, with room above for the winner's label.
    drawn = np.concatenate([line.y for own in lines for line in own])
    low, high = float(np.nanmin(drawn)), float(np.nanmax(drawn))
    spare = max(high - low, 0.05)
    limits = low - 0.05 * spare, high + 0.2 * spare
    return panels_figure(
        [_drawn(*each, limits) for each in zip(panels, lines, titles, strict=True)],
        title="What the subsets of the features predict",
        note=note,
        side=_PANEL,
        gap=(0.3, 0.75 + room),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.34 + room),
        legend=_legend(panels),
        ylabel=f"{search.criterion}, {search.level} level",
        one_scale=True,
    )


def _lines(panel: SearchPanel) -> Iterator[Series]:
    for method in panel.search.methods:
        _, color, mark = _LOOKS[method]
        best = {"color": color, "marker": mark, "markersize": 3.5, "linewidth": 1.2}
        yield Series(panel.sizes, panel.by_size(method), best)
        yield Series(panel.sizes, panel.by_size(method, np.median), {"color": color, **_MEDIAN})


def _drawn(
    panel: SearchPanel, lines: Sequence[Series], title: str, limits: tuple[float, float]
) -> Panel:
    ticks = panel.sizes[:: 1 + len(panel.sizes) // 8]
    scale = {"ylim": limits, "xlabel": "features in the subset", "xticks": ticks}
    return Panel(lines, title, scale=scale, grid="y", more=partial(_mark_winner, panel=panel))


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
    look = {"markersize": 4, "linewidth": 1.2}
    best = [
        {"color": color, "marker": mark, **look, "label": f"{label}: best"}
        for label, color, mark in (_LOOKS[method] for method in methods)
    ]
    return [*best, {"color": INK, **_MEDIAN, "label": "median"}, {**_WINNER, "label": "chosen"}]
