"""Correlations of metrics with the judgments of some of the assessors."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import Measure, Scores, find_measure, full_measure_name
from pyramidion.collection.measures import is_lower_better
from pyramidion.evaluation.assessors.panel import Panel
from pyramidion.evaluation.assessors.rankings import JudgedCells
from pyramidion.stats.correlation import pearson, spearman

__all__ = ["MetricStep", "MetricTables", "metric_measures"]


@dataclass(frozen=True, slots=True)
class MetricStep:
    """How well a metric stands in for the assessors that are left.

    Parameters
    ----------
    metric
        Which.
    pearson, spearman
        Of systems' means, over summaries that have both scores.
    summary_level
        Pearson's correlation over all summaries of an assessor, averaged over assessors.
    assessors
        The same for each assessor; NaN where it is undefined, which the average leaves out.

    Examples
    --------
    >>> MetricStep("rouge-2-r", 0.93, 0.9, 0.694, {"K": 0.7}).summary_level
    0.694
    """

    metric: str
    pearson: float
    spearman: float
    summary_level: float
    assessors: Mapping[str, float]


def metric_measures(panel: Panel, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Name the metrics among the scores that nobody judged.

    Parameters
    ----------
    panel
        The scores.
    wanted
        Those asked for; a bare name of a ROUGE variant means its F. If none is, all that are
        metrics of this package, or published ones (``auto-...``).

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> rows = [Judgment("T1", "7", "readability", 4.0, assessor="K"),
    ...         Judgment("T1", "7", "rouge-2-f", 0.1), Judgment("T1", "7", "length", 90.0)]
    >>> panel = gather_panel([Collection("", scores=Scores.from_judgments(rows))])
    >>> metric_measures(panel), metric_measures(panel, ["rouge-2", "length"])
    (('rouge-2-f',), ('rouge-2-f', 'length'))
    """
    there = panel.metrics.measures
    if not wanted:
        return tuple(name for name in there if _is_metric(name))
    full = [full_measure_name(name, there) for name in wanted]
    for name in full:
        panel.metrics.require("measure", name)
    return tuple(full)


def _is_metric(name: str) -> bool:
    known = find_measure(name)
    return known is not None and not known.human


@dataclass(frozen=True, slots=True, eq=False)
class MetricTables:
    """Metrics' scores of the summaries that were judged.

    Parameters
    ----------
    cells
        The judgments.
    tables
        For each metric, places x systems; those of which lower is better are multiplied by -1.
    """

    cells: JudgedCells
    tables: Mapping[str, Floats]
    by_assessor: Mapping[str, Mapping[str, float]]

    @classmethod
    def of(
        cls,
        cells: JudgedCells,
        scores: Scores,
        metrics: Sequence[str],
        declared: Mapping[str, Measure] | None = None,
    ) -> "MetricTables":
        """Take some metrics' scores of what was judged."""
        tables = {}
        for name in metrics:
            table = cells.spread(scores.select(measure=name))
            tables[name] = -table if is_lower_better(name, declared) else table
        own = {name: cells.by([name]) for name in cells.assessors}
        by_assessor = {
            metric: {name: _correlation(judged, table) for name, judged in own.items()}
            for metric, table in tables.items()
        }
        return cls(cells, tables, by_assessor)

    def step(self, judged: Floats, assessors: Sequence[str]) -> tuple[MetricStep, ...]:
        """Correlate every metric with what some assessors say.

        Parameters
        ----------
        judged
            Their judgments, averaged: places x systems.
        assessors
            Who they are.
        """
        return tuple(self._one(name, judged, assessors) for name in self.tables)

    def _one(self, metric: str, judged: Floats, assessors: Sequence[str]) -> MetricStep:
        table = self.tables[metric]
        both = ~np.isnan(judged) & ~np.isnan(table)
        means = [self.cells.means(np.where(both, one, np.nan)) for one in (judged, table)]
        known = ~np.isnan(means[0])
        own = {name: self.by_assessor[metric][name] for name in assessors}
        defined = [value for value in own.values() if not math.isnan(value)]
        first, second = (one[known] for one in means)
        enough = len(first) > 1
        return MetricStep(
            metric=metric,
            pearson=pearson(first, second).value if enough else math.nan,
            spearman=spearman(first, second).value if enough else math.nan,
            summary_level=float(np.mean(defined)) if defined else math.nan,
            assessors=own,
        )


def _correlation(judged: Floats, table: Floats) -> float:
    both = ~np.isnan(judged) & ~np.isnan(table)
    return pearson(judged[both], table[both]).value if both.sum() > 1 else math.nan
