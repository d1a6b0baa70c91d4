"""Pyramids, annotated peers and answers for content units as JSON, one object a line.

::

    {"topic": "T1", "task": "A", "references": {"B": "Ice melts."},
     "scus": [{"id": "1", "label": "Ice melts",
               "contributors": [{"reference": "B", "parts": ["Ice", "melts"]}]}]}
    {"topic": "T1", "task": "A", "system": "7", "text": "The ice melts.",
     "scus": [{"id": "1", "contributors": [{"parts": ["ice melts"]}]}]}
    {"topic": "T2", "scus": [{"id": "a", "label": "Ice melts", "weight": 2}]}
    {"topic": "T2", "system": "7", "assessor": "worker1", "answers": {"a": 1}}

A part is a quotation, of which the first occurrence is meant, or ``{"start": 0, "end": 3}``:
offsets into the named reference, else into the peer's text or the text of all references.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import write_text
from pyramidion.collection.formats.base import Format, counted, first_record
from pyramidion.collection.formats.ducview import annotated_summaries
from pyramidion.collection.formats.judged.rows import ScoreRows
from pyramidion.collection.formats.pyramid_json.read import (
    read_answers,
    read_list,
    read_peer,
    read_pyramid,
)
from pyramidion.collection.formats.pyramid_json.write import (
    ANSWERS,
    answer_lines,
    list_lines,
    peer_lines,
    pyramid_lines,
)
from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.collection.records import Record, read_records
from pyramidion.collection.scores import Scores
from pyramidion.collection.summaries import KINDS, Kind, Summary
from pyramidion.collection.topics import Topic
from pyramidion.errors import InputError

__all__ = ["FORMAT"]


@dataclass
class _File:
    """What was read so far; lines about summaries wait until all pyramids are known."""

    pyramids: dict[tuple[str, str], Pyramid] = field(default_factory=dict)
    lists: dict[str, Topic] = field(default_factory=dict)
    peers: dict[tuple[str, str, str], PeerAnnotation] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    told: dict[tuple[str, str, str], Summary] = field(default_factory=dict)
    rows: ScoreRows = field(default_factory=ScoreRows)
    notes: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)

    def add_units(self, record: Record) -> None:
        """Take a line about a topic, or what a line of answers says of it."""
        task, topic = record.identifier("task", ""), record.identifier("topic")
        is_pyramid = "references" in record.data or "text" in record.data
        if is_pyramid and "system" not in record.data:
            self._require_new((task, topic) in self.pyramids, record)
            self.pyramids[task, topic] = read_pyramid(record)
            self._add_notes(record, self.pyramids[task, topic].notes)
        else:
            listed = Topic(topic, extra={"scus": read_list(record)})
            if self.lists.setdefault(topic, listed) != listed:
                raise record.error(f"topic {topic} has other content units above", "keep one list")

    def add_summary(self, record: Record) -> None:
        """Take a line about a summary."""
        add = self._add_answers if "answers" in record.data else self._add_peer
        add(record)

    def _add_peer(self, record: Record) -> None:
        task, topic = record.identifier("task", ""), record.identifier("topic")
        system = record.identifier("system")
        self._require_new((task, topic, system) in self.peers, record)
        peer = read_peer(record, self.pyramids.get((task, topic)))
        self.peers[task, topic, system] = peer
        self.pyramids.setdefault((task, topic), peer.pyramid)
        if "kind" in record.data:
            self.kinds[system] = cast("Kind", record.choice("kind", KINDS))
        self._add_notes(record, peer.notes)

    def _add_answers(self, record: Record) -> None:
        summary = Summary(
            topic=record.identifier("topic"),
            system=record.identifier("system"),
            text=record.text("text", ""),
            task=record.identifier("task", ""),
            kind=cast("Kind", record.choice("kind", KINDS, "machine")),
            role="peer",
        )
        if summary.text and self.told.setdefault(summary.key, summary) != summary:
            raise record.error(f"{summary.name} has another text above", "keep one")
        answers = read_answers(record, self._ids(summary))
        assessor = record.identifier("assessor", "")
        measure = record.choice("measure", ANSWERS, "scu-answer" if assessor else "scu")
        size = len(answers)
        self.rows.add(
            summary, [measure] * size, list(answers.values()), [assessor] * size, list(answers)
        )

    def _ids(self, summary: Summary) -> list[str]:
        pyramid = self.pyramids.get((summary.task, summary.topic))
        if pyramid is not None:
            return [scu.uid for scu in pyramid.scus]
        listed = self.lists.get(summary.topic)
        return [scu["id"] for scu in listed.extra["scus"]] if listed else []

    def _require_new(self, known: bool, record: Record) -> None:
        if known:
            raise record.error("a line above has the same topic, task and system", "keep one")

    def _add_notes(self, record: Record, notes: tuple[str, ...]) -> None:
        self.notes.extend(f"{record.where}: {note}" for note in notes)

    def left_out(self) -> tuple[str, ...]:
        """Say what was mended, and count the fields that nobody asked for."""
        return (*self.notes, *(f"{n} fields `{name}`" for name, n in self.unknown.items()))

    def summaries(self) -> Iterator[Summary]:
        annotated = list(annotated_summaries(self.pyramids, self.peers))
        for summary in annotated:
            yield replace(summary, kind=self.kinds.get(summary.system, summary.kind))
        there = {summary.key for summary in annotated}
        yield from (summary for key, summary in self.told.items() if key not in there)


def _read(path: Path) -> Collection:
    file = _File()
    records = list(read_records(path))
    for record in records:
        if "system" not in record.data or {"answers", "scus"} <= record.data.keys():
            file.add_units(record)
    for record in records:
        if "system" in record.data:
            file.add_summary(record)
        file.unknown.update(record.rest().keys())
    return Collection(
        path.name.split(".")[0],
        topics=tuple(file.lists.values()),
        summaries=tuple(file.summaries()),
        scores=file.rows.scores(),
        pyramids=file.pyramids,
        peer_annotations=file.peers,
        left_out=file.left_out(),
    )


def _matches(path: Path) -> bool:
    record = first_record(path)
    if "topic" not in record or "summary" in record:
        return False
    scus = record.get("scus")
    first = scus[0] if isinstance(scus, list) and scus else {}
    # Lists whose units have a `text` are published judgments'.
    listed = isinstance(first, dict) and "label" in first
    text = isinstance(record.get("references"), dict) or "text" in record
    return "answers" in record or listed or (text and isinstance(scus, list))


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    lists, answers = list(list_lines(collection)), list(answer_lines(collection))
    peers = list(peer_lines(collection))
    lines = [*pyramid_lines(collection.pyramids), *lists, *peers, *answers]
    if not lines:
        raise InputError("the collection has no content units", hint="choose another format")
    write_text(path, "".join(lines))
    inside = {s.key for s in annotated_summaries(collection.pyramids, collection.peer_annotations)}
    kept = sum(_kept(collection.scores.select(measure=measure)) for measure in ANSWERS)
    return counted(
        **{
            "topics beside their content units": sum(
                topic != Topic(topic.id, extra={"scus": topic.extra.get("scus")})
                for topic in collection.topics
            ),
            "scores that are no answers": len(collection.scores) - kept,
            "summaries that are in no pyramid": sum(
                summary.key not in inside for summary in collection.summaries
            ),
        },
    )


def _kept(rows: Scores) -> int:
    columns = (rows.columns["unit"], rows.columns["occasion"])
    return sum(bool(unit and not occasion) for unit, occasion in zip(*columns, strict=True))


FORMAT = Format(
    name="pyramids",
    title="pyramids, annotated peers and answers for content units, one JSON object a line",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=("pyramids.jsonl",),
)
