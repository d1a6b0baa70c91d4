"""Rewriting while sentences are chosen: weights of any text, rooms that are left, what is kept."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, cmp_to_key

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.rewriting._rewriter import ReadsBefore, Rewriter, RewriteSession, Rewritten
from pyramidion.summarizers._selection import Choice, Limit, Terms
from pyramidion.summarizers._sentences import length_of
from pyramidion.summarizers._source import Source
from pyramidion.text import tokenize
from pyramidion.text._encoding import encode
from pyramidion.text._tagging import content_only
from pyramidion.text._tokens import Tokenizer

Ids = Ints

#: What a word weighs once it is said, where a method has no weights of words: that of SUM_F.
_LOW = 1e-6


@dataclass(frozen=True)
class Rewriting:
    """A summary that is rewritten while it is made."""

    source: Source
    session: RewriteSession
    done: dict[int, Rewritten] = field(default_factory=dict)
    explained: dict[int, Terms] = field(default_factory=dict)
    reads_before: ReadsBefore = lambda earlier, later: True

    def rewrite(self, number: int, weights: Floats, room: int) -> int:
        """Rewrite a sentence, and give its length then.

        Where it would no longer fit it is left as it is.
        """
        before = int(self.source.lengths[number])
        made = self.session.rewrite(number, lambda text: weights[self.ids(text)].tolist(), room)
        length = length_of(made.text)
        if not made.replacements or length > max(room, before):
            return before
        self.done[number] = made
        return length

    def by(self, weights: Floats) -> Callable[[int, int], int]:
        """Return what rewrites sentences by these weights, as they are when it is called."""

        def rewrite(number: int, room: int) -> int:
            # Later nobody could tell: what was said before is not what the input says.
            self.explained[number] = self.source.wording.weighed(number, weights)
            return self.rewrite(number, weights, room)

        return rewrite

    def words_of(self, number: int) -> Ids:
        """Return the words of a sentence as it stands now."""
        made = self.done.get(number)
        if made is None:
            return self.source.wording.sentence(number).astype(np.int64)
        return self.ids(made.text)

    def ids(self, text: str) -> Ids:
        """Return the words that count in a text; those the input does not have are left out."""
        return self._reader.ids(text)

    @cached_property
    def _reader(self) -> "WordReader":
        return WordReader(self.source)


@dataclass(frozen=True)
class WordReader:
    """Finds the words of an input in any text."""

    source: Source

    def ids(self, text: str) -> Ids:
        """Return the words that count in a text; those the input does not have are left out."""
        reading = self.source.reading
        sentences = content_only([text]) if self.source.content == "pos" else [text]
        read = encode([sentences], **asdict(reading))
        numbers = (self._numbers.get(read.words[id]) for id in read.ids.tolist())
        return np.array([number for number in numbers if number is not None], dtype=np.int64)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.source.words)}


def shares(counts: Floats) -> Floats:
    """Return what words weigh at first where a method has no weights of words: their shares."""
    return counts / max(float(counts.sum()), 1.0)


def say(weights: Floats, ids: Ids) -> None:
    """Lower the weights of words that are said."""
    weights[ids] = np.minimum(weights[ids], _LOW)


#: Begins a summary, given what words weigh at first.
Begin = Callable[[Floats], Rewriting]


def begin_rewriting(
    rewriter: Rewriter, source: Source, weights: Floats, order: ReadsBefore
) -> Rewriting:
    """Begin a summary that is rewritten while it is made."""
    reader = Rewriting(source, _Unchanged(source.texts))
    session = rewriter.begin(source, lambda text: weights[reader.ids(text)].tolist(), order)
    return Rewriting(source, session, reads_before=order)


@dataclass(frozen=True, slots=True)
class _Unchanged:
    """Leaves sentences as they are."""

    texts: Sequence[str]

    def rewrite(self, number: int, weigh: Callable[[str], Sequence[float]], room: int) -> Rewritten:
        """Return the sentence."""
        return Rewritten(self.texts[number])


def reads_before(source: Source, order: str) -> ReadsBefore:
    """Return what tells whether a chosen sentence will be read before one chosen after it."""
    if order != "source":
        return lambda earlier, later: order == "chosen"
    from pyramidion.summarizers._selection import date_ranks

    dates = np.array(date_ranks(source.documents))[source.homes]

    def before(earlier: int, later: int) -> bool:
        if source.homes[earlier] == source.homes[later]:
            return earlier < later
        # Which of two documents of one date comes first is known when all are chosen.
        return bool(dates[earlier] < dates[later])

    return before


def rewrite_choice(source: Source, choice: Choice, limit: Limit, begin: Begin) -> Choice:
    """Rewrite sentences that a method without weights of words has chosen, as they will be read.

    Words weigh their probability in the input, and next to nothing once they are said.
    """
    weights = shares(source.counts)
    # What words weigh at first must not change with them.
    rewriting = begin(weights.copy())
    used = int(source.lengths[list(choice.numbers)].sum())
    for number in _as_read(choice.numbers, rewriting.reads_before):
        before = int(source.lengths[number])
        used += rewriting.rewrite(number, weights, limit.room(used - before)) - before
        say(weights, rewriting.words_of(number))
    return replace(choice, rewritten=rewriting.done)


def _as_read(numbers: Sequence[int], before: ReadsBefore) -> list[int]:
    """Put sentences into the order of reading; where it is not known they stay as they are."""

    def compare(one: int, other: int) -> int:
        return int(before(other, one)) - int(before(one, other))

    return sorted(numbers, key=cmp_to_key(compare))


def unigrams_kept(
    before: Sequence[str], after: Sequence[str], tokenizer: Tokenizer = "rouge"
) -> float:
    """Return the share of a summary's unigrams that another one has, too.

    Nenkova (2006), section 4.4, compares extractive summaries with rewritten ones: 54% are kept
    when noun phrases are chosen by the sum of their words' weights, 79% by the average.
    """
    old, new = (
        Counter(token for text in texts for token in tokenize(text, tokenizer))
        for texts in (before, after)
    )
    return (old & new).total() / old.total() if old else 1.0
