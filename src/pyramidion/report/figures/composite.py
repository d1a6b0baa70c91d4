"""Principal components: what they are made of, and how well they separate systems."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.evaluation._composite.compose import Composite
from pyramidion.evaluation._composite.separation import Separation
from pyramidion.evaluation._judged import place_name
from pyramidion.evaluation._meta.labels import named_metric
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLUE, GREY, INK, SKY, style_context
from pyramidion.report.charts.tiles import draw_tiles
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["loadings_figure", "separation_figure"]

_CELL, _WIDTH = 0.55, 4.2
_MOST_COMPONENTS, _MOST_BARS = 8, 40


def loadings_figure(composite: Composite) -> "Figure":
    """Draw how each measure correlates with the first components.

    Parameters
    ----------
    composite
        The components of one task.

    Examples
    --------
    >>> from pyramidion.evaluation._composite.compose import compose
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> values = np.array([[1.0, 2, 4], [2, 1, 5], [1, 2, 4], [2, 2, 3]])
    >>> tables = MetaTables("a", "", tuple("wxyz"), tuple("123"), np.zeros(3, bool), values,
    ...                     {"b": values**2})
    >>> figure = loadings_figure(compose(tables))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['a', 'b']
    """
    with style_context():
        figure = _drawn_loadings(composite)
        figure.draw_without_rendering()
    return figure


def _drawn_loadings(composite: Composite) -> "Figure":
    shown = composite.components[:_MOST_COMPONENTS]
    names = short_names(named_metric(name, composite.negated) for name in composite.measures)
    pitch = fitting_pitch(len(names))
    size, height = label_size(pitch), len(names) * pitch
    where = place_name("", composite.task, composite.collection)
    page = Page(
        f"Principal components{f': {where}' if where else ''}",
        f"correlation of each measure with each component; {composite.summaries:,} summaries",
        plot=(len(shown) * _CELL, height),
        space=Space(
            left=PAD + text_width(names, size=size) + 2 * LABEL_GAP, above=0.42, below=0.12
        ),
    )
    axes = page.axes(page.left, page.bottom, len(shown) * _CELL, height)
    loadings = np.stack([component.loadings for component in shown], axis=1)
    draw_tiles(axes, loadings, cmap="PuOr_r", vmin=-1, vmax=1)
    label_names(axes, "y", names, pitch=pitch)
    _write_numbers(axes, loadings, size=min(size - 1, 7))
    heads = [f"{component.name}\n{component.share:.0%}" for component in shown]
    axes.set_xticks(range(len(shown)), heads)
    axes.tick_params(axis="x", length=0, labelbottom=False, labeltop=True, labelsize=8)
    return page.figure


def _write_numbers(
    axes: "Axes", loadings: np.ndarray[tuple[int, ...], np.dtype[np.float64]], *, size: float
) -> None:
    for (row, column), value in np.ndenumerate(loadings):
        text = f"{value:.2f}".replace("0.", ".").replace("-", "−")
        ink = "white" if abs(value) > 0.65 else INK
        axes.text(column, row, text, ha="center", va="center_baseline", size=size, color=ink)


def separation_figure(composite: Composite) -> "Figure":
    """Draw how many pairs of systems each component and each measure tells apart.

    Parameters
    ----------
    composite
        The components of one task.

    Examples
    --------
    >>> from pyramidion.evaluation._composite.compose import compose
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> values = np.array([[1.0, 2, 4], [2, 1, 5], [1, 2, 4], [2, 2, 3]])
    >>> tables = MetaTables("a", "", tuple("wxyz"), tuple("123"), np.zeros(3, bool), values,
    ...                     {"b": values**2})
    >>> separation_figure(compose(tables)).axes[0].get_xlabel()
    'pairs of systems that differ significantly'
    """
    with style_context():
        figure = _drawn_separation(composite)
        figure.draw_without_rendering()
    return figure


def _drawn_separation(composite: Composite) -> "Figure":
    from matplotlib.patches import Patch

    ordered = sorted(composite.separations, key=lambda one: (-one.significant, one.measure))
    shown = ordered[:_MOST_BARS]
    names = short_names(named_metric(one.measure, composite.negated) for one in shown)
    pitch = fitting_pitch(len(names))
    size, height = label_size(pitch), len(names) * pitch
    options = composite.options
    where = place_name("", composite.task, composite.collection)
    page = Page(
        f"How well systems are told apart{f': {where}' if where else ''}",
        f"{options.label}, α = {options.alpha:g}, correction: {options.effective_correction}; "
        f"{max(one.pairs for one in shown):,} pairs; F of systems at the right",
        plot=(_WIDTH, height),
        space=Space(left=PAD + text_width(names, size=size) + 2 * LABEL_GAP, right=PAD + 0.6),
        legend=[Patch(color=BLUE, label="component"), Patch(color=SKY, label="measure")],
    )
    axes = page.axes(page.left, page.bottom, _WIDTH, height)
    _draw_bars(axes, shown, {component.name for component in composite.components}, size=size)
    label_names(axes, "y", names, pitch=pitch)
    return page.figure


def _draw_bars(
    axes: "Axes", shown: Sequence[Separation], components: set[str], *, size: float
) -> None:
    colours = [BLUE if one.measure in components else SKY for one in shown]
    axes.barh(range(len(shown)), [one.significant for one in shown], 0.72, color=colours)
    axes.set(xlim=(0, max(1, *(one.pairs for one in shown))), ylim=(len(shown) - 0.5, -0.5))
    axes.set_xlabel("pairs of systems that differ significantly")
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.locator_params(axis="x", integer=True)
    for row, one in enumerate(shown):
        axes.annotate(
            "–" if np.isnan(one.f) else f"{one.f:.1f}",
            xy=(1, row),
            xycoords=axes.get_yaxis_transform(),
            xytext=(0.55 * 72, 0),
            textcoords="offset points",
            ha="right",
            va="center_baseline",
            size=size,
            color=GREY,
            annotation_clip=False,
        )
