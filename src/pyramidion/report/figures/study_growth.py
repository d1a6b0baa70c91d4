"""How the vocabulary grows with each text (Figure 2.1)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion.evaluation.study import FrequencyClasses
from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLUE, VERMILLION, style_context
from pyramidion.report.labels import counted, short_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure

__all__ = ["growth_figure"]

_PLOT = (4.6, 3.4)
_LOOKS: tuple[dict[str, Any], ...] = (
    {"color": VERMILLION, "linestyle": "-", "marker": "o"},
    {"color": BLUE, "linestyle": "--", "marker": "s"},
)


def growth_figure(groups: Sequence[tuple[str, FrequencyClasses]]) -> "Figure":
    """Draw the different words of 1, 2, ... texts: thin a set, thick the mean of a group.

    Parameters
    ----------
    groups
        One or two groups of sets, each under its name.

    Examples
    --------
    >>> classes = FrequencyClasses(np.array([[5, 1]]), ("T1",))
    >>> growth_figure([("summaries", classes)]).axes[0].get_xlabel()
    'texts'
    """
    with style_context():
        figure = _drawn(groups)
        figure.draw_without_rendering()
    return figure


def _drawn(groups: Sequence[tuple[str, FrequencyClasses]]) -> "Figure":
    several = any(len(classes.names) > 1 for _, classes in groups)
    lines = "; thin: a set, thick: the mean" if several else ""
    page = Page(
        "Growth of the vocabulary",
        f"different words in so many texts, the mean over all orders of texts{lines}",
        plot=_PLOT,
        space=Space(left=PAD + 0.62, right=PAD + 0.1),
        legend=_legend(groups),
    )
    axes = page.axes(page.left, page.bottom, *_PLOT)
    for (_, classes), look in zip(groups, _LOOKS, strict=False):
        x = np.arange(1, classes.texts + 1)
        thin = {**look, "marker": "", "linewidth": 0.8, "alpha": 0.4}
        if len(classes.growth) > 1:
            axes.plot(x, classes.growth.T, **thin)
        axes.plot(x, classes.growth.mean(axis=0), linewidth=2.0, markersize=5, **look)
    axes.set(xlabel="texts", ylabel="different words")
    axes.set_ylim(bottom=0)
    axes.locator_params(axis="x", integer=True)
    axes.grid(axis="y")
    return page.figure


def _legend(groups: Sequence[tuple[str, FrequencyClasses]]) -> "list[Artist]":
    from matplotlib.lines import Line2D

    return [
        Line2D(
            [],
            [],
            linewidth=2.0,
            markersize=5,
            label=f"{short_name(name)} ({counted(len(classes.names), 'set')})",
            **look,
        )
        for (name, classes), look in zip(groups, _LOOKS, strict=False)
    ]
