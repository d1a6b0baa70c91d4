"""Pyramid scores of every summary, and each system's means."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.collection import Scores, Signature
from pyramidion.collection.formats.scores import require_scores_file, write_scores
from pyramidion.collection.ids import natural_order
from pyramidion.pyramid._source import Selection, read_cases
from pyramidion.pyramid.cases import Case
from pyramidion.pyramid.scores import PyramidScores
from pyramidion.report.answer import Answer
from pyramidion.report.table import Cell, Table

__all__ = ["pyramid_score_answer"]

#: Measures of the table of scores, and the fields they are taken from.
MEASURES = {
    "pyramid-modified": "modified",
    "pyramid-original": "original",
    "pyramid-comprehensive": "comprehensive",
    "pyramid-precision": "precision",
    "pyramid-recall": "recall",
    "pyramid-scus": "scus",
    "pyramid-repetitions": "repeated",
}

# What people see, and what it is called in a result.
_COLUMNS = {
    "D": "weight",
    "SCUs": "scus",
    "Max": "max",
    "original": "original",
    "modified": "modified",
    "comprehensive": "comprehensive",
    "precision": "precision",
    "recall": "recall",
    "repeated": "repeated",
}
_MEANS = ("modified", "original", "comprehensive", "precision", "recall", "scus", "repeated")

_NOTE = (
    "D: weight of the different units expressed. Original (DUCView's quality): D over the most "
    "that as many units can weigh. Modified (coverage): D over Max, the most for a reference's "
    "mean number of units. References are scored by the others."
)
_LIST_NOTE = (
    "Answers for a list of units do not tell what else a summary says, so original, "
    "comprehensive and precision are unknown; where all units weigh 1, modified is the share of "
    "the list that was found."
)


def pyramid_score_answer(
    source: str | Path, selection: Selection, *, output: str | Path | None = None
) -> Answer:
    """Score every summary whose content units are known.

    Parameters
    ----------
    source
        Anything with pyramids, annotated peers or answers for content units.
    selection
        Which summaries are wanted.
    output
        Where the scores are written as a table of scores, if anywhere.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = pyramid_score_answer(f"{folder}/mine", Selection())
    >>> [(result["system"], result["modified"]) for result in answer.results]
    [('A', 1.0), ('B', 1.0)]
    """
    require_scores_file(output)
    read = read_cases(source, selection)
    scored = [(case, case.scores()) for case in read.cases]
    if output is not None:
        write_scores(_score_table(scored), output)
    results = [_result(case, scores) for case, scores in scored]
    return Answer(
        command="pyramid score",
        signature=Signature("pyramid-score", data=read.data, details=selection.details),
        results=results,
        tables=(_rows_table(results, read.cases), _means_table(results)),
        left_out=read.left_out,
    )


def _result(case: Case, scores: PyramidScores) -> dict[str, Any]:
    return {
        "task": case.task,
        "topic": case.topic,
        "system": case.system,
        "kind": case.kind,
        "assessor": case.assessor,
        "references": case.units.weighing.order,
        "jackknifed": case.jackknifed,
        "weight": scores.weight,
        "scus": scores.scus,
        "in_pyramid": scores.in_pyramid,
        "outside": scores.outside if case.content.complete else None,
        "average_scus": scores.average,
        "max": scores.max,
        "max_original": scores.max_original if case.content.complete else None,
        "original": scores.original,
        "modified": scores.modified,
        "quality": scores.quality,
        "coverage": scores.coverage,
        "comprehensive": scores.comprehensive,
        "precision": scores.precision,
        "recall": scores.recall,
        "repeated": scores.repeated if case.content.complete else None,
    }


def _about(results: Sequence[dict[str, Any]], names: Sequence[str]) -> tuple[str, ...]:
    """Leave out columns in which nothing stands."""
    return tuple(name for name in names if any(result[name] for result in results))


def _rows_table(results: Sequence[dict[str, Any]], cases: Sequence[Case]) -> Table:
    about = _about(results, ("task", "topic", "system", "kind", "assessor"))
    known = {head: name for head, name in _COLUMNS.items() if _mean(results, name) is not None}
    rows = tuple(
        (*(result[name] for name in about), *(result[name] for name in known.values()))
        for result in results
    )
    listed = any(not case.content.complete for case in cases)
    return Table(
        (*about, *known),
        rows,
        title="Pyramid scores",
        note=f"{_NOTE} {_LIST_NOTE}" if listed else _NOTE,
    )


def _means_table(results: Sequence[dict[str, Any]]) -> Table:
    groups: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for result in results:
        key = (result["task"], result["system"], result["kind"])
        groups.setdefault(key, []).append(result)
    about = _about(results, ("task", "system", "kind"))
    means = [name for name in _MEANS if _mean(results, name) is not None]
    rows = [
        (key, (*(own[0][name] for name in about), len(own), *(_mean(own, n) for n in means)))
        for key, own in groups.items()
    ]
    rows.sort(key=lambda row: (row[0][0], -(row[1][len(about) + 1] or 0), natural_order(row[0][1])))
    cells: tuple[tuple[Cell, ...], ...] = tuple(row for _, row in rows)
    columns = (*about, "n", *("SCUs" if name == "scus" else name for name in means))
    return Table(columns, cells, title="Means of systems, by modified score")


def _mean(results: Sequence[dict[str, Any]], name: str) -> float | None:
    values = [result[name] for result in results if result[name] is not None]
    known = np.array(values, dtype=float)
    known = known[~np.isnan(known)]
    return float(known.mean()) if len(known) else None


def _score_table(scored: Sequence[tuple[Case, PyramidScores]]) -> Scores:
    rows = list(_score_rows(scored))
    names = ("task", "topic", "system", "kind", "assessor", "measure")
    columns = {name: [row[place] for row in rows] for place, name in enumerate(names)}
    return Scores(columns, [row[-1] for row in rows])


def _score_rows(scored: Sequence[tuple[Case, PyramidScores]]) -> Iterator[tuple[Any, ...]]:
    """Give a row for each measure of each summary that has a value."""
    for case, scores in scored:
        for measure, name in MEASURES.items():
            value = float(getattr(scores, name))
            unknown = name == "repeated" and not case.content.complete
            if not (math.isnan(value) or unknown):
                yield (
                    case.task, case.topic, case.system, case.kind, case.assessor, measure, value,
                )  # fmt: skip
