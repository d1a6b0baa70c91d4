"""Every pair of systems, or of metrics, as a colour: which is higher, and how surely."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pyramidion.evaluation.comparison import ComparisonResult
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import GREY, INK, style_context
from pyramidion.report.charts.tiles import draw_tiles
from pyramidion.report.figures.pairs import PairArrays, pair_arrays
from pyramidion.report.figures.words import method_note, people_note
from pyramidion.report.labels import counted, headed, short_names, shown_p

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["HIGHER", "LOWER", "pairs_figure", "significance_figure"]

Codes = npt.NDArray[np.int64]

#: Pale to strong: not significant, then three levels of significance.
HIGHER = ("#e3eef6", "#93c3e2", "#2b7cb3", "#004a76")
LOWER = ("#f9eae0", "#f5bc8f", "#cc651a", "#843900")
_EQUAL, _UNDEFINED, _ABSENT = "#efefef", GREY, "#ffffff"

#: What a cell's number stands for: 0 to 3 higher, 4 to 7 lower, then these.
_EQUAL_CODE, _UNDEFINED_CODE, _ABSENT_CODE = 8, 9, 10
_COLOURS = (*HIGHER, *LOWER, _EQUAL, _UNDEFINED, _ABSENT)

_DARK_CODES = (2, 3, 6, 7, _UNDEFINED_CODE)

_MOST_WITH_NUMBERS, _ROOM_FOR_NUMBERS = 12, 0.44
_KEY_SPACE, _KEY_CELL = 0.7, (0.9, 0.17)


def significance_figure(result: ComparisonResult) -> "Figure":
    """Draw the adjusted p-value of every pair, in the order of the ranking.

    Blue means that the row's system is the higher one, orange that the column's is, on the
    topics both have: with missing scores that can be another order than that of the means. The
    shade gets stronger with alpha, a fifth and a fiftieth of it; pairs that are not
    significantly different are pale. With at most twelve systems the p-values are written into
    the cells.

    Parameters
    ----------
    result
        A comparison of all pairs, or with a baseline, which then is the only column.

    Examples
    --------
    >>> from pyramidion.evaluation.comparison import Comparison, PairCounts, SystemResult
    >>> ranking = (SystemResult("7", "machine", 3, 2, 4, 9, 1, "a"),
    ...            SystemResult("8", "machine", 1, 0, 2, 9, 2, "b"))
    >>> pair = Comparison("7", "8", 9, 2.0, 3.1, 0.012, 0.012, 0.8)
    >>> one = PairCounts(1, 1, 1)
    >>> figure = significance_figure(ComparisonResult(
    ...     "readability", "", "paired-t", 0.05, "holm", None, 0, one, one, ranking, (pair,)))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['.012', '.012']
    """
    pairs = pair_arrays(result)
    names = short_names(system.system for system in result.systems)
    against = "between systems" if pairs.baseline is None else f"from {names[pairs.baseline]}"
    return pairs_figure(
        pairs,
        names,
        alpha=result.alpha,
        title=headed(f"Differences {against}", result.measure, result.task),
        note=_note(result),
        human=[system.kind == "human" for system in result.systems],
    )


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

    Parameters
    ----------
    pairs
        The pairs, in the order of the ranking.
    names
        What was ranked.
    alpha
        The level of significance.
    title, note
        What stands above.
    human
        For each name, whether it is a person's.
    equal
        What to call pairs without a difference.

    Examples
    --------
    >>> no, p = np.eye(2) > 1, np.array([[np.nan, 0.2], [0.2, np.nan]])
    >>> pairs = PairArrays(np.eye(2) < 1, p, np.array([[0, 1], [-1, 0]], np.int8), no)
    >>> figure = pairs_figure(pairs, ["x", "y"], alpha=0.05, title="Pairs", note="")
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['.200', '.200']
    """
    codes = _codes(pairs, alpha)
    people = human or [False] * len(names)
    with style_context():
        page, space, cell = _page(pairs, names, title, note, _legend(codes, equal))
        across = _columns(pairs)
        axes = page.axes(page.left, page.bottom, len(across) * cell[0], len(names) * cell[1])
        draw_tiles(axes, codes[:, across], **_colouring())
        label_names(axes, "y", names, pitch=cell[1], human=people)
        own, turned = [names[c] for c in across], _are_turned(names, across, cell[0])
        kinds = [people[c] for c in across]
        label_names(axes, "x", own, pitch=cell[0], human=kinds, turned=turned)
        if cell[0] >= _ROOM_FOR_NUMBERS:
            _write_p_values(axes, pairs.p[:, across], codes[:, across])
        _add_key(page, alpha, bottom=page.bottom - space.below)
        page.figure.draw_without_rendering()
    return page.figure


def _codes(pairs: PairArrays, alpha: float) -> Codes:
    p = np.nan_to_num(pairs.p, nan=1.0)
    level = sum((p <= alpha / part).astype(np.int64) for part in (1, 5, 50))
    codes = np.where(pairs.direction > 0, level, level + len(HIGHER))
    codes[pairs.direction == 0] = _EQUAL_CODE
    codes[pairs.undefined] = _UNDEFINED_CODE
    codes[~pairs.compared] = _ABSENT_CODE
    return codes


def _page(
    pairs: PairArrays, names: Sequence[str], title: str, note: str, legend: "list[Artist]"
) -> tuple[Page, Space, tuple[float, float]]:
    """Make room for the tiles and their names; give the page, the space and a tile's size."""
    across = _columns(pairs)
    cell = _cell(len(names), len(across))
    longest = text_width(names, size=label_size(cell[1]), bold=True)
    turned = _are_turned(names, across, cell[0])
    space = Space(
        left=PAD + longest + 2 * LABEL_GAP,
        below=(_width_below(names, across, cell[0]) if turned else 0.15)
        + 2 * LABEL_GAP
        + _KEY_SPACE,
    )
    plot = (len(across) * cell[0], len(names) * cell[1])
    return Page(title, note, plot=plot, space=space, legend=legend), space, cell


def _width_below(names: Sequence[str], across: Sequence[int], pitch: float) -> float:
    return text_width((names[c] for c in across), size=label_size(pitch), bold=True)


def _are_turned(names: Sequence[str], across: Sequence[int], pitch: float) -> bool:
    """Tell whether names below the tiles must stand upright."""
    return _width_below(names, across, pitch) > pitch - 0.05


def _columns(pairs: PairArrays) -> list[int]:
    """Choose the columns: the baseline alone if there is one, else all systems."""
    return list(range(len(pairs.p))) if pairs.baseline is None else [pairs.baseline]


def _cell(rows: int, columns: int) -> tuple[float, float]:
    """Choose a tile's width and height: square, with room for a p-value if there are few."""
    if columns < rows:
        return 1.5 * _ROOM_FOR_NUMBERS, fitting_pitch(rows)
    side = _ROOM_FOR_NUMBERS if rows <= _MOST_WITH_NUMBERS else fitting_pitch(rows)
    return side, side


def _colouring() -> dict[str, Any]:
    from matplotlib.colors import ListedColormap

    return {"cmap": ListedColormap(_COLOURS), "vmin": -0.5, "vmax": len(_COLOURS) - 0.5}


def _note(result: ComparisonResult) -> str:
    counts = result.counts
    found = f"{counts.significant:,} of {counted(counts.pairs, 'pair')} significantly different"
    return f"{found}; {method_note(result)}{people_note(result.systems)}"


def _write_p_values(axes: "Axes", p: npt.NDArray[np.float64], codes: Codes) -> None:
    for row, column in np.argwhere(codes != _ABSENT_CODE).tolist():
        axes.text(
            column,
            row,
            shown_p(p[row, column]),
            ha="center",
            va="center_baseline",
            size=7,
            color="white" if codes[row, column] in _DARK_CODES else INK,
        )


def _add_key(page: Page, alpha: float, *, bottom: float) -> None:
    """Explain the shades: two rows for the direction, columns for the level."""
    rows = ("row is higher", "row is lower")
    left = PAD + text_width(rows, size=7) + LABEL_GAP
    axes = page.axes(left, bottom + 0.05, _KEY_CELL[0] * 4, _KEY_CELL[1] * 2)
    strongest_first = np.array([[3, 2, 1, 0], [7, 6, 5, 4]])
    draw_tiles(axes, strongest_first, **_colouring())
    levels = [f"p ≤ {alpha / part:.3g}" for part in (50, 5, 1)]
    axes.set_xticks(range(4), [*levels, "not significant"])
    axes.set_yticks(range(2), rows)
    axes.tick_params(labelsize=7, length=0, labelbottom=False, labeltop=True, pad=3)


def _legend(codes: Codes, equal: str) -> "list[Artist]":
    from matplotlib.patches import Patch

    labels = {_EQUAL_CODE: equal, _UNDEFINED_CODE: "p undefined"}
    return [
        Patch(facecolor=_COLOURS[code], label=label)
        for code, label in labels.items()
        if (codes == code).any()
    ]
