"""Summaries annotated from other summaries of the topic, beside what people annotated."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pyramidion.collection import Collection, Judgment, Signature
from pyramidion.errors import InputError
from pyramidion.pyramid._source import source_notes
from pyramidion.pyramid.matching import MatchRules
from pyramidion.pyramid.matching.scores import match_topic, mean_differences
from pyramidion.pyramid.topics import TopicSummaries, gather_topics, topic_assessors
from pyramidion.pyramid.units import reference_writers
from pyramidion.report.answer import Answer
from pyramidion.report.pyramid_auto_files import AutoFiles, Found, grouped_notes, read_source
from pyramidion.report.pyramid_auto_tables import (
    MatchedTopic,
    assessor_records,
    kind_of,
    match_tables,
)
from pyramidion.stats.inputs import choice

__all__ = ["MatchRequest", "match_answer"]

#: The measure under which scores by matching stand in tables of scores.
MEASURE = "pyramid-match"

Which = Literal["annotated", "all", "peers", "references"]


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """What to match, and how.

    Parameters
    ----------
    rules
        What counts as a match.
    which
        Whose manual and automatic scores are compared: ``peers``, ``references`` or ``all``;
        ``annotated`` means the annotated peers, and the references where no peer is annotated.
    topics, tasks
        Take these only; all if none is named.
    source_format
        The source's format; guessed if it is not given.

    Examples
    --------
    >>> MatchRequest(which="peers").rules.gap
    10
    """

    rules: MatchRules = field(default_factory=MatchRules)
    which: Which = "annotated"
    topics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    source_format: str | None = None

    def __post_init__(self) -> None:
        choice(self.which, "which", Which)


def match_answer(
    source: str | Path, request: MatchRequest, *, files: AutoFiles | None = None
) -> Answer:
    """Annotate every summary from the annotated others of its topic, and compare the scores.

    Parameters
    ----------
    source
        A collection with pyramids, in any format.
    request
        What to match.
    files
        Where annotations and scores are written.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old. Ice melts."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("mine", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = match_answer(f"{folder}/mine", MatchRequest())
    >>> answer.results[0]["topics"][0]["n"], answer.results[0]["difference"]
    (2, 0.0)
    """
    collection = read_source(source, format=request.source_format)
    places = gather_topics(collection, topics=request.topics, tasks=request.tasks)
    which = _compared(places, request.which)
    topics = _matched(collection, places, request.rules, which)
    if files is not None:
        files.write(collection, _found(collection, topics))
    return Answer(
        command="pyramid auto match",
        signature=Signature(
            f"{MEASURE}({request.rules})", data=collection.data_hash, details=(("of", which),)
        ),
        results=assessor_records(topics, collection.systems),
        tables=tuple(match_tables(topics, collection.systems)),
        left_out=(
            *source_notes(collection, but=("other pyramid", "empty pyramid")),
            *_left_out(places, topics),
        ),
    )


def _left_out(places: Sequence[TopicSummaries], topics: Sequence[MatchedTopic]) -> Iterator[str]:
    for place in places:
        yield from place.left_out
    yield from grouped_notes(
        (topic.place.name, note)
        for topic in topics
        for item in topic.found
        for note in item.annotation.notes
    )
    for topic in topics:
        scored = {item.system for item in topic.found}
        wanted = (*reference_writers(topic.place.pyramid), *topic.place.peers, *topic.place.texts)
        for system in dict.fromkeys(wanted):
            if system not in scored:
                yield f"{topic.place.name}, {system}: other references have too few content units"


def _compared(places: Sequence[TopicSummaries], which: Which) -> Which:
    if which != "annotated":
        return which
    return "peers" if any(place.peers for place in places) else "references"


def _matched(
    collection: Collection, places: Sequence[TopicSummaries], rules: MatchRules, which: Which
) -> list[MatchedTopic]:
    assessors = topic_assessors(collection)
    topics = []
    for place in places:
        if place.pyramid.membership.any():
            found = match_topic(place.pyramid, place.peers, place.texts, rules=rules)
            compared = [f for f in found if which in ("all", f"{f.role}s")]
            assessor = assessors.get((place.task, place.topic), "")
            topics.append(MatchedTopic(place, assessor, found, mean_differences(compared)))
    if not any(topic.found for topic in topics):
        raise InputError(
            f"there is no summary in {collection.name} that could be annotated from another",
            hint="a topic needs an annotated reference and another reference or a peer",
        )
    return topics


def _found(collection: Collection, topics: Sequence[MatchedTopic]) -> Found:
    pyramids, peers, values = {}, {}, {}
    kinds = collection.systems
    for topic in topics:
        task, name = topic.place.task, topic.place.topic
        for item in topic.found:
            # A writer of a reference may also be a peer, who comes after the references.
            values[task, name, item.system] = item
            pyramids[task, name] = item.annotation.pyramid
            if item.role == "peer":
                peers[task, name, item.system] = item.annotation
    judgments = [
        Judgment(topic, system, MEASURE, item.automatic.modified, task, kind_of(item, kinds))
        for (task, topic, system), item in values.items()
    ]
    return Found(pyramids, peers, judgments)
