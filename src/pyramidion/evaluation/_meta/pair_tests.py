"""Tests of two metrics' correlations with the same human measure."""

import math
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import MetaTables
from pyramidion.evaluation._meta.options import MetaOptions
from pyramidion.evaluation._meta.result import MetricPair
from pyramidion.evaluation.procedures import MetaTest
from pyramidion.stats.clustered_permutation import clustered_difference
from pyramidion.stats.clustered_weights import CorrelationLevel, shared_cells, system_means
from pyramidion.stats.correlation_tests import (
    CorrelationTest,
    TestedCoefficient,
    correlation_difference,
)
from pyramidion.stats.weighted import Coefficient

__all__ = ["PairTest", "permuted", "tested_means"]

# The tests on system means have no variance to offer with fewer.
_FEWEST_SYSTEMS = 4


@dataclass(frozen=True, slots=True, eq=False)
class PairTest:
    """A tested pair, and what max-T needs of it.

    Parameters
    ----------
    pair
        The pair, not corrected yet.
    observed
        The size of its difference, divided by the standard deviation under swaps; NaN where it
        is undefined.
    swapped
        The same after each swap.
    """

    pair: MetricPair
    observed: float = math.nan
    swapped: Floats = field(default_factory=lambda: np.empty(0))


def permuted(
    tables: MetaTables,
    names: tuple[str, str],
    level: CorrelationLevel,
    coefficient: Coefficient,
    options: MetaOptions,
) -> PairTest:
    """Swap the values of two metrics, the same cells for all pairs of the tables.

    Parameters
    ----------
    tables
        The measures side by side.
    names
        The two metrics.
    level, coefficient
        Which correlations are compared.
    options
        What is swapped, how often, and the seed.

    Examples
    --------
    >>> truth = np.array([[1.0, 2, 4, 3], [2, 1, 3, 4], [1, 3, 3, 5]])
    >>> metrics = {"m": truth, "same": truth}
    >>> tables = MetaTables("responsiveness", "", tuple("abc"), tuple("wxyz"), truth[0] > 9,
    ...                     truth, metrics)
    >>> found = permuted(tables, ("m", "same"), "input", "kendall", MetaOptions(n_resamples=19))
    >>> found.pair.p, found.observed
    (1.0, 0.0)
    """
    a, b = names
    first, second = tables.metrics[a], tables.metrics[b]
    reason = _lacking(first, second, tables.truth)
    if reason:
        return PairTest(_undefined(names, reason))
    found = clustered_difference(
        first,
        second,
        tables.truth,
        level=level,
        coefficient=coefficient,
        over=options.over,
        n_resamples=options.n_resamples,
        rng=options.seed,
    )
    pair = MetricPair(
        a,
        b,
        found.first,
        found.second,
        found.difference,
        math.nan,
        found.p,
        math.nan,
        n_resamples=options.n_resamples,
        note="a correlation is undefined" if math.isnan(found.difference) else "",
    )
    return PairTest(pair, *_standardised(found.difference, found.samples))


def _lacking(*tables: Floats) -> str:
    """Say what is missing where fewer than two systems have all three scores."""
    shared = ~np.isnan(np.stack(tables)).any(axis=0)
    systems = int(shared.any(axis=0).sum())
    return "" if systems > 1 else f"systems with all three scores: {systems}"


def _undefined(names: tuple[str, str], reason: str) -> MetricPair:
    nan = math.nan
    return MetricPair(*names, nan, nan, nan, nan, nan, nan, note=reason)


def _standardised(difference: float, samples: Floats) -> tuple[float, Floats]:
    defined = samples[~np.isnan(samples)]
    spread = float(np.sqrt(np.mean(defined**2))) if len(defined) else 0.0
    if math.isnan(difference) or spread <= 1e-12:
        return difference * 0.0, np.zeros_like(samples)
    return abs(difference) / spread, np.abs(samples) / spread


def tested_means(
    tables: MetaTables,
    names: tuple[str, str],
    test: MetaTest,
    coefficient: Coefficient,
    options: MetaOptions,
) -> PairTest:
    """Test two metrics on the systems' means over the topics that have all three scores.

    Parameters
    ----------
    tables
        The measures side by side.
    names
        The two metrics.
    test
        ``williams``, ``steiger``, ``zou`` or ``meng``.
    coefficient
        The coefficient, ``pearson`` being what the tests were derived for.
    options
        For the level of confidence.

    Examples
    --------
    >>> truth = np.array([[1.0, 2, 4, 3, 7], [2, 1, 3, 4, 6], [1, 3, 3, 5, 7]])
    >>> metrics = {"m": truth + np.eye(3, 5), "n": truth - np.eye(3, 5)}
    >>> tables = MetaTables("responsiveness", "", tuple("abc"), tuple("vwxyz"), truth[0] > 9,
    ...                     truth, metrics)
    >>> pair = tested_means(tables, ("m", "n"), "williams", "pearson", MetaOptions()).pair
    >>> 0 < pair.p < 1, pair.low < pair.difference < pair.high
    (True, True)
    """
    a, b = names
    try:
        cells = shared_cells(first=tables.metrics[a], second=tables.metrics[b], human=tables.truth)
    except InputError as error:
        return PairTest(_undefined(names, error.what))
    there = cells.present.any(axis=0)
    if there.sum() < _FEWEST_SYSTEMS:
        reason = f"systems with all three scores: {there.sum()}; {_FEWEST_SYSTEMS} are needed"
        return PairTest(_undefined(names, reason))
    once = np.ones((cells.inputs, 1))
    means = [system_means(table, cells.present, once)[there, 0] for table in cells.tables]
    found = correlation_difference(
        *means,
        test=cast("CorrelationTest", test),
        coefficient=cast("TestedCoefficient", coefficient),
        confidence_level=options.confidence_level,
    )
    return PairTest(
        MetricPair(
            a,
            b,
            found.first,
            found.second,
            found.difference,
            found.statistic,
            found.p,
            math.nan,
            found.interval.low,
            found.interval.high,
            note=found.undefined,
        )
    )
