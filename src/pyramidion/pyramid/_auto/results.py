"""Results with automatic annotations, and how they are saved."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from pyramidion.collection import Collection, Judgment, PeerAnnotation, Pyramid, Scores
from pyramidion.collection.formats import write_collection
from pyramidion.collection.ids import grouped
from pyramidion.errors import InputError, Where
from pyramidion.pyramid.cases import PyramidSource
from pyramidion.questions import Options, option
from pyramidion.rendering.result import Result
from pyramidion.rendering.saving import SCORE_FILE, Savable

#: How annotations are written: .pyr and .pan files, or the source collection with them added.
AnnotationForm = Literal["ducview", "collection"]

NO_PEER = "add summaries that are not references of the pyramids"


@dataclass(frozen=True, slots=True)
class AnnotationSet:
    """Annotations by (task, topic, system), their pyramids, and scores."""

    source: Collection
    pyramids: Mapping[tuple[str, str], Pyramid]
    peers: Mapping[tuple[str, ...], PeerAnnotation] = field(default_factory=dict)
    judgments: Sequence[Judgment] = ()
    pyramids_alone: bool = False
    lists: tuple[str, ...] = ()

    @property
    def scores(self) -> Scores:
        """The table of scores."""
        return Scores.from_judgments(self.judgments)

    def save(self, folder: Path, file_form: AnnotationForm = "ducview") -> None:
        """Write the annotations into a new folder."""
        if self.lists:
            message = f"{self.lists[0]} has a list of content units but no pyramid to annotate with"
            raise InputError(message, "write its scores with --scores, without -o")
        if not (self.peers or self.pyramids_alone):
            raise InputError("there is no annotated peer to write", NO_PEER)
        new_collection = Collection(self.source.name)
        if file_form == "collection":
            # Replace scores of an earlier run.
            new_scores, old_scores = self.scores, self.source.scores
            kept_scores = old_scores.rows(
                ~np.isin(old_scores.columns["measure"], new_scores.measures)
            )
            new_collection = replace(
                self.source, scores=Scores.concatenate([kept_scores, new_scores])
            )
        new_collection = replace(
            new_collection, pyramids=self.pyramids, peer_annotations=self.peers
        )
        write_collection(new_collection, folder, format=file_form)


def _require_folder(path: Path | None, to: AnnotationForm = "ducview") -> None:
    """Refuse a table's file name, and a folder that exists unless it holds finished parts."""
    if path is not None and path.suffix in (".csv", ".tsv", ".jsonl", ".parquet"):
        hint = "write scores with --scores instead"
        raise InputError("annotations are written to a folder", hint, where=Where(path))
    if path is not None and path.exists() and not (path / "_done").is_dir():
        hint = "choose another name or remove it"
        raise InputError("the folder already exists", where=Where(path), hint=hint)


@dataclass(frozen=True, slots=True)
class FolderForm(Options):
    """How annotations are written."""

    to: AnnotationForm = option(
        "ducview", "Format of the output folder: ducview (.pyr and .pan files) or collection (the "
        "whole source, with these annotations and scores).",
    )  # fmt: skip


FOLDER = Savable(
    "folder", "Write the annotations of peers to this new folder.",
    lambda result, to="ducview": partial(result.annotations.save, file_form=to), _require_folder,
    settings=FolderForm, flags=("--output", "-o"), metavar="FOLDER", for_parts=True,
)  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AutoResult(Result[dict[str, Any]]):
    """A result with automatic annotations."""

    saves = (
        FOLDER,
        replace(
            SCORE_FILE, name="scores", flags=(), help="Write the automatic scores to this file "
            "(.csv, .tsv, .jsonl or .parquet).",
        ),
    )  # fmt: skip

    annotations: AnnotationSet

    def to_scores(self) -> Scores:
        """Return the automatic scores as a table."""
        return self.annotations.scores


def read_texts(source: PyramidSource) -> Collection:
    """Read a collection that has summaries or pyramids."""
    collection = source.read()
    if not (collection.pyramids or collection.peer_annotations or collection.summaries):
        message = "it contains neither summaries nor pyramids"
        hint = "name a collection, or a folder of .pyr and .pan files"
        raise InputError(message, hint, where=source.where)
    return collection


def grouped_notes(notes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Return the first of the notes that differ only in numbers, with its topic."""
    lines_by_form = grouped(
        (re.sub(r"\d+", "#", note), f"{topic}: {note}") for topic, note in dict.fromkeys(notes)
    )
    for lines in lines_by_form.values():
        suffix = f" (and {len(lines) - 1} more like this)" if len(lines) > 1 else ""
        yield f"{lines[0]}{suffix}"
