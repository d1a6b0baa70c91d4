"""Identical summaries by different systems: what lets one ask whether a judge repeats herself."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from pyramidion.collection import Summary
from pyramidion.collection.ids import natural_order

__all__ = ["IdenticalPair", "identical_pairs", "word_sequence"]

_WORD = re.compile("[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class IdenticalPair:
    """Two systems that gave the same summary of a topic for a task.

    Parameters
    ----------
    task, topic
        What they summarized.
    first, second
        The systems, in natural order.

    Examples
    --------
    >>> IdenticalPair("A", "T1", "7", "12").second
    '12'
    """

    task: str
    topic: str
    first: str
    second: str


def word_sequence(text: str) -> tuple[str, ...]:
    """Give what two summaries must share to be identical: runs of a-z and 0-9 in small letters.

    Examples
    --------
    >>> word_sequence("Rain fell - in U.S. towns.")
    ('rain', 'fell', 'in', 'u', 's', 'towns')
    """
    return tuple(_WORD.findall(text.lower()))


def identical_pairs(summaries: Iterable[Summary]) -> list[IdenticalPair]:
    """Pair the systems whose summaries of one topic and task are the same words in one order.

    Three identical summaries give three pairs. Summaries without any word are not paired, for
    nobody reads them twice, nor are references that are not scored.

    Parameters
    ----------
    summaries
        Summaries of any topics and tasks.

    Examples
    --------
    >>> texts = {"12": "Rain fell.", "7": "rain FELL", "8": "It rained.", "9": "Rain? Fell!"}
    >>> pairs = identical_pairs(Summary("T1", system, text) for system, text in texts.items())
    >>> [(pair.first, pair.second) for pair in pairs]
    [('7', '9'), ('7', '12'), ('9', '12')]
    """
    alike: dict[tuple[str, str, tuple[str, ...]], list[str]] = {}
    for summary in summaries:
        words = word_sequence(summary.plain)
        if words and summary.is_peer:
            alike.setdefault((summary.task, summary.topic, words), []).append(summary.system)
    pairs = [
        IdenticalPair(task, topic, first, second)
        for (task, topic, _), systems in alike.items()
        for first, second in combinations(sorted(systems, key=natural_order), 2)
    ]
    return sorted(pairs, key=_order)


def _order(pair: IdenticalPair) -> tuple[object, ...]:
    return tuple(map(natural_order, (pair.task, pair.topic, pair.first, pair.second)))
