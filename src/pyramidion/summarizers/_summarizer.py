"""A summarizer is a value: its parameters are its fields, and its text reads back."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._options import Parsable
from pyramidion.errors import InputError
from pyramidion.rewriting._rewriter import Rewriter
from pyramidion.summarizers._rewriter import (
    Begin,
    begin_rewriting,
    reads_before,
    rewrite_choice,
    unigrams_kept,
)
from pyramidion.summarizers._selection import (
    Choice,
    ChosenSentence,
    Extract,
    Limit,
    Order,
    Terms,
    assemble,
    choose_ranked,
    reading_order,
)
from pyramidion.summarizers._source import Source, heaviest

_NONE_ALONE = "no sentence can stand alone: such sentences are taken, too"

#: How many words an extract tells the weights of.
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Summarizer(Parsable):
    """What chooses sentences; a subclass is one method, with its parameters as fields.

    Examples
    --------
    >>> from pyramidion.summarizers import parse_summarizer
    >>> source = Source.of_texts(["Heavy rain fell all day in Ardel. Roads in Ardel were flooded."])
    >>> extract = parse_summarizer("sum-avr").summarize(source, Limit(7))
    >>> extract.words, extract.method
    (5, 'sum-avr')
    """

    #: Which parts of a task it looks at: ``query``, ``known``, ``references``.
    heeds: ClassVar[frozenset[str]] = frozenset()

    def suited_to(self, source: Source) -> "Summarizer":
        """Return the method that summarizes an input: this one, unless it chooses among others.

        Parameters
        ----------
        source
            The input.
        """
        return self

    @abstractmethod
    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences.

        Parameters
        ----------
        source
            The input.
        limit
            How many words may be used.
        """

    def choose_rewriting(self, source: Source, limit: Limit, begin: Begin) -> Choice:
        """Choose sentences and rewrite them.

        Where a method does not weigh words that fall once they are said, its sentences are
        rewritten after all were chosen, see `rewrite_choice`.

        Parameters
        ----------
        source, limit
            The input, and how many words may be used.
        begin
            Begins to rewrite.
        """
        return rewrite_choice(source, self.choose(source, limit), limit, begin)

    def word_weights(self, source: Source, said: Sequence[int] = ()) -> Floats | None:
        """Return what each of the source's words weighs, where words have weights.

        Parameters
        ----------
        source
            The input.
        said
            Sentences that were chosen already, by number.
        """
        return None

    def weights(self, source: Source) -> Terms:
        """Return the words that matter and their weights, the heaviest first, for explanations.

        Parameters
        ----------
        source
            The input.
        """
        return self.weights_after(source, ())

    def weights_after(self, source: Source, said: Sequence[int], most: int | None = None) -> Terms:
        """Return the words' weights once some sentences are said, for explanations.

        Parameters
        ----------
        source
            The input.
        said
            The sentences by number. Where a method does not say otherwise, they change nothing.
        most
            How many words; all if it is not given.
        """
        source = self._read(source)
        weights = self.word_weights(source, said)
        return () if weights is None else heaviest(source.words, weights, most)

    def explain(self, source: Source, number: int, said: Sequence[int] = ()) -> Terms:
        """Say what made a sentence worth choosing: names and what each counted for.

        Where a method does not say otherwise these are the sentence's different words that have
        a weight, the heaviest first. Where a score is a sum they add up to it.

        Parameters
        ----------
        source
            The input.
        number
            The sentence.
        said
            The sentences that were chosen before it, by number, in their order.

        Examples
        --------
        >>> from pyramidion.summarizers import parse_summarizer
        >>> source = Source.of_texts(["Rain and mud in Ardel. Rain fell."])
        >>> parse_summarizer("sum-sum").explain(source, 1)
        (('rain', 0.4), ('fall', 0.2))
        """
        weights = self.word_weights(source, said)
        if weights is None:
            return ()
        return source.wording.weighed(number, weights)

    def summarize(
        self,
        source: Source,
        limit: Limit | None = None,
        *,
        order: Order = "source",
        rewriter: Rewriter | None = None,
    ) -> Extract:
        """Make a summary.

        It has at least one sentence: where none fits the best is cut off, and where a method
        sees no words it knows, the first sentences are taken. The notes say so.

        Parameters
        ----------
        source
            The input.
        limit
            How many words it may have; 100 if not given.
        order
            The order in which its sentences are read, see `reading_order`.
        rewriter
            What rewrites each sentence once it is chosen; nothing if not given.
        """
        source, limit = self._read(source), limit or Limit()
        if "references" in self.heeds and not source.references:
            hint = "give summaries by people, or take another method"
            raise InputError(f"{self.name} needs references", hint=hint)
        begin = None if rewriter is None else _begin(rewriter, source, order)
        choice = self._chosen(source, limit, begin)
        sentences = _assembled(source, choice, limit)
        notes = (*source.notes, *self._ignored(source), *choice.notes, *_trimmed(sentences))
        if begin is not None:
            extractive = _assembled(source, self._chosen(source, limit), limit)
            notes = (*notes, _kept(source, extractive, sentences))
        ordered = reading_order(source, sentences, order)
        return Extract(ordered, str(self), self.weights_after(source, (), _SHOWN), notes)

    def _read(self, source: Source) -> Source:
        """Return input as a method reads it: the words by number are those of what this gives."""
        return source

    def _chosen(self, source: Source, limit: Limit, begin: Begin | None = None) -> Choice:
        """Choose, and find something to say where a method finds nothing."""
        choice = self._choice(source, limit, begin)
        if choice.numbers:
            return choice
        if not source.usable.any():
            # What would leave nothing is no help to anybody.
            source = replace(source, readability=None)
            choice = self._choice(source, limit, begin)
            if choice.numbers:
                return replace(choice, notes=(*choice.notes, _NONE_ALONE))
        cut = Limit(limit.words, "truncate")
        best = self._choice(source, cut, begin)
        if best.numbers:
            note = f"no sentence fits in {limit.words} words: the best is cut off"
            notes = (*best.notes, note)
            return replace(best, numbers=best.numbers[:1], scores=best.scores[:1], notes=notes)
        anything = np.zeros(len(source))
        first = choose_ranked(source, limit, anything)
        first = first if first.numbers else choose_ranked(source, cut, anything)
        note = f"{self.name} finds no words that count: the first sentences are taken"
        return Choice(first.numbers, first.scores, (*choice.notes, note))

    def _choice(self, source: Source, limit: Limit, begin: Begin | None) -> Choice:
        if begin is None:
            return self.choose(source, limit)
        return self.choose_rewriting(source, limit, begin)

    def _ignored(self, source: Source) -> list[str]:
        """Say which parts of the task a method does not look at."""
        if "references" in self.heeds:
            return []
        given = {
            "query": ("the query", source.question),
            "known": ("what is known already", source.known_texts),
        }
        ignored = [
            f"{self.name} takes no notice of {name}"
            for part, (name, there) in given.items()
            if there and part not in self.heeds
        ]
        if source.question and "query" in self.heeds and not source.query[source.counts > 0].any():
            ignored.append("the input has no word of the query: it changes nothing")
        return ignored


def _begin(rewriter: Rewriter, source: Source, order: Order) -> Begin:
    before = reads_before(source, order)
    return lambda weights: begin_rewriting(rewriter, source, weights, before)


def _assembled(source: Source, choice: Choice, limit: Limit) -> tuple[ChosenSentence, ...]:
    sentences = assemble(source, choice.numbers, choice.scores, limit, choice.rewritten)
    if not choice.rewritten or not choice.explained:
        return sentences
    terms = map(choice.explained.__getitem__, choice.numbers)
    return tuple(replace(own, terms=found) for own, found in zip(sentences, terms, strict=False))


def _trimmed(sentences: Sequence[ChosenSentence]) -> Iterator[str]:
    """Say how much was trimmed."""
    parts = [[change.kind for change in own.replacements].count("trim") for own in sentences]
    if any(parts):
        yield f"parts trimmed: {sum(parts)}, in {sum(map(bool, parts))} of {len(parts)} sentences"


def _kept(
    source: Source, extractive: Sequence[ChosenSentence], sentences: Sequence[ChosenSentence]
) -> str:
    """Say how much was rewritten."""
    phrases = sum(len(own.replacements) for own in sentences)
    changed = sum(bool(own.replacements) for own in sentences)
    before, after = ([own.text for own in made] for made in (extractive, sentences))
    kept = unigrams_kept(before, after, source.reading.tokenizer)
    return (
        f"noun phrases rewritten: {phrases}, in {changed} of {len(sentences)} sentences; "
        f"{kept:.0%} of the extractive summary's unigrams are kept"
    )
