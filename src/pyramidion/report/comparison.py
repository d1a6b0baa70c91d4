"""Comparisons of systems as tables."""

from collections.abc import Sequence
from dataclasses import fields
from functools import partial
from typing import Any

from pyramidion.collection.signature import Signature
from pyramidion.evaluation.comparison import ComparisonResult, PairCounts
from pyramidion.evaluation.procedures import CORRECTION_TEXTS
from pyramidion.report.answer import Answer, Later
from pyramidion.report.table import Cell, Table

__all__ = [
    "comparison_answer",
    "comparison_record",
    "counts_table",
    "name_of",
    "pairs_table",
    "ranking_table",
    "signature_of",
]


def comparison_answer(
    results: Sequence[ComparisonResult],
    *,
    data: str = "",
    seed: int = 0,
    assessor: str | None = None,
    left_out: Sequence[str] = (),
) -> Answer:
    """Put the results of a comparison into tables.

    Parameters
    ----------
    results
        One for each task, measure and test.
    data
        The hash of the data.
    seed
        Where chance began.
    assessor
        Whose judgments were taken, if one person's only.
    left_out
        What was left out before the comparison.
    """
    shown = (partial(show, result) for result in results for show in (ranking_table, pairs_table))
    return Answer(
        command="compare",
        signature=_signature(results, data, seed, assessor),
        results=Later(partial(comparison_record, result) for result in results),
        tables=Later([partial(counts_table, results), *shown]),
        left_out=(*left_out, *(line for result in results for line in result.left_out)),
    )


def _signature(
    results: Sequence[ComparisonResult], data: str, seed: int, assessor: str | None
) -> Signature:
    """Say all that decides the numbers."""
    tests = "+".join(dict.fromkeys(map(_test_name, results)))
    details = {
        "measure": "+".join(dict.fromkeys(result.measure for result in results)),
        "task": "+".join(dict.fromkeys(result.task for result in results if result.task)),
        "assessor": assessor or "",
        "baseline": results[0].baseline or "",
        "correction": "+".join(dict.fromkeys(result.correction for result in results)),
        "alpha": f"{results[0].alpha:g}",
        "n": str(max(result.n_resamples for result in results) or ""),
    }
    given = tuple((name, value) for name, value in details.items() if value)
    return Signature(f"compare({tests})", data=data, seed=seed, details=given)


def signature_of(answer: Answer, result: ComparisonResult) -> Signature:
    """Sign one of the comparisons of an answer.

    Parameters
    ----------
    answer
        The answer.
    result
        One of its comparisons.
    """
    whole = answer.signature
    return _signature([result], whole.data, whole.seed or 0, dict(whole.details).get("assessor"))


def _test_name(result: ComparisonResult) -> str:
    return result.test + (f"({result.statistic})" if result.statistic else "")


def comparison_record(result: ComparisonResult) -> dict[str, Any]:
    """Give a result as the keys that scripts rely on."""
    record = _shallow(result)
    counts = _shallow(record.pop("counts"))
    record["human_machine"] = _shallow(result.human_machine)
    record["systems"] = [_shallow(system) for system in result.systems]
    record["comparisons"] = [_shallow(comparison) for comparison in result.comparisons]
    return {**{key: record.pop(key) for key in ("measure", "task", "test")}, **counts, **record}


def _shallow(value: Any) -> dict[str, Any]:
    """Give a dataclass's fields; `asdict` would copy thousands of pairs one by one."""
    return {field.name: getattr(value, field.name) for field in fields(value)}


def name_of(result: ComparisonResult) -> str:
    """Name a comparison by measure, task and test."""
    task = f", task {result.task}" if result.task else ""
    statistic = f" of {result.statistic}" if result.statistic else ""
    return f"{result.measure}{task}: {result.test}{statistic}"


def counts_table(results: Sequence[ComparisonResult]) -> Table:
    """Count the significant differences, as the dissertation's Tables 4.1 and 4.2 do."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            result.task or "–",
            result.measure,
            _test_name(result),
            *_three(result.counts),
            *_three(result.human_machine),
        )
        for result in results
    )
    columns: tuple[str, ...] = (
        "task", "measure", "test", "pairs", "significant", "uncorrected",
        "human-machine pairs", "significant (h-m)", "uncorrected (h-m)",
    )  # fmt: skip
    if not any(result.human_machine.pairs for result in results):
        rows, columns = tuple(row[:-3] for row in rows), columns[:-3]
    first = results[0]
    note = f"Significant at {first.alpha:g} after {CORRECTION_TEXTS[first.correction].after}."
    return Table(columns, rows, title="Significant differences between systems", note=note)


def _three(counts: PairCounts) -> tuple[int, int, int]:
    return counts.pairs, counts.significant, counts.significant_uncorrected


def ranking_table(result: ComparisonResult) -> Table:
    """Rank the systems, with the letters of their groups."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (s.rank, s.system, s.kind, s.mean, s.low, s.high, s.n, s.group, s.cluster or None)
        for s in result.systems
    )
    columns: tuple[str, ...] = (
        "rank", "system", "kind", "mean", "low", "high", "n", "group", "cluster",
    )  # fmt: skip
    if result.baseline:
        rows, columns = tuple(row[:-2] for row in rows), columns[:-2]
    letters = (
        () if result.baseline else ("Systems that share a letter are not significantly different.",)
    )
    note = " ".join((*letters, *result.notes))
    return Table(columns, rows, f"Ranking by {name_of(result)}", note, key=_key(result))


def pairs_table(result: ComparisonResult) -> Table:
    """List every pair."""
    rows = tuple(
        (
            c.a, c.b, c.n, c.difference, c.statistic, c.p, c.p_adjusted, c.effect,
            "*" if result.significant(c) else c.note,
        )
        for c in result.comparisons
    )  # fmt: skip
    columns = ("a", "b", "n", "difference", "statistic", "p", "p adjusted", "effect", "")
    return Table(columns, rows, f"Pairs by {name_of(result)}", key=_key(result))


def _key(result: ComparisonResult) -> tuple[tuple[str, str], ...]:
    return ("task", result.task), ("measure", result.measure), ("test", _test_name(result))
