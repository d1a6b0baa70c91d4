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
    return _worst("alpha", alphas)


def worst_by_difference(
    differences: Iterable[AssessorDifference], collection: str | None, assessors: Sequence[str] = ()
) -> WorstFirst:
    """Order assessors by their manual minus automatic pyramid scores, the lowest first."""
    by_assessor = {
        row.assessor: row.difference for row in differences if row.collection == collection
    }
    return _worst("manual-automatic", {**dict.fromkeys(assessors, math.nan), **by_assessor})


def worst_of_years(orders: Sequence[WorstFirst]) -> WorstFirst:
    """Combine the orders of several years by the mean value of each assessor.

    For years that cannot be pooled because their scales differ.
    """
    pairs = ((n, v) for order in orders for n, v in zip(order.assessors, order.values, strict=True))
    unknown_values: dict[str, list[float]] = {
        name: [] for order in orders for name in order.unknown
    }
    values = unknown_values | grouped(pairs)
    means = {
        name: sum(numbers) / len(numbers) if numbers else math.nan
        for name, numbers in values.items()
    }
    return _worst(orders[0].criterion, means)


def _worst(criterion: Criterion, by_assessor: dict[str, float]) -> WorstFirst:
    known_values = sorted(
        (value, name) for name, value in by_assessor.items() if not math.isnan(value)
    )
    names, values = (
        tuple(name for _, name in known_values),
        tuple(value for value, _ in known_values),
    )
    unknown_names = tuple(name for name, value in by_assessor.items() if math.isnan(value))
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

    def by(self, assessors: Names[str]) -> Floats:
        """Average the judgments of some assessors: topics x systems, NaN if there are none."""
        by_assessors = np.array([name in assessors for name in self.assessors], dtype=bool)[
            self.judge
        ]
        return self._table(self.cell[by_assessors], self.value[by_assessors])

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


# With more choices of assessors, a sample is drawn.
_MAX_CHOICES = 500


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
    single_impacts = {name: cells.by([name]) for name in assessors}
    by_assessor = {
        metric: {
            name: correlate_pairs(impacts, table)[1] for name, impacts in single_impacts.items()
        }
        for metric, table in tables.items()
    }
    all_means, rng = known_means(cells.by(assessors)), np.random.default_rng(seed)
    present_assessors = [name for name in worst_first.assessors if name in assessors]
    n_excluded = min(len(present_assessors[:max_excluded]), len(assessors) - 1)
    steps = []
    for number in range(n_excluded + 1):
        other_assessors = [name for name in assessors if name not in present_assessors[:number]]
        table = cells.by(other_assessors)
        systems, r, rho = correlate_pairs(all_means, known_means(table))
        reason = f"{systems} systems have means before and after"
        reason = reason if systems < 2 else "all systems have the same mean"
        metric_steps = []
        for metric, other in tables.items():
            correlations = {name: by_assessor[metric][name] for name in other_assessors}
            _, of_means, of_ranks = correlate_pairs(*means_of_both(table, other))
            metric_steps.append(
                MetricStep(
                    metric, of_means, of_ranks, known_mean(correlations.values()), correlations
                )
            )
        steps.append(
            ImpactStep(
                tuple(present_assessors[:number]), int((~np.isnan(table)).any(axis=1).sum()),
                systems, r, rho,
                chance=_chance(cells, all_means, number, r, rng) if number else None,
                metrics=tuple(metric_steps), undefined=reason if math.isnan(r) else "",
            )
        )  # fmt: skip
    return Impact(collection, task, peers, measure, worst_first, tuple(steps))


def _chance(
    cells: JudgedCells, all_means: Floats, size: int, observed: float, rng: np.random.Generator
) -> Chance:
    """Leave out every set of assessors of this size, or a sample of such sets."""
    names = cells.assessors
    if math.comb(len(names), size) <= _MAX_CHOICES:
        choices = list(combinations(range(len(names)), size))
    else:
        draws = (rng.permutation(len(names))[:size].tolist() for _ in range(_MAX_CHOICES))
        choices = list(map(tuple, draws))
    assessor_sets = (
        [name for n, name in enumerate(names) if n not in choice] for choice in choices
    )
    correlations = (
        correlate_pairs(all_means, known_means(cells.by(assessors)))[1:]
        for assessors in assessor_sets
    )
    known_pairs = np.array([pair for pair in correlations if not math.isnan(pair[0])])
    if not len(known_pairs) or math.isnan(observed):
        return Chance(len(choices), math.nan, math.nan, math.nan)
    r, rho = known_pairs.mean(axis=0).tolist()
    return Chance(len(choices), r, rho, float(np.mean(known_pairs[:, 0] <= observed + 1e-12)))
