"""Small pictures for the page, written as SVG directly: few nodes, text as text, two themes.

Many marks of a kind are one path of short strokes: a stroke as wide as a row is high is a tile,
one of no length with round ends is a dot. Colors are classes of the page's style sheet.
"""

import math
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from pyramidion._types import Ints
from pyramidion.report.charts.rows import Rows
from pyramidion.report.labels import escape, short_names

_MARK = (120, 14)
_BAR = (96, 14)
_LETTER, _ROW, _PLOT = 7.4, 16, 320


def interval_mark(
    value: float, low: float, high: float, ends: tuple[float, float], color: str = "h2"
) -> str:
    """Draw a value with its interval on a scale from one end to the other."""
    if math.isnan(value):
        return ""
    width, height = _MARK
    known = (value if math.isnan(v) else v for v in (low, value, high))
    left, at, right = (_on_scale(v, ends, 4, width - 4) for v in known)
    drawn = f'<g class={color}><path d="M{left} 7H{right}"/><path class=dot d="M{at} 7h0"/></g>'
    return f"<svg class=mark width={width} height={height} aria-hidden=true>{drawn}</svg>"


def parts_bar(parts: Sequence[tuple[str, int]], about: str) -> str:
    """Draw how a whole falls into parts, each with the class of its color, and their numbers."""
    width, height = _BAR
    whole, left, drawn = sum(count for _, count in parts) or 1, 0.0, []
    for color, count in ((color, count) for color, count in parts if count):
        own = count / whole * width
        drawn.append(f'<path class={color} d="M{_short(left)} 7h{_short(own)}"/>')
        if own > len(str(count)) * 7 + 2:
            drawn.append(f"<text class={color} x={_short(left + own / 2)} y=11>{count}</text>")
        left += own
    return _picture("bar", (width, height), about, *drawn)


def tiles_picture(
    codes: Ints,
    names: tuple[Sequence[str], Sequence[str]],
    colors: Sequence[str],
    *,
    about: str,
    cell: tuple[int, int] = (18, 18),
    texts: Mapping[tuple[int, int], str] | None = None,
    bold: tuple[Sequence[bool], Sequence[bool]] = ((), ()),
) -> str:
    """Draw a tile at each row and column, colored by its code; -1 is left out."""
    rows, columns = map(short_names, names)
    left, top = _room(rows) + 8, _room(columns) + 8
    width, height = left + len(columns) * cell[0], top + len(rows) * cell[1]
    drawn = [
        f'<path class={color} d="{_strokes(np.argwhere(codes == code))}"/>'
        for code, color in enumerate(colors)
        if (codes == code).any()
    ]
    across, down = cell[0] / 2, cell[1] / 2
    written = [
        f'<text class="c {colors[codes[row, column]]}" x={_short(left + (column + 0.5) * cell[0])} '
        f"y={_short(top + row * cell[1] + down + 4)}>{escape(text)}</text>"
        for (row, column), text in (texts or {}).items()
    ]
    return _picture(
        "tiles", (width, height), about,
        f'<g transform="translate({left:.0f} {_short(top + down)})scale({cell[0]} {cell[1]})">',
        *drawn, "</g>", *written, _labels(rows, left - 6, top + down + 4, cell[1], bold[0]),
        f'<g class=turned transform="translate({_short(left + across + 4)} {top - 6:.0f})'
        f'rotate(-90)">{_labels(columns, 0, 0, cell[0], bold[1])}</g>',
    )  # fmt: skip


def rows_picture(rows: Rows, colors: Mapping[str, str], *, label: str) -> str:
    """Draw rows with their intervals, the first on top, each kind in the class of its color."""
    names, left = short_names(rows.names), _room(rows.names) + 8
    ends = min(rows.low), max(rows.high)
    bottom = len(names) * _ROW
    drawn = []
    for kind, color in colors.items():
        own = [row for row, found in enumerate(rows.kinds) if found == kind]
        spans = ((rows.low[row], rows.values[row], rows.high[row], row * _ROW + 8) for row in own)
        placed = [(*(_on_scale(v, ends, left, left + _PLOT) for v in s[:3]), s[3]) for s in spans]
        lines = "".join(f"M{low} {y}H{high}" for low, _, high, y in placed)
        dots = "".join(f"M{at} {y}h0" for _, at, _, y in placed)
        drawn.append(f'<g class={color}><path d="{lines}"/><path class=dot d="{dots}"/></g>')
    ticks = _ticks(ends)
    places = [_on_scale(tick, ends, left, left + _PLOT) for tick in ticks]
    grid = "".join(f"M{place} 0V{bottom}" for place in places)
    scale = "".join(
        f"<text class=c x={place} y={bottom + 14}>{tick:g}</text>"
        for place, tick in zip(places, ticks, strict=True)
    )
    width, height = left + _PLOT + 12, bottom + 36
    return _picture(
        "rows", (width, height), label, f'<path class=grid d="{grid}"/>', *drawn,
        _labels(names, left - 6, 12, _ROW), scale,
        f"<text class=c x={left + _PLOT / 2:.0f} y={height - 6}>{escape(label)}</text>",
    )  # fmt: skip


def key(entries: Iterable[tuple[str, str]]) -> str:
    """Say what colors mean: the class and the meaning of each."""
    said = "".join(f"<span><i class={color}></i>{escape(text)}</span>" for color, text in entries)
    return f"<p class=key>{said}</p>"


def _picture(kind: str, size: tuple[float, float], about: str, *drawn: str) -> str:
    shape = f"width={size[0]:.0f} height={size[1]:.0f}"
    inside = "".join(drawn)
    return f'<svg class={kind} {shape} role=img aria-label="{escape(about)}">{inside}</svg>'


def _labels(
    names: Sequence[str], x: float, first: float, step: float, bold: Sequence[bool] = ()
) -> str:
    strong = [*bold, *[False] * len(names)]
    return "".join(
        f"<text class={'b' if strong[row] else 'r'} x={_short(x)} y={_short(first + row * step)}>"
        f"{escape(name)}</text>"
        for row, name in enumerate(names)
    )


def _strokes(places: Ints) -> str:
    return "".join(f"M{column} {row}h.94" for row, column in places.tolist())


def _room(names: Iterable[str]) -> float:
    """Estimate the pixels that names take; letters of East Asia are twice as wide."""
    widths = (sum(2 if c >= "\u2e80" else 1 for c in name) for name in names)
    return _LETTER * max(widths, default=0)


def _on_scale(value: float, ends: tuple[float, float], left: float, right: float) -> str:
    low, high = ends
    share = (value - low) / (high - low) if high > low else 0.5
    return _short(left + share * (right - left))


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _ticks(ends: tuple[float, float]) -> list[float]:
    """Choose some four to eight round numbers."""
    low, high = ends
    if not high > low:
        return [low]
    size = 10.0 ** math.floor(math.log10((high - low) / 4))
    step = next(size * m for m in (1, 2, 5, 10) if (high - low) / (size * m) <= 8)
    return [n * step for n in range(math.ceil(low / step), math.floor(high / step) + 1)]
