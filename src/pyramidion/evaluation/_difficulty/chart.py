"""How difficult inputs are: features against scores, and predictions against scores."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.evaluation._difficulty.measure import Difficulty, FeatureCorrelation
from pyramidion.evaluation._judged import place_name
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.named_rows import named_rows
from pyramidion.report.charts.style import BLUE, GREY, INK, PALE, in_style
from pyramidion.report.labels import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_PITCH, _WIDTH, _SIDE, _GAP = 0.24, 2.9, 2.9, 0.75


@in_style
def difficulty_figure(found: Difficulty) -> "Figure":
    """Draw each feature's correlation with the scores, and how well topics were predicted."""
    coefficient = found.options.coefficients[0]
    drawn = [one for one in found.correlations if one.coefficient == coefficient]
    drawn.sort(key=lambda one: (np.isnan(one.value), -abs(np.nan_to_num(one.value))))
    page, left, _, height = named_rows(
        [one.feature for one in drawn],
        f"Difficulty of inputs: {place_name(found.measure, found.task, found.collection)}",
        f"{counted(len(found.topics), 'topic')}, means over {counted(found.systems, 'system')}; "
        f"{found.options.confidence_level:.0%} intervals over draws of topics; "
        "predictions by all features, each topic from the others",
        width=_WIDTH,
        pitch=_PITCH,
        least_height=_SIDE,
        space=Space(right=PAD + 0.1, above=0.3),
        more_width=_GAP + _SIDE,
    )
    _draw_features(left, drawn)
    left.set_xlabel(f"{coefficient} correlation with {found.measure}")
    _draw_predictions(page.axes(page.left + _WIDTH + _GAP, page.bottom, _SIDE, height), found)
    return page.figure


def _draw_features(axes: "Axes", drawn: Sequence[FeatureCorrelation]) -> None:
    rows = range(len(drawn))
    axes.axvline(0, color=GREY, linewidth=0.8)
    axes.hlines(
        rows, [one.low for one in drawn], [one.high for one in drawn], color=BLUE, linewidth=1.6
    )
    axes.plot([one.value for one in drawn], rows, "o", color=BLUE, markersize=4.5)
    axes.set(xlim=(-1, 1), ylim=(len(drawn) - 0.5, -0.5), xticks=[-1, -0.5, 0, 0.5, 1])
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    for row, one in enumerate(drawn):
        if np.isnan(one.value):
            axes.text(0, row, " undefined", va="center_baseline", size=7)


def _draw_predictions(axes: "Axes", found: Difficulty) -> None:
    x = [topic.predicted for topic in found.topics]
    y = [topic.score for topic in found.topics]
    ends = [min(*x, *y), max(*x, *y)]
    axes.plot(ends, ends, color=PALE, linewidth=1.2, zorder=1)
    axes.plot(x, y, "o", color=BLUE, markersize=4.5, alpha=0.8)
    axes.set(xlabel="predicted from the other topics", ylabel=f"mean {found.measure}")
    axes.set_title(_explained(found.predictions[-1].explained), size=8, loc="left", color=INK)
    axes.grid(visible=True)
    axes.margins(0.06)


def _explained(share: float) -> str:
    if np.isnan(share):
        return ""
    return f"explains {share:.0%} of the variance" if share > 0 else "no better than the mean"
