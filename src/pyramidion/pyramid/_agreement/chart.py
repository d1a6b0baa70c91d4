"""Scores of the same peers by two people's annotations."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.pyramid._agreement.measure import TwiceScored, compare_scores
from pyramidion.report.charts.layout import PAD, Page, Panels, Space
from pyramidion.report.charts.style import BLUE, GREY, PALE, in_style
from pyramidion.report.labels import counted, short_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANELS = Panels(2, side=(2.8, 2.8), gap=(0.4, 0), most=2)


@in_style
def annotators_figure(
    scored: Sequence[TwiceScored],
    *,
    names: tuple[str, str] = ("first annotation", "second annotation"),
    equal_within: float = 0.06,
) -> "Figure":
    """Draw each peer's score by one annotation against the other, small differences as a band."""
    page = Page(
        "Scores by two annotations",
        counted(len(scored), "peer"),
        plot=_PANELS.plot,
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.34),
        legend=_legend(equal_within),
    )
    for axes, measure in zip(_PANELS.axes(page), ("original", "modified"), strict=True):
        first = np.array([getattr(item.first, measure) for item in scored], dtype=np.float64)
        second = np.array([getattr(item.second, measure) for item in scored], dtype=np.float64)
        _draw(axes, first, second, equal_within)
        axes.set_title(f"{measure} score", size=9, loc="left")
        axes.set_title(_difference(first, second), size=8, loc="right", color=GREY)
        axes.set_xlabel(short_name(names[0]))
        axes.tick_params("y", labelleft=measure == "original")
    page.figure.axes[0].set_ylabel(short_name(names[1]))
    return page.figure


def _difference(first: Floats, second: Floats) -> str:
    absolute = compare_scores(first, second).absolute
    return "" if math.isnan(absolute) else f"mean |difference| {absolute:.3f}"


def _draw(axes: "Axes", first: Floats, second: Floats, band: float) -> None:
    # A peer with more content units than a reference may score above 1 by the modified score.
    top = float(np.nanmax(np.concatenate([first, second, [1.0]])))
    ends = np.array([0.0, top])
    axes.fill_between(ends, ends - band, ends + band, color=PALE, linewidth=0)
    axes.plot(ends, ends, color=GREY, linewidth=0.8)
    axes.plot(first, second, "o", color=BLUE, markersize=4.5, alpha=0.55, markeredgewidth=0)
    axes.set(xlim=(-0.03, top + 0.03), ylim=(-0.03, top + 0.03))
    axes.grid()


def _legend(band: float) -> "list[Artist]":
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    point: dict[str, Any] = {"linestyle": "none", "marker": "o", "markersize": 4.5, "alpha": 0.55}
    return [
        Line2D([], [], color=BLUE, markeredgewidth=0, label="a peer", **point),
        Line2D([], [], color=GREY, linewidth=0.8, label="the same score"),
        Patch(color=PALE, label=f"within {band:g}"),
    ]
