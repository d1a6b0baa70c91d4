"""Scores for a command, from whatever file or folder holds them."""

from collections.abc import Sequence
from pathlib import Path

from pyramidion.collection import Collection, ScoreMatrix, full_measure_name
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError, Where

__all__ = ["read_matrices", "read_scored"]


def read_scored(path: str | Path, *, format: str | None = None) -> Collection:
    r"""Read a collection that has scores.

    Parameters
    ----------
    path
        A table of scores, or a collection in any format.
    format
        The format's name; guessed if it is not given.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     _ = file.write_text("topic,system,kind,measure,value\nT1,7,machine,m,4\n")
    ...     read_scored(file).scores
    <Scores: 1 rows, measures m>
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
    collection: Collection,
    measures: Sequence[str],
    tasks: Sequence[str],
    *,
    assessor: str | None = None,
) -> tuple[list[ScoreMatrix], list[str]]:
    """Give the matrix of each measure in each task, and what was left out.

    A measure that is there for one system or one topic only cannot be compared; it is left out
    unless it was asked for by name.

    Parameters
    ----------
    collection
        What holds the scores.
    measures
        Which measures; a bare name of a ROUGE variant means its F. All if none is named.
    tasks
        Which tasks; all in which the measure is there if none is named.

    assessor
        Take this assessor's judgments only, instead of the mean of all.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> matrices, left_out = read_matrices(load_demo(), [], [])
    >>> len(matrices), left_out
    (4, ['relative-utility, task A: 1 system, which cannot be compared'])
    """
    scores = collection.scores
    if assessor is not None:
        scores.require("assessor", assessor)
        scores = scores.select(assessor=assessor)
    matrices, left_out = [], []
    for name in measures or scores.measures:
        measure = full_measure_name(name, scores.measures)
        scores.require("measure", measure)
        chosen = scores.select(measure=measure)
        for task in tasks or chosen.distinct("task"):
            matrix = ScoreMatrix.from_scores(chosen, measure, task=task)
            lacking = _lacking(matrix)
            if lacking and not measures:
                where = f"{measure}, task {task}" if task else measure
                left_out.append(f"{where}: {lacking}, which cannot be compared")
            else:
                matrices.append(matrix)
    if not matrices:
        raise InputError("no measure has two systems and two topics", hint="add scores")
    return matrices, left_out


def _lacking(matrix: ScoreMatrix) -> str:
    if len(matrix.systems) < 2:
        return "1 system"
    return "1 topic" if len(matrix.topics) < 2 else ""
