"""Correlation of a metric with human scores at system, input and global level."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.stats.clustered_weights import (
    Cells,
    CorrelationLevel,
    input_correlations,
    level_correlations,
    mean_over_inputs,
    shared_cells,
)
from pyramidion.stats.inputs import choice
from pyramidion.stats.weighted import Coefficient

__all__ = ["ClusteredCorrelation", "clustered_correlation", "correlation_of_cells"]


@dataclass(frozen=True, slots=True)
class ClusteredCorrelation:
    """The correlation of a metric with human scores.

    Attributes
    ----------
    value
        The coefficient; NaN where it is undefined.
    level, coefficient
        What was correlated, and how.
    n
        The number of systems (system level), of inputs whose correlation is defined (input
        level) or of cells (global level).
    undefined_inputs
        At input level, the number of inputs within which the correlation is undefined, because
        all scores of the metric or of the humans are equal, or there are fewer than two.
    left_out
        The number of cells that have a value in one of the tables only.
    undefined
        Why there is no value; empty where there is one.

    Examples
    --------
    >>> clustered_correlation([[1, 1]], [[1, 2]], level="global").undefined
    'all scores of the metric or of the humans are equal'
    """

    value: float
    level: CorrelationLevel
    coefficient: Coefficient
    n: int
    undefined_inputs: int
    left_out: int
    undefined: str = ""


def clustered_correlation(
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
) -> ClusteredCorrelation:
    """Correlate a metric with human scores of the same inputs and systems.

    Parameters
    ----------
    metric, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with
        both values count.
    level
        ``system``: the systems' means over inputs are correlated. ``input``: the systems are
        correlated within each input, and the defined correlations averaged ("summary level" in
        the papers). ``global``: all cells are correlated at once.
    coefficient
        ``pearson``, ``spearman``, ``kendall`` (tau-b), or ``tau_ap`` in its version b, which
        allows ties in both rankings.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021.

    Examples
    --------
    >>> human = [[1, 2, 3], [2, 2, 2], [1, 3, 2]]
    >>> metric = [[0.1, 0.2, 0.3], [0.2, 0.1, 0.1], [0.2, 0.4, 0.3]]
    >>> result = clustered_correlation(metric, human, level="input")
    >>> result.value, result.n, result.undefined_inputs
    (1.0, 2, 1)
    """
    choice(level, "level", CorrelationLevel)
    choice(coefficient, "coefficient", Coefficient)
    return correlation_of_cells(shared_cells(metric=metric, human=human), level, coefficient)


def correlation_of_cells(
    cells: Cells, level: CorrelationLevel, coefficient: Coefficient
) -> ClusteredCorrelation:
    """Correlate two checked tables.

    Examples
    --------
    >>> cells = shared_cells(metric=[[1, 2, 3]], human=[[1, 3, 2]])
    >>> correlation_of_cells(cells, "system", "spearman").value
    0.5
    """
    systems, inputs = np.ones((cells.systems, 1)), np.ones((cells.inputs, 1))
    undefined, n = 0, cells.pairs(level)
    if level == "input":
        within = input_correlations(cells, coefficient, systems)
        undefined = int(np.isnan(within).sum())
        n = cells.inputs - undefined
        value = float(mean_over_inputs(within, inputs)[0])
    else:
        found = level_correlations(
            cells, level=level, coefficient=coefficient, systems=systems, inputs=inputs
        )
        value = float(found[0])
    reason = _REASONS[level] if np.isnan(value) else ""
    return ClusteredCorrelation(value, level, coefficient, n, undefined, cells.left_out, reason)


_REASONS = {
    "system": "all systems have equal means of the metric or of the human score",
    "input": "within every input all scores of the metric or of the humans are equal",
    "global": "all scores of the metric or of the humans are equal",
}
