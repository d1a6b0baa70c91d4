"""Importance classes: how many content units, words and sentences so many people chose (3.3.1).

Class w holds what exactly w of the references express. Few units are in the high classes and
many in the low ones, whether they are content units, words or judged sentences (Figure 3.3).
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.pyramids import Pyramid
from pyramidion.collection.scores import Scores
from pyramidion.errors import InputError, ShapeError
from pyramidion.pyramid.zipf import ZipfFit, fit_zipf
from pyramidion.stats.inputs import choice
from pyramidion.text import Tokenizer, words

__all__ = [
    "Granularity",
    "ImportanceClasses",
    "WordChoice",
    "sentence_classes",
    "unit_classes",
    "word_classes",
]

Granularity = Literal["content units", "words", "sentences"]
WordChoice = Literal["content", "all"]

#: Sentences judged below this are one class in Figure 3.3.
_COLLAPSED = 7


@dataclass(frozen=True, slots=True, eq=False)
class ImportanceClasses:
    """The sizes of importance classes.

    Parameters
    ----------
    granularity
        What is counted.
    sizes
        How many units are in each class, the least important first.
    labels
        What the classes are called: how many references express their units, or how sentences
        were judged.
    topics
        How many topics were added up.

    Examples
    --------
    >>> classes = ImportanceClasses("words", np.array([6, 3, 2]), ("1", "2", "3"), topics=1)
    >>> round(classes.fit().slope, 6), round(classes.mean_weight, 2)
    (1.0, 1.64)
    """

    granularity: Granularity
    sizes: NDArray[np.int64]
    labels: tuple[str, ...]
    topics: int

    @property
    def mean_weight(self) -> float:
        """The mean class of a unit, counted from 1."""
        total = int(self.sizes.sum())
        places = np.arange(1, len(self.sizes) + 1)
        return float(self.sizes @ places) / total if total else float("nan")

    def fit(self) -> ZipfFit:
        """Fit Zipf's law, the classes numbered from 1."""
        return fit_zipf(self.sizes)


def unit_classes(pyramids: Iterable[Pyramid]) -> ImportanceClasses:
    """Count the content units of each weight, over pyramids of as many references.

    Parameters
    ----------
    pyramids
        Pyramids with the same number of references. Units that no reference expresses are in
        no class.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> unit_classes([pyramid, pyramid]).sizes.tolist()
    [2, 2]
    """
    every = list(pyramids)
    references = _common_references(every)
    weights = np.concatenate([pyramid.weights for pyramid in every])
    return _of_weights("content units", weights, references, len(every))


def word_classes(
    pyramids: Iterable[Pyramid],
    *,
    choose: WordChoice = "content",
    stem: bool = False,
    tokenizer: Tokenizer = "unicode",
) -> ImportanceClasses:
    """Count the words that so many references of a pyramid contain, over pyramids.

    Parameters
    ----------
    pyramids
        Pyramids with the same number of references.
    choose
        ``content`` drops stop words; ``all`` keeps them. The thesis speaks of content words, but
        its table of class sizes counts all words.
    stem
        Whether forms of a word are one.
    tokenizer
        What a word is, see `pyramidion.text.tokenize`.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "The ice melts.", "B": "The ice is melting."}, [("Ice", {"A": ["ice"]})])
    >>> word_classes([pyramid]).sizes.tolist(), word_classes([pyramid], stem=True).sizes.tolist()
    ([2, 1], [0, 2])
    >>> word_classes([pyramid], choose="all").sizes.tolist()
    [3, 2]
    """
    choice(choose, "choose", WordChoice)
    every = list(pyramids)
    references = _common_references(every)
    weights: list[int] = []
    for pyramid in every:
        used: Counter[str] = Counter()
        for reference in pyramid.references:
            text = pyramid.text[reference.start : reference.end]
            used.update(
                set(words(text, tokenizer=tokenizer, stem=stem, stop_words=choose == "content"))
            )
        weights.extend(used.values())
    return _of_weights("words", np.array(weights, dtype=np.int64), references, len(every))


def sentence_classes(scores: Scores, *, measure: str = "relative-utility") -> ImportanceClasses:
    """Count sentences of the input by how useful people judged them for a summary.

    The judgments from 0 to 10 of a sentence are averaged and rounded (half up); what is below 7
    is one class, the first, and 7 to 10 are the next four.

    Parameters
    ----------
    scores
        A table of scores that has judgments of single sentences (a `unit` is named).
    measure
        The judgments' measure.

    Examples
    --------
    >>> table = Scores({"topic": ["T1"] * 3, "measure": ["relative-utility"] * 3,
    ...                 "unit": ["d/1", "d/1", "d/2"], "assessor": ["K", "L", "K"]}, [9, 10, 3])
    >>> classes = sentence_classes(table)
    >>> dict(zip(classes.labels, classes.sizes.tolist()))
    {'below 7': 1, '7': 0, '8': 0, '9': 0, '10': 1}
    """
    judged = scores.select(measure=measure)
    columns = judged.columns
    groups: dict[tuple[str, ...], list[float]] = {}
    for *address, value in zip(
        columns["collection"], columns["topic"], columns["unit"], judged.value, strict=True
    ):
        if address[-1]:
            groups.setdefault(tuple(address), []).append(value)
    if not groups:
        raise InputError(
            f"no sentence has a judgment of {measure}", hint="judge sentences of the input"
        )
    means = np.array([float(np.mean(values)) for values in groups.values()])
    if means.min() < 0 or means.max() > 10:
        raise InputError(f"{measure} is not judged from 0 to 10", hint="rescale the judgments")
    places = np.maximum(np.floor(means + 0.5).astype(np.int64) - _COLLAPSED + 1, 0)
    return ImportanceClasses(
        "sentences",
        np.bincount(places, minlength=12 - _COLLAPSED),
        (f"below {_COLLAPSED}", *(str(mark) for mark in range(_COLLAPSED, 11))),
        len({address[:2] for address in groups}),
    )


def _common_references(pyramids: list[Pyramid]) -> int:
    counts = sorted({len(pyramid.references) for pyramid in pyramids})
    if not counts:
        raise InputError("there is no pyramid to count in", hint="give one or more")
    if len(counts) > 1:
        raise ShapeError(
            f"pyramids of {', '.join(map(str, counts))} references have different classes",
            hint="count in pyramids of as many references",
        )
    return counts[0]


def _of_weights(
    granularity: Granularity, weights: NDArray[np.int64], references: int, topics: int
) -> ImportanceClasses:
    sizes = np.bincount(weights, minlength=references + 1)[1:]
    labels = tuple(str(weight) for weight in range(1, references + 1))
    return ImportanceClasses(granularity, sizes, labels, topics)
