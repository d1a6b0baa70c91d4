"""What metrics say of pairs of systems beside what people say: found, missed, false, reversed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Ints
from pyramidion.errors import InputError
from pyramidion.evaluation._verdicts.agreement import Agreement
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import (
    BLACK,
    BLUE,
    INK,
    ORANGE,
    PALE,
    VERMILLION,
    style_context,
)
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["verdict_kinds_figure"]

_WIDTH, _NUMBERS = 4.6, 0.95

#: The kinds of verdicts: the name, the colour of its bar, and of the number in it.
_KINDS = (
    ("difference found", BLUE, "white"),
    ("no difference, rightly", PALE, INK),
    ("missed", ORANGE, INK),
    ("false", VERMILLION, "white"),
    ("reversed", BLACK, "white"),
)


def verdict_kinds_figure(
    agreements: Mapping[str, Agreement], *, human: str, note: str = ""
) -> "Figure":
    """Draw the kinds of verdicts of each metric as bars: right ones first, then the errors.

    Parameters
    ----------
    agreements
        By metric, in the order in which to draw them.
    human
        The manual measure.
    note
        What the pairs are of, and the test.

    Examples
    --------
    >>> found = Agreement(((0, 0, 0), (0, 6, 2), (1, 2, 4)))
    >>> figure = verdict_kinds_figure({"rouge-2-r": found}, human="pyramid")
    >>> [text.get_text() for text in figure.axes[0].texts]
    ['4', '6', '2', '2', '1', '0.73', '0.73']
    """
    if not agreements:
        raise InputError("there are no metrics to draw", hint="judge at least one")
    with style_context():
        figure = _drawn(agreements, human, note)
        figure.draw_without_rendering()
    return figure


def _counts(agreements: Sequence[Agreement]) -> Ints:
    return np.array(
        [
            (a.tp - a.direction_conflicts, a.tn, a.fn, a.fp, a.direction_conflicts)
            for a in agreements
        ]
    )


def _drawn(agreements: Mapping[str, Agreement], human: str, note: str) -> "Figure":
    from matplotlib.patches import Patch

    names = short_names(agreements)
    pitch = fitting_pitch(len(names))
    size, height = label_size(pitch), len(names) * pitch
    counts = _counts(list(agreements.values()))
    page = Page(
        f"Verdicts on pairs of systems beside those by {human}",
        note,
        plot=(_WIDTH, height),
        space=Space(
            left=PAD + text_width(names, size=size) + 2 * LABEL_GAP,
            right=PAD + 2 * _NUMBERS - 0.3,
            above=0.24,
        ),
        legend=[
            Patch(facecolor=colour, label=name)
            for (name, colour, _), total in zip(_KINDS, counts.sum(axis=0), strict=True)
            if total
        ],
    )
    axes = page.axes(page.left, page.bottom, _WIDTH, height)
    _draw_bars(axes, counts, size=size - 1)
    label_names(axes, "y", names, pitch=pitch)
    _write_ratios(axes, list(agreements.values()), size=size)
    _write_heads(page)
    return page.figure


def _draw_bars(axes: "Axes", counts: Ints, *, size: float) -> None:
    ends = counts.cumsum(axis=1)
    most = max(1, int(ends[:, -1].max()))
    for row in range(len(counts)):
        for kind, (_, colour, ink) in enumerate(_KINDS):
            width, start = int(counts[row, kind]), int(ends[row, kind] - counts[row, kind])
            if not width:
                continue
            axes.barh(row, width, 0.78, start, color=colour)
            if text_width([str(width)], size=size) + 0.04 <= width / most * _WIDTH:
                middle = start + width / 2
                axes.text(
                    middle, row, str(width), ha="center", va="center_baseline", size=size, color=ink
                )
    axes.set(xlim=(0, most), ylim=(len(counts) - 0.5, -0.5), xlabel="pairs of systems")
    axes.spines["left"].set_visible(False)
    axes.locator_params(axis="x", integer=True)


def _write_ratios(axes: "Axes", agreements: Sequence[Agreement], *, size: float) -> None:
    for row, found in enumerate(agreements):
        for column, value in enumerate((found.accuracy, found.balanced_accuracy)):
            axes.annotate(
                "–" if np.isnan(value) else f"{value:.2f}",
                xy=(1, row),
                xycoords=axes.get_yaxis_transform(),
                xytext=((0.55 + column * 0.85) * 72, 0),
                textcoords="offset points",
                ha="right",
                va="center_baseline",
                size=size,
                annotation_clip=False,
            )


def _write_heads(page: Page) -> None:
    """Name the two columns of ratios."""
    top = page.figure.axes[0].get_position().y1 * page.height + 0.06
    for column, title in enumerate(("accuracy", "balanced")):
        page.write(title, (page.left + _WIDTH + 0.55 + column * 0.85, top), ha="right", size=7)
