"""Manual measures and metrics side by side, from whatever file holds them."""

from collections.abc import Sequence
from pathlib import Path

from pyramidion.collection import Collection
from pyramidion.collection.sources import read_scored
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import MetaTables, meta_tables

__all__ = ["read_judged"]


def read_judged(
    source: str | Path,
    humans: Sequence[str],
    *,
    metrics: Sequence[str] = (),
    tasks: Sequence[str] = (),
    lower_is_better: Sequence[str] = (),
    source_format: str | None = None,
) -> tuple[Collection, list[MetaTables]]:
    """Read scores, and put each manual measure beside the metrics, for each task and year.

    Parameters
    ----------
    source
        A table of scores, or a collection in any format.
    humans, metrics, tasks
        Manual measures, metrics (all other measures if none is named) and tasks.
    lower_is_better
        Metrics by which lower scores are better, beside those known for it.
    source_format
        The source's format; guessed if it is not given.
    """
    collection = read_scored(source, format=source_format)
    scores = collection.scores
    if not humans:
        there = ", ".join(scores.measures)
        raise InputError("no human measure is named", hint=f"choose with --human among: {there}")
    tables = [
        table
        for human in dict.fromkeys(humans)
        for table in meta_tables(
            scores,
            human,
            metrics=metrics,
            tasks=tasks,
            lower_is_better=lower_is_better,
            exclude=humans,
            declared=collection.measures,
        )
    ]
    return collection, tables
