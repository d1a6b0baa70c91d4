"""Years of an evaluation to learn from, and the versions that are trained on them."""

from collections.abc import Collection as Several
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy._features import Peers
from pyramidion.classy._fits import METHODS
from pyramidion.collection import Collection, ScoreMatrix, Scores, Summary
from pyramidion.errors import InputError, NotFoundError

# The four versions of the papers, and what they are trained to predict.

#: What may hold the judgments, by what is judged; the first that a year has is taken.
HUMAN_MEASURES: Mapping[str, tuple[str, ...]] = {
    "pyramid": ("pyramid-modified", "pyramid"),
    "responsiveness": ("responsiveness",),
    "readability": ("readability",),
}


@dataclass(frozen=True, slots=True)
class Version:
    """A model to be trained: what it predicts, and by which methods."""

    label: str
    target: str
    methods: tuple[str, ...] = METHODS


#: In the order of Tables 5.2 and 5.3.
VERSIONS: tuple[Version, ...] = (
    Version("8", "pyramid"),
    Version("25", "responsiveness"),
    Version("23", "readability"),
    Version("6", "responsiveness", ("nonneg",)),
)


def chosen_versions(labels: Sequence[str], targets: Sequence[str] = ()) -> tuple[Version, ...]:
    """Give versions by their labels, or for any targets; none or ``all`` means all four."""
    if targets and labels:
        raise InputError("versions and targets exclude each other", hint="name one of them")
    if targets:
        return tuple(Version(target, target) for target in dict.fromkeys(targets))
    if not labels or "all" in labels:
        return VERSIONS
    known = {version.label: version for version in VERSIONS}
    for label in labels:
        if label not in known:
            raise NotFoundError(
                f"there is no version {label!r}", hint=f"use {', '.join(known)} or all"
            )
    return tuple(version for label, version in known.items() if label in labels)


def human_measures(named: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Read what the measures of a collection are called, such as ``pyramid=scu-recall``."""
    measures = dict(HUMAN_MEASURES)
    for text in named:
        judged, _, measure = (part.strip() for part in text.partition("="))
        if judged not in HUMAN_MEASURES or not measure:
            raise InputError(
                f"{text!r} names no human measure",
                hint=f"write one of {', '.join(HUMAN_MEASURES)}, then = and the measure's name",
            )
        measures[judged] = (measure,)
    return measures


# A year of an evaluation, as something to learn from.


@dataclass(frozen=True, eq=False)
class Year:
    """A collection with judgments."""

    name: str
    collection: Collection
    measures: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: HUMAN_MEASURES)
    without_assessors: Several[str] = ()

    def peers(self, task: str, peers: Peers) -> tuple[Summary, ...]:
        """Give the summaries to learn from."""
        found = tuple(
            summary
            for summary in self.collection.summaries
            if summary.is_peer
            and summary.task == task
            and (peers == "all" or summary.kind == "machine")
        )
        if not found:
            whose = "by a machine " if peers == "no-models" else ""
            raise InputError(
                f"{self.name} has no summary {whose}to learn from{of_task(task)}",
                hint="add summaries, or train for other peers or tasks",
            )
        if peers == "all" and not any(summary.kind == "human" for summary in found):
            raise InputError(
                f"{self.name} has no summary by a person to learn from{of_task(task)}",
                hint="train with the peers no-models",
            )
        return found

    @cached_property
    def tasks(self) -> tuple[str, ...]:
        """The tasks that have summaries to learn from."""
        used = {summary.task for summary in self.collection.summaries if summary.is_peer}
        return tuple(task for task in self.collection.task_ids if task in used)

    def measure(self, target: str, task: str) -> str:
        """Find the measure that holds the judgments of a target."""
        names = self.measures.get(target, (target,))
        there = self.collection.scores.select(task=task).measures
        for name in names:
            if name in there:
                return name
        named = f"name yours with {target}=NAME; " if target in self.measures else ""
        raise NotFoundError(
            f"{self.name} has no {' or '.join(names)}{of_task(task)}",
            hint=f"{named}there are: {', '.join(there) or 'no scores'}",
        )

    def values(self, summaries: Sequence[Summary], target: str) -> Floats:
        """Give the mean judgment of each summary; NaN where there is none."""
        task = summaries[0].task
        scores = self.collection.scores.select(task=task, measure=self.measure(target, task))
        matrix = ScoreMatrix.from_scores(self._without_left_out(scores), scores.measures[0])
        rows = {topic: row for row, topic in enumerate(matrix.topics)}
        columns = {system: column for column, system in enumerate(matrix.systems)}
        values = np.full(len(summaries), np.nan)
        for number, summary in enumerate(summaries):
            if summary.topic in rows and summary.system in columns:
                values[number] = matrix.values[rows[summary.topic], columns[summary.system]]
        return values

    def _without_left_out(self, scores: Scores) -> Scores:
        """Leave out the topics that some assessors judged, by this measure or as their own."""
        unwanted = set(self.without_assessors)
        if not unwanted:
            return scores
        topics = {topic.id for topic in self.collection.topics if topic.assessor in unwanted}
        judged = zip(scores.columns["topic"], scores.columns["assessor"], strict=True)
        topics |= {topic for topic, assessor in judged if assessor in unwanted}
        keep = np.array([topic not in topics for topic in scores.columns["topic"]], dtype=bool)
        if not keep.any():
            raise InputError(
                f"{self.name}: no topic is left without {', '.join(sorted(unwanted))}",
                hint="leave out fewer assessors",
            )
        return scores.rows(keep)

    @cached_property
    def assessors(self) -> frozenset[str]:
        """Everybody who judged."""
        own = (topic.assessor for topic in self.collection.topics)
        return frozenset({*own, *self.collection.scores.distinct("assessor")} - {""})


def of_task(task: str) -> str:
    """Say which task is meant, for messages; nothing if it has no name."""
    return f" for task {task}" if task else ""


def topic_parts(collection: Collection, parts: int, *, seed: int = 0) -> Iterator[Collection]:
    """Cut a collection into parts with different topics, to play the years of a longer study.

    Parameters
    ----------
    collection
        What to cut.
    parts
        How many.
    seed
        Shuffles the topics.

    Examples
    --------
    >>> summaries = tuple(Summary(f"T{number}", "7", "Rain.") for number in range(5))
    >>> [len(part.summaries) for part in topic_parts(Collection("mine", summaries=summaries), 2)]
    [3, 2]
    """
    topics = collection.topic_ids
    if not 1 <= parts <= len(topics):
        raise InputError(
            f"{len(topics)} topics cannot be cut into {parts} parts", hint="ask for fewer parts"
        )
    shuffled = np.random.default_rng(seed).permutation(len(topics))
    for number, chosen in enumerate(np.array_split(shuffled, parts), start=1):
        own = {topics[place] for place in chosen.tolist()}
        in_part = [topic in own for topic in collection.scores.columns["topic"]]
        yield replace(
            collection,
            name=f"{collection.name}, part {number}",
            topics=tuple(topic for topic in collection.topics if topic.id in own),
            summaries=tuple(s for s in collection.summaries if s.topic in own),
            scores=collection.scores.rows(np.array(in_part, dtype=bool)),
            pyramids={key: value for key, value in collection.pyramids.items() if key[1] in own},
            peer_annotations={
                key: value for key, value in collection.peer_annotations.items() if key[1] in own
            },
        )
