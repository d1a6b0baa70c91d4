"""How many other systems each system beats, ties with and loses to."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pyramidion.evaluation.comparison import ComparisonResult, SystemResult
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLUE, GREY, INK, PALE, VERMILLION, style_context
from pyramidion.report.figures.pairs import PairArrays, pair_arrays
from pyramidion.report.figures.words import method_note, people_note
from pyramidion.report.labels import headed, short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["win_tie_loss_figure"]

_WIDTH = 4.6

#: What is counted: its name, the colour of its bar, and of the number in it.
_PARTS = (
    ("significantly higher", BLUE, "white"),
    ("not significantly different", PALE, INK),
    ("significantly lower", VERMILLION, "white"),
    ("p undefined", GREY, "white"),
)


def win_tie_loss_figure(result: ComparisonResult) -> "Figure":
    """Draw, for each system, how many others it beats, ties with and loses to.

    Parameters
    ----------
    result
        A comparison of all pairs, or with a baseline, which then is the only bar.

    Examples
    --------
    >>> from pyramidion.evaluation.comparison import Comparison, PairCounts
    >>> ranking = (SystemResult("7", "machine", 3, 2, 4, 9, 1, "a"),
    ...            SystemResult("8", "machine", 1, 0, 2, 9, 2, "b"))
    >>> pair = Comparison("7", "8", 9, 2.0, 3.1, 0.012, 0.012, 0.8)
    >>> one = PairCounts(1, 1, 1)
    >>> figure = win_tie_loss_figure(ComparisonResult(
    ...     "readability", "", "paired-t", 0.05, "holm", None, 0, one, one, ranking, (pair,)))
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['1', '1']
    """
    pairs = pair_arrays(result)
    counts = _counts(pairs)
    rows = list(range(len(counts))) if pairs.baseline is None else [pairs.baseline]
    with style_context():
        figure = _drawn(result, [result.systems[row] for row in rows], counts[rows])
        figure.draw_without_rendering()
    return figure


def _counts(pairs: PairArrays) -> npt.NDArray[np.int64]:
    """Count wins, ties, losses and undefined pairs; one row a system."""
    defined = pairs.compared & ~pairs.undefined
    parts = (
        pairs.outcome > 0,
        defined & (pairs.outcome == 0),
        pairs.outcome < 0,
        pairs.undefined,
    )
    return np.stack([part.sum(axis=1) for part in parts], axis=1)


def _drawn(
    result: ComparisonResult, systems: Sequence[SystemResult], counts: npt.NDArray[np.int64]
) -> "Figure":
    from matplotlib.patches import Patch

    names = short_names(system.system for system in systems)
    who = "each system" if len(systems) == len(result.systems) else names[0]
    pitch = fitting_pitch(len(names))
    size = label_size(pitch)
    left = PAD + text_width(names, size=size, bold=True) + 2 * LABEL_GAP
    height = len(names) * pitch
    page = Page(
        headed("Wins, ties and losses", result.measure, result.task),
        f"{who} against the others; {method_note(result)}{people_note(systems)}",
        plot=(_WIDTH, height),
        space=Space(left=left, right=PAD + 0.1),
        legend=[
            Patch(facecolor=colour, label=name)
            for (name, colour, _), total in zip(_PARTS, counts.sum(axis=0), strict=True)
            if total
        ],
    )
    axes = page.axes(page.left, page.bottom, _WIDTH, height)
    _draw_bars(axes, counts, size=size - 1)
    human = [system.kind == "human" for system in systems]
    label_names(axes, "y", names, pitch=pitch, human=human)
    return page.figure


def _draw_bars(axes: "Axes", counts: npt.NDArray[np.int64], *, size: float) -> None:
    rows = np.arange(len(counts))
    ends = counts.cumsum(axis=1)
    most = max(1, int(ends[:, -1].max()))
    for part, (_, colour, ink) in enumerate(_PARTS):
        widths, starts = counts[:, part], ends[:, part] - counts[:, part]
        if widths.any():
            axes.barh(rows, widths, 0.78, starts, color=colour)
            _write_numbers(axes, starts, widths, ink=ink, size=size, per_inch=most / _WIDTH)
    axes.set(xlim=(0, most), ylim=(len(counts) - 0.5, -0.5), xlabel="other systems")
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", integer=True)


def _write_numbers(
    axes: "Axes",
    starts: npt.NDArray[np.int64],
    widths: npt.NDArray[np.int64],
    *,
    ink: str,
    size: float,
    per_inch: float,
) -> None:
    """Write each number into its bar, if the bar is wide enough for it."""
    for row, (start, width) in enumerate(zip(starts.tolist(), widths.tolist(), strict=True)):
        text = str(width)
        if width and text_width([text], size=size) + 0.04 <= width / per_inch:
            middle = start + width / 2
            axes.text(middle, row, text, ha="center", va="center_baseline", size=size, color=ink)
