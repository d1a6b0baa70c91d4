"""How frequent in the input is what so many people use (Figure 4.1, and Table 4.2 drawn)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLUE, GREY, VERMILLION, style_context

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

_PLOT = (4.6, 3.0)
_MEAN: dict[str, Any] = {"color": VERMILLION, "marker": "o", "markersize": 6, "label": "mean"}
_MEDIAN: dict[str, Any] = {
    "color": BLUE,
    "marker": "s",
    "markersize": 5,
    "linestyle": "--",
    "label": "median",
}


@dataclass(frozen=True, slots=True)
class AgreedClass:
    """Words or content units that so many references have, and their frequency in the input.

    A mean size need not be whole; `low` and `high` are the ends of a bar; a median that is NaN is
    not drawn.
    """

    references: int
    size: float
    mean: float
    median: float
    low: float
    high: float


def agreed_figure(
    classes: Sequence[AgreedClass], *, title: str, note: str, label: str, bars: str
) -> "Figure":
    """Draw the frequency in the input over the number of references; `bars` names the bars."""
    drawn = [own for own in classes if not math.isnan(own.mean)]
    with style_context():
        page = Page(
            title,
            note,
            plot=_PLOT,
            space=Space(left=PAD + 0.55, right=PAD + 0.1, below=0.62),
            legend=_legend(drawn, bars),
        )
        axes = page.axes(page.left, page.bottom, *_PLOT)
        x = [own.references for own in drawn]
        axes.vlines(x, [c.low for c in drawn], [c.high for c in drawn], color=GREY, linewidth=5)
        axes.collections[0].set_alpha(0.35)
        axes.plot(x, [own.mean for own in drawn], **_MEAN)
        if _has_median(drawn):
            axes.plot(x, [own.median for own in drawn], **_MEDIAN)
        axes.set_xticks([own.references for own in classes], [_tick(own) for own in classes])
        axes.set(xlabel="references that have it (how many there are)", ylabel=label)
        axes.set_ylim(bottom=0)
        axes.margins(x=0.12)
        axes.grid(axis="y")
        page.figure.draw_without_rendering()
    return page.figure


def _tick(own: AgreedClass) -> str:
    shown = f"{own.size:,.0f}" if own.size >= 10 or own.size == int(own.size) else f"{own.size:.1f}"
    return f"{own.references}\n({shown})"


def _has_median(classes: Sequence[AgreedClass]) -> bool:
    return any(not math.isnan(own.median) for own in classes)


def _legend(classes: Sequence[AgreedClass], bars: str) -> "list[Artist]":
    from matplotlib.lines import Line2D

    looks = [_MEAN, *([_MEDIAN] if _has_median(classes) else [])]
    handles: list[Artist] = [Line2D([], [], **look) for look in looks]
    return [*handles, Line2D([], [], color=GREY, linewidth=5, alpha=0.35, label=bars)]
