"""Pictures of rows, tiles and bars: lists of marks, written as SVG or drawn by matplotlib.

Lengths are in inches from the top left; fonts and strokes are in points. A color is ``#rrggbb``
or a name from the style sheet of pages, which defines it for light and dark screens.
"""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pyramidion._types import Ints
from pyramidion.rendering.assets import read_page_file
from pyramidion.rendering.charts.layout import (
    LABEL_GAP,
    LEGEND_LINE,
    LEGEND_SIZE,
    NOTE_LINE,
    NOTE_SIZE,
    PAD,
    TITLE_LINE,
    TITLE_SIZE,
    label_size,
    label_step,
    text_width,
    wrap_text,
)
from pyramidion.rendering.charts.style import in_style, save, shown_figure
from pyramidion.rendering.labels import escape

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: More tiles than this are stored as pixels in a PDF, and are not drawn on a page.
MAX_TILES = 20_000

_MIN_WIDTH = 6.4
# In a key, the significance levels of better rows are above those of worse ones.
_MAX_KEY_COLUMNS = 4
# The distance from the middle of a letter down to the baseline, in font sizes.
_BASELINE_SHARE = 0.36
_DOT_RADIUS, _INTERVAL_WIDTH = 2.3, 1.6
_SWATCH_SIZE = 0.2, 0.1
_FONT_ATTRIBUTE = 'font-family="DejaVu Sans,Verdana,sans-serif"'


class Box(NamedTuple):
    """A filled rectangle."""

    x: float
    y: float
    width: float
    height: float
    color: str


class Line(NamedTuple):
    """A straight line, given by its start and extent."""

    x: float
    y: float
    across: float
    down: float
    color: str
    stroke: float = 0.6


class Dot(NamedTuple):
    """A disk (``o``), square (``s``) or diamond (``D``)."""

    x: float
    y: float
    color: str
    mark: str = "o"


class Text(NamedTuple):
    """A line of text centered at height `y`, or rotated, upwards from `y`."""

    x: float
    y: float
    text: str
    size: float
    color: str = "ink"
    anchor: str = "start"
    bold: bool = False
    turned: bool = False

    @property
    def base(self) -> tuple[float, float]:
        """The start, end or middle of its baseline."""
        offset = _BASELINE_SHARE * self.size / 72
        return (self.x + offset, self.y) if self.turned else (self.x, self.y + offset)


class Tiles(NamedTuple):
    """Tiles in rows and columns, colored by code; -1 is left out."""

    x: float
    y: float
    cell: tuple[float, float]
    codes: Ints
    colors: Sequence[str]


Mark = Box | Line | Dot | Text | Tiles


class KeyEntry(NamedTuple):
    """The meaning of a color: of areas, or of intervals with a mark."""

    text: str
    color: str
    mark: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A picture that notebooks display and `savefig` writes.

    Parameters
    ----------
    title, note
        Text above the marks, except on a page, which has a caption.
    marks
        The content, in drawing order.
    size
        The width and height of all marks.
    key
        The meaning of the colors.

    Examples
    --------
    >>> picture = Picture("One tile", "", [Box(0, 0, 1, 1, "h2")], (1, 1))
    >>> picture.to_svg().count("#0072b2")
    1
    """

    title: str
    note: str
    marks: Sequence[Mark] = field(repr=False)
    size: tuple[float, float]
    key: Sequence[KeyEntry] = field(default=())

    def to_svg(self) -> str:
        """Write it as SVG, without matplotlib; equal pictures give equal text."""
        frame = self._with_frame()
        width, height = map(_pixels, frame.size)
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        title = escape(self.title)
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" '
            f'{size} {_FONT_ATTRIBUTE} role="img"><title>{title}</title>'
            f'<path fill="{hex_color("paper")}" d="M0 0H{width}V{height}H0z"/>'
            f"{_marks_to_svg(frame.marks, hex_color)}</svg>\n"
        )

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def to_inline(self) -> str:
        """Write only the marks, for a page that has the colors, a caption and the key."""
        width, height = map(_pixels, self.size)
        attributes = (
            f'role="img" aria-label="{escape(self.title)}"' if self.title else "aria-hidden=true"
        )
        size = f'width="{width}" height="{height}"'
        content = _marks_to_svg(self.marks, _color_variable)
        return f"<svg class=picture {size} {attributes}>{content}</svg>"

    def key_block(self) -> str:
        """Write the key for a page."""
        size = (_SWATCH_SIZE[0], 0.15)
        swatches = (Picture("", "", [*_swatch(entry, 0, size[1] / 2)], size) for entry in self.key)
        entries = (
            f"<span>{swatch.to_inline()}{escape(entry.text)}</span>"
            for swatch, entry in zip(swatches, self.key, strict=True)
        )
        return f"<p class=key>{''.join(entries)}</p>" if self.key else ""

    @in_style
    def to_figure(self) -> "Figure":
        """Return it as a matplotlib figure."""
        frame = self._with_frame()
        (width, height), figure = frame.size, shown_figure(frame.size, self.title)
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        for number, group in enumerate(_group_marks(frame.marks)):
            _plot_marks(axes, group, number)
        return figure

    def savefig(self, path: str | Path) -> None:
        """Write it to a .svg, .pdf or .png file; only SVG works without matplotlib."""
        save(self, path)

    def _with_frame(self) -> "Picture":
        """Add the title, the note and the key to the marks."""
        width = max(_MIN_WIDTH, self.size[0])
        y = PAD
        marks: list[Mark] = []
        for line in wrap_text(self.title, width, size=TITLE_SIZE, bold=True):
            marks.append(Text(PAD, y + TITLE_LINE / 2, line, TITLE_SIZE, bold=True))
            y += TITLE_LINE
        for line in wrap_text(self.note, width, size=NOTE_SIZE):
            marks.append(Text(PAD, y + NOTE_LINE / 2, line, NOTE_SIZE, "soft"))
            y += NOTE_LINE
        y += 0.08
        marks += (mark._replace(x=mark.x + PAD, y=mark.y + y) for mark in self.marks)
        y += self.size[1] + 0.08 * bool(self.key)
        entry_width = (
            _SWATCH_SIZE[0] + text_width((entry.text for entry in self.key), size=LEGEND_SIZE) + 0.2
        )
        n_columns = min(
            max(1, int((width + 0.12) / entry_width)), _MAX_KEY_COLUMNS, len(self.key) or 1
        )
        for number, entry in enumerate(self.key):
            row, column = divmod(number, n_columns)
            x, center_y = PAD + column * entry_width, y + (row + 0.5) * LEGEND_LINE
            marks += _swatch(entry, x, center_y)
            marks.append(Text(x + _SWATCH_SIZE[0] + 0.06, center_y, entry.text, LEGEND_SIZE))
        y += math.ceil(len(self.key) / n_columns) * LEGEND_LINE
        return replace(self, marks=marks, size=(width + 2 * PAD, y + PAD))


def sort_marks(marks: Iterable[Mark]) -> list[Mark]:
    """Sort marks so that equal-looking ones form one element; dots and texts come last."""
    order = (Tiles, Box, Line, Dot, Text)
    return sorted(marks, key=lambda mark: (order.index(type(mark)), str(_style_of(mark))))


def _style_of(mark: Mark) -> tuple[object, ...]:
    """Return the properties that marks drawn together share."""
    names = ("color", "stroke", "mark", "size", "anchor", "bold", "turned", "colors")
    return type(mark), *(getattr(mark, name, None) for name in names)


def _group_marks(marks: Iterable[Mark]) -> Iterator[list[Mark]]:
    return (list(group) for _, group in groupby(marks, key=_style_of))


@cache
def palette() -> dict[str, str]:
    """Return the colors of pages on light screens, by name."""
    sheets = (read_page_file(name).partition("@media")[0] for name in ("style.css", "blocks.css"))
    return {
        name: color for sheet in sheets for name, color in re.findall(r"--(\w+): (#\w+)", sheet)
    }


def hex_color(color: str) -> str:
    """Return a color as ``#rrggbb``."""
    return color if color.startswith("#") else palette()[color]


def _color_variable(color: str) -> str:
    return color if color.startswith("#") else f"var(--{color})"


def _swatch(entry: KeyEntry, x: float, y: float) -> Iterator[Mark]:
    width, height = _SWATCH_SIZE
    if not entry.mark:
        yield Box(x, y - height / 2, width, height, entry.color)
        return
    yield Line(x, y, width, 0, entry.color, _INTERVAL_WIDTH)
    yield Dot(x + width / 2, y, entry.color, entry.mark)


def _marks_to_svg(marks: Iterable[Mark], color_of: Callable[[str], str]) -> str:
    """Write marks, merging neighbors that look the same into one element."""
    return "".join(_group_to_svg(group, color_of) for group in _group_marks(marks))


def _group_to_svg(group: list[Mark], color_of: Callable[[str], str]) -> str:
    first_mark = group[0]
    if isinstance(first_mark, Tiles):
        return "".join(
            _tiles_to_svg(tiles, color_of) for tiles in group if isinstance(tiles, Tiles)
        )
    color = color_of(first_mark.color)
    if isinstance(first_mark, Text):
        weight = ' font-weight="bold"' * first_mark.bold
        attributes = f'fill="{color}" font-size="{_pixels(first_mark.size / 72)}"{weight}'
        texts = (_text_to_svg(mark) for mark in group if isinstance(mark, Text))
        return f'<g {attributes} text-anchor="{first_mark.anchor}">{"".join(texts)}</g>'
    path = "".join(map(_path_data, group))
    if isinstance(first_mark, Line):
        width = _pixels(first_mark.stroke / 72)
        return f'<path stroke="{color}" stroke-width="{width}" d="{path}"/>'
    return f'<path fill="{color}" d="{path}"/>'


def _path_data(mark: Mark) -> str:
    """Write the outline of a box or dot, or a line."""
    if isinstance(mark, Line):
        return f"M{_point(mark.x, mark.y)}l{_point(mark.across, mark.down)}"
    if isinstance(mark, Box):
        width = _pixels(mark.width)
        return f"M{_point(mark.x, mark.y)}h{width}v{_pixels(mark.height)}h-{width}z"
    shape, radius = getattr(mark, "mark", ""), _DOT_RADIUS / 72
    if shape == "s":
        return _path_data(Box(mark.x - radius, mark.y - radius, 2 * radius, 2 * radius, ""))
    if shape == "D":
        size = _pixels(radius * math.sqrt(2))
        top_point = _point(mark.x, mark.y - radius * math.sqrt(2))
        return f"M{top_point}l{size} {size}l-{size} {size}l-{size}-{size}z"
    arc, diameter = f"a{_pixels(radius)} {_pixels(radius)} 0 1 0 ", _pixels(2 * radius)
    return f"M{_point(mark.x - radius, mark.y)}{arc}{diameter} 0{arc}-{diameter} 0z"


def _text_to_svg(mark: Text) -> str:
    x, y = mark.base
    coordinates = f'x="{_pixels(x)}" y="{_pixels(y)}"'
    if mark.turned:
        coordinates = f'transform="translate({_point(x, y)})rotate(-90)"'
    return f"<text {coordinates}>{escape(mark.text)}</text>"


def _tiles_to_svg(tiles: Tiles, color_of: Callable[[str], str]) -> str:
    """Write the tiles of a color as one path of strokes that are as wide as a row is high."""
    tile_width, tile_height = tiles.cell
    paths = (
        f'<path stroke="{color_of(color)}" '
        f'd="{"".join(f"M{x} {y}h.96" for y, x in cells.tolist())}"/>'
        for code, color in enumerate(tiles.colors)
        if (cells := np.argwhere(tiles.codes == code)).size
    )
    origin = _point(tiles.x, tiles.y + tile_height / 2)
    scale = f"scale({_pixels(tile_width)} {_pixels(tile_height)})"
    return f'<g transform="translate({origin}){scale}" stroke-width=".96">{"".join(paths)}</g>'


def _pixels(inches: float) -> str:
    return f"{inches * 96:.2f}".rstrip("0").rstrip(".")


def _point(x: float, y: float) -> str:
    return f"{_pixels(x)} {_pixels(y)}"


def _plot_marks(axes: "Axes", group: list[Mark], zorder: int) -> None:
    """Draw equal-looking marks with matplotlib."""
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import ListedColormap

    style: dict[str, Any] = {"zorder": zorder}
    for mark in group:
        if isinstance(mark, Text):
            align = {"start": "left", "middle": "center", "end": "right"}[mark.anchor]
            axes.text(
                *mark.base, mark.text, size=mark.size, color=hex_color(mark.color), ha=align,
                va="baseline", weight="bold" if mark.bold else "normal",
                rotation=90 if mark.turned else 0, rotation_mode="anchor", **style,
            )  # fmt: skip
        elif isinstance(mark, Tiles):
            colormap = ListedColormap([hex_color(color) for color in mark.colors])
            (rows, columns), is_large = mark.codes.shape, mark.codes.size > MAX_TILES
            axes.pcolormesh(
                mark.x + np.arange(columns + 1) * mark.cell[0],
                mark.y + np.arange(rows + 1) * mark.cell[1], np.ma.masked_less(mark.codes, 0),
                cmap=colormap, vmin=-0.5, vmax=len(mark.colors) - 0.5, rasterized=is_large,
                edgecolors="none" if is_large else "white",
                linewidth=0 if is_large else 0.4, **style,
            )  # fmt: skip
        elif isinstance(mark, Dot):
            color = hex_color(mark.color)
            axes.plot(mark.x, mark.y, mark.mark, color=color, markersize=4.5, **style)
        elif isinstance(mark, Box):
            (x, y, width, height), color = mark[:4], hex_color(mark.color)
            corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
            axes.add_collection(PolyCollection([corners], facecolors=color, linewidths=0, **style))
        else:
            (x, y, bar_width, bar_height), color = mark[:4], hex_color(mark.color)
            ends = [[(x, y), (x + bar_width, y + bar_height)]]
            axes.add_collection(LineCollection(ends, colors=color, linewidths=mark.stroke, **style))


@dataclass(frozen=True, slots=True)
class NumberLine:
    """A horizontal scale: its lowest and highest numbers, start and width."""

    low: float
    high: float
    left: float
    width: float

    def position_of(self, value: float) -> float:
        """Return the position of a number."""
        value_range = self.high - self.low
        return (
            self.left + ((value - self.low) / value_range if value_range > 0 else 0.5) * self.width
        )

    def ticks(self, *, whole_numbers: bool = False) -> list[float]:
        """Choose about three to seven round numbers."""
        value_range = self.high - self.low
        if not value_range > 0:
            return [self.low]
        power_of_ten = 10.0 ** math.floor(math.log10(value_range / 6))
        step = next(
            power_of_ten * multiple
            for multiple in (1, 2, 5, 10)
            if value_range / (power_of_ten * multiple) <= 6
        )
        step = max(1.0, step) if whole_numbers else step
        first_multiple, last_multiple = (
            math.ceil(self.low / step - 1e-9),
            math.floor(self.high / step + 1e-9),
        )
        return [number * step for number in range(first_multiple, last_multiple + 1)]

    def marks(
        self,
        top: float,
        bottom: float,
        label: str,
        *,
        whole_numbers: bool = False,
        percent: bool = False,
    ) -> Iterator[Mark]:
        """Draw lines at round numbers, with the numbers and the label below them."""
        ticks = self.ticks(whole_numbers=whole_numbers)
        for tick in ticks:
            yield Line(self.position_of(tick), top, 0, bottom - top, "line")
        for tick in ticks:
            text = f"{100 * tick:g} %" if percent else f"{tick:g}"
            yield Text(
                self.position_of(tick), bottom + 0.12, text.replace("-", "−"), 8, anchor="middle"
            )
        yield Text(self.left + self.width / 2, bottom + 0.3, label, 9, anchor="middle")


#: The space for the numbers and the label below a scale.
SCALE_SPACE = 0.4


def interval_marks(
    value_and_interval: tuple[float, float, float], scale: NumberLine, y: float, style: KeyEntry
) -> Iterator[Mark]:
    """Draw a value and its interval, unless the interval is undefined."""
    value, low, high = value_and_interval
    if math.isnan(value):
        return
    if not math.isnan(low + high):
        yield Line(
            scale.position_of(low),
            y,
            scale.position_of(high) - scale.position_of(low),
            0,
            style.color,
            _INTERVAL_WIDTH,
        )
    yield Dot(scale.position_of(value), y, style.color, style.mark)


def row_names(
    names: Sequence[str], right: float, top_y: float, pitch: float, bold: Sequence[bool] = ()
) -> list[Mark]:
    """Write row names that end at `right`; only some of them if rows are dense."""
    is_bold, font_size = [*bold, *[False] * len(names)], label_size(pitch)
    return [
        Text(
            right,
            top_y + (row + 0.5) * pitch,
            names[row],
            font_size,
            anchor="end",
            bold=is_bold[row],
        )
        for row in range(0, len(names), label_step(pitch))
    ]


def column_names(
    names: Sequence[str], left: float, bottom: float, pitch: float, *, is_rotated: bool,
    bold: Sequence[bool] = (),
) -> list[Mark]:  # fmt: skip
    """Write column names above the columns, rotated if there is no room."""
    is_bold, font_size = [*bold, *[False] * len(names)], label_size(pitch)
    y, anchor = (
        bottom - LABEL_GAP - (0 if is_rotated else font_size / 144),
        "start" if is_rotated else "middle",
    )
    return [
        Text(
            left + (column + 0.5) * pitch,
            y,
            names[column],
            font_size,
            "ink",
            anchor,
            is_bold[column],
            is_rotated,
        )
        for column in range(0, len(names), label_step(pitch))
    ]
