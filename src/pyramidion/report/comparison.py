"""Comparisons of systems as tables."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pyramidion.collection.signature import Signature
from pyramidion.evaluation.comparison import ComparisonResult, PairCounts
from pyramidion.report.answer import Answer
from pyramidion.report.tables import Cell, Table

__all__ = [
    "comparison_answer",
    "comparison_record",
    "counts_table",
    "name_of",
    "pairs_table",
    "ranking_table",
]


def comparison_answer(
    results: Sequence[ComparisonResult], *, data: str = "", seed: int = 0
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
    """
    first = results[0]
    details = (("correction", first.correction), ("alpha", f"{first.alpha:g}"))
    tests = "+".join(dict.fromkeys(result.test for result in results))
    tables = [counts_table(results)]
    for result in results:
        tables += [ranking_table(result), pairs_table(result)]
    left_out = dict.fromkeys(line for result in results for line in result.left_out)
    return Answer(
        command="compare",
        signature=Signature(f"compare({tests})", data=data, seed=seed, details=details),
        results=[comparison_record(result) for result in results],
        tables=tuple(tables),
        left_out=tuple(left_out),
    )


def comparison_record(result: ComparisonResult) -> dict[str, Any]:
    """Give a result as the keys that scripts rely on."""
    record = asdict(result)
    counts = record.pop("counts")
    return {**{key: record.pop(key) for key in ("measure", "task", "test")}, **counts, **record}


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
            result.test + (f"({result.statistic})" if result.statistic else ""),
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
    note = f"Significant at {first.alpha:g} after {_correction_name(first.correction)}."
    return Table(columns, rows, title="Significant differences between systems", note=note)


def _three(counts: PairCounts) -> tuple[int, int, int]:
    return counts.pairs, counts.significant, counts.significant_uncorrected


def _correction_name(correction: str) -> str:
    return {
        "maxt": "max-T correction for the number of pairs",
        "holm": "Holm's correction for the number of pairs",
        "bh": "control of the false discovery rate (Benjamini and Hochberg)",
        "none": "no correction",
    }[correction]


def ranking_table(result: ComparisonResult) -> Table:
    """Rank the systems, with the letters of their groups."""
    rows = tuple(
        (s.rank, s.system, s.kind, s.mean, s.low, s.high, s.n, s.group) for s in result.systems
    )
    columns = ("rank", "system", "kind", "mean", "low", "high", "n", "group")
    letters = (
        () if result.baseline else ("Systems that share a letter are not significantly different.",)
    )
    note = " ".join((*letters, *result.notes))
    return Table(columns, rows, title=f"Ranking by {name_of(result)}", note=note)


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
    return Table(columns, rows, title=f"Pairs by {name_of(result)}")
