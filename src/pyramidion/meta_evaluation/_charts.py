"""Charts of a meta-evaluation: correlations, system means, and which metrics differ."""

from typing import Literal

from pyramidion.comparison.common import means_of_both
from pyramidion.comparison.measure_tables import Peers
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._result import (
    COEFFICIENT_NAMES,
    PEER_NAMES,
    MetaEvaluation,
    MetricMatrix,
    correlation_name,
    human_name,
    interval_note,
    matrix_note,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.rendering.charts.curves import Panel, panels_picture
from pyramidion.rendering.charts.picture import Picture
from pyramidion.rendering.charts.rows import PanelRow, RowPanel, row_panels_picture
from pyramidion.rendering.charts.scatter import kind_legend, kind_points
from pyramidion.rendering.charts.tiles import pairs_picture, square_pairs
from pyramidion.rendering.labels import counted, short_name, short_names
from pyramidion.stats.clustered import CorrelationLevel
from pyramidion.stats.correlation import Coefficient

#: How many metrics have bars (as in the dissertation's figures), and a scatter plot.
_MAX_BARS, _MAX_PANELS = 14, 6

_PEER_COLORS: dict[Peers, Literal["h", "l"]] = {"all": "h", "machines": "l"}


def metric_bars_picture(
    result: MetaEvaluation,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient,
    best: int = _MAX_BARS,
) -> Picture:
    """Draw the best metrics' correlations with intervals, a panel per peer set (Figure 5.2).

    Metrics that share a letter were not shown to differ.
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
    n_rows, n_metrics = max(map(len, panels.values())), len(result.correlations)
    notes = (
        f"the {n_rows} best of " * (n_rows < n_metrics) + counted(n_metrics, "metric"),
        interval_note(result.options),
        "no difference was shown between metrics that share a letter" * any(letters.values()),
        negated_note(result, (name for ranked_rows in panels.values() for name, _ in ranked_rows)),
    )
    return row_panels_picture(
        [
            RowPanel(
                PEER_NAMES[peers] if len(panels) > 1 else "",
                tuple(
                    PanelRow(
                        named_metric(name, result.tables.negated), row.value, row.low, row.high,
                        mark=letters[peers].get(name, ""),
                    )
                    for name, row in ranked_rows
                ),
                _PEER_COLORS[peers],
            )
            for peers, ranked_rows in panels.items()
        ],
        title=f"Correlation with {human_name(result)}: {correlation_name(level, coefficient)}",
        note="; ".join(filter(None, notes)),
        label=COEFFICIENT_NAMES[coefficient],
        limits=(0.0, 1.0),
    )  # fmt: skip


def metric_scatter_picture(
    result: MetaEvaluation, *, coefficient: Coefficient = "pearson", best: int = _MAX_PANELS
) -> Picture:
    """Draw system means, a panel for each of the best metrics by a coefficient (Figure 5.1)."""
    peers = result.options.peers[0]
    ranked_rows = result.ranked(level="system", coefficient=coefficient, peers=peers)
    if not (metrics := [name for name, _ in ranked_rows[:best]]):
        raise InputError("there are no metrics to draw", hint="judge at least one")
    metrics_text = "the metric" if len(metrics) == 1 else f"the {len(metrics)} metrics"
    name = COEFFICIENT_NAMES[coefficient]
    note = f"{metrics_text} with the highest {name} correlation at system level"
    tables = result.tables
    panels = [
        Panel(
            kind_points(*means_of_both(tables.metrics[metric], tables.truth), tables.people,
                        size=3.5),
            _heading(result, metric, coefficient), size=8,
            scale={"xlabel": short_name(named_metric(metric, tables.negated))},
        )
        for metric in metrics
    ]  # fmt: skip
    return panels_picture(
        panels, title=f"System means against {human_name(result)}",
        note="; ".join(filter(None, (note, negated_note(result, metrics)))), panel_size=(2.2, 2.0),
        ylabel=short_name(result.human),
        legend=kind_legend(tables.people, size=3.5) if tables.people.any() else (),
    )  # fmt: skip


def _heading(result: MetaEvaluation, metric: str, coefficient: Coefficient) -> str:
    correlations = {
        peers: result.correlation(metric, level="system", coefficient=coefficient, peers=peers)
        for peers in shown_peers(result)
    }
    if len(correlations) == 1:
        return f"{COEFFICIENT_NAMES[coefficient]} {next(iter(correlations.values())).value:.2f}"
    return ", ".join(f"{PEER_NAMES[peers]} {row.value:.2f}" for peers, row in correlations.items())


def metric_matrix_picture(result: MetaEvaluation, matrix: MetricMatrix) -> Picture:
    """Draw the adjusted p-value of every pair of metrics, the best metric first."""
    names = [rank.metric for rank in matrix.metrics]
    n_significant = sum(map(matrix.significant, matrix.pairs))
    peers_text = f", {PEER_NAMES[matrix.peers]}" if len(shown_peers(result)) > 1 else ""
    correlation = correlation_name(matrix.level, matrix.coefficient)
    title = f"{correlation} with {human_name(result)}{peers_text}"
    notes = (
        f"{n_significant:,} of {counted(len(matrix.pairs), 'pair')} significantly different",
        matrix_note(matrix, result.options),
        negated_note(result, names),
    )
    return pairs_picture(
        square_pairs(names, matrix.pairs, alpha=matrix.alpha),
        short_names(named_metric(name, result.tables.negated) for name in names),
        alpha=matrix.alpha,
        title=f"Differences between metrics: {title}",
        note="; ".join(note for note in notes if note),
        equal_label="equal correlations",
    )
