"""The contents of a collection: the question `describe` and its tables."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.checks import find_problems
from pyramidion.checks.streams import SortedKeys, StreamChecks, repeated_error
from pyramidion.collection import Collection, Finding, Repairs
from pyramidion.collection.checking import conflicting_kinds
from pyramidion.collection.formats import detect
from pyramidion.collection.formats.base import first_record
from pyramidion.collection.formats.stream import read_stream, stream_name
from pyramidion.collection.ids import grouped, natural_order
from pyramidion.collection.sources import ScoreReading, Source
from pyramidion.collection.stream import StreamItem, items_digest, plain_text
from pyramidion.files.inputs import readable_path
from pyramidion.questions import argument, question
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, field_columns
from pyramidion.text import count_words

_MAX_EXAMPLES = 3

# Number of items of a stream in memory at a time.
_BATCH_SIZE = 1000


@dataclass(frozen=True, slots=True)
class TaskDescription:
    """The content of one task."""

    task: str
    topics: int
    documents: int
    people: int
    machines: int
    references: int
    peers: int
    mean_words: float | None
    word_limit: int | None
    pyramids: int
    scus: int


@dataclass(frozen=True, slots=True)
class MeasureDescription:
    """The scores of one measure in one task."""

    task: str
    measure: str
    scores: int
    topics: int
    systems: int
    assessors: int
    units: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class CollectionDescription:
    """The contents of a collection, and problems found in it."""

    name: str
    description: str
    notice: str
    topics: int
    documents: int
    summaries: int
    scores: int
    tasks: tuple[TaskDescription, ...]
    measures: tuple[MeasureDescription, ...]
    categories: dict[str, int]
    problems: tuple[Finding, ...]
    logs: tuple[dict[str, Any], ...] = ()


def describe_collection(collection: Collection) -> CollectionDescription:
    """Count the contents of a collection, and find what is missing or inconsistent."""
    return CollectionDescription(
        name=collection.name,
        description=collection.description,
        notice=collection.notice,
        topics=len(collection.topics or collection.topic_ids),
        documents=sum(len(topic.documents) for topic in collection.topics),
        summaries=len(collection.summaries),
        scores=len(collection.scores),
        tasks=tuple(_task_of(collection, task) for task in collection.task_ids),
        measures=tuple(_measures_of(collection)),
        categories=dict(Counter(topic.category for topic in collection.topics if topic.category)),
        problems=tuple(f for f in find_problems(collection) if f.severity != "note"),
        logs=tuple(
            {"task": task, **log}
            for task, pairing in collection.pairing.items()
            for log in pairing["logs"]
        ),
    )


def _task_of(collection: Collection, task: str) -> TaskDescription:
    summaries = [summary for summary in collection.summaries if summary.task == task]
    documents = sum(len(collection.documents(topic.id, task)) for topic in collection.topics)
    pyramids = [pyramid for (name, _), pyramid in collection.pyramids.items() if name == task]
    words = [summary.words for summary in summaries]
    systems = {(summary.kind, summary.system) for summary in summaries}
    return TaskDescription(
        task=task, topics=len({summary.topic for summary in summaries}), documents=documents,
        people=sum(kind == "human" for kind, _ in systems),
        machines=sum(kind == "machine" for kind, _ in systems),
        references=sum(summary.is_reference for summary in summaries),
        peers=sum(summary.is_peer for summary in summaries),
        mean_words=sum(words) / len(words) if words else None,
        word_limit=collection.task(task).word_limit, pyramids=len(pyramids),
        scus=sum(len(pyramid.scus) for pyramid in pyramids),
    )  # fmt: skip


def _measures_of(collection: Collection) -> Iterator[MeasureDescription]:
    for task in collection.scores.distinct("task"):
        of_task = collection.scores.select(task=task).judges_apart()
        for measure in of_task.measures:
            rows = of_task.select(measure=measure)
            topics, systems = (len(rows.distinct(column)) for column in ("topic", "system"))
            people, units = (len({*rows.columns[name]} - {""}) for name in ("assessor", "unit"))
            counts = len(rows), topics, systems, people, units
            # The sum of large values may overflow, unlike their mean.
            mean = float((rows.value / len(rows)).sum())
            ends = mean, float(rows.value.min()), float(rows.value.max())
            yield MeasureDescription(task, measure, *counts, *ends)


class _StreamCounts:
    """Counts of what a stream contains; only hashes of texts and topics are kept."""

    def __init__(self) -> None:
        self.checks = StreamChecks()
        self.digest = 0
        self.words: Counter[str] = Counter()
        self.references: Counter[str] = Counter()
        self.topics = 0
        self._topics, self._references = SortedKeys(), SortedKeys()
        # The topic of each reference, by task.
        self._owners: dict[str, list[npt.NDArray[np.uint64]]] = {}

    def add(self, items: Sequence[StreamItem]) -> None:
        """Count the items of a batch, and its new references."""
        self.checks.add(items)
        self.digest += items_digest(items)
        topics = _hashes(item.topic for item in items)
        self.topics += len(self._topics.add_new(topics))
        for item in items:
            self.words[item.task] += count_words(plain_text(item.peer))
        pairs = [(item, text) for item in items for text in item.references]
        owners = _hashes(f"{item.task}\0{item.topic}" for item, _ in pairs)
        texts = _hashes(f"{owner}\0{text}" for owner, (_, text) in zip(owners, pairs, strict=True))
        new_rows = grouped((pairs[row][0].task, row) for row in self._references.add_new(texts))
        for task, rows in new_rows.items():
            self.references[task] += len(rows)
            self.words[task] += sum(count_words(plain_text(pairs[row][1])) for row in rows)
            self._owners.setdefault(task, []).append(owners[rows])

    def most_references(self, task: str) -> int:
        """Return the largest number of references of a topic."""
        owners = np.concatenate(self._owners[task])
        return int(np.unique(owners, return_counts=True)[1].max())


def _hashes(texts: Iterable[str]) -> npt.NDArray[np.uint64]:
    digests = (hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts)
    return np.frombuffer(b"".join(digests), np.uint64)


def describe_stream(path: Path) -> tuple[CollectionDescription, str]:
    """Describe a stream in one pass that keeps no texts."""
    counts, items = _StreamCounts(), read_stream(path)
    while batch := tuple(islice(items, _BATCH_SIZE)):
        counts.add(batch)
    tasks = tuple(_stream_tasks(counts))
    description = CollectionDescription(
        name=stream_name(path), description="", notice="", topics=counts.topics, documents=0,
        summaries=sum(task.peers + task.references for task in tasks), scores=0, tasks=tasks,
        measures=(), categories={}, problems=tuple(_stream_problems(path, counts.checks)),
    )  # fmt: skip
    return description, f"{counts.digest % 2**32:08x}"


def _stream_tasks(counts: _StreamCounts) -> Iterator[TaskDescription]:
    systems = counts.checks.systems()
    topics = counts.checks.topics()
    for task in sorted(topics, key=natural_order):
        peers = sum(number for (name, _, _), number in systems.items() if name == task)
        kinds = Counter(kind for name, _, kind in systems if name == task)
        references = counts.references[task]
        yield TaskDescription(
            task=task, topics=topics[task], documents=0,
            people=kinds["human"] + counts.most_references(task), machines=kinds["machine"],
            references=references, peers=peers,
            mean_words=counts.words[task] / (peers + references), word_limit=None, pyramids=0,
            scus=0,
        )  # fmt: skip


def _stream_problems(path: Path, checks: StreamChecks) -> Iterator[Finding]:
    if checks.repeated:
        error = repeated_error(read_stream(path), checks.repeated)
        n_more = len(checks.repeated) - 1
        suffix = f" (and {n_more:,} more such summaries)" if n_more else ""
        message = f"{error.where}: it occurs twice{suffix}; {error.hint}"
        subject = error.what.removesuffix(" occurs twice")
        yield Finding("duplicated summary", subject, message, fatal=True)
    yield from conflicting_kinds((system, kind) for _, system, kind in checks.systems())
    yield from sorted(checks.problems(), key=lambda finding: finding.order)


_TASK_COLUMN: Column[Any] = Column("task", "task", show=lambda row: row.task or "–")
_UNITS_COLUMN: Column[Any] = Column("units", "units", show=lambda row: row.units or None)


def _columns(kind: type, **titles: str) -> tuple[Column[Any], ...]:
    """Return a column for each field; an empty task or number of units is not shown."""
    special_columns = {"task": _TASK_COLUMN, "units": _UNITS_COLUMN}
    return tuple(
        special_columns.get(column.key, column) for column in field_columns(kind, **titles)
    )


TASKS: View[TaskDescription] = View("tasks", _columns(TaskDescription, scus="SCUs"), digits=1)
MEASURES: View[MeasureDescription] = View("measures", _columns(MeasureDescription), digits=3)


@dataclass(frozen=True, slots=True)
class Described(ScoreReading):
    """The collection to describe."""

    source: Source | Sequence[Source] = argument(
        "Collections: folders or files in any format that `convert` reads; several are joined.",
        metavar="COLLECTION", multiple=True,
    )  # fmt: skip


@question
def describe(source: Described) -> Result[CollectionDescription]:
    """Show the contents of a collection, and everything in it that is missing or inconsistent.

    The exit code is 1 if there are problems.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = describe(load_demo())
    >>> result[0].summaries, result.ok
    (48, True)
    """
    path = source.source
    if isinstance(path, list | tuple) and len(path) == 1:
        path = path[0]
    if isinstance(path, str | Path) and _is_stream(source, readable_path(str(path))):
        description, data = describe_stream(readable_path(str(path)))
        collection = Collection(description.name)
    else:
        collection = source.read_source(source.source, strict=False)
        description, data = describe_collection(collection), collection.data_hash
    tables = (
        _overview(description),
        TASKS.table(description.tasks, "Tasks"),
        MEASURES.table(description.measures, "Measures"),
        _logs(description.logs, collection.doubts),
        _problems(description.problems),
    )
    return Result(
        command="describe", signature=signed("describe", data), values=[description],
        record=_record, tables=[table for table in tables if table.rows],
        left_out=collection.left_out, mended=collection.repaired, ok=not description.problems,
    )  # fmt: skip


def _record(description: CollectionDescription) -> dict[str, Any]:
    """Return the JSON record; only logs have runs."""
    return {name: value for name, value in asdict(description).items() if name != "logs" or value}


def _is_stream(source: Described, path: Path) -> bool:
    """Return whether the source can be described in one pass; documents and repairs need more."""
    is_plain = not source.columns and source.repairs == Repairs()
    has_format = (source.source_format or detect(path).name) == "stream"
    return has_format and is_plain and "documents" not in first_record(path)


def _overview(description: CollectionDescription) -> Table:
    names = ("topics", "documents", "summaries", "scores")
    rows = (
        *((name, getattr(description, name)) for name in names),
        ("problems", len(description.problems)),
    )
    note = " ".join(text for text in (description.description, description.notice) if text)
    return Table(("", "number"), rows, title=description.name, note=note, name="overview")


def _logs(logs: Sequence[Mapping[str, Any]], doubts: Iterable[Finding]) -> Table:
    """List the runs of logs: systems, items, epochs, errors and unscored items."""
    notes = (f"{note.subject}: {note.message}" for note in doubts if note.severity == "note")
    names = ("task", "system", "items", "epochs", "errors", "unscored", "status", "limit", "tool")
    rows = tuple(
        tuple(log[name] or ("–" if log[name] == "" else 0) for name in names) for log in logs
    )
    return Table(names, rows, title="Runs", note="\n".join(notes), name="logs")


def _problems(problems: tuple[Finding, ...]) -> Table:
    """Group problems by kind; JSON lists them all."""
    rows = []
    for kind, same_kind in grouped((problem.kind, problem) for problem in problems).items():
        subjects = "; ".join(
            dict.fromkeys(problem.subject for problem in same_kind[:_MAX_EXAMPLES])
        )
        ellipsis = "; ..." if len(same_kind) > _MAX_EXAMPLES else ""
        rows.append((kind, len(same_kind), subjects + ellipsis, same_kind[0].message))
    columns = ("problem", "number", "where", "first one")
    return Table(columns, tuple(rows), title="Missing or inconsistent", name="problems")
