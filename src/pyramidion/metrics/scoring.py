"""Scoring a collection with any number of metrics."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.collection import Collection, Scores, Summary
from pyramidion.errors import InputError
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, Need

__all__ = ["CollectionScores", "score_cases", "score_collection"]

Floats = npt.NDArray[np.float64]

#: What to do about something that is missing.
_MENDING: Mapping[Need, str] = {
    "references": "add references (role reference or both) to its summaries",
    "documents": "add documents to its topics",
    "earlier references": "declare a task with documents = base before the one with update, and "
    "add its references",
    "parser": "install pyramidion[nlp]",
}


@dataclass(frozen=True)
class CollectionScores:
    """Scores of a collection's summaries.

    Parameters
    ----------
    summaries
        What was scored.
    measures
        The metrics, as they stand in tables.
    values
        Summaries x measures, NaN where a score is undefined.
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
    measures: tuple[str, ...]
    values: Floats
    left_out: tuple[str, ...] = ()

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
    if folds is None or folds.owners is None or "references" not in metric.requirements:
        return metric.score(metric.statistics(cases))
    values = metric.score(metric.statistics(folds))
    return np.bincount(folds.owners, weights=values) / np.bincount(folds.owners)


def score_collection(
    collection: Collection,
    metrics: Sequence[Metric],
    *,
    jackknife: bool = False,
    threads: int = 1,
    known: Mapping[str, Floats] | None = None,
    progress: Callable[[str, Floats], None] | None = None,
) -> CollectionScores:
    """Score every peer of a collection; a person's summary against the other people's only.

    Parameters
    ----------
    collection
        Summaries, references, documents.
    metrics
        What to compute.
    jackknife
        Score machines as people must be scored, against all references but one, and average
        over the one that is left out: both then face the same number of references.
    threads
        How many threads a metric may use.
    known
        Columns that need not be computed again, by measure.
    progress
        Is told each measure's name and column when it is done.

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
    for metric in metrics:
        _require_needs(metric, cases)
    machines = np.array([not summary.is_reference for summary in summaries])
    folds = cases.jackknifed(machines) if jackknife else None
    columns = []
    for metric in metrics:
        column = (known or {}).get(str(metric))
        columns.append(score_cases(metric, cases, folds) if column is None else column)
        if progress is not None:
            progress(str(metric), columns[-1])
    return CollectionScores(
        summaries,
        tuple(map(str, metrics)),
        np.stack(columns, axis=1) if columns else np.empty((len(summaries), 0)),
        tuple(_left_out(metrics, columns, cases, summaries)),
    )


def _sizes(cases: Cases, need: Need) -> npt.NDArray[np.int64]:
    match need:
        case "references":
            return cases.references.sizes
        case "documents":
            return cases.documents.sizes
        case "earlier references":
            return cases.earlier.sizes
        case "parser":
            return np.ones(len(cases), dtype=np.int64)


def _require_needs(metric: Metric, cases: Cases) -> None:
    """Refuse a metric that could not score a single summary, before any work is done."""
    for need in sorted(metric.requirements):
        if not _sizes(cases, need).any():
            raise InputError(
                f"{metric} needs {need}, and the collection has none", hint=_MENDING[need]
            )


def _left_out(
    metrics: Sequence[Metric],
    columns: Sequence[Floats],
    cases: Cases,
    summaries: Sequence[Summary],
) -> Iterator[str]:
    """Count undefined scores, those for the same reason together."""
    reasons: dict[str, list[str]] = {}
    for metric, column in zip(metrics, columns, strict=True):
        missing = np.isnan(column)
        for need in sorted(metric.requirements):
            lacking = missing & (_sizes(cases, need) == 0)
            missing &= ~lacking
            _add_reason(reasons, str(metric), lacking, summaries, _WITHOUT[need])
        _add_reason(reasons, str(metric), missing, summaries, "for which it is undefined")
    for reason, measures in reasons.items():
        shown = ", ".join(measures[:3]) + (", ..." if len(measures) > 3 else "")
        yield f"{shown} of {reason}"


_WITHOUT: Mapping[Need, str] = {
    "references": "without any other reference",
    "documents": "without documents",
    "earlier references": "without earlier references",
    "parser": "without a parser",
}


def _add_reason(
    reasons: dict[str, list[str]],
    measure: str,
    rows: npt.NDArray[np.bool_],
    summaries: Sequence[Summary],
    why: str,
) -> None:
    if not rows.any():
        return
    names = [
        ", ".join(filter(None, (s.topic, s.task, s.system)))
        for s, there in zip(summaries, rows, strict=True)
        if there
    ]
    shown = "; ".join(names[:3]) + ("; ..." if len(names) > 3 else "")
    counted = "1 summary" if len(names) == 1 else f"{len(names)} summaries"
    reasons.setdefault(f"{counted} {why}: {shown}", []).append(measure)
