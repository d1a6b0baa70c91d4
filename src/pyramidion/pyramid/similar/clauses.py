"""Clauses: the smallest stretches of a text that are taken to say one thing.

A sentence is divided at commas, semicolons, colons, dashes, brackets and quotation marks, and
before words that open a clause. What would be shorter than three words stays with what precedes
it, or with what follows at the beginning of a sentence.
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pyramidion.pyramid._topics import PlacedWord, placed_words
from pyramidion.text import sentence_spans

__all__ = ["Clause", "clauses_of", "sentence_numbers"]

_OPENERS: Final = frozenset(
    re.findall(
        r"\w+",
        "after although and as because before but despite even for if including once or since so"
        " that though to unless until what when where whereas whether which while who whom whose"
        " with without yet",
    )
)
_LEAST_WORDS: Final = 3

# A comma inside a number or a hyphen inside a word divides nothing.
_DIVIDES: Final = re.compile(r"[,;:]\s|[()\[\]{}“”\"«»—–]|\s-+\s|\.\.+|…")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause, by the words it has.

    Parameters
    ----------
    first, last
        The places of its first word, and of the word after its last.
    sentence
        The sentence it is in, counted from 0.

    Examples
    --------
    >>> Clause(0, 4, sentence=0).words
    4
    """

    first: int
    last: int
    sentence: int

    @property
    def words(self) -> int:
        """How many words it has."""
        return self.last - self.first


def clauses_of(text: str, words: list[PlacedWord] | None = None) -> list[Clause]:
    """Divide a text into clauses; every word is in one of them.

    Parameters
    ----------
    text
        The text.
    words
        Its words, where they are known already.

    Examples
    --------
    >>> text = "The ferry burned in the strait, killing ten people who slept below. No alarm rang."
    >>> words = placed_words(text)
    >>> [text[words[c.first].start : words[c.last - 1].end] for c in clauses_of(text, words)]
    ['The ferry burned in the strait', 'killing ten people', 'who slept below', 'No alarm rang']
    """
    words = placed_words(text) if words is None else words
    numbers = sentence_numbers(text, words)
    cuts = np.flatnonzero(np.diff(numbers, prepend=-1)).tolist()
    return [
        clause
        for first, last in pairwise([*cuts, len(words)])
        for clause in _divided(text, words, first, last, int(numbers[first]))
    ]


def sentence_numbers(text: str, words: list[PlacedWord]) -> NDArray[np.int64]:
    """Tell the sentence that each word is in, counted from 0.

    Parameters
    ----------
    text
        The text.
    words
        Its words.

    Examples
    --------
    >>> text = "No alarm rang. Ten died."
    >>> sentence_numbers(text, placed_words(text))
    array([0, 0, 0, 1, 1])
    """
    ends = [end for _, end in sentence_spans(text)]
    return np.searchsorted(ends, [word.start for word in words], side="right")


def _divided(
    text: str, words: list[PlacedWord], first: int, last: int, sentence: int
) -> list[Clause]:
    cuts = [first]
    for place in range(first + 1, last):
        between = text[words[place - 1].end : words[place].start]
        opens = words[place].text in _OPENERS or _DIVIDES.search(between)
        if opens and place - cuts[-1] >= _LEAST_WORDS:
            cuts.append(place)
    if len(cuts) > 1 and last - cuts[-1] < _LEAST_WORDS:
        cuts.pop()
    ends = [*cuts[1:], last]
    return [Clause(begin, end, sentence) for begin, end in zip(cuts, ends, strict=True)]
