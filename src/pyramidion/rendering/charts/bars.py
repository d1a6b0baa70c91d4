"""Stacked bars, one per row, labeled with their numbers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pyramidion._types import Floats, Ints
from pyramidion.rendering.charts.layout import LABEL_GAP, label_size, row_pitch, text_width
from pyramidion.rendering.charts.picture import (
    SCALE_SPACE,
    Box,
    KeyEntry,
    Mark,
    NumberLine,
    Picture,
    Text,
    row_names,
    sort_marks,
)

_BARS_WIDTH, _BAR_GAP, _COLUMN_WIDTH = 4.6, 0.008, 0.72


class BarPart(NamedTuple):
    """The name of a part of the bars, its color, and the color of its numbers."""

    name: str
    color: str
    ink: str


def bar_marks(
    amounts: Sequence[float], parts: Sequence[BarPart], scale: NumberLine, y: float, height: float,
    *, size: float, number_format: str = "d",
) -> Iterator[Mark]:  # fmt: skip
    """Draw a bar centered at height `y`; parts with enough room show their numbers."""
    start = 0.0
    for amount, part in zip(amounts, parts, strict=True):
        if amount:
            left, width = (
                scale.position_of(start),
                scale.position_of(start + amount) - scale.position_of(start),
            )
            # A part narrower than the gap must not have a negative width.
            visible_width = width - _BAR_GAP if width > _BAR_GAP else width / 2
            yield Box(left, y - height / 2, visible_width, height, part.color)
            text = f"{amount:{number_format}}"
            if text_width([text], size=size) + 0.03 <= width:
                yield Text(left + width / 2, y, text, size, part.ink, "middle")
        start += amount


def bars_picture(
    names: Sequence[str],
    amounts: Floats | Ints,
    parts: Sequence[BarPart],
    *,
    title: str,
    note: str,
    label: str,
    number_format: str = "d",
    is_person: Sequence[bool] = (),
    columns: Sequence[tuple[str, Sequence[str]]] = (),
    scale_end: float = 0,
) -> Picture:
    """Draw a bar per row of `amounts`, with a part per column.

    Parts that no bar has are not in the key. `columns` are written to the right of the bars, each
    with its heading; names marked by `is_person` are bold; `scale_end` is the end of the scale.
    """
    row_height = row_pitch(len(names))
    font_size, top_space = label_size(row_height), 0.2 * bool(columns)
    left, bottom = (
        text_width(names, size=font_size, bold=any(is_person)) + 2 * LABEL_GAP,
        len(names) * row_height,
    )
    # Fractions add up to 1 except for rounding.
    scale_end = scale_end or round(float(amounts.sum(axis=1).max()), 9) or 1
    scale, bottom = NumberLine(0, scale_end, left, _BARS_WIDTH), top_space + len(names) * row_height
    marks = [*scale.marks(top_space, bottom, label, whole_numbers=number_format == "d")]
    bars = [
        mark
        for row, bar in enumerate(amounts.tolist())
        for mark in bar_marks(
            bar,
            parts,
            scale,
            top_space + (row + 0.5) * row_height,
            0.78 * row_height,
            size=font_size - 1,
            number_format=number_format,
        )
    ]
    marks += sort_marks(bars)
    marks += row_names(names, left - LABEL_GAP, top_space, row_height, is_person)
    column_end = left + _BARS_WIDTH + 0.1
    for heading, texts in columns:
        column_end += _COLUMN_WIDTH
        marks.append(Text(column_end, top_space / 2, heading, 7, anchor="end"))
        marks += (
            Text(column_end, top_space + (row + 0.5) * row_height, text, font_size, anchor="end")
            for row, text in enumerate(texts)
        )
    totals = amounts.sum(axis=0).tolist()
    key = [
        KeyEntry(part.name, part.color) for part, total in zip(parts, totals, strict=True) if total
    ]
    return Picture(title, note, marks, (column_end, bottom + SCALE_SPACE), key)
