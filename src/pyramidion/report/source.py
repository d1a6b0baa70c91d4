"""Scores for a command, from whatever file or folder holds them."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from pyramidion.collection import Collection, ScoreMatrix
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError, Where

__all__ = ["read_matrices", "read_scored"]


def read_scored(path: str | Path, *, format: str | None = None) -> Collection:
    """Read a collection that has scores.

    Parameters
    ----------
    path
        A table of scores, or a collection in any format.
    format
        The format's name; guessed if it is not given.
    """
    collection = read_collection(path, format=format)
    if not len(collection.scores):
        raise InputError(
            "there are no scores in it",
            where=Where(path),
            hint="make some with `pyramidion score`, or name a table of scores",
        )
    return collection


def read_matrices(
    collection: Collection, measures: Sequence[str], tasks: Sequence[str]
) -> Iterator[ScoreMatrix]:
    """Give the matrix of each measure in each task.

    Parameters
    ----------
    collection
        What holds the scores.
    measures
        Which measures; a bare name of a ROUGE variant means its F. All if none is named.
    tasks
        Which tasks; all in which the measure is there if none is named.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> [matrix.task for matrix in read_matrices(load_demo(), ["readability"], [])]
    ['A', 'B']
    """
    scores = collection.scores
    for name in measures or scores.measures:
        measure = (
            f"{name}-f" if name not in scores.measures and f"{name}-f" in scores.measures else name
        )
        scores.require("measure", measure)
        for task in tasks or scores.select(measure=measure).distinct("task"):
            yield ScoreMatrix.from_scores(scores, measure, task=task)
