"""Rewriting sentences while they are chosen."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cmp_to_key
from typing import Protocol

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.summarizers._replacements import Rewritten
from pyramidion.summarizers._selection import Choice, Limit, Terms, date_ranks
from pyramidion.summarizers._source import Source
from pyramidion.summarizers.sentences import length_of
from pyramidion.text import Tokenizer, tokenize

#: Returns the current weight of each content word of a text.
Weigh = Callable[[str], Sequence[float]]

#: Whether a chosen sentence (the first number) comes before one that is chosen now.
ReadsBefore = Callable[[int, int], bool]


class RewriteSession(Protocol):
    """Rewrites the sentences of one summary.

    Examples
    --------
    >>> class Untouched:
    ...     def rewrite(self, number, weigh, room):
    ...         return Rewritten("Rain fell.")
    >>> session: RewriteSession = Untouched()
    """

    def rewrite(self, number: int, weigh: Weigh, room: int) -> Rewritten:
        """Rewrite a sentence that was just chosen.

        Parameters
        ----------
        number
            The sentence of the input.
        weigh
            Weighs words before this sentence is added.
        room
            Number of words left.
        """


class Rewriter(Protocol):
    """Rewrites sentences while they are chosen.

    Examples
    --------
    >>> class Untouched:
    ...     def begin(self, source):
    ...         self.texts = source.texts
    ...         return self
    ...     def rewrite(self, number, weigh, room):
    ...         return Rewritten(self.texts[number])
    >>> rewriter: Rewriter = Untouched()
    """

    def begin(self, source: Source) -> RewriteSession:
        """Begin a summary of an input."""


@dataclass(frozen=True)
class Rewriting:
    """Rewrites a summary while its sentences are chosen."""

    source: Source
    session: RewriteSession
    reads_before: ReadsBefore = lambda earlier, later: True
    done: dict[int, Rewritten] = field(default_factory=dict)
    explained: dict[int, Terms] = field(default_factory=dict)
    taken: list[int] = field(default_factory=list)

    def rewrite(self, number: int, weights: Floats, room: int) -> int:
        """Rewrite a sentence unless it would no longer fit; return its length.

        Words that the summary has weigh 0, whatever they weigh when sentences are chosen:
        otherwise, a sum of small weights would favor the longest phrase.
        """
        old_length = int(self.source.lengths[number])
        unused_weights = weights.copy()
        for earlier_number in self.taken:
            mark_said(unused_weights, self.words_of(earlier_number))
        self.taken.append(number)
        rewritten_sentence = self.session.rewrite(number, self.source.weigher(unused_weights), room)
        length = length_of(rewritten_sentence.text)
        if not rewritten_sentence.replacements or length > max(room, old_length):
            return old_length
        self.done[number] = rewritten_sentence
        return length

    def by(self, weights: Floats) -> Callable[[int, int], int]:
        """Return a function that rewrites a sentence by the current values of these weights."""

        def rewrite(number: int, room: int) -> int:
            # Explain now: rewriting changes which words the summary has.
            self.explained[number] = self.source.wording.weighed(number, weights)
            return self.rewrite(number, weights, room)

        return rewrite

    def words_of(self, number: int) -> Ints:
        """Return the words of a sentence after rewriting."""
        rewritten_sentence = self.done.get(number)
        if rewritten_sentence is None:
            return self.source.wording.sentence(number).astype(np.int64)
        return self.source.word_ids(rewritten_sentence.text)


#: Begins a summary.
Begin = Callable[[], Rewriting]


def begin_rewriting(rewriter: Rewriter, source: Source, order: ReadsBefore) -> Rewriting:
    """Begin a summary that is rewritten while its sentences are chosen."""
    return Rewriting(source, rewriter.begin(source), order)


def word_shares(counts: Floats) -> Floats:
    """Return the share of each word in all counts: its weight for methods without word weights.

    Examples
    --------
    >>> word_shares(np.array([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    return counts / max(float(counts.sum()), 1.0)


def mark_said(weights: Floats, ids: Ints) -> None:
    """Set the weights of words that the summary has to 0, in place.

    Examples
    --------
    >>> weights = np.array([0.5, 0.5])
    >>> mark_said(weights, np.array([1]))
    >>> weights.tolist()
    [0.5, 0.0]
    """
    weights[ids] = 0.0


def reads_before(source: Source, order: str) -> ReadsBefore:
    """Return a test of whether a chosen sentence comes before one that is chosen later."""
    if order != "source":
        return lambda earlier, later: order == "chosen"
    dates = np.array(date_ranks(source.documents))[source.homes]

    def before(earlier: int, later: int) -> bool:
        if source.homes[earlier] == source.homes[later]:
            return earlier < later
        # The order of documents with the same date, and the opening, depend on all sentences.
        first_in_both = source.can_open(earlier) and source.place(earlier) <= source.place(later)
        return bool(dates[earlier] < dates[later]) and first_in_both

    return before


def rewrite_choice(source: Source, choice: Choice, limit: Limit, begin: Begin) -> Choice:
    """Rewrite the sentences chosen by a method without word weights, in reading order.

    Words weigh their probability in the input, and 0 once the summary has them.
    """
    weights, rewriting = word_shares(source.counts), begin()
    before = rewriting.reads_before

    def compare(first: int, other: int) -> int:
        return int(before(other, first)) - int(before(first, other))

    n_used = int(source.lengths[list(choice.numbers)].sum())
    for number in sorted(choice.numbers, key=cmp_to_key(compare)):
        length = int(source.lengths[number])
        n_used += rewriting.rewrite(number, weights, limit.room(n_used - length)) - length
    return replace(choice, rewritten=rewriting.done)


def unigrams_kept(
    before: Sequence[str], after: Sequence[str], tokenizer: Tokenizer = "rouge"
) -> float:
    """Return the share of a summary's unigrams that another summary keeps.

    Nenkova (2006), section 4.4: rewriting keeps 54% if noun phrases are chosen by the sum of their
    words' weights, and 79% if they are chosen by the average.
    """
    old_words, new_words = (
        Counter(token for text in texts for token in tokenize(text, tokenizer))
        for texts in (before, after)
    )
    return (old_words & new_words).total() / old_words.total() if old_words else 1.0
