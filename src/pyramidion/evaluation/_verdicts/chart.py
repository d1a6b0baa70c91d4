"""What metrics say of pairs of systems beside what people say, and combinations of metrics."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.errors import InputError
from pyramidion.evaluation._verdicts.agreement import Agreement
from pyramidion.evaluation._verdicts.study import Combination
from pyramidion.report.charts.layout import PAD, Page, Space, text_width
from pyramidion.report.charts.named_rows import write_beside
from pyramidion.report.charts.stacked_bars import Part, stacked_bars
from pyramidion.report.charts.style import (
    BLACK,
    BLUE,
    GREY,
    INK,
    ORANGE,
    PALE,
    VERMILLION,
    in_style,
)
from pyramidion.report.labels import counted, short_name, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _NUMBERS, _SIDE = 4.6, 0.95, 3.8
_MOST_NAMES, _MOST_LINKED = 8, 300

#: The kinds of verdicts: the name, the colour of its bar, and of the number in it.
_KINDS = (
    Part("difference found", BLUE, "white"),
    Part("no difference, rightly", PALE, INK),
    Part("missed", ORANGE, INK),
    Part("false", VERMILLION, "white"),
    Part("reversed", BLACK, "white"),
)


@in_style
def verdict_kinds_figure(
    agreements: Mapping[str, Agreement], *, human: str, note: str = ""
) -> "Figure":
    """Draw the kinds of verdicts of each metric as bars: right ones first, then the errors."""
    if not agreements:
        raise InputError("there are no metrics to draw", hint="judge at least one")
    found = list(agreements.values())
    counts = np.array(
        [(a.tp - a.direction_conflicts, a.tn, a.fn, a.fp, a.direction_conflicts) for a in found]
    )
    page, axes, size, _ = stacked_bars(
        short_names(agreements),
        counts,
        _KINDS,
        f"Verdicts on pairs of systems beside those by {human}",
        note,
        label="pairs of systems",
        space=Space(right=PAD + 2 * _NUMBERS - 0.3, above=0.24),
    )
    axes.locator_params(axis="x", integer=True)
    top = axes.get_position().y1 * page.height + 0.06
    columns = {"accuracy": "accuracy", "balanced": "balanced_accuracy"}
    for number, (title, name) in enumerate(columns.items()):
        inches = 0.55 + number * 0.85
        values = (getattr(one, name) for one in found)
        texts = ("–" if np.isnan(value) else f"{value:.2f}" for value in values)
        write_beside(axes, texts, inches=inches, size=size)
        page.write(title, (page.left + _WIDTH + inches, top), ha="right", size=7)
    return page.figure


@in_style
def combination_figure(
    combinations: Sequence[Combination], *, human: str, note: str = ""
) -> "Figure":
    """Draw what is gained and lost when several metrics must agree: precision against recall.

    Single metrics are named; a line leads from each combination to those with one metric less.
    """
    from matplotlib.lines import Line2D

    drawn = [one for one in combinations if not np.isnan([*_place(one)]).any()]
    if not drawn:
        raise InputError(
            "precision or recall is undefined for every combination",
            hint="there may be no significant differences at all",
        )
    linked, named = len(drawn) <= _MOST_LINKED, _named(drawn)
    marks: dict[str, Any] = {"linestyle": "", "markersize": 5}
    legend = [
        Line2D([], [], color=VERMILLION, marker="D", label="one metric", **marks),
        Line2D([], [], color=BLUE, marker="o", label="a combination", **marks),
        Line2D([], [], color=GREY, linewidth=0.6, label="one metric more"),
    ]
    space = text_width((short_name(one.name) for one in named), size=8)
    page = Page(
        f"Metrics that must all agree, beside {human}",
        f"{note}; {_hidden(len(combinations) - len(drawn))}".strip("; "),
        plot=(_SIDE, _SIDE),
        space=Space(left=PAD + 0.55, right=PAD + space, above=0.12),
        legend=legend if linked else legend[:2],
    )
    axes = page.axes(page.left, page.bottom, _SIDE, _SIDE)
    if linked:
        _draw_links(axes, drawn)
    for single, colour, mark, size in ((False, BLUE, "o", 4), (True, VERMILLION, "D", 5)):
        places = [_place(one) for one in drawn if (len(one.metrics) == 1) == single]
        if places:
            axes.plot(*zip(*places, strict=True), mark, color=colour, markersize=size, alpha=0.85)
    _write_names(axes, named)
    axes.set(xlabel="recall", ylabel="precision")
    axes.grid(visible=True)
    axes.margins(0.08)
    return page.figure


def _place(one: Combination) -> tuple[float, float]:
    return one.agreement.recall, one.agreement.precision


def _hidden(gone: int) -> str:
    return f"{counted(gone, 'combination')} find nothing and are not drawn" if gone else ""


def _named(drawn: Sequence[Combination]) -> list[Combination]:
    """Choose those whose names are written: single metrics, if they are few."""
    singles = [one for one in drawn if len(one.metrics) == 1]
    return singles if len(singles) <= _MOST_NAMES else []


def _draw_links(axes: "Axes", drawn: Sequence[Combination]) -> None:
    places = {frozenset(one.metrics): _place(one) for one in drawn}
    for members, place in places.items():
        for gone in members:
            smaller = places.get(members - {gone})
            if smaller is not None:
                ends = zip(place, smaller, strict=True)
                axes.plot(*ends, color=GREY, linewidth=0.4, alpha=0.5, zorder=1)


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
