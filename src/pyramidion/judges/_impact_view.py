"""The impact of leaving out the worst assessors: options, tables, charts and page."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any, ClassVar

from pyramidion.collection import Collection, Scores, full_measure_name
from pyramidion.collection.ids import file_stem, grouped
from pyramidion.comparison.measure_tables import PEERS, Peers
from pyramidion.errors import InputError
from pyramidion.judges._impact import (
    CRITERIA,
    Criterion,
    Impact,
    ImpactStep,
    WorstFirst,
    assessor_impact,
    metric_measures,
    worst_by_alpha,
    worst_by_difference,
    worst_of_years,
)
from pyramidion.judges._panel import StudyOptions
from pyramidion.judges._study import (
    AssessorsResult,
    AssessorStudy,
    study_assessors,
    study_signature,
)
from pyramidion.questions import Options, Progress, option
from pyramidion.rendering.page import (
    Section,
    chart_blocks,
    closing_section,
    render_page,
    table_block,
)
from pyramidion.rendering.result import Chart, Result
from pyramidion.rendering.table import Cell, Table

Row = tuple[Cell, ...]

# Maximum number of metrics in tables; files contain all.
_MAX_SHOWN_METRICS = 5


@dataclass(frozen=True, slots=True)
class ImpactOptions(Options):
    """Whether and how the worst assessors are left out."""

    panel: ClassVar[str] = "With --impact"

    impact: bool = option(
        False, "Leave out the worst assessors one by one, and show what changes.",
        flags=("--impact",),
    )  # fmt: skip
    worst_by: tuple[Criterion, ...] = option(
        CRITERIA, "How the worst assessors are determined: alpha, manual-automatic, or "
        "alpha,manual-automatic for both.",
    )  # fmt: skip
    max_excluded: int | None = option(
        None, "Maximum number of assessors to exclude; all but one by default.", min=1
    )
    peers: tuple[Peers, ...] = option(
        PEERS, "Sets of systems to rank: all, machines (without people), or all,machines for both."
    )
    metrics: tuple[str, ...] = option(
        (), "Metrics to correlate with people, comma-separated, found in the scores or computed; "
        "all in the scores by default.", code=True,
    )  # fmt: skip
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)


@dataclass(frozen=True, slots=True)
class Retraining:
    """Results of training with and without the worst assessors, and how they are shown."""

    values: Sequence[Any] = ()
    record: Callable[[Any], dict[str, Any]] = lambda value: {}
    tables: Sequence[Table] = ()
    left_out: Sequence[str] = ()
    sources: Sequence[Collection] = ()


@dataclass(frozen=True, slots=True)
class RetrainingOptions(Options):
    """Metrics to train without the worst assessors: none, unless a package adds them.

    A package declares a subclass as an entry point of the group ``pyramidion.retraining``; its
    options become options of `assessors`.
    """

    plugins: ClassVar[str] = "retraining"
    panel: ClassVar[str] = "With --impact"

    @property
    def is_requested(self) -> bool:
        """Whether anything should be trained."""
        return False

    def check_years(self, years: Sequence[Collection]) -> None:
        """Refuse unsuitable years before any work."""

    def retrain(
        self,
        years: Sequence[Collection],
        worst_first: Mapping[str, Sequence[WorstFirst]],
        *,
        source_format: str | None,
        tasks: Sequence[str],
        number: int,
    ) -> Retraining:
        """Train with all assessors, and without up to `number` of the worst."""
        return Retraining()


def without_the_worst(
    collections: list[Collection],
    format: str | None,
    options: StudyOptions,
    impact: ImpactOptions,
    retraining: RetrainingOptions,
) -> AssessorsResult:
    """Leave out the worst assessors one by one, and show what changes."""
    retraining.check_years(collections)
    years, notes = _with_metrics(collections, impact.metrics)
    study = study_assessors(years, options)
    impacts, left_out = find_impacts(study, impact)
    retrained_models = retraining.retrain(
        years, _worst_orders(study), source_format=format, tasks=options.task,
        number=impact.max_excluded or 1,
    )  # fmt: skip
    names = ", ".join(year.name for year in collections)
    result = AssessorsResult(
        command="assessors impact",
        signature=study_signature(
            "assessors-impact", options, [*collections, *retrained_models.sources]
        ),
        values=[*impacts, *retrained_models.values],
        record=partial(_record, retrained_models),
        tables=[*impact_tables(impacts), *retrained_models.tables],
        left_out=(*study.left_out, *notes, *left_out, *retrained_models.left_out),
        charts=list(_charts(impacts)),
        study=study,
        impacts=tuple(impacts),
    )
    return replace(result, page=partial(_page, result, f"Without inconsistent assessors: {names}"))


def _page(result: AssessorsResult, title: str) -> str:
    lead = "Evaluations without the topics and judgments of the least consistent assessors."
    sections = list(_sections(result))
    return render_page(title, sections, lead=lead, signature=str(result.signature))


def _worst_orders(study: AssessorStudy) -> Mapping[str, list[WorstFirst]]:
    """Order the assessors of each measure over all years, by each criterion."""
    orders: dict[str, list[WorstFirst]] = {}
    spans = study.panel.spans()
    for measure in study.panel.measures:
        has_same_scale = study.panel.same_scale(measure)
        years = spans[-1:] if has_same_scale else spans[:-1]
        orders_of_years = [worst_by_alpha(study.consistency, year, measure) for year in years]
        orders[measure] = orders_of_years if has_same_scale else [worst_of_years(orders_of_years)]
        if measure == study.manual:
            orders[measure].append(worst_by_difference(study.differences, spans[-1]))
    return orders


def _with_metrics(
    years: Sequence[Collection], names: Sequence[str]
) -> tuple[list[Collection], list[str]]:
    """Compute named metrics that are not among the scores."""
    from pyramidion.metrics import score_collection
    from pyramidion.metrics.registry import named_metrics

    available_measures = {measure for year in years for measure in year.scores.measures}
    missing_measures = [
        name
        for name in names
        if full_measure_name(name, available_measures) not in available_measures
    ]
    if not missing_measures or not any(year.summaries for year in years):
        return list(years), []
    metrics = named_metrics(missing_measures)
    scored_years: list[Collection] = []
    notes: list[str] = []
    for year in years:
        # Jackknife if people are scored, who have one reference fewer.
        are_people_scored = any(
            summary.is_peer and summary.kind == "human" for summary in year.summaries
        )
        computed_collection = score_collection(year, metrics, jackknife=are_people_scored)
        scored_years.append(
            replace(year, scores=Scores.concatenate([year.scores, computed_collection.scores]))
        )
        notes += computed_collection.left_out
    return scored_years, notes


def find_impacts(study: AssessorStudy, options: ImpactOptions) -> tuple[list[Impact], list[str]]:
    """Find the impact on each year, measure, task and set of peers; report those without one."""
    panel, metrics = study.panel, metric_measures(study.panel, options.metrics)
    impacts, left_out = [], []
    for collection in panel.collections:
        for measure, worst_first in _orders_by_measure(study, collection, options.worst_by):
            reason = "" if worst_first.assessors else "no assessor has both scores"
            if reason and worst_first.criterion == "alpha":
                reason = "no assessor judged the same words twice"
            if len(panel.assessors(collection, measure)) < 2:
                reason = "one assessor, who cannot be left out"
            if reason:
                left_out.append(f"{collection}, {measure}, by {worst_first.criterion}: {reason}")
                continue
            for task, peers in _tasks_and_peers(panel.of(collection, measure), options.peers):
                impacts.append(
                    assessor_impact(
                        panel, collection, measure, worst_first, task=task, peers=peers,
                        metrics=metrics,
                        max_excluded=options.max_excluded, seed=study.options.seed,
                    )
                )  # fmt: skip
    if not impacts:
        reason = left_out[0] if left_out else "none is known"
        hint = "two assessors are needed, and judgments of identical summaries by one of them"
        raise InputError(f"no assessor can be left out: {reason}", hint=hint)
    return impacts, left_out


def _orders_by_measure(
    study: AssessorStudy, collection: str, criteria: Sequence[Criterion]
) -> Iterator[tuple[str, WorstFirst]]:
    for measure in study.panel.measures:
        assessors = study.panel.assessors(collection, measure)
        if assessors and "alpha" in criteria:
            yield measure, worst_by_alpha(study.consistency, collection, measure)
        if assessors and "manual-automatic" in criteria and measure == study.manual:
            yield measure, worst_by_difference(study.differences, collection, assessors)


def _tasks_and_peers(rows: Scores, peers: Sequence[Peers]) -> Iterator[tuple[str | None, Peers]]:
    """Yield each task with its sets of peers.

    If there are several tasks, None follows, for all of them together.
    """
    tasks: tuple[str | None, ...] = rows.distinct("task")
    for task in (*tasks, None) if len(tasks) > 1 else tasks:
        judged_rows = rows if task is None else rows.select(task=task)
        kinds = set(judged_rows.columns["kind"])
        # Without people both sets are equal; without machines there is only one.
        is_available = {
            "all": "human" in kinds or "machines" not in peers,
            "machines": "machine" in kinds,
        }
        yield from ((task, peer_set) for peer_set in peers if is_available[peer_set])


# For programs


def _record(retraining: Retraining, value: Any) -> dict[str, Any]:
    if not isinstance(value, Impact):
        return retraining.record(value)
    steps = [asdict(step) for step in value.steps]
    for step in steps:
        if not step["undefined"]:
            del step["undefined"]
    pairs = zip(value.worst.assessors, value.worst.values, strict=True)
    return {
        **{name: getattr(value, name) for name in ("collection", "task", "peers", "measure")},
        "criterion": value.worst.criterion,
        "worst": [{"assessor": name, "value": value} for name, value in pairs],
        "never_left_out": list(value.worst.unknown),
        "steps": steps,
    }


# For people

_RANKINGS_NOTE = (
    "Correlations of systems' means with those by all assessors. Any: mean correlation over all "
    "sets of the same number of assessors. Lower: the share of those sets that change the ranking "
    "at "
    "least as much as leaving out the worst ones."
)
_METRICS_NOTE = (
    "Pearson and Spearman: of systems' means. Summaries: Pearson's correlation over all summaries "
    "of an assessor, averaged over the remaining assessors."
)
_KEY_COLUMNS = ("measure", "worst by", "left out", "without")
_RANKING_COLUMNS = (*_KEY_COLUMNS, "topics", "systems", "Pearson", "Spearman", "any: Pearson",
             "any: Spearman", "lower")  # fmt: skip
_METRIC_COLUMNS = (*_KEY_COLUMNS, "metric", "Pearson", "Spearman", "summaries")


def impact_tables(impacts: Sequence[Impact]) -> Iterator[Table]:
    """Return tables of rankings and metrics, by year and task."""
    for (collection, task, peers), group in _group_impacts(impacts).items():
        task_name = "all tasks" if task is None else f"task {task}" if task else ""
        scope = "machines only" if peers == "machines" else "all peers"
        subject = ", ".join(part for part in (collection, task_name, scope) if part)
        task_label = "all" if task is None else task
        key = (("collection", collection), ("task", task_label), ("peers", peers))
        table = partial(Table, digits=3, key=key)
        rows = tuple(
            (*_step_cells(impact, step), *_ranking_cells(step))
            for impact in group
            for step in impact.steps
        )
        title = f"Rankings without the worst assessors: {subject}"
        yield table(_RANKING_COLUMNS, rows, title, _RANKINGS_NOTE, name="rankings")
        metrics = list(
            dict.fromkeys(
                step_metric.metric for impact in group for step_metric in impact.steps[0].metrics
            )
        )
        if metrics:
            # Tables show the best metrics, files contain all.
            shown_metrics = _shown_metrics(group)
            metrics_note = (
                f" The best {len(shown_metrics)} of {len(metrics)} metrics over summaries."
            )
            note = f"{_METRICS_NOTE}{metrics_note if len(shown_metrics) < len(metrics) else ''}"
            title = f"Metrics without the worst assessors: {subject}"
            full_table = table(
                _METRIC_COLUMNS, _metric_rows(group, metrics), title, note, name="metrics"
            )
            yield full_table.with_variants(rows=_metric_rows(group, shown_metrics))
            title = f"Metrics and each assessor's summaries: {subject}"
            headings, name = ("measure", "metric", "assessor", "Pearson"), "metrics-by-assessor"
            full_table = table(headings, _assessor_rows(group, metrics), title, name=name)
            yield full_table.with_variants(rows=_assessor_rows(group, shown_metrics))


def _group_impacts(impacts: Sequence[Impact]) -> dict[tuple[str, str | None, Peers], list[Impact]]:
    """Group by year, task and peers."""
    return grouped(((impact.collection, impact.task, impact.peers), impact) for impact in impacts)


def _step_cells(impact: Impact, step: ImpactStep) -> Row:
    names = ", ".join(step.left_out) or "nobody"
    return impact.measure, impact.worst.criterion, len(step.left_out), names


def _ranking_cells(step: ImpactStep) -> Row:
    chance = step.chance
    chance_values = (chance.pearson, chance.spearman, chance.lower) if chance else (None,) * 3
    return step.topics, step.systems, step.pearson, step.spearman, *chance_values


def _shown_metrics(group: Sequence[Impact]) -> list[str]:
    """Choose the metrics that correlate best with all assessors, over summaries."""
    values = grouped(
        (
            step_metric.metric,
            0.0 if math.isnan(step_metric.summary_level) else step_metric.summary_level,
        )
        for impact in group
        for step_metric in impact.steps[0].metrics
    )
    ranked_names = sorted(values, key=lambda name: (-sum(values[name]) / len(values[name]), name))
    return [name for name in values if name in ranked_names[:_MAX_SHOWN_METRICS]]


def _metric_rows(group: Sequence[Impact], metrics: Sequence[str]) -> tuple[Row, ...]:
    return tuple(
        (
            *_step_cells(impact, step),
            step_metric.metric,
            step_metric.pearson,
            step_metric.spearman,
            step_metric.summary_level,
        )
        for impact in group
        for metric in metrics
        for step in impact.steps
        for step_metric in step.metrics
        if step_metric.metric == metric
    )


def _assessor_rows(group: Sequence[Impact], metrics: Sequence[str]) -> tuple[Row, ...]:
    """List each assessor's correlation once for all criteria."""
    steps = {impact.measure: impact.steps[0] for impact in reversed(group)}
    return tuple(
        (measure, step_metric.metric, assessor, value)
        for measure in dict.fromkeys(impact.measure for impact in group)
        for metric in metrics
        for step_metric in steps[measure].metrics
        if step_metric.metric == metric
        for assessor, value in step_metric.assessors.items()
    )


def _charts(impacts: Sequence[Impact]) -> Iterator[Chart]:
    from pyramidion.judges._charts import impact_figure, metric_impact_figure

    for (collection, task, peers), group in _group_impacts(impacts).items():
        stem = file_stem("impact", collection, "all-tasks" if task is None else task, peers)
        caption = "Agreement of rankings without the worst assessors with the full ranking."
        yield Chart("impact", partial(impact_figure, group), caption, name=stem)
        if metrics := _shown_metrics(group):
            draw = partial(metric_impact_figure, group, metrics)
            caption = "How metrics correlate with the remaining assessors' judgments of "
            caption += "single summaries."
            yield Chart("impact-summaries", draw, caption, name=f"{stem}-summaries")
            draw = partial(draw, level="system")
            caption = "How metrics correlate with systems' means of the remaining assessors' "
            caption += "judgments."
            yield Chart("impact-systems", draw, caption, name=f"{stem}-systems")


def _sections(result: Result[Any]) -> Iterator[Section]:
    """Return sections of figures, tables, and what was left out."""
    yield Section("Without the worst assessors", tuple(chart_blocks(result.charts)))
    yield Section("Rankings, metrics and models", tuple(map(table_block, result.tables)))
    yield closing_section("Left out", result)
