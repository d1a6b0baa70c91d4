"""Manual beside automatic pyramid scores: by topic, by assessor, and as data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from pyramidion.collection.ids import natural_order
from pyramidion.pyramid._source import without_tasks
from pyramidion.pyramid.matching.scores import MatchedSummary, MeanDifference, mean_differences
from pyramidion.pyramid.topics import TopicSummaries
from pyramidion.report.table import Cell, Table

__all__ = ["MatchedTopic", "assessor_records", "kind_of", "match_tables"]

#: Systems with their kinds (`Collection.systems`).
Kinds = Mapping[str, str]

_NOTE = (
    "Modified pyramid scores. Automatic: each summary annotated with the contributors of all the "
    "others of its topic. What a summary says beyond the pyramid stays unknown, so the other "
    "scores are not given."
)
_NOBODY = "not known"
_MEANS = ("n", "manual", "automatic", "difference")


@dataclass(frozen=True, slots=True)
class MatchedTopic:
    """A topic with its summaries as they were matched, and the mean of those compared.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> MatchedTopic(TopicSummaries("A", "T1", Pyramid("")), "K", [], None).assessor
    'K'
    """

    place: TopicSummaries
    assessor: str
    found: Sequence[MatchedSummary]
    mean: MeanDifference | None


def kind_of(item: MatchedSummary, kinds: Kinds) -> str:
    """Tell whether a person or a machine wrote a summary.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> from pyramidion.pyramid.matching.scores import match_topic
    >>> pyramid = Pyramid.from_references({"A": "Ice."}, [("Ice", {"A": ["Ice"]})])
    >>> [kind_of(item, {}) for item in match_topic(pyramid, summaries={"7": "Rain."})]
    ['machine']
    """
    return "human" if item.role == "reference" else kinds.get(item.system, "machine")


def match_tables(topics: Sequence[MatchedTopic], kinds: Kinds) -> Iterator[Table]:
    """Lay out the means by topic and by assessor, and the scores of unannotated summaries.

    Parameters
    ----------
    topics
        The topics.
    kinds
        Systems with their kinds.

    Examples
    --------
    >>> list(match_tables([], {}))
    []
    """
    if any(topic.mean for topic in topics):
        yield _topics_table(topics)
        yield _assessors_table(topics)
    rows = _unannotated_rows(topics, kinds)
    if rows:
        columns = ("task", "system", "kind", "n", "automatic")
        title = "Summaries that nobody annotated: mean automatic scores"
        yield without_tasks(Table(columns, rows, title=title))


def _by_assessor(topics: Sequence[MatchedTopic]) -> list[tuple[str, list[MatchedTopic]]]:
    ordered = sorted(topics, key=lambda topic: natural_order(topic.assessor))
    return [(name, list(of)) for name, of in groupby(ordered, key=lambda topic: topic.assessor)]


def _mean_of_topics(topics: Sequence[MatchedTopic]) -> MeanDifference | None:
    return mean_differences([topic.mean for topic in topics if topic.mean is not None])


def _topics_table(topics: Sequence[MatchedTopic]) -> Table:
    rows = tuple(
        (topic.place.task, topic.place.topic, topic.assessor or _NOBODY, *_cells(topic.mean))
        for topic in topics
    )
    columns = ("task", "topic", "assessor", "n", "manual", "automatic", "manual - automatic")
    title = "Manual and automatic pyramid scores by topic"
    return without_tasks(Table(columns, rows, title=title, note=_NOTE))


def _assessors_table(topics: Sequence[MatchedTopic]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (name or _NOBODY, *_cells(_mean_of_topics(own))) for name, own in _by_assessor(topics)
    ]
    if len(rows) > 1:
        rows.append(("all", *_cells(_mean_of_topics(topics))))
    columns = ("assessor", "topics", "manual", "automatic", "manual - automatic")
    note = "Means over topics. Below 0: other summaries have marks that those scored lack."
    return Table(columns, tuple(rows), title="The same by assessor", note=note)


def _cells(mean: MeanDifference | None) -> tuple[Cell, ...]:
    return (0, None, None, None) if mean is None else tuple(getattr(mean, n) for n in _MEANS)


def _unannotated_rows(topics: Sequence[MatchedTopic], kinds: Kinds) -> tuple[tuple[Cell, ...], ...]:
    scores: dict[tuple[str, str], list[float]] = {}
    for topic in topics:
        for item in topic.found:
            if item.manual is None:
                key = topic.place.task, item.system
                scores.setdefault(key, []).append(item.automatic.modified)
    return tuple(
        (task, system, kinds.get(system, "machine"), len(values), float(np.mean(values)))
        for (task, system), values in sorted(scores.items(), key=_task_and_system)
    )


def _task_and_system(item: tuple[tuple[str, str], object]) -> tuple[object, ...]:
    return tuple(map(natural_order, item[0]))


def assessor_records(topics: Sequence[MatchedTopic], kinds: Kinds) -> list[dict[str, Any]]:
    """Give the same as data: assessors, in them their topics, in these the summaries.

    Parameters
    ----------
    topics
        The topics.
    kinds
        Systems with their kinds.

    Examples
    --------
    >>> assessor_records([], {})
    []
    """
    return [
        {
            "assessor": assessor,
            **_mean_record(_mean_of_topics(own)),
            "topics": [_topic_record(topic, kinds) for topic in own],
        }
        for assessor, own in _by_assessor(topics)
    ]


def _topic_record(topic: MatchedTopic, kinds: Kinds) -> dict[str, Any]:
    return {
        "task": topic.place.task,
        "topic": topic.place.topic,
        **_mean_record(topic.mean),
        "summaries": [_summary_record(item, topic.place, kinds) for item in topic.found],
    }


def _mean_record(mean: MeanDifference | None) -> dict[str, Any]:
    return dict(zip(_MEANS, _cells(mean), strict=True))


def _summary_record(item: MatchedSummary, place: TopicSummaries, kinds: Kinds) -> dict[str, Any]:
    # In the annotation a unit may have another uid, but the order is the pyramid's.
    units = zip(place.pyramid.scus, item.annotation.scus, strict=False)
    return {
        "system": item.system,
        "kind": kind_of(item, kinds),
        "role": item.role,
        "manual": None if item.manual is None else item.manual.modified,
        "automatic": item.automatic.modified,
        "difference": item.difference,
        "weight": item.automatic.weight,
        "max": item.automatic.max,
        "scus": [scu.uid for scu, found in units if found.contributors],
    }
