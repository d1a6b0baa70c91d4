"""What annotating without people gives: annotations, pyramids, scores, and where they go."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, Literal, TypeVar

import numpy as np

from pyramidion.collection import Collection, Judgment, PeerAnnotation, Pyramid, Scores
from pyramidion.collection.formats import write_collection
from pyramidion.collection.formats.scores import write_scores
from pyramidion.errors import InputError
from pyramidion.pyramid._source import PyramidSource
from pyramidion.report.result import Result

#: How annotations are written: .pyr and .pan files, or the whole source with them in it.
AnnotationForm = Literal["ducview", "collection"]

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found:
    """Annotations by (task, topic, system), their pyramids, and scores.

    Parameters
    ----------
    source
        What the summaries come from.
    pyramids, peers
        As in a collection.
    judgments
        The scores of all summaries, as rows of a table.
    pyramids_alone
        Whether the pyramids are worth writing without peers.
    lists
        Topics whose content units are a plain list, so that annotations cannot be written.
    """

    source: Collection
    pyramids: Mapping[tuple[str, str], Pyramid]
    peers: Mapping[tuple[str, str, str], PeerAnnotation] = field(default_factory=dict)
    judgments: Sequence[Judgment] = ()
    pyramids_alone: bool = False
    lists: tuple[str, ...] = ()

    @property
    def scores(self) -> Scores:
        """The table of scores."""
        return Scores.from_judgments(self.judgments)

    def save(self, folder: Path, form: AnnotationForm = "ducview") -> None:
        """Write the annotations into a new folder."""
        if self.lists:
            raise InputError(
                f"{self.lists[0]} has a list of content units and no pyramid to annotate with",
                hint="take its scores with --scores, without -o",
            )
        if not (self.peers or self.pyramids_alone):
            raise InputError(
                "there is no peer whose annotation could be written",
                hint="add summaries that are not references of the pyramids",
            )
        written = Collection(self.source.name, pyramids=self.pyramids, peer_annotations=self.peers)
        if form == "collection":
            written = replace(
                self.source,
                pyramids=self.pyramids,
                peer_annotations=self.peers,
                scores=_exchanged(self.source.scores, self.scores),
            )
        write_collection(written, folder, format=form)

    def save_scores(self, path: Path) -> None:
        """Write the table of scores."""
        write_scores(self.scores, path)


def _exchanged(old: Scores, new: Scores) -> Scores:
    """Put scores in the place of those that an earlier run gave."""
    kept = old.rows(~np.isin(old.columns["measure"], new.measures))
    return Scores.concatenate([kept, new])


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AutoResult(Result[T], Generic[T]):
    """A result with the annotations or pyramids that were made."""

    found: Found


def read_texts(source: PyramidSource) -> Collection:
    """Read a collection, and refuse one that has neither summaries nor pyramids."""
    collection = source.read()
    if not (collection.pyramids or collection.peer_annotations or collection.summaries):
        raise InputError(
            "there are neither summaries nor pyramids in it",
            where=source.where,
            hint="name a collection, or a folder of .pyr and .pan files",
        )
    return collection


def grouped_notes(notes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Tell notes that differ in their numbers only once, with the first topic they are about."""
    groups: dict[str, list[str]] = {}
    for topic, note in dict.fromkeys(notes):
        groups.setdefault(re.sub(r"\d+", "#", note), []).append(f"{topic}: {note}")
    for lines in groups.values():
        more = f" (and {len(lines) - 1} more like this)" if len(lines) > 1 else ""
        yield f"{lines[0]}{more}"
