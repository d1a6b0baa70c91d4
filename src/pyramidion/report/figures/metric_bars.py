"""Correlations of the best metrics with a human measure, as bars with intervals (Figure 5.2)."""

from typing import TYPE_CHECKING

import numpy as np

from pyramidion.errors import InputError
from pyramidion.evaluation._judged import Peers
from pyramidion.evaluation._meta.labels import (
    COEFFICIENT_NAMES,
    PEER_NAMES,
    correlation_name,
    human_name,
    interval_note,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.evaluation._meta.result import MetaResult, MetricCorrelation
from pyramidion.report.charts.axis_labels import LABEL_GAP, label_names, label_size
from pyramidion.report.charts.layout import PAD, Page, Space, fitting_pitch, text_width
from pyramidion.report.charts.style import BLUE, INK, ORANGE, PALE, style_context
from pyramidion.report.labels import counted, short_names
from pyramidion.stats.clustered_weights import CorrelationLevel
from pyramidion.stats.weighted import Coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

__all__ = ["BEST", "metric_bars_figure"]

#: How many metrics are drawn, as many as in the dissertation's figures.
BEST = 14

_WIDTH, _HEAD = 3.0, 0.3
_COLOURS: dict[Peers, str] = {"all": BLUE, "machines": ORANGE}
_Ranked = list[tuple[str, MetricCorrelation]]


def metric_bars_figure(
    result: MetaResult, *, level: CorrelationLevel, coefficient: Coefficient, best: int = BEST
) -> "Figure":
    """Draw the best metrics' correlations, a panel for each peer set, each in its own order.

    A line is the interval. Letters stand at the right where all pairs were tested: metrics that
    share one do not differ significantly.

    Parameters
    ----------
    result
        Metrics judged against a human measure.
    level, coefficient
        Which correlations.
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
    >>> figure = metric_bars_figure(result, level="system", coefficient="pearson")
    >>> [axes.get_title(loc="left") for axes in figure.axes]
    ['all peers', 'machines only']
    """
    panels = _panels(result, level, coefficient, best)
    with style_context():
        figure = _drawn(result, panels, level, coefficient)
        figure.draw_without_rendering()
    return figure


def _panels(
    result: MetaResult, level: CorrelationLevel, coefficient: Coefficient, best: int
) -> dict[Peers, _Ranked]:
    panels = {
        which: result.ranked(level=level, coefficient=coefficient, peers=which)[:best]
        for which in shown_peers(result)
    }
    if not any(panels.values()):
        raise InputError("there are no metrics to draw", hint="judge at least one")
    return panels


def _drawn(
    result: MetaResult,
    panels: dict[Peers, _Ranked],
    level: CorrelationLevel,
    coefficient: Coefficient,
) -> "Figure":
    rows = max(map(len, panels.values()))
    pitch = max(0.2, fitting_pitch(rows))
    size = label_size(pitch)
    names = {which: _names(result, ranked) for which, ranked in panels.items()}
    letters = {which: _letters(result, which, level, coefficient) for which in panels}
    left = text_width((n for own in names.values() for n in own), size=size) + 2 * LABEL_GAP
    right = text_width((g for own in letters.values() for g in own.values()), size=size)
    across = left + _WIDTH + (right + 2 * LABEL_GAP if right else 0.1)
    page = Page(
        f"Correlation with {human_name(result)}: {correlation_name(level, coefficient)}",
        _note(result, panels, lettered=bool(right)),
        plot=(across * len(panels) - left, rows * pitch),
        space=Space(left=PAD + left, above=_HEAD if len(panels) > 1 else 0.08),
    )
    limits = _limits(panels)
    for number, (which, ranked) in enumerate(panels.items()):
        height = len(ranked) * pitch
        bottom = page.bottom + rows * pitch - height
        axes = page.axes(page.left + number * across, bottom, _WIDTH, height)
        _draw_bars(axes, ranked, _COLOURS[which])
        label_names(axes, "y", names[which], pitch=pitch)
        axes.set(xlim=limits, xlabel=COEFFICIENT_NAMES[coefficient])
        axes.set_title(PEER_NAMES[which] if len(panels) > 1 else "", size=9, loc="left")
        _write_letters(axes, [letters[which].get(name, "") for name, _ in ranked], size)
    return page.figure


def _names(result: MetaResult, ranked: _Ranked) -> list[str]:
    return short_names(named_metric(name, result.tables.negated) for name, _ in ranked)


def _letters(
    result: MetaResult, peers: Peers, level: CorrelationLevel, coefficient: Coefficient
) -> dict[str, str]:
    """Give the letters of the first test of these correlations, if there was one."""
    wanted = (level, coefficient, peers)
    for matrix in result.matrices:
        if (matrix.level, matrix.coefficient, matrix.peers) == wanted:
            return {rank.metric: rank.group for rank in matrix.metrics}
    return {}


def _note(result: MetaResult, panels: dict[Peers, _Ranked], *, lettered: bool) -> str:
    rows, metrics = max(map(len, panels.values())), len(result.correlations)
    best = f"the {rows} best of {counted(metrics, 'metric')}"
    parts = (
        best if rows < metrics else counted(rows, "metric"),
        interval_note(result.options),
        "metrics that share a letter do not differ significantly" if lettered else "",
        negated_note(result, (name for ranked in panels.values() for name, _ in ranked)),
    )
    return "; ".join(part for part in parts if part)


def _limits(panels: dict[Peers, _Ranked]) -> tuple[float, float]:
    """Begin at 0, or below the lowest interval, and end at 1."""
    ends = [
        end
        for ranked in panels.values()
        for _, row in ranked
        for end in (row.low, row.value)
        if not np.isnan(end)
    ]
    lowest = min(ends, default=0.0)
    return (lowest - 0.05 if lowest < 0 else 0.0), 1.0


def _draw_bars(axes: "Axes", ranked: _Ranked, colour: str) -> None:
    rows = range(len(ranked))
    values = [row.value for _, row in ranked]
    axes.barh(rows, np.nan_to_num(values), 0.7, color=colour, alpha=0.55)
    axes.hlines(
        rows, [row.low for _, row in ranked], [row.high for _, row in ranked], INK, linewidth=1.2
    )
    axes.plot(values, rows, "o", color=INK, markersize=3.5, clip_on=False, label="correlation")
    axes.axvline(0, color=PALE, linewidth=0.8, zorder=0)
    axes.set_ylim(len(ranked) - 0.5, -0.5)
    axes.grid(axis="x")
    axes.spines["left"].set_visible(False)
    for row, (_, found) in enumerate(ranked):
        if np.isnan(found.value):
            axes.text(0, row, " undefined", va="center_baseline", size=7)


def _write_letters(axes: "Axes", letters: list[str], size: float) -> None:
    for row, group in enumerate(letters):
        axes.annotate(
            group,
            xy=(1, row),
            xycoords=axes.get_yaxis_transform(),
            xytext=(LABEL_GAP * 72, 0),
            textcoords="offset points",
            va="center_baseline",
            size=size,
            annotation_clip=False,
        )
