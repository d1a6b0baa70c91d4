"""The texts of a collection or a stream that are checked, all of them or a sample."""

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from itertools import accumulate
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pyramidion.checks import _thresholds as limits
from pyramidion.collection import Collection
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.stream import StreamItem

T = TypeVar("T")

#: Task and topic.
Topic = tuple[str, str]
#: Task, topic and system.
Key = tuple[str, str, str]


def one_line(text: str) -> str:
    """Collapse white space; most texts need no change."""
    is_one_line = text.isprintable() and "  " not in text
    return text.strip() if is_one_line else " ".join(text.split())


def evenly_spaced(items: Sequence[T], count: int) -> list[T]:
    """Choose some items at regular intervals."""
    count = min(count, len(items))
    return [items[index * len(items) // count] for index in range(count)]


@dataclass(frozen=True)
class TextsToCheck:
    """The texts to check, by address: task, topic and system."""

    summaries: Mapping[Key, str]
    references: Mapping[Key, str] = field(default_factory=dict)
    #: The documents of a task's topic as one text.
    documents: Mapping[Topic, str] = field(default_factory=dict)
    word_limits: Mapping[str, int | None] = field(default_factory=dict)
    #: How many of the first topics follow each other in the data; the others are a sample.
    consecutive: int | None = None
    #: The topics in the order of the data, if that is not the order of the summaries.
    order: tuple[Topic, ...] = ()

    @classmethod
    def of(cls, collection: Collection) -> "TextsToCheck":
        """Take the texts out of a collection."""
        summaries = {s.key: s.plain for s in collection.summaries if s.is_peer}
        references = {s.key: s.plain for s in collection.summaries if s.is_reference}
        topics = {key[:2] for key in (*summaries, *references)}
        documents = {
            (task, topic): "\n".join(document.text for document in articles)
            for task, topic in (topics if collection.topics else ())
            if (articles := collection.documents(topic, task))
        }
        tasks = {task.id: task.word_limit for task in collection.tasks}
        return cls(summaries, references, documents, tasks)

    def without(self, keys: Set[Key]) -> "TextsToCheck":
        """Leave summaries out."""
        if not keys:
            return self
        other_summaries = {key: text for key, text in self.summaries.items() if key not in keys}
        return replace(self, summaries=other_summaries)

    def sample(self) -> "TextsToCheck":
        """Keep the first topics, and of the others those with the lowest hashes."""
        if len(self.summaries) <= limits.MAX_SAMPLED_TOPICS:
            return self
        summary_counts = Counter(key[:2] for key in self.summaries)
        first_topics = [*summary_counts][: limits.FIRST_TOPICS]
        first_topics, sampled_topics = choose_topics(summary_counts, first_topics, {})
        chosen = {*first_topics, *sampled_topics}
        return replace(
            self,
            summaries={key: text for key, text in self.summaries.items() if key[:2] in chosen},
            references={key: text for key, text in self.references.items() if key[:2] in chosen},
            documents={topic: text for topic, text in self.documents.items() if topic in chosen},
            consecutive=len(first_topics),
        )

    @cached_property
    def systems(self) -> dict[str, dict[Key, str]]:
        """The summaries of each system that are not empty."""
        systems: dict[str, dict[Key, str]] = {}
        for key, text in self.summaries.items():
            if text and not text.isspace():
                systems.setdefault(key[2], {})[key] = text
        return systems

    @cached_property
    def by_topic(self) -> dict[Topic, list[tuple[Key, str]]]:
        """The references of each topic."""
        return grouped((key[:2], (key, text)) for key, text in self.references.items())


def topic_rank(topic: Topic) -> int:
    """Return the hash of a topic, which decides whether it is sampled."""
    # With a length, so that no other task and topic get the same name.
    name = f"{len(topic[0])}:{topic[0]}{topic[1]}".encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "little")


def choose_topics(
    summary_counts: Mapping[Topic, int],
    first_topics: Sequence[Topic],
    ranks: Mapping[Topic, int],
    limit: int = limits.MAX_SAMPLED_TOPICS,
) -> tuple[list[Topic], list[Topic]]:
    """Choose topics up to a limit of summaries: some of the first, then the lowest ranks.

    Neither the order of the data nor their parts matter for the ranks.
    """
    beginning = _topics_within(first_topics, summary_counts, limit // 2)
    other_topics = [topic for topic in summary_counts if topic not in {*beginning}]
    other_topics.sort(key=lambda topic: ranks.get(topic) or topic_rank(topic))
    return beginning, _topics_within(
        other_topics, summary_counts, limit - sum(summary_counts[topic] for topic in beginning)
    )


def _topics_within(
    topics: Sequence[Topic], summary_counts: Mapping[Topic, int], limit: int
) -> list[Topic]:
    totals = accumulate(summary_counts[topic] for topic in topics)
    return [topic for topic, total in zip(topics, totals, strict=True) if total <= limit]


class TextSample:
    """The texts of some topics of a stream; the samples of parts can be merged."""

    def __init__(self) -> None:
        # The first topics, and the highest rank of the others that are sampled.
        self._first_topics: list[Topic] = []
        self._max_rank = 2**64 - 1
        self._ranks: dict[Topic, int] = {}
        self._peers: dict[Topic, dict[str, str]] = {}
        self._references: dict[Topic, tuple[str, ...]] = {}

    def add(
        self,
        items: Sequence[StreamItem],
        texts: Sequence[str],
        references: Sequence[tuple[str, ...]],
        ranks: npt.NDArray[np.uint64],
    ) -> None:
        """Add the summaries of a batch whose topics are sampled."""
        is_sampled = ranks <= np.uint64(self._max_rank)
        if self._max_rank < 2**64 - 1:
            first_ranks = np.array([self._ranks[topic] for topic in self._first_topics], np.uint64)
            is_sampled |= np.isin(ranks, first_ranks)
        for index in np.flatnonzero(is_sampled).tolist():
            item, first_reference = items[index], references[index]
            topic = item.task, item.topic
            if topic not in self._peers:
                self._ranks[topic] = int(ranks[index])
                self._peers[topic], self._references[topic] = {}, first_reference
                if len(self._first_topics) < limits.FIRST_TOPICS and self._max_rank == 2**64 - 1:
                    self._first_topics.append(topic)
            self._peers[topic][item.system] = texts[index]
            self._references[topic] = min(self._references[topic], first_reference)
        self._trim()

    def _trim(self, limit: int = limits.MAX_SAMPLED_TOPICS) -> None:
        summary_counts = {topic: len(topic_peers) for topic, topic_peers in self._peers.items()}
        if sum(summary_counts.values()) <= limit:
            return
        self._first_topics, sampled = choose_topics(
            summary_counts, self._first_topics, self._ranks, limit
        )
        chosen = {*self._first_topics, *sampled}
        for topic in [topic for topic in summary_counts if topic not in chosen]:
            self._max_rank = min(self._max_rank, self._ranks.pop(topic) - 1)
            del self._peers[topic], self._references[topic]

    def merge(self, parts: Iterable["TextSample"]) -> None:
        """Add the samples of parts; the first topics are those of the first parts."""
        for part in parts:
            if self._max_rank == 2**64 - 1:
                topics = dict.fromkeys([*self._first_topics, *part._first_topics])
                self._first_topics = [*topics][: limits.FIRST_TOPICS]
            self._max_rank = min(self._max_rank, part._max_rank)
            self._ranks |= part._ranks
            for topic, topic_peers in part._peers.items():
                self._peers.setdefault(topic, {}).update(topic_peers)
                first_reference = part._references[topic]
                self._references[topic] = min(
                    self._references.get(topic, first_reference), first_reference
                )
            self._trim()

    def referees(self) -> set[str]:
        """Return systems for which enough summaries are among the references of their topics."""
        counts = Counter(
            system
            for topic, topic_peers in self._peers.items()
            for system, text in topic_peers.items()
            if text in self._references[topic]
        )
        min_topics = max(limits.MIN_TOPICS_TO_COMPARE, limits.UNUSUAL_SHARE * len(self._peers))
        return {system for system, count in counts.items() if count >= min_topics}

    def to_text(self) -> str:
        """Return a part of the sample as JSON: with fewer summaries, as there may be many parts."""
        self._trim(limits.MAX_SAMPLED_OF_PART)
        rows = [
            [
                *topic,
                self._ranks[topic],
                topic in self._first_topics,
                topic_peers,
                self._references[topic],
            ]
            for topic, topic_peers in self._peers.items()
        ]
        return b64encode(zlib.compress(json.dumps([self._max_rank, rows]).encode(), 1)).decode()

    @classmethod
    def from_text(cls, text: str) -> "TextSample":
        """Parse the output of `to_text`."""
        sample = cls()
        try:
            sample._max_rank, rows = json.loads(zlib.decompress(b64decode(text)))
        except zlib.error as error:
            raise ValueError(str(error)) from None
        for task, name, rank, is_first, peers, references in rows:
            topic = task, name
            sample._ranks[topic], sample._peers[topic] = rank, peers
            sample._references[topic] = tuple(references)
            if is_first:
                sample._first_topics.append(topic)
        return sample

    def texts(self) -> TextsToCheck:
        """Return the texts of the sample in natural order, independent of the order of the data."""
        topics = sorted(self._peers, key=natural_orders)
        summaries = {
            (*topic, system): self._peers[topic][system]
            for topic in topics
            for system in sorted(self._peers[topic], key=natural_order)
        }
        references = {
            (*topic, f"reference {number}"): text
            for topic in topics
            for number, text in enumerate(self._references[topic], start=1)
        }
        n_consecutive = None if self._max_rank == 2**64 - 1 else len(self._first_topics)
        # The order of the data shows whether rows are shifted.
        order = dict.fromkeys([*self._first_topics, *self._peers])
        return TextsToCheck(summaries, references, consecutive=n_consecutive, order=tuple(order))
