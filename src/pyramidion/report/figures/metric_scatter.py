"""System means of the best metrics against the human measure, people marked (Figure 5.1)."""

import math
from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.evaluation._meta.labels import (
    COEFFICIENT_NAMES,
    PEER_NAMES,
    human_name,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.evaluation._meta.result import MetaResult
from pyramidion.report.charts.layout import PAD, Page, Space
from pyramidion.report.charts.style import BLUE, VERMILLION, style_context
from pyramidion.report.labels import short_name
from pyramidion.stats.weighted import Coefficient

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["metric_scatter_figure"]

_PANEL, _GAP = (2.2, 2.0), (0.55, 0.85)
_ACROSS, _BEST = 3, 6

#: For machines and people: the name in the legend, the colour, the mark and its size.
_KINDS = ((False, "machine", BLUE, "o", 3.5), (True, "person", VERMILLION, "D", 4.0))


def metric_scatter_figure(
    result: MetaResult, *, coefficient: Coefficient = "pearson", best: int = _BEST
) -> "Figure":
    """Draw each system's means, a panel for each of the metrics that correlate best.

    Parameters
    ----------
    result
        Metrics judged against a human measure.
    coefficient
        By which the metrics are chosen, and which is written above each panel.
    best
        How many metrics.

    Examples
    --------
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> from pyramidion.evaluation._meta.evaluate import judge_tables
    >>> from pyramidion.evaluation._meta.options import MetaOptions
    >>> truth = np.array([[1.0, 2, 4, 3], [2, 1, 3, 4], [1, 3, 3, 5]])
    >>> tables = MetaTables("responsiveness", "A", tuple("abc"), tuple("wxyz"), truth[0] > 3,
    ...                     truth, {"good": truth + 1, "bad": truth[:, ::-1]})
    >>> result = judge_tables(tables, MetaOptions(n_resamples=19))
    >>> figure = metric_scatter_figure(result)
    >>> [axes.get_xlabel() for axes in figure.axes]
    ['good', 'bad']
    """
    peers = result.options.peers[0]
    ranked = result.ranked(level="system", coefficient=coefficient, peers=peers)
    chosen = [name for name, _ in ranked[:best]]
    if not chosen:
        raise InputError("there are no metrics to draw", hint="judge at least one")
    with style_context():
        figure = _drawn(result, chosen, coefficient)
        figure.draw_without_rendering()
    return figure


def _drawn(result: MetaResult, metrics: list[str], coefficient: Coefficient) -> "Figure":
    columns = min(_ACROSS, len(metrics))
    rows = math.ceil(len(metrics) / columns)
    (width, height), (beside, below) = _PANEL, _GAP
    page = Page(
        f"System means against {human_name(result)}",
        _note(result, metrics, coefficient),
        plot=(columns * (width + beside) - beside, rows * (height + below) - below),
        space=Space(left=PAD + 0.5, right=PAD + 0.1, above=0.3),
        legend=_legend(result),
    )
    for number, metric in enumerate(metrics):
        row, column = divmod(number, columns)
        left = page.left + column * (width + beside)
        bottom = page.bottom + (rows - 1 - row) * (height + below)
        axes = page.axes(left, bottom, width, height)
        _draw_panel(axes, result, metric)
        axes.set_ylabel(short_name(result.human) if column == 0 else "")
        axes.set_title(_heading(result, metric, coefficient), size=8, loc="left")
    return page.figure


def _note(result: MetaResult, metrics: list[str], coefficient: Coefficient) -> str:
    best = "the metric" if len(metrics) == 1 else f"the {len(metrics)} metrics"
    shown = f"{best} with the highest {COEFFICIENT_NAMES[coefficient]} correlation at system level"
    turned = negated_note(result, metrics)
    return f"{shown}; {turned}" if turned else shown


def _draw_panel(axes: "Axes", result: MetaResult, metric: str) -> None:
    tables = result.tables
    x, y = _means(tables.metrics[metric], tables.truth)
    for is_human, label, colour, mark, size in _KINDS:
        own = tables.people == is_human
        axes.plot(x[own], y[own], mark, color=colour, markersize=size, alpha=0.8, label=label)
    axes.set_xlabel(short_name(named_metric(metric, tables.negated)))
    axes.grid(visible=True)
    axes.margins(0.06)
    axes.locator_params(nbins=5)


def _means(metric: Floats, truth: Floats) -> tuple[Floats, Floats]:
    """Average both measures over the topics that a system has both of."""
    both = ~np.isnan(metric) & ~np.isnan(truth)
    counts = both.sum(axis=0)
    divisor = np.where(counts > 0, counts, np.nan)
    x, y = (np.where(both, table, 0.0).sum(axis=0) / divisor for table in (metric, truth))
    return x, y


def _heading(result: MetaResult, metric: str, coefficient: Coefficient) -> str:
    found = {
        peers: result.correlation(metric, level="system", coefficient=coefficient, peers=peers)
        for peers in shown_peers(result)
    }
    if len(found) == 1:
        return f"{COEFFICIENT_NAMES[coefficient]} {next(iter(found.values())).value:.2f}"
    return ", ".join(f"{PEER_NAMES[peers]} {row.value:.2f}" for peers, row in found.items())


def _legend(result: MetaResult) -> "list[Artist]":
    from matplotlib.lines import Line2D

    people = result.tables.people
    return [
        Line2D([], [], color=colour, marker=mark, markersize=size, linestyle="", label=label)
        for is_human, label, colour, mark, size in _KINDS
        if people.any() and (people == is_human).any()
    ]
