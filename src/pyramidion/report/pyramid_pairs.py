"""Pairs of systems compared content unit by content unit (thesis, section 3.2)."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from pyramidion.collection import ScoreMatrix, Scores, Signature
from pyramidion.collection.formats.scores import require_scores_file, write_scores
from pyramidion.errors import InputError
from pyramidion.evaluation import ComparisonResult, compare
from pyramidion.evaluation._compare.view import comparison_record, counts_table, ranking_table
from pyramidion.evaluation.procedures import PAIRED_TESTS, Correction, TestName
from pyramidion.pyramid._source import SummarySource
from pyramidion.pyramid.cases import Case
from pyramidion.pyramid.hits import Hits, hits_of
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.table import Table
from pyramidion.stats import permute_pairs

__all__ = ["PairsRequest", "pyramid_pairs_answer"]


_NOTE = (
    "n counts content units, which are the items of the test. Units of one topic go together, so "
    "p is often too small, and the intervals are too narrow; `p by topic` is a permutation test of "
    "the topics' means beside it."
)


@dataclass(frozen=True, slots=True)
class PairsRequest:
    """How systems are compared; see `compare`.

    Parameters
    ----------
    weighted
        Whether a unit counts with its weight.
    test, correction, alpha, n_resamples, seed
        As for `compare`.

    Examples
    --------
    >>> PairsRequest().measure, PairsRequest(weighted=True).measure
    ('scu', 'scu-weight')
    """

    weighted: bool = False
    test: str = "permutation"
    correction: str = "maxt"
    alpha: float = 0.05
    n_resamples: int = 9999
    seed: int = 0

    def __post_init__(self) -> None:
        if self.test not in PAIRED_TESTS:
            raise InputError(
                f"there is no paired test {self.test!r}",
                hint=f"there are: {', '.join(PAIRED_TESTS)}",
            )

    @property
    def measure(self) -> str:
        """What the vectors of hits are called."""
        return "scu-weight" if self.weighted else "scu"


def pyramid_pairs_answer(
    selection: SummarySource,
    request: PairsRequest | None = None,
    *,
    hits: str | Path | None = None,
) -> Answer:
    """Test every pair of systems on the content units both are measured by.

    Parameters
    ----------
    selection
        Which summaries are wanted, and what holds them.
    request
        How they are compared.
    hits
        Where the vectors of hits are written, as a table of scores with units, if anywhere.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Pyramid
    >>> texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    >>> pyramid = Pyramid.from_references(texts, [
    ...     ("Ice", {"A": ["Ice"], "B": ["Ice"]}), ("It melts", {"A": ["melts"], "B": ["melts"]}),
    ...     ("It is old", {"C": ["It is old"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = pyramid_pairs_answer(SummarySource(f"{folder}/mine", system="A,C"))
    >>> [(pair["a"], pair["b"], pair["n"], pair["p"]) for pair in answer.results[0]["comparisons"]]
    [('A', 'C', 2, 0.5)]
    """
    request = request or PairsRequest()
    require_scores_file(hits)
    collection, read = selection.read_cases()
    vectors = {
        task: hits_of(cases, weighted=request.weighted) for task, cases in _by_task(read.cases)
    }
    compared = [_compared(task, found, request) for task, found in vectors.items()]
    if hits is not None:
        tables_of_hits = (_hit_rows(task, found, request) for task, found in vectors.items())
        write_scores(Scores.concatenate(tables_of_hits), hits)
    results = [result for result, _ in compared]
    tables = [counts_table(results)]
    for result, by_topic in compared:
        tables += [ranking_table(result), _pairs_table(result, by_topic)]
    return Answer(
        command="pyramid pairs",
        signature=_signature(request, collection.data_hash, selection, results),
        results=[_record(*both) for both in compared],
        tables=tuple(tables),
        left_out=(*read.left_out, *(line for result in results for line in result.left_out)),
    )


def _by_task(cases: Sequence[Case]) -> Iterator[tuple[str, list[Case]]]:
    for task in dict.fromkeys(case.task for case in cases):
        yield task, [case for case in cases if case.task == task]


def _hit_rows(task: str, hits: Hits, request: PairsRequest) -> Scores:
    """Write vectors of hits as rows, one for each system and unit it is measured by."""
    rows, columns = (~np.isnan(hits.values)).nonzero()
    kinds = ["human" if human else "machine" for human in hits.human]
    texts = {
        "task": [task] * len(rows),
        "topic": [hits.topics[row] for row in rows],
        "unit": [hits.uids[row] for row in rows],
        "system": [hits.systems[column] for column in columns],
        "kind": [kinds[column] for column in columns],
        "measure": [request.measure] * len(rows),
    }
    return Scores(texts, hits.values[rows, columns])


def _compared(task: str, hits: Hits, request: PairsRequest) -> tuple[ComparisonResult, list[float]]:
    if len(hits.systems) < 2 or len(hits.uids) < 2:
        name = f"task {task}" if task else "the source"
        raise InputError(
            f"{name} has {counted(len(hits.systems), 'system')} and "
            f"{counted(len(hits.uids), 'content unit')}",
            hint="a pair needs two of each",
        )
    result = compare(
        _matrix(hits, task, request.measure),
        test=cast("TestName", request.test),
        correction=cast("Correction", request.correction),
        alpha=request.alpha,
        n_resamples=request.n_resamples,
        seed=request.seed,
    ).only
    # What it says of missing scores is about units, and said in other words below.
    own = tuple(line for line in result.left_out if "missing scores" not in line)
    return replace(result, left_out=own), _by_topic(hits, result, request)


def _matrix(hits: Hits, task: str, measure: str) -> ScoreMatrix:
    # Pyramids of one topic that differ may have two units with one uid.
    names = [f"{topic}/{uid}" for topic, uid in zip(hits.topics, hits.uids, strict=True)]
    seen: dict[str, int] = {}
    for place, name in enumerate(names):
        seen[name] = seen.get(name, 0) + 1
        names[place] = name if seen[name] == 1 else f"{name}/{seen[name]}"
    return ScoreMatrix(hits.values, names, hits.systems, hits.human, measure=measure, task=task)


def _by_topic(hits: Hits, result: ComparisonResult, request: PairsRequest) -> list[float]:
    """Test the same pairs with topics as items; NaN where there are too few."""
    topics, means = hits.by_topic()
    if len(topics) < 2:
        return [math.nan] * len(result.comparisons)
    columns = {name: column for column, name in enumerate(hits.systems)}
    pairs = np.array([(columns[c.a], columns[c.b]) for c in result.comparisons])
    found = permute_pairs(
        means, pairs=pairs, n_resamples=request.n_resamples, step_down=False, rng=request.seed
    )
    return cast("list[float]", found.p.tolist())


def _record(result: ComparisonResult, by_topic: list[float]) -> dict[str, Any]:
    record = comparison_record(result)
    for pair, p in zip(record["comparisons"], by_topic, strict=True):
        pair["p_by_topic"] = p
    return record


def _pairs_table(result: ComparisonResult, by_topic: list[float]) -> Table:
    rows = tuple(
        (
            pair.a, pair.b, pair.n, pair.difference, pair.statistic, pair.p, pair.p_adjusted, p,
            "*" if result.significant(pair) else pair.note.replace("topic", "content unit"),
        )
        for pair, p in zip(result.comparisons, by_topic, strict=True)
    )  # fmt: skip
    columns = ("a", "b", "n", "difference", "statistic", "p", "p adjusted", "p by topic", "")
    task = f", task {result.task}" if result.task else ""
    key = (("task", result.task), ("measure", result.measure), ("test", result.test))
    title = f"Pairs by content units{task}: {result.test}"
    return Table(columns, rows, title=title, note=_NOTE, key=key)


def _signature(
    request: PairsRequest, data: str, selection: SummarySource, results: Sequence[ComparisonResult]
) -> Signature:
    details = (
        *selection.details,
        ("items", request.measure),
        ("correction", results[0].correction),
        ("alpha", f"{request.alpha:g}"),
        ("n", str(max(result.n_resamples for result in results))),
    )
    return Signature(
        f"pyramid-pairs({request.test})", data=data, seed=request.seed, details=details
    )
