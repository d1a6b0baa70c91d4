"""Scoring a collection with any number of metrics."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Scores, Summary
from pyramidion.errors import InputError, PyramidionError
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric
from pyramidion.metrics.undefined import UNDEFINED, WITHOUT, Undefined

__all__ = ["CollectionScores", "possible_metrics", "score_cases", "score_collection"]

#: What to do about something that is missing.
_MENDING: Mapping[str, str] = {
    "references": "add references (role reference or both) to its summaries",
    "documents": "add documents to its topics",
    "earlier references": "declare a task with documents = base before the one with update, and "
    "add its references",
}


@dataclass(frozen=True, eq=False)
class CollectionScores:
    """Scores of a collection's summaries.

    Parameters
    ----------
    summaries
        What was scored.
    metrics
        What was computed, by the name of its column.
    values
        Summaries x metrics, NaN where a score is undefined.
    left_out
        What was not scored, counted.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> from pyramidion.metrics import parse_metrics
    >>> result = score_collection(load_demo(), parse_metrics("rouge-2-r,bleu"))
    >>> result.values.shape, len(result.scores)
    ((48, 2), 96)
    """

    summaries: tuple[Summary, ...]
    metrics: Mapping[str, Metric]
    values: Floats
    left_out: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The metrics, as they stand in tables."""
        return tuple(self.metrics)

    @property
    def scores(self) -> Scores:
        """The scores as rows of the long table; undefined ones have none."""
        return Scores.of_items(self.summaries, self.measures, self.values)


def score_cases(metric: Metric, cases: Cases, folds: Cases | None = None) -> Floats:
    """Score every case with a metric.

    Parameters
    ----------
    metric
        The metric.
    cases
        The summaries.
    folds
        The same with machines jackknifed; their scores are averaged over the folds.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> cases = Cases.of_texts(["Rain fell."], [["Rain fell.", "It rained."]])
    >>> score_cases(parse_metric("rouge-1-r"), cases).tolist()
    [0.5]
    """
    compares = metric.requirements & {"references", "earlier references"}
    if folds is None or folds.owners is None or not compares:
        return metric.score(metric.statistics(cases))
    values = metric.score(metric.statistics(folds))
    return np.bincount(folds.owners, weights=values) / np.bincount(folds.owners)


def score_collection(
    collection: Collection,
    metrics: Sequence[Metric] | Mapping[str, Metric],
    *,
    jackknife: bool = False,
    threads: int = 1,
    skip: bool = False,
    known: Mapping[str, Floats] | None = None,
    progress: Callable[[str, Floats, int], None] | None = None,
) -> CollectionScores:
    """Score every peer of a collection; a person's summary against the other people's only.

    Parameters
    ----------
    collection
        Summaries, references, documents.
    metrics
        What to compute, by the name of its column; without names it is called what it prints as.
    jackknife
        Score machines as people must be scored, against all references but one, and average
        over the one that is left out: both then face the same number of references.
    threads
        How many threads a metric may use.
    skip
        Leave a metric out that the collection lacks something for, instead of refusing it.
    known
        Columns that need not be computed again, by name.
    progress
        Is told each column's name and content when it is done, and how many are left.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metrics
    >>> collection = Collection("mine", summaries=(Summary("T1", "A", "Rain fell.", kind="human"),
    ...                                            Summary("T1", "7", "Rain fell.")))
    >>> result = score_collection(collection, parse_metrics("rouge-1-r"))
    >>> [(row.system, row.measure, row.value) for row in result.scores]
    [('7', 'rouge-1-r', 1.0)]
    >>> result.left_out
    ('rouge-1-r of 1 summary without any other reference: T1, A',)
    """
    summaries = tuple(summary for summary in collection.summaries if summary.is_peer)
    if not summaries:
        raise InputError("the collection has no summary to score", hint="add peers to it")
    cases = Cases.of_collection(collection, summaries, threads=threads)
    asked = metrics if isinstance(metrics, Mapping) else {str(metric): metric for metric in metrics}
    wanted, lacking = possible_metrics(asked, partial(_require, cases), skip=skip)
    machines = np.array([not summary.is_reference for summary in summaries])
    folds = cases.jackknifed(machines) if jackknife else None
    columns: dict[str, Floats] = {}
    for name, metric in wanted.items():
        column = (known or {}).get(name)
        columns[name] = score_cases(metric, cases, folds) if column is None else column
        if progress is not None:
            progress(name, columns[name], len(wanted) - len(columns))
    table = np.stack(list(columns.values()), axis=1)
    undefined = _undefined(wanted, columns, cases, summaries)
    return CollectionScores(summaries, wanted, table, (*lacking, *undefined))


def possible_metrics(
    metrics: Mapping[str, Metric], require: Callable[[str, Metric], None], *, skip: bool
) -> tuple[dict[str, Metric], list[str]]:
    """Tell before any work which metrics can be computed, and what the others lack.

    Parameters
    ----------
    metrics
        What is asked for, by name.
    require
        Raises an error if something is lacking for a metric.
    skip
        Leave such a metric out, instead of refusing it.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> possible_metrics({"bleu": parse_metric("bleu")}, lambda name, metric: None, skip=True)
    ({'bleu': Bleu(...)}, [])
    """
    wanted: dict[str, Metric] = {}
    lacking: dict[str, list[str]] = {}
    for name, metric in metrics.items():
        try:
            require(name, metric)
            wanted[name] = metric
        except PyramidionError as problem:
            if not skip:
                raise
            lacking.setdefault(problem.what.removeprefix(f"{name} "), []).append(name)
    if not wanted:
        raise InputError("no metric is left to compute", hint="add references or documents")
    return wanted, [f"{_listed(names)}: {reason}" for reason, names in lacking.items()]


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 3 else f"{', '.join(names[:3])}, ... ({len(names)})"


def _require(cases: Cases, name: str, metric: Metric) -> None:
    metric.require_installed()
    for need in sorted(metric.requirements & _MENDING.keys()):
        if not _sizes(cases, need).any():
            beside = " beside itself" if need == "references" else ""
            what = f"{name} needs {need}, and no summary of the collection has any{beside}"
            raise InputError(what, hint=_MENDING[need])


def _sizes(cases: Cases, need: str) -> Ints:
    sets = {
        "references": cases.references,
        "documents": cases.documents,
        "earlier references": cases.earlier,
    }
    return sets[need].sizes


def _undefined(
    metrics: Mapping[str, Metric],
    columns: Mapping[str, Floats],
    cases: Cases,
    summaries: Sequence[Summary],
) -> Iterator[str]:
    """Count undefined scores, those for the same reason together."""
    undefined = Undefined()
    for name, metric in metrics.items():
        missing = np.isnan(columns[name])
        for need in sorted(metric.requirements & WITHOUT.keys()):
            lacking = missing & (_sizes(cases, need) == 0)
            missing &= ~lacking
            undefined.add(name, summaries, lacking, WITHOUT[need])
        undefined.add(name, summaries, missing, UNDEFINED)
    yield from undefined.lines()
