"""Correlations of metrics with a human measure, all with intervals, from shared resamples."""

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pyramidion._types import Floats
from pyramidion.evaluation._judged import MetaTables
from pyramidion.evaluation._meta.result import (
    COEFFICIENTS,
    LEVELS,
    MetaOptions,
    MetricCorrelation,
)
from pyramidion.stats._bootstrap import checked_indices, interval_of_samples
from pyramidion.stats._clustered import (
    Cells,
    ClusteredCorrelation,
    CorrelationLevel,
    coefficients_at_levels,
    correlation_of_cells,
    shared_cells,
)
from pyramidion.stats._correlation import Coefficient
from pyramidion.stats._correlation_tests import draw_counts, fisher_interval
from pyramidion.stats._pairs import Weights

_Samples = dict[CorrelationLevel, dict[Coefficient, Floats]]

_NO_FISHER = "no Fisher interval of tau_ap is known"
_NO_RESAMPLE = "no resample has a value"


class Draws:
    """Resamples of systems and topics, drawn once for all metrics that have as many of them.

    They are those that `clustered_interval` draws with the same seed.
    """

    def __init__(self, options: MetaOptions) -> None:
        self._options = options
        self._drawn: dict[tuple[int, int], tuple[Weights, Weights]] = {}

    def weights(self, systems: int, topics: int) -> tuple[Weights, Weights]:
        """Tell how often each system (row) and each topic is drawn in each resample (column)."""
        key = systems, topics
        if key not in self._drawn:
            random = np.random.default_rng(self._options.seed)
            self._drawn[key] = (
                self._counts(systems, random, fixed=self._options.over == "inputs"),
                self._counts(topics, random, fixed=self._options.over == "systems"),
            )
        return self._drawn[key]

    def _counts(self, size: int, random: np.random.Generator, *, fixed: bool) -> Weights:
        if fixed:
            return np.ones((size, 1))
        return draw_counts(checked_indices(None, size, self._options.n_resamples, random), size)

    def without_one(self, systems: int, topics: int) -> Iterator[tuple[Weights, Weights]]:
        """Leave out each system, each topic, or each of both in turn, for the jackknife."""
        if self._options.over != "inputs":
            yield 1 - np.eye(systems), np.ones((topics, 1))
        if self._options.over != "systems":
            yield np.ones((systems, 1)), 1 - np.eye(topics)


def correlations_of_metrics(
    tables: MetaTables, options: MetaOptions
) -> dict[str, tuple[MetricCorrelation, ...]]:
    """Correlate every metric with the human measure, at all levels, with all coefficients.

    Systems and topics are drawn among those on which both measures have a score.
    """
    draws = Draws(options)
    found: dict[str, list[MetricCorrelation]] = {name: [] for name in tables.metrics}
    for peers in options.peers:
        chosen = tables.peers(peers)
        again = peers != options.peers[0] and not tables.people.any()
        for name, table in chosen.metrics.items():
            # Without people both peer sets are the same.
            rows = found[name] if again else _correlations(chosen.truth, table, options, draws)
            found[name] = [*found[name], *(replace(row, peers=peers) for row in rows)]
    return {name: tuple(rows) for name, rows in found.items()}


def _correlations(
    truth: Floats, table: Floats, options: MetaOptions, draws: Draws
) -> list[MetricCorrelation]:
    scored, judged = ~np.isnan(table), ~np.isnan(truth)
    both, left_out = scored & judged, int((scored ^ judged).sum())
    rows, columns = both.any(axis=1), both.any(axis=0)
    if columns.sum() < 2:
        return _all_undefined(int(columns.sum()), left_out)
    chosen = np.ix_(rows, columns)
    cells = shared_cells(metric=table[chosen], human=truth[chosen])
    size = cells.systems, cells.inputs
    samples, jackknife = _resampled(cells, options, draws, size)
    return [
        replace(
            _with_interval(
                correlation_of_cells(cells, level, coefficient),
                cells.pairs(level),
                samples[level][coefficient] if samples else None,
                [part[level][coefficient] for part in jackknife],
                options,
            ),
            left_out=left_out,
        )
        for level in LEVELS
        for coefficient in COEFFICIENTS
    ]


def _resampled(
    cells: Cells, options: MetaOptions, draws: Draws, size: tuple[int, int]
) -> tuple[_Samples, list[_Samples]]:
    """Give the correlations of all resamples, and where BCa needs it those without one item."""
    if options.method == "fisher":
        return {}, []
    systems, topics = draws.weights(*size)
    samples = coefficients_at_levels(cells, systems=systems, inputs=topics)
    left_one_out = draws.without_one(*size) if options.method == "bca" else iter(())
    jackknife = [coefficients_at_levels(cells, systems=s, inputs=t) for s, t in left_one_out]
    return samples, jackknife


def _all_undefined(systems: int, left_out: int) -> list[MetricCorrelation]:
    reason = f"{systems} system{'' if systems == 1 else 's'} with both scores, two are needed"
    nan = math.nan
    return [
        MetricCorrelation(
            level, coefficient, "all", nan, nan, nan, 0, left_out=left_out, undefined=reason
        )
        for level in LEVELS
        for coefficient in COEFFICIENTS
    ]


def _with_interval(
    point: ClusteredCorrelation,
    pairs: int,
    samples: Floats | None,
    jackknife: list[Floats],
    options: MetaOptions,
) -> MetricCorrelation:
    if samples is None:
        low, high, reason = _fisher(point, pairs, options.confidence_level)
        undefined = 0
    else:
        low, high = _bootstrap(point.value, samples, jackknife, options)
        undefined = int(np.isnan(samples).sum())
        reason = _NO_RESAMPLE if undefined == len(samples) else ""
    return MetricCorrelation(
        point.level,
        point.coefficient,
        "all",
        point.value,
        low,
        high,
        point.n,
        undefined_inputs=point.undefined_inputs,
        undefined_resamples=undefined,
        undefined=point.undefined or reason,
    )


def _bootstrap(
    value: float, samples: Floats, jackknife: list[Floats], options: MetaOptions
) -> tuple[float, float]:
    found = interval_of_samples(
        value,
        samples,
        lambda: jackknife,
        method="bca" if options.method == "bca" else "percentile",
        confidence_level=options.confidence_level,
        quantiles="linear",
    )
    return found.interval.low, found.interval.high


def _fisher(point: ClusteredCorrelation, pairs: int, level: float) -> tuple[float, float, str]:
    if point.coefficient == "tau_ap":
        return math.nan, math.nan, _NO_FISHER
    found = fisher_interval(point.value, pairs, point.coefficient, confidence_level=level)
    reason = f"{pairs} pairs of values are too few for Fisher's interval"
    return found.low, found.high, reason if math.isnan(found.low) else ""
