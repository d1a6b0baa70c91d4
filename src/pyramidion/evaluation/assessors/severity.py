"""How severe each assessor is: main effects of assessor and category.

With one assessor a topic, assessors and topics cannot be told apart, but assessors and categories
can: nearly every assessor judges topics of nearly every category. So the mean score of a topic is
explained by its assessor and its category [1]_.

References
----------
.. [1] P. A. Rankel. Statistical Analysis of Text Summarization Evaluation. Dissertation,
   University of Maryland, 2016, section 3.1.
"""

import math
from dataclasses import dataclass
from typing import Literal, cast, get_args

import numpy as np
from scipy.special import stdtr, stdtrit

from pyramidion._types import Floats
from pyramidion.collection import Scores
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError
from pyramidion.evaluation.assessors.panel import Panel
from pyramidion.stats.adjust import adjust_p
from pyramidion.stats.anova import TwoWayAnova, two_way_anova
from pyramidion.stats.layout import linked_rows

__all__ = ["BESIDE", "Beside", "Severity", "SeverityModel", "assessor_severity"]

#: What stands in the model beside the assessor.
Beside = Literal["category", "topic", "nothing"]
BESIDE: tuple[Beside, ...] = get_args(Beside)

_ONE = "one assessor, with nobody to compare"


@dataclass(frozen=True, slots=True)
class Severity:
    """How far an assessor is from the others.

    Parameters
    ----------
    assessor
        Who.
    topics
        How many topics' means it rests on.
    mean
        Their plain mean.
    effect
        The assessor's effect in points of the scale: below 0 is severe, above 0 lenient. Effects
        sum to zero.
    low, high
        Its t interval.
    p, p_adjusted
        Of the hypothesis that the effect is 0, and the same corrected for the number of
        assessors (Holm); NaN where undefined.

    Examples
    --------
    >>> Severity("K", 6, 3.1, -0.4, -0.7, -0.1, 0.02, 0.1).effect
    -0.4
    """

    assessor: str
    topics: int
    mean: float
    effect: float
    low: float
    high: float
    p: float
    p_adjusted: float


@dataclass(frozen=True, slots=True)
class SeverityModel:
    """Main effects of assessors on one measure.

    Parameters
    ----------
    collection, measure
        Which judgments; `None` for all years together.
    beside
        What stands in the model beside the assessor.
    assessors
        The effects, in natural order.
    f, df, residual_df, p
        The test that all assessors are alike.
    undefined
        Why there are no effects, or no test; empty where there are both.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Judgment, Topic
    >>> from pyramidion.evaluation.assessors.panel import gather_panel
    >>> given = [("T1", "K", 2.0), ("T2", "K", 3.0), ("T3", "L", 4.0), ("T4", "L", 4.5)]
    >>> rows = [Judgment(t, "7", "readability", v, assessor=a) for t, a, v in given]
    >>> topics = tuple(Topic(f"T{n}", category=str(n % 2 + 1)) for n in range(1, 5))
    >>> mine = Collection("", topics=topics, scores=Scores.from_judgments(rows))
    >>> model = assessor_severity(gather_panel([mine]), "", "readability")
    >>> model.beside, [(own.assessor, round(own.effect, 3)) for own in model.assessors]
    ('category', [('K', -0.875), ('L', 0.875)])
    """

    collection: str | None
    measure: str
    beside: Beside
    assessors: tuple[Severity, ...]
    f: float = math.nan
    df: int = 0
    residual_df: int = 0
    p: float = math.nan
    undefined: str = ""


def assessor_severity(
    panel: Panel,
    collection: str | None,
    measure: str,
    *,
    beside: Beside | None = None,
    confidence_level: float = 0.95,
) -> SeverityModel:
    """Fit the main effects of assessors beside those of categories, or of topics.

    One value is the mean of all scores an assessor gave on a topic; summaries of one topic are
    no independent witnesses. Over several years a category of each year has an effect of its
    own.

    Parameters
    ----------
    panel
        The judgments.
    collection, measure
        Which; `None` for all years together.
    beside
        ``category``; ``topic``, where assessors judged the same topics; ``nothing``. If it is
        not given: categories if topics have any (those without one are a category of their
        own), else topics if these link all assessors, else nothing.
    confidence_level
        Of each interval.
    """
    table = _topic_means(panel, collection, measure)
    chosen = _chosen(table, beside)
    if len(set(table.assessors)) == 1:
        return SeverityModel(collection, measure, chosen, (), undefined=_ONE)
    try:
        fit = two_way_anova(table.values, table.assessors, table.levels(chosen))
    except InputError as error:
        why = f"{error.what} ({chosen} is the second factor)"
        return SeverityModel(collection, measure, chosen, (), undefined=why)
    return SeverityModel(
        collection=collection,
        measure=measure,
        beside=chosen,
        assessors=_severities(fit, table, confidence_level),
        f=fit.first.f,
        df=fit.first.df,
        residual_df=fit.residual_df,
        p=fit.first.p,
        undefined=fit.note,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _TopicMeans:
    """The mean score of each assessor on each topic."""

    values: Floats
    assessors: tuple[str, ...]
    topics: tuple[str, ...]
    categories: tuple[str, ...]
    categorized: bool

    def levels(self, beside: Beside) -> tuple[str, ...]:
        if beside == "nothing":
            return ("",) * len(self.topics)
        return self.categories if beside == "category" else self.topics


def _topic_means(panel: Panel, collection: str | None, measure: str) -> _TopicMeans:
    rows: Scores = panel.of(collection, measure)
    columns = (rows.columns[name] for name in ("assessor", "collection", "topic"))
    cells: dict[tuple[str, str, str], list[float]] = {}
    for key, value in zip(zip(*columns, strict=True), rows.value.tolist(), strict=True):
        cells.setdefault(key, []).append(value)
    ordered = sorted(cells, key=lambda key: tuple(map(natural_order, key)))
    categories = (panel.categories.get((year, topic), "") for _, year, topic in ordered)
    return _TopicMeans(
        # Sums in the order of the values do not depend on that of the rows.
        values=np.array([np.mean(sorted(cells[key])) for key in ordered]),
        assessors=tuple(assessor for assessor, _, _ in ordered),
        topics=tuple(f"{year}/{topic}" for _, year, topic in ordered),
        categories=tuple(
            f"{key[1]}/{category}" for key, category in zip(ordered, categories, strict=True)
        ),
        categorized=any(panel.categories.get((year, topic)) for _, year, topic in ordered),
    )


def _chosen(table: _TopicMeans, beside: Beside | None) -> Beside:
    if beside is not None:
        if beside not in BESIDE:
            raise InputError(f"{beside!r} beside the assessor", hint=f"use {', '.join(BESIDE)}")
        return beside
    if table.categorized:
        return "category"
    return "topic" if _linked(table) else "nothing"


def _linked(table: _TopicMeans) -> bool:
    codes = [
        np.unique(labels, return_inverse=True)[1] for labels in (table.assessors, table.topics)
    ]
    counts = np.zeros([int(code.max()) + 1 for code in codes], dtype=np.int64)
    np.add.at(counts, tuple(codes), 1)
    return bool(linked_rows(counts).all()) and len(table.values) > sum(counts.shape) - 1


def _severities(
    fit: TwoWayAnova, table: _TopicMeans, confidence_level: float
) -> tuple[Severity, ...]:
    effects, spread = fit.first.effects, np.sqrt(np.maximum(np.diag(fit.first.covariance), 0.0))
    reach = -float(stdtrit(fit.residual_df, (1 - confidence_level) / 2)) if fit.residual_df else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(fit.residual_df, -np.abs(effects / spread))
    p = np.where(np.isfinite(spread) & (spread > 0) & (not fit.note), p, np.nan)
    adjusted = adjust_p(p)
    assessors = np.array(table.assessors, dtype=object)
    found = [
        Severity(
            assessor=str(level),
            topics=int(n),
            mean=float(table.values[assessors == level].mean()),
            effect=float(effects[place]),
            low=float(effects[place] - reach * spread[place]),
            high=float(effects[place] + reach * spread[place]),
            p=float(p[place]),
            p_adjusted=float(adjusted[place]),
        )
        for place, (level, n) in enumerate(
            zip(cast("tuple[str, ...]", fit.first.levels), fit.first.n.tolist(), strict=True)
        )
    ]
    return tuple(sorted(found, key=lambda own: natural_order(own.assessor)))
