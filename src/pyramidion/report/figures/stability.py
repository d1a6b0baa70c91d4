"""Errors and rank correlations of small pyramids, by their order (Tables 3.1 and 3.2)."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyramidion.pyramid.stability.errors import OrderErrors
from pyramidion.pyramid.stability.ranks import OrderCorrelation
from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    VERMILLION,
    style_context,
)
from pyramidion.report.labels import counted

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["stability_figure", "study_note"]

_PANEL, _GAP = (3.1, 2.5), 0.75

_ERRORS = {
    "p1": ("E1: equal seem different", BLUE, "o", "-"),
    "p2": ("E2: different seem equal", GREEN, "s", "-"),
    "p3": ("E3: the worse seems better", VERMILLION, "^", "-"),
    "p": ("any error", BLACK, "", "--"),
}


def stability_figure(
    errors: Sequence[OrderErrors],
    correlations: Sequence[OrderCorrelation],
    *,
    resampled: Sequence[OrderCorrelation] = (),
    note: str = "",
) -> "Figure":
    """Draw the probabilities of errors, and rank correlations, against the number of references.

    Parameters
    ----------
    errors
        What `ranking_errors` gives, or `pooled_errors`.
    correlations
        What `rank_correlations` gives, or `pooled_correlations`.
    resampled
        What `resampled_correlations` gives.
    note
        What to say below the title, such as the score and the number of topics.

    Examples
    --------
    >>> errors = [OrderErrors(1, 10, 30, 4, 6, 3), OrderErrors(2, 10, 30, 1, 3, 0)]
    >>> figure = stability_figure(errors, [OrderCorrelation(1, 0.41, 15)])
    >>> [axes.get_ylabel() for axes in figure.axes]
    ['probability of error', 'mean Spearman correlation']
    """
    with style_context():
        figure = _drawn(errors, correlations, resampled, note)
        figure.draw_without_rendering()
    return figure


def _drawn(
    errors: Sequence[OrderErrors],
    correlations: Sequence[OrderCorrelation],
    resampled: Sequence[OrderCorrelation],
    note: str,
) -> "Figure":
    width, height = _PANEL
    page = Page(
        "How many references a pyramid needs",
        note,
        plot=(2 * width + _GAP, height),
        space=Space(left=PAD + 0.55, right=PAD + 0.1, above=0.34),
        legend=_legend(resampled),
    )
    lefts = (page.left, page.left + width + _GAP)
    panels = [page.axes(left, page.bottom, width, height) for left in lefts]
    _draw_errors(panels[0], errors)
    _draw_correlations(panels[1], correlations, resampled)
    # A single line needs no legend.
    agreement = "agreement of rankings" if resampled else "agreement with the whole pyramid"
    for axes, heading in zip(panels, ("errors about pairs", agreement), strict=True):
        axes.set_title(heading, size=9, loc="left")
    return page.figure


def _draw_errors(axes: "Axes", errors: Sequence[OrderErrors]) -> None:
    orders = [row.order for row in errors]
    for part, look in _ERRORS.items():
        axes.plot(orders, [getattr(row, part) for row in errors], clip_on=False, **_line(look))
    drawn = [value for row in errors for value in (row.p1, row.p2, row.p3, row.p)]
    highest = max((value for value in drawn if not math.isnan(value)), default=0.0)
    axes.set(ylim=(0, 1.08 * max(0.1, highest)))
    _finish(axes, orders, "probability of error", "every pyramid contains one of each pair")


def _draw_correlations(
    axes: "Axes", correlations: Sequence[OrderCorrelation], resampled: Sequence[OrderCorrelation]
) -> None:
    orders = [row.order for row in correlations]
    axes.plot(orders, [row.mean for row in correlations], clip_on=False, **_line(_RANKS))
    if resampled:
        more = [row.order for row in resampled]
        axes.plot(more, [row.mean for row in resampled], clip_on=False, **_line(_REPEATED))
        axes.axhline(0.95, **_THRESHOLD)
        orders = sorted({*orders, *more})
    means = [row.mean for row in (*correlations, *resampled) if not math.isnan(row.mean)]
    axes.set(ylim=(1.05 * min(0.0, *means, 0.0), 1.0))
    _finish(axes, orders, "mean Spearman correlation", "no summaries can be ranked")


_THRESHOLD: dict[str, Any] = {"color": GREY, "linewidth": 0.8, "linestyle": ":"}
_RANKS = ("with the whole pyramid", PURPLE, "D", "-")
_REPEATED = ("with each other, models drawn with repetition", ORANGE, "v", "-")


def _finish(axes: "Axes", orders: Sequence[int], label: str, nothing: str) -> None:
    axes.set(xlabel="references in the pyramid", ylabel=label)
    axes.grid(axis="y")
    axes.margins(x=0.05)
    if orders:
        axes.set_xticks(orders if len(orders) <= 12 else orders[:: len(orders) // 8])
    else:
        axes.set_xticks([])
        axes.text(
            0.5, 0.5, nothing, transform=axes.transAxes, ha="center", color=GREY, wrap=True, size=8
        )


def _line(look: tuple[str, str, str, str]) -> dict[str, Any]:
    label, colour, mark, style = look
    return {
        "label": label,
        "color": colour,
        "marker": mark,
        "markersize": 4.5,
        "linestyle": style,
        "linewidth": 1.2,
    }


def _legend(resampled: Sequence[OrderCorrelation]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    looks = [_line(look) for look in _ERRORS.values()]
    if resampled:
        looks += [_line(_RANKS), _line(_REPEATED), {"label": "0.95", **_THRESHOLD}]
    return [Line2D([], [], **look) for look in looks]


def study_note(score: str, pyramids: int, points: int) -> str:
    """Write what was studied, for a note below a title.

    Examples
    --------
    >>> study_note("original", 3, 34_425)
    'original score; 3 pyramids, 34,425 data points'
    """
    return f"{score} score; {counted(pyramids, 'pyramid')}, {counted(points, 'data point')}"
