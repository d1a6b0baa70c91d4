"""Everything that can be asked about the assessors of one or several years."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pyramidion.collection import Collection, Scores
from pyramidion.evaluation.assessors.agreement import PanelAgreement, panel_agreement
from pyramidion.evaluation.assessors.consistency import Consistency, assessor_consistency
from pyramidion.evaluation.assessors.drift import Drift, assessor_drift
from pyramidion.evaluation.assessors.moments import read_moments
from pyramidion.evaluation.assessors.panel import Panel, gather_panel
from pyramidion.evaluation.assessors.pyramids import (
    AUTOMATIC,
    MANUAL,
    AssessorDifference,
    TopicDifference,
    annotated_scores,
    assessor_differences,
    topic_differences,
)
from pyramidion.evaluation.assessors.severity import Beside, SeverityModel, assessor_severity
from pyramidion.stats.inputs import count_of_resamples, share
from pyramidion.stats.krippendorff import Level

__all__ = ["AssessorStudy", "StudyOptions", "study_assessors"]

Key = tuple[str | None, str, str]


@dataclass(frozen=True, slots=True)
class StudyOptions:
    """What to ask, and how.

    Parameters
    ----------
    measures, tasks
        Which; all if none is named (see `gather_panel`).
    level
        The level of alpha; by the scale if none is asked for (see `level_of`).
    beside
        What stands beside the assessor in the model of severity (see `assessor_severity`).
    manual, automatic
        The measures whose difference tells how consistently pyramids were annotated. If they
        are not named: ``pyramid-modified`` and ``pyramid-match``, which annotated pyramids give.
    n_resamples, confidence_level, seed
        How intervals are made.

    Examples
    --------
    >>> StudyOptions(level="interval").n_resamples
    1000
    """

    measures: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    level: Level | None = None
    beside: Beside | None = None
    manual: str = ""
    automatic: str = ""
    n_resamples: int = 1000
    confidence_level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        share(self.confidence_level, "confidence_level")
        count_of_resamples(self.n_resamples)


@dataclass(frozen=True, eq=False)
class AssessorStudy:
    """What was found out about assessors.

    Parameters
    ----------
    panel
        The judgments.
    options
        What was asked.
    consistency
        By year, measure and assessor; see `assessor_consistency`.
    severity, agreement
        By year and measure.
    drift
        By year, measure and assessor.
    manual
        The measure that differences are of; empty without differences.
    topics, differences
        Manual minus automatic scores by topic, and by assessor.
    left_out
        What was not considered, counted.
    """

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
    """Ask how consistent, how severe and how much alike the assessors of some years are.

    Parameters
    ----------
    collections
        The years; summaries, judgments, topics and pyramids as far as there are any.
    options
        What to ask.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> study = study_assessors([load_demo()], StudyOptions(measures=("responsiveness",)))
    >>> [(own.assessor, round(own.effect, 2)) for own in study.severity[0].assessors]
    [('K', 0.06), ('L', 0.0), ('M', -0.06)]
    >>> study.agreement[0].items, round(study.agreement[0].alpha, 2)
    (48, 0.36)
    """
    asked = options or StudyOptions()
    panel = gather_panel(
        [_annotated(collection, asked) for collection in collections],
        measures=asked.measures,
        tasks=asked.tasks,
    )
    places = list(panel.places())
    manual, topics = _differences(panel, asked)
    level, confidence = asked.level, asked.confidence_level
    severity = tuple(
        assessor_severity(panel, *place, beside=asked.beside, confidence_level=confidence)
        for place in places
    )
    return AssessorStudy(
        panel=panel,
        options=asked,
        consistency=tuple(
            assessor_consistency(
                panel,
                level=level,
                n_resamples=asked.n_resamples,
                confidence_level=confidence,
                rng=asked.seed,
            )
        ),
        severity=severity,
        agreement=tuple(panel_agreement(panel, *place, level=level) for place in places),
        drift={
            (*place, name): assessor_drift(panel, *place, name, confidence_level=confidence)
            for place in places
            for name in panel.assessors(*place)
        },
        manual=manual,
        topics=tuple(topics),
        differences=tuple(assessor_differences(topics, confidence_level=confidence)),
        left_out=(*panel.left_out, *_not_found(panel), *_no_severity(severity)),
    )


def _annotated(collection: Collection, options: StudyOptions) -> Collection:
    """Add the scores that annotated pyramids give, if they are asked for."""
    if options.measures and MANUAL not in options.measures:
        return collection
    more = annotated_scores(collection, tasks=options.tasks)
    if not len(more):
        return collection
    return replace(collection, scores=Scores.concatenate([collection.scores, more]))


def _differences(panel: Panel, options: StudyOptions) -> tuple[str, list[TopicDifference]]:
    usual = "pyramid" if MANUAL not in panel.measures and "pyramid" in panel.measures else MANUAL
    manual = options.manual or usual
    automatic = options.automatic or AUTOMATIC
    there = manual in panel.measures and automatic in panel.metrics.measures
    if not there and not (options.manual or options.automatic):
        return "", []
    return manual, topic_differences(panel, manual, automatic)


def _not_found(panel: Panel) -> Iterator[str]:
    unreadable = read_moments(panel.judgments.columns["time"].tolist()).unreadable
    if unreadable:
        yield f"{unreadable} times of judgments that are neither dates nor numbers"
    for collection in panel.collections:
        compared = panel.compared.get(collection, 0)
        if not compared:
            yield f"{collection}: no summaries, so that identical ones cannot be found"
        elif not panel.pairs.get(collection):
            yield f"{collection}: none of {compared} summaries is identical to another of its topic"
    if len(panel.collections) > 1:
        for measure in panel.measures:
            if not panel.same_scale(measure):
                yield f"{measure}: the years have different scales and are not pooled"


def _no_severity(models: Sequence[SeverityModel]) -> Iterator[str]:
    for model in models:
        if not model.assessors:
            where = model.collection or "all years"
            yield f"{where}, {model.measure}: no severity, {model.undefined}"
