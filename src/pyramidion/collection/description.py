"""What is there in a collection, in numbers."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from pyramidion.collection.checks import Problem, find_problems
from pyramidion.collection.collection import Collection
from pyramidion.collection.summaries import Summary

__all__ = ["Description", "MeasureDescription", "TaskDescription", "describe"]


@dataclass(frozen=True, slots=True)
class TaskDescription:
    """The content of one task.

    Examples
    --------
    >>> describe(Collection("mine", summaries=(Summary("T1", "7", "Rain fell."),))).tasks[0].peers
    1
    """

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
    """The scores of one measure in one task.

    Examples
    --------
    >>> from pyramidion.collection.scores import Judgment, Scores
    >>> scores = Scores.from_judgments([Judgment("T1", "7", "readability", 4.0)])
    >>> describe(Collection("mine", scores=scores)).measures[0].mean
    4.0
    """

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
class Description:
    """What a collection holds, and what is wrong with it.

    Examples
    --------
    >>> describe(Collection("mine")).problems
    ()
    """

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


def describe(collection: Collection) -> Description:
    """Count what is there and find what is missing or inconsistent.

    Examples
    --------
    >>> describe(Collection("mine")).topics
    0
    """
    return Description(
        name=collection.name,
        description=collection.description,
        notice=collection.notice,
        topics=len(collection.topics or collection.topic_ids),
        documents=sum(len(topic.documents) for topic in collection.topics),
        summaries=len(collection.summaries),
        scores=len(collection.scores),
        tasks=tuple(_described_task(collection, task) for task in collection.task_ids),
        measures=tuple(_described_measures(collection)),
        categories=dict(Counter(topic.category for topic in collection.topics if topic.category)),
        problems=tuple(find_problems(collection)),
    )


def _topics(summaries: Iterable[Summary]) -> set[str]:
    return {summary.topic for summary in summaries}


def _described_task(collection: Collection, task: str) -> TaskDescription:
    summaries = [summary for summary in collection.summaries if summary.task == task]
    wanted = collection.task(task).documents
    documents = sum(
        wanted in ("all", document.set)
        for topic in collection.topics
        for document in topic.documents
    )
    pyramids = [pyramid for (name, _), pyramid in collection.pyramids.items() if name == task]
    words = [summary.words for summary in summaries]
    return TaskDescription(
        task=task,
        topics=len(_topics(summaries)),
        documents=documents,
        people=len({s.system for s in summaries if s.kind == "human"}),
        machines=len({s.system for s in summaries if s.kind == "machine"}),
        references=sum(summary.is_reference for summary in summaries),
        peers=sum(summary.is_peer for summary in summaries),
        mean_words=sum(words) / len(words) if words else None,
        word_limit=collection.task(task).word_limit,
        pyramids=len(pyramids),
        scus=sum(len(pyramid.scus) for pyramid in pyramids),
    )


def _described_measures(collection: Collection) -> Iterable[MeasureDescription]:
    for task in collection.scores.distinct("task"):
        of_task = collection.scores.select(task=task)
        for measure in of_task.measures:
            rows = of_task.select(measure=measure)
            yield MeasureDescription(
                task=task,
                measure=measure,
                scores=len(rows),
                topics=len(rows.distinct("topic")),
                systems=len(rows.distinct("system")),
                assessors=len([name for name in rows.distinct("assessor") if name]),
                units=len([name for name in rows.distinct("unit") if name]),
                mean=float(rows.value.mean()),
                low=float(rows.value.min()),
                high=float(rows.value.max()),
            )
