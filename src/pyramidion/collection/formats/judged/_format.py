"""Published judgments as JSONL: one judged summary a line, with its references and scores.

A line has ``dataset, topic, task, system, kind, role, summary, sentences, references, scores,
assessor_scores, scu_labels, scu_worker_answers``. A line without a system tells of a topic:
``topic, task, documents, references, scus``. The names of scores become measures (see
`judged_names`): ``human_fluency`` is ``fluency``, ``expert_coherence`` is ``expert-coherence``.
"""

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

from pyramidion.collection.collection import Collection
from pyramidion.collection.formats.base import Format, first_record
from pyramidion.collection.formats.judged.names import measure_of
from pyramidion.collection.formats.judged.rows import unit_names
from pyramidion.collection.formats.judged.sets import JudgedSet, unknown_fields
from pyramidion.collection.formats.judged.writer import write_judged
from pyramidion.collection.records import Record, read_records
from pyramidion.collection.summaries import KINDS, ROLES, Kind, Role, Summary
from pyramidion.collection.topics import Document, Topic
from pyramidion.errors import Where

__all__ = ["FORMAT", "read_judged"]

# An id that says in which row of the published table an answer stands.
_WORKER_ROW = re.compile(r"worker_row([0-9]+)")


def read_judged(path: str | Path) -> Collection:
    """Read judged summaries, and the SCUs and topics that lie in files beside them.

    Where ``x.jsonl`` has companions ``x_scus.jsonl`` and ``x_topics.jsonl``, these are read
    too; the collection's description says so.

    Examples
    --------
    >>> import tempfile
    >>> line = ('{"topic": "T1", "system": "7", "summary": "It rained.", "references": ["Rain."],'
    ...         ' "scores": {"human_fluency": 4.5}}')
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "a.jsonl"
    ...     _ = file.write_text(line)
    ...     collection = read_judged(file)
    >>> [summary.system for summary in collection.summaries], collection.scores.measures
    (['7', 'ref1'], ('fluency',))
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
    written, text, kept = _texts(record, judged)
    role = record.choice("role", (*ROLES, "model"), "")
    kind = record.choice("kind", KINDS, "human" if role in ("reference", "model") else "machine")
    references = record.texts("references")
    scores = _object(record, "scores")
    judgments = list(record.records("assessor_scores"))
    labels = _marks(record, "scu_labels", record.take("scu_labels") or [])
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


def _texts(record: Record, judged: JudgedSet) -> tuple[str, str | tuple[str, ...], dict[str, Any]]:
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
    assessors = [_assessor(record) for record in judgments]
    names = [record.text("name") for record in judgments]
    values = [record.number("value") for record in judgments]
    measures = [measure_of(*pair) for pair in zip(names, assessors, strict=True)]
    judged.rows.add(summary, measures, values, assessors)
    for record in judgments:
        for name in record.rest():
            judged.left_out[f"fields `{name}` of judgments"] += 1
    grouped: dict[str, list[float]] = {}
    for measure, value in zip(measures, values, strict=True):
        grouped.setdefault(measure, []).append(value)
    return {measure: sum(group) / len(group) for measure, group in grouped.items()}


def _assessor(record: Record) -> str:
    return _WORKER_ROW.sub(r"worker\1", record.identifier("assessor"))


def _read_scores(
    summary: Summary, scores: Record, means: Mapping[str, float], judged: JudgedSet
) -> None:
    """Take over scores, but for means of judgments that are there one by one."""
    found: dict[str, float] = {}
    for name, value in scores.data.items():
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


def _fresh(measure: str, found: Mapping[str, float], scores: Record) -> str:
    if not measure.strip("-"):
        raise scores.error("a score has no name", "give it one")
    if measure in found:
        raise scores.error(f"two names stand for measure {measure}", "rename one")
    return measure


def _answers(record: Record) -> list[list[float]]:
    """Take the workers' answers, a list of marks for each worker."""
    name = "scu_worker_answers"
    lists = record.take(name) or []
    if not isinstance(lists, list):
        raise record.error(f"`{name}` is not a list", "write a list of marks for each worker")
    return [_marks(record, name, marks) for marks in lists]


def _marks(record: Record, name: str, marks: Any) -> list[float]:
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
    judged.add_references(task, topic, record.texts("references"), record.where)
    if scus := _scus(record):
        judged.expect_units(task, topic, len(scus), record.where)
        extra = {**extra, "scus": scus}
    judged.add_topic(
        Topic(
            id=topic,
            title=record.text("title", ""),
            narrative=record.text("narrative", ""),
            category=record.identifier("category", ""),
            assessor=record.identifier("assessor", ""),
            documents=tuple(_documents(record)),
            extra={**extra, **unknown_fields(record, judged)},
        )
    )


def _scus(record: Record) -> list[dict[str, Any]]:
    scus = list(record.records("scus"))
    for scu in scus:
        scu.text("text")
    return [dict(scu.data) for scu in scus]


def _documents(record: Record) -> Iterator[Document]:
    """Take documents that are plain texts (named ``d1`` and so on) or objects."""
    documents = record.take("documents")
    if isinstance(documents, list) and any(isinstance(item, dict) for item in documents):
        yield from map(Document.from_record, record.records("documents"))
    else:
        for number, text in enumerate(record.texts("documents"), start=1):
            yield Document(f"d{number}", text)


def _matches(path: Path) -> bool:
    keys = first_record(path).keys()
    return any(
        needed <= keys
        for needed in ({"topic", "system", "summary"}, {"topic", "documents"}, {"topic", "scus"})
    )


FORMAT = Format(
    name="judged",
    title="judged summaries, one a line with references, scores and single judgments (JSONL)",
    matches=_matches,
    read=read_judged,
    write=write_judged,
    suffixes=("judged.jsonl", "judged.jsonl.gz"),
)
