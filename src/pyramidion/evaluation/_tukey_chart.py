"""Tukey's comparison intervals: which groups differ from a chosen one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.report.charts.interval_rows import Look, Rows, rows_figure
from pyramidion.report.charts.style import BLUE, GREY, VERMILLION
from pyramidion.report.labels import headed, short_name, short_names
from pyramidion.stats._inputs import choice
from pyramidion.stats._multiple_comparisons import Comparisons

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GroupOrder = Literal["estimate", "id"]


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

    Two groups whose intervals do not overlap differ significantly. The chosen one is that with
    the lowest estimate unless it is named.
    """
    choice(order, "order", GroupOrder)
    _require_intervals(comparisons, names)
    place = _place(names, chosen, comparisons.estimates)
    rows = _ordered(names, comparisons.estimates, order)
    apart = _apart(comparisons.estimates, comparisons.half_widths, place)
    name = short_name(names[place])
    found = f"{int(apart.sum())} of {len(names) - 1} intervals do not overlap that of {name}"
    level = f"{comparisons.confidence_level * 100:g}% comparison intervals"
    return rows_figure(
        _rows(comparisons, names, rows, apart, place),
        title=headed("Comparison intervals", measure, task),
        note=f"{found}; {test}, {level}",
        xlabel=estimate,
    )


def _rows(
    comparisons: Comparisons, names: Sequence[str], order: list[int], apart: Bools, place: int
) -> Rows:
    estimates, half = comparisons.estimates[order], comparisons.half_widths[order]
    chosen = order.index(place)
    label = short_names(names[row] for row in order)[chosen]
    kinds = ["apart" if apart[row] else "near" for row in order]
    kinds[chosen] = "chosen"
    looks = {
        "chosen": Look(label, BLUE, "s"),
        "apart": Look(f"does not overlap {label}", VERMILLION),
        "near": Look(f"overlaps {label}", GREY, filling="white"),
    }
    return Rows(
        names=[names[row] for row in order],
        values=estimates.tolist(),
        low=(estimates - half).tolist(),
        high=(estimates + half).tolist(),
        looks=looks,
        kinds=kinds,
        chosen=chosen,
        right=0.15,
    )


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


def _apart(estimates: Floats, half_widths: Floats, place: int) -> Bools:
    distance = np.abs(estimates - estimates[place])
    apart: Bools = distance > half_widths + half_widths[place]
    apart[place] = False
    return apart
