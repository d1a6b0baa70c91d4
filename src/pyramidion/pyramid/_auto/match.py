"""Summaries annotated from other summaries of the topic, beside what people annotated."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from typing import Any, Literal

import numpy as np

from pyramidion.collection import Collection, Judgment, PeerAnnotation
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.pyramids import WeightPolicy
from pyramidion.errors import InputError
from pyramidion.pyramid._auto.marks import (
    MatchedSummary,
    MatchRules,
    MeanDifference,
    match_topic,
    mean_differences,
)
from pyramidion.pyramid._auto.results import AnnotationSet, AutoResult, grouped_notes, read_texts
from pyramidion.pyramid.cases import REPORTED_ELSEWHERE, PyramidSource, source_notes, without_tasks
from pyramidion.pyramid.content_units import reference_writers
from pyramidion.pyramid.topics import TopicSummaries, gather_topics, topic_assessors
from pyramidion.questions import option, question
from pyramidion.rendering.result import signed
from pyramidion.rendering.table import Cell, Table

#: The measure of scores by matching in tables of scores.
MEASURE = "pyramid-match"

Which = Literal["annotated", "all", "peers", "references"]


@dataclass(frozen=True, slots=True)
class MatchOptions(MatchRules):
    """What counts as a match, and whose scores are compared."""

    which: Which = option(
        "annotated",
        "Summaries whose scores are compared: peers, references, all, or annotated (peers if "
        "any are annotated, else references).",
        flags=("--of",),
    )


@question
def match_summaries(source: PyramidSource, options: MatchOptions) -> AutoResult:
    """Annotate each summary with the wording annotators marked in the topic's other summaries.

    Manual and automatic scores of annotated summaries are compared by topic and by assessor;
    summaries that nobody annotated get an automatic score.

    Examples
    --------
    >>> from pyramidion import Collection, Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old. Ice melts."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> result = match_summaries(Collection("mine", pyramids={("", "T1"): pyramid}))
    >>> result[0]["topics"][0]["n"], result[0]["difference"]
    (2, 0.0)
    """
    collection = read_texts(source)
    topics_read = gather_topics(collection, topics=source.topic, tasks=source.task)
    which = options.which
    if which == "annotated":
        which = "peers" if any(topic.peers for topic in topics_read) else "references"
    topics = _matched(collection, topics_read, options, which, source.weights)
    return AutoResult(
        command="pyramid auto",
        signature=signed(
            f"{MEASURE}({options})", collection.data_hash, of=which, weights=source.other_weights
        ),
        values=assessor_records(topics, collection.systems),
        tables=list(match_tables(topics, collection.systems)),
        left_out=(
            *source_notes(collection, exclude=REPORTED_ELSEWHERE),
            *_left_out(topics_read, topics),
        ),
        annotations=_annotation_set(collection, topics),
    )


#: Systems with their kinds (`Collection.systems`).
Kinds = Mapping[str, str]

_NOTE = (
    "Modified pyramid scores. Automatic: each summary annotated with the contributors of all the "
    "others of its topic. What a summary says beyond the pyramid stays unknown, so the other "
    "scores are not given."
)
_NOBODY = "not known"


@dataclass(frozen=True, slots=True)
class MatchedTopic:
    """A topic with its summaries as they were matched, and the mean of those compared."""

    inputs: TopicSummaries
    assessor: str
    summaries: Sequence[MatchedSummary]
    mean: MeanDifference | None


def kind_of(item: MatchedSummary, kinds: Kinds) -> str:
    """Return whether a person or a machine wrote a summary."""
    return "human" if item.role == "reference" else kinds.get(item.system, "machine")


def match_tables(topics: Sequence[MatchedTopic], kinds: Kinds) -> Iterator[Table]:
    """Lay out the means by topic and by assessor, and the scores of unannotated summaries."""
    heads = ("manual", "automatic", "manual - automatic")
    if any(topic.mean for topic in topics):
        rows = tuple(
            (topic.inputs.task, topic.inputs.topic, topic.assessor or _NOBODY, *_cells(topic.mean))
            for topic in topics
        )
        columns: tuple[str, ...] = ("task", "topic", "assessor", "n", *heads)
        title = "Manual and automatic pyramid scores by topic"
        yield without_tasks(Table(columns, rows, title=title, note=_NOTE, name="topics"))
        by_assessor = [
            (name, _mean_of_topics(assessor_topics))
            for name, assessor_topics in _by_assessor(topics).items()
        ]
        if len(by_assessor) > 1:
            by_assessor.append(("all", _mean_of_topics(topics)))
        means = tuple((name or _NOBODY, *_cells(mean)) for name, mean in by_assessor)
        note = "Means over topics. Below 0: other summaries have marks that those scored lack."
        title = "The same by assessor"
        yield Table(("assessor", "topics", *heads), means, title=title, note=note, name="assessors")
    scores = grouped(
        ((topic.inputs.task, item.system), item.automatic.modified)
        for topic in topics
        for item in topic.summaries
        if item.manual is None
    )
    if scores:
        unannotated = tuple(
            (*key, kinds.get(key[1], "machine"), len(scores[key]), float(np.mean(scores[key])))
            for key in sorted(scores, key=natural_orders)
        )
        columns = ("task", "system", "kind", "n", "automatic")
        title = "Summaries that nobody annotated: mean automatic scores"
        yield without_tasks(Table(columns, unannotated, title=title, name="unannotated"))


def _by_assessor(topics: Sequence[MatchedTopic]) -> dict[str, list[MatchedTopic]]:
    ordered = sorted(topics, key=lambda topic: natural_order(topic.assessor))
    return grouped((topic.assessor, topic) for topic in ordered)


def _mean_of_topics(topics: Sequence[MatchedTopic]) -> MeanDifference | None:
    return mean_differences([topic.mean for topic in topics if topic.mean is not None])


def _cells(mean: MeanDifference | None) -> tuple[Cell, ...]:
    return (0, None, None, None) if mean is None else astuple(mean)


def assessor_records(topics: Sequence[MatchedTopic], kinds: Kinds) -> list[dict[str, Any]]:
    """Return the same as data: assessors, in them their topics, in these the summaries."""
    return [
        {
            "assessor": assessor,
            **_mean_record(_mean_of_topics(assessor_topics)),
            "topics": [
                {
                    "task": topic.inputs.task,
                    "topic": topic.inputs.topic,
                    **_mean_record(topic.mean),
                    "summaries": [
                        _summary_record(summary, topic.inputs, kinds) for summary in topic.summaries
                    ],
                }
                for topic in assessor_topics
            ],
        }
        for assessor, assessor_topics in _by_assessor(topics).items()
    ]


def _mean_record(mean: MeanDifference | None) -> dict[str, Any]:
    return dict(zip(("n", "manual", "automatic", "difference"), _cells(mean), strict=True))


def _summary_record(item: MatchedSummary, topic: TopicSummaries, kinds: Kinds) -> dict[str, Any]:
    # In the annotation a unit may have another uid, but the order is the pyramid's.
    units = zip(topic.pyramid.scus, item.annotation.scus, strict=False)
    return {
        "system": item.system,
        "kind": kind_of(item, kinds),
        "role": item.role,
        "manual": None if item.manual is None else item.manual.modified,
        "automatic": item.automatic.modified,
        "difference": item.difference,
        "weight": item.automatic.weight,
        "max": item.automatic.max,
        "scus": [scu.uid for scu, marked in units if marked.contributors],
    }


def _left_out(
    topics_read: Sequence[TopicSummaries], topics: Sequence[MatchedTopic]
) -> Iterator[str]:
    for gathered in topics_read:
        yield from gathered.left_out
    yield from grouped_notes(
        (topic.inputs.name, note)
        for topic in topics
        for item in topic.summaries
        for note in item.annotation.notes
    )
    for topic in topics:
        scored = {item.system for item in topic.summaries}
        systems = (
            *reference_writers(topic.inputs.pyramid),
            *topic.inputs.peers,
            *topic.inputs.texts,
        )
        for system in dict.fromkeys(systems):
            if system not in scored:
                yield f"{topic.inputs.name}, {system}: other references have too few content units"


def _matched(
    collection: Collection,
    topics_read: Sequence[TopicSummaries],
    rules: MatchRules,
    which: Which,
    weights: WeightPolicy,
) -> list[MatchedTopic]:
    assessors = topic_assessors(collection)
    topics = []
    for topic in topics_read:
        if topic.pyramid.membership.any():
            texts = (topic.pyramid, topic.peers, topic.texts)
            summaries = match_topic(*texts, rules=rules, weights=weights)
            compared = [f for f in summaries if which in ("all", f"{f.role}s")]
            assessor = assessors.get((topic.task, topic.topic), "")
            topics.append(MatchedTopic(topic, assessor, summaries, mean_differences(compared)))
    if not any(topic.summaries for topic in topics):
        what = f"there is no summary in {collection.name} that could be annotated from another"
        raise InputError(
            what, "a topic needs an annotated reference and another reference or a peer"
        )
    return topics


def _annotation_set(collection: Collection, topics: Sequence[MatchedTopic]) -> AnnotationSet:
    pyramids, values = {}, {}
    peers: dict[tuple[str, ...], PeerAnnotation] = {}
    kinds = collection.systems
    for topic in topics:
        task, name = topic.inputs.task, topic.inputs.topic
        for item in topic.summaries:
            # A writer of a reference may also be a peer, who comes after the references.
            values[task, name, item.system] = item
            pyramids[task, name] = item.annotation.pyramid
            if item.role == "peer":
                peers[task, name, item.system] = item.annotation
    judgments = [
        Judgment(topic, system, MEASURE, item.automatic.modified, task, kind_of(item, kinds))
        for (task, topic, system), item in values.items()
    ]
    return AnnotationSet(collection, pyramids, peers, judgments)
