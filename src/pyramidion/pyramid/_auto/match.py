"""Annotating summaries from others of the topic, and comparing that with manual annotation."""

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
from pyramidion.questions import option
from pyramidion.rendering.result import signed
from pyramidion.rendering.table import Cell, Table

#: The measure of scores by matching in tables of scores.
MEASURE = "pyramid-match"

ComparedSummaries = Literal["annotated", "all", "peers", "references"]


@dataclass(frozen=True, slots=True)
class MatchOptions(MatchRules):
    """What counts as a match, and whose scores are compared."""

    which: ComparedSummaries = option(
        "annotated",
        "Summaries whose scores are compared: peers, references, all, or annotated (peers if "
        "any are annotated, else references).",
        flags=("--of",),
    )


def match_summaries(source: PyramidSource, options: MatchOptions) -> AutoResult:
    """Annotate each summary with the words that annotators marked in the topic's others.

    Manual and automatic scores of annotated summaries are compared by topic and by assessor;
    summaries that nobody annotated get an automatic score.
    """
    collection = read_texts(source)
    topic_summaries = gather_topics(collection, topics=source.topic, tasks=source.task)
    compared = options.which
    if compared == "annotated":
        compared = "peers" if any(topic.peers for topic in topic_summaries) else "references"
    topics = _match_topics(collection, topic_summaries, options, compared, source.weights)
    left_out = (
        *(note for topic in topic_summaries for note in topic.left_out),
        *_left_out_notes(topics),
    )
    return AutoResult(
        command="pyramid auto",
        signature=signed(
            f"{MEASURE}({options})",
            collection.data_hash,
            of=compared,
            weights=source.other_weights,
        ),
        values=assessor_records(topics, collection.systems),
        tables=list(match_tables(topics, collection.systems)),
        left_out=(*source_notes(collection, exclude=REPORTED_ELSEWHERE), *left_out),
        annotations=_annotation_set(collection, topics),
    )


#: Systems with their kinds (`Collection.systems`).
Kinds = Mapping[str, str]

_NOTE = (
    "Modified pyramid scores. Automatic: each summary annotated with the contributors of all "
    "others of its topic. Content outside the pyramid is unknown, so there are no other scores."
)
_UNKNOWN_ASSESSOR = "not known"


@dataclass(frozen=True, slots=True)
class MatchedTopic:
    """A topic with its matched summaries, and the mean of those that are compared."""

    inputs: TopicSummaries
    assessor: str
    summaries: Sequence[MatchedSummary]
    mean: MeanDifference | None


def kind_of(summary: MatchedSummary, kinds: Kinds) -> str:
    """Return whether a person or a machine wrote a summary."""
    return "human" if summary.role == "reference" else kinds.get(summary.system, "machine")


def match_tables(topics: Sequence[MatchedTopic], kinds: Kinds) -> Iterator[Table]:
    """Tabulate the means by topic and by assessor, and the scores of unannotated summaries."""
    score_headings = ("manual", "automatic", "manual - automatic")
    if any(topic.mean for topic in topics):
        rows = tuple(
            (
                topic.inputs.task,
                topic.inputs.topic,
                topic.assessor or _UNKNOWN_ASSESSOR,
                *_cells(topic.mean),
            )
            for topic in topics
        )
        columns: tuple[str, ...] = ("task", "topic", "assessor", "n", *score_headings)
        title = "Manual and automatic pyramid scores by topic"
        yield without_tasks(Table(columns, rows, title=title, note=_NOTE, name="topics"))
        named_means = [
            (assessor, _mean_over_topics(group)) for assessor, group in _by_assessor(topics).items()
        ]
        if len(named_means) > 1:
            named_means.append(("all", _mean_over_topics(topics)))
        means = tuple((name or _UNKNOWN_ASSESSOR, *_cells(mean)) for name, mean in named_means)
        note = "Means over topics. Below 0: the same words are marked only in other summaries."
        title = "The same by assessor"
        yield Table(
            ("assessor", "topics", *score_headings), means, title=title, note=note, name="assessors"
        )
    scores = grouped(
        ((topic.inputs.task, summary.system), summary.automatic.modified)
        for topic in topics
        for summary in topic.summaries
        if summary.manual is None
    )
    if scores:
        unannotated_rows = tuple(
            (*key, kinds.get(key[1], "machine"), len(scores[key]), float(np.mean(scores[key])))
            for key in sorted(scores, key=natural_orders)
        )
        columns = ("task", "system", "kind", "n", "automatic")
        title = "Summaries that nobody annotated: mean automatic scores"
        yield without_tasks(Table(columns, unannotated_rows, title=title, name="unannotated"))


def _by_assessor(topics: Sequence[MatchedTopic]) -> dict[str, list[MatchedTopic]]:
    sorted_topics = sorted(topics, key=lambda topic: natural_order(topic.assessor))
    return grouped((topic.assessor, topic) for topic in sorted_topics)


def _mean_over_topics(topics: Sequence[MatchedTopic]) -> MeanDifference | None:
    return mean_differences([topic.mean for topic in topics if topic.mean is not None])


def _cells(mean: MeanDifference | None) -> tuple[Cell, ...]:
    return (0, None, None, None) if mean is None else astuple(mean)


def assessor_records(topics: Sequence[MatchedTopic], kinds: Kinds) -> list[dict[str, Any]]:
    """Return records of assessors, with their topics, with their summaries."""
    return [
        {
            "assessor": assessor,
            **_mean_record(_mean_over_topics(group)),
            "topics": [_topic_record(topic, kinds) for topic in group],
        }
        for assessor, group in _by_assessor(topics).items()
    ]


def _topic_record(topic: MatchedTopic, kinds: Kinds) -> dict[str, Any]:
    fields = {"task": topic.inputs.task, "topic": topic.inputs.topic, **_mean_record(topic.mean)}
    return fields | {
        "summaries": [_summary_record(s, topic.inputs, kinds) for s in topic.summaries]
    }


def _mean_record(mean: MeanDifference | None) -> dict[str, Any]:
    return dict(zip(("n", "manual", "automatic", "difference"), _cells(mean), strict=True))


def _summary_record(summary: MatchedSummary, topic: TopicSummaries, kinds: Kinds) -> dict[str, Any]:
    # A unit may have another uid in the annotation, but the order is the pyramid's.
    units = zip(topic.pyramid.scus, summary.annotation.scus, strict=False)
    return {
        "system": summary.system,
        "kind": kind_of(summary, kinds),
        "role": summary.role,
        "manual": None if summary.manual is None else summary.manual.modified,
        "automatic": summary.automatic.modified,
        "difference": summary.difference,
        "weight": summary.automatic.weight,
        "max": summary.automatic.max,
        "scus": [scu.uid for scu, marked_scu in units if marked_scu.contributors],
    }


def _left_out_notes(topics: Sequence[MatchedTopic]) -> Iterator[str]:
    yield from grouped_notes(
        (topic.inputs.name, note)
        for topic in topics
        for summary in topic.summaries
        for note in summary.annotation.notes
    )
    for topic in topics:
        scored_systems = {summary.system for summary in topic.summaries}
        inputs = topic.inputs
        systems = (*reference_writers(inputs.pyramid), *inputs.peers, *inputs.texts)
        for system in dict.fromkeys(systems):
            if system not in scored_systems:
                yield f"{inputs.name}, {system}: other references have too few content units"


def _match_topics(
    collection: Collection,
    topic_summaries: Sequence[TopicSummaries],
    rules: MatchRules,
    compared: ComparedSummaries,
    weights: WeightPolicy,
) -> list[MatchedTopic]:
    assessors = topic_assessors(collection)
    topics = []
    for topic in topic_summaries:
        if topic.pyramid.membership.any():
            texts = (topic.pyramid, topic.peers, topic.texts)
            summaries = match_topic(*texts, rules=rules, weights=weights)
            compared_summaries = [
                summary for summary in summaries if compared in ("all", f"{summary.role}s")
            ]
            assessor = assessors.get((topic.task, topic.topic), "")
            topics.append(
                MatchedTopic(topic, assessor, summaries, mean_differences(compared_summaries))
            )
    if not any(topic.summaries for topic in topics):
        message = f"there is no summary in {collection.name} that could be annotated from another"
        hint = "a topic needs an annotated reference and another reference or a peer"
        raise InputError(message, hint)
    return topics


def _annotation_set(collection: Collection, topics: Sequence[MatchedTopic]) -> AnnotationSet:
    pyramids, values = {}, {}
    peers: dict[tuple[str, ...], PeerAnnotation] = {}
    kinds = collection.systems
    for topic in topics:
        task, name = topic.inputs.task, topic.inputs.topic
        for summary in topic.summaries:
            # The writer of a reference may also be a peer, which comes after the references.
            values[task, name, summary.system] = summary
            pyramids[task, name] = summary.annotation.pyramid
            if summary.role == "peer":
                peers[task, name, summary.system] = summary.annotation
    judgments = [
        Judgment(topic, system, MEASURE, summary.automatic.modified, task, kind_of(summary, kinds))
        for (task, topic, system), summary in values.items()
    ]
    return AnnotationSet(collection, pyramids, peers, judgments)
