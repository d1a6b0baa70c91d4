"""How frequent in the input the words are that people agree on (Table 4.2)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, ShapeError
from pyramidion.evaluation.study._places import TopicWords, column_means
from pyramidion.stats.correlation import Correlation, spearman

__all__ = ["InputClasses", "MachineClasses", "input_classes"]


@dataclass(frozen=True, slots=True)
class MachineClasses:
    """How much of each class of words a machine's summaries have.

    Parameters
    ----------
    system
        The machine.
    topics
        How many topics were averaged.
    shares
        The share of the words of classes 0, 1, ...; NaN where no topic has such words.
    own
        How many of its words no reference has, the mean over topics.

    Examples
    --------
    >>> MachineClasses("7", 1, (0.1, 0.5), 30.0).own
    30.0
    """

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

    Examples
    --------
    >>> topic = TopicWords(["ice", "sea"], np.array([5, 1]), np.array([[1, 0]]),
    ...                    np.zeros((0, 2), dtype=int), ("A",), ())
    >>> found = input_classes([topic])
    >>> found.mean_sizes.tolist(), found.mean_frequencies.tolist()
    ([1.0, 1.0], [1.0, 5.0])
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
    """Sort the words of each input by how many references have them.

    Parameters
    ----------
    topics
        Words of topics with as many references.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> from pyramidion.evaluation.study._places import StudyPlace
    >>> from pyramidion.text.encoding import Reading
    >>> place = StudyPlace("", "T1", ("Rain, rain and snow.",), (
    ...     Summary("T1", "A", "Rain."), Summary("T1", "B", "Rain and hail.")), ())
    >>> found = input_classes([TopicWords.of(place, Reading(stop_words=True))])
    >>> found.sizes.tolist(), found.totals.tolist(), found.absent.tolist()
    ([[1, 0, 1]], [[1, 0, 2]], [[0, 1, 0]])
    """
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
