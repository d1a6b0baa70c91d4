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

#: Weight of a word that was said, for methods without word weights; the same as in SUM_F.
_LOW = 1e-6

#: Gives the weight of each word that counts in a text, at this moment.
Weigh = Callable[[str], Sequence[float]]

#: Tells whether a sentence that was chosen already (the first number) will be read before one that
#: is chosen now.
ReadsBefore = Callable[[int, int], bool]


class RewriteSession(Protocol):
    """One summary being made.

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
            Which sentence of the input.
        weigh
            Weighs words as they are before this sentence is said.
        room
            How many words the summary has left.
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
        """Begin a summary.

        Parameters
        ----------
        source
            What is summarized.
        """


@dataclass(frozen=True)
class Rewriting:
    """A summary that is rewritten while its sentences are chosen."""

    source: Source
    session: RewriteSession
    reads_before: ReadsBefore = lambda earlier, later: True
    done: dict[int, Rewritten] = field(default_factory=dict)
    explained: dict[int, Terms] = field(default_factory=dict)

    def rewrite(self, number: int, weights: Floats, room: int) -> int:
        """Rewrite a sentence unless it would no longer fit; return its length."""
        before = int(self.source.lengths[number])
        weigh = self.source.weigher(weights)
        made = self.session.rewrite(number, weigh, room)
        length = length_of(made.text)
        if not made.replacements or length > max(room, before):
            return before
        self.done[number] = made
        return length

    def by(self, weights: Floats) -> Callable[[int, int], int]:
        """Return a function that rewrites sentences by these weights as they are at the time."""

        def rewrite(number: int, room: int) -> int:
            # Explain now: the rewritten sentences change which words count as said.
            self.explained[number] = self.source.wording.weighed(number, weights)
            return self.rewrite(number, weights, room)

        return rewrite

    def words_of(self, number: int) -> Ints:
        """Return the words of a sentence as it reads now."""
        made = self.done.get(number)
        if made is None:
            return self.source.wording.sentence(number).astype(np.int64)
        return self.source.word_ids(made.text)


#: Begins a summary.
Begin = Callable[[], Rewriting]


def begin_rewriting(rewriter: Rewriter, source: Source, order: ReadsBefore) -> Rewriting:
    """Begin a summary that is rewritten while its sentences are chosen."""
    return Rewriting(source, rewriter.begin(source), order)


def word_shares(counts: Floats) -> Floats:
    """Return the share of each word: its weight for methods without word weights.

    Parameters
    ----------
    counts
        How often each word occurs.

    Examples
    --------
    >>> word_shares(np.array([1.0, 3.0])).tolist()
    [0.25, 0.75]
    """
    return counts / max(float(counts.sum()), 1.0)


def mark_said(weights: Floats, ids: Ints) -> None:
    """Lower the weights of words that were said.

    Parameters
    ----------
    weights
        The weight of each word, changed in place.
    ids
        The numbers of the words.

    Examples
    --------
    >>> weights = np.array([0.5, 0.5])
    >>> mark_said(weights, np.array([1]))
    >>> weights.tolist()
    [0.5, 1e-06]
    """
    weights[ids] = np.minimum(weights[ids], _LOW)


def reads_before(source: Source, order: str) -> ReadsBefore:
    """Return a test of whether a chosen sentence is read before one that is chosen later."""
    if order != "source":
        return lambda earlier, later: order == "chosen"
    dates = np.array(date_ranks(source.documents))[source.homes]

    def before(earlier: int, later: int) -> bool:
        if source.homes[earlier] == source.homes[later]:
            return earlier < later
        # The order of documents with the same date is not known before all are chosen.
        return bool(dates[earlier] < dates[later])

    return before


def rewrite_choice(source: Source, choice: Choice, limit: Limit, begin: Begin) -> Choice:
    """Rewrite the sentences that a method without word weights has chosen, in reading order.

    Words weigh their probability in the input, and almost nothing once they are said.
    """
    weights, rewriting = word_shares(source.counts), begin()
    before = rewriting.reads_before

    def compare(one: int, other: int) -> int:
        return int(before(other, one)) - int(before(one, other))

    used = int(source.lengths[list(choice.numbers)].sum())
    for number in sorted(choice.numbers, key=cmp_to_key(compare)):
        length = int(source.lengths[number])
        used += rewriting.rewrite(number, weights, limit.room(used - length)) - length
        mark_said(weights, rewriting.words_of(number))
    return replace(choice, rewritten=rewriting.done)


def unigrams_kept(
    before: Sequence[str], after: Sequence[str], tokenizer: Tokenizer = "rouge"
) -> float:
    """Return the share of a summary's unigrams that another summary keeps.

    Nenkova (2006), section 4.4: rewriting keeps 54% if noun phrases are chosen by the sum of their
    words' weights, and 79% if they are chosen by the average.
    """
    old, new = (
        Counter(token for text in texts for token in tokenize(text, tokenizer))
        for texts in (before, after)
    )
    return (old & new).total() / old.total() if old else 1.0
