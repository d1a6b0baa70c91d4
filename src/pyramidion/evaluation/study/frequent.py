"""How many of the most frequent words of the input people and machines use (Tables 4.1, 4.4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError
from pyramidion.evaluation.study._places import TopicWords

__all__ = ["TOPS", "FrequentShares", "frequent_words", "require_tops", "top_weights"]

#: How many most frequent words the thesis looks for.
TOPS = (5, 8, 12)

#: What people are called who are taken together, and one at a time.
TOGETHER, ALONE = "people together", "one person"


@dataclass(frozen=True, slots=True)
class FrequentShares:
    """The share of the most frequent words that a summarizer uses, the mean over topics.

    Parameters
    ----------
    summarizer
        A system; ``people together`` where it is enough that one reference has a word, ``one
        person`` for the mean of the references.
    kind
        ``human`` or ``machine``.
    topics
        How many topics were averaged.
    shares
        One for each number of most frequent words.

    Examples
    --------
    >>> FrequentShares("7", "machine", 2, (0.9, 0.8, 0.7)).shares[0]
    0.9
    """

    summarizer: str
    kind: str
    topics: int
    shares: tuple[float, ...]


def top_weights(values: npt.ArrayLike, number: int) -> Floats:
    """Weigh the `number` greatest values: 1 each, those that tie for the last places in parts.

    What ties for the last places shares them evenly, so that no order of words decides. Zeros
    are never among the greatest.

    Parameters
    ----------
    values
        Counts, or anything from 0 on.
    number
        How many are wanted; the weights add up to it, or to how many there are.

    Examples
    --------
    >>> top_weights([5, 3, 3, 3, 0], 2).round(3).tolist()
    [1.0, 0.333, 0.333, 0.333, 0.0]
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


def frequent_words(
    topics: Iterable[TopicWords], *, tops: Sequence[int] = TOPS
) -> list[FrequentShares]:
    """Give the share of the most frequent words that people and each machine use.

    Parameters
    ----------
    topics
        Words of topics whose input has words.
    tops
        How many most frequent words.

    Examples
    --------
    >>> people, machine = np.array([[1, 0, 0], [1, 1, 0]]), np.array([[0, 1, 1]])
    >>> topic = TopicWords(
    ...     ["ice", "sea", "sun"], np.array([5, 3, 1]), people, machine, ("A", "B"), ("7",))
    >>> for row in frequent_words([topic], tops=(1, 2)):
    ...     print(row.summarizer, row.shares)
    people together (1.0, 1.0)
    one person (1.0, 0.75)
    7 (0.0, 0.5)
    """
    require_tops(tops)
    found: dict[tuple[str, str], list[Floats]] = {}
    for topic in topics:
        weights = np.stack([top_weights(topic.input, top) for top in tops])
        weights /= weights.sum(axis=1, keepdims=True)
        people = topic.references > 0
        found.setdefault(("human", TOGETHER), []).append(weights @ people.any(axis=0))
        found.setdefault(("human", ALONE), []).append(weights @ people.mean(axis=0))
        for system, row in zip(topic.systems, topic.machines > 0, strict=True):
            found.setdefault(("machine", system), []).append(weights @ row)
    order = sorted(found, key=lambda key: (key[0], key[1] == ALONE, natural_order(key[1])))
    return [
        FrequentShares(name, kind, len(rows), tuple(np.mean(rows, axis=0).tolist()))
        for kind, name in order
        for rows in [found[kind, name]]
    ]


def require_tops(tops: Sequence[int]) -> None:
    """Refuse numbers of most frequent words that mean nothing.

    Examples
    --------
    >>> require_tops([5, 0])
    Traceback (most recent call last):
    pyramidion.errors.InputError: the 0 most frequent words; give numbers from 1 on
    """
    if not tops:
        raise InputError("no number of most frequent words", hint="give one or more")
    for top in tops:
        if top < 1:
            raise InputError(f"the {top} most frequent words", hint="give numbers from 1 on")
