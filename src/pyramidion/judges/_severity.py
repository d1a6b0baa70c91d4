"""Severity of assessors, and differences of manual and automatic pyramid scores."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtr, stdtrit

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Judgment, ScoreMatrix, Scores
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.measures import is_lower_better
from pyramidion.comparison.common import both_known, places_of, rows_of
from pyramidion.errors import InputError
from pyramidion.judges._panel import (
    DEFAULT_OPTIONS,
    Panel,
    SecondFactor,
    StudyOptions,
    read_moments,
    years_of_topics,
)
from pyramidion.pyramid import match_topic
from pyramidion.pyramid.topics import gather_topics, topic_assessors
from pyramidion.stats import adjust_p, two_way_anova
from pyramidion.stats.anova import TwoWayAnova, linked_rows

# A language model does not change within an hour, in days.
_HOUR_DAYS = 1 / 24
_ONE_ASSESSOR_REASON = "only one assessor, so there is nobody to compare with"


@dataclass(frozen=True, slots=True)
class Severity:
    """The severity of an assessor compared with the others."""

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
    beside: SecondFactor
    assessors: tuple[Severity, ...]
    f: float = math.nan
    df: int = 0
    residual_df: int = 0
    p: float = math.nan
    undefined: str = ""
    lower_is_better: bool = False


def assessor_severity(
    panel: Panel, collection: str | None, measure: str, options: StudyOptions = DEFAULT_OPTIONS
) -> SeverityModel:
    """Fit main effects of assessors and of categories or topics.

    Scores of an assessor on a topic are averaged, as summaries of one topic are not independent.
    Categories of different years have separate effects.
    """
    rows = panel.of(collection, measure)
    keys = rows_of(rows, "assessor", "collection", "topic")
    cells = grouped(zip(keys, rows.value.tolist(), strict=True))
    sorted_keys = sorted(cells, key=natural_orders)
    # Values are sorted, so that sums do not depend on the order of rows.
    values = np.array([np.mean(sorted(cells[key])) for key in sorted_keys])
    assessors = [assessor for assessor, _, _ in sorted_keys]
    topics = [f"{year}/{topic}" for _, year, topic in sorted_keys]
    categories = [panel.categories.get((year, topic), "") for _, year, topic in sorted_keys]
    levels: dict[SecondFactor, list[str]] = {
        "category": [
            f"{key[1]}/{category}" for key, category in zip(sorted_keys, categories, strict=True)
        ],
        "topic": topics,
        "nothing": [""] * len(sorted_keys),
    }
    control = options.beside
    if control is None and any(categories):
        control = "category"
    elif control is None:
        control = "topic" if _are_linked(assessors, topics) else "nothing"
    model = SeverityModel(collection, measure, control, ())
    if len(set(assessors)) == 1:
        return replace(model, undefined=_ONE_ASSESSOR_REASON)
    try:
        fit = two_way_anova(values, assessors, levels[control])
    except InputError as error:
        return replace(model, undefined=f"{error.what} ({control} is the second factor)")
    return replace(
        model, assessors=_severities(fit, values, assessors, options.confidence_level),
        f=fit.first.f, df=fit.first.df, residual_df=fit.residual_df, p=fit.first.p,
        undefined=fit.note, lower_is_better=is_lower_better(measure, panel.declared),
    )  # fmt: skip


def _are_linked(assessors: Sequence[str], topics: Sequence[str]) -> bool:
    """Return whether shared topics link all assessors with degrees of freedom left."""
    codes = [np.unique(labels, return_inverse=True)[1] for labels in (assessors, topics)]
    counts = np.zeros([int(code.max()) + 1 for code in codes], dtype=np.int64)
    np.add.at(counts, tuple(codes), 1)
    return bool(linked_rows(counts).all()) and len(topics) > sum(counts.shape) - 1


def _severities(
    fit: TwoWayAnova, values: Floats, assessors: Sequence[str], confidence_level: float
) -> tuple[Severity, ...]:
    effects, errors = fit.first.effects, np.sqrt(np.maximum(np.diag(fit.first.covariance), 0.0))
    # Without residual variation, neither an interval nor a p-value can be estimated.
    errors[~((errors > 0) & (fit.residual_df > 0))] = np.nan
    t_quantile = -float(stdtrit(fit.residual_df, (1 - confidence_level) / 2))
    p = 2 * stdtr(fit.residual_df, -np.abs(effects / errors))
    p = np.where(not fit.note, p, np.nan)
    names = [str(level) for level in fit.first.levels]
    means = [float(values[np.array(assessors, dtype=object) == name].mean()) for name in names]
    estimates = (
        effects,
        effects - t_quantile * errors,
        effects + t_quantile * errors,
        p,
        adjust_p(p),
    )
    columns = (fit.first.n.tolist(), means, *(column.tolist() for column in estimates))
    severities = map(Severity, names, *columns)
    return tuple(sorted(severities, key=lambda severity: natural_order(severity.assessor)))


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
    options: StudyOptions = DEFAULT_OPTIONS,
) -> Drift:
    """Regress an assessor's judgments on the time they were made.

    If the assessor judged systems several times, deviations from the mean of each system are used,
    so that good systems judged late are not mistaken for drift. Topics differ in difficulty and are
    judged one after the other, so the standard error is that of a jackknife over topics. With a
    single topic it is that of least squares.
    """
    rows = panel.of(collection, measure).select(assessor=assessor)
    moments = read_moments(rows.columns["time"].tolist())
    has_time = ~np.isnan(moments.values)
    rows, times = rows.rows(has_time), moments.values[has_time]
    topics = _group_codes(rows, "collection", "topic")
    span = float(np.ptp(times)) if len(rows) else math.nan
    unknown, n_topics = math.nan, int(topics.max(initial=-1)) + 1
    drift = Drift(
        unknown,
        unknown,
        unknown,
        unknown,
        moments.unit,
        len(rows),
        span,
        n_topics,
        within_systems=False,
    )
    if not moments.unit:
        return replace(drift, undefined="no judgment has a time")
    if len(rows) < 3:
        return replace(drift, undefined="fewer than three judgments have a time")
    if not span > 0:
        return replace(drift, undefined="all were made at one time")
    if moments.unit == "day" and span < _HOUR_DAYS and rows.by_model.all():
        return replace(drift, undefined="a model made all its judgments within an hour")
    systems = _group_codes(rows, "collection", "task", "system")
    # If most systems were judged only once, all judgments form one group.
    is_single = np.bincount(systems)[systems] == 1
    groups = np.zeros_like(systems) if is_single.mean() > 0.5 else systems
    if math.isnan(_slope(rows.value, times, groups)):
        groups = np.zeros_like(systems)
    slope = _slope(rows.value, times, groups)
    error, df = _slope_error(rows.value, times, groups, topics)
    drift = replace(drift, slope=slope, within_systems=bool(groups.any()))
    # The error is NaN if a topic has times that no other has.
    if df <= 0 or not error > 0:
        reason = "there is too little data to estimate the error of the slope"
        return replace(drift, undefined=reason)
    half_width = -float(stdtrit(df, (1 - options.confidence_level) / 2)) * error
    p = 2 * float(stdtr(df, -abs(slope / error)))
    return replace(drift, low=slope - half_width, high=slope + half_width, p=p)


def _group_codes(rows: Scores, *columns: str) -> Ints:
    keys = list(rows_of(rows, *columns))
    return places_of(keys, sorted(set(keys)))


def _slope(values: Floats, times: Floats, groups: Ints) -> float:
    """Regress values on times within groups."""
    x, y = centered(times, groups), centered(values, groups)
    squares = float(x @ x)
    # Times that do not differ within groups leave only rounding noise.
    return float(x @ y) / squares if squares > 1e-12 * float(np.ptp(times)) ** 2 else math.nan


def centered(values: Floats, groups: Ints) -> Floats:
    """Subtract the mean of each value's group."""
    return values - (np.bincount(groups, values) / np.maximum(np.bincount(groups), 1))[groups]


def _slope_error(values: Floats, times: Floats, groups: Ints, topics: Ints) -> tuple[float, int]:
    """Return the slope's standard error, and its degrees of freedom."""
    n_topics, slope = int(topics.max()) + 1, _slope(values, times, groups)
    if n_topics > 1:
        masks = (topics != topic for topic in range(n_topics))
        slopes = np.array(
            [_slope(values[subset], times[subset], groups[subset]) for subset in masks]
        )
        sum_of_squares = float(np.sum((slopes - slope) ** 2))
        return math.sqrt((n_topics - 1) / n_topics * sum_of_squares), n_topics - 1
    x = centered(times, groups)
    residuals = centered(values, groups) - slope * x
    df = len(x) - len(set(groups.tolist())) - 1
    return (math.sqrt(float(residuals @ residuals) / df / float(x @ x)) if df > 0 else 0.0), df


#: The measures of annotated pyramids: by people, and by matching.
MANUAL_MEASURE, AUTOMATIC_MEASURE = "pyramid-modified", "pyramid-match"


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
    """Score annotated summaries twice: by their annotation, and by those of other summaries.

    If no peer is annotated, the references are scored. Existing scores are not computed again.
    """
    tasks_with_annotations = {
        key[0] for key in (*collection.pyramids, *collection.peer_annotations)
    }
    annotated_tasks = [task for task in tasks if task in tasks_with_annotations]
    if not tasks_with_annotations or (tasks and not annotated_tasks):
        return Scores({}, [])
    annotated_topics = gather_topics(collection, tasks=annotated_tasks)
    role = "peer" if any(topic.peers for topic in annotated_topics) else "reference"
    score_keys = rows_of(collection.scores, "task", "topic", "measure")
    present_keys = {key for key in score_keys if key[2] in (MANUAL_MEASURE, AUTOMATIC_MEASURE)}
    assessors, years = topic_assessors(collection), years_of_topics(collection)
    kinds = {} if role == "reference" else collection.systems
    expected_kind = "human" if role == "reference" else "machine"
    rows: list[Judgment] = []
    for topic in annotated_topics:
        assessor = assessors.get((topic.task, topic.topic), "")
        year = years.get(topic.topic, ("",))[0]
        for item in match_topic(topic.pyramid, topic.peers):
            if item.role == role and item.manual is not None and not math.isnan(item.difference):
                row = Judgment(
                    topic.topic, item.system, AUTOMATIC_MEASURE, item.automatic.modified,
                    task=topic.task,
                    kind=kinds.get(item.system, expected_kind), collection=year,
                )  # fmt: skip
                value = item.manual.modified
                rows += [replace(row, measure=MANUAL_MEASURE, value=value, assessor=assessor), row]
    return Scores.from_judgments(
        row for row in rows if (row.task, row.topic, row.measure) not in present_keys
    )


def topic_differences(
    panel: Panel, manual_measure: str, automatic_measure: str
) -> list[TopicDifference]:
    """Compare a manual measure with an automatic one, topic by topic."""
    panel.judgments.require("measure", manual_measure)
    panel.metrics.require("measure", automatic_measure)
    differences: list[TopicDifference] = []
    for collection in panel.collections:
        human_scores = panel.of(collection, manual_measure)
        metric_scores = panel.metrics.select(collection=collection, measure=automatic_measure)
        for task in sorted({*human_scores.columns["task"]} & {*metric_scores.columns["task"]}):
            automatic_matrix = ScoreMatrix.from_scores(metric_scores, automatic_measure, task=task)
            for assessor in human_scores.select(task=task).distinct("assessor"):
                judgments = human_scores.select(task=task, assessor=assessor)
                matrix = ScoreMatrix.from_scores(judgments, manual_measure, task=task)
                differences += _topic_differences(
                    (collection, task, assessor), matrix, automatic_matrix
                )
    if not differences:
        hint = "score the same summaries"
        raise InputError(f"no summary has both {manual_measure} and {automatic_measure}", hint=hint)
    return differences


def _topic_differences(
    address: tuple[str, str, str], manual_matrix: ScoreMatrix, automatic_matrix: ScoreMatrix
) -> Iterator[TopicDifference]:
    collection, task, assessor = address
    topics = [topic for topic in manual_matrix.topics if topic in automatic_matrix.topics]
    systems = [system for system in manual_matrix.systems if system in automatic_matrix.systems]
    matrices_of_both = (
        matrix.take(topics=topics, systems=systems).values
        for matrix in (manual_matrix, automatic_matrix)
    )
    for topic, manual_scores, automatic_scores in zip(topics, *matrices_of_both, strict=True):
        has_both = both_known(manual_scores, automatic_scores)
        if has_both.any():
            manual_mean, automatic_mean = (
                float(manual_scores[has_both].mean()),
                float(automatic_scores[has_both].mean()),
            )
            yield TopicDifference(
                collection,
                task,
                topic,
                assessor,
                int(has_both.sum()),
                manual_mean,
                automatic_mean,
                manual_mean - automatic_mean,
            )


def assessor_differences(
    topics: Sequence[TopicDifference], options: StudyOptions = DEFAULT_OPTIONS
) -> list[AssessorDifference]:
    """Average the differences over each assessor's topics, by year and over all years."""
    spans = (None,) if len({topic.collection for topic in topics}) > 1 else ()
    groups = grouped(
        ((year, topic.assessor), topic) for topic in topics for year in (topic.collection, *spans)
    )
    averaged_differences = []
    for address, assessor_topics in groups.items():
        table = np.array(
            sorted((topic.difference, topic.manual, topic.automatic) for topic in assessor_topics)
        )
        difference, manual_mean, automatic_mean = table.mean(axis=0).tolist()
        half_width, n = math.nan, len(assessor_topics)
        if n > 1:
            error = float(table[:, 0].std(ddof=1)) / math.sqrt(n)
            half_width = -float(stdtrit(n - 1, (1 - options.confidence_level) / 2)) * error
        estimates = (
            manual_mean,
            automatic_mean,
            difference,
            difference - half_width,
            difference + half_width,
        )
        summaries = sum(topic.n for topic in assessor_topics)
        averaged_differences.append(AssessorDifference(*address, n, summaries, *estimates))

    def sort_key(difference: AssessorDifference) -> tuple[object, ...]:
        return difference.collection is None, *natural_orders(
            (difference.collection or "", difference.assessor)
        )

    return sorted(averaged_differences, key=sort_key)
