"""Every pair of metrics as a colour: which correlates better with people, and how surely."""

from typing import TYPE_CHECKING

from pyramidion.evaluation._meta.labels import (
    PEER_NAMES,
    correlation_name,
    human_name,
    matrix_note,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.evaluation._meta.result import MetaResult, MetricMatrix
from pyramidion.report.charts.pairs import pairs_figure, square_pairs
from pyramidion.report.labels import counted, short_names

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["metric_matrix_figure"]


def metric_matrix_figure(result: MetaResult, matrix: MetricMatrix) -> "Figure":
    """Draw the adjusted p-value of every pair of metrics, the best metric first.

    Parameters
    ----------
    result
        Metrics judged against a human measure.
    matrix
        One of its tests between metrics.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> from pyramidion.evaluation._meta.evaluate import judge_tables
    >>> from pyramidion.evaluation._meta.options import MetaOptions
    >>> truth = np.array([[1.0, 2, 4, 3], [2, 1, 3, 4], [1, 3, 3, 5]])
    >>> tables = MetaTables("responsiveness", "A", tuple("abc"), tuple("wxyz"), truth[0] > 9,
    ...                     truth, {"good": truth + 1, "bad": truth[:, ::-1]})
    >>> result = judge_tables(tables, MetaOptions(n_resamples=19))
    >>> figure = metric_matrix_figure(result, result.matrices[0])
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['good', 'bad']
    """
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
