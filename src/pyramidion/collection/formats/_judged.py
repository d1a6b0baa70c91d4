"""Published judgments as JSONL: one judged summary a line, with its references and scores.

A line has ``dataset, topic, task, system, kind, role, summary, sentences, references, scores,
assessor_scores, scu_labels, scu_worker_answers``. A line without a system tells of a topic:
``topic, task, documents, references, scus``. The names of scores become measures (see
`judged_names`): ``human_fluency`` is ``fluency``, ``expert_coherence`` is ``expert-coherence``.
Where there is one human measure, ``judge_<model>`` is a language model's judgment of it.
"""

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from pyramidion.collection._collection import Collection
from pyramidion.collection._files import Record, read_records, writing
from pyramidion.collection._ids import grouped
from pyramidion.collection._summaries import KINDS, ROLES, Kind, Role, Summary, Topic, documents_of
from pyramidion.collection.formats._base import Format, counted, first_record
from pyramidion.collection.formats._judged_sets import (
    JudgedSet,
    judgment_name,
    measure_of,
    score_name,
    unit_names,
    unknown_fields,
)
from pyramidion.errors import InputError, Where

_FIELDS = {
    "dataset", "topic", "task", "system", "kind", "role", "summary", "sentences", "references",
    "scores", "assessor_scores", "scu_labels", "scu_worker_answers",
}  # fmt: skip
_UNIT_MEASURES = ("scu", "scu-answer")

Key = tuple[str, str, str]


class _Row(NamedTuple):
    measure: str
    assessor: str
    assessor_kind: str
    unit: str
    value: float


def write_judged(collection: Collection, path: Path, replace: bool = False) -> tuple[str, ...]:
    """Write a line for each peer, and say what has no place in one."""
    peers = [summary for summary in collection.summaries if summary.is_peer]
    if not peers:
        raise InputError("the collection has no peers", "choose another format")
    lost: Counter[str] = Counter()
    rows = _rows_of(collection, {summary.key for summary in peers}, lost)
    lines = [_line(collection, peer, rows.get(peer.key, []), lost) for peer in peers]
    _count_others(collection, lost)
    with writing(path) as stream:
        data = b"".join(lines)
        stream.write(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return counted(lost)


def _line(collection: Collection, peer: Summary, rows: list[_Row], lost: Counter[str]) -> bytes:
    others = [s for s in collection.references(peer.topic, peer.task) if s is not peer]
    foreign = peer.extra.keys() & _FIELDS - {"summary", "sentences", "dataset"}
    lost["fields with the name of another"] += len(foreign)
    fields = {
        "dataset": peer.extra.get("dataset", collection.name),
        "topic": peer.topic,
        "task": peer.task,
        "system": peer.system,
        "kind": peer.kind,
        "role": peer.role,
        **_texts(peer),
        "references": [reference.plain for reference in others],
        **_scores([row for row in rows if not row.unit], lost),
        **_marks([row for row in rows if row.unit], lost),
        **{name: value for name, value in peer.extra.items() if name not in _FIELDS},
    }
    return _as_json({name: value for name, value in fields.items() if name != "task" or value})


def _as_json(fields: dict[str, Any]) -> bytes:
    try:
        return (json.dumps(fields, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        # Half a character, as a careless cut leaves behind, can only be written by its number.
        return (json.dumps(fields) + "\n").encode()


def _texts(peer: Summary) -> dict[str, Any]:
    """Write a text as it was read: in one, or divided into sentences, or both."""
    if isinstance(peer.text, str):
        kept = peer.extra.get("sentences")
        return {"summary": peer.text} | ({"sentences": kept} if kept else {})
    written = peer.extra.get("summary", peer.plain)
    return {"summary": written, "sentences": list(peer.text)}


def _rows_of(collection: Collection, peers: set[Key], lost: Counter[str]) -> dict[Key, list[_Row]]:
    """Gather each peer's rows; those that cannot stand in its line are counted."""
    columns = collection.scores.columns
    rows: dict[Key, list[_Row]] = {}
    keys = zip(columns["task"], columns["topic"], columns["system"], strict=True)
    own = (columns[name] for name in ("measure", "assessor", "assessor_kind", "unit"))
    told = zip(*own, collection.scores.value.tolist(), strict=True)
    marks = [columns[name].astype(bool) for name in ("collection", "occasion", "run")]
    apart = np.any(marks, axis=0)
    for key, row, is_apart in zip(keys, told, apart.tolist(), strict=True):
        if is_apart:
            lost["scores of an occasion, a run or another collection"] += 1
        elif key not in peers:
            lost["scores of summaries that are not there"] += 1
        else:
            rows.setdefault(key, []).append(_Row(*row))
    lost["times of judgments"] += int((columns["time"].astype(bool) & ~apart).sum())
    return rows


def _scores(rows: list[_Row], lost: Counter[str]) -> dict[str, Any]:
    """Write single judgments with their means, and the scores nobody is named for."""
    judgments = [row for row in rows if row.assessor]
    judged = grouped((row.measure, row.value) for row in judgments if row.assessor_kind != "model")
    scores = {score_name(m, human=True): sum(own) / len(own) for m, own in judged.items()}
    for row in rows:
        lost["underscores in names of measures, written as dashes"] += "_" in row.measure
        if not row.assessor and row.measure in judged:
            lost["scores of a measure that also has single judgments"] += 1
        elif not row.assessor:
            scores[score_name(row.measure)] = row.value
    entries = [
        {"assessor": r.assessor, "name": judgment_name(r.measure, r.assessor), "value": r.value}
        | ({"kind": r.assessor_kind} if r.assessor_kind else {})
        for r in judgments
    ]
    known = {name: value for name, value in scores.items() if math.isfinite(value)}
    return {"scores": known, "assessor_scores": entries}


def _marks(rows: list[_Row], lost: Counter[str]) -> dict[str, Any]:
    """Write marks of SCUs where there is one for each SCU and worker."""
    marks: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.measure in _UNIT_MEASURES and bool(row.assessor) == (row.measure == "scu-answer"):
            marks.setdefault(row.assessor, {})[row.unit] = row.value
    workers = [name for name in marks if name]
    lists = {name: _in_order(given) for name, given in marks.items()}
    sizes = {len(given) for given in lists.values() if given}
    whole = len(sizes) == 1 and None not in lists.values()
    whole &= sorted(workers) == sorted(f"worker{n}" for n in range(1, len(workers) + 1))
    if not whole or sum(map(len, marks.values())) != len(rows):
        lost["judgments of units"] += len(rows)
        return {}
    answers = [lists[f"worker{n}"] for n in range(1, len(workers) + 1)]
    fields = {"scu_labels": lists.get("", []), "scu_worker_answers": answers}
    return {name: value for name, value in fields.items() if value}


def _in_order(given: dict[str, float]) -> list[int] | None:
    """Return marks 0 or 1 in the order of their units; `None` if they are something else."""
    units = unit_names(len(given))
    if given.keys() != set(units) or not set(given.values()) <= {0.0, 1.0}:
        return None
    return [int(given[unit]) for unit in units]


def _count_others(collection: Collection, lost: Counter[str]) -> None:
    """Count what a line about a peer says nothing of."""
    covered = {(s.task, s.topic) for s in collection.summaries if s.is_peer}
    topics = {topic for _, topic in covered}
    _count_references([s for s in collection.summaries if s.role == "reference"], covered, lost)
    lost["annotations of aspects"] += sum(len(s.aspects) for s in collection.summaries)
    lost["topics without peers"] += sum(topic.id not in topics for topic in collection.topics)
    lost["documents"] += sum(len(topic.documents) for topic in collection.topics)
    bare = [replace(topic, documents=()) for topic in collection.topics]
    lost["descriptions of topics"] += sum(topic != Topic(topic.id) for topic in bare)
    for name in ("tasks", "scales", "categories", "pyramids"):
        lost[name] += len(getattr(collection, name))
    lost["declared measures"] += len(collection.measures)
    lost["annotated peers"] += len(collection.peer_annotations)
    lost["remarks on the collection"] += bool(collection.description) + bool(collection.notice)


def _count_references(
    references: list[Summary], covered: set[tuple[str, str]], lost: Counter[str]
) -> None:
    numbers: Counter[tuple[str, str]] = Counter()
    for reference in references:
        address = (reference.task, reference.topic)
        numbers[address] += 1
        lost["references of topics without peers"] += address not in covered
        lost["names of references"] += reference.system != f"ref{numbers[address]}"
        lost["references by machines, which will be people's"] += reference.kind == "machine"
        lost["divisions of references into sentences"] += not isinstance(reference.text, str)
        lost["fields of references"] += len(reference.extra)


# An id that says in which row of the published table an answer stands.
_WORKER_ROW = re.compile(r"worker_row([0-9]+)")


def read_judged(path: str | Path) -> Collection:
    """Read judged summaries, and the SCUs and topics that lie in files beside them.

    Where ``x.jsonl`` has companions ``x_scus.jsonl`` and ``x_topics.jsonl``, these are read
    too; the collection's description says so.
    """
    path = Path(path)
    judged = JudgedSet("")
    _read_file(path, judged)
    for companion, what in _companions(path):
        _read_file(companion, judged)
        judged.notes.append(f"{what} are from {companion.name}.")
    judged.name = judged.name or path.name.split(".")[0]
    return judged.collection()


def _companions(path: Path) -> Iterator[tuple[Path, str]]:
    """Find the files that belong to this one: ``realsumm_scus.jsonl.gz`` beside ``realsumm``."""
    stem = path.name.split(".jsonl")[0]
    if stem == path.name or stem.endswith(("_scus", "_topics")):
        return
    for ending, what in (("_scus", "SCUs"), ("_topics", "Documents")):
        files = (path.with_name(f"{stem}{ending}{suffix}") for suffix in (".jsonl.gz", ".jsonl"))
        if file := next(filter(Path.is_file, files), None):
            yield file, what


def _read_file(path: Path, judged: JudgedSet) -> None:
    for record in read_records(path):
        dataset = record.text("dataset", "")
        judged.name = judged.name or dataset
        extra = {"dataset": dataset} if dataset not in ("", judged.name) else {}
        if "system" in record.data or "summary" in record.data:
            _read_peer(record, extra, judged)
        else:
            _read_topic(record, extra, judged)


def _read_peer(record: Record, extra: dict[str, Any], judged: JudgedSet) -> None:
    written, text, kept = _read_text(record, judged)
    role = record.choice("role", (*ROLES, "model"), "")
    kind = record.choice("kind", KINDS, "human" if role in ("reference", "model") else "machine")
    references = record.passages("references")
    scores = _object(record, "scores")
    judgments = list(record.records("assessor_scores"))
    labels = _read_marks(record, "scu_labels", record.take("scu_labels") or [])
    answers = _answers(record)
    summary = Summary(
        topic=record.identifier("topic"),
        system=record.identifier("system"),
        text=text,
        task=record.identifier("task", ""),
        kind=cast("Kind", kind),
        # NIST's word for a person's summary that serves as a reference and is scored itself.
        role=cast("Role", "both" if role == "model" else role),
        extra={**extra, **kept, **unknown_fields(record, judged)},
    )
    judged.add_peer(summary, references, record.where, text=written, role_is_given=bool(role))
    means = _read_judgments(summary, judgments, judged)
    _read_scores(summary, scores, means, judged)
    _read_units(summary, record.where, [labels, *answers], judged)


def _read_text(
    record: Record, judged: JudgedSet
) -> tuple[str, str | tuple[str, ...], dict[str, Any]]:
    """Take a summary's text: as it is written, as it is kept, and what goes beside it."""
    written = record.take("summary")
    if written != "":
        written = record.text("summary")
    sentences = record.texts("sentences")
    if not sentences:
        return written, written, {}
    if " ".join(sentences) == written:
        return written, sentences, {}
    if " ".join(sentences).split() == written.split():
        return written, sentences, {"summary": written}
    judged.left_out["divisions into sentences that are not the summary's words, kept aside"] += 1
    return written, written, {"sentences": list(sentences)}


def _object(record: Record, name: str) -> Record:
    value = record.take(name)
    if not isinstance(value, dict | None):
        raise record.error(f"`{name}` is not an object", 'write {"name": value, ...}')
    where = record.where
    return Record(value or {}, Where(where.path, where.line, name))


def _read_judgments(
    summary: Summary, judgments: list[Record], judged: JudgedSet
) -> dict[str, float]:
    """Take over what single assessors said; give the mean of each measure."""
    assessors = [_WORKER_ROW.sub(r"worker\1", one.identifier("assessor")) for one in judgments]
    names = [record.text("name") for record in judgments]
    values = [record.number("value") for record in judgments]
    kinds = [record.choice("kind", ("", "person", "model"), "") for record in judgments]
    measures = [measure_of(*pair) for pair in zip(names, assessors, strict=True)]
    judged.rows.add(summary, measures, values, assessors, assessor_kinds=kinds)
    for record in judgments:
        for name in record.rest():
            judged.left_out[f"fields `{name}` of judgments"] += 1
    told = zip(measures, values, kinds, strict=True)
    groups = grouped((measure, value) for measure, value, kind in told if kind != "model")
    return {measure: sum(group) / len(group) for measure, group in groups.items()}


def _read_scores(
    summary: Summary, scores: Record, means: Mapping[str, float], judged: JudgedSet
) -> None:
    """Take over scores, but for means of judgments that are there one by one."""
    found: dict[str, float] = {}
    judges: dict[str, float] = {}
    human = [measure_of(name) for name in scores.data if name.startswith("human_")]
    for name, value in scores.data.items():
        if name.startswith("judge_") and len(human) == 1 and value is not None:
            judges[name.removeprefix("judge_")] = scores.number(name)
            continue
        measure = measure_of(name)
        if value is None:
            judged.left_out["scores without a value"] += 1
        elif measure not in means:
            found[_fresh(measure, found, scores)] = scores.number(name)
        elif math.isclose(scores.number(name), means[measure], rel_tol=1e-9, abs_tol=1e-6):
            judged.left_out["means of judgments that are there one by one"] += 1
        else:
            found[_fresh(f"published-{measure}", found, scores)] = scores.number(name)
    judged.rows.add(summary, list(found), list(found.values()))
    many = len(judges)
    judged.rows.add(
        summary, human * many, list(judges.values()), list(judges), assessor_kinds=["model"] * many
    )


def _fresh(measure: str, found: Mapping[str, float], scores: Record) -> str:
    if not measure.strip("-"):
        raise scores.error("a score has no name", "give it one")
    if measure in found:
        raise scores.error(f"two names stand for measure {measure}", "rename one")
    return measure


def _answers(record: Record) -> list[list[float]]:
    """Take the workers' answers, a list of marks for each worker."""
    name, hint = "scu_worker_answers", "write a list of marks for each worker"
    lists = record.take(name) or []
    if not isinstance(lists, list):
        raise record.error(f"`{name}` is not a list", hint)
    return [_read_marks(record, name, marks) for marks in lists]


def _read_marks(record: Record, name: str, marks: Any) -> list[float]:
    if not isinstance(marks, list) or any(mark not in (0, 1) for mark in marks):
        raise record.error(f"`{name}` is not a list of 0 and 1", "write a mark for each SCU")
    return marks


def _read_units(
    summary: Summary, where: Where, marks: list[list[float]], judged: JudgedSet
) -> None:
    """Take over the labels of SCUs (first) and the single workers' answers."""
    for worker, given in enumerate(marks):
        if given:
            judged.expect_units(summary.task, summary.topic, len(given), where)
            measure, assessor = ("scu-answer", f"worker{worker}") if worker else ("scu", "")
            size = len(given)
            judged.rows.add(summary, [measure] * size, given, [assessor] * size, unit_names(size))


def _read_topic(record: Record, extra: dict[str, Any], judged: JudgedSet) -> None:
    if not {"documents", "references", "scus"} & record.data.keys():
        raise record.error("`system` is missing", "a line holds a judged summary or a topic")
    topic = record.identifier("topic")
    task = record.identifier("task", "") or None
    judged.add_references(task, topic, record.passages("references"), record.where)
    if scus := _scus(record):
        judged.expect_units(task, topic, len(scus), record.where)
        extra = {**extra, "scus": scus}
    told = Topic.from_record(record, topic, documents_of(record))
    judged.add_topic(replace(told, extra={**extra, **unknown_fields(record, judged)}))


def _scus(record: Record) -> list[dict[str, Any]]:
    scus = list(record.records("scus"))
    for scu in scus:
        scu.text("text")
    return [dict(scu.data) for scu in scus]


_OWN = {"dataset", "references", "scores", "assessor_scores", "scu_labels", "sentences"}


def _matches(path: Path) -> bool:
    keys = first_record(path).keys()
    if {"topic", "documents"} <= keys or {"topic", "scus"} <= keys:
        return True
    # Any other table may call its columns so; with a column `reference` or `relevance` it is one.
    own = keys <= {"topic", "task", "system", "kind", "summary"} or bool(keys & _OWN)
    return {"topic", "system", "summary"} <= keys and own


FORMAT = Format(
    name="judged",
    title="judged summaries, one a line with references, scores and single judgments (JSONL)",
    matches=_matches,
    read=read_judged,
    write=write_judged,
    suffixes=("judged.jsonl", "judged.jsonl.gz"),
)
