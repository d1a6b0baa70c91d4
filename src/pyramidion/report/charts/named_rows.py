"""A plot whose rows have names at the left, and texts at the right where they are wanted."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import INK

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["NamedRows", "named_rows", "write_beside"]


class NamedRows(NamedTuple):
    """A page, its plot, the size of the rows' names and the plot's height in inches."""

    page: Page
    axes: "Axes"
    size: float
    height: float


def named_rows(
    names: Sequence[str],
    title: str,
    note: str,
    *,
    width: float,
    pitch: float = 0.0,
    least_height: float = 0.0,
    space: Space | None = None,
    more_width: float = 0.0,
    legend: "Sequence[Artist]" = (),
    people: Sequence[bool] = (),
) -> NamedRows:
    """Make a page with a plot of named rows, the first on top.

    Rows stand `pitch` inches apart, or as their number allows; `space` is what is needed around
    the plot beside the names, and `more_width` what further plots need at its right. Names of
    `people` are bold.
    """
    pitch = pitch or fitting_pitch(len(names))
    size, height = label_size(pitch), max(least_height, len(names) * pitch)
    around = space or Space()
    left = PAD + text_width(names, size=size, bold=any(people)) + 2 * LABEL_GAP
    page = Page(
        title,
        note,
        plot=(width + more_width, height),
        space=Space(left, around.right, around.above, around.below),
        legend=legend,
    )
    axes = page.axes(page.left, page.bottom, width, height)
    label_names(axes, "y", names, pitch=pitch, human=people)
    axes.set_ylim(len(names) - 0.5, -0.5)
    return NamedRows(page, axes, size, height)


def write_beside(
    axes: "Axes",
    texts: Iterable[str],
    *,
    inches: float,
    size: float,
    ha: str = "right",
    color: str = INK,
) -> None:
    """Write the text of each row that has one so many inches right of the plot."""
    for row, text in enumerate(texts):
        if not text:
            continue
        axes.annotate(
            text,
            xy=(1, row),
            xycoords=axes.get_yaxis_transform(),
            xytext=(inches * 72, 0),
            textcoords="offset points",
            ha=ha,
            va="center_baseline",
            size=size,
            color=color,
            annotation_clip=False,
        )
