"""The scores as a colour plot: topics down, systems across, people apart."""

import math
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Literal

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.collection.ids import natural_order
from pyramidion.collection.matrix import ScoreMatrix
from pyramidion.errors import InputError
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLACK, in_style
from pyramidion.report.charts.tiles import draw_tiles
from pyramidion.report.labels import counted, headed, short_name, short_names
from pyramidion.stats._inputs import choice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure

RowOrder = Literal["difficulty", "id"]
ColumnOrder = Literal["mean", "id"]

_GAP, _BAR_SPACE, _HEADING_SIZE = 0.18, 0.55, 8
_ROOM_FOR_COLUMNS, _WIDEST_COLUMN, _ROOM_FOR_VALUES = 4.2, 0.9, 0.3

# How bright the eye finds red, green and blue.
_BRIGHTNESS = np.array([0.299, 0.587, 0.114])


@in_style
def score_matrix_figure(
    matrix: ScoreMatrix,
    *,
    rows: RowOrder = "difficulty",
    columns: ColumnOrder = "mean",
    limits: tuple[float, float] | None = None,
) -> "Figure":
    """Draw the scores as colours, people to the right of a gap, missing scores black.

    By difficulty the topic with the highest mean comes first (of the machines' scores, where
    there are machines, since every person may have written for other topics). The limits are the
    values at the two ends of the colours, such as a scale's.
    """
    choice(rows, "rows", RowOrder)
    choice(columns, "columns", ColumnOrder)
    low, high = _limits(matrix, limits)
    matrix = matrix.take(topics=_ordered_topics(matrix, rows))
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    colours = ScalarMappable(Normalize(low, high), _colour_map())
    return _drawn(matrix, _blocks(matrix, columns), colours, _note(matrix, rows, columns))


def _limits(matrix: ScoreMatrix, limits: tuple[float, float] | None) -> tuple[float, float]:
    present = matrix.values[~np.isnan(matrix.values)]
    if not present.size:
        raise InputError("there is no score to draw", hint="give at least one score")
    if limits is None:
        low, high = float(present.min()), float(present.max())
        return (low, high) if low < high else (low - 0.5, high + 0.5)
    if not -np.inf < limits[0] < limits[1] < np.inf:
        raise InputError(f"`limits` is {limits}", hint="give the lower value first")
    return limits


def _row_means(values: Floats) -> Floats:
    present = ~np.isnan(values)
    total, count = np.where(present, values, 0).sum(axis=1), present.sum(axis=1)
    means = np.full(len(values), -np.inf)
    np.divide(total, count, out=means, where=count > 0)
    return means


def _ordered_topics(matrix: ScoreMatrix, order: RowOrder) -> list[str]:
    topics = sorted(matrix.topics, key=natural_order)
    if order == "id":
        return topics
    judged = matrix.values if matrix.human.all() else matrix.values[:, ~matrix.human]
    mean = dict(zip(matrix.topics, _row_means(judged), strict=True))
    return sorted(topics, key=lambda topic: -mean[topic])


def _ordered_systems(matrix: ScoreMatrix, mask: Bools, order: ColumnOrder) -> ScoreMatrix:
    names = [name for name, wanted in zip(matrix.systems, mask, strict=True) if wanted]
    names.sort(key=natural_order)
    if order == "mean":
        mean = dict(zip(matrix.systems, np.nan_to_num(matrix.means(), nan=-np.inf), strict=True))
        names.sort(key=lambda name: -mean[name])
    return matrix.take(systems=names)


def _note(matrix: ScoreMatrix, rows: RowOrder, columns: ColumnOrder) -> str:
    size = f"{counted(len(matrix.topics), 'topic')}, {counted(len(matrix.systems), 'system')}"
    missing = counted(matrix.missing, "missing score") if matrix.missing else "no score missing"
    down = "easiest topic first" if rows == "difficulty" else "topics by name"
    across = "highest mean first" if columns == "mean" else "systems by name"
    order = f"; {down}, {across}" if min(matrix.values.shape) > 1 else ""
    return f"{size}, {missing}{order}"


def _colour_map() -> "Colormap":
    import matplotlib
    from matplotlib.colors import LinearSegmentedColormap

    # The darkest fifth is left out: a low score must not look like a missing one.
    shades = matplotlib.colormaps["viridis"](np.linspace(0.2, 1, 256))
    return LinearSegmentedColormap.from_list("scores", shades).with_extremes(bad=BLACK)


@dataclass(frozen=True, slots=True)
class _Block:
    """The machines or the people: what stands above them, their scores, and how wide they are."""

    kind: str
    scores: ScoreMatrix
    names: list[str]
    column: float

    @property
    def width(self) -> float:
        return len(self.names) * self.column

    @property
    def overhang(self) -> float:
        """By how much the heading is wider than the columns below it."""
        return text_width([self.kind], size=_HEADING_SIZE) - self.width


def _blocks(matrix: ScoreMatrix, order: ColumnOrder) -> list[_Block]:
    column = _column_pitch(len(matrix.systems))
    kinds = (("machines", ~matrix.human), ("people", matrix.human))
    parts = [(kind, _ordered_systems(matrix, mask, order)) for kind, mask in kinds if mask.any()]
    return [_Block(kind, part, short_names(part.systems), column) for kind, part in parts]


def _column_pitch(count: int) -> float:
    dense = fitting_pitch(count)
    return max(dense, min(_WIDEST_COLUMN, _ROOM_FOR_COLUMNS / count))


def _drawn(
    matrix: ScoreMatrix, blocks: list[_Block], colours: "ScalarMappable", note: str
) -> "Figure":
    topics, row = short_names(matrix.topics), fitting_pitch(len(matrix.topics))
    column = blocks[0].column
    longest = text_width(chain(*(b.names for b in blocks)), size=label_size(column))
    turned = longest > column - 0.05
    gap = max(_GAP, blocks[0].overhang + 0.12)
    width = sum(block.width for block in blocks) + gap * (len(blocks) - 1)
    space = Space(
        left=PAD + text_width(topics, size=label_size(row)) + 2 * LABEL_GAP,
        right=PAD + max(0.0, blocks[-1].overhang),
        above=0.3,
        below=(longest if turned else 0.13) + 2 * LABEL_GAP + _BAR_SPACE,
    )
    height = len(topics) * row
    title = headed("Scores", matrix.measure, matrix.task)
    page = Page(title, note, plot=(width, height), space=space)
    left = page.left
    for block in blocks:
        page.write(block.kind, (left, page.bottom + height + 0.06), size=_HEADING_SIZE)
        axes = page.axes(left, page.bottom, block.width, height)
        _colour_cells(axes, block.scores.values, colours, cell=(column, row))
        label_names(axes, "x", block.names, pitch=column, turned=turned)
        label_names(axes, "y", topics if block is blocks[0] else [], pitch=row)
        left += block.width + gap
    _add_colour_bar(page, colours, matrix)
    return page.figure


def _colour_cells(
    axes: "Axes", scores: Floats, colours: "ScalarMappable", *, cell: tuple[float, float]
) -> None:
    draw_tiles(axes, np.ma.masked_invalid(scores), cmap=colours.cmap, norm=colours.norm)
    if cell[0] >= _ROOM_FOR_VALUES:
        _write_values(axes, scores, colours, cell=cell)


def _write_values(
    axes: "Axes", scores: Floats, colours: "ScalarMappable", *, cell: tuple[float, float]
) -> None:
    """Write the scores into their cells, if all of them fit."""
    present = np.argwhere(~np.isnan(scores)).tolist()
    digits = _digits(scores)
    texts = {(row, column): f"{scores[row, column]:.{digits}f}" for row, column in present}
    size = label_size(cell[1]) - 1
    if text_width(texts.values(), size=size) > cell[0] - 0.08:
        return
    shades = colours.to_rgba(scores)
    for (row, column), text in texts.items():
        light = shades[row, column, :3] @ _BRIGHTNESS > 0.5
        colour = BLACK if light else "white"
        axes.text(column, row, text, ha="center", va="center", size=size, color=colour)


def _digits(scores: Floats) -> int:
    """Choose decimals that show three digits of the greatest score, none for whole numbers."""
    present = np.abs(scores[~np.isnan(scores)])
    if not present.size or np.equal(np.mod(present, 1), 0).all():
        return 0
    return max(0, 2 - math.floor(math.log10(present.max())))


def _add_colour_bar(page: Page, colours: "ScalarMappable", matrix: ScoreMatrix) -> None:
    left, bottom, length, thickness = PAD + 0.14, PAD + 0.2, 2.0, 0.11
    axes = page.axes(left, bottom, length, thickness)
    bar = page.figure.colorbar(colours, cax=axes, orientation="horizontal")
    bar.outline.set_visible(False)
    axes.tick_params(labelsize=7, length=2)
    axes.locator_params(nbins=4)
    page.write(short_name(matrix.measure) or "score", (left, bottom + thickness + 0.06))
    if matrix.missing:
        square = page.axes(left + length + 0.4, bottom, thickness, thickness)
        square.set(xticks=[], yticks=[], facecolor=BLACK)
        square.spines[:].set_visible(False)
        page.write("no score", (left + length + 0.4 + thickness + 0.06, bottom + 0.01))
