"""Sizes of importance classes on logarithmic scales, with Zipf's law (Figure 3.3)."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.pyramid._importance.classes import ImportanceClasses, ZipfFit
from pyramidion.report.charts.layout import PAD, Page, Panels, Space
from pyramidion.report.charts.style import BLUE, GREEN, GREY, VERMILLION, in_style

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PANEL, _GAP = (2.35, 2.35), 0.62

#: Where the scale of classes begins, and how far beyond the last class it goes.
_MARGINS = (0.87, 1.15)

_SIZES: dict[str, Any] = {
    "color": BLUE, "linestyle": "none", "marker": "o", "markersize": 5.5, "label": "size of a class"
}  # fmt: skip
_LINE: dict[str, Any] = {"color": VERMILLION, "linewidth": 1.2, "label": "least squares"}
_LAW: dict[str, Any] = {
    "color": GREEN, "linewidth": 1.2, "linestyle": "--", "label": "maximum likelihood"
}  # fmt: skip
_NAMES = {"content units": "references that express it", "words": "references that use it"}


@in_style
def importance_figure(classes: Sequence[ImportanceClasses], *, note: str = "") -> "Figure":
    """Draw the sizes of importance classes and both laws, a panel for each kind of unit."""
    panels = Panels(len(classes), side=_PANEL, gap=(_GAP, 0), most=len(classes))
    page = Page(
        "Importance classes and Zipf's law",
        note,
        plot=panels.plot,
        space=Space(left=PAD + 0.6, right=PAD + 0.1, above=0.52),
        legend=_legend(),
    )
    for number, (axes, item) in enumerate(zip(panels.axes(page), classes, strict=True)):
        _draw(axes, item)
        _head(page, axes, item, page.left + number * (_PANEL[0] + _GAP))
    page.figure.axes[0].set_ylabel("how many")
    return page.figure


def _head(page: Page, axes: "Axes", item: ImportanceClasses, left: float) -> None:
    axes.set_title("\n", size=9)
    top = page.bottom + _PANEL[1]
    page.write(f"{item.granularity} ({int(item.sizes.sum()):,})", (left, top + 0.24), size=9)
    page.write(_verdict(item.fit()), (left, top + 0.08), color=GREY)


def _verdict(fit: ZipfFit) -> str:
    if math.isnan(fit.slope):
        return fit.undefined
    law = "" if math.isnan(fit.exponent) else f", likelihood {fit.exponent:.2f}"
    r_squared = "" if math.isnan(fit.r_squared) else f" (R² {fit.r_squared:.2f})"
    return f"slope {fit.slope:.2f}{r_squared}{law}"


def _draw(axes: "Axes", item: ImportanceClasses) -> None:
    axes.set(xscale="log", yscale="log")
    places = np.arange(1, len(item.sizes) + 1)
    there = item.sizes > 0
    fit = item.fit()
    if not math.isnan(fit.slope):
        axes.plot(places, fit.scale * places**-fit.slope, **_LINE)
    if not math.isnan(fit.exponent):
        axes.plot(places, fit.expected(), **_LAW)
    axes.plot(places[there], item.sizes[there], **_SIZES)
    _set_scales(axes, item, places)
    axes.set_xlabel(_NAMES.get(item.granularity, "how useful it was judged"))
    axes.grid(which="major")


def _set_scales(axes: "Axes", item: ImportanceClasses, places: "np.ndarray[Any, Any]") -> None:
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

    labels = [label.replace("below ", "<") for label in item.labels]
    shown = _legible(labels)
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xticks(shown, [labels[place - 1] for place in shown])
    smallest, largest = _range(axes)
    axes.set(xlim=(_MARGINS[0], len(places) * _MARGINS[1]), ylim=(smallest / 1.5, largest * 1.5))
    # Few decades need marks between the powers of ten.
    between = (1.0,) if largest / smallest > 30 else (1.0, 2.0, 5.0)
    axes.yaxis.set_major_locator(LogLocator(subs=between))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _range(axes: "Axes") -> tuple[float, float]:
    """Give the least and greatest of all that is drawn, laws included."""
    drawn = np.concatenate([[1.0], *(np.asarray(line.get_ydata()) for line in axes.lines)])[1:]
    return (float(drawn.min()), float(drawn.max())) if len(drawn) else (1.0, 1.0)


def _legible(labels: Sequence[str]) -> list[int]:
    """Choose classes, the last among them, whose labels do not touch on a logarithmic scale."""
    inches = _PANEL[0] / math.log(len(labels) * _MARGINS[1] / _MARGINS[0])

    def apart(one: int, other: int) -> bool:
        # A letter takes 0.085 inches, and half of either label is between two marks.
        wide = 0.05 + 0.0425 * (len(labels[one - 1]) + len(labels[other - 1]))
        return inches * math.log(other / one) >= wide

    last = len(labels)
    shown: list[int] = []
    for place in range(1, last):
        if apart(place, last) and (not shown or apart(shown[-1], place)):
            shown.append(place)
    return [*shown, last]


def _legend() -> "list[Artist]":
    from matplotlib.lines import Line2D

    return [Line2D([], [], **look) for look in (_SIZES, _LINE, _LAW)]
