"""Sentences weighed by the weights of their words, which fall once they are said."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.rewriter import Rewriting
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.source import Source

__all__ = ["Composition", "WordChooser", "focused"]

Composition = Literal["average", "product", "sum"]

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

    def choose(
        self,
        source: Source,
        limit: Limit,
        weights: Floats,
        rewriting: Rewriting | None = None,
    ) -> Choice:
        """Choose sentences by the weights of the input's words.

        Parameters
        ----------
        source, limit
            The input, and how many words may be used.
        weights
            What each word of the input weighs.
        rewriting
            What rewrites each sentence once it is chosen, before the weights of its words fall:
            those fall that the sentence has then (Nenkova 2006, section 4.3.1).
        """
        wording = source.wording
        rows, words = (wording.rows, wording.ids) if self.tokens else wording.pairs
        sizes = np.bincount(rows, minlength=len(source))
        divisors = np.maximum(sizes, 1)
        now = weights.copy()

        def weigh() -> Floats:
            own = np.log(np.maximum(now, _LEAST)) if self.composition == "product" else now
            worth = np.bincount(rows, own[words], len(source))
            return worth / divisors if self.composition == "average" else worth.astype(np.float64)

        def narrow(open_: Bools) -> Bools:
            return _with_top_word(source, open_, now) if self.top_word else open_

        def chosen(number: int) -> None:
            own = source.wording.sentence(number)
            self.say_words(own if rewriting is None else rewriting.words_of(number), now)

        choice = choose_greedily(
            source,
            limit,
            weigh,
            chosen,
            allowed=source.candidates & (sizes > 0),
            narrow=narrow,
            rewrite=None if rewriting is None else rewriting.by(now),
        )
        if rewriting is None:
            return choice
        return replace(choice, rewritten=rewriting.done, explained=rewriting.explained)

    def say(self, source: Source, number: int, weights: Floats) -> None:
        """Change the weights of the words of a sentence that was chosen."""
        self.say_words(source.wording.sentence(number), weights)

    def say_words(self, words: npt.NDArray[Any], weights: Floats) -> None:
        """Change the weights of words, given by number."""
        weights[words] = self.said(weights[words])


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
