"""Judged metrics as tables and as data."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from pyramidion.evaluation._judged import Peers
from pyramidion.evaluation._meta.labels import (
    COEFFICIENT_NAMES,
    PEER_NAMES,
    correlation_name,
    human_name,
    interval_note,
    matrix_note,
    named_metric,
    negated_note,
    shown_peers,
)
from pyramidion.evaluation._meta.result import (
    MetaResult,
    MetricCorrelation,
    MetricMatrix,
    MetricPair,
)
from pyramidion.report.labels import shown_p
from pyramidion.report.table import Cell, Table, WideTable
from pyramidion.stats.clustered_weights import CorrelationLevel
from pyramidion.stats.weighted import Coefficient

__all__ = ["correlation_table", "matrix_table", "meta_records"]

_Column = tuple[CorrelationLevel, Coefficient, Peers]

_CORRELATION = tuple(field.name for field in fields(MetricCorrelation))
_PAIR = tuple(field.name for field in fields(MetricPair))


def correlation_table(result: MetaResult) -> WideTable:
    """Show metrics down and the chosen correlations across; files get all correlations.

    Parameters
    ----------
    result
        Metrics judged against a human measure.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.evaluation._judged import MetaTables
    >>> from pyramidion.evaluation._meta.evaluate import judge_tables
    >>> from pyramidion.evaluation._meta.options import MetaOptions
    >>> truth = np.array([[1.0, 2, 4, 3], [2, 1, 3, 4], [1, 3, 3, 5]])
    >>> tables = MetaTables("responsiveness", "A", tuple("abc"), tuple("wxyz"), truth[0] > 9,
    ...                     truth, {"good": truth + 1})
    >>> options = MetaOptions(tests=(), levels=("system",), n_resamples=19)
    >>> print(correlation_table(judge_tables(tables, options)).to_text())
    Correlation with responsiveness, task A
    <BLANKLINE>
     metric   system Kendall
     ─────────────────────────────
     good     1.000 [1.000, 1.000]
    <BLANKLINE>
    95% intervals: percentiles of 19 draws of systems and topics.
    <BLANKLINE>
    """
    columns = _columns(result)
    level, coefficient, peers = columns[0]
    order = result.ranked(level=level, coefficient=coefficient, peers=peers)
    metrics = [name for name, _ in order]
    title, note = f"Correlation with {human_name(result)}", _note(result, metrics)
    headings = ("metric", *(_heading(result, column) for column in columns))

    def rows(*, brief: bool) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            (
                named_metric(name, result.tables.negated),
                *(_shown(result, name, column, brief=brief) for column in columns),
            )
            for name in metrics
        )

    return WideTable(
        headings,
        rows(brief=False),
        title=title,
        note=note,
        numbers=_all_correlations(result),
        narrow=Table(headings, rows(brief=True), title=title, note=note),
        heads=1,
    )


def _columns(result: MetaResult) -> list[_Column]:
    return [
        (level, coefficient, peers)
        for peers in shown_peers(result)
        for level, coefficient in result.options.shown
    ]


def _heading(result: MetaResult, column: _Column) -> str:
    level, coefficient, peers = column
    name = f"{level} {COEFFICIENT_NAMES[coefficient]}"
    return f"{name}, {PEER_NAMES[peers]}" if len(shown_peers(result)) > 1 else name


def _shown(result: MetaResult, metric: str, column: _Column, *, brief: bool) -> str:
    level, coefficient, peers = column
    found = result.correlation(metric, level=level, coefficient=coefficient, peers=peers)
    if math.isnan(found.value):
        return "undefined"
    interval = "" if brief or math.isnan(found.low) else f" [{found.low:.3f}, {found.high:.3f}]"
    group = _group(result, metric, column)
    return f"{found.value:.3f}{interval}{f' {group}' if group else ''}"


def _group(result: MetaResult, metric: str, column: _Column) -> str:
    for matrix in result.matrices:
        if (matrix.level, matrix.coefficient, matrix.peers) == column:
            return next(rank.group for rank in matrix.metrics if rank.metric == metric)
    return ""


def _note(result: MetaResult, metrics: Sequence[str]) -> str:
    return " ".join(f"{part[0].upper()}{part[1:]}." for part in _notes(result, metrics) if part)


def _notes(result: MetaResult, metrics: Sequence[str]) -> Iterator[str]:
    yield interval_note(result.options)
    if result.matrices:
        how = matrix_note(result.matrices[0], result.options)
        yield f"metrics that share a letter do not differ significantly ({how})"
    yield negated_note(result, metrics)
    yield from dict.fromkeys(_undefined(result))


def _undefined(result: MetaResult) -> Iterator[str]:
    """Say what is undefined among the shown correlations, each once."""
    for level, coefficient, peers in _columns(result):
        for name, found in result.ranked(level=level, coefficient=coefficient, peers=peers):
            if found.undefined:
                yield f"{name}, {level} level: {found.undefined}"
            elif found.undefined_inputs:
                topics = found.undefined_inputs + found.n
                yield (
                    f"{name}, {PEER_NAMES[peers]}: undefined within {found.undefined_inputs} of "
                    f"{topics} topics, where all scores of one of the two are equal"
                )


def _key(result: MetaResult) -> tuple[tuple[str, str], ...]:
    where = ("collection", result.tables.collection), ("task", result.task)
    return (*(pair for pair in where[:1] if pair[1]), where[1], ("human", result.human))


def _all_correlations(result: MetaResult) -> Table:
    rows = tuple(
        (name, *(getattr(found, field) for field in _CORRELATION))
        for name, own in result.correlations.items()
        for found in own
    )
    return Table(("metric", *_CORRELATION), rows, key=_key(result))


def matrix_table(result: MetaResult, matrix: MetricMatrix) -> WideTable:
    """Show the adjusted p-value of every pair of metrics; files get all pairs, one a row.

    Parameters
    ----------
    result
        Metrics judged against a human measure.
    matrix
        One of its tests between metrics.
    """
    adjusted = {frozenset((pair.a, pair.b)): pair.p_adjusted for pair in matrix.pairs}
    names = [rank.metric for rank in matrix.metrics]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            number,
            named_metric(rank.metric, result.tables.negated),
            f"{rank.value:.3f}",
            rank.group,
            rank.cluster,
            *(
                shown_p(adjusted[frozenset((rank.metric, other))]) if other != rank.metric else ""
                for other in names
            ),
        )
        for number, rank in enumerate(matrix.metrics, start=1)
    )
    columns = ("", "metric", "correlation", "group", "cluster", *map(str, range(1, len(names) + 1)))
    peers = f", {PEER_NAMES[matrix.peers]}" if len(shown_peers(result)) > 1 else ""
    what = f"{correlation_name(matrix.level, matrix.coefficient)} with {human_name(result)}{peers}"
    found = sum(map(matrix.significant, matrix.pairs))
    note = f"Adjusted p-values: {matrix_note(matrix, result.options)}. "
    note += f"{found} of {len(matrix.pairs)} pairs differ significantly."
    shown = Table(columns, rows, f"Metrics by {what}", " ".join((note, *matrix.notes)))
    return WideTable(
        shown.columns,
        shown.rows,
        title=shown.title,
        note=shown.note,
        numbers=_all_pairs(result, matrix),
        narrow=shown,
        heads=2,
    )


def _all_pairs(result: MetaResult, matrix: MetricMatrix) -> Table:
    rows = tuple(tuple(getattr(pair, field) for field in _PAIR) for pair in matrix.pairs)
    about = ("level", "coefficient", "peers", "test", "correction")
    key = (*_key(result), *((name, str(getattr(matrix, name))) for name in about))
    return Table(_PAIR, rows, key=key)


def meta_records(
    result: MetaResult, parts: Sequence[Mapping[str, Mapping[str, Any]]] = ()
) -> Iterator[dict[str, Any]]:
    """Give one record for each metric, with the keys that scripts rely on.

    Parameters
    ----------
    result
        Metrics judged against a human measure.
    parts
        What other studies found about each metric.
    """
    for metric, correlations in result.correlations.items():
        record: dict[str, Any] = {
            "human": result.human,
            "metric": metric,
            "task": result.task,
            "collection": result.tables.collection,
            "turned": metric in result.tables.negated,
            "correlations": [_shallow(found) for found in correlations],
            "standings": [_standing(metric, matrix) for matrix in result.matrices],
        }
        for part in parts:
            record |= part.get(metric, {})
        yield record


def _shallow(value: Any) -> dict[str, Any]:
    return {field.name: getattr(value, field.name) for field in fields(value)}


def _standing(metric: str, matrix: MetricMatrix) -> dict[str, Any]:
    """Give a metric's place among the others, and its differences from each of them."""
    own = next(rank for rank in matrix.metrics if rank.metric == metric)
    about = ("level", "coefficient", "peers", "test", "correction", "alpha")
    return {
        **{name: getattr(matrix, name) for name in about},
        **{name: getattr(own, name) for name in ("rank", "group", "cluster")},
        "against": [_against(metric, pair) for pair in matrix.pairs if metric in (pair.a, pair.b)],
    }


def _against(metric: str, pair: MetricPair) -> dict[str, Any]:
    """Turn a pair so that the metric comes first."""
    is_first = pair.a == metric
    sign = 1 if is_first else -1
    low, high = (pair.low, pair.high) if is_first else (-pair.high, -pair.low)
    return {
        "metric": pair.b if is_first else pair.a,
        "difference": sign * pair.difference,
        "low": low,
        "high": high,
        "statistic": sign * pair.statistic,
        "p": pair.p,
        "p_adjusted": pair.p_adjusted,
        "n_resamples": pair.n_resamples,
        "note": pair.note,
    }
