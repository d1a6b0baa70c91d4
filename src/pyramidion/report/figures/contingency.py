"""How often assessors gave each two values to the same words (Figures 6.1 and 6.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.evaluation.assessors.consistency import Consistency, Contingency
from pyramidion.report.assessors_tables import ALL, span_name
from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLUE, GREY, INK, STRIPE, VERMILLION, style_context
from pyramidion.report.charts.tiles import draw_tiles
from pyramidion.report.labels import short_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["contingency_figure"]

#: What the strength of a colour stands for.
Strength = Literal["count", "distance"]

_ACROSS, _GAP, _HEAD, _LABELS = 4, 0.42, 0.3, 0.22
_COLOURS = (VERMILLION, BLUE)


@dataclass(frozen=True, slots=True)
class _Panel:
    """An assessor's tables of one measure, or of two."""

    assessor: str
    tables: tuple[Contingency, ...]

    @property
    def size(self) -> int:
        return len(self.tables[0].values) + 1


def contingency_figure(
    found: Sequence[Consistency], measures: Sequence[str], *, strength: Strength = "count"
) -> "Figure":
    """Draw a matrix for each assessor: one measure below the diagonal, another above it.

    Parameters
    ----------
    found
        Assessors of one year, or of all together.
    measures
        One or two measures with the same values.
    strength
        Whether colours are strong where pairs are many (as in Figure 6.1 of the dissertation), or
        where the two values are far apart (Figure 6.2).

    Examples
    --------
    >>> from pyramidion.evaluation.assessors.alpha import PairAlpha
    >>> from pyramidion.evaluation.assessors.consistency import contingency
    >>> from pyramidion.evaluation.assessors.levels import MeasureLevel
    >>> level, table = MeasureLevel("ordinal", ""), contingency([1, 2], [2, 2], (1, 2))
    >>> alpha = PairAlpha(0.8, 0.6, 0.9)
    >>> own = Consistency("2011", "K", "readability", 2, 0, alpha, level, 0.5, 0.0, 0.5, table)
    >>> figure = contingency_figure([own], ["readability"])
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1', '1']
    """
    panels = _panels(found, measures)
    if not panels:
        raise InputError(
            f"{' and '.join(measures)}: there are no pairs of values to count",
            hint="choose measures with few values that identical summaries were judged by",
        )
    with style_context():
        figure = _drawn(panels, measures, strength, span_name(found[0].collection))
        figure.draw_without_rendering()
    return figure


def _panels(found: Sequence[Consistency], measures: Sequence[str]) -> list[_Panel]:
    tables: dict[str, dict[str, Contingency]] = {}
    for own in found:
        if own.table is not None and own.pairs and own.measure in measures:
            name = ALL if own.assessor is None else own.assessor
            tables.setdefault(name, {})[own.measure] = own.table
    return [
        _Panel(name, tuple(own[measure] for measure in measures))
        for name, own in tables.items()
        if all(measure in own for measure in measures)
    ]


def _drawn(
    panels: Sequence[_Panel], measures: Sequence[str], strength: Strength, name: str
) -> "Figure":
    across, size = min(len(panels), _ACROSS), panels[0].size
    side = size * max(0.19, min(0.3, 1.8 / size))
    rows = -(-len(panels) // across)
    step = side + _GAP, side + _GAP + _HEAD
    page = Page(
        f"Two judgments of the same words: {name}",
        _note(strength, len(measures)),
        plot=(across * step[0] - _GAP, rows * step[1] - _GAP - _HEAD),
        space=Space(left=PAD + _LABELS, right=PAD + _LABELS, above=_HEAD + _LABELS, below=_LABELS),
        legend=_legend(measures),
    )
    for number, panel in enumerate(panels):
        row, column = divmod(number, across)
        bottom = page.bottom + (rows - 1 - row) * step[1]
        axes = page.axes(page.left + column * step[0], bottom, side, side)
        _draw(axes, panel, strength)
        pad = 14 if len(panel.tables) > 1 else 4
        axes.set_title(short_name(panel.assessor), size=9, pad=pad)
    return page.figure


def _note(strength: Strength, measures: int) -> str:
    halves = "one measure below the diagonal, the other above; " if measures > 1 else ""
    strong = "many pairs" if strength == "count" else "values far apart"
    return f"how often an assessor gave each two values; {halves}strong colours: {strong}"


def _legend(measures: Sequence[str]) -> "list[Artist]":
    from matplotlib.patches import Patch

    halves = (", below the diagonal", ", above it") if len(measures) > 1 else ("",)
    return [
        Patch(color=colour, label=f"{measure}{half}")
        for measure, colour, half in zip(measures, _COLOURS, halves, strict=False)
    ]


def _draw(axes: "Axes", panel: _Panel, strength: Strength) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    for half, (table, colour) in enumerate(zip(panel.tables, _COLOURS, strict=False)):
        shades = LinearSegmentedColormap.from_list("", [STRIPE, colour])
        values, counts = _half(table, strength, half)
        hidden = np.ma.masked_where(np.isnan(values), values)
        draw_tiles(axes, hidden, cmap=shades, vmin=0.0, vmax=1.25)
        _write(axes, values, counts)
        _label(axes, table, half)
    axes.tick_params(length=0, labelsize=6.5, pad=1.5)


def _half(table: Contingency, strength: Strength, half: int) -> tuple[Floats, Floats]:
    """Shift a triangle off the diagonal: below it, or turned round above it."""
    counts = table.counts.astype(np.float64)
    size = len(counts)
    if strength == "count":
        shade = counts / max(float(counts.max()), 1.0)
    else:
        shade = np.where(counts > 0, table.distances / max(float(table.distances.max()), 1.0), 0.0)
        # Agreement is pale, not white: it is there.
        shade = np.where((counts > 0) & (shade == 0), 0.06, shade)
    shades, numbers = (np.full((size + 1, size + 1), np.nan) for _ in range(2))
    for target, own in ((shades, shade), (numbers, counts)):
        low, high = np.triu_indices(size)
        target[high + 1, low] = own[low, high]
    return (shades, numbers) if half == 0 else (shades.T, numbers.T)


def _write(axes: "Axes", values: Floats, counts: Floats) -> None:
    for row, column in np.argwhere(np.nan_to_num(counts) > 0).tolist():
        dark = values[row, column] > 0.6
        axes.text(
            column, row, f"{counts[row, column]:.0f}", ha="center", va="center", size=6.5,
            color="white" if dark else INK,
        )  # fmt: skip


def _label(axes: "Axes", table: Contingency, half: int) -> None:
    """Write the values at the outer sides of a triangle."""
    names = [f"{value:g}" for value in table.values]
    if half == 0:
        axes.set_xticks(range(len(names)), names, color=GREY)
        axes.set_yticks(range(1, len(names) + 1), names, color=GREY)
        return
    for twin, places in ((axes.twiny(), range(1, len(names) + 1)), (axes.twinx(), None)):
        twin.spines[:].set_visible(False)
        twin.tick_params(length=0, labelsize=6.5, pad=1.5)
        if places is not None:
            twin.set_xlim(axes.get_xlim())
            twin.set_xticks(list(places), names, color=GREY)
        else:
            twin.set_ylim(axes.get_ylim())
            twin.set_yticks(range(len(names)), names, color=GREY)
