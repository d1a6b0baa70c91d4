"""Pyramid scores of every summary, and each system's means."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import numpy as np

from pyramidion.collection import Scores, Signature
from pyramidion.collection._ids import grouped, natural_order
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, question
from pyramidion.pyramid._cases import SummarySource
from pyramidion.pyramid._scores import PyramidScores
from pyramidion.pyramid._units import Case, Workers
from pyramidion.report.result import Result
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, columns, data

_NOTE = (
    "D: weight of the different units expressed. Original (DUCView's quality): D over the most "
    "that as many units can weigh. Modified (coverage): D over Max, the most for a reference's "
    "mean number of units. References are scored by the others."
)
_LIST_NOTE = (
    "Answers for a list of units do not show what else a summary says, so original, "
    "comprehensive and precision are unknown; where all units weigh 1, modified is the share of "
    "the list that was found."
)

_SEVERAL_NOTE = (
    "Summaries have several annotators: n counts annotations, and means are over all of them; "
    "--assessor chooses."
)

#: Measures of the table of scores, and the fields they are taken from.
_MEASURES = {
    "pyramid-modified": "modified",
    "pyramid-original": "original",
    "pyramid-comprehensive": "comprehensive",
    "pyramid-precision": "precision",
    "pyramid-recall": "recall",
    "pyramid-scus": "scus",
    "pyramid-repetitions": "repeated",
}
ABOUT = ("task", "topic", "system", "kind", "assessor", "occasion")
_MEANS = ("modified", "original", "comprehensive", "precision", "recall", "scus", "repeated")


@dataclass(frozen=True, slots=True)
class ScoringOptions(Options):
    """How answers of several people are taken."""

    workers: Workers = option(
        "majority",
        "How the answers of several people about a content unit are used: majority (combined)"
        " or each (separately).",
    )


@dataclass(frozen=True, slots=True)
class ScoredSummary:
    """A summary with its content units, and its scores."""

    case: Case
    scores: PyramidScores


def _if_complete(key: str, title: str = "") -> Column[ScoredSummary]:
    """Declare what is unknown where answers tell nothing of the rest of a summary."""

    def get(one: ScoredSummary) -> Any:
        return getattr(one.scores, key) if one.case.content.complete else None

    return Column(key, title, get)


SCORES: View[ScoredSummary] = View(
    "scores",
    (
        *columns(*ABOUT, of="case"),
        data("references", attrgetter("case.units.weighing.order")),
        data("jackknifed", attrgetter("case.jackknifed")),
        *columns(of="scores", weight="D", scus="SCUs", in_pyramid=""),
        _if_complete("outside"),
        data("average_scus", attrgetter("scores.average")),
        *columns(of="scores", max="Max"),
        _if_complete("max_original"),
        *columns("original", "modified", of="scores", quality="", coverage=""),
        *columns("comprehensive", "precision", "recall", of="scores"),
        _if_complete("repeated", "repeated"),
    ),
)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PyramidScoring(Result[ScoredSummary]):
    """The scores of summaries by their content units."""

    def to_scores(self) -> Scores:
        """Return them as a table of scores, such as `pyramidion.evaluation.compare` takes."""
        return table_of_scores(_score_rows(self.values))


def table_of_scores(rows: Iterable[tuple[Any, ...]]) -> Scores:
    """Make a table of rows of what a score is about, its measure and its value."""
    every = list(rows)
    names = enumerate((*ABOUT, "measure"))
    return Scores({n: [row[p] for row in every] for p, n in names}, [row[-1] for row in every])


@question
def score(source: SummarySource, options: ScoringOptions) -> PyramidScoring:
    """Score summaries by their content units: original and modified scores, precision, recall.

    Peers are scored by their pyramid, its own references by the others.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> [(one.case.system, one.scores.modified) for one in score(pyramid)]
    [('A', 0.5), ('B', 1.0)]
    """
    collection, read = source.read_cases(options.workers)
    scored = [ScoredSummary(case, case.scores()) for case in read.cases]
    details = (*source.details, *options.changed("workers"))
    return PyramidScoring(
        command="pyramid score",
        signature=Signature("pyramid-score", data=collection.data_hash, details=details),
        values=scored,
        record=SCORES.record,
        tables=(_scores_table(scored), _means_table(scored)),
        left_out=read.left_out,
    )


def _scores_table(scored: Sequence[ScoredSummary]) -> Table:
    empty = [column.title for column in SCORES.columns if not _is_known(column.value, scored)]
    complete = all(one.case.content.complete for one in scored)
    note = _NOTE if complete else f"{_NOTE} {_LIST_NOTE}"
    return SCORES.table(scored, "Pyramid scores", note, exclude=empty)


def _is_known(get: Callable[[ScoredSummary], Any], scored: Sequence[ScoredSummary]) -> bool:
    """Return whether anything stands in a column: a text that is not empty, or a number."""
    values = (value for value in map(get, scored) if value not in (None, ""))
    return any(isinstance(value, str) or not math.isnan(value) for value in values)


def _means_table(scored: Sequence[ScoredSummary]) -> Table:
    columns = {column.key: column.value for column in SCORES.columns}
    groups = grouped(((one.case.task, one.case.system, one.case.kind), one) for one in scored)
    places = [p for p, n in enumerate(("task", "system", "kind")) if _is_known(columns[n], scored)]
    means = [name for name in _MEANS if _is_known(columns[name], scored)]
    found = {key: [_mean(map(columns[n], own)) for n in means] for key, own in groups.items()}
    order = sorted(groups, key=lambda key: (key[0], -(found[key][0] or 0), natural_order(key[1])))
    rows = tuple((*(key[p] for p in places), len(groups[key]), *found[key]) for key in order)
    about = (("task", "system", "kind")[place] for place in places)
    heads = (*about, "n", *("SCUs" if name == "scus" else name for name in means))
    several = len({one.case.key[:3] for one in scored}) < len(scored)
    note = _SEVERAL_NOTE if several else ""
    return Table(heads, rows, "Means of systems, by modified score", note, name="systems")


def _mean(values: Iterator[float | None]) -> float | None:
    known = np.array([value for value in values if value is not None], dtype=float)
    known = known[~np.isnan(known)]
    return float(known.mean()) if len(known) else None


def _score_rows(scored: Sequence[ScoredSummary]) -> Iterator[tuple[Any, ...]]:
    """Return a row for each measure of each summary that has a value."""
    for one in scored:
        about = tuple(getattr(one.case, name) for name in ABOUT)
        for measure, name in _MEASURES.items():
            value = float(getattr(one.scores, name))
            unknown = name == "repeated" and not one.case.content.complete
            if not (math.isnan(value) or unknown):
                yield (*about, measure, value)
