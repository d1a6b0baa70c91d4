"""What a study looks at: topics with their input, the summaries by people and by machines."""

from collections import Counter
from collections.abc import Collection as Names
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection import Collection, Summary
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError, NotFoundError
from pyramidion.text._encoding import Reading, encode


@dataclass(frozen=True, slots=True)
class StudyPlace:
    """A topic of a task, with what people and machines wrote about it."""

    task: str
    topic: str
    documents: tuple[str, ...]
    references: tuple[Summary, ...]
    machines: tuple[Summary, ...]

    @property
    def name(self) -> str:
        """The topic and task in words, for messages."""
        return address_name(self.task, self.topic)


@dataclass(frozen=True, slots=True, eq=False)
class TopicWords:
    """How often the input and each summary of a topic have each word."""

    words: Sequence[str]
    input: Ints
    references: Ints
    machines: Ints
    writers: tuple[str, ...]
    systems: tuple[str, ...]

    @classmethod
    def of(cls, place: StudyPlace, reading: Reading) -> "TopicWords":
        """Count the words of a topic."""
        summaries = (*place.references, *place.machines)
        encoded = encode(
            ["\n".join(place.documents), *(summary.plain for summary in summaries)],
            tokenizer=reading.tokenizer,
            stem=reading.stem,
            stop_words=reading.stop_words,
        )
        size = len(encoded.words)
        rows = [np.bincount(encoded.text(n), minlength=size) for n in range(len(encoded))]
        table = np.array(rows, dtype=np.int64).reshape(len(encoded), size)
        people = 1 + len(place.references)
        return cls(
            encoded.words,
            table[0],
            table[1:people],
            table[people:],
            tuple(summary.system for summary in place.references),
            tuple(summary.system for summary in place.machines),
        )


def gather_places(
    collection: Collection, *, topics: Names[str] = (), tasks: Names[str] = ()
) -> tuple[list[StudyPlace], list[str]]:
    """Gather the topics that have both documents and summaries by people."""
    require_ids(collection, topics=topics, tasks=tasks)
    places, left_out = [], []
    for task, topic in _addresses(collection, topics, tasks):
        place = _place(collection, task, topic)
        lacking = _lacking(place)
        if lacking:
            left_out.append(f"{place.name}: it has no {lacking}")
        else:
            places.append(place)
    if not places:
        raise _nothing(collection, left_out)
    return places, left_out


def count_words_of(
    places: Iterable[StudyPlace], reading: Reading
) -> tuple[list[TopicWords], list[str]]:
    """Count the words of topics, and leave out those whose input has none that count."""
    counted, left_out = [], []
    for place in places:
        words = TopicWords.of(place, reading)
        if words.input.any():
            counted.append(words)
        else:
            left_out.append(f"{place.name}: the input has no word that counts")
    if not counted:
        raise InputError(
            "no input has a word that counts",
            hint="count all words, or use the tokenizer unicode for other scripts",
        )
    return counted, left_out


def require_ids(
    collection: Collection, *, topics: Iterable[str] = (), tasks: Iterable[str] = ()
) -> None:
    """Refuse a topic or task that is nowhere in a collection, and say which ones are."""
    known = (("topic", topics, collection.topic_ids), ("task", tasks, collection.task_ids))
    for kind, wanted, there in known:
        for name in wanted:
            if name not in there:
                listed = ", ".join(filter(None, there)) or "none"
                raise NotFoundError(f"there is no {kind} {name!r}", hint=f"there are: {listed}")


def commonest(numbers: Iterable[int]) -> int:
    """Give the number that is there most often, the greatest of those if several are."""
    counted = Counter(numbers)
    return max(counted, key=lambda number: (counted[number], number), default=0)


def top_weights(values: npt.ArrayLike, number: int) -> Floats:
    """Weigh the `number` greatest values: 1 each, those that tie for the last places in parts.

    What ties for the last places shares them evenly, so that no order of words decides. Zeros
    are never among the greatest.
    """
    counts = np.asarray(values, dtype=np.float64)
    there = np.sort(counts[counts > 0])[::-1]
    if len(there) <= number:
        return np.where(counts > 0, 1.0, 0.0)
    last = there[number - 1]
    sure = counts > last
    tied = counts == last
    weights: Floats = sure + tied * ((number - sure.sum()) / tied.sum())
    return weights


def column_means(values: Floats) -> Floats:
    """Give the mean of each column without its NaN; NaN where a column has nothing else."""
    there = ~np.isnan(values)
    means = np.full(values.shape[1], np.nan)
    sums = np.where(there, values, 0.0).sum(axis=0)
    np.divide(sums, there.sum(axis=0), out=means, where=there.any(axis=0))
    return means


def _addresses(
    collection: Collection, topics: Names[str], tasks: Names[str]
) -> Iterator[tuple[str, str]]:
    there = {(summary.task, summary.topic) for summary in collection.summaries}
    for task, topic in sorted(there, key=lambda key: tuple(map(natural_order, key))):
        if task in (tasks or (task,)) and topic in (topics or (topic,)):
            yield task, topic


def _place(collection: Collection, task: str, topic: str) -> StudyPlace:
    documents = collection.documents(topic, task)
    return StudyPlace(
        task,
        topic,
        tuple(document.text for document in documents if document.text.strip()),
        tuple(s for s in collection.references(topic, task) if s.plain.strip()),
        tuple(s for s in collection.peers(topic, task) if s.kind == "machine" and s.plain.strip()),
    )


def _lacking(place: StudyPlace) -> str:
    if not place.documents:
        return "documents"
    return "" if place.references else "summary by a person"


def _nothing(collection: Collection, left_out: Sequence[str]) -> InputError:
    if not any(topic.documents for topic in collection.topics):
        return InputError(
            f"no topic of {collection.name} has documents",
            hint="this study compares summaries with their input: add it to topics.jsonl",
        )
    if not left_out:
        return InputError(f"there are no summaries in {collection.name}", hint="add some")
    more = f" (and {len(left_out) - 1} more)" if len(left_out) > 1 else ""
    return InputError(
        f"no topic has both documents and a summary by a person: {left_out[0]}{more}",
        hint="add what is missing",
    )
