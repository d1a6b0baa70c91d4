"""Named rows, the first on top: with intervals, in panels, or with a mark per number."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, cycle
from typing import Literal

from pyramidion.rendering.charts.layout import LABEL_GAP, label_size, row_pitch, text_width
from pyramidion.rendering.charts.picture import (
    SCALE_SPACE,
    Box,
    Dot,
    KeyEntry,
    Line,
    Mark,
    NumberLine,
    Picture,
    Text,
    interval_marks,
    row_names,
    sort_marks,
)
from pyramidion.rendering.charts.style import GREEN, ORANGE, PURPLE, SKY
from pyramidion.rendering.labels import short_names

_PLOT_WIDTH = 4.6


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The rows, from top to bottom; vertical lines at `lines`."""

    names: Sequence[str]
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    styles: Mapping[str, KeyEntry]
    kinds: Sequence[str]
    bold: Sequence[bool] = ()
    marks: Sequence[Sequence[str]] = ()
    ends: Sequence[int] = ()
    striped: bool = False
    chosen: int | None = None
    lines: Sequence[float] = ()


def rows_picture(rows: Rows, *, title: str, note: str, xlabel: str) -> Picture:
    """Draw rows with their intervals."""
    names, pitch = short_names(rows.names), row_pitch(len(rows.names))
    font_size, bottom = label_size(pitch), len(names) * pitch
    left = text_width(names, size=font_size, bold=any(rows.bold)) + 2 * LABEL_GAP
    values = (*rows.values, *rows.low, *rows.high, *rows.lines)
    finite_numbers = [number for number in values if not math.isnan(number)]
    low, high = min(finite_numbers, default=0.0), max(finite_numbers, default=0.0)
    padding = 0.03 * (high - low)
    scale = NumberLine(low - padding, high + padding, left, _PLOT_WIDTH)
    letters, right = _letter_columns(rows.marks, left + _PLOT_WIDTH + 0.1, pitch)
    styles = [rows.styles[kind] for kind in rows.kinds]
    intervals_of_rows = zip(rows.values, rows.low, rows.high, strict=True)
    interval_mark_lists = (
        interval_marks(span, scale, (row + 0.5) * pitch, styles[row])
        for row, span in enumerate(intervals_of_rows)
    )
    labels = row_names(names, left - LABEL_GAP, 0, pitch, rows.bold)
    if rows.chosen is not None:
        marked_label, color = names[rows.chosen], styles[rows.chosen].color
        texts = (label for label in labels if isinstance(label, Text))
        labels = [
            text_mark._replace(color=color) if text_mark.text == marked_label else text_mark
            for text_mark in texts
        ]
    marks = [
        *_guide_marks(rows, scale, pitch, right), *scale.marks(0, bottom, xlabel),
        *sort_marks(chain.from_iterable(interval_mark_lists)), *labels, *letters,
    ]  # fmt: skip
    key = [style for kind, style in rows.styles.items() if kind in rows.kinds]
    return Picture(title, note, marks, (right + 0.12, bottom + SCALE_SPACE), key)


def _letter_columns(
    letters: Sequence[Sequence[str]], left: float, pitch: float
) -> tuple[list[Mark], float]:
    """Write the letters of each row, each letter in its own column; return where they end."""
    marks: list[Mark] = []
    size = label_size(pitch)
    all_letters = {letter for row in letters for letter in row}
    for letter in sorted(all_letters, key=lambda letter: (len(letter), letter)):
        left += text_width([letter], size=size) + 0.05
        marks += (
            Text(left, (row + 0.5) * pitch, letter, size, anchor="end")
            for row, row_letters in enumerate(letters)
            if letter in row_letters
        )
    return marks, left


def _guide_marks(rows: Rows, scale: NumberLine, pitch: float, right: float) -> Iterator[Mark]:
    """Draw stripes that guide the eye along rows, lines between rows, and the chosen interval."""
    count = len(rows.names)
    if rows.striped:
        yield from _stripe_marks(count, pitch, right)
    if rows.chosen is not None:
        low, high = (
            scale.position_of(rows.low[rows.chosen]),
            scale.position_of(rows.high[rows.chosen]),
        )
        yield Box(low, 0, high - low, count * pitch, "h0")
    yield from (Line(0, end * pitch, right, 0, "ink", 0.8) for end in rows.ends)
    for number in rows.lines:
        yield Line(scale.position_of(number), 0, 0, count * pitch, "ink", 0.8)


def _stripe_marks(count: int, pitch: float, right: float) -> list[Mark]:
    return [Box(0, row * pitch, right, pitch, "tint") for row in range(1, count, 2)]


# A single panel may be wider than one of several.
_PANEL_WIDTHS, _MAX_PANELS_IN_ROW = (3.9, 3.0, 2.3), 4
_HEADING_HEIGHT, _SPACE_BELOW, _MIN_PITCH = 0.3, 0.1, 0.2
# Single values are drawn slightly below the line of their mean.
_MARK_SPACE = 0.24


@dataclass(frozen=True, slots=True)
class PanelRow:
    """A row of a panel: its name, and its value with an interval (NaN if undefined).

    A row that combines all others is `soft`; `points` are single values behind the mean; `mark` is
    written on the right.
    """

    name: str
    value: float
    low: float = math.nan
    high: float = math.nan
    soft: bool = False
    points: tuple[float, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class RowPanel:
    """A panel: a heading, rows from top to bottom, and their color: ``h`` is blue, ``l`` orange."""

    title: str
    rows: tuple[PanelRow, ...]
    color: Literal["h", "l"] = "h"


def row_panels_picture(
    panels: Sequence[RowPanel],
    *,
    title: str,
    note: str,
    label: str,
    mark_kind: Literal["bars", "points"] = "bars",
    limits: tuple[float, float] | None = None,
    shares_scale: bool = True,
) -> Picture:
    """Draw a grid of panels with a common scale, or each on its own.

    Values are bars from 0, or points; `label` names them, and the scale includes `limits`.
    """
    n_columns = min(len(panels), _MAX_PANELS_IN_ROW)
    pitch = max(_MIN_PITCH, row_pitch(max(len(panel.rows) for panel in panels)))
    size, rows = label_size(pitch), [row for panel in panels for row in panel.rows]
    names = [short_names(row.name for row in panel.rows) for panel in panels]
    left = text_width(chain.from_iterable(names), size=size) + 2 * LABEL_GAP
    right = text_width((row.mark for row in rows), size=size)
    width = _PANEL_WIDTHS[min(len(panels), len(_PANEL_WIDTHS)) - 1]
    panel_step = left + width + (right + 2 * LABEL_GAP if right else 0.15)
    marks: list[Mark] = []
    top_y, heading_height = 0.0, _HEADING_HEIGHT * any(panel.title for panel in panels)
    for start in range(0, len(panels), n_columns):
        for column, panel in enumerate(panels[start : start + n_columns]):
            ends = _limits(rows if shares_scale else panel.rows, limits)
            scale = NumberLine(*ends, left + column * panel_step, width)
            marks += scale.marks(
                top_y + heading_height, top_y + heading_height + len(panel.rows) * pitch, label
            )
            marks += _panel_marks(
                panel, names[start + column], scale, top_y + heading_height, pitch, mark_kind
            )
        n_rows = max(len(panel.rows) for panel in panels[start : start + n_columns])
        top_y += heading_height + n_rows * pitch + SCALE_SPACE + _SPACE_BELOW
    return Picture(title, note, marks, (n_columns * panel_step, top_y - _SPACE_BELOW))


def _limits(rows: Sequence[PanelRow], ends: tuple[float, float] | None) -> tuple[float, float]:
    values = [value for row in rows for value in (row.value, row.low, row.high, *row.points, 0.0)]
    finite_values = [value for value in (*values, *(ends or ())) if math.isfinite(value)]
    low, high = min(finite_values, default=0.0), max(finite_values, default=1.0)
    padding = 0.04 * ((high - low) or 1.0)
    return low - padding * (low < 0), high + padding * (high > 0 or low == high)


def _panel_marks(
    panel: RowPanel,
    names: Sequence[str],
    scale: NumberLine,
    top_y: float,
    pitch: float,
    mark_kind: str,
) -> list[Mark]:
    """Draw values as bars from 0 or as points, with their intervals."""
    zero, bottom = scale.position_of(0), top_y + len(names) * pitch
    marks: list[Mark] = [Line(zero, top_y, 0, bottom - top_y, "soft", 0.8)]
    for number, row in enumerate(panel.rows):
        y = top_y + (number + 0.5) * pitch
        points_y = y + _MARK_SPACE * pitch
        marks += (
            Dot(scale.position_of(point), points_y, f"{panel.color}1") for point in row.points
        )
        if math.isnan(row.value):
            marks.append(Text(zero + 0.05, y, "undefined", 7, "soft"))
        style = KeyEntry("", "q" if row.soft else f"{panel.color}2", "o")
        if mark_kind == "bars" and not math.isnan(row.value):
            length, color = (
                scale.position_of(row.value) - zero,
                "u" if row.soft else f"{panel.color}1",
            )
            x = min(zero, zero + length)
            marks.append(Box(x, y - 0.31 * pitch, abs(length), 0.62 * pitch, color))
            style = KeyEntry("", "ink", "o")
        marks += interval_marks((row.value, row.low, row.high), scale, y, style)
        if row.mark:
            x = scale.left + scale.width + LABEL_GAP
            marks.append(Text(x, y, row.mark, label_size(pitch)))
    heading = Text(scale.left, top_y - 0.14, " ".join(panel.title.split()), 9)
    return [
        *sort_marks(marks), *row_names(names, scale.left - LABEL_GAP, top_y, pitch),
        *[heading] * bool(heading.text),
    ]  # fmt: skip


#: Color and mark of the first, second, ... number of a row.
_SERIES_STYLES = (
    ("l2", "o"), ("h2", "s"), (GREEN, "D"), (PURPLE, "o"), (ORANGE, "s"), (SKY, "D"),
)  # fmt: skip

#: The colors and marks of machines and people.
KIND_STYLES = {"machine": KeyEntry("machine", "h2", "o"), "human": KeyEntry("person", "l2", "D")}


@dataclass(frozen=True, slots=True)
class MarkedRow:
    """A summarizer (``human`` or ``machine``) and its numbers; NaN has no mark."""

    name: str
    kind: str
    values: tuple[float, ...]


def marked_rows_picture(
    rows: Sequence[MarkedRow],
    *,
    title: str,
    label: str,
    note: str = "",
    series: Sequence[str] = (),
    percent: bool = False,
) -> Picture:
    """Draw summarizers from top to bottom; `series` names their numbers; people are bold."""
    names, pitch = short_names(row.name for row in rows), row_pitch(len(rows))
    is_person, bottom = [row.kind == "human" for row in rows], len(rows) * pitch
    left = text_width(names, size=label_size(pitch), bold=any(is_person)) + 2 * LABEL_GAP
    finite_values = [value for row in rows for value in row.values if not math.isnan(value)]
    low, high = min(finite_values, default=0.0), max(finite_values, default=0.0)
    scale = NumberLine(low - 0.05 * (high - low), high + 0.05 * (high - low), left, _PLOT_WIDTH)
    key = [
        KeyEntry(name, *style) for name, style in zip(series, cycle(_SERIES_STYLES), strict=False)
    ]
    marks = [
        *_stripe_marks(len(rows), pitch, left + _PLOT_WIDTH),
        *scale.marks(0, bottom, label, percent=percent),
    ]
    for number, row in enumerate(rows):
        y, known_values = (
            (number + 0.5) * pitch,
            [value for value in row.values if not math.isnan(value)],
        )
        if len(known_values) > 1:
            start, end = scale.position_of(min(known_values)), scale.position_of(max(known_values))
            marks.append(Line(start, y, end - start, 0, "u", 1))
        for value, style in zip(row.values, key or [KIND_STYLES[row.kind]], strict=True):
            marks += interval_marks((value, math.nan, math.nan), scale, y, style)
    marks += row_names(names, left - LABEL_GAP, 0, pitch, is_person)
    kinds = {row.kind for row in rows}
    key = key or [style for kind, style in KIND_STYLES.items() if kind in kinds]
    return Picture(title, note, marks, (left + _PLOT_WIDTH + 0.15, bottom + SCALE_SPACE), key)
