"""How severe assessors are, and how far manual pyramid scores are from automatic ones."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

import numpy as np
from scipy.special import stdtr, stdtrit

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection, Judgment, ScoreMatrix, Scores
from pyramidion.collection._ids import natural_order
from pyramidion.collection._measures import is_lower_better
from pyramidion.errors import InputError
from pyramidion.evaluation._assessors.panel import Moments, Panel, read_moments, years_of_topics
from pyramidion.pyramid._match import match_topic
from pyramidion.pyramid._topics import TopicSummaries, gather_topics, topic_assessors
from pyramidion.stats._adjust import adjust_p
from pyramidion.stats._anova import TwoWayAnova, linked_rows, two_way_anova

#: What stands in the model beside the assessor.
Beside = Literal["category", "topic", "nothing"]

_ONE = "only one assessor, so nobody to compare with"


@dataclass(frozen=True, slots=True)
class Severity:
    """How far an assessor is from the others."""

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
    """Main effects of assessors on one measure."""

    collection: str | None
    measure: str
    beside: Beside
    assessors: tuple[Severity, ...]
    f: float = math.nan
    df: int = 0
    residual_df: int = 0
    p: float = math.nan
    undefined: str = ""
    lower_is_better: bool = False


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
        lower_is_better=is_lower_better(measure, panel.declared),
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


NO_TIME = "no judgment carries a time"


@dataclass(frozen=True, slots=True)
class Drift:
    """The slope of an assessor's judgments over time."""

    slope: float
    low: float
    high: float
    p: float
    unit: str
    n: int
    span: float
    topics: int
    within_systems: bool
    undefined: str = ""


def assessor_drift(
    panel: Panel,
    collection: str | None,
    measure: str,
    assessor: str,
    *,
    confidence_level: float = 0.95,
) -> Drift:
    """Regress an assessor's judgments on the time they were made.

    Where the assessor judged systems several times, each judgment is taken as the deviation from
    the mean of its system, so that good systems that happen to come late are no drift. Topics
    differ in difficulty and are judged one after the other; so the error of the slope is the
    jackknife's that leaves out one topic in turn, with one degree of freedom less than topics.
    With a single topic it is the usual one of least squares.
    """
    rows = panel.of(collection, measure).select(assessor=assessor)
    moments = read_moments(rows.columns["time"].tolist())
    known = ~np.isnan(moments.values)
    rows, times = rows.rows(known), moments.values[known]
    topics = _codes(rows, "collection", "topic")
    n_topics = int(topics.max()) + 1 if len(rows) else 0
    span = float(np.ptp(times)) if len(rows) else math.nan
    if len(rows) < 3 or not span > 0:
        why = _why_none(moments, len(rows))
        return Drift(
            slope=math.nan,
            low=math.nan,
            high=math.nan,
            p=math.nan,
            unit=moments.unit,
            n=len(rows),
            span=span,
            topics=n_topics,
            within_systems=False,
            undefined=why,
        )
    line = _Line(rows.value, times, _groups(rows))
    if math.isnan(line.slope()):
        line = _Line(rows.value, times, np.zeros(len(rows), dtype=np.int64))
    slope = line.slope()
    error, df = _error(line, topics)
    low, high, p = _interval(slope, error, df, confidence_level)
    why = "" if df > 0 and error > 0 else "too few data are left to estimate the error of the slope"
    within = bool(line.groups.any())
    return Drift(slope, low, high, p, moments.unit, len(rows), span, n_topics, within, why)


def _why_none(moments: Moments, n: int) -> str:
    if not moments.unit:
        return NO_TIME
    return "fewer than three judgments carry a time" if n < 3 else "all were made at one time"


def _codes(rows: Scores, *columns: str) -> Ints:
    keys = list(zip(*(rows.columns[name] for name in columns), strict=True))
    number = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([number[key] for key in keys], dtype=np.int64)


def _groups(rows: Scores) -> Ints:
    """Give systems numbers, or put all into one group where most were judged only once."""
    systems = _codes(rows, "collection", "task", "system")
    alone = np.bincount(systems)[systems] == 1
    return np.zeros_like(systems) if alone.mean() > 0.5 else systems


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Values at times, whose groups each have a level of their own."""

    values: Floats
    times: Floats
    groups: Ints

    def centred(self) -> tuple[Floats, Floats]:
        return _centred(self.times, self.groups), _centred(self.values, self.groups)

    def slope(self) -> float:
        x, y = self.centred()
        size = float(x @ x)
        # What is left of times that do not differ within groups is rounding noise.
        return float(x @ y) / size if size > 1e-12 * float(np.ptp(self.times)) ** 2 else math.nan

    def without(self, left_out: Bools) -> "_Line":
        kept = ~left_out
        return _Line(self.values[kept], self.times[kept], self.groups[kept])


def _centred(values: Floats, groups: Ints) -> Floats:
    counts = np.maximum(np.bincount(groups), 1)
    centred: Floats = values - (np.bincount(groups, values) / counts)[groups]
    return centred


def _error(line: _Line, topics: Ints) -> tuple[float, int]:
    """Give the slope's standard error, and its degrees of freedom."""
    blocks = int(topics.max()) + 1
    if blocks > 1:
        slopes = np.array([line.without(topics == topic).slope() for topic in range(blocks)])
        spread = float(np.sum((slopes - line.slope()) ** 2))
        return math.sqrt((blocks - 1) / blocks * spread), blocks - 1
    x, y = line.centred()
    residuals = y - line.slope() * x
    df = len(x) - len(set(line.groups.tolist())) - 1
    return (math.sqrt(float(residuals @ residuals) / df / float(x @ x)) if df > 0 else 0.0), df


def _interval(slope: float, error: float, df: int, level: float) -> tuple[float, float, float]:
    # No number is greater than NaN, which is what a topic without the others' times leaves.
    if df <= 0 or not error > 0:
        return math.nan, math.nan, math.nan
    reach = -float(stdtrit(df, (1 - level) / 2)) * error
    return slope - reach, slope + reach, 2 * float(stdtr(df, -abs(slope / error)))


#: The measures that annotated pyramids give: people's, and by matching.
MANUAL, AUTOMATIC = "pyramid-modified", "pyramid-match"


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """Mean scores of a topic's summaries."""

    collection: str
    task: str
    topic: str
    assessor: str
    n: int
    manual: float
    automatic: float
    difference: float


@dataclass(frozen=True, slots=True)
class AssessorDifference:
    """The mean over an assessor's topics, each counting the same."""

    collection: str | None
    assessor: str
    topics: int
    summaries: int
    manual: float
    automatic: float
    difference: float
    low: float
    high: float


def annotated_scores(collection: Collection, *, tasks: Sequence[str] = ()) -> Scores:
    """Score annotated summaries twice: by their annotation, and by those of the others.

    Peers are scored; where no peer of the collection is annotated, the references are. Manual
    scores are left out where the collection has some.
    """
    there = {key[0] for key in (*collection.pyramids, *collection.peer_annotations)}
    wanted = [task for task in tasks if task in there]
    if not there or (tasks and not wanted):
        return Scores({}, [])
    places = gather_topics(collection, tasks=wanted)
    role = "peer" if any(place.peers for place in places) else "reference"
    known = {(row.task, row.topic, row.measure) for row in _given(collection)}
    assessors, years = topic_assessors(collection), years_of_topics(collection)
    kinds = {} if role == "reference" else collection.systems
    rows = [
        replace(row, collection=years.get(row.topic, ("",))[0])
        for place in places
        for row in _twice(place, role, assessors.get((place.task, place.topic), ""), kinds)
        if (row.task, row.topic, row.measure) not in known
    ]
    return Scores.from_judgments(rows)


def _given(collection: Collection) -> Iterator[Judgment]:
    for name in (MANUAL, AUTOMATIC):
        yield from collection.scores.select(measure=name)


def _twice(
    place: TopicSummaries, role: str, assessor: str, kinds: Mapping[str, str]
) -> Iterator[Judgment]:
    usual = "human" if role == "reference" else "machine"
    for item in match_topic(place.pyramid, place.peers):
        if item.role == role and item.manual is not None and not math.isnan(item.difference):
            row = Judgment(place.topic, item.system, MANUAL, item.manual.modified, task=place.task)
            row = replace(row, kind=kinds.get(item.system, usual))
            yield replace(row, assessor=assessor)
            yield replace(row, measure=AUTOMATIC, value=item.automatic.modified)


def topic_differences(panel: Panel, manual: str, automatic: str) -> list[TopicDifference]:
    """Compare a manual measure with an automatic one of the same kind, topic by topic."""
    panel.judgments.require("measure", manual)
    panel.metrics.require("measure", automatic)
    found: list[TopicDifference] = []
    for collection in panel.collections:
        judged = panel.of(collection, manual)
        scored = panel.metrics.select(collection=collection, measure=automatic)
        for task in sorted({*judged.columns["task"]} & {*scored.columns["task"]}):
            other = ScoreMatrix.from_scores(scored, automatic, task=task)
            for assessor in judged.select(task=task).distinct("assessor"):
                own = judged.select(task=task, assessor=assessor)
                matrix = ScoreMatrix.from_scores(own, manual, task=task)
                found += _differences((collection, task, assessor), matrix, other)
    if not found:
        raise InputError(
            f"no summary has both {manual} and {automatic}", hint="score the same summaries"
        )
    return found


def _differences(
    who: tuple[str, str, str], manual: ScoreMatrix, automatic: ScoreMatrix
) -> Iterable[TopicDifference]:
    collection, task, assessor = who
    column = {system: place for place, system in enumerate(automatic.systems)}
    shared = [system for system in manual.systems if system in column]
    row = {topic: place for place, topic in enumerate(automatic.topics)}
    mine = manual.take(systems=shared).values
    for place, topic in enumerate(manual.topics):
        if topic not in row:
            continue
        other = automatic.values[row[topic], [column[system] for system in shared]]
        both = ~np.isnan(mine[place]) & ~np.isnan(other)
        if both.any():
            a, b = float(mine[place, both].mean()), float(other[both].mean())
            yield TopicDifference(collection, task, topic, assessor, int(both.sum()), a, b, a - b)


def assessor_differences(
    topics: Sequence[TopicDifference], *, confidence_level: float = 0.95
) -> list[AssessorDifference]:
    """Average over each assessor's topics, within each year and over all."""
    groups: dict[tuple[str | None, str], list[TopicDifference]] = {}
    years = {topic.collection for topic in topics}
    for topic in topics:
        groups.setdefault((topic.collection, topic.assessor), []).append(topic)
        if len(years) > 1:
            groups.setdefault((None, topic.assessor), []).append(topic)
    found = [_averaged(who, own, confidence_level) for who, own in groups.items()]
    return sorted(found, key=_order)


def _order(found: AssessorDifference) -> tuple[object, ...]:
    year = natural_order(found.collection or "")
    return found.collection is None, year, natural_order(found.assessor)


def _averaged(
    who: tuple[str | None, str], topics: Sequence[TopicDifference], level: float
) -> AssessorDifference:
    table = np.array(sorted((t.difference, t.manual, t.automatic) for t in topics))
    difference, manual, automatic = table.mean(axis=0).tolist()
    reach = math.nan
    if len(topics) > 1:
        error = float(table[:, 0].std(ddof=1)) / math.sqrt(len(topics))
        reach = -float(stdtrit(len(topics) - 1, (1 - level) / 2)) * error
    return AssessorDifference(
        *who,
        topics=len(topics),
        summaries=sum(topic.n for topic in topics),
        manual=manual,
        automatic=automatic,
        difference=difference,
        low=difference - reach,
        high=difference + reach,
    )
