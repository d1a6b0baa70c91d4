"""Positions on a figure, in inches, so that texts do not overlap."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width, normalize

import numpy as np

from pyramidion.rendering.charts.style import GRAY, INK, shown_figure

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

#: Matplotlib properties of a drawn element, and its label in the legend.
Style = Mapping[str, Any]

#: The margin around everything.
PAD = 0.12

_MIN_WIDTH, _MAX_SIDE = 5.0, 24.0
_DENSE_PITCH, _SPARSE_PITCH = 0.165, 0.3
TITLE_SIZE, NOTE_SIZE, LEGEND_SIZE = 11, 8, 8
TITLE_LINE, NOTE_LINE, LEGEND_LINE = 0.21, 0.16, 0.2


@dataclass(frozen=True, slots=True)
class Space:
    """Inches around a plot, for its labels."""

    left: float = PAD
    right: float = PAD
    above: float = 0.08
    below: float = 0.45


class Page:
    """A figure with a title, a plot of a given size, and a legend of styles below it.

    A style with a `facecolor` is an area in the legend; others are lines or marks.
    """

    def __init__(
        self,
        title: str,
        note: str,
        *,
        plot: tuple[float, float],
        space: Space,
        legend: Sequence[Style] = (),
    ) -> None:
        self.width = max(_MIN_WIDTH, space.left + plot[0] + space.right)
        titles = wrap_text(title, self.width - 2 * PAD, size=TITLE_SIZE, bold=True)
        notes = wrap_text(note, self.width - 2 * PAD, size=NOTE_SIZE)
        n_columns, legend_height = self._legend_shape(legend)
        self.bottom = PAD + legend_height + space.below
        header_height = len(titles) * TITLE_LINE + len(notes) * NOTE_LINE
        self.height = self.bottom + plot[1] + space.above + header_height + PAD
        self.left = space.left
        self.figure = shown_figure((self.width, self.height), title)
        self._write_header(titles, notes)
        if legend:
            self._add_legend(legend, n_columns)

    def _legend_shape(self, legend: Sequence[Style]) -> tuple[int, float]:
        if not legend:
            return 0, 0.0
        labels = [str(style["label"]) for style in legend]
        width, column_counts = self.width - 2 * PAD, range(len(labels), 1, -1)
        n_columns_used = next(
            (n_columns for n_columns in column_counts if _legend_width(labels, n_columns) <= width),
            1,
        )
        return n_columns_used, math.ceil(len(labels) / n_columns_used) * LEGEND_LINE + 0.04

    def _write_header(self, titles: Sequence[str], notes: Sequence[str]) -> None:
        top_y = self.height - PAD
        for line in titles:
            self.write(line, (PAD, top_y), va="top", size=TITLE_SIZE, weight="bold")
            top_y -= TITLE_LINE
        for line in notes:
            self.write(line, (PAD, top_y), va="top", size=NOTE_SIZE, color=GRAY)
            top_y -= NOTE_LINE

    def _add_legend(self, legend: Sequence[Style], n_columns: int) -> None:
        self.figure.legend(
            handles=list(map(_legend_handle, legend)), loc="lower left", ncols=n_columns,
            borderpad=0, bbox_to_anchor=(PAD / self.width, PAD / self.height), borderaxespad=0,
            handlelength=1.6, columnspacing=1.6,
        )  # fmt: skip

    def write(self, text: str, position: tuple[float, float], **style: Any) -> None:
        """Write a text at a position in inches, styled as a note unless `style` overrides it."""
        x, y = position[0] / self.width, position[1] / self.height
        default_style: dict[str, Any] = {"size": NOTE_SIZE, "color": INK}
        self.figure.text(x, y, text, **default_style | style)

    def axes(self, left: float, bottom: float, width: float, height: float) -> "Axes":
        """Add axes at a position in inches."""
        picture_width, picture_height = self.width, self.height
        return self.figure.add_axes(
            (
                left / picture_width,
                bottom / picture_height,
                width / picture_width,
                height / picture_height,
            )
        )


def _legend_handle(style: Style) -> "Artist":
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    return Patch(**style) if "facecolor" in style else Line2D([], [], **style)


def _legend_width(labels: Sequence[str], columns: int) -> float:
    """Estimate a legend's width: matplotlib fills it column by column."""
    rows, remainder = divmod(len(labels), columns)
    column_ends = np.cumsum([rows + (column < remainder) for column in range(columns)])
    labels_by_column = np.split(np.array(labels, dtype=object), column_ends[:-1])
    texts_width = sum(text_width(part, size=LEGEND_SIZE) for part in labels_by_column)
    # In font sizes, each column has a handle of 1.6, a gap of 0.8, and 1.6 to the next column.
    return texts_width + (4.0 * columns - 1.6) * LEGEND_SIZE / 72


@dataclass(frozen=True, slots=True)
class Panels:
    """A grid of equally large panels, the first at the top left."""

    count: int
    side: tuple[float, float]
    gap: tuple[float, float]
    max_across: int

    @property
    def across(self) -> int:
        """The number of panels per row."""
        return min(self.count, self.max_across)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return -(-self.count // self.across)

    @property
    def plot_size(self) -> tuple[float, float]:
        """The total width and height."""
        (width, height), (gap_width, gap_height) = self.side, self.gap
        return self.across * (width + gap_width) - gap_width, self.n_rows * (
            height + gap_height
        ) - gap_height

    def axes(self, page: Page) -> "list[Axes]":
        """Add their axes to a page."""
        (width, height), (gap_width, gap_height) = self.side, self.gap
        cells = (divmod(number, self.across) for number in range(self.count))
        lefts = (page.left + column * (width + gap_width) for column in range(self.across))
        x, y = [*lefts], [page.bottom + row * (height + gap_height) for row in range(self.n_rows)]
        return [page.axes(x[column], y[-1 - row], width, height) for row, column in cells]


def row_pitch(count: int) -> float:
    """Return the distance between rows (or columns) in inches: larger if there are few."""
    return min(max(_DENSE_PITCH, min(_SPARSE_PITCH, 4.0 / count)), _MAX_SIDE / count)


# Widths of the letters from the space to ~ in DejaVu Sans, in hundredths of the font's size.
_LETTER_WIDTHS = [
    *(32, 40, 46, 84, 64, 95, 78, 28, 39, 39, 50, 84, 32, 36, 32, 34, *[64] * 10, 34, 34, 84, 84),
    *(84, 53, 100, 68, 69, 70, 77, 63, 58, 77, 75, 30, 30, 66, 56, 86, 75, 79, 60, 79, 69, 64, 61),
    *(73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50, 50, 61, 64, 55, 64, 62, 35, 64, 63, 28, 28, 58),
    *(28, 97, 63, 61, 64, 64, 41, 52, 39, 63, 59, 82, 59, 59, 53, 64, 34, 64, 84),
]


def text_width(texts: Iterable[str], *, size: float, bold: bool = False) -> float:
    """Estimate the width of the widest text, in inches, without loading a font.

    DejaVu Sans and Verdana are wider than the other fonts in which a figure may be shown.
    """
    max_width = max((sum(map(_letter_width, normalize("NFD", text))) for text in texts), default=0)
    return max_width / 100 * size / 72 * (1.15 if bold else 1.02)


def _letter_width(letter: str) -> int:
    if " " <= letter <= "~":
        return _LETTER_WIDTHS[ord(letter) - 32]
    if combining(letter):
        return 0
    return 102 if east_asian_width(letter) in "WF" else 84


def wrap_text(text: str, width: float, *, size: float, bold: bool = False) -> list[str]:
    """Break a text into lines of at most `width` inches; an empty text has no lines."""
    lines: list[str] = []
    for word in text.split():
        longer_line = f"{lines[-1]} {word}" if lines else word
        if lines and text_width([longer_line], size=size, bold=bold) <= width:
            lines[-1] = longer_line
        else:
            lines.extend(_break_word(word, width, size=size, bold=bold))
    return lines


def _break_word(word: str, width: float, *, size: float, bold: bool) -> list[str]:
    """Break a word that is wider than a line."""
    lines = [""]
    for letter in word:
        if lines[-1] and text_width([lines[-1] + letter], size=size, bold=bold) > width:
            lines.append("")
        lines[-1] += letter
    return lines


#: The gap between a label and the labeled mark, in inches.
LABEL_GAP = 0.07

_MIN_READABLE_PITCH = 0.1


def label_size(pitch: float) -> float:
    """Return the font size for labels that are `pitch` inches apart."""
    return max(4.5, min(9.0, pitch * 72 * 0.62))


def label_step(pitch: float) -> int:
    """Return the step at which labels fit: 1 for all, 2 for every other, and so on."""
    return max(1, math.ceil(_MIN_READABLE_PITCH / pitch - 1e-9))
