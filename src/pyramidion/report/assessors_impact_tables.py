"""What leaving out the worst assessors changes, as data and for people."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from pyramidion.evaluation.assessors.impact import Impact, ImpactStep
from pyramidion.evaluation.assessors.impact_metrics import MetricStep
from pyramidion.report.table import Cell, Table, WideTable

__all__ = ["impact_groups", "impact_records", "impact_tables", "shown_metrics"]

#: So many metrics are shown to people; files hold all.
SHOWN = 5

Row = tuple[Cell, ...]

_RANKINGS_NOTE = (
    "Correlations of systems' means with those by all assessors. Any: the mean correlation if as "
    "many assessors are left out, whichever they are. Lower: the share of those choices that "
    "change the ranking as much as the worst, or more."
)
_METRICS_NOTE = (
    "Pearson and Spearman: of systems' means. Summaries: Pearson's correlation over all summaries "
    "of an assessor, averaged over the assessors that are left."
)


def impact_records(found: Sequence[Impact]) -> list[dict[str, Any]]:
    """Give a record for each year, task, set of peers, measure and criterion.

    Parameters
    ----------
    found
        The impacts.

    Examples
    --------
    >>> impact_records([])
    []
    """
    return [
        {
            "collection": own.collection,
            "task": own.task,
            "peers": own.peers,
            "measure": own.measure,
            "criterion": own.worst.criterion,
            "worst": [
                {"assessor": name, "value": value}
                for name, value in zip(own.worst.assessors, own.worst.values, strict=True)
            ],
            "never_left_out": list(own.worst.unknown),
            "steps": [_step_record(step) for step in own.steps],
        }
        for own in found
    ]


def _step_record(step: ImpactStep) -> dict[str, Any]:
    record = asdict(step)
    if not step.undefined:
        del record["undefined"]
    return record


def impact_groups(found: Sequence[Impact]) -> list[list[Impact]]:
    """Put together what is about the same year, task and peers.

    Examples
    --------
    >>> impact_groups([])
    []
    """
    groups: dict[tuple[object, ...], list[Impact]] = {}
    for own in found:
        groups.setdefault((own.collection, own.task, own.peers), []).append(own)
    return list(groups.values())


def impact_tables(found: Sequence[Impact]) -> Iterator[Table]:
    """Lay out rankings and metrics, year by year, task by task.

    Parameters
    ----------
    found
        The impacts.

    Examples
    --------
    >>> list(impact_tables([]))
    []
    """
    for group in impact_groups(found):
        yield _rankings(group)
        if any(step.metrics for own in group for step in own.steps):
            yield _metrics(group)
            yield _metrics_by_assessor(group)


def _named(group: Sequence[Impact]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Name what a group is about, for titles and as columns of a file."""
    first = group[0]
    task = "all tasks" if first.task is None else f"task {first.task}" if first.task else ""
    peers = "machines only" if first.peers == "machines" else "all peers"
    key = (
        ("collection", first.collection),
        ("task", "all" if first.task is None else first.task),
        ("peers", first.peers),
    )
    return ", ".join(part for part in (first.collection, task, peers) if part), key


def _about(own: Impact, step: ImpactStep) -> Row:
    without = ", ".join(step.left_out) or "nobody"
    return own.measure, own.worst.criterion, len(step.left_out), without


_ABOUT = ("measure", "worst by", "left out", "without")


def _rankings(group: Sequence[Impact]) -> Table:
    rows = tuple(
        (
            *_about(own, step),
            step.topics,
            step.systems,
            step.pearson,
            step.spearman,
            *_chance(step),
        )
        for own in group
        for step in own.steps
    )
    columns = (
        *_ABOUT,
        *("topics", "systems", "Pearson", "Spearman"),
        *("any: Pearson", "any: Spearman", "lower"),
    )
    name, key = _named(group)
    title = f"Rankings without the worst assessors: {name}"
    return Table(columns, rows, title=title, note=_RANKINGS_NOTE, digits=3, key=key)


def _chance(step: ImpactStep) -> Row:
    if step.chance is None:
        return None, None, None
    return step.chance.pearson, step.chance.spearman, step.chance.lower


def shown_metrics(group: Sequence[Impact], most: int = SHOWN) -> list[str]:
    """Choose the metrics that correlate best with all assessors, over summaries.

    Parameters
    ----------
    group
        Impacts of one year, task and set of peers.
    most
        How many.

    Examples
    --------
    >>> shown_metrics([])
    []
    """
    values: dict[str, list[float]] = {}
    for own in group:
        for metric in own.steps[0].metrics:
            known = 0.0 if math.isnan(metric.summary_level) else metric.summary_level
            values.setdefault(metric.metric, []).append(known)
    best = sorted(values, key=lambda name: (-sum(values[name]) / len(values[name]), name))
    chosen = set(best[:most])
    return [name for name in values if name in chosen]


def _metrics(group: Sequence[Impact]) -> Table:
    def rows(metrics: Sequence[str]) -> tuple[Row, ...]:
        return tuple(
            (*_about(own, step), one.metric, one.pearson, one.spearman, one.summary_level)
            for own in group
            for metric in metrics
            for step in own.steps
            for one in _of(step, metric)
        )

    columns = (*_ABOUT, "metric", "Pearson", "Spearman", "summaries")
    name, key = _named(group)
    every, shown = _all_metrics(group), shown_metrics(group)
    title = f"Metrics without the worst assessors: {name}"
    few = f"{_METRICS_NOTE} The best {len(shown)} of {len(every)} metrics over summaries."
    note = few if len(shown) < len(every) else _METRICS_NOTE
    numbers = Table(columns, rows(every), key=key)
    table = Table(columns, rows(shown), title=title, note=note, digits=3, key=key)
    return _fitting(table, numbers)


def _metrics_by_assessor(group: Sequence[Impact]) -> Table:
    """List each assessor's correlation once, however the worst are chosen."""

    def rows(metrics: Sequence[str]) -> tuple[Row, ...]:
        return tuple(
            (measure, one.metric, assessor, value)
            for measure, step in _first_steps(group).items()
            for metric in metrics
            for one in _of(step, metric)
            for assessor, value in one.assessors.items()
        )

    columns = ("measure", "metric", "assessor", "Pearson")
    name, key = _named(group)
    numbers = Table(columns, rows(_all_metrics(group)), key=key)
    title = f"Metrics and each assessor's summaries: {name}"
    table = Table(columns, rows(shown_metrics(group)), title=title, digits=3, key=key)
    return _fitting(table, numbers)


def _fitting(table: Table, numbers: Table) -> Table:
    return WideTable(
        table.columns,
        table.rows,
        title=table.title,
        note=table.note,
        digits=table.digits,
        key=table.key,
        numbers=numbers,
        narrow=table,
    )


def _first_steps(group: Sequence[Impact]) -> dict[str, ImpactStep]:
    steps: dict[str, ImpactStep] = {}
    for own in group:
        steps.setdefault(own.measure, own.steps[0])
    return steps


def _all_metrics(group: Sequence[Impact]) -> list[str]:
    return list(dict.fromkeys(one.metric for own in group for one in own.steps[0].metrics))


def _of(step: ImpactStep, metric: str) -> list[MetricStep]:
    return [one for one in step.metrics if one.metric == metric]
