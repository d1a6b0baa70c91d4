"""Bootstrap intervals of a metric's correlation: over inputs, over systems, or over both."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.bootstrap import (
    BootstrapInterval,
    BootstrapMethod,
    checked_indices,
    interval_of_samples,
)
from pyramidion.stats.bootstrap_intervals import BcaInterval, Quantiles
from pyramidion.stats.clustered import ClusteredCorrelation, correlation_of_cells
from pyramidion.stats.clustered_weights import (
    Cells,
    CorrelationLevel,
    Over,
    level_correlations,
    shared_cells,
)
from pyramidion.stats.correlation_intervals import IntervalMethod, draw_counts, fisher_interval
from pyramidion.stats.inputs import Interval, Rng, choice, generator
from pyramidion.stats.pairs import Weights
from pyramidion.stats.weighted import Coefficient

__all__ = ["ClusteredInterval", "clustered_difference_interval", "clustered_interval"]


@dataclass(frozen=True, slots=True)
class ClusteredInterval:
    """A metric's correlation, or the difference of two, with a confidence interval.

    Attributes
    ----------
    correlation
        The correlation of the data with its counts; of a difference, the first metric's.
    value
        The correlation, or the first minus the second.
    interval
        The confidence interval.
    samples
        The resampled values, NaN where one is undefined. Calls with the same resamples can be
        compared sample by sample.
    undefined
        The number of resamples whose value is undefined; they are left out of the interval.
    over
        What was resampled.
    bca
        Bias and acceleration, where that method was chosen; else None.

    Examples
    --------
    >>> result = clustered_interval(
    ...     [[1, 2, 3]], [[1, 3, 2]], level="input", over="systems", system_indices=[[0, 1, 0]]
    ... )
    >>> result.samples
    array([1.])
    """

    correlation: ClusteredCorrelation
    value: float
    interval: Interval
    samples: Floats
    undefined: int
    over: Over
    bca: BcaInterval | None = None


def clustered_interval(  # noqa: PLR0913 - options are keywords
    metric: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
    over: Over = "both",
    method: IntervalMethod = "percentile",
    quantiles: Quantiles = "linear",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    system_indices: npt.ArrayLike | None = None,
    input_indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ClusteredInterval:
    """Give a metric's correlation with human scores and its confidence interval.

    Parameters
    ----------
    metric, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with
        both values count.
    level, coefficient
        As in :func:`~pyramidion.stats.clustered.clustered_correlation`.
    over
        What is drawn with replacement: ``systems`` (the inputs are fixed), ``inputs`` (the
        systems are fixed), or ``both``, for a statement about other systems on other inputs
        (reading 25).
    method
        ``percentile``; ``bca`` (its acceleration from leaving out each system, each input, or
        each of both); or ``fisher``, which resamples nothing and takes the number of systems,
        of systems within an input, or of cells as its n.
    quantiles, confidence_level, n_resamples, rng
        As in :func:`~pyramidion.stats.correlation_intervals.correlation_interval`.
    system_indices, input_indices
        The draws themselves, one row of indices from 0 for each resample.

    References
    ----------
    D. Deutsch, R. Dror and D. Roth. A statistical analysis of summarization evaluation metrics
    using resampling methods. TACL 9, 2021: BOOT-SYSTEMS, BOOT-INPUTS and BOOT-BOTH.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(20, 10)) + np.arange(10)
    >>> metric = human + 3 * rng.normal(size=(20, 10))
    >>> result = clustered_interval(metric, human, level="input", n_resamples=999)
    >>> result.interval.low < result.value < result.interval.high
    True
    """
    choice(method, "method", IntervalMethod)
    cells = _checked(level, coefficient, over, metric=metric, human=human)
    point = correlation_of_cells(cells, level, coefficient)
    if method == "fisher":
        interval = fisher_interval(
            point.value, cells.pairs(level), coefficient, confidence_level=confidence_level
        )
        return ClusteredInterval(point, point.value, interval, np.empty(0), 0, over)

    def under(systems: Weights, inputs: Weights) -> Floats:
        return level_correlations(
            cells, level=level, coefficient=coefficient, systems=systems, inputs=inputs
        )

    draws = _draw(cells, over, n_resamples, system_indices, input_indices, rng)
    found = interval_of_samples(
        point.value,
        under(*draws),
        lambda: _jackknife(under, cells, over),
        method=method,
        confidence_level=confidence_level,
        quantiles=quantiles,
    )
    return _result(point, found, over)


def clustered_difference_interval(  # noqa: PLR0913 - options are keywords
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    level: CorrelationLevel,
    coefficient: Coefficient = "kendall",
    over: Over = "both",
    method: BootstrapMethod = "percentile",
    quantiles: Quantiles = "linear",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    system_indices: npt.ArrayLike | None = None,
    input_indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> ClusteredInterval:
    """Give the difference of two metrics' correlations and its paired confidence interval.

    Both metrics are seen in the same resamples.

    Parameters
    ----------
    first, second, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with all
        three values count.
    level, coefficient, over, quantiles, confidence_level, n_resamples, rng
        As in :func:`clustered_interval`.
    method
        ``percentile`` or ``bca``.
    system_indices, input_indices
        The draws themselves, one row of indices from 0 for each resample.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> human = rng.normal(size=(20, 10)) + np.arange(10)
    >>> good, bad = human + rng.normal(size=(20, 10)), rng.normal(size=(20, 10))
    >>> result = clustered_difference_interval(
    ...     good, bad, human, level="input", n_resamples=999
    ... )
    >>> result.interval.low > 0
    True
    """
    choice(method, "method", BootstrapMethod)
    cells = _checked(level, coefficient, over, first=first, second=second, human=human)
    one, two, truth = cells.tables
    each = [Cells((table, truth), cells.present, cells.left_out) for table in (one, two)]
    points = [correlation_of_cells(pair, level, coefficient) for pair in each]

    def under(systems: Weights, inputs: Weights) -> Floats:
        a, b = (
            level_correlations(
                pair, level=level, coefficient=coefficient, systems=systems, inputs=inputs
            )
            for pair in each
        )
        return a - b

    draws = _draw(cells, over, n_resamples, system_indices, input_indices, rng)
    found = interval_of_samples(
        points[0].value - points[1].value,
        under(*draws),
        lambda: _jackknife(under, cells, over),
        method=method,
        confidence_level=confidence_level,
        quantiles=quantiles,
    )
    return _result(points[0], found, over)


def _checked(
    level: CorrelationLevel, coefficient: Coefficient, over: Over, **tables: npt.ArrayLike
) -> Cells:
    choice(level, "level", CorrelationLevel)
    choice(coefficient, "coefficient", Coefficient)
    choice(over, "over", Over)
    return shared_cells(**tables)


def _result(point: ClusteredCorrelation, found: BootstrapInterval, over: Over) -> ClusteredInterval:
    return ClusteredInterval(
        point, found.value, found.interval, found.samples, found.undefined, over, found.bca
    )


def _draw(
    cells: Cells,
    over: Over,
    n_resamples: int,
    system_indices: npt.ArrayLike | None,
    input_indices: npt.ArrayLike | None,
    rng: Rng | None,
) -> tuple[Weights, Weights]:
    """Count the drawn systems and inputs; what is not resampled counts once."""
    random = generator(rng)
    weights: list[Weights] = []
    for name, given, size, fixed in (
        ("system_indices", system_indices, cells.systems, over == "inputs"),
        ("input_indices", input_indices, cells.inputs, over == "systems"),
    ):
        if fixed and given is not None:
            raise InputError(f"`{name}` with resampling over {over}", hint="set `over` to both")
        drawn = None if fixed else checked_indices(given, size, n_resamples, random, name=name)
        weights.append(np.ones((size, 1)) if drawn is None else draw_counts(drawn, size))
    systems, inputs = weights
    if over == "both" and systems.shape[1] != inputs.shape[1]:
        raise ShapeError(
            f"{systems.shape[1]} resamples of systems and {inputs.shape[1]} of inputs",
            hint="give as many of each",
        )
    return systems, inputs


def _jackknife(
    under: Callable[[Weights, Weights], Floats], cells: Cells, over: Over
) -> list[Floats]:
    """Leave out each system, each input, or each of both in turn."""
    all_systems, all_inputs = np.ones((cells.systems, 1)), np.ones((cells.inputs, 1))
    left_out = []
    if over != "inputs":
        left_out.append(under(1 - np.eye(cells.systems), all_inputs))
    if over != "systems":
        left_out.append(under(all_systems, 1 - np.eye(cells.inputs)))
    return left_out
