"""Published judgments as JSONL: one summary per line, with its references and scores.

A line has ``dataset, topic, task, system, kind, role, summary, sentences, references, documents,
scores, assessor_scores, scu_labels, scu_worker_answers``. A line without a system describes a
topic: ``topic, task, documents, references, scus``. The names of scores become measures (see
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

from pyramidion.collection import Collection
from pyramidion.collection.formats.base import nonzero_counts, part_sizes
from pyramidion.collection.ids import grouped
from pyramidion.collection.summaries import KINDS, ROLES, Kind, Role, Summary, Topic, documents_of
from pyramidion.datasets._sets import (
    JudgedSet,
    judgment_name,
    measure_of,
    read_marks,
    score_name,
    unit_names,
    unknown_fields,
)
from pyramidion.errors import InputError
from pyramidion.files.reading import Record, read_records
from pyramidion.files.writing import writing

_KNOWN_FIELDS = {
    "dataset", "topic", "task", "system", "kind", "role", "summary", "sentences", "references",
    "scores", "assessor_scores", "scu_labels", "scu_worker_answers",
}  # fmt: skip
_MARK_HINT = "write a mark for each SCU"
_UNIT_MEASURES = ("scu", "scu-answer")

Key = tuple[str, str, str]


class _Row(NamedTuple):
    measure: str
    assessor: str
    assessor_kind: str
    unit: str
    value: float


def write_judged(collection: Collection, path: Path, replace: bool = False) -> tuple[str, ...]:
    """Write a line for each peer, and count what a line cannot store."""
    peers = [summary for summary in collection.summaries if summary.is_peer]
    if not peers:
        raise InputError("the collection has no peers", "choose another format")
    omitted_counts: Counter[str] = Counter()
    rows = _rows_of(collection, {summary.key for summary in peers}, omitted_counts)
    lines = [_peer_line(collection, peer, rows.get(peer.key, []), omitted_counts) for peer in peers]
    _count_omissions(collection, omitted_counts)
    with writing(path) as stream:
        data = b"".join(lines)
        stream.write(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return nonzero_counts(omitted_counts)


def _peer_line(
    collection: Collection, peer: Summary, rows: list[_Row], omitted_counts: Counter[str]
) -> bytes:
    references = [
        summary for summary in collection.references(peer.topic, peer.task) if summary is not peer
    ]
    reserved_fields = peer.extra.keys() & _KNOWN_FIELDS - {"summary", "sentences", "dataset"}
    omitted_counts["fields with the name of another"] += len(reserved_fields)
    # A text is written in the form in which it was read: as one text, as sentences, or both.
    if isinstance(peer.text, str):
        sentences = peer.extra.get("sentences")
        texts = {"summary": peer.text} | ({"sentences": sentences} if sentences else {})
    else:
        summary_text = peer.extra.get("summary", peer.plain)
        texts = {"summary": summary_text, "sentences": list(peer.text)}
    fields = {
        "dataset": peer.extra.get("dataset", collection.name),
        "topic": peer.topic,
        **({"task": peer.task} if peer.task else {}),
        "system": peer.system,
        "kind": peer.kind,
        "role": peer.role,
        **texts,
        "references": [reference.plain for reference in references],
        **_score_fields([row for row in rows if not row.unit], omitted_counts),
        **_mark_fields([row for row in rows if row.unit], omitted_counts),
        **{name: value for name, value in peer.extra.items() if name not in _KNOWN_FIELDS},
    }
    try:
        return (json.dumps(fields, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        # Half of a surrogate pair can only be written as an escape sequence.
        return (json.dumps(fields) + "\n").encode()


def _rows_of(
    collection: Collection, peers: set[Key], omitted_counts: Counter[str]
) -> dict[Key, list[_Row]]:
    """Return each peer's rows; count those that a line cannot store."""
    columns = collection.scores.columns
    rows: dict[Key, list[_Row]] = {}
    keys = zip(columns["task"], columns["topic"], columns["system"], strict=True)
    texts = (columns[name] for name in _Row._fields[:-1])
    fields = zip(*texts, collection.scores.value.tolist(), strict=True)
    column_masks = [columns[name].astype(bool) for name in ("collection", "occasion", "run")]
    is_omitted_row = np.any(column_masks, axis=0)
    for key, row, is_omitted in zip(keys, fields, is_omitted_row.tolist(), strict=True):
        if is_omitted:
            omitted_counts["scores of an occasion, a run or another collection"] += 1
        elif key not in peers:
            omitted_counts["scores of missing summaries"] += 1
        else:
            rows.setdefault(key, []).append(_Row(*row))
    omitted_counts["times of judgments"] += int(
        (columns["time"].astype(bool) & ~is_omitted_row).sum()
    )
    return rows


def _score_fields(rows: list[_Row], omitted_counts: Counter[str]) -> dict[str, Any]:
    """Write single judgments with their means, and the scores without an assessor."""
    judgments = [row for row in rows if row.assessor]
    values_by_measure = grouped(
        (row.measure, row.value) for row in judgments if row.assessor_kind != "model"
    )
    scores = {
        score_name(measure, human=True): sum(values) / len(values)
        for measure, values in values_by_measure.items()
    }
    for row in rows:
        omitted_counts["underscores in names of measures, written as dashes"] += "_" in row.measure
        if not row.assessor and row.measure in values_by_measure:
            omitted_counts["scores of a measure that also has single judgments"] += 1
        elif not row.assessor:
            scores[score_name(row.measure)] = row.value
    entries = [
        {
            "assessor": row.assessor,
            "name": judgment_name(row.measure, row.assessor),
            "value": row.value,
        }
        | ({"kind": row.assessor_kind} if row.assessor_kind else {})
        for row in judgments
    ]
    finite_scores = {name: value for name, value in scores.items() if math.isfinite(value)}
    return {"scores": finite_scores, "assessor_scores": entries}


def _mark_fields(rows: list[_Row], omitted_counts: Counter[str]) -> dict[str, Any]:
    """Write marks of SCUs if there is one for each SCU and worker."""
    marks_by_worker: dict[str, dict[str, float]] = {}
    for row in rows:
        if row.measure in _UNIT_MEASURES and bool(row.assessor) == (row.measure == "scu-answer"):
            marks_by_worker.setdefault(row.assessor, {})[row.unit] = row.value
    workers = [name for name in marks_by_worker if name]
    numbered_names = [f"worker{number}" for number in range(1, len(workers) + 1)]
    units = unit_names(max(map(len, marks_by_worker.values()), default=0))
    is_complete = sorted(workers) == sorted(numbered_names) and sum(
        map(len, marks_by_worker.values())
    ) == len(rows)
    for answers in marks_by_worker.values():
        is_complete &= answers.keys() == {*units} and set(answers.values()) <= {0.0, 1.0}
    omitted_counts["judgments of units"] += 0 if is_complete else len(rows)
    if not is_complete:
        return {}
    answer_lists = {
        name: [int(answers[unit]) for unit in units] for name, answers in marks_by_worker.items()
    }
    fields = {
        "scu_labels": answer_lists.get("", []),
        "scu_worker_answers": [answer_lists[name] for name in numbered_names],
    }
    return {name: value for name, value in fields.items() if value}


def _count_omissions(collection: Collection, omitted_counts: Counter[str]) -> None:
    """Count what lines about peers cannot store."""
    covered_topics = {
        (summary.task, summary.topic) for summary in collection.summaries if summary.is_peer
    }
    topics = {topic for _, topic in covered_topics}
    reference_counts: Counter[tuple[str, str]] = Counter()
    for reference in (summary for summary in collection.summaries if summary.role == "reference"):
        address = (reference.task, reference.topic)
        reference_counts[address] += 1
        omitted_counts["references of topics without peers"] += address not in covered_topics
        omitted_counts["names of references"] += (
            reference.system != f"ref{reference_counts[address]}"
        )
        omitted_counts["references by machines, which become references by people"] += (
            reference.kind == "machine"
        )
        omitted_counts["divisions of references into sentences"] += not isinstance(
            reference.text, str
        )
        omitted_counts["fields of references"] += len(reference.extra)
    omitted_counts["annotations of aspects"] += sum(
        len(summary.aspects) for summary in collection.summaries
    )
    omitted_counts["topics without peers"] += sum(
        topic.id not in topics for topic in collection.topics
    )
    omitted_counts["documents"] += sum(len(topic.documents) for topic in collection.topics)
    topics_without_documents = [replace(topic, documents=()) for topic in collection.topics]
    omitted_counts["descriptions of topics"] += sum(
        topic != Topic(topic.id) for topic in topics_without_documents
    )
    omitted_counts.update(part_sizes(collection, "tasks", "scales", "categories", "pyramids"))
    omitted_counts["declared measures"] += len(collection.measures)
    omitted_counts.update(part_sizes(collection, "annotated peers"))
    omitted_counts["remarks on the collection"] += bool(collection.description) + bool(
        collection.notice
    )


# An assessor's id that consists of a row number of the published table.
_WORKER_ID = re.compile(r"worker_row([0-9]+)")


def read_judged(path: str | Path) -> Collection:
    """Read judged summaries, and the SCUs and topics in companion files.

    The companions of ``x.jsonl`` are ``x_scus.jsonl`` and ``x_topics.jsonl``; the collection's
    description names them.
    """
    path = Path(path)
    judged_set = JudgedSet("")
    _read_file(path, judged_set)
    for companion, description in _find_companions(path):
        _read_file(companion, judged_set)
        judged_set.notes.append(f"{description} are from {companion.name}.")
    judged_set.name = judged_set.name or path.name.split(".")[0]
    return judged_set.collection()


def _find_companions(path: Path) -> Iterator[tuple[Path, str]]:
    """Find companion files, such as ``realsumm_scus.jsonl.gz``."""
    stem = path.name.split(".jsonl")[0]
    if stem == path.name or stem.endswith(("_scus", "_topics")):
        return
    for ending, description in (("_scus", "SCUs"), ("_topics", "Documents")):
        files = (path.with_name(f"{stem}{ending}{suffix}") for suffix in (".jsonl.gz", ".jsonl"))
        if file := next(filter(Path.is_file, files), None):
            yield file, description


def _read_file(path: Path, judged_set: JudgedSet) -> None:
    for record in read_records(path):
        dataset = record.text("dataset", "")
        judged_set.name = judged_set.name or dataset
        extra_fields = {"dataset": dataset} if dataset not in ("", judged_set.name) else {}
        if "system" in record.data or "summary" in record.data:
            _read_peer(record, extra_fields, judged_set)
        else:
            _read_topic(record, extra_fields, judged_set)


def _read_peer(record: Record, extra_fields: dict[str, Any], judged_set: JudgedSet) -> None:
    summary_text = "" if record.take("summary") == "" else record.text("summary")
    text, other_form = _choose_text_form(summary_text, record.texts("sentences"), judged_set)
    role = record.choice("role", (*ROLES, "model"), "")
    kind = record.choice("kind", KINDS, "human" if role in ("reference", "model") else "machine")
    references = record.passages("references")
    topic, documents = record.identifier("topic"), tuple(documents_of(record))
    if documents and documents != judged_set.topic(topic).documents:
        judged_set.add_topic(Topic(topic, documents=documents))
    scores = record.inner("scores", 'write {"name": value, ...}', optional=True)
    judgments = list(record.records("assessor_scores"))
    answers = record.take("scu_worker_answers") or []
    if not isinstance(answers, list):
        message = "`scu_worker_answers` is not a list"
        raise record.error(message, "write a list of marks for each worker")
    # The labels first, then each worker's answers.
    marks = [
        read_marks(record, "scu_labels", record.take("scu_labels") or [], _MARK_HINT),
        *(read_marks(record, "scu_worker_answers", answer, _MARK_HINT) for answer in answers),
    ]
    topic = record.identifier("topic")
    documents = tuple(documents_of(record))
    if documents and judged_set.topic(topic).documents != documents:
        judged_set.add_topic(Topic(topic, documents=documents))
    summary = Summary(
        topic=topic,
        system=record.identifier("system"),
        text=text,
        task=record.identifier("task", ""),
        kind=cast("Kind", kind),
        # NIST calls a person's summary a model if it is both a reference and scored.
        role=cast("Role", "both" if role == "model" else role),
        extra={**extra_fields, **other_form, **unknown_fields(record, judged_set)},
    )
    judged_set.add_peer(
        summary, references, record.where, text=summary_text, role_is_given=bool(role)
    )
    means = _read_judgments(summary, judgments, judged_set)
    _read_scores(summary, scores, means, judged_set)
    for worker, values in enumerate(marks):
        if n_units := len(values):
            judged_set.expect_units(summary.task, summary.topic, n_units, record.where)
            measure, assessor = ("scu-answer", f"worker{worker}") if worker else ("scu", "")
            judged_set.rows.add(
                summary, [measure] * n_units, values, [assessor] * n_units, unit_names(n_units)
            )


def _choose_text_form(
    summary_text: str, sentences: tuple[str, ...], judged_set: JudgedSet
) -> tuple[str | tuple[str, ...], dict[str, Any]]:
    """Return a summary's text, and the other form if that has more information."""
    joined_sentences = " ".join(sentences)
    if not sentences or joined_sentences == summary_text:
        return sentences or summary_text, {}
    if joined_sentences.split() == summary_text.split():
        return sentences, {"summary": summary_text}
    judged_set.left_out[
        "divisions into sentences that differ from the summary, kept separately"
    ] += 1
    return summary_text, {"sentences": list(sentences)}


def _read_judgments(
    summary: Summary, judgments: list[Record], judged_set: JudgedSet
) -> dict[str, float]:
    """Add the judgments of assessors, and return the mean of each measure."""
    assessors = [_WORKER_ID.sub(r"worker\1", record.identifier("assessor")) for record in judgments]
    names = [record.text("name") for record in judgments]
    values = [record.number("value") for record in judgments]
    kinds = [record.choice("kind", ("", "person", "model"), "") for record in judgments]
    measures = [measure_of(*pair) for pair in zip(names, assessors, strict=True)]
    judged_set.rows.add(summary, measures, values, assessors, assessor_kinds=kinds)
    for record in judgments:
        for name in record.rest():
            judged_set.left_out[f"fields `{name}` of judgments"] += 1
    rows = zip(measures, values, kinds, strict=True)
    values_by_measure = grouped(
        (measure, value) for measure, value, kind in rows if kind != "model"
    )
    return {measure: sum(group) / len(group) for measure, group in values_by_measure.items()}


def _read_scores(
    summary: Summary, scores: Record, means: Mapping[str, float], judged_set: JudgedSet
) -> None:
    """Add scores, except for means of judgments that are listed one by one."""
    values: dict[str, float] = {}
    model_scores: dict[str, float] = {}
    human_measures = [measure_of(name) for name in scores.data if name.startswith("human_")]
    for name, value in scores.data.items():
        if name.startswith("judge_") and len(human_measures) == 1 and value is not None:
            model_scores[name.removeprefix("judge_")] = scores.number(name)
            continue
        measure = measure_of(name)
        if value is None:
            judged_set.left_out["scores without a value"] += 1
        elif measure not in means:
            values[_unused_name(measure, values, scores)] = scores.number(name)
        elif math.isclose(scores.number(name), means[measure], rel_tol=1e-9, abs_tol=1e-6):
            judged_set.left_out["means of judgments that are listed one by one"] += 1
        else:
            values[_unused_name(f"published-{measure}", values, scores)] = scores.number(name)
    judged_set.rows.add(summary, list(values), list(values.values()))
    n_judges = len(model_scores)
    judged_set.rows.add(
        summary,
        human_measures * n_judges,
        list(model_scores.values()),
        list(model_scores),
        assessor_kinds=["model"] * n_judges,
    )


def _unused_name(measure: str, names: Mapping[str, float], scores: Record) -> str:
    if not measure.strip("-"):
        raise scores.error("a score has no name", "give it one")
    if measure in names:
        raise scores.error(f"two names denote measure {measure}", "rename one")
    return measure


def _read_topic(record: Record, extra_fields: dict[str, Any], judged_set: JudgedSet) -> None:
    if not {"documents", "references", "scus"} & record.data.keys():
        raise record.error("`system` is missing", "a line contains a judged summary or a topic")
    topic = record.identifier("topic")
    task = record.identifier("task", "") or None
    judged_set.add_references(task, topic, record.passages("references"), record.where)
    scus = [dict(scu.data) for scu in record.records("scus") if scu.text("text")]
    if scus:
        judged_set.expect_units(task, topic, len(scus), record.where)
        extra_fields = {**extra_fields, "scus": scus}
    statement = Topic.from_record(record, topic, documents_of(record))
    judged_set.add_topic(
        replace(statement, extra={**extra_fields, **unknown_fields(record, judged_set)})
    )
