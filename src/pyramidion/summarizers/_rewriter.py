"""Rewriting sentences while they are chosen."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cmp_to_key

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.rewriting._rewriter import ReadsBefore, Rewriter, RewriteSession, Rewritten
from pyramidion.summarizers._selection import Choice, Limit, Terms, date_ranks
from pyramidion.summarizers._sentences import length_of
from pyramidion.summarizers._source import Source
from pyramidion.text import tokenize
from pyramidion.text._tokens import Tokenizer

#: Weight of a word that was said, for methods without word weights; the same as in SUM_F.
_LOW = 1e-6


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


#: Begins a summary, given the weights of words before anything is said.
Begin = Callable[[Floats], Rewriting]


def begin_rewriting(
    rewriter: Rewriter, source: Source, order: ReadsBefore, weights: Floats
) -> Rewriting:
    """Begin a summary that is rewritten while its sentences are chosen."""
    session = rewriter.begin(source, source.weigher(weights), order)
    return Rewriting(source, session, order)


def shares(counts: Floats) -> Floats:
    """Return the share of each word: its weight for methods without word weights."""
    return counts / max(float(counts.sum()), 1.0)


def say(weights: Floats, ids: Ints) -> None:
    """Lower the weights of words that were said."""
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
    weights = shares(source.counts)
    # The rewriter keeps the initial weights, so it gets a copy.
    rewriting = begin(weights.copy())
    before = rewriting.reads_before

    def compare(one: int, other: int) -> int:
        return int(before(other, one)) - int(before(one, other))

    used = int(source.lengths[list(choice.numbers)].sum())
    for number in sorted(choice.numbers, key=cmp_to_key(compare)):
        length = int(source.lengths[number])
        used += rewriting.rewrite(number, weights, limit.room(used - length)) - length
        say(weights, rewriting.words_of(number))
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
