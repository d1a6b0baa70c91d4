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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import ne
from pathlib import Path
from typing import Any, cast

from pyramidion.collection._collection import Collection
from pyramidion.collection._files import Record, json_line, read_records, write_text
from pyramidion.collection._ids import grouped
from pyramidion.collection._pyramids import (
    SCU,
    Contributor,
    Part,
    PeerAnnotation,
    Pyramid,
    joined_references,
    unexpressed,
)
from pyramidion.collection._summaries import KINDS, Kind, Summary, Topic
from pyramidion.collection.formats._base import Format, counted, first_record
from pyramidion.collection.formats._ducview import add_notes, annotated_summaries, by_version
from pyramidion.collection.formats._ducview_files import AnnotatedText
from pyramidion.collection.formats._judged_sets import ScoreRows
from pyramidion.errors import InputError


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of a text in which parts are quoted, and from where their offsets count."""

    text: str
    start: int
    end: int
    name: str = ""

    def written(self, part: Part) -> str | dict[str, Any]:
        """Write a part: as a quotation where that says its place, else with its offsets."""
        span = self.text[part.start : part.end] if 0 <= part.start <= part.end else None
        quoted = span == part.label and span != ""
        if quoted and self.text.find(part.label, self.start, self.end) == part.start:
            return part.label
        place: dict[str, Any] = {"start": part.start - self.start, "end": part.end - self.start}
        return place if span == part.label else {**place, "label": part.label}

    def holds(self, contributor: Contributor) -> bool:
        """Return whether all parts of a contributor lie in the stretch."""
        places = [(part.start, part.end) for part in contributor.parts]
        return bool(places) and all(self.start <= a <= b <= self.end for a, b in places)


def reference_windows(pyramid: Pyramid) -> dict[str, Window]:
    """Return the text of each reference, as `joined_references` wrote it under its header."""
    # A reference's own text ends before an empty line, the last one's with its line.
    last = pyramid.references[-1:]
    return {
        own.name: Window(pyramid.text, own.start + 1, own.end - (1 if own in last else 2), own.name)
        for own in pyramid.references
    }


def read_contributor(
    record: Record, whole: Window, windows: dict[str, Window], uid: str, notes: list[str]
) -> Contributor:
    """Read a contributor; what had to be mended is noted."""
    name = record.text("reference", "")
    if name and name not in windows:
        hint = f"there are: {', '.join(windows) or 'none'}"
        raise record.error(f"SCU {uid}: there is no reference {name!r}", hint)
    window = windows[name] if name else whole
    parts = tuple(_parts(record, window, uid, notes))
    contributor = Contributor(parts, record.text("label", ""), record.text("comment", ""))
    notes.extend(f"SCU {uid}: `{name}` of a contributor is not kept" for name in record.rest())
    return contributor


def _parts(record: Record, window: Window, uid: str, notes: list[str]) -> Iterator[Part]:
    items = record.take("parts") or []
    if not isinstance(items, list):
        raise record.error(f"SCU {uid}: `parts` is not a list", "write a list of quotations")
    text = AnnotatedText(window.text)
    for item in items:
        if isinstance(item, str):
            yield _quoted(record, window, uid, item)
        elif isinstance(item, dict):
            part, note = text.place(_offsets(record, window, uid, item), uid)
            notes.extend([note] if note else [])
            yield part
        else:
            hint = 'write a quotation, or {"start": 0, "end": 3}'
            raise record.error(f"SCU {uid}: a part is {item!r}", hint)


def _quoted(record: Record, window: Window, uid: str, quotation: str) -> Part:
    begin = window.text.find(quotation, window.start, window.end)
    if begin < 0 or not quotation:
        where = f"reference {window.name}" if window.name else "the text"
        raise record.error(f"SCU {uid}: {quotation!r} is not in {where}", "quote it to the letter")
    return Part(begin, begin + len(quotation), quotation)


def _offsets(record: Record, window: Window, uid: str, item: dict[str, Any]) -> Part:
    start, end = (_offset(record, uid, item, name) + window.start for name in ("start", "end"))
    label = item.get("label", window.text[max(start, 0) : max(end, 0)])
    if not isinstance(label, str):
        raise record.error(f"SCU {uid}: the label of a part is {label!r}", "write it as text")
    return Part(start, end, label)


def _offset(record: Record, uid: str, item: dict[str, Any], name: str) -> int:
    value = item.get(name)
    if isinstance(value, bool) or not isinstance(value, int):
        what = f"SCU {uid}: `{name}` of a part is {value!r}"
        raise record.error(what, "write the offset of a character")
    return value


def written_contributor(
    contributor: Contributor, whole: Window, windows: dict[str, Window]
) -> dict[str, Any]:
    """Write a contributor, under the name of the reference that has all its parts."""
    window = next((w for w in windows.values() if w.holds(contributor)), whole)
    fields: dict[str, Any] = {"reference": window.name} if window.name else {}
    fields["parts"] = [window.written(part) for part in contributor.parts]
    if contributor.label != Contributor(contributor.parts).label:
        fields["label"] = contributor.label
    return {**fields, **({"comment": contributor.comment} if contributor.comment else {})}


def pyramid_from_record(record: Record) -> Pyramid:
    """Read a pyramid: ``references`` or ``text``, and ``scus``."""
    references = record.take("references")
    windows: dict[str, Window] = {}
    if references is None:
        regex = record.text("start_document_regex", "")
        pyramid = Pyramid(record.text("text", ""), start_document_regex=regex)
    else:
        pyramid = Pyramid(joined_references(_texts(record, references)))
        if tuple(reference.name for reference in pyramid.references) != tuple(references):
            what = f"the references {', '.join(references)} cannot be distinguished in one text"
            raise record.error(what, "names are one line, and no reference has a line of dashes")
        windows = reference_windows(pyramid)
    notes: list[str] = []
    whole = Window(pyramid.text, 0, len(pyramid.text))
    scus = tuple(_scu(item, whole, windows, notes) for item in record.records("scus"))
    return replace(pyramid, scus=scus, notes=tuple(notes))


def _texts(record: Record, references: Any) -> Mapping[str, str]:
    if not isinstance(references, dict) or not all(isinstance(t, str) for t in references.values()):
        raise record.error("`references` is not an object of texts", 'write {"name": "text", ...}')
    return references


def _scu(record: Record, whole: Window, windows: dict[str, Window], notes: list[str]) -> SCU:
    uid = record.identifier("id", "" if record.data.get("id") == "" else None)
    items = record.records("contributors")
    contributors = tuple(read_contributor(item, whole, windows, uid, notes) for item in items)
    scu = SCU(uid, record.text("label", ""), contributors, record.text("comment", ""))
    notes.extend(f"SCU {uid}: `{name}` is not kept" for name in record.rest())
    return scu


def peer_from_record(record: Record, pyramid: Pyramid | None) -> PeerAnnotation:
    """Read an annotated peer: ``text`` and ``scus``, and its own ``pyramid`` if it has one.

    Where a unit has no ``label``, only what was found is written down: labels and the other
    units are filled in from the pyramid, as DUCView wants them.
    """
    own = record.take("pyramid")
    if own is not None:
        if not isinstance(own, dict):
            raise record.error("`pyramid` is not an object", "write {...}")
        pyramid = pyramid_from_record(Record(own, record.where))
    if pyramid is None:
        raise record.error("its topic has no pyramid", "add a line with its references and scus")
    text = record.text("text", "")
    notes = list(pyramid.notes) if own is not None else []
    whole = Window(text, 0, len(text))
    items = list(record.records("scus"))
    scus = tuple(_scu(item, whole, {}, notes) for item in items)
    if any("label" not in item.data for item in items):
        scus = tuple(_completed(scus, pyramid))
    return PeerAnnotation(pyramid, text, scus, tuple(notes))


def _completed(found: tuple[SCU, ...], pyramid: Pyramid) -> Iterator[SCU]:
    """Return an entry for each unit of the pyramid, then what is not in it; drop none."""
    entries: dict[str, SCU] = {}
    for entry in unexpressed(pyramid.scus, pyramid.weights.tolist()):
        entries.setdefault(entry.uid, entry)
    for uid, entry in entries.items():
        own = [scu for scu in found if scu.uid == uid]
        yield from (replace(scu, label=scu.label or entry.label) for scu in own or [entry])
    yield from (scu for scu in found if scu.uid not in entries)


def read_list(record: Record) -> list[dict[str, Any]]:
    """Read a list of content units without references: ``id``, ``label``, ``weight``."""
    found = []
    for item in record.records("scus"):
        unit: dict[str, Any] = {"id": item.identifier("id"), "text": item.text("label", "")}
        if "weight" in item.data:
            unit["weight"] = item.whole_number("weight")
        found.append({**unit, **item.rest()})
    return found


def read_answers(record: Record, ids: list[str]) -> dict[str, float]:
    """Read ``answers``: an object of 0 and 1 by content unit, or a list in the units' order."""
    answers = record.take("answers")
    if isinstance(answers, list):
        if len(answers) != len(ids):
            what = f"{len(answers)} answers for {len(ids)} content units"
            raise record.error(what, "give one for each")
        answers = dict(zip(ids, answers, strict=True))
    if not isinstance(answers, dict):
        raise record.error("`answers` is neither an object nor a list", 'write {"id": 1, ...}')
    for uid, answer in answers.items():
        if ids and uid not in ids:
            raise record.error(f"SCU {uid} is none of the topic's", f"there are: {', '.join(ids)}")
        if not isinstance(answer, int | float) or not 0 <= answer <= 1:
            raise record.error(f"SCU {uid}: the answer is {answer!r}", "write 1 or 0")
    return {uid: float(answer) for uid, answer in answers.items()}


#: The measures of answers for content units: what was settled, and what single people said.
ANSWERS = ("scu", "scu-answer")


def pyramid_fields(pyramid: Pyramid) -> dict[str, Any]:
    """Return a pyramid's fields: its references where they make up the text, else the text."""
    references = _references(pyramid)
    windows = reference_windows(pyramid) if references is not None else {}
    text = {"text": pyramid.text}
    fields: dict[str, Any] = text if references is None else {"references": references}
    if pyramid.start_document_regex:
        fields["start_document_regex"] = pyramid.start_document_regex
    whole = Window(pyramid.text, 0, len(pyramid.text))
    return {**fields, "scus": [_scu_fields(scu, whole, windows) for scu in pyramid.scus]}


def _references(pyramid: Pyramid) -> dict[str, str] | None:
    """Return the references' texts, if they alone give the pyramid's text again."""
    if pyramid.start_document_regex or not pyramid.references:
        return None
    windows = reference_windows(pyramid)
    texts = {name: pyramid.text[w.start : w.end] for name, w in windows.items()}
    same = joined_references(texts) == pyramid.text
    return texts if same and len(texts) == len(pyramid.references) else None


def _scu_fields(scu: SCU, whole: Window, windows: dict[str, Window]) -> dict[str, Any]:
    fields: dict[str, Any] = {"id": scu.uid, "label": scu.label}
    if scu.comment:
        fields["comment"] = scu.comment
    contributors = [written_contributor(one, whole, windows) for one in scu.contributors]
    return {**fields, "contributors": contributors}


def pyramid_lines(pyramids: Mapping[tuple[str, str, str], Pyramid]) -> Iterator[str]:
    """Write a line for each pyramid."""
    for (task, topic, version), pyramid in pyramids.items():
        about = [("topic", topic), ("task", task), ("version", version)]
        yield json_line(about, pyramid_fields(pyramid))


def list_lines(collection: Collection) -> Iterator[str]:
    """Write a line for each topic that has a list of content units."""
    for topic in collection.topics:
        if scus := topic.extra.get("scus"):
            units = [_listed(place, scu) for place, scu in enumerate(scus)]
            yield json_line([("topic", topic.id)], {"scus": units})


def _listed(place: int, scu: Mapping[str, Any]) -> dict[str, Any]:
    rest = {name: value for name, value in scu.items() if name not in ("id", "text", "label")}
    label = scu.get("text", scu.get("label", ""))
    return {"id": str(scu.get("id", place)), "label": label, **rest}


def peer_lines(collection: Collection) -> Iterator[str]:
    """Write a line for each annotated peer, with its pyramid where it is not the topic's."""
    versions = grouped((key[:2], (key[2], own)) for key, own in collection.named_pyramids.items())
    for (task, topic, *who), peer in collection.peer_annotations.items():
        names = ("topic", "task", "system", "assessor", "occasion")
        about = list(zip(names, (topic, task, *who), strict=True))
        own = [version for version, one in versions.get((task, topic), ()) if one == peer.pyramid]
        about += [("version", min(own, default="")), ("kind", collection.systems.get(who[0], ""))]
        whole = Window(peer.text, 0, len(peer.text))
        scus = [_scu_fields(scu, whole, {}) for scu in peer.scus]
        more = {} if own else {"pyramid": pyramid_fields(peer.pyramid)}
        yield json_line(about, {"text": peer.text, "scus": scus, **more})


def answer_lines(collection: Collection) -> Iterator[str]:
    """Write a line for the answers of each person about each summary."""
    columns = ("task", "topic", "system", "kind", "measure", "assessor", "unit")
    lines: dict[tuple[str, ...], dict[str, float]] = {}
    for measure in ANSWERS:
        rows = collection.scores.select(measure=measure, occasion="", run="")
        values = (int(v) if v in (0, 1) else v for v in rows.value.tolist())
        for *key, unit, value in zip(*(rows.columns[n] for n in columns), values, strict=True):
            if unit:
                lines.setdefault(tuple(key), {})[unit] = value
    for address, answers in lines.items():
        about = list(zip(columns[:-1], address, strict=True))
        yield json_line(about, {"answers": answers})


@dataclass
class _File:
    """What was read so far; lines about summaries wait until all pyramids are known."""

    pyramids: dict[tuple[str, str, str], Pyramid] = field(default_factory=dict)
    lists: dict[str, Topic] = field(default_factory=dict)
    peers: dict[tuple[str, ...], PeerAnnotation] = field(default_factory=dict)
    kinds: dict[str, Kind] = field(default_factory=dict)
    told: dict[tuple[str, str, str], Summary] = field(default_factory=dict)
    rows: ScoreRows = field(default_factory=ScoreRows)
    notes: list[str] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    unknown: Counter[str] = field(default_factory=Counter)

    def add_units(self, record: Record) -> None:
        """Take a line about a topic, or what a line of answers says of it."""
        task, topic = record.identifier("task", ""), record.identifier("topic")
        is_pyramid = "references" in record.data or "text" in record.data
        if is_pyramid and "system" not in record.data:
            key = (task, topic, record.identifier("version", ""))
            self._require_new(key in self.pyramids, record)
            self.pyramids[key] = pyramid_from_record(record)
            self._add_notes(record, self.pyramids[key].notes)
        else:
            listed = Topic(topic, extra={"scus": read_list(record)})
            if self.lists.setdefault(topic, listed) != listed:
                raise record.error(f"topic {topic} has other content units above", "keep one list")

    def add_peer(self, record: Record) -> None:
        """Take a line about an annotated peer."""
        task, topic = record.identifier("task", ""), record.identifier("topic")
        system = record.identifier("system")
        who = (record.identifier("assessor", ""), record.identifier("occasion", ""))
        key = (task, topic, system, *who)
        self._require_new(key in self.peers, record)
        version = record.identifier("version", "")
        peer = peer_from_record(record, self.pyramids.get((task, topic, version)))
        self.peers[key] = peer
        self.pyramids.setdefault((task, topic, ""), peer.pyramid)
        if "kind" in record.data:
            self.kinds[system] = cast("Kind", record.choice("kind", KINDS))
        self._add_notes(record, peer.notes)

    def add_answers(self, record: Record) -> None:
        """Take a line of somebody's answers about a summary."""
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
        size, values = len(answers), list(answers.values())
        self.rows.add(summary, [measure] * size, values, [assessor] * size, list(answers))

    def _ids(self, summary: Summary) -> list[str]:
        pyramid = self.pyramids.get((summary.task, summary.topic, ""))
        if pyramid is not None:
            return [scu.uid for scu in pyramid.scus]
        listed = self.lists.get(summary.topic)
        return [scu["id"] for scu in listed.extra["scus"]] if listed else []

    def _require_new(self, known: bool, record: Record) -> None:
        if known:
            hint = "keep one, or tell them apart by `assessor`, `occasion` or `version`"
            raise record.error("a line above has the same topic, task and system", hint)

    def _add_notes(self, record: Record, notes: tuple[str, ...]) -> None:
        add_notes(str(record.where), notes, self.notes, self.mended)

    def left_out(self) -> tuple[str, ...]:
        """Say what could not be helped, and count the fields that nobody asked for."""
        return (*self.notes, *(f"{n} fields `{name}`" for name, n in self.unknown.items()))

    def summaries(self) -> Iterator[Summary]:
        current, _ = by_version(self.pyramids)
        annotated = list(annotated_summaries(current, self.peers))
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
            (file.add_answers if "answers" in record.data else file.add_peer)(record)
        file.unknown.update(record.rest().keys())
    pyramids, versions = by_version(file.pyramids)
    return Collection(
        path.name.split(".")[0],
        topics=tuple(file.lists.values()),
        summaries=tuple(file.summaries()),
        scores=file.rows.scores(),
        pyramids=pyramids,
        peer_annotations=file.peers,
        versions=versions,
        left_out=file.left_out(),
        mended=tuple(file.mended),
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
    lines = [*pyramid_lines(collection.named_pyramids), *lists, *peers, *answers]
    if not lines:
        raise InputError("the collection has no content units", "choose another format")
    write_text(path, "".join(lines))
    inside = {s.key for s in annotated_summaries(collection.pyramids, collection.peer_annotations)}
    bare = (Topic(t.id, extra={"scus": t.extra.get("scus")}) for t in collection.topics)
    told = (collection.scores.select(measure=one, occasion="", run="") for one in ANSWERS)
    kept = sum(int(rows.columns["unit"].astype(bool).sum()) for rows in told)
    outside = sum(summary.key not in inside for summary in collection.summaries)
    return counted(
        **{
            "topics, except for their content units": sum(map(ne, collection.topics, bare)),
            "scores that are not answers": len(collection.scores) - kept,
            "summaries that are in no pyramid": outside,
        }
    )


FORMAT = Format(
    name="pyramids",
    title="pyramids, annotated peers and answers for content units, one JSON object a line",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=("pyramids.jsonl",),
)
