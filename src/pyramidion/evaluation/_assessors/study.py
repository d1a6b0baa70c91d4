"""Everything that can be asked about the assessors of one or several years."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pyramidion.collection import Collection, Scores
from pyramidion.collection._ids import natural_order
from pyramidion.evaluation._assessors.consistency import (
    Consistency,
    PanelAgreement,
    assessor_consistency,
    panel_agreement,
)
from pyramidion.evaluation._assessors.panel import Panel, StudyOptions, gather_panel, read_moments
from pyramidion.evaluation._assessors.severity import (
    AUTOMATIC,
    MANUAL,
    AssessorDifference,
    Drift,
    SeverityModel,
    TopicDifference,
    annotated_scores,
    assessor_differences,
    assessor_drift,
    assessor_severity,
    topic_differences,
)

Key = tuple[str | None, str, str]


#: What stands for all assessors, and for all years.
ALL, ALL_YEARS = "all", "all years"


def span_name(collection: str | None) -> str:
    """Name a year, or all of them."""
    return ALL_YEARS if collection is None else collection


def best_first(found: Iterable[Consistency]) -> list[Consistency]:
    """Order assessors by measure, the most consistent first, and all together last."""

    def place(own: Consistency) -> tuple[object, ...]:
        alpha, unknown = own.alpha.value, math.isnan(own.alpha.value)
        # The name decides last, for numbers that are not numbers have no order.
        value = 0.0 if unknown else -alpha
        name = natural_order(own.assessor or "")
        return natural_order(own.measure), own.assessor is None, unknown, value, name

    return sorted(found, key=place)


@dataclass(frozen=True, eq=False)
class AssessorStudy:
    """What was found out about assessors."""

    panel: Panel
    options: StudyOptions
    consistency: tuple[Consistency, ...]
    severity: tuple[SeverityModel, ...]
    agreement: tuple[PanelAgreement, ...]
    drift: Mapping[Key, Drift]
    manual: str = ""
    topics: tuple[TopicDifference, ...] = ()
    differences: tuple[AssessorDifference, ...] = ()
    left_out: tuple[str, ...] = ()


def study_assessors(
    collections: Sequence[Collection], options: StudyOptions | None = None
) -> AssessorStudy:
    """Ask how consistent, how severe and how much alike the assessors of some years are."""
    asked = options or StudyOptions()
    years = [_annotated(collection, asked) for collection in collections]
    panel = gather_panel(years, measures=asked.measures, tasks=asked.task)
    places = list(panel.places())
    manual, topics = _differences(panel, asked)
    severity = tuple(assessor_severity(panel, *place, asked) for place in places)
    return AssessorStudy(
        panel=panel,
        options=asked,
        consistency=tuple(assessor_consistency(panel, asked)),
        severity=severity,
        agreement=tuple(panel_agreement(panel, *place, level=asked.level) for place in places),
        drift={
            (*place, name): assessor_drift(panel, *place, name, asked)
            for place in places
            for name in panel.assessors(*place)
        },
        manual=manual,
        topics=tuple(topics),
        differences=tuple(assessor_differences(topics, asked)),
        left_out=(*panel.left_out, *_not_found(panel, severity)),
    )


def _annotated(collection: Collection, options: StudyOptions) -> Collection:
    """Add the scores that annotated pyramids give, if they are asked for."""
    if options.measures and MANUAL not in options.measures:
        return collection
    more = annotated_scores(collection, tasks=options.task)
    both = Scores.concatenate([collection.scores, more])
    return replace(collection, scores=both) if len(more) else collection


def _differences(panel: Panel, options: StudyOptions) -> tuple[str, list[TopicDifference]]:
    usual = "pyramid" if MANUAL not in panel.measures and "pyramid" in panel.measures else MANUAL
    manual = options.manual or usual
    automatic = options.automatic or AUTOMATIC
    there = manual in panel.measures and automatic in panel.metrics.measures
    if not there and not (options.manual or options.automatic):
        return "", []
    return manual, topic_differences(panel, manual, automatic)


def _not_found(panel: Panel, models: Sequence[SeverityModel]) -> Iterator[str]:
    if unreadable := read_moments(panel.judgments.columns["time"].tolist()).unreadable:
        yield f"{unreadable} times of judgments that are neither dates nor numbers"
    for collection in panel.collections:
        if not (compared := panel.compared.get(collection, 0)):
            yield f"{collection}: no summaries, so that identical ones cannot be found"
        elif not panel.pairs.get(collection):
            yield f"{collection}: none of {compared} summaries is identical to another of its topic"
    for measure in panel.measures:
        if not panel.same_scale(measure):
            yield f"{measure}: the years have different scales and are not pooled"
    for model in models:
        if not model.assessors:
            yield f"{span_name(model.collection)}, {model.measure}: no severity, {model.undefined}"
