"""Stacked bars, one per row, labeled with their numbers."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pyramidion._types import Floats, Ints
from pyramidion.rendering.charts.layout import LABEL_GAP, fitting_pitch, label_size, text_width
from pyramidion.rendering.charts.picture import (
    SCALE_SPACE,
    Box,
    KeyEntry,
    Mark,
    NumberLine,
    Picture,
    Text,
    gathered,
    row_names,
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
            left, width = scale.at(start), scale.at(start + amount) - scale.at(start)
            # A part narrower than the gap must not have a negative width.
            inner = width - _BAR_GAP if width > _BAR_GAP else width / 2
            yield Box(left, y - height / 2, inner, height, part.color)
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
    people: Sequence[bool] = (),
    columns: Sequence[tuple[str, Sequence[str]]] = (),
    longest: float = 0,
) -> Picture:
    """Draw a bar per row of `amounts`, with a part per column.

    Parts that no bar has are not in the key. `columns` are written to the right of the bars, each
    with its heading; names of `people` are bold; `longest` is the end of the scale.
    """
    pitch = fitting_pitch(len(names))
    size, top_space = label_size(pitch), 0.2 * bool(columns)
    left, bottom = (
        text_width(names, size=size, bold=any(people)) + 2 * LABEL_GAP,
        len(names) * pitch,
    )
    # Fractions add up to 1 except for rounding.
    longest = longest or round(float(amounts.sum(axis=1).max()), 9) or 1
    scale, bottom = NumberLine(0, longest, left, _BARS_WIDTH), top_space + len(names) * pitch
    marks = [*scale.marks(top_space, bottom, label, whole_numbers=number_format == "d")]
    bars = [
        mark
        for row, bar in enumerate(amounts.tolist())
        for mark in bar_marks(
            bar,
            parts,
            scale,
            top_space + (row + 0.5) * pitch,
            0.78 * pitch,
            size=size - 1,
            number_format=number_format,
        )
    ]
    marks += gathered(bars)
    marks += row_names(names, left - LABEL_GAP, top_space, pitch, people)
    right = left + _BARS_WIDTH + 0.1
    for heading, texts in columns:
        right += _COLUMN_WIDTH
        marks.append(Text(right, top_space / 2, heading, 7, anchor="end"))
        marks += (
            Text(right, top_space + (row + 0.5) * pitch, text, size, anchor="end")
            for row, text in enumerate(texts)
        )
    totals = amounts.sum(axis=0).tolist()
    key = [KeyEntry(part.name, part.color) for part, n in zip(parts, totals, strict=True) if n]
    return Picture(title, note, marks, (right, bottom + SCALE_SPACE), key)
