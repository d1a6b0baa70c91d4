"""Pyramids, annotated peers and answers about content units as JSONL.

::

    {"topic": "T1", "task": "A", "references": {"B": "Ice melts."},
     "scus": [{"id": "1", "label": "Ice melts",
               "contributors": [{"reference": "B", "parts": ["Ice", "melts"]}]}]}
    {"topic": "T1", "task": "A", "system": "7", "text": "The ice melts.",
     "scus": [{"id": "1", "contributors": [{"parts": ["ice melts"]}]}]}
    {"topic": "T2", "scus": [{"id": "a", "label": "Ice melts", "weight": 2}]}
    {"topic": "T2", "system": "7", "assessor": "worker1", "answers": {"a": 1}}

A part is a quotation, found at its first occurrence, or ``{"start": 0, "end": 3}``: offsets into
the named reference, else into the peer's text or the text of all references.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import ne
from pathlib import Path
from typing import Any, cast

from pyramidion.collection._collection import Collection
from pyramidion.collection.formats.base import Format, ScoreRows, first_record, nonzero_counts
from pyramidion.collection.formats.ducview.files import AnnotatedText
from pyramidion.collection.formats.ducview.format import (
    add_notes,
    annotated_summaries,
    split_versions,
)
from pyramidion.collection.ids import grouped
from pyramidion.collection.pyramids import (
    SCU,
    Contributor,
    Part,
    PeerAnnotation,
    Pyramid,
    joined_references,
    unannotated_entries,
)
from pyramidion.collection.summaries import KINDS, Kind, Summary, Topic
from pyramidion.errors import InputError
from pyramidion.files.reading import Record, json_line, read_records
from pyramidion.files.writing import write_text


@dataclass(frozen=True, slots=True)
class Window:
    """A span of a text to which quotations and offsets of parts refer."""

    text: str
    start: int
    end: int
    name: str = ""

    @classmethod
    def whole(cls, text: str) -> "Window":
        return cls(text, 0, len(text))

    def write_part(self, part: Part) -> str | dict[str, Any]:
        """Write a part as a quotation if that is unambiguous, otherwise with offsets."""
        span = self.text[part.start : part.end] if 0 <= part.start <= part.end else None
        is_verbatim = span == part.label and span != ""
        if is_verbatim and self.text.find(part.label, self.start, self.end) == part.start:
            return part.label
        offsets: dict[str, Any] = {"start": part.start - self.start, "end": part.end - self.start}
        return offsets if span == part.label else {**offsets, "label": part.label}

    def holds(self, contributor: Contributor) -> bool:
        """Return whether all parts of a contributor are in the span."""
        spans = [(part.start, part.end) for part in contributor.parts]
        return bool(spans) and all(self.start <= start <= end <= self.end for start, end in spans)


def reference_windows(pyramid: Pyramid) -> dict[str, Window]:
    """Return the text of each reference, as `joined_references` wrote it under its header."""
    windows = {}
    for reference in pyramid.references:
        # An empty line follows each reference but the last.
        end = reference.end - (1 if reference in pyramid.references[-1:] else 2)
        name = reference.name
        windows[name] = Window(pyramid.text, reference.start + 1, end, name)
    return windows


def read_contributor(
    record: Record, default_window: Window, windows: dict[str, Window], uid: str, notes: list[str]
) -> Contributor:
    """Read a contributor, and note what was repaired."""
    name = record.text("reference", "")
    if name and name not in windows:
        hint = f"available: {', '.join(windows) or 'none'}"
        raise record.error(f"SCU {uid}: there is no reference {name!r}", hint)
    items = record.take("parts") or []
    if not isinstance(items, list):
        raise record.error(f"SCU {uid}: `parts` is not a list", "write a list of quotations")
    window = windows[name] if name else default_window
    text = AnnotatedText(window.text)
    parts = []
    for item in items:
        part, note = _read_part(record, window, uid, item), None
        if isinstance(item, dict):
            part, note = text.locate(part, uid)
        parts.append(part)
        notes.extend([note] if note else [])
    contributor = Contributor(tuple(parts), record.text("label", ""), record.text("comment", ""))
    notes.extend(f"SCU {uid}: `{name}` of a contributor is not kept" for name in record.rest())
    return contributor


def _read_part(record: Record, window: Window, uid: str, item: Any) -> Part:
    """Read a part: a quotation, or offsets that may be wrong."""
    if isinstance(item, str):
        begin = window.text.find(item, window.start, window.end)
        if begin < 0 or not item:
            text_name = f"reference {window.name}" if window.name else "the text"
            raise record.error(f"SCU {uid}: {item!r} is not in {text_name}", "quote it verbatim")
        return Part(begin, begin + len(item), item)
    if not isinstance(item, dict):
        hint = 'write a quotation, or {"start": 0, "end": 3}'
        raise record.error(f"SCU {uid}: a part is {item!r}", hint)
    for name in ("start", "end"):
        value = item.get(name)
        if isinstance(value, bool) or not isinstance(value, int):
            message = f"SCU {uid}: `{name}` of a part is {value!r}"
            raise record.error(message, "write the offset of a character")
    start, end = item["start"] + window.start, item["end"] + window.start
    label = item.get("label", window.text[max(start, 0) : max(end, 0)])
    if not isinstance(label, str):
        raise record.error(f"SCU {uid}: the label of a part is {label!r}", "write it as text")
    return Part(start, end, label)


def contributor_fields(
    contributor: Contributor, default_window: Window, windows: dict[str, Window]
) -> dict[str, Any]:
    """Write a contributor, with the name of the reference that has all its parts."""
    window = next((w for w in windows.values() if w.holds(contributor)), default_window)
    fields: dict[str, Any] = {"reference": window.name} if window.name else {}
    fields["parts"] = [window.write_part(part) for part in contributor.parts]
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
        texts = references.values() if isinstance(references, dict) else [None]
        if not all(isinstance(text, str) for text in texts):
            message = "`references` is not an object of texts"
            raise record.error(message, 'write {"name": "text", ...}')
        pyramid = record.convert(lambda _: Pyramid.from_references(references, ()))
        windows = reference_windows(pyramid)
    notes: list[str] = []
    scus = _read_scus(record, Window.whole(pyramid.text), windows, notes)
    return replace(pyramid, scus=scus, notes=tuple(notes))


def _read_scus(
    record: Record, default_window: Window, windows: dict[str, Window], notes: list[str]
) -> tuple[SCU, ...]:
    scus = []
    for item in record.records("scus"):
        uid = item.identifier("id", "" if item.data.get("id") == "" else None)
        contributor_records = item.records("contributors")
        contributors = tuple(
            read_contributor(r, default_window, windows, uid, notes) for r in contributor_records
        )
        scus.append(SCU(uid, item.text("label", ""), contributors, item.text("comment", "")))
        notes.extend(f"SCU {uid}: `{name}` is not kept" for name in item.rest())
    return tuple(scus)


def peer_from_record(record: Record, pyramid: Pyramid | None) -> PeerAnnotation:
    """Read an annotated peer: ``text`` and ``scus``, and its own ``pyramid`` if it has one.

    If a unit has no ``label``, labels and missing units are added from the pyramid.
    """
    notes: list[str] = []
    if record.data.get("pyramid") is not None:
        pyramid = pyramid_from_record(record.inner("pyramid", "write {...}"))
        notes += pyramid.notes
    if pyramid is None:
        raise record.error("its topic has no pyramid", "add a line with its references and scus")
    text = record.text("text", "")
    scus = _read_scus(record, Window.whole(text), {}, notes)
    if any("label" not in item for item in record.data.get("scus") or ()):
        scus = tuple(_complete_units(scus, pyramid))
    return PeerAnnotation(pyramid, text, scus, tuple(notes))


def _complete_units(expressed_units: tuple[SCU, ...], pyramid: Pyramid) -> Iterator[SCU]:
    """Return an entry for each unit of the pyramid, then units that are not in it."""
    entries: dict[str, SCU] = {}
    for entry in unannotated_entries(pyramid.scus, pyramid.weights.tolist()):
        entries.setdefault(entry.uid, entry)
    for uid, entry in entries.items():
        matches = [scu for scu in expressed_units if scu.uid == uid]
        yield from (replace(scu, label=scu.label or entry.label) for scu in matches or [entry])
    yield from (scu for scu in expressed_units if scu.uid not in entries)


def read_list(record: Record) -> list[dict[str, Any]]:
    """Read a list of content units without references: ``id``, ``label``, ``weight``."""
    units = []
    for item in record.records("scus"):
        unit: dict[str, Any] = {"id": item.identifier("id"), "text": item.text("label", "")}
        if "weight" in item.data:
            unit["weight"] = item.whole_number("weight")
        units.append({**unit, **item.rest()})
    return units


def read_answers(record: Record, ids: list[str]) -> dict[str, float]:
    """Read ``answers``: an object of 0 and 1 by content unit, or a list in their order."""
    answers = record.take("answers")
    if isinstance(answers, list):
        if len(answers) != len(ids):
            message = f"{len(answers)} answers for {len(ids)} content units"
            raise record.error(message, "give one for each")
        answers = dict(zip(ids, answers, strict=True))
    if not isinstance(answers, dict):
        raise record.error("`answers` is neither an object nor a list", 'write {"id": 1, ...}')
    for uid, answer in answers.items():
        if ids and uid not in ids:
            raise record.error(f"the topic has no SCU {uid}", f"available: {', '.join(ids)}")
        if not isinstance(answer, int | float) or not 0 <= answer <= 1:
            raise record.error(f"SCU {uid}: the answer is {answer!r}", "write 1 or 0")
    return {uid: float(answer) for uid, answer in answers.items()}


#: The measures of answers about content units: consolidated ones, and those of single people.
ANSWER_MEASURES = ("scu", "scu-answer")


def pyramid_fields(pyramid: Pyramid) -> dict[str, Any]:
    """Return a pyramid's fields: its references if they make up the text, otherwise the text."""
    windows = {} if pyramid.start_document_regex else reference_windows(pyramid)
    texts = {name: pyramid.text[w.start : w.end] for name, w in windows.items()}
    fields: dict[str, Any] = {"references": texts}
    is_same = texts and joined_references(texts) == pyramid.text
    if not is_same or len(texts) != len(pyramid.references):
        windows, fields = {}, {"text": pyramid.text}
    if pyramid.start_document_regex:
        fields["start_document_regex"] = pyramid.start_document_regex
    return {**fields, "scus": _scu_fields(pyramid.scus, Window.whole(pyramid.text), windows)}


def _scu_fields(
    scus: Iterable[SCU], default_window: Window, windows: dict[str, Window]
) -> list[dict[str, Any]]:
    units = []
    for scu in scus:
        fields: dict[str, Any] = {"id": scu.uid, "label": scu.label}
        if scu.comment:
            fields["comment"] = scu.comment
        contributors = [contributor_fields(c, default_window, windows) for c in scu.contributors]
        units.append({**fields, "contributors": contributors})
    return units


def pyramid_lines(pyramids: Mapping[tuple[str, str, str], Pyramid]) -> Iterator[str]:
    """Write a line for each pyramid."""
    for (task, topic, version), pyramid in pyramids.items():
        address = [("topic", topic), ("task", task), ("version", version)]
        yield json_line(address, pyramid_fields(pyramid))


def list_lines(collection: Collection) -> Iterator[str]:
    """Write a line for each topic that has a list of content units."""
    for topic in collection.topics:
        units = []
        for index, scu in enumerate(topic.extra.get("scus") or ()):
            extra = {name: scu[name] for name in scu if name not in ("id", "text", "label")}
            label = scu.get("text", scu.get("label", ""))
            units.append({"id": str(scu.get("id", index)), "label": label, **extra})
        if units:
            yield json_line([("topic", topic.id)], {"scus": units})


def peer_lines(collection: Collection) -> Iterator[str]:
    """Write a line for each annotated peer, with its pyramid if it is not the topic's."""
    pyramids = collection.named_pyramids
    versions = grouped((key[:2], (key[2], pyramid)) for key, pyramid in pyramids.items())
    for (task, topic, *annotation_key), peer in collection.peer_annotations.items():
        names = ("topic", "task", "system", "assessor", "occasion")
        address = list(zip(names, (topic, task, *annotation_key), strict=True))
        topic_versions = versions.get((task, topic), ())
        matching_versions = [
            version for version, pyramid in topic_versions if pyramid == peer.pyramid
        ]
        address.append(("version", min(matching_versions, default="")))
        address.append(("kind", collection.systems.get(annotation_key[0], "")))
        scus = _scu_fields(peer.scus, Window.whole(peer.text), {})
        pyramid_field = {} if matching_versions else {"pyramid": pyramid_fields(peer.pyramid)}
        yield json_line(address, {"text": peer.text, "scus": scus, **pyramid_field})


def answer_lines(collection: Collection) -> Iterator[str]:
    """Write a line for each person's answers about a summary."""
    columns = ("task", "topic", "system", "kind", "measure", "assessor", "unit")
    answers_by_address: dict[tuple[str, ...], dict[str, float]] = {}
    for measure in ANSWER_MEASURES:
        rows = collection.scores.select(measure=measure, occasion="", run="")
        values = (int(v) if v in (0, 1) else v for v in rows.value.tolist())
        for *key, unit, value in zip(*(rows.columns[n] for n in columns), values, strict=True):
            if unit:
                answers_by_address.setdefault(tuple(key), {})[unit] = value
    for address, answers in answers_by_address.items():
        address_fields = list(zip(columns[:-1], address, strict=True))
        yield json_line(address_fields, {"answers": answers})


class _FileContents:
    """The content of a file; lines about summaries are read after all pyramids."""

    def __init__(self) -> None:
        self.pyramids: dict[tuple[str, str, str], Pyramid] = {}
        self.lists: dict[str, list[dict[str, Any]]] = {}
        self.peers: dict[tuple[str, ...], PeerAnnotation] = {}
        self.kinds: dict[str, Kind] = {}
        self.summaries: dict[tuple[str, str, str], Summary] = {}
        self.rows = ScoreRows()
        self.left_out: list[str] = []
        self.repaired: list[str] = []

    def add_units(self, record: Record) -> None:
        """Read a line about a topic, or the units in a line of answers."""
        task, topic = record.identifier("task", ""), record.identifier("topic")
        is_pyramid = "references" in record.data or "text" in record.data
        if is_pyramid and "system" not in record.data:
            key = (task, topic, record.identifier("version", ""))
            self._require_new(key in self.pyramids, record)
            self.pyramids[key] = pyramid_from_record(record)
            add_notes(str(record.where), self.pyramids[key].notes, self.left_out, self.repaired)
        else:
            units = read_list(record)
            if self.lists.setdefault(topic, units) != units:
                raise record.error(
                    f"topic {topic} has different content units above", "keep one list"
                )

    def add_peer(self, record: Record) -> None:
        """Read a line about an annotated peer."""
        task, topic = record.identifier("task", ""), record.identifier("topic")
        system = record.identifier("system")
        annotator = (record.identifier("assessor", ""), record.identifier("occasion", ""))
        key = (task, topic, system, *annotator)
        self._require_new(key in self.peers, record)
        version = record.identifier("version", "")
        peer = peer_from_record(record, self.pyramids.get((task, topic, version)))
        self.peers[key] = peer
        self.pyramids.setdefault((task, topic, ""), peer.pyramid)
        if "kind" in record.data:
            self.kinds[system] = cast("Kind", record.choice("kind", KINDS))
        add_notes(str(record.where), peer.notes, self.left_out, self.repaired)

    def add_answers(self, record: Record) -> None:
        """Read a line of answers about a summary."""
        summary = Summary(
            topic=record.identifier("topic"),
            system=record.identifier("system"),
            text=record.text("text", ""),
            task=record.identifier("task", ""),
            kind=cast("Kind", record.choice("kind", KINDS, "machine")),
            role="peer",
        )
        if summary.text and self.summaries.setdefault(summary.key, summary) != summary:
            raise record.error(f"{summary.name} has a different text above", "keep one")
        pyramid = self.pyramids.get((summary.task, summary.topic, ""))
        unit_ids = [unit["id"] for unit in self.lists.get(summary.topic, ())]
        answers = read_answers(record, [s.uid for s in pyramid.scus] if pyramid else unit_ids)
        assessor = record.identifier("assessor", "")
        measure = record.choice("measure", ANSWER_MEASURES, "scu-answer" if assessor else "scu")
        n_answers, values = len(answers), list(answers.values())
        self.rows.add(summary, [measure] * n_answers, values, [assessor] * n_answers, list(answers))

    def _require_new(self, is_duplicate: bool, record: Record) -> None:
        if is_duplicate:
            hint = "keep one, or distinguish them by `assessor`, `occasion` or `version`"
            raise record.error("a line above has the same topic, task and system", hint)

    def collection(self, name: str) -> Collection:
        """Return everything as a collection."""
        pyramids, versions = split_versions(self.pyramids)
        pyramid_summaries = [
            replace(summary, kind=self.kinds.get(summary.system, summary.kind))
            for summary in annotated_summaries(pyramids, self.peers)
        ]
        annotated_keys = {summary.key for summary in pyramid_summaries}
        unannotated_summaries = (
            summary for key, summary in self.summaries.items() if key not in annotated_keys
        )
        return Collection(
            name,
            topics=tuple(Topic(id, extra={"scus": units}) for id, units in self.lists.items()),
            summaries=(*pyramid_summaries, *unannotated_summaries),
            scores=self.rows.scores(),
            pyramids=pyramids,
            peer_annotations=self.peers,
            versions=versions,
            left_out=tuple(self.left_out),
            repaired=tuple(self.repaired),
        )


def _read(path: Path) -> Collection:
    file = _FileContents()
    unknown_fields: Counter[str] = Counter()
    records = list(read_records(path))
    for record in records:
        if "system" not in record.data or {"answers", "scus"} <= record.data.keys():
            file.add_units(record)
    for record in records:
        if "system" in record.data:
            (file.add_answers if "answers" in record.data else file.add_peer)(record)
        unknown_fields.update(record.rest().keys())
    file.left_out += [f"{count} fields `{name}`" for name, count in unknown_fields.items()]
    return file.collection(path.name.split(".")[0])


def _matches(path: Path) -> bool:
    record = first_record(path)
    if "topic" not in record or "summary" in record:
        return False
    scus = record.get("scus")
    first_unit = scus[0] if isinstance(scus, list) and scus else {}
    # Lists whose units have a `text` are published judgments.
    has_labels = isinstance(first_unit, dict) and "label" in first_unit
    has_text = isinstance(record.get("references"), dict) or "text" in record
    return "answers" in record or has_labels or (has_text and isinstance(scus, list))


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    lines = [
        *pyramid_lines(collection.named_pyramids),
        *list_lines(collection),
        *peer_lines(collection),
        *answer_lines(collection),
    ]
    if not lines:
        raise InputError("the collection has no content units", "choose another format")
    write_text(path, "".join(lines))
    annotated_keys = {
        s.key for s in annotated_summaries(collection.pyramids, collection.peer_annotations)
    }
    unit_topics = (Topic(t.id, extra={"scus": t.extra.get("scus")}) for t in collection.topics)
    answers = (
        collection.scores.select(measure=name, occasion="", run="") for name in ANSWER_MEASURES
    )
    n_answers = sum(int(rows.columns["unit"].astype(bool).sum()) for rows in answers)
    n_unannotated = sum(summary.key not in annotated_keys for summary in collection.summaries)
    return nonzero_counts(
        {
            "topics, except for their content units": sum(map(ne, collection.topics, unit_topics)),
            "scores that are not answers": len(collection.scores) - n_answers,
            "summaries that are in no pyramid": n_unannotated,
        }
    )


FORMAT = Format(
    name="pyramids",
    title="pyramids, annotated peers and answers for content units, one JSON object per line",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=("pyramids.jsonl",),
)
