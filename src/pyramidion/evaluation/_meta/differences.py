"""Which metrics differ: every pair tested, corrected for the number of pairs, and grouped."""

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, product

import numpy as np

from pyramidion._types import Floats
from pyramidion.evaluation._compare.ranking import clusters, group_letters
from pyramidion.evaluation._judged import MetaTables, Peers
from pyramidion.evaluation._meta.options import MetaOptions
from pyramidion.evaluation._meta.pair_tests import PairTest, permuted, tested_means
from pyramidion.evaluation._meta.result import (
    MetricCorrelation,
    MetricMatrix,
    MetricPair,
    MetricRank,
    descending,
)
from pyramidion.evaluation.procedures import (
    Correction,
    MetaTest,
    effective_correction,
    fallback_note,
)
from pyramidion.stats.adjust import adjust_p
from pyramidion.stats.clustered_weights import CorrelationLevel
from pyramidion.stats.inputs import resampled_p
from pyramidion.stats.pair_permutation import least_resamples
from pyramidion.stats.weighted import Coefficient

__all__ = ["metric_matrices"]

Correlations = dict[str, tuple[MetricCorrelation, ...]]

# Standardised differences closer than this are equal: they are sums of rounded numbers.
_NOISE = 1e-9


def metric_matrices(
    tables: MetaTables, correlations: Correlations, options: MetaOptions
) -> tuple[MetricMatrix, ...]:
    """Test all pairs of metrics: for each peer set, test, level and coefficient.

    Parameters
    ----------
    tables
        The measures side by side.
    correlations
        The metrics' correlations, by which they are ranked.
    options
        What is tested, and how.

    Examples
    --------
    >>> from pyramidion.evaluation._meta.correlations import correlations_of_metrics
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.normal(size=(30, 12)) + np.arange(12)
    >>> metrics = {"good": truth + rng.normal(size=(30, 12)), "bad": rng.normal(size=(30, 12))}
    >>> tables = MetaTables("human", "", tuple(map(str, range(30))), tuple(map(str, range(12))),
    ...                     np.zeros(12, bool), truth, metrics)
    >>> options = MetaOptions(peers=("all",), levels=("input",), n_resamples=99)
    >>> found = metric_matrices(tables, correlations_of_metrics(tables, options), options)
    >>> [(m.metric, m.group, m.cluster) for m in found[0].metrics]
    [('good', 'a', 1), ('bad', 'b', 2)]
    """
    if len(tables.metrics) < 2:
        return ()
    found: list[MetricMatrix] = []
    for peers, test in product(options.peers, options.tests):
        if peers != options.peers[0] and not tables.people.any():
            # Without people both peer sets are the same.
            found += [replace(m, peers=peers) for m in found if m.test == test]
            continue
        chosen = tables.peers(peers)
        for level, coefficient in product(*options.tested(test)):
            what = (level, coefficient, peers)
            values = {name: _value(rows, what) for name, rows in correlations.items()}
            found.append(_matrix(chosen, values, test, what, options))
    return tuple(found)


_What = tuple[CorrelationLevel, Coefficient, Peers]


def _value(rows: Sequence[MetricCorrelation], what: _What) -> float:
    return next(row.value for row in rows if (row.level, row.coefficient, row.peers) == what)


def _matrix(
    tables: MetaTables,
    values: dict[str, float],
    test: MetaTest,
    what: _What,
    options: MetaOptions,
) -> MetricMatrix:
    level, coefficient, peers = what
    order = sorted(values, key=lambda name: descending(values[name]))
    pairs = list(combinations(order, 2))
    correction = effective_correction(options.correction, test)
    notes = [fallback_note(options.correction, test)]
    if test == "permutation":
        tests = [permuted(tables, pair, level, coefficient, options) for pair in pairs]
        if correction in ("holm", "bh"):
            tests, notes = _raised(tables, pairs, tests, level, coefficient, options)
    else:
        tests = [tested_means(tables, pair, test, coefficient, options) for pair in pairs]
    adjusted = _adjusted(tests, correction)
    found = tuple(
        replace(one.pair, p_adjusted=float(p)) for one, p in zip(tests, adjusted, strict=True)
    )
    return MetricMatrix(
        level=level,
        coefficient=coefficient,
        peers=peers,
        test=test,
        correction=correction,
        alpha=options.alpha,
        n_resamples=max((pair.n_resamples for pair in found), default=0),
        metrics=_ranking(order, values, found, options.alpha),
        pairs=found,
        notes=tuple(filter(None, notes)),
    )


def _raised(
    tables: MetaTables,
    pairs: Sequence[tuple[str, str]],
    tests: Sequence[PairTest],
    level: CorrelationLevel,
    coefficient: Coefficient,
    options: MetaOptions,
) -> tuple[list[PairTest], list[str]]:
    """Swap more often where the correction asks for p-values smaller than the swaps allow.

    Pairs that are not significant before correction keep their p-value: whatever more swaps
    would give, they are found no oftener than the level allows.
    """
    needed = least_resamples(len(pairs), options.alpha)
    close = [number for number, one in enumerate(tests) if one.pair.p <= options.alpha]
    if needed <= options.n_resamples or not close:
        return list(tests), []
    more = replace(options, n_resamples=needed)
    raised = list(tests)
    for number in close:
        raised[number] = permuted(tables, pairs[number], level, coefficient, more)
    note = (
        f"Swaps were raised from {options.n_resamples:,} to {needed:,} for the {len(close)} pairs "
        f"with p up to {options.alpha:g}: with {len(pairs)} pairs the correction needs as many."
    )
    return raised, [note]


def _adjusted(tests: Sequence[PairTest], correction: Correction) -> Floats:
    p = np.array([one.pair.p for one in tests])
    if correction != "maxt":
        return adjust_p(p, method=correction)
    # No correction makes p smaller.
    corrected: Floats = np.maximum(p, _max_t(tests))
    return corrected


def _max_t(tests: Sequence[PairTest]) -> Floats:
    """Compare each difference with the largest of all pairs after the same swaps.

    Differences are divided by their standard deviation under swaps, so that pairs of metrics
    that move much do not rule the maximum.
    """
    observed = np.array([one.observed for one in tests])
    known = ~np.isnan(observed)
    adjusted = np.full(len(tests), np.nan)
    if known.any():
        swapped = [one.swapped for one in tests if not math.isnan(one.observed)]
        largest = np.fmax.reduce(swapped)
        defined = np.sort(largest[~np.isnan(largest)])
        at_least = len(defined) - np.searchsorted(defined, observed[known] - _NOISE)
        adjusted[known] = resampled_p(at_least, len(defined))
    return adjusted


def _ranking(
    order: Sequence[str], values: dict[str, float], pairs: Sequence[MetricPair], alpha: float
) -> tuple[MetricRank, ...]:
    found = {(pair.a, pair.b) for pair in pairs if pair.p_adjusted <= alpha}

    def differ(a: str, b: str) -> bool:
        return (a, b) in found or (b, a) in found

    letters, cluster = group_letters(order, differ), clusters(order, differ)
    return tuple(
        MetricRank(
            name,
            values[name],
            1 + sum(value > values[name] for value in values.values()),
            letters[name],
            cluster[name],
        )
        for name in order
    )
