"""Principal components: what they are made of, and how well they separate systems."""

from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats
from pyramidion.evaluation._composite.compose import Composite
from pyramidion.evaluation._meta.labels import named_metric
from pyramidion.report.charts.layout import PAD, Space
from pyramidion.report.charts.named_rows import named_rows, write_beside
from pyramidion.report.charts.style import BLUE, GREY, INK, SKY, in_style
from pyramidion.report.charts.tiles import draw_tiles
from pyramidion.report.labels import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL, _WIDTH = 0.55, 4.2
_MOST_COMPONENTS, _MOST_BARS = 8, 40


@in_style
def loadings_figure(composite: Composite) -> "Figure":
    """Draw how each measure correlates with the first components."""
    drawn = composite.components[:_MOST_COMPONENTS]
    page, axes, size, _ = named_rows(
        short_names(named_metric(name, composite.negated) for name in composite.measures),
        composite.title("Principal components"),
        f"correlation of each measure with each component; {composite.summaries:,} summaries",
        width=len(drawn) * _CELL,
        space=Space(above=0.42, below=0.12),
    )
    loadings = np.stack([component.loadings for component in drawn], axis=1)
    draw_tiles(axes, loadings, cmap="PuOr_r", vmin=-1, vmax=1)
    _write_numbers(axes, loadings, size=min(size - 1, 7))
    heads = [f"{component.name}\n{component.share:.0%}" for component in drawn]
    axes.set_xticks(range(len(drawn)), heads)
    axes.tick_params(axis="x", length=0, labelbottom=False, labeltop=True, labelsize=8)
    return page.figure


def _write_numbers(axes: "Axes", loadings: Floats, *, size: float) -> None:
    for (row, column), value in np.ndenumerate(loadings):
        text = f"{value:.2f}".replace("0.", ".").replace("-", "−")
        ink = "white" if abs(value) > 0.65 else INK
        axes.text(column, row, text, ha="center", va="center_baseline", size=size, color=ink)


@in_style
def separation_figure(composite: Composite) -> "Figure":
    """Draw how many pairs of systems each component and each measure tells apart."""
    from matplotlib.patches import Patch

    ordered = sorted(composite.separations, key=lambda one: (-one.significant, one.measure))
    drawn = ordered[:_MOST_BARS]
    options = composite.options
    page, axes, size, _ = named_rows(
        short_names(named_metric(one.measure, composite.negated) for one in drawn),
        composite.title("How well systems are told apart"),
        f"{options.label}, α = {options.alpha:g}, correction: {options.effective_correction}; "
        f"{max(one.pairs for one in drawn):,} pairs; F of systems at the right",
        width=_WIDTH,
        space=Space(right=PAD + 0.6),
        legend=[Patch(color=BLUE, label="component"), Patch(color=SKY, label="measure")],
    )
    components = {component.name for component in composite.components}
    colours = [BLUE if one.measure in components else SKY for one in drawn]
    axes.barh(range(len(drawn)), [one.significant for one in drawn], 0.72, color=colours)
    axes.set(xlim=(0, max(1, *(one.pairs for one in drawn))), ylim=(len(drawn) - 0.5, -0.5))
    axes.set_xlabel("pairs of systems that differ significantly")
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    axes.locator_params(axis="x", integer=True)
    texts = ("–" if np.isnan(one.f) else f"{one.f:.1f}" for one in drawn)
    write_beside(axes, texts, inches=0.55, size=size, color=GREY)
    return page.figure
