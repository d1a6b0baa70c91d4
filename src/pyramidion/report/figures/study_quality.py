"""The categories that summaries were judged to be in, as bars (Tables 2.3 and 2.4, drawn)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.evaluation.study import QualityCategories
from pyramidion.evaluation.study._places import commonest
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, text_width
from pyramidion.report.charts.style import style_context
from pyramidion.report.labels import short_name

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["quality_figure"]

_WIDTH, _PITCH = 4.6, 0.3
_WRITERS = {"human": "people", "machine": "machines"}

#: A fraction that is less has no room for its number.
_LEGIBLE = 0.055


def quality_figure(found: Sequence[QualityCategories]) -> "Figure":
    """Draw a bar for each measure, task and kind of writer, split into categories.

    Parameters
    ----------
    found
        What `quality_categories` gives; those with as many categories as most have are drawn.

    Examples
    --------
    >>> row = QualityCategories("focus", "", "human", ("0", "1"), (0.25, 0.75), 4, 4)
    >>> len(quality_figure([row]).axes[0].patches)
    2
    """
    rows = _ordered(found)
    with style_context():
        colours = _colours(len(rows[0].categories))
        names = [_name(row) for row in rows]
        widest = text_width(names, size=label_size(_PITCH), bold=True)
        page = Page(
            "Quality of summaries",
            "fraction of summaries that people judged to be in each category",
            plot=(_WIDTH, len(rows) * _PITCH),
            space=Space(left=PAD + widest + 2 * LABEL_GAP, right=PAD + 0.15),
            legend=_legend(rows[0].categories, colours),
        )
        axes = page.axes(page.left, page.bottom, _WIDTH, len(rows) * _PITCH)
        _draw(axes, rows, colours)
        people = [row.kind == "human" for row in rows]
        label_names(axes, "y", names, pitch=_PITCH, human=people)
        page.figure.draw_without_rendering()
    return page.figure


def _ordered(found: Sequence[QualityCategories]) -> list[QualityCategories]:
    common = commonest(len(row.categories) for row in found)
    alike = [row for row in found if len(row.categories) == common]
    # Machines first, as in the tables; measures keep their order.
    return sorted(alike, key=lambda row: (row.kind == "human", row.task))


def _name(row: QualityCategories) -> str:
    task = f", task {row.task}" if row.task else ""
    return f"{short_name(row.measure)}{task}, {_WRITERS[row.kind]} ({row.summaries:,})"


def _colours(categories: int) -> list[tuple[float, float, float, float]]:
    """Give colours from bad to good that can be told apart in grey, too."""
    from matplotlib import colormaps

    return [tuple(colormaps["RdYlBu"](x)) for x in np.linspace(0.08, 0.92, categories)]


def _draw(
    axes: "Axes",
    rows: Sequence[QualityCategories],
    colours: Sequence[tuple[float, float, float, float]],
) -> None:
    for place, row in enumerate(rows):
        left = 0.0
        for fraction, colour in zip(row.fractions, colours, strict=True):
            axes.barh(place, fraction, 0.78, left, color=colour, edgecolor="white", linewidth=0.5)
            if fraction >= _LEGIBLE:
                dark = 0.3 * colour[0] + 0.59 * colour[1] + 0.11 * colour[2] < 0.5
                axes.text(
                    left + fraction / 2,
                    place,
                    f"{fraction:.2f}",
                    ha="center",
                    va="center",
                    size=7,
                    color="white" if dark else "black",
                )
            left += fraction
    axes.set(xlim=(0, 1), ylim=(len(rows) - 0.5, -0.5), xlabel="fraction of summaries")
    axes.spines["left"].set_visible(False)


def _legend(
    categories: Sequence[str], colours: Sequence[tuple[float, float, float, float]]
) -> "list[Artist]":
    from matplotlib.patches import Patch

    return [
        Patch(facecolor=colour, label=name)
        for name, colour in zip(categories, colours, strict=True)
    ]
