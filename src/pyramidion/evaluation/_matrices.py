"""The scores of measures as topics x systems, from whatever holds them."""

from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.collection import Collection, ScoreMatrix, full_measure_name
from pyramidion.collection.questions import Options, argument, option
from pyramidion.collection.sources import Source, read_scored
from pyramidion.errors import InputError


@dataclass(frozen=True, slots=True)
class Measured(Options):
    """Which measures of which tasks are looked at."""

    source: Source = argument("A table of scores, or a collection in any format.")
    measures: tuple[str, ...] = option(
        (), "Measures, with commas or repeated; all by default.", flags=("--measures", "-m")
    )
    tasks: tuple[str, ...] = option((), "Tasks, with commas; all by default.", flags=("--task",))
    source_format: str | None = option(
        None, "Format of the source; guessed by default.", flags=("--from",), metavar="FORMAT"
    )

    def read(
        self, *, assessor: str | None = None
    ) -> tuple[Collection, list[ScoreMatrix], tuple[str, ...]]:
        """Give the collection, the matrix of each measure in each task, and what was left out."""
        collection = read_scored(self.source, format=self.source_format)
        matrices, left_out = read_matrices(collection, self.measures, self.tasks, assessor=assessor)
        return collection, matrices, (*collection.left_out, *left_out)


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
