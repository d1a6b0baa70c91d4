"""Bars of several parts, one bar a row, with the parts' numbers in them."""

from collections.abc import Sequence
from typing import NamedTuple

from pyramidion._types import Floats, Ints
from pyramidion.report.charts.layout import Space, text_width
from pyramidion.report.charts.rows import NamedRows, named_rows

_WIDTH = 4.6


class BarPart(NamedTuple):
    """What a part of all bars is called, its color, and that of the numbers in it."""

    name: str
    color: str | tuple[float, float, float]
    ink: str


def stacked_bars(
    names: Sequence[str],
    amounts: Floats | Ints,
    parts: Sequence[BarPart],
    title: str,
    note: str,
    *,
    label: str,
    form: str = "d",
    pitch: float = 0.0,
    space: Space | None = None,
    people: Sequence[bool] = (),
) -> NamedRows:
    """Make a page with a bar for each row of `amounts`, which has a column for each part.

    A number is written where its part has room for it; parts that no bar has are not in the legend.
    """
    legend = [
        {"facecolor": part.color, "label": part.name}
        for part, total in zip(parts, amounts.sum(axis=0), strict=True)
        if total
    ]
    plot = named_rows(
        names, title, note, width=_WIDTH, pitch=pitch, space=space, legend=legend, people=people
    )
    # Fractions add up to 1 but for rounding.
    longest = round(float(amounts.sum(axis=1).max()), 9) or 1
    size, inch = plot.size - 1, longest / _WIDTH
    for row, own in enumerate(amounts.tolist()):
        start = 0.0
        for amount, part in ((a, part) for a, part in zip(own, parts, strict=True) if a):
            plot.axes.barh(
                row, amount, 0.78, start, color=part.color, edgecolor="white", linewidth=0.5
            )
            text = f"{amount:{form}}"
            if text_width([text], size=size) + 0.03 <= amount / inch:
                plot.axes.text(
                    start + amount / 2, row, text,
                    color=part.ink, size=size, ha="center", va="center_baseline",
                )  # fmt: skip
            start += amount
    plot.axes.set(xlim=(0, longest), xlabel=label)
    plot.axes.spines["left"].set_visible(False)
    return plot
