"""The impact of leaving out the worst assessors on rankings and metrics."""

import math
from collections.abc import Collection as Names
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, get_args

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Scores, find_measure, full_measure_name
from pyramidion.collection.ids import grouped, natural_orders
from pyramidion.collection.matrix import cell_means
from pyramidion.collection.measures import is_lower_better
from pyramidion.comparison.common import (
    correlate_pairs,
    known_mean,
    known_means,
    means_of_both,
    places_of,
    rows_of,
)
from pyramidion.comparison.measure_tables import Peers
from pyramidion.judges._consistency import Consistency
from pyramidion.judges._panel import Panel
from pyramidion.judges._severity import AssessorDifference

#: How the worst assessors are found.
Criterion = Literal["alpha", "manual-automatic"]
CRITERIA: tuple[Criterion, ...] = get_args(Criterion)


@dataclass(frozen=True, slots=True)
class WorstFirst:
    """Assessors in the order in which they are left out."""

    criterion: Criterion
    assessors: tuple[str, ...]
    values: tuple[float, ...]
    unknown: tuple[str, ...] = ()


def worst_by_alpha(
    consistencies: Iterable[Consistency], collection: str | None, measure: str
) -> WorstFirst:
    """Order the assessors of a measure by their alpha, the lowest first."""
    alphas = {
        row.assessor: row.alpha.value
        for row in consistencies
        if row.assessor is not None and (row.collection, row.measure) == (collection, measure)
    }
    return _order_by_value("alpha", alphas)


def worst_by_difference(
    differences: Iterable[AssessorDifference], collection: str | None, assessors: Sequence[str] = ()
) -> WorstFirst:
    """Order assessors by their manual minus automatic pyramid scores, the lowest first."""
    differences_by_assessor = {
        row.assessor: row.difference for row in differences if row.collection == collection
    }
    return _order_by_value(
        "manual-automatic", {**dict.fromkeys(assessors, math.nan), **differences_by_assessor}
    )


def worst_of_years(orders: Sequence[WorstFirst]) -> WorstFirst:
    """Combine the orders of several years by the mean value of each assessor.

    This is for years that cannot be pooled because their scales differ.
    """
    pairs = (
        (name, value)
        for order in orders
        for name, value in zip(order.assessors, order.values, strict=True)
    )
    unknown_values: dict[str, list[float]] = {
        name: [] for order in orders for name in order.unknown
    }
    values = unknown_values | grouped(pairs)
    means = {
        name: sum(year_values) / len(year_values) if year_values else math.nan
        for name, year_values in values.items()
    }
    return _order_by_value(orders[0].criterion, means)


def _order_by_value(criterion: Criterion, value_by_assessor: dict[str, float]) -> WorstFirst:
    known_values = sorted(
        (value, name) for name, value in value_by_assessor.items() if not math.isnan(value)
    )
    names, values = (
        tuple(name for _, name in known_values),
        tuple(value for value, _ in known_values),
    )
    unknown_names = tuple(name for name, value in value_by_assessor.items() if math.isnan(value))
    return WorstFirst(criterion, names, values, unknown_names)


@dataclass(frozen=True, slots=True, eq=False)
class JudgedCells:
    """Judgments of one measure by topic (with its task), system and assessor."""

    topic_keys: tuple[tuple[str, str], ...]
    systems: tuple[str, ...]
    assessors: tuple[str, ...]
    cell: Ints
    judge: Ints
    value: Floats

    @classmethod
    def of(cls, rows: Scores, *, peers: Peers = "all") -> "JudgedCells":
        """Read the judgments of one measure and year, of all systems or of machines only."""
        if peers == "machines":
            rows = rows.select(kind="machine")
        topic_keys = list(rows_of(rows, "task", "topic"))
        names = tuple(sorted(set(topic_keys), key=natural_orders))
        systems, assessors = rows.distinct("system"), rows.distinct("assessor")
        columns = places_of(rows.columns["system"], systems)
        cells = places_of(topic_keys, names) * len(systems) + columns
        judges = places_of(rows.columns["assessor"], assessors)
        return cls(names, systems, assessors, cells, judges, rows.value)

    def means_by(self, assessors: Names[str]) -> Floats:
        """Average the judgments of some assessors: topics x systems, NaN if there are none."""
        is_selected = np.array([name in assessors for name in self.assessors], dtype=bool)[
            self.judge
        ]
        return self._table(self.cell[is_selected], self.value[is_selected])

    def spread(self, rows: Scores) -> Floats:
        """Arrange other scores of the same summaries in the same shape."""
        topics = places_of(rows_of(rows, "task", "topic"), self.topic_keys)
        systems = places_of(rows.columns["system"], self.systems)
        in_table = (topics >= 0) & (systems >= 0)
        return self._table((topics * len(self.systems) + systems)[in_table], rows.value[in_table])

    def _table(self, cells: Ints, values: Floats) -> Floats:
        shape = len(self.topic_keys), len(self.systems)
        return cell_means(cells, values, shape[0] * shape[1]).reshape(shape)


@dataclass(frozen=True, slots=True)
class MetricStep:
    """How well a metric predicts the remaining assessors."""

    metric: str
    pearson: float
    spearman: float
    summary_level: float
    assessors: Mapping[str, float]


def metric_measures(panel: Panel, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the named metrics, or all automatic ones among the scores."""
    available_measures = panel.metrics.measures
    if not names:
        measures = ((name, find_measure(name)) for name in available_measures)
        return tuple(
            name for name, measure in measures if measure is not None and not measure.human
        )
    full_names = [full_measure_name(name, available_measures) for name in names]
    for name in full_names:
        panel.metrics.require("measure", name)
    return tuple(full_names)


# If there are more sets of assessors than this, a sample of them is drawn.
_MAX_ENUMERATED_SETS = 500


@dataclass(frozen=True, slots=True)
class Chance:
    """The effect of leaving out any set of assessors of the same size."""

    choices: int
    pearson: float
    spearman: float
    lower: float


@dataclass(frozen=True, slots=True)
class ImpactStep:
    """The results of an evaluation without some assessors."""

    left_out: tuple[str, ...]
    topics: int
    systems: int
    pearson: float
    spearman: float
    chance: Chance | None = None
    metrics: tuple[MetricStep, ...] = ()
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Impact:
    """The impact of leaving out the worst assessors one by one."""

    collection: str
    task: str | None
    peers: Peers
    measure: str
    worst: WorstFirst
    steps: tuple[ImpactStep, ...]


def assessor_impact(
    panel: Panel,
    collection: str,
    measure: str,
    worst_first: WorstFirst,
    *,
    task: str | None = None,
    peers: Peers = "machines",
    metrics: Sequence[str] = (),
    max_excluded: int | None = None,
    seed: int = 0,
) -> Impact:
    """Leave out the worst assessor, the two worst, and so on, and rank systems each time."""
    rows, scores = panel.of(collection, measure), panel.metrics.select(collection=collection)
    if task is not None:
        rows, scores = rows.select(task=task), scores.select(task=task)
    cells = JudgedCells.of(rows, peers=peers)
    assessors = cells.assessors
    tables = {name: cells.spread(scores.select(measure=name)) for name in metrics}
    for name in metrics:
        if is_lower_better(name, panel.declared):
            tables[name] *= -1
    single_tables = {name: cells.means_by([name]) for name in assessors}
    correlations_by_metric = {
        metric: {
            name: correlate_pairs(single_table, table)[1]
            for name, single_table in single_tables.items()
        }
        for metric, table in tables.items()
    }
    all_means, rng = known_means(cells.means_by(assessors)), np.random.default_rng(seed)
    present_assessors = [name for name in worst_first.assessors if name in assessors]
    n_excluded = min(len(present_assessors[:max_excluded]), len(assessors) - 1)
    steps = []
    for n_left_out in range(n_excluded + 1):
        remaining_assessors = [
            name for name in assessors if name not in present_assessors[:n_left_out]
        ]
        table = cells.means_by(remaining_assessors)
        systems, r, rho = correlate_pairs(all_means, known_means(table))
        reason = f"{systems} systems have means before and after"
        reason = reason if systems < 2 else "all systems have the same mean"
        metric_steps = []
        for metric, metric_table in tables.items():
            correlations = {
                name: correlations_by_metric[metric][name] for name in remaining_assessors
            }
            _, r_of_means, rho_of_means = correlate_pairs(*means_of_both(table, metric_table))
            metric_steps.append(
                MetricStep(
                    metric,
                    r_of_means,
                    rho_of_means,
                    known_mean(correlations.values()),
                    correlations,
                )
            )
        steps.append(
            ImpactStep(
                tuple(present_assessors[:n_left_out]), int((~np.isnan(table)).any(axis=1).sum()),
                systems, r, rho,
                chance=_chance(cells, all_means, n_left_out, r, rng) if n_left_out else None,
                metrics=tuple(metric_steps), undefined=reason if math.isnan(r) else "",
            )
        )  # fmt: skip
    return Impact(collection, task, peers, measure, worst_first, tuple(steps))


def _chance(
    cells: JudgedCells, all_means: Floats, size: int, observed: float, rng: np.random.Generator
) -> Chance:
    """Leave out every set of assessors of this size, or a sample of such sets."""
    names = cells.assessors
    if math.comb(len(names), size) <= _MAX_ENUMERATED_SETS:
        choices = list(combinations(range(len(names)), size))
    else:
        draws = (rng.permutation(len(names))[:size].tolist() for _ in range(_MAX_ENUMERATED_SETS))
        choices = list(map(tuple, draws))
    assessor_sets = (
        [name for index, name in enumerate(names) if index not in choice] for choice in choices
    )
    correlations = (
        correlate_pairs(all_means, known_means(cells.means_by(assessors)))[1:]
        for assessors in assessor_sets
    )
    known_correlations = np.array([pair for pair in correlations if not math.isnan(pair[0])])
    if not len(known_correlations) or math.isnan(observed):
        return Chance(len(choices), math.nan, math.nan, math.nan)
    r, rho = known_correlations.mean(axis=0).tolist()
    return Chance(
        len(choices), r, rho, float(np.mean(known_correlations[:, 0] <= observed + 1e-12))
    )
