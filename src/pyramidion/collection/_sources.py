"""Whatever people have at hand, as a collection: a path, a data frame, scores, a matrix."""

from pathlib import Path
from typing import Any, Protocol, TypeAlias

from pyramidion.collection._checks import require_consistent
from pyramidion.collection._collection import Collection
from pyramidion.collection._matrix import ScoreMatrix
from pyramidion.collection._plausibility import warn_implausible
from pyramidion.collection._scores import Scores, scores_from_frame
from pyramidion.errors import InputError, Where


class Frame(Protocol):
    """A data frame of pandas, polars or another library that narwhals knows."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""


#: What a question can be asked about.
Source: TypeAlias = Collection | ScoreMatrix | Scores | Frame | str | Path


def read_source(source: Any, *, format: str | None = None, strict: bool = True) -> Collection:
    """Give anything as a collection."""
    if isinstance(source, Collection):
        return source
    if isinstance(source, ScoreMatrix):
        return Collection("", scores=source.to_scores())
    if isinstance(source, Scores):
        return Collection("", scores=source)
    if isinstance(source, str | Path):
        from pyramidion.collection.formats import read_collection

        collection = read_collection(source, format=format, strict=strict)
        if strict:
            warn_implausible(collection, Where(source))
        return collection
    held = getattr(source, "scores", None)
    scores = held if isinstance(held, Scores) else scores_from_frame(source)
    collection = Collection("", scores=scores)
    require_consistent(collection)
    warn_implausible(collection)
    return collection


def read_scored(source: Any, *, format: str | None = None) -> Collection:
    """Give anything that has scores as a collection."""
    collection = read_source(source, format=format)
    if not len(collection.scores):
        where = Where(source) if isinstance(source, str | Path) else None
        raise InputError(
            "there are no scores in it",
            where=where,
            hint="make some with `pyramidion score`, or name a table of scores",
        )
    return collection
