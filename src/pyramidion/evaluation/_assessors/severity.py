"""How severe assessors are, and how far manual pyramid scores are from automatic ones."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from scipy.special import stdtr, stdtrit

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Judgment, ScoreMatrix, Scores
from pyramidion.collection._ids import grouped, natural_order, natural_orders
from pyramidion.collection._measures import is_lower_better
from pyramidion.errors import InputError
from pyramidion.evaluation._assessors.panel import (
    USUAL,
    Beside,
    Panel,
    StudyOptions,
    read_moments,
    years_of_topics,
)
from pyramidion.evaluation._shared import both_known, places_of, rows_of
from pyramidion.pyramid._auto.marks import match_topic
from pyramidion.pyramid._topics import TopicSummaries, gather_topics, topic_assessors
from pyramidion.stats._adjust import adjust_p
from pyramidion.stats._anova import TwoWayAnova, linked_rows, two_way_anova

# A language model does not tire; what changes is the model behind the address, in days.
_HOUR = 1 / 24
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
    panel: Panel, collection: str | None, measure: str, options: StudyOptions = USUAL
) -> SeverityModel:
    """Fit the main effects of assessors beside those of categories, or of topics.

    One value is the mean of all scores an assessor gave on a topic; summaries of one topic are
    no independent witnesses. Over several years a category of each year has an effect of its
    own.
    """
    table = _topic_means(panel, collection, measure)
    chosen = options.beside or _chosen(table)
    if len(set(table.assessors)) == 1:
        return SeverityModel(collection, measure, chosen, (), undefined=_ONE)
    try:
        fit = two_way_anova(table.values, table.assessors, table.levels[chosen])
    except InputError as error:
        why = f"{error.what} ({chosen} is the second factor)"
        return SeverityModel(collection, measure, chosen, (), undefined=why)
    return SeverityModel(
        collection, measure, chosen, _severities(fit, table, options.confidence_level),
        fit.first.f, fit.first.df, fit.residual_df, fit.first.p, fit.note,
        is_lower_better(measure, panel.declared),
    )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class _TopicMeans:
    """The mean score of each assessor on each topic, and the levels of each second factor."""

    values: Floats
    assessors: tuple[str, ...]
    levels: Mapping[Beside, Sequence[str]]
    categorized: bool


def _topic_means(panel: Panel, collection: str | None, measure: str) -> _TopicMeans:
    rows = panel.of(collection, measure)
    keys = rows_of(rows, "assessor", "collection", "topic")
    cells = grouped(zip(keys, rows.value.tolist(), strict=True))
    ordered = sorted(cells, key=natural_orders)
    categories = [panel.categories.get((year, topic), "") for _, year, topic in ordered]
    return _TopicMeans(
        # Sums in the order of the values do not depend on that of the rows.
        np.array([np.mean(sorted(cells[key])) for key in ordered]),
        tuple(assessor for assessor, _, _ in ordered),
        {
            "category": [f"{key[1]}/{own}" for key, own in zip(ordered, categories, strict=True)],
            "topic": [f"{year}/{topic}" for _, year, topic in ordered],
            "nothing": [""] * len(ordered),
        },
        categorized=any(categories),
    )


def _chosen(table: _TopicMeans) -> Beside:
    """Choose categories if there are any, else topics if they link the assessors."""
    if table.categorized:
        return "category"
    factors = (table.assessors, table.levels["topic"])
    codes = [np.unique(labels, return_inverse=True)[1] for labels in factors]
    counts = np.zeros([int(code.max()) + 1 for code in codes], dtype=np.int64)
    np.add.at(counts, tuple(codes), 1)
    linked = linked_rows(counts).all() and len(table.values) > sum(counts.shape) - 1
    return "topic" if linked else "nothing"


def _severities(
    fit: TwoWayAnova, table: _TopicMeans, confidence_level: float
) -> tuple[Severity, ...]:
    effects, spread = fit.first.effects, np.sqrt(np.maximum(np.diag(fit.first.covariance), 0.0))
    reach = -float(stdtrit(fit.residual_df, (1 - confidence_level) / 2)) if fit.residual_df else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stdtr(fit.residual_df, -np.abs(effects / spread))
    p = np.where(np.isfinite(spread) & (spread > 0) & (not fit.note), p, np.nan)
    assessors = np.array(table.assessors, dtype=object)
    names = [str(level) for level in fit.first.levels]
    means = [float(table.values[assessors == name].mean()) for name in names]
    low, high = effects - reach * spread, effects + reach * spread
    numbers = (effects, low, high, p, adjust_p(p))
    columns = (fit.first.n.tolist(), means, *(own.tolist() for own in numbers))
    found = map(Severity, names, *columns)
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
    panel: Panel, collection: str | None, measure: str, assessor: str, options: StudyOptions = USUAL
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
    span = float(np.ptp(times)) if len(rows) else math.nan
    found = partial(
        Drift, unit=moments.unit, n=len(rows), span=span, topics=int(topics.max(initial=-1)) + 1
    )
    why = ""
    if len(rows) < 3 or not span > 0:
        why = "fewer than three judgments carry a time"
        why = why if len(rows) < 3 else "all were made at one time"
        why = why if moments.unit else NO_TIME
    elif moments.unit == "day" and span < _HOUR and rows.by_model.all():
        why = "a model was asked within an hour"
    if why:
        return found(*[math.nan] * 4, within_systems=False, undefined=why)
    line = _Line(rows.value, times, _groups(rows))
    if math.isnan(line.slope()):
        line = _Line(rows.value, times, np.zeros(len(rows), dtype=np.int64))
    error, df = _error(line, topics)
    # No number is greater than NaN, which is what a topic without the others' times leaves.
    within, slope = bool(line.groups.any()), line.slope()
    if df <= 0 or not error > 0:
        why = "too few data are left to estimate the error of the slope"
        return found(slope, *[math.nan] * 3, within_systems=within, undefined=why)
    reach = -float(stdtrit(df, (1 - options.confidence_level) / 2)) * error
    p = 2 * float(stdtr(df, -abs(slope / error)))
    return found(slope, slope - reach, slope + reach, p, within_systems=within)


def _codes(rows: Scores, *columns: str) -> Ints:
    keys = list(rows_of(rows, *columns))
    return places_of(keys, sorted(set(keys)))


def _groups(rows: Scores) -> Ints:
    """Return systems numbers, or put all into one group where most were judged only once."""
    systems = _codes(rows, "collection", "task", "system")
    alone = np.bincount(systems)[systems] == 1
    return np.zeros_like(systems) if alone.mean() > 0.5 else systems


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """Values at times, whose groups each have a level of their own."""

    values: Floats
    times: Floats
    groups: Ints

    def centered(self) -> tuple[Floats, Floats]:
        return _centered(self.times, self.groups), _centered(self.values, self.groups)

    def slope(self) -> float:
        x, y = self.centered()
        size = float(x @ x)
        # What is left of times that do not differ within groups is rounding noise.
        return float(x @ y) / size if size > 1e-12 * float(np.ptp(self.times)) ** 2 else math.nan


def _centered(values: Floats, groups: Ints) -> Floats:
    return values - (np.bincount(groups, values) / np.maximum(np.bincount(groups), 1))[groups]


def _error(line: _Line, topics: Ints) -> tuple[float, int]:
    """Return the slope's standard error, and its degrees of freedom."""
    blocks, data = int(topics.max()) + 1, (line.values, line.times, line.groups)
    if blocks > 1:
        parts = (topics != topic for topic in range(blocks))
        slopes = np.array([_Line(*(own[kept] for own in data)).slope() for kept in parts])
        spread = float(np.sum((slopes - line.slope()) ** 2))
        return math.sqrt((blocks - 1) / blocks * spread), blocks - 1
    x, y = line.centered()
    residuals = y - line.slope() * x
    df = len(x) - len(set(line.groups.tolist())) - 1
    return (math.sqrt(float(residuals @ residuals) / df / float(x @ x)) if df > 0 else 0.0), df


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
    given = rows_of(collection.scores, "task", "topic", "measure")
    known = {key for key in given if key[2] in (MANUAL, AUTOMATIC)}
    assessors, years = topic_assessors(collection), years_of_topics(collection)
    kinds = {} if role == "reference" else collection.systems
    rows = [
        replace(row, collection=years.get(row.topic, ("",))[0])
        for place in places
        for row in _twice(place, role, assessors.get((place.task, place.topic), ""), kinds)
        if (row.task, row.topic, row.measure) not in known
    ]
    return Scores.from_judgments(rows)


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
        hint = "score the same summaries"
        raise InputError(f"no summary has both {manual} and {automatic}", hint=hint)
    return found


def _differences(
    who: tuple[str, str, str], manual: ScoreMatrix, automatic: ScoreMatrix
) -> Iterator[TopicDifference]:
    collection, task, assessor = who
    topics = [topic for topic in manual.topics if topic in automatic.topics]
    systems = [system for system in manual.systems if system in automatic.systems]
    tables = (own.take(topics=topics, systems=systems).values for own in (manual, automatic))
    for topic, mine, other in zip(topics, *tables, strict=True):
        both = both_known(mine, other)
        if both.any():
            a, b = float(mine[both].mean()), float(other[both].mean())
            yield TopicDifference(collection, task, topic, assessor, int(both.sum()), a, b, a - b)


def assessor_differences(
    topics: Sequence[TopicDifference], options: StudyOptions = USUAL
) -> list[AssessorDifference]:
    """Average over each assessor's topics, within each year and over all."""
    spans = (None,) if len({topic.collection for topic in topics}) > 1 else ()
    groups = grouped(
        ((year, topic.assessor), topic) for topic in topics for year in (topic.collection, *spans)
    )
    found = (_averaged(who, own, options.confidence_level) for who, own in groups.items())
    return sorted(
        found,
        key=lambda own: (
            own.collection is None,
            *natural_orders((own.collection or "", own.assessor)),
        ),
    )


def _averaged(
    who: tuple[str | None, str], topics: Sequence[TopicDifference], level: float
) -> AssessorDifference:
    table = np.array(sorted((t.difference, t.manual, t.automatic) for t in topics))
    difference, manual, automatic = table.mean(axis=0).tolist()
    reach = math.nan
    if len(topics) > 1:
        error = float(table[:, 0].std(ddof=1)) / math.sqrt(len(topics))
        reach = -float(stdtrit(len(topics) - 1, (1 - level) / 2)) * error
    numbers = (manual, automatic, difference, difference - reach, difference + reach)
    return AssessorDifference(*who, len(topics), sum(topic.n for topic in topics), *numbers)
