"""Show how frequent the words that people agree on are in the input (Table 4.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection.ids import natural_order
from pyramidion.collection.questions import question
from pyramidion.errors import InputError, ShapeError
from pyramidion.evaluation.study._agreed import AgreedClass, agreed_figure
from pyramidion.evaluation.study._places import (
    StudyPlace,
    TopicWords,
    column_means,
    commonest,
    count_words_of,
)
from pyramidion.evaluation.study._source import SourceAndPeers, StudyWords
from pyramidion.report.labels import counted
from pyramidion.report.result import Chart, Result
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data, shown
from pyramidion.stats._correlation import Correlation, spearman

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_CLASSES_NOTE = (
    "C_n: words of the input that exactly n references have. Size and frequency are means over "
    "topics; pooled: over all words of the class. Not in the input: words that n references have "
    "and no document."
)
_MACHINES_NOTE = (
    "Percentage of the words of each class that a summary has, the mean over topics; own words: "
    "how many of its words no reference has."
)


@dataclass(frozen=True, slots=True)
class MachineClasses:
    """How much of each class of words a machine's summaries have."""

    system: str
    topics: int
    shares: tuple[float, ...]
    own: float


@dataclass(frozen=True, slots=True, eq=False)
class InputClasses:
    """The words of inputs by how many references have them.

    Parameters
    ----------
    sizes
        Topics x classes: how many words of the input 0, 1, ... all references have.
    totals
        Topics x classes: how often the input has them, added up.
    absent
        Topics x classes: how many words only the references have (class 0 is empty).
    correlations
        Spearman's correlation of a word's frequency and its class, topic by topic.
    machines
        What machines have of the classes.
    """

    sizes: Ints
    totals: Ints
    absent: Ints
    correlations: tuple[Correlation, ...]
    machines: tuple[MachineClasses, ...] = field(default=())

    @property
    def references(self) -> int:
        """How many references each topic has."""
        return int(self.sizes.shape[1]) - 1

    @property
    def frequencies(self) -> Floats:
        """The mean frequency of a word of each class in each topic; NaN for an empty class."""
        means = np.full(self.sizes.shape, np.nan)
        np.divide(self.totals, self.sizes, out=means, where=self.sizes > 0)
        return means

    @property
    def mean_sizes(self) -> Floats:
        """The mean size of each class over topics."""
        means: Floats = self.sizes.mean(axis=0)
        return means

    @property
    def mean_frequencies(self) -> Floats:
        """The mean over topics of each class's mean frequency, empty classes left out."""
        return column_means(self.frequencies)

    @property
    def pooled_frequencies(self) -> Floats:
        """The mean frequency over all words of a class, whatever their topic."""
        sizes = self.sizes.sum(axis=0)
        means = np.full(len(sizes), np.nan)
        np.divide(self.totals.sum(axis=0), sizes, out=means, where=sizes > 0)
        return means


def input_classes(topics: Iterable[TopicWords]) -> InputClasses:
    """Sort the words of each input by how many references have them."""
    every = list(topics)
    references = _common_number(every)
    classes = [_of_topic(topic, references) for topic in every]
    machines: dict[str, list[tuple[Floats, int]]] = {}
    for topic, own in zip(every, classes, strict=True):
        for system, row in zip(topic.systems, topic.machines > 0, strict=True):
            machines.setdefault(system, []).append(own.used_by(row))
    return InputClasses(
        np.array([own.sizes for own in classes]),
        np.array([own.totals for own in classes]),
        np.array([own.absent for own in classes]),
        tuple(own.correlation for own in classes),
        _machines(machines),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _TopicClasses:
    """The classes of one topic: of each word, and their sizes."""

    weights: Ints
    there: Bools
    sizes: Ints
    totals: Ints
    absent: Ints
    correlation: Correlation

    def used_by(self, row: Bools) -> tuple[Floats, int]:
        """Give the share of each class that a summary has, and how many words no reference has."""
        used = np.bincount(self.weights[self.there & row], minlength=len(self.sizes))
        shares = np.full(len(self.sizes), np.nan)
        np.divide(used, self.sizes, out=shares, where=self.sizes > 0)
        return shares, int((row & (self.weights == 0)).sum())


def _of_topic(topic: TopicWords, references: int) -> _TopicClasses:
    weights: Ints = (topic.references > 0).sum(axis=0)
    there = topic.input > 0
    return _TopicClasses(
        weights,
        there,
        np.bincount(weights[there], minlength=references + 1),
        np.bincount(weights, topic.input, references + 1).astype(np.int64),
        np.bincount(weights[~there & (weights > 0)], minlength=references + 1),
        _correlation(topic.input[there], weights[there]),
    )


def _common_number(topics: Sequence[TopicWords]) -> int:
    numbers = sorted({len(topic.writers) for topic in topics})
    if not numbers:
        raise InputError("there is no topic", hint="give one or more")
    if len(numbers) > 1:
        raise ShapeError(
            f"topics with {', '.join(map(str, numbers))} references have different classes",
            hint="take topics with as many references",
        )
    return numbers[0]


def _correlation(frequencies: Ints, weights: Ints) -> Correlation:
    if len(weights) < 3:
        return Correlation(np.nan, np.nan, np.nan, len(weights), "t", "fewer than three words")
    return spearman(frequencies, weights)


def _machines(found: Mapping[str, list[tuple[Floats, int]]]) -> tuple[MachineClasses, ...]:
    return tuple(
        MachineClasses(
            system,
            len(found[system]),
            tuple(column_means(np.array([shares for shares, _ in found[system]])).tolist()),
            float(np.mean([own for _, own in found[system]])),
        )
        for system in sorted(found, key=natural_order)
    )


@dataclass(frozen=True, slots=True)
class _WordClass:
    """The words that so many references have, over all topics."""

    number: int
    size: float
    frequency: float
    pooled: float
    absent: float


_CLASS: View[_WordClass] = View(
    "classes",
    (
        Column("class", "class", lambda own: own.number, lambda own: f"C{own.number}"),
        Column("size", "size"),
        Column("frequency", "frequency"),
        Column("pooled_frequency", "pooled", lambda own: own.pooled),
        Column("absent", "not in the input", show=lambda own: own.absent if own.number else None),
    ),
    digits=2,
)


@question
def word_classes(source: SourceAndPeers, words: StudyWords) -> Result[InputClasses]:
    """Show how frequent the words that people agree on are in the input (Table 4.2).

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> word_classes(mine)[0].mean_frequencies.tolist()
    [1.5, 2.0]
    """
    collection = source.read()
    places, left_out = source.places(collection)
    alike, others = _with_as_many_references(places)
    topics, wordless = count_words_of(alike, words.reading)
    found = input_classes(topics)
    return Result(
        command="study word-classes",
        signature=source.sign(f"word-classes({words.name})", collection, ("tok", words.tokenizer)),
        values=[found],
        record=_record,
        tables=[_classes_table(found), *_machines_tables(found)],
        left_out=(*collection.left_out, *left_out, *others, *wordless),
        charts=[Chart("classes", partial(_figure, found))],
    )


def _with_as_many_references(places: Sequence[StudyPlace]) -> tuple[list[StudyPlace], list[str]]:
    number = commonest(len(place.references) for place in places)
    alike = [place for place in places if len(place.references) == number]
    others = [
        f"{place.name}: {counted(len(place.references), 'reference')}, most topics have {number}"
        for place in places
        if len(place.references) != number
    ]
    return alike, others


def _classes_of(found: InputClasses) -> list[_WordClass]:
    columns = (
        found.mean_sizes, found.mean_frequencies, found.pooled_frequencies,
        found.absent.mean(axis=0),
    )  # fmt: skip
    return [_WordClass(number, *own) for number, own in enumerate(np.stack(columns, 1).tolist())]


def _classes_table(found: InputClasses) -> Table:
    title = f"Frequency in the input of what people agree on: {counted(len(found.sizes), 'topic')}"
    mean = _spearman(found)
    told = "Spearman's correlation of a word's frequency and its class"
    more = "" if mean is None else f" {told}: {mean:.2f}, mean over topics."
    return _CLASS.table(_classes_of(found)[::-1], title, f"{_CLASSES_NOTE}{more}")


def _spearman(found: InputClasses) -> float | None:
    defined = [own.value for own in found.correlations if not own.undefined]
    return float(np.mean(defined)) if defined else None


def _machines_view(references: int) -> View[MachineClasses]:
    return View(
        "machines",
        (
            Column("system", "system"),
            Column("topics", "topics"),
            data("shares"),
            *(shown(f"C{n}", partial(_per_cent, n)) for n in range(references, -1, -1)),
            Column("own", "own words"),
        ),
        digits=1,
    )


def _per_cent(number: int, machine: MachineClasses) -> float:
    return 100 * machine.shares[number]


def _machines_tables(found: InputClasses) -> list[Table]:
    title = "What machines have of the words people agree on, per cent"
    view = _machines_view(found.references)
    return [view.table(found.machines, title, _MACHINES_NOTE)] if found.machines else []


def _record(found: InputClasses) -> dict[str, Any]:
    return {
        "study": "word-classes",
        "topics": len(found.sizes),
        "references": found.references,
        "classes": _CLASS.records(_classes_of(found)),
        "spearman": _spearman(found),
        "machines": _machines_view(found.references).records(found.machines),
    }


def _figure(found: InputClasses) -> "Figure":
    classes = []
    for own, frequencies in zip(_classes_of(found), found.frequencies.T, strict=True):
        there = frequencies[~np.isnan(frequencies)]
        low, high = (there.min(), there.max()) if len(there) else (np.nan, np.nan)
        ends = float(low), float(high)
        classes.append(AgreedClass(own.number, own.size, own.frequency, np.nan, *ends))
    return agreed_figure(
        classes,
        title="How frequent the words are that people agree on",
        note=f"mean over {counted(len(found.sizes), 'topic')} of a word's frequency in the input",
        label="frequency in the input",
        bars="from the topic with the least mean to that with the greatest",
    )
