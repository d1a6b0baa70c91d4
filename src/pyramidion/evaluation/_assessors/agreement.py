"""How far assessors agree who judged the same summaries."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pyramidion._types import Floats
from pyramidion.evaluation._assessors.panel import (
    MOST_VALUES,
    MeasureLevel,
    Panel,
    cell_means,
    level_of,
)
from pyramidion.stats._agreement import Level, cohen_kappa, krippendorff_alpha, percent_agreement
from pyramidion.stats._correlation import pearson

_NO_SHARED = "no two assessors judged the same"


@dataclass(frozen=True, slots=True)
class AssessorPair:
    """How far two assessors agree."""

    a: str
    b: str
    n: int
    equal: float
    kappa: float
    weighted_kappa: float
    difference: float
    correlation: float


@dataclass(frozen=True, slots=True)
class PanelAgreement:
    """How far all assessors of a measure agree."""

    collection: str | None
    measure: str
    level: MeasureLevel
    alpha: float
    items: int
    alone: int
    pairs: tuple[AssessorPair, ...]
    unanimous: bool = False
    undefined: str = ""

    def mean(self, name: str) -> float:
        """Average something over the pairs of assessors, leaving out where it is undefined."""
        values = [getattr(pair, name) for pair in self.pairs]
        known = [value for value in values if not math.isnan(value)]
        return float(np.mean(known)) if known else math.nan


def panel_agreement(
    panel: Panel, collection: str | None, measure: str, *, level: Level | None = None
) -> PanelAgreement:
    """Compare the assessors who judged the same summaries, or the same parts of summaries.

    Several judgments of the same by one assessor are averaged.
    """
    assessors, table = _table(panel, collection, measure)
    at = level_of(panel, collection, measure, level=level)
    counts = (~np.isnan(table)).sum(axis=0)
    items, alone = int((counts > 1).sum()), int((counts == 1).sum())
    shared = table[:, counts > 1]
    if not items:
        return PanelAgreement(collection, measure, at, math.nan, 0, alone, (), undefined=_NO_SHARED)
    alpha = krippendorff_alpha(shared, level=at.level)
    pairs = tuple(_pairs(assessors, shared))
    return PanelAgreement(
        collection, measure, at, alpha.value, items, alone, pairs, alpha.unanimous
    )


def _table(panel: Panel, collection: str | None, measure: str) -> tuple[tuple[str, ...], Floats]:
    """Put judgments into a table: assessors down, what was judged across."""
    rows = panel.of(collection, measure)
    assessors = rows.distinct("assessor")
    row_of = {name: place for place, name in enumerate(assessors)}
    items = list(zip(*(rows.columns[name] for name in _ITEM), strict=True))
    column_of = {item: place for place, item in enumerate(sorted(set(items)))}
    places = np.array([row_of[name] for name in rows.columns["assessor"]], dtype=np.int64)
    cells = places * len(column_of) + np.array([column_of[item] for item in items], dtype=np.int64)
    return assessors, cell_means(cells, rows.value, (len(assessors), len(column_of)))


_ITEM = ("collection", "task", "topic", "system", "unit")


def _pairs(assessors: tuple[str, ...], table: Floats) -> Iterator[AssessorPair]:
    for a, b in combinations(range(len(assessors)), 2):
        both = ~np.isnan(table[a]) & ~np.isnan(table[b])
        if both.any():
            yield _pair((assessors[a], assessors[b]), table[a, both], table[b, both])


def _pair(names: tuple[str, str], first: Floats, second: Floats) -> AssessorPair:
    few = len(np.unique(np.concatenate([first, second]))) <= MOST_VALUES
    kappas = [
        cohen_kappa(first, second, weights=weights).value if few else math.nan
        for weights in ("none", "quadratic")
    ]
    return AssessorPair(
        *names,
        n=len(first),
        equal=percent_agreement(first, second),
        kappa=kappas[0],
        weighted_kappa=kappas[1],
        difference=float(np.mean(first - second)),
        correlation=pearson(first, second).value if len(first) > 1 else math.nan,
    )
