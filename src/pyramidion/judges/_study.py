"""All statistics of the assessors of one or several years."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pyramidion.collection import Collection, Scores
from pyramidion.collection.ids import natural_order
from pyramidion.comparison.common import joined
from pyramidion.judges._consistency import (
    Consistency,
    PanelAgreement,
    assessor_consistency,
    panel_agreement,
)
from pyramidion.judges._panel import Panel, StudyOptions, gather_panel, read_moments
from pyramidion.judges._severity import (
    AUTOMATIC_MEASURE,
    MANUAL_MEASURE,
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
from pyramidion.questions import Signature
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.saving import FIGURE_FOLDER, PAGE_FILE

if TYPE_CHECKING:
    from pyramidion.judges._checks import JudgeCheck
    from pyramidion.judges._impact import Impact

Key = tuple[str | None, str, str]

#: Labels of all assessors and all years.
ALL, ALL_YEARS = "all", "all years"


def span_name(collection: str | None) -> str:
    """Name a year, or all of them."""
    return ALL_YEARS if collection is None else collection


def best_first(consistencies: Iterable[Consistency]) -> list[Consistency]:
    """Order assessors by measure, most consistent first, all together last."""

    def sort_key(consistency: Consistency) -> tuple[object, ...]:
        alpha, is_unknown = consistency.alpha.value, math.isnan(consistency.alpha.value)
        # NaN cannot be ordered; ties are broken by name.
        order_key = 0.0 if is_unknown else -alpha, natural_order(consistency.assessor or "")
        return (
            natural_order(consistency.measure),
            consistency.assessor is None,
            is_unknown,
            *order_key,
        )

    return sorted(consistencies, key=sort_key)


@dataclass(frozen=True, eq=False)
class AssessorStudy:
    """Statistics of the assessors of one or several years."""

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


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AssessorsResult(Result[Any]):
    """Statistics of assessors, and the impact of leaving out the worst.

    Iterating yields the consistency of each assessor on each measure of each year, or the impact of
    leaving out the worst (and results of retraining without them).

    Parameters
    ----------
    study
        `consistency` by year, measure and assessor (`None` for all of them);
        `severity` and `agreement` by year and measure; `drift`; `differences` of manual and
        automatic pyramid scores, and the same by `topics`; the judgments in a `panel`.
    impacts
        For each year, task, set of peers, measure and criterion: `worst` has the order in which
        assessors are left out, `steps` the evaluation without 0, 1, 2, ... of them.
    judges
        Language models compared with people, by measure.
    """

    saves = (FIGURE_FOLDER, PAGE_FILE)

    study: AssessorStudy
    impacts: tuple["Impact", ...] = ()
    judges: tuple["JudgeCheck", ...] = ()


def study_signature(
    subject: str, options: StudyOptions, years: Sequence[Collection], **details: str
) -> Signature:
    """Return the signature of a study."""
    return signed(
        subject, "+".join(year.data_hash for year in years), options.seed,
        level=options.level or "by-scale", beside=options.beside or "",
        task=joined(options.task), measures=joined(options.measures),
        confidence=f"{options.confidence_level:g}", n=options.n_resamples, **details,
    )  # fmt: skip


def study_assessors(
    collections: Sequence[Collection], options: StudyOptions | None = None
) -> AssessorStudy:
    """Compute all statistics of the assessors of some years."""
    study_options = options or StudyOptions()
    years = [*collections]
    if not study_options.measures or MANUAL_MEASURE in study_options.measures:
        for number, year in enumerate(years):
            manual_scores = annotated_scores(year, tasks=study_options.task)
            if len(manual_scores):
                years[number] = replace(
                    year, scores=Scores.concatenate([year.scores, manual_scores])
                )
    panel = gather_panel(years, measures=study_options.measures, tasks=study_options.task)
    spans = list(panel.judged_measures())
    manual_measure, topics = _find_differences(panel, study_options)
    severity = tuple(assessor_severity(panel, *span, study_options) for span in spans)
    return AssessorStudy(
        panel=panel,
        options=study_options,
        consistency=tuple(assessor_consistency(panel, study_options)),
        severity=severity,
        agreement=tuple(panel_agreement(panel, *span, level=study_options.level) for span in spans),
        drift={
            (*span, name): assessor_drift(panel, *span, name, study_options)
            for span in spans
            for name in panel.assessors(*span)
        },
        manual=manual_measure,
        topics=tuple(topics),
        differences=tuple(assessor_differences(topics, study_options)),
        left_out=(*panel.left_out, *_describe_omissions(panel, severity)),
    )


def _find_differences(panel: Panel, options: StudyOptions) -> tuple[str, list[TopicDifference]]:
    default = (
        "pyramid"
        if MANUAL_MEASURE not in panel.measures and "pyramid" in panel.measures
        else MANUAL_MEASURE
    )
    manual_measure = options.manual or default
    automatic_measure = options.automatic or AUTOMATIC_MEASURE
    is_computable = manual_measure in panel.measures and automatic_measure in panel.metrics.measures
    if not is_computable and not (options.manual or options.automatic):
        return "", []
    return manual_measure, topic_differences(panel, manual_measure, automatic_measure)


def _describe_omissions(panel: Panel, models: Sequence[SeverityModel]) -> Iterator[str]:
    if n_unreadable := read_moments(panel.judgments.columns["time"].tolist()).unreadable:
        yield f"{n_unreadable} times of judgments that are neither dates nor numbers"
    for collection in panel.collections:
        if not (n_compared := panel.compared.get(collection, 0)):
            yield f"{collection}: no summaries, so identical ones cannot be found"
        elif not panel.pairs.get(collection):
            yield (
                f"{collection}: none of {n_compared} summaries is identical to another of its topic"
            )
    for measure in panel.measures:
        if not panel.same_scale(measure):
            yield f"{measure}: the years have different scales and are not pooled"
    for model in models:
        if not model.assessors:
            yield f"{span_name(model.collection)}, {model.measure}: no severity, {model.undefined}"
