r"""Words that one, two, ... all texts of a set have, and how the vocabulary grows with each text.

A *set* is several summaries of one input, or several translations of one text. Class
:math:`C_n` holds the words that exactly n of its texts have (thesis, section 2.4).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection import Collection
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError, ShapeError
from pyramidion.evaluation.study._places import require_ids
from pyramidion.stats.t_tests import TTest, unpaired_t
from pyramidion.text.encoding import Reading, encode

__all__ = [
    "ClassComparison",
    "FrequencyClasses",
    "TextSet",
    "compare_classes",
    "frequency_classes",
    "reference_sets",
]


@dataclass(frozen=True, slots=True)
class TextSet:
    """Several texts that tell the same or summarize the same.

    Parameters
    ----------
    name
        What the set is called.
    texts
        The texts, in their order.

    Examples
    --------
    >>> len(TextSet("T1", ("Ice melts.", "The ice is melting.")).texts)
    2
    """

    name: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class FrequencyClasses:
    r"""How many words are in each class, set by set.

    Parameters
    ----------
    sizes
        Sets x classes: how many words are in 1, 2, ... all texts.
    names
        What the sets are called.
    in_order
        Sets x texts: how many different words the first 1, 2, ... texts have; as many rows as
        `sizes`, or none where only the classes are known.

    Examples
    --------
    >>> classes = FrequencyClasses(np.array([[5, 1]]), ("T1",))
    >>> classes.probabilities.round(3).tolist(), classes.growth.tolist()
    ([[0.714, 0.143]], [[3.5, 6.0]])
    """

    sizes: Ints
    names: tuple[str, ...]
    in_order: Ints | None = None

    def __post_init__(self) -> None:
        if self.sizes.ndim != 2 or len(self.names) != len(self.sizes):
            raise ShapeError(
                f"class sizes of shape {self.sizes.shape} for {len(self.names)} sets",
                hint="sets go down, classes across",
            )
        for row in np.flatnonzero(self.sizes.sum(axis=1) == 0):
            raise InputError(f"{self.names[row]} has no words", hint="take the set out")

    @property
    def texts(self) -> int:
        """How many texts each set has."""
        return int(self.sizes.shape[1])

    @property
    def probabilities(self) -> Floats:
        r"""The probability of each class in each set: :math:`|C_n| / \sum_i i |C_i|`.

        What it is divided by is the number of words of the texts, each counted once a text.
        """
        uses = self.sizes @ np.arange(1, self.texts + 1)
        shares: Floats = self.sizes / uses[:, None]
        return shares

    @property
    def growth(self) -> Floats:
        r"""The vocabulary of 1, 2, ... texts of each set, the mean over all orders of the texts.

        A word that n of N texts have is among k texts with probability
        :math:`1 - \binom{N-n}{k} / \binom{N}{k}`, so the classes alone tell it.
        """
        grown: Floats = self.sizes @ _chances(self.texts)
        return grown


@dataclass(frozen=True, slots=True)
class ClassComparison:
    """One class in two groups of sets.

    Parameters
    ----------
    texts
        The class: how many texts have its words.
    first, second
        Its mean probability in either group.
    test
        Welch's test of the difference; nothing where a group has one set only.

    Examples
    --------
    >>> ClassComparison(1, 0.33, 0.17, None).texts
    1
    """

    texts: int
    first: float
    second: float
    test: TTest | None


def frequency_classes(
    sets: Iterable[TextSet], *, reading: Reading | None = None
) -> FrequencyClasses:
    """Count the words that one, two, ... all texts of each set have.

    Parameters
    ----------
    sets
        Sets of as many texts.
    reading
        How words are found: without stop words and unstemmed unless it says otherwise.

    Examples
    --------
    >>> one = TextSet("T1", ("Blue ice melts.", "Ice is melting.", "Snow and ice."))
    >>> frequency_classes([one]).sizes.tolist()
    [[4, 0, 1]]
    """
    every = list(sets)
    texts = _common_number(every)
    reading = reading or Reading(stem=False, stop_words=True, tokenizer="unicode")
    tables = [_presence(own, reading) for own in every]
    sizes = [np.bincount(table.sum(axis=0), minlength=texts + 1)[1:] for table in tables]
    grown = [np.logical_or.accumulate(table).sum(axis=1) for table in tables]
    return FrequencyClasses(np.array(sizes), tuple(own.name for own in every), np.array(grown))


def compare_classes(first: FrequencyClasses, second: FrequencyClasses) -> list[ClassComparison]:
    """Compare the probabilities of classes in two groups of sets, for instance with translations.

    Parameters
    ----------
    first, second
        Groups of sets of as many texts.

    Examples
    --------
    >>> summaries = FrequencyClasses(np.array([[60, 20], [64, 18]]), ("S1", "S2"))
    >>> translations = FrequencyClasses(np.array([[30, 35], [28, 36]]), ("T1", "T2"))
    >>> found = compare_classes(summaries, translations)
    >>> round(found[0].first, 3), round(found[0].second, 3), round(found[0].test.statistic, 2)
    (0.62, 0.29, 14.76)
    """
    if first.texts != second.texts:
        raise ShapeError(
            f"sets of {first.texts} texts cannot be compared with sets of {second.texts}",
            hint="take as many texts of each set",
        )
    pairs = zip(first.probabilities.T, second.probabilities.T, strict=True)
    return [
        ClassComparison(number, float(x.mean()), float(y.mean()), _welch(x, y))
        for number, (x, y) in enumerate(pairs, start=1)
    ]


def reference_sets(
    collection: Collection, *, topics: Sequence[str] = (), tasks: Sequence[str] = ()
) -> list[TextSet]:
    """Take the references of each topic and task as a set.

    Parameters
    ----------
    collection
        What holds them.
    topics, tasks
        Take these only; all if none is named.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> both = [Summary("T1", name, "Rain.", kind="human") for name in "AB"]
    >>> [(own.name, len(own.texts)) for own in reference_sets(Collection("c", summaries=both))]
    [('T1', 2)]
    """
    require_ids(collection, topics=topics, tasks=tasks)
    groups: dict[str, list[str]] = {}
    for summary in collection.summaries:
        topic, task = summary.topic, summary.task
        if topic not in (topics or (topic,)) or task not in (tasks or (task,)):
            continue
        if summary.is_reference and summary.plain.strip():
            groups.setdefault(address_name(task, topic), []).append(summary.plain)
    return [TextSet(name, tuple(texts)) for name, texts in groups.items()]


def _common_number(sets: Sequence[TextSet]) -> int:
    numbers = sorted({len(own.texts) for own in sets})
    if not numbers:
        raise InputError("there is no set of texts", hint="give summaries or translations")
    if len(numbers) > 1:
        raise ShapeError(
            f"sets of {', '.join(map(str, numbers))} texts have different classes",
            hint="take as many texts of each set",
        )
    if numbers[0] < 2:
        raise InputError(
            f"{sets[0].name} has one text only", hint="classes are counted over two or more"
        )
    return numbers[0]


def _presence(own: TextSet, reading: Reading) -> Bools:
    """Tell which text (row) has which word (column)."""
    encoded = encode(
        own.texts,
        tokenizer=reading.tokenizer,
        stem=reading.stem,
        stop_words=reading.stop_words,
    )
    table = np.zeros((len(encoded), len(encoded.words)), dtype=np.bool_)
    table[np.repeat(np.arange(len(encoded)), encoded.lengths), encoded.ids] = True
    return table


def _chances(texts: int) -> Floats:
    """Give the chance that a word of class n (row) is among k texts (column)."""
    from scipy.special import gammaln

    number = np.arange(1, texts + 1)
    others = np.maximum(texts - number[:, None] - number, 0)
    # In logarithms, for the binomials of a thousand texts are no numbers any more.
    missed = np.exp(
        gammaln(texts - number + 1)[:, None]
        + gammaln(texts - number + 1)
        - gammaln(others + 1)
        - gammaln(texts + 1)
    )
    chances: Floats = np.where(number[:, None] + number > texts, 1.0, 1 - missed)
    return chances


def _welch(x: Floats, y: Floats) -> TTest | None:
    return unpaired_t(x, y, variance="welch") if min(len(x), len(y)) > 1 else None
