"""A collection's description as tables."""

from collections import Counter
from dataclasses import asdict

from pyramidion.collection.checks import Problem
from pyramidion.collection.collection import Collection
from pyramidion.collection.description import Description, describe
from pyramidion.collection.signature import Signature
from pyramidion.report.answer import Answer
from pyramidion.report.table import Table

__all__ = ["describe_answer"]

_EXAMPLES = 3


def describe_answer(collection: Collection) -> Answer:
    """Describe a collection: what is there, and everything that is missing or inconsistent.

    Examples
    --------
    >>> describe_answer(Collection("mine")).yes
    True
    """
    description = describe(collection)
    tables = [_overview(description), _tasks(description), _measures(description)]
    if description.problems:
        tables.append(_problems(description.problems))
    return Answer(
        command="describe",
        signature=Signature("describe", data=collection.data_hash),
        results=[asdict(description)],
        tables=tuple(table for table in tables if table.rows),
        left_out=collection.left_out,
        yes=not description.problems,
    )


def _overview(description: Description) -> Table:
    numbers = {
        "topics": description.topics,
        "documents": description.documents,
        "summaries": description.summaries,
        "scores": description.scores,
        "problems": len(description.problems),
    }
    note = " ".join(text for text in (description.description, description.notice) if text)
    return Table(("", "number"), tuple(numbers.items()), title=description.name, note=note)


def _tasks(description: Description) -> Table:
    rows = tuple(
        (
            task.task or "–",
            task.topics,
            task.documents,
            task.people,
            task.machines,
            task.references,
            task.peers,
            task.mean_words,
            task.word_limit,
            task.pyramids,
            task.scus,
        )
        for task in description.tasks
    )
    columns = (
        "task", "topics", "documents", "people", "machines", "references", "peers",
        "mean words", "word limit", "pyramids", "SCUs",
    )  # fmt: skip
    return Table(columns, rows, title="Tasks", digits=1)


def _measures(description: Description) -> Table:
    rows = tuple(
        (m.task or "–", m.measure, m.scores, m.topics, m.systems, m.assessors, m.units or None,
         m.mean, m.low, m.high)
        for m in description.measures
    )  # fmt: skip
    columns = (
        "task", "measure", "scores", "topics", "systems", "assessors", "units",
        "mean", "low", "high",
    )  # fmt: skip
    return Table(columns, rows, title="Measures", digits=3)


def _problems(problems: tuple[Problem, ...]) -> Table:
    """Group problems of one kind; JSON lists them all."""
    rows = []
    for kind, count in Counter(problem.kind for problem in problems).items():
        examples = [problem for problem in problems if problem.kind == kind][:_EXAMPLES]
        shown = "; ".join(problem.subject for problem in examples)
        more = "; ..." if count > _EXAMPLES else ""
        rows.append((kind, count, shown + more, examples[0].message))
    columns = ("problem", "number", "where", "first one")
    return Table(columns, tuple(rows), title="Missing or inconsistent")
