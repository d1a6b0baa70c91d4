"""Manual minus automatic pyramid scores, by topic and assessor.

An assessor who marks in one summary what she left unmarked in another gets a lower manual score
there than annotating from her other summaries would give. So the mean of manual minus automatic
scores tells how consistently a topic was annotated, and the mean over topics how consistently an
assessor annotates: the lower, the less (Owczarzak et al. 2012).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from pyramidion.collection import Collection, Judgment, ScoreMatrix, Scores
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError
from pyramidion.evaluation._assessors.panel import Panel, years_of_topics
from pyramidion.pyramid._topics import TopicSummaries, gather_topics, topic_assessors
from pyramidion.pyramid.matching.scores import match_topic

#: The measures that annotated pyramids give: people's, and by matching.
MANUAL, AUTOMATIC = "pyramid-modified", "pyramid-match"


@dataclass(frozen=True, slots=True)
class TopicDifference:
    """Mean scores of a topic's summaries."""

    collection: str
    task: str
    topic: str
    assessor: str
    n: int
    manual: float
    automatic: float
    difference: float


@dataclass(frozen=True, slots=True)
class AssessorDifference:
    """The mean over an assessor's topics, each counting the same."""

    collection: str | None
    assessor: str
    topics: int
    summaries: int
    manual: float
    automatic: float
    difference: float
    low: float
    high: float


def annotated_scores(collection: Collection, *, tasks: Sequence[str] = ()) -> Scores:
    """Score annotated summaries twice: by their annotation, and by those of the others.

    Peers are scored; where no peer of the collection is annotated, the references are. Manual
    scores are left out where the collection has some.
    """
    there = {key[0] for key in (*collection.pyramids, *collection.peer_annotations)}
    wanted = [task for task in tasks if task in there]
    if not there or (tasks and not wanted):
        return Scores({}, [])
    places = gather_topics(collection, tasks=wanted)
    role = "peer" if any(place.peers for place in places) else "reference"
    known = {(row.task, row.topic, row.measure) for row in _given(collection)}
    assessors, years = topic_assessors(collection), years_of_topics(collection)
    kinds = {} if role == "reference" else collection.systems
    rows = [
        replace(row, collection=years.get(row.topic, ("",))[0])
        for place in places
        for row in _twice(place, role, assessors.get((place.task, place.topic), ""), kinds)
        if (row.task, row.topic, row.measure) not in known
    ]
    return Scores.from_judgments(rows)


def _given(collection: Collection) -> Iterator[Judgment]:
    for name in (MANUAL, AUTOMATIC):
        yield from collection.scores.select(measure=name)


def _twice(
    place: TopicSummaries, role: str, assessor: str, kinds: Mapping[str, str]
) -> Iterator[Judgment]:
    usual = "human" if role == "reference" else "machine"
    for item in match_topic(place.pyramid, place.peers):
        if item.role == role and item.manual is not None and not math.isnan(item.difference):
            row = Judgment(place.topic, item.system, MANUAL, item.manual.modified, task=place.task)
            row = replace(row, kind=kinds.get(item.system, usual))
            yield replace(row, assessor=assessor)
            yield replace(row, measure=AUTOMATIC, value=item.automatic.modified)


def topic_differences(panel: Panel, manual: str, automatic: str) -> list[TopicDifference]:
    """Compare a manual measure with an automatic one of the same kind, topic by topic."""
    panel.judgments.require("measure", manual)
    panel.metrics.require("measure", automatic)
    found: list[TopicDifference] = []
    for collection in panel.collections:
        judged = panel.of(collection, manual)
        scored = panel.metrics.select(collection=collection, measure=automatic)
        for task in sorted({*judged.columns["task"]} & {*scored.columns["task"]}):
            other = ScoreMatrix.from_scores(scored, automatic, task=task)
            for assessor in judged.select(task=task).distinct("assessor"):
                own = judged.select(task=task, assessor=assessor)
                matrix = ScoreMatrix.from_scores(own, manual, task=task)
                found += _differences((collection, task, assessor), matrix, other)
    if not found:
        raise InputError(
            f"no summary has both {manual} and {automatic}", hint="score the same summaries"
        )
    return found


def _differences(
    who: tuple[str, str, str], manual: ScoreMatrix, automatic: ScoreMatrix
) -> Iterable[TopicDifference]:
    collection, task, assessor = who
    column = {system: place for place, system in enumerate(automatic.systems)}
    shared = [system for system in manual.systems if system in column]
    row = {topic: place for place, topic in enumerate(automatic.topics)}
    mine = manual.take(systems=shared).values
    for place, topic in enumerate(manual.topics):
        if topic not in row:
            continue
        other = automatic.values[row[topic], [column[system] for system in shared]]
        both = ~np.isnan(mine[place]) & ~np.isnan(other)
        if both.any():
            a, b = float(mine[place, both].mean()), float(other[both].mean())
            yield TopicDifference(collection, task, topic, assessor, int(both.sum()), a, b, a - b)


def assessor_differences(
    topics: Sequence[TopicDifference], *, confidence_level: float = 0.95
) -> list[AssessorDifference]:
    """Average over each assessor's topics, within each year and over all."""
    groups: dict[tuple[str | None, str], list[TopicDifference]] = {}
    years = {topic.collection for topic in topics}
    for topic in topics:
        groups.setdefault((topic.collection, topic.assessor), []).append(topic)
        if len(years) > 1:
            groups.setdefault((None, topic.assessor), []).append(topic)
    found = [_averaged(who, own, confidence_level) for who, own in groups.items()]
    return sorted(found, key=_order)


def _order(found: AssessorDifference) -> tuple[object, ...]:
    year = natural_order(found.collection or "")
    return found.collection is None, year, natural_order(found.assessor)


def _averaged(
    who: tuple[str | None, str], topics: Sequence[TopicDifference], level: float
) -> AssessorDifference:
    table = np.array(sorted((t.difference, t.manual, t.automatic) for t in topics))
    difference, manual, automatic = table.mean(axis=0).tolist()
    reach = math.nan
    if len(topics) > 1:
        error = float(table[:, 0].std(ddof=1)) / math.sqrt(len(topics))
        reach = -float(stdtrit(len(topics) - 1, (1 - level) / 2)) * error
    return AssessorDifference(
        *who,
        topics=len(topics),
        summaries=sum(topic.n for topic in topics),
        manual=manual,
        automatic=automatic,
        difference=difference,
        low=difference - reach,
        high=difference + reach,
    )
