"""Judged metrics: correlations as bars, system means, and which metrics differ."""

from typing import TYPE_CHECKING

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import Peers
from pyramidion.evaluation._meta.result import (
    COEFFICIENT_NAMES,
    PEER_NAMES,
    MetaEvaluation,
    MetricCorrelation,
    MetricMatrix,
    correlation_name,
    human_name,
    interval_note,
    matrix_note,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.report.charts.curves import Panel, panels_figure
from pyramidion.report.charts.layout import (
    LABEL_GAP,
    PAD,
    Page,
    Space,
    fitting_pitch,
    label_names,
    label_size,
    text_width,
)
from pyramidion.report.charts.rows import write_beside
from pyramidion.report.charts.scatter import kind_legend, kind_points
from pyramidion.report.charts.style import BLUE, INK, ORANGE, PALE, in_style
from pyramidion.report.charts.tiles import pairs_figure, square_pairs
from pyramidion.report.labels import counted, short_name, short_names
from pyramidion.stats._clustered import CorrelationLevel
from pyramidion.stats._correlation import Coefficient

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: How many metrics have bars, as many as in the dissertation's figures, and a panel of points.
_BARS, _PANELS = 14, 6

_WIDTH, _HEAD = 3.0, 0.3
_COLOURS: dict[Peers, str] = {"all": BLUE, "machines": ORANGE}
_Ranked = list[tuple[str, MetricCorrelation]]


@in_style
def metric_bars_figure(
    result: MetaEvaluation, *, level: CorrelationLevel, coefficient: Coefficient, best: int = _BARS
) -> "Figure":
    """Draw the best metrics' correlations, a panel for each peer set, each in its own order.

    A line is the interval. Letters stand at the right where all pairs were tested: metrics that
    share one do not differ significantly (Figure 5.2).
    """
    panels = {
        peers: result.ranked(level=level, coefficient=coefficient, peers=peers)[:best]
        for peers in shown_peers(result)
    }
    if not any(panels.values()):
        raise InputError("there are no metrics to draw", hint="judge at least one")
    letters = {
        peers: result.letters(level=level, coefficient=coefficient, peers=peers) for peers in panels
    }
    names = {
        peers: short_names(named_metric(name, result.tables.negated) for name, _ in ranked)
        for peers, ranked in panels.items()
    }
    rows = max(map(len, panels.values()))
    pitch = max(0.2, fitting_pitch(rows))
    size = label_size(pitch)
    left = text_width((n for own in names.values() for n in own), size=size) + 2 * LABEL_GAP
    right = text_width((g for own in letters.values() for g in own.values()), size=size)
    across = left + _WIDTH + (right + 2 * LABEL_GAP if right else 0.1)
    page = Page(
        f"Correlation with {human_name(result)}: {correlation_name(level, coefficient)}",
        _bars_note(result, panels, lettered=bool(right)),
        plot=(across * len(panels) - left, rows * pitch),
        space=Space(left=PAD + left, above=_HEAD if len(panels) > 1 else 0.08),
    )
    for number, (peers, ranked) in enumerate(panels.items()):
        height = len(ranked) * pitch
        bottom = page.bottom + rows * pitch - height
        axes = page.axes(page.left + number * across, bottom, _WIDTH, height)
        _draw_bars(axes, ranked, _COLOURS[peers])
        label_names(axes, "y", names[peers], pitch=pitch)
        axes.set(xlim=_limits(panels), xlabel=COEFFICIENT_NAMES[coefficient])
        axes.set_title(PEER_NAMES[peers] if len(panels) > 1 else "", size=9, loc="left")
        texts = (letters[peers].get(name, "") for name, _ in ranked)
        write_beside(axes, texts, inches=LABEL_GAP, size=size, ha="left")
    return page.figure


def _bars_note(result: MetaEvaluation, panels: dict[Peers, _Ranked], *, lettered: bool) -> str:
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
    rows = (row for ranked in panels.values() for _, row in ranked)
    ends = (end for row in rows for end in (row.low, row.value))
    lowest = min((end for end in ends if not np.isnan(end)), default=0.0)
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


def metric_scatter_figure(
    result: MetaEvaluation, *, coefficient: Coefficient = "pearson", best: int = _PANELS
) -> "Figure":
    """Draw each system's means, a panel for each of the metrics that correlate best (Figure 5.1).

    The coefficient chooses the metrics and is written above each panel.
    """
    peers = result.options.peers[0]
    ranked = result.ranked(level="system", coefficient=coefficient, peers=peers)
    metrics = [name for name, _ in ranked[:best]]
    if not metrics:
        raise InputError("there are no metrics to draw", hint="judge at least one")
    chosen = "the metric" if len(metrics) == 1 else f"the {len(metrics)} metrics"
    name = COEFFICIENT_NAMES[coefficient]
    note = f"{chosen} with the highest {name} correlation at system level"
    people = result.tables.people
    return panels_figure(
        [_scatter_panel(result, metric, coefficient) for metric in metrics],
        title=f"System means against {human_name(result)}",
        note="; ".join(part for part in (note, negated_note(result, metrics)) if part),
        side=(2.2, 2.0),
        space=Space(left=PAD + 0.5, right=PAD + 0.1, above=0.3),
        legend=kind_legend(people, size=3.5) if people.any() else (),
        ylabel=short_name(result.human),
    )


def _scatter_panel(result: MetaEvaluation, metric: str, coefficient: Coefficient) -> Panel:
    tables = result.tables
    return Panel(
        kind_points(*_means(tables.metrics[metric], tables.truth), tables.people, size=3.5),
        _heading(result, metric, coefficient),
        size=8,
        scale={"xlabel": short_name(named_metric(metric, tables.negated))},
        margins={"x": 0.06, "y": 0.06},
        ticks={"nbins": 5},
    )


def _means(metric: Floats, truth: Floats) -> tuple[Floats, Floats]:
    """Average both measures over the topics that a system has both of."""
    both = ~np.isnan(metric) & ~np.isnan(truth)
    counts = both.sum(axis=0)
    divisor = np.where(counts > 0, counts, np.nan)
    x, y = (np.where(both, table, 0.0).sum(axis=0) / divisor for table in (metric, truth))
    return x, y


def _heading(result: MetaEvaluation, metric: str, coefficient: Coefficient) -> str:
    found = {
        peers: result.correlation(metric, level="system", coefficient=coefficient, peers=peers)
        for peers in shown_peers(result)
    }
    if len(found) == 1:
        return f"{COEFFICIENT_NAMES[coefficient]} {next(iter(found.values())).value:.2f}"
    return ", ".join(f"{PEER_NAMES[peers]} {row.value:.2f}" for peers, row in found.items())


def metric_matrix_figure(result: MetaEvaluation, matrix: MetricMatrix) -> "Figure":
    """Draw the adjusted p-value of every pair of metrics, the best metric first."""
    names = [rank.metric for rank in matrix.metrics]
    found = sum(map(matrix.significant, matrix.pairs))
    peers = f", {PEER_NAMES[matrix.peers]}" if len(shown_peers(result)) > 1 else ""
    what = f"{correlation_name(matrix.level, matrix.coefficient)} with {human_name(result)}{peers}"
    notes = (
        f"{found:,} of {counted(len(matrix.pairs), 'pair')} significantly different",
        matrix_note(matrix, result.options),
        negated_note(result, names),
    )
    return pairs_figure(
        square_pairs(names, matrix.pairs, alpha=matrix.alpha),
        short_names(named_metric(name, result.tables.negated) for name in names),
        alpha=matrix.alpha,
        title=f"Differences between metrics: {what}",
        note="; ".join(note for note in notes if note),
        equal="equal correlations",
    )
