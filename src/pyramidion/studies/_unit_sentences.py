"""Sentences of annotated summaries with the weights of their content units (section 3.5).

Such a table can train summarizers: a weight says more than whether a sentence was chosen.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text
from pyramidion.pyramid.topics import TopicSummaries
from pyramidion.rendering.saving import Savable
from pyramidion.rendering.table import Table
from pyramidion.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class UnitSentence:
    """A sentence of an annotated summary, and the content units that it expresses."""

    task: str
    topic: str
    system: str
    number: int  #: in the summary, from 1
    weight: int  #: of its units, each counted once
    units: tuple[str, ...]
    document: str  #: the first document of the input that has the same words, or empty
    text: str


def unit_sentences(topic: TopicSummaries, collection: Collection) -> Iterator[UnitSentence]:
    """Return the sentences of a topic's annotated summaries; a unit counts where it starts."""
    documents = {
        document.id: f" {' '.join(document.text.split())} "
        for document in collection.documents(topic.topic, topic.task)
    }
    for system, peer in topic.peers.items():
        spans = sentence_spans(peer.text)
        for number, (start, end) in enumerate(spans, start=1):
            text = " ".join(peer.text[start:end].split())
            # Gaps between sentences belong to the one before.
            next_start = spans[number][0] if number < len(spans) else len(peer.text)
            units = tuple(_units_starting_in(peer, start if number > 1 else 0, next_start))
            matches = (name for name, words in documents.items() if f" {text} " in words)
            weight = sum(_unit_weight(topic.pyramid, uid) for uid in units)
            address = (topic.task, topic.topic, system)
            yield UnitSentence(*address, number, weight, units, next(matches, ""), text)


def _units_starting_in(peer: PeerAnnotation, start: int, end: int) -> Iterator[str]:
    for scu in peer.scus:
        starts = (contributor.start for contributor in scu.contributors)
        if scu.uid != NOT_IN_PYRAMID and any(start <= position < end for position in starts):
            yield scu.uid


def _unit_weight(pyramid: Pyramid, uid: str) -> int:
    return int(pyramid.weights[pyramid.row(uid)])


_COLUMNS = ("task", "topic", "system", "sentence", "weight", "units", "document", "text")


def _sentence_writer(result: Any) -> Callable[[Path], None]:
    if not result.sentences:
        message = "no summary of these topics is annotated with a pyramid"
        raise InputError(
            message, hint="annotate one with `pyramidion serve` or `pyramidion pyramid auto`"
        )
    rows = tuple(
        (s.task, s.topic, s.system, s.number, s.weight, " ".join(s.units), s.document, s.text)
        for s in result.sentences
    )
    return partial(write_text, text=Table(_COLUMNS, rows).to_csv())


def _require_csv(path: Path) -> None:
    if path.suffix.lower() != ".csv":
        raise InputError("sentences are written as CSV", where=Where(path), hint="end it in .csv")


#: The sentences, for a result with `sentences`.
SENTENCE_FILE = Savable(
    "sentences", "Write the sentences of annotated summaries with the weights of their content "
    "units to this file (.csv).", _sentence_writer, _require_csv, metavar="FILE",
)  # fmt: skip
