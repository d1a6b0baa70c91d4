"""Pyramid scores of every summary, and each system's means."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import Any, TypeVar

import numpy as np

from pyramidion.collection import Scores
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.pyramid.cases import SummarySource
from pyramidion.pyramid.content_units import Case, PyramidScores, Workers
from pyramidion.questions import Options, Signature, option, question
from pyramidion.rendering.result import Result
from pyramidion.rendering.saving import SCORE_FILE
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, columns, data

T = TypeVar("T")

_NOTE = (
    "D: weight of the different units expressed. Original (DUCView's quality): D divided by the "
    "maximum weight of the same number of units. Modified (coverage): D divided by Max, the "
    "maximum for the mean number of units in a reference. References are scored by the others."
)
_LIST_NOTE = (
    "Answers for a list of units do not show what else a summary says, so original, "
    "comprehensive and precision are unknown; if all units weigh 1, modified is the share of "
    "the list that was found."
)

_ANNOTATORS_NOTE = (
    "Some summaries have several annotators: n counts annotations, and means are taken over all of "
    "them; use --assessor to choose one annotator."
)

#: Names of measures in tables of scores that differ from the names of the fields.
_MEASURES = {"repeated": "repetitions"}
CASE_FIELDS = ("task", "topic", "system", "kind", "assessor", "occasion")
_MEAN_FIELDS = ("modified", "original", "comprehensive", "precision", "recall", "scus", "repeated")


@dataclass(frozen=True, slots=True)
class ScoringOptions(Options):
    """How answers of several people are used."""

    workers: Workers = option(
        "majority",
        "How the answers of several people about a content unit are used: majority (combined)"
        " or each (separately).",
    )


@dataclass(frozen=True, slots=True)
class ScoredSummary:
    """A summary and its scores."""

    case: Case
    scores: PyramidScores


def _if_complete(key: str, title: str = "") -> Column[ScoredSummary]:
    """Declare a column that is undefined if content outside the pyramid was not annotated."""
    return Column(
        key, title, lambda row: getattr(row.scores, key) if row.case.content.complete else None
    )


SCORES: View[ScoredSummary] = View(
    "scores",
    (
        *columns(*CASE_FIELDS, of="case"),
        data("references", attrgetter("case.units.weighing.order")),
        data("jackknifed", attrgetter("case.jackknifed")),
        *columns(of="scores", weight="D", scus="SCUs", in_pyramid=""),
        _if_complete("outside"),
        data("average_scus", attrgetter("scores.average")),
        *columns(of="scores", max="Max"),
        _if_complete("max_original"),
        *columns("original", "modified", of="scores"),
        data("quality", attrgetter("scores.original")),
        data("coverage", attrgetter("scores.modified")),
        *columns("comprehensive", "precision", "recall", of="scores"),
        _if_complete("repeated", "repeated"),
    ),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PyramidScoring(Result[ScoredSummary]):
    """The scores of summaries by their content units."""

    saves = (SCORE_FILE,)

    def to_scores(self) -> Scores:
        """Return a table of scores, for example for `pyramidion.compare`."""
        rows = []
        for summary in self.values:
            fields = tuple(getattr(summary.case, name) for name in CASE_FIELDS)
            for name in _MEAN_FIELDS if summary.case.content.complete else _MEAN_FIELDS[:-1]:
                value = float(getattr(summary.scores, name))
                if not math.isnan(value):
                    rows.append((*fields, f"pyramid-{_MEASURES.get(name, name)}", value))
        return table_of_scores(rows)


def table_of_scores(rows: Iterable[tuple[Any, ...]]) -> Scores:
    """Make a table of scores from rows: the fields `CASE_FIELDS`, the measure and the value."""
    all_rows = list(rows)
    names = enumerate((*CASE_FIELDS, "measure"))
    return Scores(
        {name: [row[position] for row in all_rows] for position, name in names},
        [row[-1] for row in all_rows],
    )


def nonempty_columns(view: View[T], rows: Sequence[T]) -> dict[str, Column[T]]:
    """Return the columns that have a nonempty string or a number in any row."""

    def is_known(cell: Any) -> bool:
        if cell is None or isinstance(cell, str):
            return bool(cell)
        return not math.isnan(cell)

    return {
        column.key: column
        for column in view.columns
        if any(is_known(column.value(row)) for row in rows)
    }


def nonempty_table(view: View[T], rows: Sequence[T], title: str, note: str) -> Table:
    """Return a table of the columns that are not empty."""
    nonempty_keys = nonempty_columns(view, rows)
    empty_titles = [column.title for column in view.columns if column.key not in nonempty_keys]
    return view.table(rows, title, note, exclude=empty_titles)


@question
def score(source: SummarySource, options: ScoringOptions) -> PyramidScoring:
    """Score summaries by their content units: original and modified scores, precision, recall.

    Peers are scored by their pyramid, and each of its references by the others.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> [(row.case.system, row.scores.modified) for row in score(pyramid)]
    [('A', 0.5), ('B', 1.0)]
    """
    collection, annotated_summaries = source.read_cases(options.workers)
    scored_summaries = [ScoredSummary(case, case.scores()) for case in annotated_summaries.cases]
    details = (*source.details, *options.changed("workers"))
    is_complete = all(summary.case.content.complete for summary in scored_summaries)
    note = _NOTE if is_complete else f"{_NOTE} {_LIST_NOTE}"
    return PyramidScoring(
        command="pyramid score",
        signature=Signature("pyramid-score", data=collection.data_hash, details=details),
        values=scored_summaries,
        record=SCORES.record,
        tables=(
            nonempty_table(SCORES, scored_summaries, "Pyramid scores", note),
            _means_table(scored_summaries),
        ),
        left_out=annotated_summaries.left_out,
    )


def _means_table(scored_summaries: Sequence[ScoredSummary]) -> Table:
    """Average the known scores of each system."""
    columns_by_key = nonempty_columns(SCORES, scored_summaries)
    key_fields = [name for name in ("task", "system", "kind") if name in columns_by_key]
    measures = [name for name in _MEAN_FIELDS if name in columns_by_key]
    rows = []
    groups = grouped(
        ((summary.case.task, summary.case.system, summary.case.kind), summary)
        for summary in scored_summaries
    )
    for (task, system, _), group in groups.items():
        averages = [_mean(map(columns_by_key[name].value, group)) for name in measures]
        sort_key = task, -(averages[0] or 0), natural_order(system)
        names = (columns_by_key[name].value(group[0]) for name in key_fields)
        rows.append((sort_key, (*names, len(group), *averages)))
    column_titles = (*key_fields, "n", *("SCUs" if name == "scus" else name for name in measures))
    has_several_annotators = len({summary.case.key[:3] for summary in scored_summaries}) < len(
        scored_summaries
    )
    note = _ANNOTATORS_NOTE if has_several_annotators else ""
    sorted_rows = tuple(row for _, row in sorted(rows, key=itemgetter(0)))
    return Table(
        column_titles, sorted_rows, "Means of systems, by modified score", note, name="systems"
    )


def _mean(values: Iterator[float | None]) -> float | None:
    numbers = [value for value in values if value is not None and not math.isnan(value)]
    return float(np.mean(numbers)) if numbers else None
