"""The stop of the tour where machines summarize, are scored and compared."""

from dataclasses import replace

import numpy as np

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.evaluation import compare
from pyramidion.evaluation._compare.view import ranking_table
from pyramidion.metrics import score_collection
from pyramidion.metrics._system_means import SystemMeans, means_table
from pyramidion.metrics.run import run_metrics
from pyramidion.report import Table
from pyramidion.report.prose import Prose
from pyramidion.summarizers import summarize_collection

__all__ = ["machine_tables", "with_machines"]

_METHODS = ("lead", "first", "random", "sum-avr", "sum-avr(context=off)", "lexrank", "coverage")
_METHOD, _TOPIC, _TASK = "sum-avr", "P01", "A"
_MEASURES = ("rouge-1-r", "rouge-2-r", "rouge-su4-r")


def with_machines(collection: Collection) -> Collection:
    """Add summaries by a few methods to a collection.

    Parameters
    ----------
    collection
        A collection with documents.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> sum(summary.kind == "machine" for summary in with_machines(load_demo()).summaries)
    84
    """
    return summarize_collection(collection, method=_METHODS).to_collection()


def machine_tables(collection: Collection) -> tuple[Table, ...]:
    """Summarize, score and compare: a summary, each method's scores, and whether they differ.

    Parameters
    ----------
    collection
        A collection with documents and references.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> print(machine_tables(load_demo())[2].title)
    Ranking of the methods by rouge-2-r, task A: permutation
    """
    machines = with_machines(collection)
    [shown] = (s for s in machines.summaries if s.key == (_TASK, _TOPIC, _METHOD))
    title = f"Summary of {_TOPIC}, task {_TASK}, by {_METHOD}"
    rows = tuple((sentence,) for sentence in shown.text)
    return Prose(("text",), rows, title=title), *_scored(machines)


def _scored(collection: Collection) -> tuple[Table, Table]:
    result = score_collection(collection, run_metrics(_MEASURES, {"stem": True}))
    own = np.array([summary.kind == "machine" for summary in result.summaries])
    means = SystemMeans()
    means.add(
        [s for s, is_own in zip(result.summaries, own, strict=True) if is_own], result.values[own]
    )
    table = means_table(list(means.results(result.metrics, seed=0)))
    scores = result.scores.select(kind="machine")
    matrix = ScoreMatrix.from_scores(scores, "rouge-2-r", task=_TASK)
    ranking = ranking_table(compare(matrix).only)
    return (
        replace(table, title="ROUGE of summaries by methods, stemmed"),
        replace(ranking, title=ranking.title.replace("Ranking by", "Ranking of the methods by")),
    )
