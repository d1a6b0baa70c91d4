"""Tukey's comparison intervals: which groups differ from a chosen one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLUE, GREY, VERMILLION, style_context
from pyramidion.report.labels import headed, short_name, short_names
from pyramidion.stats.comparisons import Comparisons
from pyramidion.stats.inputs import choice

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

__all__ = ["tukey_figure"]

GroupOrder = Literal["estimate", "id"]

_WIDTH = 4.6
_CHOSEN, _APART, _NEAR = 0, 1, 2

#: For the chosen one, those apart from it and the others: colour, mark and its filling.
_LOOKS = ((BLUE, "s", BLUE), (VERMILLION, "o", VERMILLION), (GREY, "o", "white"))


def tukey_figure(
    comparisons: Comparisons,
    names: Sequence[str],
    *,
    chosen: str | None = None,
    order: GroupOrder = "estimate",
    measure: str = "",
    task: str = "",
    estimate: str = "mean rank",
    test: str = "Tukey's test of mean ranks",
) -> "Figure":
    """Draw each group's comparison interval, and mark those that do not overlap a chosen one.

    Two groups whose intervals do not overlap differ significantly.

    Parameters
    ----------
    comparisons
        Of all pairs of groups, as `mean_rank_tukey` and `blocked_tukey` give them.
    names
        The groups' names: topics or systems.
    chosen
        One of the names; the group with the lowest estimate if it is not given.
    order
        ``estimate`` puts the highest estimate first, ``id`` sorts by name.
    measure, task
        What the scores are, for the title.
    estimate, test
        What the estimates are, and what compared them.

    Examples
    --------
    >>> from pyramidion.stats.multiple_comparisons import mean_rank_tukey
    >>> found = mean_rank_tukey([[1, 2, 3], [11, 12, 13], [4, 5, 6]])
    >>> figure = tukey_figure(found, ["T1", "T2", "T3"], measure="readability")
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['T2', 'T3', 'T1']
    """
    choice(order, "order", GroupOrder)
    _require_intervals(comparisons, names)
    place = _place(names, chosen, comparisons.estimates)
    rows = _ordered(names, comparisons.estimates, order)
    roles = _roles(comparisons.estimates, comparisons.half_widths, place)
    apart = int((roles == _APART).sum())
    name = short_name(names[place])
    found = f"{apart} of {len(names) - 1} intervals do not overlap that of {name}"
    level = f"{comparisons.confidence_level * 100:g}% comparison intervals"
    with style_context():
        figure = _drawn(
            [names[row] for row in rows],
            comparisons.estimates[rows],
            comparisons.half_widths[rows],
            roles[rows],
            title=headed("Comparison intervals", measure, task),
            note=f"{found}; {test}, {level}",
            estimate=estimate,
        )
        figure.draw_without_rendering()
    return figure


def _require_intervals(comparisons: Comparisons, names: Sequence[str]) -> None:
    if len(names) != len(comparisons.estimates):
        raise ShapeError(
            f"there are {len(names)} names for {len(comparisons.estimates)} groups",
            hint="name each group",
        )
    if np.isnan(comparisons.half_widths).any():
        why = comparisons.note or "not all pairs were compared"
        raise InputError(f"there are no intervals to draw ({why})", hint="compare all pairs")


def _place(names: Sequence[str], chosen: str | None, estimates: Floats) -> int:
    if chosen is None:
        return int(np.argmin(estimates))
    if chosen not in names:
        raise NotFoundError(f"there is no {chosen!r}", hint=f"there are: {', '.join(names)}")
    return list(names).index(chosen)


def _ordered(names: Sequence[str], estimates: Floats, order: GroupOrder) -> list[int]:
    by_name = sorted(range(len(names)), key=lambda row: natural_order(names[row]))
    return by_name if order == "id" else sorted(by_name, key=lambda row: -estimates[row])


def _roles(estimates: Floats, half_widths: Floats, place: int) -> npt.NDArray[np.int64]:
    distance = np.abs(estimates - estimates[place])
    roles = np.where(distance > half_widths + half_widths[place], _APART, _NEAR)
    roles[place] = _CHOSEN
    return roles


def _drawn(
    names: Sequence[str],
    estimates: Floats,
    half_widths: Floats,
    roles: npt.NDArray[np.int64],
    *,
    title: str,
    note: str,
    estimate: str,
) -> "Figure":
    labels, pitch = short_names(names), fitting_pitch(len(names))
    size, height = label_size(pitch), len(names) * pitch
    left = PAD + text_width(labels, size=size, bold=True) + 2 * LABEL_GAP
    own = int(np.argmin(roles))
    page = Page(
        title,
        note,
        plot=(_WIDTH, height),
        space=Space(left=left, right=PAD + 0.15),
        legend=_legend(labels[own], roles),
    )
    axes = page.axes(page.left, page.bottom, _WIDTH, height)
    low, high = estimates - half_widths, estimates + half_widths
    axes.axvspan(low[own], high[own], color=BLUE, alpha=0.1, linewidth=0)
    for role, (colour, mark, filling) in enumerate(_LOOKS):
        rows = np.flatnonzero(roles == role)
        axes.hlines(rows, low[rows], high[rows], color=colour, linewidth=1.6)
        axes.plot(estimates[rows], rows, mark, color=colour, mfc=filling, markersize=4.5)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.margins(x=0.03)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    axes.set_xlabel(estimate)
    label_names(axes, "y", labels, pitch=pitch)
    for label in axes.get_yticklabels():
        label.set_color(BLUE if label.get_text() == labels[own] else "black")
    return page.figure


def _legend(name: str, roles: npt.NDArray[np.int64]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    labels = (name, f"does not overlap {name}", f"overlaps {name}")
    return [
        Line2D([], [], color=colour, marker=mark, mfc=filling, markersize=4.5, label=label)
        for role, (label, (colour, mark, filling)) in enumerate(zip(labels, _LOOKS, strict=True))
        if (roles == role).any()
    ]
