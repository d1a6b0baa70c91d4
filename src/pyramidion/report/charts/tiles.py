"""Colored tiles: any matrix, and every pair of what was ranked."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.report.charts.layout import (
    LABEL_GAP,
    PAD,
    Page,
    Space,
    Style,
    fitting_pitch,
    label_names,
    label_size,
    text_width,
)
from pyramidion.report.charts.style import GRAY, INK, in_style
from pyramidion.report.labels import shown_p

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# More tiles than this are stored as pixels, also in an SVG.
_MOST_SHAPES = 20_000


def draw_tiles(axes: "Axes", values: npt.NDArray[Any], **colors: Any) -> None:
    """Draw each value as a tile at its column and row; masked values are missing."""
    rows, columns = values.shape
    many = values.size > _MOST_SHAPES
    axes.pcolormesh(
        np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5, values,
        edgecolors="none" if many else "white", linewidth=0 if many else 0.4, rasterized=many,
        **colors,
    )  # fmt: skip
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.spines[:].set_visible(False)


Codes = npt.NDArray[np.int64]

#: Pale to strong: undecided, then three levels of significance.
HIGHER = ("#e3eef6", "#93c3e2", "#2b7cb3", "#004a76")
LOWER = ("#f9eae0", "#f5bc8f", "#cc651a", "#843900")
_EQUAL, _UNDEFINED, _ABSENT = "#efefef", GRAY, "#ffffff"
#: Of pairs that are equivalent within a margin.
EQUIVALENT = "#9bd3bd"

#: What a cell's number stands for: 0 to 3 higher, 4 to 7 lower, then these.
_EQUAL_CODE, _UNDEFINED_CODE, _EQUIVALENT_CODE, _ABSENT_CODE = 8, 9, 10, 11
_COLORS = (*HIGHER, *LOWER, _EQUAL, _UNDEFINED, EQUIVALENT, _ABSENT)

_DARK_CODES = (2, 3, 6, 7, _UNDEFINED_CODE)

_MOST_WITH_NUMBERS, _ROOM_FOR_NUMBERS = 12, 0.44
_KEY_SPACE, _KEY_CELL = 0.7, (0.9, 0.17)


def write_cells(
    axes: "Axes", texts: Mapping[tuple[int, ...], str], dark: Bools, *, size: float
) -> None:
    """Write texts into tiles, given by row and column: white where a tile is dark."""
    for (row, column), text in texts.items():
        ink = "white" if dark[row, column] else INK
        axes.text(column, row, text, ha="center", va="center_baseline", size=size, color=ink)


@dataclass(frozen=True, slots=True)
class PairArrays:
    """Every pair twice: row against column, and column against row.

    Pairs that are equivalent within a margin are not significant, whatever their p-values.
    """

    compared: Bools
    p: Floats
    direction: npt.NDArray[np.int8]
    significant: Bools
    equivalent: Bools

    @property
    def undefined(self) -> Bools:
        """Where a pair was compared without a p-value."""
        return self.compared & np.isnan(self.p)

    @property
    def baseline(self) -> int | None:
        """The position of the one system all others were compared with, if there is one."""
        partners = self.compared.sum(axis=1)
        hub = int(partners.argmax())
        others = np.delete(partners, hub)
        alone = len(others) > 1 and partners[hub] == len(others) and (others == 1).all()
        return hub if alone else None

    @property
    def outcome(self) -> npt.NDArray[np.int8]:
        """1 where the row is significantly better, -1 where it is worse, 0 elsewhere."""
        return np.where(self.significant, self.direction, 0).astype(np.int8)


def square_pairs(
    names: Sequence[str],
    pairs: Iterable[Any],
    *,
    alpha: float,
    ahead: Callable[[Any], float] = attrgetter("difference"),
) -> PairArrays:
    """Lay out pairs of anything that was ranked; `ahead` is above 0 if the first one is better.

    A pair has the names `a` and `b`, the `difference` of a and b, a p-value `p_adjusted`, and
    perhaps a `verdict`.
    """
    place = {name: number for number, name in enumerate(names)}
    shape = (len(place), len(place))
    compared, significant, equivalent = np.zeros((3, *shape), np.bool_)
    p, direction = np.full(shape, np.nan), np.zeros(shape, np.int8)
    for pair in pairs:
        a, b = place[pair.a], place[pair.b]
        compared[a, b] = compared[b, a] = True
        p[a, b] = p[b, a] = pair.p_adjusted
        equal = getattr(pair, "verdict", "") == "equivalent"
        equivalent[a, b] = equivalent[b, a] = equal
        significant[a, b] = significant[b, a] = pair.p_adjusted <= alpha and not equal
        direction[a, b] = np.sign(np.nan_to_num(ahead(pair)))
        direction[b, a] = -direction[a, b]
    return PairArrays(compared, p, direction, significant, equivalent)


def cluster_ends(significant: Bools) -> list[int]:
    """Find where the ranking falls apart: all above a line differ from all below it."""
    return [end for end in range(1, len(significant)) if significant[:end, end:].all()]


@in_style
def pairs_figure(
    pairs: PairArrays,
    names: Sequence[str],
    *,
    alpha: float,
    title: str,
    note: str,
    human: Sequence[bool] = (),
    equal: str = "equal means",
) -> "Figure":
    """Draw the adjusted p-value of every pair of anything that was ranked.

    Blue means that the row is the better one, orange that the column is. The shade gets stronger
    with alpha, a fifth and a fiftieth of it; undecided pairs are pale.
    With at most twelve rows the p-values are written into the cells.
    """
    codes = pair_codes(pairs, alpha)
    # If there is a baseline, it is the only column.
    across = list(range(len(names))) if pairs.baseline is None else [pairs.baseline]
    wide = high = fitting_pitch(len(names))
    if len(across) < len(names):
        wide = 1.5 * _ROOM_FOR_NUMBERS
    elif len(names) <= _MOST_WITH_NUMBERS:
        wide = high = _ROOM_FOR_NUMBERS
    below, people = [names[c] for c in across], list(human) or [False] * len(names)
    width = text_width(below, size=label_size(wide), bold=True)
    turned = width > wide - 0.05
    longest, gaps = text_width(names, size=label_size(high), bold=True), 2 * LABEL_GAP
    space = Space(left=PAD + longest + gaps, below=(width if turned else 0.15) + gaps + _KEY_SPACE)
    plot = (len(across) * wide, len(names) * high)
    page = Page(title, note, plot=plot, space=space, legend=_legend(codes, equal))
    axes = page.axes(page.left, page.bottom, *plot)
    drawn = codes[:, across]
    draw_tiles(axes, drawn, **_coloring())
    label_names(axes, "y", names, pitch=high, human=people)
    bold = [people[c] for c in across]
    label_names(axes, "x", below, pitch=wide, human=bold, turned=turned)
    if wide >= _ROOM_FOR_NUMBERS:
        every = np.ndenumerate(pairs.p[:, across])
        texts = {place: shown_p(p) for place, p in every if drawn[place] != _ABSENT_CODE}
        write_cells(axes, texts, np.isin(drawn, _DARK_CODES), size=7)
    _add_key(page, alpha, bottom=page.bottom - space.below)
    return page.figure


def pair_codes(pairs: PairArrays, alpha: float) -> Codes:
    """Return the code of each pair: 0 to 3 higher, 4 to 7 lower, 8 equal and so on."""
    p = np.nan_to_num(pairs.p, nan=1.0)
    level = sum((p <= alpha / part).astype(np.int64) for part in (1, 5, 50))
    codes = np.where(pairs.direction > 0, level, level + len(HIGHER))
    codes[pairs.direction == 0] = _EQUAL_CODE
    codes[pairs.undefined] = _UNDEFINED_CODE
    codes[pairs.equivalent] = _EQUIVALENT_CODE
    codes[~pairs.compared] = _ABSENT_CODE
    return codes


def _coloring() -> dict[str, Any]:
    from matplotlib.colors import ListedColormap

    return {"cmap": ListedColormap(_COLORS), "vmin": -0.5, "vmax": len(_COLORS) - 0.5}


def _add_key(page: Page, alpha: float, *, bottom: float) -> None:
    """Explain the shades: two rows for the direction, columns for the level."""
    rows = ("row is better", "row is worse")
    left = PAD + text_width(rows, size=7) + LABEL_GAP
    axes = page.axes(left, bottom + 0.05, _KEY_CELL[0] * 4, _KEY_CELL[1] * 2)
    strongest_first = np.array([[3, 2, 1, 0], [7, 6, 5, 4]])
    draw_tiles(axes, strongest_first, **_coloring())
    levels = [f"p ≤ {alpha / part:.3g}" for part in (50, 5, 1)]
    axes.set_xticks(range(4), [*levels, "undecided"])
    axes.set_yticks(range(2), rows)
    axes.tick_params(labelsize=7, length=0, labelbottom=False, labeltop=True, pad=3)


def _legend(codes: Codes, equal: str) -> list[Style]:
    labels = {_EQUAL_CODE: equal, _UNDEFINED_CODE: "p undefined", _EQUIVALENT_CODE: "equivalent"}
    return [
        {"facecolor": _COLORS[code], "label": label}
        for code, label in labels.items()
        if (codes == code).any()
    ]
