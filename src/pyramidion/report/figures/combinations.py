"""Precision against recall of metrics and their combinations."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.errors import InputError
from pyramidion.evaluation._verdicts.combinations import Combination
from pyramidion.report.charts.layout import PAD, Page, Space, text_width
from pyramidion.report.charts.style import BLUE, GREY, INK, VERMILLION, style_context
from pyramidion.report.labels import counted, short_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["combination_figure"]

_SIDE = 3.8
_MOST_NAMES, _MOST_LINKED = 8, 300


def combination_figure(
    combinations: Sequence[Combination], *, human: str, note: str = ""
) -> "Figure":
    """Draw what is gained and lost when several metrics must agree.

    Single metrics are named; a line leads from each combination to those with one metric less.

    Parameters
    ----------
    combinations
        Every subset of some metrics, with its agreement.
    human
        The manual measure.
    note
        What the pairs are of.

    Examples
    --------
    >>> from pyramidion.evaluation._verdicts.agreement import Agreement
    >>> one = Combination(("m",), Agreement(((0, 0, 0), (0, 5, 2), (0, 1, 4))))
    >>> two = Combination(("m", "n"), Agreement(((0, 0, 0), (0, 7, 0), (0, 2, 3))))
    >>> figure = combination_figure([one, two], human="pyramid")
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['m']
    """
    shown = [one for one in combinations if not np.isnan([*_place(one)]).any()]
    if not shown:
        raise InputError(
            "precision or recall is undefined for every combination",
            hint="there may be no significant differences at all",
        )
    with style_context():
        figure = _drawn(shown, human, f"{note}; {_hidden(combinations, shown)}".strip("; "))
        figure.draw_without_rendering()
    return figure


def _place(one: Combination) -> tuple[float, float]:
    return one.agreement.recall, one.agreement.precision


def _hidden(combinations: Sequence[Combination], shown: Sequence[Combination]) -> str:
    gone = len(combinations) - len(shown)
    return f"{counted(gone, 'combination')} find nothing and are not drawn" if gone else ""


def _drawn(shown: Sequence[Combination], human: str, note: str) -> "Figure":
    from matplotlib.lines import Line2D

    marks: dict[str, Any] = {"linestyle": "", "markersize": 5}
    legend = [
        Line2D([], [], color=VERMILLION, marker="D", label="one metric", **marks),
        Line2D([], [], color=BLUE, marker="o", label="a combination", **marks),
    ]
    if len(shown) <= _MOST_LINKED:
        legend.append(Line2D([], [], color=GREY, linewidth=0.6, label="one metric more"))
    page = Page(
        f"Metrics that must all agree, beside {human}",
        note,
        plot=(_SIDE, _SIDE),
        space=Space(left=PAD + 0.55, right=PAD + _name_space(shown), above=0.12),
        legend=legend,
    )
    axes = page.axes(page.left, page.bottom, _SIDE, _SIDE)
    if len(shown) <= _MOST_LINKED:
        _draw_links(axes, shown)
    for single, colour, mark, size in ((False, BLUE, "o", 4), (True, VERMILLION, "D", 5)):
        places = [_place(one) for one in shown if (len(one.metrics) == 1) == single]
        if places:
            axes.plot(*zip(*places, strict=True), mark, color=colour, markersize=size, alpha=0.85)
    _write_names(axes, _named(shown))
    axes.set(xlabel="recall", ylabel="precision")
    axes.grid(visible=True)
    axes.margins(0.08)
    return page.figure


def _named(shown: Sequence[Combination]) -> list[Combination]:
    """Choose those whose names are written: single metrics, if they are few."""
    singles = [one for one in shown if len(one.metrics) == 1]
    return singles if len(singles) <= _MOST_NAMES else []


def _name_space(shown: Sequence[Combination]) -> float:
    return text_width((short_name(one.name) for one in _named(shown)), size=8)


def _draw_links(axes: "Axes", shown: Sequence[Combination]) -> None:
    places = {frozenset(one.metrics): _place(one) for one in shown}
    for members, place in places.items():
        for gone in members:
            smaller = places.get(members - {gone})
            if smaller is not None:
                axes.plot(
                    *zip(place, smaller, strict=True),
                    color=GREY,
                    linewidth=0.4,
                    alpha=0.5,
                    zorder=1,
                )


def _write_names(axes: "Axes", singles: Sequence[Combination]) -> None:
    for one in singles:
        axes.annotate(
            short_name(one.name),
            xy=_place(one),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            size=8,
            color=INK,
            annotation_clip=False,
            zorder=5,
            bbox={"facecolor": "white", "alpha": 0.7, "linewidth": 0, "pad": 0.5},
        )
