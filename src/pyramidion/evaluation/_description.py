"""What there is in a collection: the question, its numbers and its tables."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from pyramidion.collection import Collection
from pyramidion.collection._checks import Problem, find_problems
from pyramidion.collection._ids import grouped
from pyramidion.collection._options import argument
from pyramidion.collection._questions import Options, question
from pyramidion.collection._sources import Source, read_source
from pyramidion.evaluation._shared import format_option
from pyramidion.report.result import Result, signed
from pyramidion.report.table import Cell, Table
from pyramidion.report.view import Column, View

_EXAMPLES = 3


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
    """What a collection holds, and what is wrong with it."""

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
    problems: tuple[Problem, ...]


def describe_collection(collection: Collection) -> CollectionDescription:
    """Count what is there and find what is missing or inconsistent."""
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
        problems=tuple(find_problems(collection)),
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
            # Where nobody is named, and no unit, nothing is counted.
            people, units = (len({*rows.columns[name]} - {""}) for name in ("assessor", "unit"))
            counts = len(rows), topics, systems, people, units
            ends = float(rows.value.mean()), float(rows.value.min()), float(rows.value.max())
            yield MeasureDescription(task, measure, *counts, *ends)


def _columns(kind: type) -> Iterator[Column[Any]]:
    """Return a column for each field; where there is no task, or no units, nothing is counted."""
    seen: dict[str, Callable[[Any], Cell]] = {
        "task": lambda own: own.task or "–", "units": lambda own: own.units or None,
    }  # fmt: skip
    for own in fields(kind):
        title = "SCUs" if own.name == "scus" else own.name.replace("_", " ")
        yield Column(own.name, title, show=seen.get(own.name))


TASKS: View[TaskDescription] = View("tasks", tuple(_columns(TaskDescription)), digits=1)
MEASURES: View[MeasureDescription] = View("measures", tuple(_columns(MeasureDescription)), digits=3)


@dataclass(frozen=True, slots=True)
class Described(Options):
    """What is described."""

    source: Source = argument(
        "Collection: a folder or file in any format that `convert` reads.", metavar="COLLECTION"
    )
    source_format: str | None = format_option("collection")


@question
def describe(source: Described) -> Result[CollectionDescription]:
    """Show what a collection contains, and everything missing or inconsistent in it.

    The exit code is 1 if anything is.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = describe(load_demo())
    >>> result[0].summaries, result.ok
    (48, True)
    """
    collection = read_source(source.source, format=source.source_format, strict=False)
    found = describe_collection(collection)
    tables = (
        _overview(found),
        TASKS.table(found.tasks, "Tasks"),
        MEASURES.table(found.measures, "Measures"),
        _problems(found.problems),
    )
    return Result(
        command="describe", signature=signed("describe", collection.data_hash), values=[found],
        record=asdict, tables=[table for table in tables if table.rows],
        left_out=collection.left_out, mended=collection.mended, ok=not found.problems,
    )  # fmt: skip


def _overview(found: CollectionDescription) -> Table:
    names = ("topics", "documents", "summaries", "scores")
    rows = (*((name, getattr(found, name)) for name in names), ("problems", len(found.problems)))
    note = " ".join(text for text in (found.description, found.notice) if text)
    return Table(("", "number"), rows, title=found.name, note=note, name="overview")


def _problems(problems: tuple[Problem, ...]) -> Table:
    """Group problems of one kind; JSON lists them all."""
    rows = []
    for kind, own in grouped((problem.kind, problem) for problem in problems).items():
        shown = "; ".join(dict.fromkeys(problem.subject for problem in own[:_EXAMPLES]))
        more = "; ..." if len(own) > _EXAMPLES else ""
        rows.append((kind, len(own), shown + more, own[0].message))
    columns = ("problem", "number", "where", "first one")
    return Table(columns, tuple(rows), title="Missing or inconsistent", name="problems")
