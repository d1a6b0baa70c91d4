"""Colored tiles: matrices, and all pairs of a ranking."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.rendering.charts.layout import LABEL_GAP, label_size, row_pitch, text_width
from pyramidion.rendering.charts.picture import (
    MAX_TILES,
    KeyEntry,
    Mark,
    Picture,
    Text,
    Tiles,
    column_names,
    row_names,
)
from pyramidion.rendering.labels import format_p

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_tiles(axes: "Axes", values: npt.NDArray[Any], **colors: Any) -> None:
    """Draw each value as a tile at its column and row; masked values are missing."""
    rows, columns = values.shape
    is_large = values.size > MAX_TILES
    axes.pcolormesh(
        np.arange(columns + 1) - 0.5, np.arange(rows + 1) - 0.5, values,
        edgecolors="none" if is_large else "white", linewidth=0 if is_large else 0.4,
        rasterized=is_large, **colors,
    )  # fmt: skip
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.spines[:].set_visible(False)


#: Colors of pairs by code: the row is higher or lower, each pale if undecided and stronger with
#: three levels of significance; then equal, without a p-value, equivalent.
PAIR_COLORS = ("h0", "h1", "h2", "h3", "l0", "l1", "l2", "l3", "u", "q", "e")
_EQUAL_CODE, _UNDEFINED_CODE, _EQUIVALENT_CODE, _ABSENT_CODE = 8, 9, 10, -1
_STRONG_COLORS = ("h2", "h3", "l2", "l3", "q")

#: Significance levels: alpha divided by these numbers.
_P_LEVELS = (1, 5, 50)

_MAX_NUMBERED_TILES, _MIN_NUMBERED_PITCH, _NUMBER_SIZE = 14, 0.44, 7


@dataclass(frozen=True, slots=True)
class PairArrays:
    """Every pair twice: row against column, and column against row.

    Pairs that are equivalent within a margin are not significant, regardless of their p-values.
    """

    compared: Bools
    p: Floats
    direction: npt.NDArray[np.int8]
    significant: Bools
    equivalent: Bools

    @property
    def undefined(self) -> Bools:
        """The pairs that were compared without a p-value."""
        return self.compared & np.isnan(self.p)

    @property
    def baseline(self) -> int | None:
        """The position of the baseline that all others were compared with, if there is one."""
        partner_counts = self.compared.sum(axis=1)
        candidate = int(partner_counts.argmax())
        other_counts = np.delete(partner_counts, candidate)
        is_hub = (
            len(other_counts) > 1
            and partner_counts[candidate] == len(other_counts)
            and (other_counts == 1).all()
        )
        return candidate if is_hub else None

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
    """Arrange the pairs of a ranking in a square; `ahead` is positive if the first is better.

    A pair has the names `a` and `b`, their `difference`, a p-value `p_adjusted`, and possibly a
    `verdict`.
    """
    row_of = {name: number for number, name in enumerate(names)}
    shape = (len(row_of), len(row_of))
    is_compared, is_significant, equivalent = np.zeros((3, *shape), np.bool_)
    p, direction = np.full(shape, np.nan), np.zeros(shape, np.int8)
    for pair in pairs:
        first, second = row_of[pair.a], row_of[pair.b]
        is_compared[first, second] = is_compared[second, first] = True
        p[first, second] = p[second, first] = pair.p_adjusted
        is_equivalent = getattr(pair, "verdict", "") == "equivalent"
        equivalent[first, second] = equivalent[second, first] = is_equivalent
        is_significant[first, second] = is_significant[second, first] = (
            pair.p_adjusted <= alpha and not is_equivalent
        )
        direction[first, second] = np.sign(np.nan_to_num(ahead(pair)))
        direction[second, first] = -direction[first, second]
    return PairArrays(is_compared, p, direction, is_significant, equivalent)


def cluster_ends(is_significant: Bools) -> list[int]:
    """Find where the ranking splits: everything above such a line differs from everything below."""
    return [end for end in range(1, len(is_significant)) if is_significant[:end, end:].all()]


def tile_marks(
    tiles: Tiles,
    columns: Sequence[str],
    texts: Mapping[tuple[int, int], str],
    inks: Mapping[str, str],
    *,
    size: float,
    is_rotated: bool,
    bold: Sequence[bool] = (),
) -> Iterator[Mark]:
    """Draw tiles below their column names, with texts in a contrasting color."""
    tile_width, tile_height = tiles.cell
    yield tiles
    for (row, column), text in texts.items():
        x, y = tiles.x + (column + 0.5) * tile_width, tiles.y + (row + 0.5) * tile_height
        ink = inks.get(tiles.colors[tiles.codes[row, column]], "ink")
        yield Text(x, y, text, size, ink, "middle")
    yield from column_names(columns, tiles.x, tiles.y, tile_width, is_rotated=is_rotated, bold=bold)


def name_space(names: Iterable[str], pitch: float, *, bold: bool = False) -> tuple[float, bool]:
    """Return the height of the column names, and whether they must be rotated."""
    max_width = text_width(names, size=label_size(pitch), bold=bold)
    is_rotated = max_width > pitch - 0.05
    return (max_width if is_rotated else 0.13) + 2 * LABEL_GAP, is_rotated


def pairs_picture(
    pairs: PairArrays,
    names: Sequence[str],
    *,
    alpha: float,
    title: str,
    note: str,
    human: Sequence[bool] = (),
    equal_label: str = "equal means",
    equivalent: str = "equivalent",
) -> Picture:
    """Draw the adjusted p-value of every pair of a ranking.

    Blue means that the row is better, orange that the column is. The shade gets stronger at alpha,
    a fifth and a fiftieth of it; undecided pairs are pale. With few columns, the tiles show the
    p-values.
    """
    # If all others were compared with a baseline only, it is the only column.
    column_indices = list(range(len(names))) if pairs.baseline is None else [pairs.baseline]
    codes = pair_codes(pairs, alpha)[:, column_indices]
    tile_width = tile_height = row_pitch(len(names))
    texts = {}
    if len(column_indices) <= _MAX_NUMBERED_TILES:
        tile_width = _MIN_NUMBERED_PITCH * (1 if len(column_indices) == len(names) else 1.5)
        cells = np.ndenumerate(pairs.p[:, column_indices])
        texts = {
            (row, column): format_p(p)
            for (row, column), p in cells
            if codes[row, column] != _ABSENT_CODE
        }
    columns = [names[column] for column in column_indices]
    name_height, is_rotated = name_space(columns, tile_width, bold=any(human))
    left = text_width(names, size=label_size(tile_height), bold=any(human)) + 2 * LABEL_GAP
    marks = [
        *tile_marks(
            Tiles(left, name_height, (tile_width, tile_height), codes, PAIR_COLORS), columns, texts,
            dict.fromkeys(_STRONG_COLORS, "on"), size=_NUMBER_SIZE, is_rotated=is_rotated,
            bold=[human[column] for column in column_indices] if human else (),
        ),
        *row_names(names, left - LABEL_GAP, name_height, tile_height, human),
    ]  # fmt: skip
    size = left + len(column_indices) * tile_width, name_height + len(names) * tile_height
    return Picture(title, note, marks, size, _pairs_key(codes, alpha, equal_label, equivalent))


def pair_codes(pairs: PairArrays, alpha: float) -> Ints:
    """Return the code of each pair: the index of its color, or -1 if it was not compared."""
    p = np.nan_to_num(pairs.p, nan=1.0)
    level = sum((p <= alpha / divisor).astype(np.int64) for divisor in _P_LEVELS)
    codes = np.where(pairs.direction > 0, level, level + len(_P_LEVELS) + 1)
    codes[pairs.direction == 0] = _EQUAL_CODE
    codes[pairs.undefined] = _UNDEFINED_CODE
    codes[pairs.equivalent] = _EQUIVALENT_CODE
    codes[~pairs.compared] = _ABSENT_CODE
    return codes


def _pairs_key(codes: Ints, alpha: float, equal_label: str, equivalent: str) -> list[KeyEntry]:
    levels = ("undecided", *(f"p ≤ {alpha / divisor:.3g}" for divisor in _P_LEVELS))
    labels = {
        _EQUAL_CODE: equal_label,
        _UNDEFINED_CODE: "p undefined",
        _EQUIVALENT_CODE: equivalent,
    }
    return [
        *(KeyEntry(f"better, {levels[code]}", PAIR_COLORS[code]) for code in (3, 2, 1, 0)),
        *(KeyEntry(f"worse, {levels[code]}", PAIR_COLORS[code + 4]) for code in (3, 2, 1, 0)),
        *(
            KeyEntry(text, PAIR_COLORS[code])
            for code, text in labels.items()
            if (codes == code).any()
        ),
    ]
