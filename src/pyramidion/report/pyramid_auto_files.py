"""What the commands of ``pyramidion pyramid auto`` read and write."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pyramidion.collection import Collection, Judgment, PeerAnnotation, Pyramid, Scores
from pyramidion.collection.formats import read_collection, write_collection
from pyramidion.collection.formats.scores import require_scores_file, write_scores
from pyramidion.errors import InputError, Where

__all__ = ["AutoFiles", "Found", "grouped_notes", "read_source"]

#: The forms in which annotations are written, as ``--to`` names them.
FORMS = ("ducview", "collection")


@dataclass(frozen=True, slots=True)
class AutoFiles:
    """Where automatic annotations and their scores are written, if anywhere.

    Parameters
    ----------
    folder
        A new folder for annotations.
    form
        ``ducview``: a folder of ``.pyr`` and ``.pan`` files; ``collection``: the whole
        collection with these annotations instead of its own, and with their scores.
    scores
        A file for the table of scores.

    Examples
    --------
    >>> AutoFiles(form="word")
    Traceback (most recent call last):
    pyramidion.errors.InputError: annotations cannot be written as 'word'; use ducview or collection
    """

    folder: Path | None = None
    form: str = "ducview"
    scores: Path | None = None

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise InputError(
                f"annotations cannot be written as {self.form!r}", hint=f"use {' or '.join(FORMS)}"
            )
        require_scores_file(self.scores)
        # Told before the work is done, which may take long.
        if self.folder is not None and self.folder.exists():
            raise InputError(
                "the folder exists already",
                where=Where(self.folder),
                hint="choose another name or remove it",
            )

    @property
    def names(self) -> tuple[str, ...]:
        """What is written, for the person at the terminal."""
        return tuple(str(path) for path in (self.folder, self.scores) if path is not None)

    def write(self, collection: Collection, found: "Found") -> None:
        """Write what was found.

        Parameters
        ----------
        collection
            What the summaries come from.
        found
            Annotations and scores.
        """
        scores = Scores.from_judgments(found.judgments)
        if self.folder is not None:
            if not (found.peers or found.pyramids_alone):
                raise InputError(
                    "there is no peer whose annotation could be written",
                    hint="add summaries that are not references of the pyramids",
                )
            written = found.collection(collection.name)
            if self.form == "collection":
                written = replace(
                    collection,
                    pyramids=found.pyramids,
                    peer_annotations=found.peers,
                    scores=_exchanged(collection.scores, scores),
                )
            write_collection(written, self.folder, format=self.form)
        if self.scores is not None:
            write_scores(scores, self.scores)


@dataclass(frozen=True, slots=True)
class Found:
    """Annotations by (task, topic, system), their pyramids, and scores.

    Parameters
    ----------
    pyramids, peers
        As in a collection.
    judgments
        The scores of all summaries, as rows of a table.
    pyramids_alone
        Whether the pyramids are worth writing without peers.

    Examples
    --------
    >>> Found({("", "T1"): Pyramid("")}, {}, ()).collection("mine").topic_ids
    ('T1',)
    """

    pyramids: Mapping[tuple[str, str], Pyramid]
    peers: Mapping[tuple[str, str, str], PeerAnnotation]
    judgments: Sequence[Judgment]
    pyramids_alone: bool = False

    def collection(self, name: str) -> Collection:
        """Give a collection of the annotations and nothing else."""
        return Collection(name, pyramids=self.pyramids, peer_annotations=self.peers)


def _exchanged(old: Scores, new: Scores) -> Scores:
    """Put scores in the place of those that an earlier run gave."""
    kept = old.rows(~np.isin(old.columns["measure"], new.measures))
    return Scores.concatenate([kept, new])


def read_source(source: str | Path, *, format: str | None = None) -> Collection:
    """Read a collection in any format, and refuse one that has neither summaries nor pyramids.

    Parameters
    ----------
    source
        A file or folder.
    format
        The format's name; guessed if it is not given.

    Examples
    --------
    >>> read_source("nowhere")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: nowhere: there is no such file or folder; check the path
    """
    collection = read_collection(source, format=format)
    if not (collection.pyramids or collection.peer_annotations or collection.summaries):
        raise InputError(
            "there are neither summaries nor pyramids in it",
            where=Where(source),
            hint="name a collection, or a folder of .pyr and .pan files",
        )
    return collection


def grouped_notes(notes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Tell notes that differ in their numbers only once, with the first topic they are about.

    Parameters
    ----------
    notes
        Pairs of a topic's name and a note.

    Examples
    --------
    >>> list(grouped_notes([("T1", "SCU 3 has no words"), ("T2", "SCU 8 has no words")]))
    ['T1: SCU 3 has no words (and 1 more like this)']
    """
    groups: dict[str, list[str]] = {}
    for topic, note in dict.fromkeys(notes):
        groups.setdefault(re.sub(r"\d+", "#", note), []).append(f"{topic}: {note}")
    for lines in groups.values():
        more = f" (and {len(lines) - 1} more like this)" if len(lines) > 1 else ""
        yield f"{lines[0]}{more}"
