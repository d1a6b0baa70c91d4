"""Correlations of metrics with people, and which of two metrics correlates better."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product
from typing import cast

import numpy as np

from pyramidion._types import Floats
from pyramidion.comparison._result import group_letters, ranking_tiers
from pyramidion.comparison.measure_tables import MetaTables
from pyramidion.comparison.procedures import (
    MetaTest,
    effective_correction,
    fallback_note,
)
from pyramidion.errors import InputError
from pyramidion.meta_evaluation._result import (
    COEFFICIENTS,
    LEVELS,
    CorrelationKind,
    MetaOptions,
    MetricCorrelation,
    MetricMatrix,
    MetricPair,
    MetricRank,
    descending,
)
from pyramidion.rendering.labels import counted
from pyramidion.stats import (
    adjust_p,
    clustered_difference,
    correlation_difference,
    jackknife_interval,
    least_resamples,
)
from pyramidion.stats.bootstrap import bca_interval, percentile_interval
from pyramidion.stats.clustered import (
    Cells,
    ClusteredCorrelation,
    CorrelationLevel,
    coefficients_at_levels,
    correlation_of_cells,
    draw_weights,
    jackknife_values,
    level_correlations,
    shared_cells,
    system_means,
)
from pyramidion.stats.correlation import Coefficient
from pyramidion.stats.correlation_tests import CorrelationTest, TestedCoefficient, fisher_interval
from pyramidion.stats.inputs import resampled_p
from pyramidion.stats.pairs import Mapper, Weightings, Weights

_Samples = dict[tuple[CorrelationLevel, Coefficient], Floats]

_TOO_FEW = "too few systems or topics for the jackknife"
_NO_FISHER = "tau_ap has no Fisher interval"
_NO_RESAMPLE = "undefined in all resamples"
_NO_PARTIAL = "tau_ap has no partial correlation"
_ONLY_LENGTH = "length explains the metric or the human score completely"
_NOT_RESAMPLED = "no interval: with this many summaries, only the correlations shown are resampled"

# Summaries times resamples up to which every correlation gets an interval, shown or not.
_MAX_RESAMPLED_SCORES = 50_000_000


#: Counts of each drawn system and topic, by the numbers of systems and topics.
_DrawCounts = dict[tuple[int, int], tuple[Weights, Weights]]


def correlations_of_metrics(
    tables: MetaTables, options: MetaOptions, mapper: Mapper = map
) -> dict[str, tuple[MetricCorrelation, ...]]:
    """Correlate every metric with the human measure, at all levels, with all coefficients.

    Resamples are of the systems and topics for which both measures have a score.
    """
    draws: _DrawCounts = {}  # other processes draw the same
    correlations_by_metric: dict[str, list[MetricCorrelation]] = {
        name: [] for name in tables.metrics
    }
    for peers in options.peers:
        peer_tables = tables.peers(peers)
        is_repeated = peers != options.peers[0] and not tables.people.any()
        # Without people both peer sets are the same.
        correlation_function = partial(
            _correlate_metric, replace(peer_tables, metrics={}, judged=None), options, draws
        )
        correlations = (
            correlations_by_metric.values()
            if is_repeated
            else mapper(correlation_function, peer_tables.metrics.values())
        )
        for name, rows in zip(peer_tables.metrics, list(correlations), strict=True):
            correlations_by_metric[name] = [
                *correlations_by_metric[name],
                *(replace(row, peers=peers) for row in rows),
            ]
    return {name: tuple(rows) for name, rows in correlations_by_metric.items()}


def _correlate_metric(
    tables: MetaTables, options: MetaOptions, draws: _DrawCounts, table: Floats
) -> list[MetricCorrelation]:
    truth = tables.truth
    has_score, has_truth = ~np.isnan(table), ~np.isnan(truth)
    has_both, left_out = has_score & has_truth, int((has_score ^ has_truth).sum())
    controlled_tables: dict[str, Floats] = {}
    if options.control and tables.lengths is not None:
        controlled_tables = {"lengths": tables.lengths}
        has_both &= ~np.isnan(tables.lengths)
    has_topic, has_system = has_both.any(axis=1), has_both.any(axis=0)
    if has_system.sum() < 2:
        reason = f"{counted(int(has_system.sum()), 'system')} with both scores; two are needed"
        return [
            replace(_undefined_correlation(level, coefficient, reason), left_out=left_out)
            for level, coefficient in product(LEVELS, COEFFICIENTS)
        ]
    shared_index = np.ix_(has_topic, has_system)
    measures = {"metric": table, "human": truth, **controlled_tables}
    cells = shared_cells(**{name: values[shared_index] for name, values in measures.items()})
    samples, jackknife = _resample_correlations(cells, options, draws)
    correlations = []
    for level, coefficient in product(LEVELS, COEFFICIENTS):
        if controlled_tables and coefficient == "tau_ap":
            row = _undefined_correlation(level, coefficient, _NO_PARTIAL)
        else:
            row = _with_interval(
                correlation_of_cells(cells, level, coefficient),
                cells.pairs(level),
                samples.get((level, coefficient)),
                [part[level, coefficient] for part in jackknife if (level, coefficient) in part],
                options,
            )
        if controlled_tables:
            uncontrolled_cells = replace(cells, tables=cells.tables[:2])
            uncontrolled_value = correlation_of_cells(uncontrolled_cells, level, coefficient).value
            is_lost = (
                math.isnan(row.value)
                and not math.isnan(uncontrolled_value)
                and coefficient != "tau_ap"
            )
            row = replace(
                row, plain=uncontrolled_value, undefined=_ONLY_LENGTH if is_lost else row.undefined
            )
        correlations.append(replace(row, left_out=left_out))
    return correlations


def correlations_with_length(
    tables: MetaTables, options: MetaOptions
) -> dict[str, dict[CorrelationKind, float]]:
    """Correlate the human measure and each metric with the number of words."""
    correlations_by_name: dict[str, dict[CorrelationKind, float]] = {}
    for peers, (level, coefficient) in product(options.peers, options.shown):
        peer_tables = tables.peers(peers)
        if peer_tables.lengths is None or len(peer_tables.systems) < 2:
            continue
        for name, table in {tables.human: peer_tables.truth, **peer_tables.metrics}.items():
            cells = shared_cells(metric=table, human=peer_tables.lengths)
            value = correlation_of_cells(cells, level, coefficient).value
            correlations_by_name.setdefault(name, {})[level, coefficient, peers] = value
    return correlations_by_name


def _resample_correlations(
    cells: Cells, options: MetaOptions, draws: _DrawCounts
) -> tuple[_Samples, list[_Samples]]:
    """Return the correlations of all resamples, and those of the jackknife, if they are needed."""
    if options.method == "fisher":
        return {}, []
    shape = cells.systems, cells.inputs
    n_rounds = sum(shape) if options.method == "jackknife" else options.n_resamples
    is_limited = int(cells.present.sum()) * n_rounds > _MAX_RESAMPLED_SCORES

    def correlate_weighted(systems: Weights, topics: Weightings) -> _Samples:
        if is_limited:
            correlation_function = partial(
                level_correlations, cells, systems=systems, inputs=topics
            )
            return {
                kind: correlation_function(level=kind[0], coefficient=kind[1])
                for kind in options.shown
            }
        levels = coefficients_at_levels(cells, systems=systems, inputs=topics)
        return {(level, name): levels[level][name] for level in levels for name in levels[level]}

    uses_jackknife = options.method != "percentile"
    left_one_out = (
        jackknife_values(correlate_weighted, cells, options.over) if uses_jackknife else []
    )
    if options.method == "jackknife":
        return {}, left_one_out
    if shape not in draws:
        draws[shape] = draw_weights(cells, options.over, options.n_resamples, rng=options.seed)
    return correlate_weighted(*draws[shape]), left_one_out


def _undefined_correlation(
    level: CorrelationLevel, coefficient: Coefficient, reason: str
) -> MetricCorrelation:
    nan = math.nan
    return MetricCorrelation(level, coefficient, "all", nan, nan, nan, 0, undefined=reason)


def _with_interval(
    correlation: ClusteredCorrelation,
    pairs: int,
    samples: Floats | None,
    jackknife: list[Floats],
    options: MetaOptions,
) -> MetricCorrelation:
    """Add the interval, or the reason why there is none."""
    low, high, n_undefined, reason = math.nan, math.nan, 0, ""
    value, level = correlation.value, options.confidence_level
    if options.method == "fisher" and correlation.coefficient == "tau_ap":
        reason = _NO_FISHER
    elif options.method == "fisher":
        # A control variable costs a degree of freedom.
        pairs -= bool(options.control)
        interval = fisher_interval(value, pairs, correlation.coefficient, confidence_level=level)
        low, high = interval.low, interval.high
        if math.isnan(low):
            reason = f"{pairs} pairs of values are too few for Fisher's interval"
    elif options.method == "jackknife" and jackknife:
        interval = jackknife_interval(
            value,
            jackknife,
            correlation.level,
            correlation.coefficient,
            pairs,
            confidence_level=level,
        )
        low, high = interval.low, interval.high
        reason = _TOO_FEW if math.isnan(low) else ""
    elif samples is None:
        reason = _NOT_RESAMPLED
    else:
        n_undefined = int(np.isnan(samples).sum())
        reason = _NO_RESAMPLE if n_undefined == len(samples) else ""
        if options.method == "percentile":
            interval = percentile_interval(samples, confidence_level=level)
            low, high = interval.low, interval.high
        else:
            bca = bca_interval(samples, value, jackknife, confidence_level=level, least=0.5)
            low, high = bca.interval.low, bca.interval.high
    fields = (value, low, high, correlation.n, correlation.undefined_inputs, n_undefined)
    note = correlation.undefined or reason
    return MetricCorrelation(
        correlation.level, correlation.coefficient, "all", *fields, undefined=note
    )


Correlations = dict[str, tuple[MetricCorrelation, ...]]

# Standardized differences closer than this are equal up to rounding.
_TIE_TOLERANCE = 1e-9

# The tests on system means need at least four systems.
_MIN_SYSTEMS = 4


@dataclass(frozen=True, slots=True, eq=False)
class MetricPairTest:
    """A tested pair before correction, with its standardized difference for max-T.

    `observed` is the absolute difference divided by its standard deviation under swaps (NaN if
    undefined), `swapped` the same after each swap.
    """

    pair: MetricPair
    observed: float = math.nan
    swapped: Floats = field(default_factory=lambda: np.empty(0))


def metric_matrices(
    tables: MetaTables, correlations: Correlations, options: MetaOptions, mapper: Mapper = map
) -> tuple[MetricMatrix, ...]:
    """Test all pairs of metrics: for each peer set, test, level and coefficient."""
    if len(tables.metrics) < 2:
        return ()
    matrices: list[MetricMatrix] = []
    for peers, test in product(options.peers, options.tests):
        if peers != options.peers[0] and not tables.people.any():
            # Without people both peer sets are the same.
            matrices += [replace(m, peers=peers) for m in matrices if m.test == test]
            continue
        peer_tables = tables.peers(peers)
        for level, coefficient in product(*options.tested(test)):
            kind = (level, coefficient, peers)
            values = {
                name: next(r.value for r in rows if (r.level, r.coefficient, r.peers) == kind)
                for name, rows in correlations.items()
            }
            matrices.append(_test_all_pairs(peer_tables, values, test, kind, options, mapper))
    return tuple(matrices)


def _test_all_pairs(
    tables: MetaTables,
    values: dict[str, float],
    test: MetaTest,
    kind: CorrelationKind,
    options: MetaOptions,
    mapper: Mapper,
) -> MetricMatrix:
    order = sorted(values, key=lambda name: descending(values[name]))
    pairs = list(combinations(order, 2))
    correction = effective_correction(options.correction, test)
    notes = [fallback_note(options.correction, test)]
    if test == "permutation":
        test_by_swaps = partial(test_pair_by_swaps, kind=kind, options=options)
        tests = list(mapper(test_by_swaps, (_select_pair(tables, pair) for pair in pairs)))
        if correction in ("holm", "bh"):
            tests, notes = _raise_resamples(tables, pairs, tests, kind, options, mapper)
    else:
        tests = [test_pair_of_means(tables, pair, test, kind, options) for pair in pairs]
    p = np.array([metric_test.pair.p for metric_test in tests])
    if correction in ("holm", "bh", "none"):
        p_adjusted = adjust_p(p, method=correction)
    else:
        # No correction makes p smaller.
        p_adjusted = np.maximum(p, _max_t_p(tests, step_down=correction == "maxt"))
    corrected_tests = zip(tests, p_adjusted.tolist(), strict=True)
    tested_pairs = tuple(
        replace(metric_test.pair, p_adjusted=p) for metric_test, p in corrected_tests
    )
    # Metrics that could not be tested share no letter.
    undecided_pairs = ((pair.a, pair.b) for pair in tested_pairs if pair.p_adjusted > options.alpha)
    significant_pairs = (
        (pair.a, pair.b) for pair in tested_pairs if pair.p_adjusted <= options.alpha
    )
    letters, tiers = group_letters(order, undecided_pairs), ranking_tiers(order, significant_pairs)
    ranks = {name: 1 + sum(value > values[name] for value in values.values()) for name in order}
    return MetricMatrix(
        *kind, test, correction, options.alpha,
        n_resamples=max((pair.n_resamples for pair in tested_pairs), default=0),
        metrics=tuple(MetricRank(n, values[n], ranks[n], letters[n], tiers[n]) for n in order),
        pairs=tested_pairs, notes=tuple(filter(None, notes)),
    )  # fmt: skip


def _raise_resamples(
    tables: MetaTables,
    pairs: Sequence[tuple[str, str]],
    tests: Sequence[MetricPairTest],
    kind: CorrelationKind,
    options: MetaOptions,
    mapper: Mapper,
) -> tuple[list[MetricPairTest], list[str]]:
    """Swap more often if the correction needs smaller p-values than the swaps allow.

    Pairs that are not significant before correction keep their p-value.
    """
    min_resamples = least_resamples(len(pairs), options.alpha)
    close_indices = [
        index for index, metric_test in enumerate(tests) if metric_test.pair.p <= options.alpha
    ]
    if min_resamples <= options.n_resamples or not close_indices:
        return list(tests), []
    test_by_swaps = partial(
        test_pair_by_swaps, kind=kind, options=replace(options, n_resamples=min_resamples)
    )
    updated_tests = list(tests)
    repeated_tests = mapper(
        test_by_swaps, (_select_pair(tables, pairs[index]) for index in close_indices)
    )
    for index, metric_test in zip(close_indices, repeated_tests, strict=True):
        updated_tests[index] = metric_test
    note = (
        f"Swaps were raised from {options.n_resamples:,} to {min_resamples:,} for the "
        f"{len(close_indices)} pairs with p up to {options.alpha:g}, as the correction for "
        f"{len(pairs)} pairs requires."
    )
    return updated_tests, [note]


def _max_t_p(tests: Sequence[MetricPairTest], *, step_down: bool) -> Floats:
    """Compare each standardized difference with the largest of all pairs after the same swaps.

    For step-down, the largest is over pairs whose difference is not larger.
    """
    observed = np.array([metric_test.observed for metric_test in tests])
    rising_order = np.argsort(observed)[: np.count_nonzero(~np.isnan(observed))]
    p_adjusted = np.full(len(tests), np.nan)
    if len(rising_order):
        max_statistics = np.fmax.accumulate([tests[index].swapped for index in rising_order])
        max_statistics = max_statistics if step_down else max_statistics[-1:]
        n_at_least = np.sum(max_statistics >= observed[rising_order, None] - _TIE_TOLERANCE, axis=1)
        p = resampled_p(n_at_least, np.sum(~np.isnan(max_statistics), axis=1))
        p_adjusted[rising_order] = np.maximum.accumulate(p[::-1])[::-1]
    return p_adjusted


def _select_pair(tables: MetaTables, names: tuple[str, str]) -> MetaTables:
    """Select two metrics, in this order."""
    return replace(tables, metrics={name: tables.metrics[name] for name in names})


def test_pair_by_swaps(
    tables: MetaTables, kind: CorrelationKind, options: MetaOptions
) -> MetricPairTest:
    """Test two metrics by swapping their values, the same cells for all pairs."""
    (a, first), (b, second) = tables.metrics.items()
    has_all = ~np.isnan(np.stack([first, second, tables.truth])).any(axis=0)
    n_systems = int(has_all.any(axis=0).sum())
    if n_systems < 2:
        return _undefined_pair((a, b), f"systems with all three scores: {n_systems}")
    test = clustered_difference(
        first, second, tables.truth, level=kind[0], coefficient=kind[1],
        control=tables.lengths if options.control else None, over=options.over,
        n_resamples=options.n_resamples, rng=options.seed,
    )  # fmt: skip
    note = "a correlation is undefined" if math.isnan(test.difference) else ""
    fields = (test.first, test.second, test.difference, math.nan, test.p, math.nan)
    pair = MetricPair(a, b, *fields, n_resamples=options.n_resamples, note=note)
    return MetricPairTest(pair, *_standardize(test.difference, test.samples))


def _undefined_pair(names: tuple[str, str], reason: str) -> MetricPairTest:
    nan = math.nan
    return MetricPairTest(MetricPair(*names, nan, nan, nan, nan, nan, nan, note=reason))


def _standardize(difference: float, samples: Floats) -> tuple[float, Floats]:
    known_samples = samples[~np.isnan(samples)]
    spread = float(np.sqrt(np.mean(known_samples**2))) if len(known_samples) else 0.0
    if math.isnan(difference) or spread <= 1e-12:
        return difference * 0.0, np.zeros_like(samples)
    return abs(difference) / spread, np.abs(samples) / spread


def test_pair_of_means(
    tables: MetaTables,
    names: tuple[str, str],
    test: MetaTest,
    kind: CorrelationKind,
    options: MetaOptions,
) -> MetricPairTest:
    """Test two metrics on the systems' means over the topics that have all three scores."""
    a, b = names
    try:
        cells = shared_cells(first=tables.metrics[a], second=tables.metrics[b], human=tables.truth)
    except InputError as error:
        return _undefined_pair(names, error.what)
    has_score = cells.present.any(axis=0)
    if has_score.sum() < _MIN_SYSTEMS:
        reason = f"systems with all three scores: {has_score.sum()}; {_MIN_SYSTEMS} are needed"
        return _undefined_pair(names, reason)
    unit_weights = np.ones((cells.inputs, 1))
    means = [
        system_means(table, cells.present, unit_weights)[has_score, 0] for table in cells.tables
    ]
    result = correlation_difference(
        *means,
        test=cast("CorrelationTest", test),
        coefficient=cast("TestedCoefficient", kind[1]),
        confidence_level=options.confidence_level,
    )
    fields = (result.first, result.second, result.difference, result.statistic, result.p, math.nan)
    interval_ends = result.interval.low, result.interval.high
    return MetricPairTest(MetricPair(a, b, *fields, *interval_ends, note=result.undefined))
