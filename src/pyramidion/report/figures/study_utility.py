"""How many sentences were judged how useful for a summary (Table 2.7, drawn)."""

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLUE, GREY, SKY, VERMILLION, style_context

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

__all__ = ["utility_figure"]

_PLOT = (4.6, 2.8)

#: From which mark on a sentence may be in a summary, and from which on it should be.
_POSSIBLE, _NEEDED = 5, 9
_LOOKS = (
    ("below 5: not for a summary", GREY),
    ("5 to 8: possible", SKY),
    ("9 and 10: most important", VERMILLION),
)


def utility_figure(shares: npt.NDArray[np.float64], *, note: str = "") -> "Figure":
    """Draw the share of sentences that have each mark.

    Parameters
    ----------
    shares
        The share of marks 0, 1, ... 10.
    note
        What to say below the title.

    Examples
    --------
    >>> len(utility_figure(np.full(11, 1 / 11)).axes[0].patches)
    11
    """
    with style_context():
        page = Page(
            "How useful sentences are for a summary",
            note,
            plot=_PLOT,
            space=Space(left=PAD + 0.55, right=PAD + 0.1),
            legend=_legend(),
        )
        axes = page.axes(page.left, page.bottom, *_PLOT)
        marks = range(len(shares))
        bars = axes.bar(marks, 100 * shares, 0.8, color=[_colour(mark) for mark in marks])
        axes.bar_label(bars, fmt="{:.1f}", size=7, padding=2, color=BLUE)
        axes.set(xlabel="mark, 10 being the most useful", ylabel="per cent of the sentences")
        axes.set_xticks(marks)
        axes.margins(y=0.1)
        axes.grid(axis="y")
        page.figure.draw_without_rendering()
    return page.figure


def _colour(mark: int) -> str:
    return _LOOKS[(mark >= _POSSIBLE) + (mark >= _NEEDED)][1]


def _legend() -> "list[Artist]":
    from matplotlib.patches import Patch

    return [Patch(facecolor=colour, label=name) for name, colour in _LOOKS]
