"""How difficult inputs are: features against scores, and predictions against scores."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.evaluation._difficulty.result import Difficulty, FeatureCorrelation
from pyramidion.evaluation._judged import place_name
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, text_width
from pyramidion.report.charts.style import BLUE, GREY, INK, PALE, style_context
from pyramidion.report.labels import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["difficulty_figure"]

_PITCH, _WIDTH, _SIDE, _GAP = 0.24, 2.9, 2.9, 0.75


def difficulty_figure(found: Difficulty) -> "Figure":
    """Draw each feature's correlation with the scores, and how well topics were predicted.

    Parameters
    ----------
    found
        The difficulty of one task's inputs by one measure.

    Examples
    --------
    >>> from pyramidion.collection import ScoreMatrix
    >>> from pyramidion.evaluation._difficulty.measure import difficulty
    >>> words = {f"T{i}": {"words": 100.0 * i, "entropy": float(i % 3)} for i in range(8)}
    >>> matrix = ScoreMatrix([[5 - i / 2, 4.5 - i / 2] for i in range(8)], list(words), ["x", "y"],
    ...                      measure="responsiveness")
    >>> figure = difficulty_figure(difficulty(matrix, words))
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['pearson correlation with responsiveness', 'predicted from the other topics']
    """
    with style_context():
        figure = _drawn(found)
        figure.draw_without_rendering()
    return figure


def _drawn(found: Difficulty) -> "Figure":
    coefficient = found.options.coefficients[0]
    shown = [one for one in found.correlations if one.coefficient == coefficient]
    shown.sort(key=lambda one: (np.isnan(one.value), -abs(np.nan_to_num(one.value))))
    names = [one.feature for one in shown]
    height, size = max(_SIDE, len(names) * _PITCH), label_size(_PITCH)
    page = Page(
        f"Difficulty of inputs: {place_name(found.measure, found.task, found.collection)}",
        f"{counted(len(found.topics), 'topic')}, means over {counted(found.systems, 'system')}; "
        f"{found.options.confidence_level:.0%} intervals over draws of topics; "
        "predictions by all features, each topic from the others",
        plot=(_WIDTH + _GAP + _SIDE, height),
        space=Space(
            left=PAD + text_width(names, size=size) + 2 * LABEL_GAP, right=PAD + 0.1, above=0.3
        ),
    )
    left = page.axes(page.left, page.bottom, _WIDTH, height)
    _draw_features(left, shown)
    label_names(left, "y", names, pitch=_PITCH)
    left.set_xlabel(f"{coefficient} correlation with {found.measure}")
    _draw_predictions(page.axes(page.left + _WIDTH + _GAP, page.bottom, _SIDE, height), found)
    return page.figure


def _draw_features(axes: "Axes", shown: Sequence[FeatureCorrelation]) -> None:
    rows = range(len(shown))
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.hlines(
        rows, [one.low for one in shown], [one.high for one in shown], color=BLUE, linewidth=1.6
    )
    axes.plot([one.value for one in shown], rows, "o", color=BLUE, markersize=4.5)
    axes.set(xlim=(-1, 1), ylim=(len(shown) - 0.5, -0.5), xticks=[-1, -0.5, 0, 0.5, 1])
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    for row, one in enumerate(shown):
        if np.isnan(one.value):
            axes.text(0, row, " undefined", va="center_baseline", size=7)


def _draw_predictions(axes: "Axes", found: Difficulty) -> None:
    x = [topic.predicted for topic in found.topics]
    y = [topic.score for topic in found.topics]
    ends = [min(*x, *y), max(*x, *y)]
    axes.plot(ends, ends, color=PALE, linewidth=1.2, zorder=1)
    axes.plot(x, y, "o", color=BLUE, markersize=4.5, alpha=0.8)
    everything = found.predictions[-1]
    axes.set(xlabel="predicted from the other topics", ylabel=f"mean {found.measure}")
    axes.set_title(_explained(everything.explained), size=8, loc="left", color=INK)
    axes.grid(visible=True)
    axes.margins(0.06)


def _explained(share: float) -> str:
    if np.isnan(share):
        return ""
    return f"explains {share:.0%} of the variance" if share > 0 else "no better than the mean"
