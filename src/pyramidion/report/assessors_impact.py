"""What inconsistent assessors do to an evaluation, from files of judgments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.collection import Collection, Scores, full_measure_name
from pyramidion.collection.files import write_text
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import PEERS, Peers
from pyramidion.evaluation.assessors.impact import Impact, assessor_impact
from pyramidion.evaluation.assessors.impact_metrics import metric_measures
from pyramidion.evaluation.assessors.study import AssessorStudy, StudyOptions, study_assessors
from pyramidion.evaluation.assessors.worst import (
    CRITERIA,
    Criterion,
    WorstFirst,
    worst_by_alpha,
    worst_by_difference,
)
from pyramidion.report.answer import Answer
from pyramidion.report.assessors import study_signature
from pyramidion.report.assessors_classy import ClassyRequest, ClassyTrial, try_classy
from pyramidion.report.assessors_figures import write_figures
from pyramidion.report.assessors_impact_page import impact_figures, impact_page
from pyramidion.report.assessors_impact_tables import impact_records, impact_tables
from pyramidion.report.assessors_source import read_years
from pyramidion.report.old_figures import require_figures

if TYPE_CHECKING:
    from pyramidion.metrics import Metric

__all__ = ["ImpactRequest", "find_impacts", "impact_answer"]


@dataclass(frozen=True, slots=True)
class ImpactRequest:
    """What to ask.

    Parameters
    ----------
    study
        How consistency is judged.
    criteria
        By what assessors are the worst; by manual minus automatic scores only for the manual
        measure.
    peers
        All peers, machines only, or both.
    metrics
        Metrics to correlate with what is left: measures of the scores, or metrics to compute
        from the summaries. All metrics among the scores if none is named.
    most
        Leave out so many assessors at most; all but one if it is not given.
    classy
        What to train with and without the worst; nothing if it is not given.

    Examples
    --------
    >>> ImpactRequest(most=2).peers
    ('all', 'machines')
    """

    study: StudyOptions = field(default_factory=StudyOptions)
    criteria: tuple[Criterion, ...] = CRITERIA
    peers: tuple[Peers, ...] = PEERS
    metrics: tuple[str, ...] = ()
    most: int | None = None
    classy: ClassyRequest | None = None

    def __post_init__(self) -> None:
        for name, given, known in (
            ("criterion", self.criteria, CRITERIA),
            ("set of peers", self.peers, PEERS),
        ):
            for own in given:
                if own not in known:
                    raise InputError(
                        f"there is no {name} {own!r}", hint=f"use {' or '.join(known)}"
                    )


def impact_answer(
    sources: Sequence[str | Path],
    request: ImpactRequest,
    *,
    source_format: str | None = None,
    scores: Sequence[str | Path] = (),
    figures: str | Path | None = None,
    figure_form: str = "svg",
    page: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Answer:
    """Leave out the worst assessors one after the other, and see what changes.

    Parameters
    ----------
    sources, source_format, scores, figures, figure_form, page
        See `assessors_answer`.
    request
        What to ask.
    progress
        Is told how much of the training is done, and of how much.
    """
    if figures is not None:
        require_figures(figures, figure_form)
    read = read_years(sources, format=source_format, scores=scores)
    if request.classy is not None:
        request.classy.require(read)
    years, notes = _scored(read, request.metrics)
    study = study_assessors(years, request.study)
    found, left_out = find_impacts(study, request)
    trial = ClassyTrial()
    if request.classy is not None:
        trial = try_classy(study, years, request.classy, format=source_format, progress=progress)
    answer = Answer(
        command="assessors impact",
        signature=study_signature("assessors-impact", request.study, [*read, *trial.later]),
        results=[*impact_records(found), *trial.records()],
        tables=(*impact_tables(found), *trial.tables()),
        left_out=(*study.left_out, *notes, *left_out, *trial.left_out),
    )
    if figures is not None:
        write_figures(impact_figures(found), figures, figure_form)
    if page is not None:
        title = f"Without inconsistent assessors: {', '.join(year.name for year in years)}"
        write_text(page, impact_page(answer, found, title=title))
    return answer


def find_impacts(study: AssessorStudy, request: ImpactRequest) -> tuple[list[Impact], list[str]]:
    """Find the impact on each year, measure, task and set of peers.

    Parameters
    ----------
    study
        What was found out about the assessors.
    request
        What to ask.

    Returns
    -------
    found
        One for each, by each criterion.
    left_out
        What has no assessor that could be left out, and why.
    """
    metrics = metric_measures(study.panel, request.metrics)
    found: list[Impact] = []
    left_out: list[str] = []
    for collection in study.panel.collections:
        for measure, worst in _orders(study, collection, request.criteria):
            judges = study.panel.assessors(collection, measure)
            if why := _nobody(worst, judges):
                left_out.append(f"{collection}, {measure}, by {worst.criterion}: {why}")
                continue
            found += [
                assessor_impact(
                    study.panel,
                    collection,
                    measure,
                    worst,
                    task=task,
                    peers=peers,
                    metrics=metrics,
                    most=request.most,
                    seed=request.study.seed,
                )
                for task, peers in _places(study, collection, measure, request.peers)
            ]
    if not found:
        raise InputError(
            f"no assessor can be left out: {left_out[0] if left_out else 'none is known'}",
            hint="two assessors are needed, and judgments of identical summaries by one",
        )
    return found, left_out


def _orders(
    study: AssessorStudy, collection: str, criteria: Sequence[Criterion]
) -> Iterator[tuple[str, WorstFirst]]:
    for measure in study.panel.measures:
        assessors = study.panel.assessors(collection, measure)
        if assessors and "alpha" in criteria:
            yield measure, worst_by_alpha(study.consistency, collection, measure)
        if assessors and "manual-automatic" in criteria and measure == study.manual:
            yield measure, worst_by_difference(study.differences, collection, assessors)


def _nobody(worst: WorstFirst, judges: Sequence[str]) -> str:
    if len(judges) < 2:
        return "one assessor, who cannot be left out"
    if not worst.assessors:
        return (
            "no assessor judged the same words twice"
            if worst.criterion == "alpha"
            else ("no assessor has both scores")
        )
    return ""


def _places(
    study: AssessorStudy, collection: str, measure: str, peers: Sequence[Peers]
) -> Iterator[tuple[str | None, Peers]]:
    """Give tasks, then all together where there are several, with the sets of peers there are."""
    rows = study.panel.of(collection, measure)
    tasks: list[str | None] = list(rows.distinct("task"))
    for task in [*tasks, None] if len(tasks) > 1 else tasks:
        own = rows if task is None else rows.select(task=task)
        kinds = set(own.columns["kind"])
        for which in peers:
            # Where there are no people both sets are the same, and where there is nobody else
            # there are no machines.
            if (which == "all" and ("human" in kinds or "machines" not in peers)) or (
                which == "machines" and "machine" in kinds
            ):
                yield task, which


def _scored(
    years: Sequence[Collection], names: Sequence[str]
) -> tuple[list[Collection], list[str]]:
    """Compute metrics that were asked for and that no table has."""
    from pyramidion.metrics import parse_metric

    there = {measure for year in years for measure in year.scores.measures}
    missing = [name for name in names if full_measure_name(name, there) not in there]
    if not missing or not any(year.summaries for year in years):
        return list(years), []
    return _computed(years, {name: parse_metric(name) for name in missing})


def _computed(
    years: Sequence[Collection], metrics: "Mapping[str, Metric]"
) -> tuple[list[Collection], list[str]]:
    from pyramidion.metrics import score_collection

    scored: list[Collection] = []
    notes: list[str] = []
    for year in years:
        # People face one reference less than machines would.
        people = any(summary.is_peer and summary.kind == "human" for summary in year.summaries)
        own = score_collection(year, metrics, jackknife=people)
        together = Scores.concatenate([year.scores, own.scores])
        scored.append(replace(year, scores=together))
        notes += own.left_out
    return scored, notes
