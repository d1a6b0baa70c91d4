"""Read any source as a collection: a path, a data frame, scores, a matrix."""

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar

import numpy as np

from pyramidion.collection._collection import Collection
from pyramidion.collection._preferences import Preferences
from pyramidion.collection._scores import Scores, scores_from_frame
from pyramidion.collection.checks import require_consistent
from pyramidion.collection.matrix import ScoreMatrix
from pyramidion.collection.plausibility import warn_implausible
from pyramidion.errors import DataNote, InputError, Where

T = TypeVar("T")


class Frame(Protocol):
    """A data frame of pandas, polars or another library that narwhals supports."""

    @property
    def columns(self) -> Any:
        """The names of its columns."""


class HasScores(Protocol):
    """A result with scores, such as that of `score`."""

    @property
    def scores(self) -> Scores | None:
        """One row per score; None if they were not kept."""


class Array(Protocol):
    """An array, or a Series of pandas or polars."""

    def __array__(self) -> Any:
        """Return it as an array of NumPy."""


#: Sources that questions accept; signatures show the name.
Source: TypeAlias = Annotated[
    Collection | ScoreMatrix | Scores | Preferences | Frame | HasScores | str | Path,
    "pyramidion.collection:Source",
]

#: The scores of one system, one per topic.
Values: TypeAlias = Annotated[Sequence[float | None] | Array, "pyramidion.collection:Values"]


def read_source(source: Any, *, format: str | None = None, strict: bool = True) -> Collection:
    """Return any source as a collection; several sources are joined."""
    if isinstance(source, list | tuple) and source:
        return _joined([read_source(part, format=format, strict=strict) for part in source])
    if isinstance(source, Collection):
        return source
    if isinstance(source, ScoreMatrix):
        return Collection("", scores=source.to_scores())
    if isinstance(source, Scores):
        return Collection("", scores=source)
    if isinstance(source, Preferences):
        return Collection("", preferences=source)
    if isinstance(source, str | Path):
        from pyramidion.collection.formats import read_collection

        collection = read_collection(source, format=format, strict=strict)
        if strict:
            warn_implausible(collection, Where(source))
            _warn_repaired(collection, source)
        return collection
    if (chosen := _preferences_in(source)) is not None:
        return chosen
    held = getattr(source, "scores", None)
    scores = held if isinstance(held, Scores) else scores_from_frame(source)
    collection = Collection("", scores=scores)
    require_consistent(collection)
    warn_implausible(collection)
    return collection


def _preferences_in(frame: Any) -> Collection | None:
    """Read a data frame with columns of preferences; None if it has none."""
    from pyramidion.collection._raw import raw_frame
    from pyramidion.collection.formats import preferences as formats

    # Asking a lazy frame for its columns would compute it.
    able = hasattr(type(frame), "columns") and not hasattr(frame, "collect")
    names = list(frame.columns) if able else []
    columns = formats.find_preference_columns([name for name in names if isinstance(name, str)])
    return formats.collection_of_preferences(raw_frame(frame), columns) if columns else None


def _warn_repaired(collection: Collection, source: str | Path) -> None:
    """Report in one line what a reader repaired."""
    if collection.repaired:
        first, *rest = collection.repaired
        more = f" (and {len(rest)} more, which `pyramidion describe` lists)" if rest else ""
        warnings.warn(f"{source}: repaired: {first}{more}", DataNote, stacklevel=3)


def _joined(parts: Sequence[Collection]) -> Collection:
    """Join the parts of an evaluation; equal entries are kept once."""
    listed = ("tasks", "categories", "topics", "summaries", "left_out", "repaired", "doubts")
    joined: dict[str, Any] = {
        name: _once(value for part in parts for value in getattr(part, name)) for name in listed
    }
    for name in ("scales", "measures", "pyramids", "peer_annotations", "versions"):
        tables = (getattr(part, name).items() for part in reversed(parts))
        joined[name] = dict(chain.from_iterable(tables))
    joined["scores"] = _scores_once(Scores.concatenate([part.scores for part in parts]))
    joined["preferences"] = Preferences.concatenate(part.preferences for part in parts)
    whole = replace(parts[0], **joined)
    require_consistent(whole)
    return whole


def _once(items: Iterable[T]) -> tuple[T, ...]:
    """Drop repeated values; summaries and topics hold dictionaries and cannot be hashed."""
    unique: dict[str, T] = {}
    for item in items:
        unique.setdefault(repr(item), item)
    return tuple(unique.values())


def _scores_once(scores: Scores) -> Scores:
    """Drop scores that another source repeats; contradictions are refused later."""
    pairs = scores.repeated_keys()
    repeated = [row for earlier, row in pairs if scores.value[earlier] == scores.value[row]]
    return scores.rows(np.delete(np.arange(len(scores)), repeated)) if repeated else scores


def read_scored(source: Any, *, format: str | None = None) -> Collection:
    """Read a source that has scores as a collection."""
    collection = read_source(source, format=format)
    require_scores(collection, source)
    return collection


def require_scores(collection: Collection, source: Any) -> None:
    """Refuse a collection without scores."""
    if not len(collection.scores):
        where = Where(source) if isinstance(source, str | Path) else None
        hint = "compute some with -m, or add a table of scores"
        raise InputError("there are no scores in it", hint, where=where)
