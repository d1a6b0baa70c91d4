"""Writing judged summaries, one a line (see `judged`)."""

import gzip
import json
import math
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import writing
from pyramidion.collection.formats.base import counted
from pyramidion.collection.formats.judged.names import judgment_name, score_name
from pyramidion.collection.formats.judged.rows import unit_names
from pyramidion.collection.summaries import Summary
from pyramidion.collection.topics import Topic
from pyramidion.errors import InputError

__all__ = ["write_judged"]

_FIELDS = {
    "dataset", "topic", "task", "system", "kind", "role", "summary", "sentences", "references",
    "scores", "assessor_scores", "scu_labels", "scu_worker_answers",
}  # fmt: skip
_UNIT_MEASURES = ("scu", "scu-answer")

Key = tuple[str, str, str]


class _Row(NamedTuple):
    measure: str
    assessor: str
    unit: str
    value: float


def write_judged(collection: Collection, path: Path, replace: bool = False) -> tuple[str, ...]:
    """Write a line for each peer, and say what has no place in one.

    Parameters
    ----------
    collection
        What to write.
    path
        The file; it is gzipped if its name ends in ``.gz``.
    replace
        Means nothing for a file.

    Examples
    --------
    >>> import tempfile
    >>> collection = Collection("mine", summaries=(Summary("T1", "7", "It rained."),
    ...                                            Summary("T1", "A", "Rain.", kind="human")))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     lost = write_judged(collection, Path(folder) / "a.jsonl")
    ...     print((Path(folder) / "a.jsonl").read_text().splitlines()[0])
    {"dataset": "mine", "topic": "T1", "system": "7", ... "references": ["Rain."], ...}
    """
    peers = [summary for summary in collection.summaries if summary.is_peer]
    if not peers:
        raise InputError("the collection has no peers", hint="choose another format")
    lost: Counter[str] = Counter()
    rows = _rows_of(collection, {summary.key for summary in peers}, lost)
    lines = [_line(collection, peer, rows.get(peer.key, []), lost) for peer in peers]
    _count_others(collection, lost)
    with writing(path) as stream:
        data = b"".join(lines)
        stream.write(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return counted(**lost)


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
    told = zip(columns["measure"], columns["assessor"], columns["unit"], strict=True)
    apart = columns["collection"].astype(bool) | columns["occasion"].astype(bool)
    values = zip(collection.scores.value.tolist(), apart.tolist(), strict=True)
    for key, row, (value, is_apart) in zip(keys, told, values, strict=True):
        if is_apart:
            lost["scores of an occasion or another collection"] += 1
        elif key not in peers:
            lost["scores of summaries that are not there"] += 1
        else:
            rows.setdefault(key, []).append(_Row(*row, value))
    lost["times of judgments"] += int((columns["time"].astype(bool) & ~apart).sum())
    return rows


def _scores(rows: list[_Row], lost: Counter[str]) -> dict[str, Any]:
    """Write single judgments with their means, and the scores nobody is named for."""
    judgments = [row for row in rows if row.assessor]
    judged: dict[str, list[float]] = {}
    for row in judgments:
        judged.setdefault(row.measure, []).append(row.value)
    scores = {score_name(measure, human=True): _mean(group) for measure, group in judged.items()}
    for row in rows:
        lost["underscores in names of measures, written as dashes"] += "_" in row.measure
        if not row.assessor and row.measure in judged:
            lost["scores beside single judgments of the same measure"] += 1
        elif not row.assessor:
            scores[score_name(row.measure)] = row.value
    entries = [
        {"assessor": r.assessor, "name": judgment_name(r.measure, r.assessor), "value": r.value}
        for r in judgments
    ]
    known = {name: value for name, value in scores.items() if math.isfinite(value)}
    return {"scores": known, "assessor_scores": entries}


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


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
    """Give marks 0 or 1 in the order of their units; `None` if they are something else."""
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
    lost["descriptions of topics"] += sum(_is_described(topic) for topic in collection.topics)
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


def _is_described(topic: Topic) -> bool:
    told = (topic.title, topic.narrative, topic.category, topic.assessor, topic.extra)
    return any(map(bool, told))
