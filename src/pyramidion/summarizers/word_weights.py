"""Sentences weighed by the weights of their words, which fall once they are said."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.source import Source

__all__ = ["Composition", "WordChooser", "focused", "require_stop_list"]

Composition = Literal["average", "product", "sum"]
Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

#: The logarithm of a smaller weight is not taken.
_LEAST = 1e-300


@dataclass(frozen=True, slots=True)
class WordChooser:
    """How the weights of words make sentences worth choosing.

    Parameters
    ----------
    composition
        What a sentence is worth: the average, the product (in logarithms) or the sum of the
        weights of its words.
    tokens
        Whether a word that a sentence has twice counts twice.
    said
        Gives the weights that words get once they are said, from those they had.
    top_word
        Whether the next sentence must have the word that is heaviest at the moment.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell all over Ardel. Goats were sold in Ardel market."])
    >>> chooser = WordChooser("average", said=lambda weights: weights * 0)
    >>> chooser.choose(source, Limit(12), source.counts).numbers
    (0, 1)
    """

    composition: Composition
    tokens: bool = False
    said: Callable[[Floats], Floats] = lambda weights: weights
    top_word: bool = False

    def choose(self, source: Source, limit: Limit, weights: Floats) -> Choice:
        """Choose sentences by the weights of the input's words."""
        table = source.table if self.tokens else source.wording.presence
        sizes = np.asarray(table.sum(axis=1)) if self.tokens else np.diff(table.indptr)
        worded = source.candidates & (sizes > 0)
        sizes = np.maximum(sizes, 1)
        now = weights.copy()

        def narrow(open_: Bools) -> Bools:
            return _with_top_word(source, open_, now) if self.top_word else open_

        def said(number: int) -> None:
            self.say(source, number, now)

        return choose_greedily(
            source,
            limit,
            lambda: self._worth(table, sizes, now),
            said,
            allowed=worded,
            narrow=narrow,
        )

    def say(self, source: Source, number: int, weights: Floats) -> None:
        """Change the weights of the words of a sentence that was chosen."""
        table = source.table
        own = table.indices[table.indptr[number] : table.indptr[number + 1]]
        weights[own] = self.said(weights[own])

    def _worth(self, table: Any, sizes: Any, weights: Floats) -> Floats:
        if self.composition == "product":
            worth = table @ np.log(np.maximum(weights, _LEAST))
        else:
            worth = table @ weights
        if self.composition == "average":
            worth = worth / sizes
        return np.asarray(worth, dtype=np.float64)


def _with_top_word(source: Source, open_: Bools, weights: Floats) -> Bools:
    """Leave only the sentences with the heaviest word that any of them has."""
    presence = source.wording.presence
    there = np.asarray(presence.T @ open_.astype(np.float64)) > 0
    if not there.any():
        return open_
    heaviest = there & (weights >= weights[there].max())
    return open_ & (np.asarray(presence @ heaviest.astype(np.float64)) > 0)


def focused(source: Source, weights: Floats, share: float) -> Floats:
    """Mix the query's words into a distribution over words.

    Parameters
    ----------
    source
        The input; without a query, or when none of its words occurs, nothing changes.
    weights
        The distribution of words in the input.
    share
        The part that the query's words get.

    Examples
    --------
    >>> source = Source.of_texts(["Rain fell on Ardel fields. Goats sold."], query="goats")
    >>> mixed = focused(source, source.counts / source.counts.sum(), 0.5)
    >>> source.words[int(mixed.argmax())], float(mixed.sum())
    ('goat', 1.0)
    """
    if not source.question or share == 0:
        return weights
    asked = np.where(source.counts > 0, source.query, 0.0)
    if not asked.any():
        return weights
    mixed: Floats = (1 - share) * weights + share * asked / asked.sum()
    return mixed


def require_stop_list(owner: str, words: str) -> None:
    """Refuse to tell content words by their part of speech: that takes a parser.

    Examples
    --------
    >>> require_stop_list("sum-avr", "stop-list")
    """
    if words != "stop-list":
        raise InputError(
            f"{owner}: words={words} needs a parser, and this version has none",
            hint="use words=stop-list",
        )
