"""A summarizer is a value: its parameters are its fields, and its text can be parsed."""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.questions import Parsable
from pyramidion.summarizers._rewriter import (
    Begin,
    Rewriter,
    begin_rewriting,
    reads_before,
    rewrite_choice,
    unigrams_kept,
)
from pyramidion.summarizers._selection import (
    Choice,
    Extract,
    Limit,
    Order,
    Terms,
    assemble,
    choose_ranked,
    reading_order,
)
from pyramidion.summarizers._source import Source, heaviest

_NO_CANDIDATES_NOTE = "no sentence can stand alone, so such sentences are used"

#: Maximum number of word weights of an extract.
_MAX_WEIGHTS = 100


@dataclass(frozen=True, slots=True)
class Summarizer(Parsable):
    """A method that chooses sentences, with its parameters as fields.

    Examples
    --------
    >>> from pyramidion.summarizers import parse_summarizer
    >>> source = Source.of_texts(["Heavy rain fell all day in Ardel. Roads in Ardel were flooded."])
    >>> extract = parse_summarizer("sum-avr").summarize(source, Limit(7))
    >>> extract.words, extract.method
    (5, 'sum-avr')
    """

    #: Which parts of a task it uses: ``query``, ``known``, ``references``; or a language ``model``.
    uses: ClassVar[frozenset[str]] = frozenset()
    #: Whether it writes sentences instead of choosing them.
    writes: ClassVar[bool] = False

    def suited_to(self, source: Source) -> "Summarizer":
        """Return the method for an input: this one, unless it selects another."""
        return self

    @abstractmethod
    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""

    def choose_rewriting(self, source: Source, limit: Limit, begin: Begin) -> Choice:
        """Choose sentences and rewrite them.

        By default sentences are rewritten after all are chosen; see `rewrite_choice`. Methods that
        lower the weights of used words rewrite each sentence when it is chosen.
        """
        return rewrite_choice(source, self.choose(source, limit), limit, begin)

    def word_weights(self, source: Source, taken: Sequence[int] = ()) -> Floats | None:
        """Return the weight of each word of the source; None if the method has no weights."""
        return None

    def weights(self, source: Source) -> Terms:
        """Return words and their weights, heaviest first, for explanations."""
        return self.weights_after(source, ())

    def weights_after(self, source: Source, taken: Sequence[int], most: int | None = None) -> Terms:
        """Return the words' weights once some sentences are chosen, for explanations.

        Parameters
        ----------
        source
            The input.
        taken
            Numbers of the chosen sentences.
        most
            Maximum number of words; all by default.
        """
        source = self._read(source)
        weights = self.word_weights(source, taken)
        return () if weights is None else heaviest(source.words, weights, most)

    def explain(self, source: Source, number: int, taken: Sequence[int] = ()) -> Terms:
        """Explain the score of a sentence: names and contributions.

        By default these are the sentence's distinct words with positive weights, heaviest first. If
        a score is a sum, they add up to it.

        Parameters
        ----------
        source, number
            The input, and the number of the sentence.
        taken
            The sentences chosen before it, in their order.

        Examples
        --------
        >>> from pyramidion.summarizers import parse_summarizer
        >>> source = Source.of_texts(["Rain and mud in Ardel. Rain fell."])
        >>> parse_summarizer("sum-sum").explain(source, 1)
        (('rain', 0.4), ('fall', 0.2))
        """
        weights = self.word_weights(source, taken)
        return () if weights is None else source.wording.weighed(number, weights)

    def summarize(
        self,
        source: Source,
        limit: Limit | None = None,
        *,
        order: Order = "source",
        rewriter: Rewriter | None = None,
    ) -> Extract:
        """Make a summary.

        It has at least one sentence: if none fits, the best is cut off, and if a method finds no
        content words, the first sentences are taken. A note is added in these cases.

        Parameters
        ----------
        source
            The input.
        limit
            The maximum length; 100 words by default.
        order
            The order of the sentences; see `reading_order`.
        rewriter
            Rewrites each chosen sentence; none by default.
        """
        source, limit = self._read(source), limit or Limit()
        if "references" in self.uses and not source.references:
            hint = "add summaries by people, or use another method"
            raise InputError(f"{self.name} needs references", hint=hint)
        begin = None
        if rewriter is not None:
            begin = partial(begin_rewriting, rewriter, source, reads_before(source, order))
        choice = self._choose_something(source, limit, begin)
        sentences = assemble(source, choice, limit)
        notes = [*source.notes, *self._ignored_notes(source), *choice.notes]
        trim_counts = [sum(change.kind == "trim" for change in s.replacements) for s in sentences]
        if any(trim_counts):
            notes.append(f"parts trimmed: {_count_text(trim_counts)}")
        if begin is not None:
            extract = assemble(source, self._choose_something(source, limit), limit)
            before, after = ([s.text for s in version] for version in (extract, sentences))
            share = unigrams_kept(before, after, source.reading.tokenizer)
            rewritten_text = _count_text([len(s.replacements) for s in sentences])
            notes.append(
                f"noun phrases rewritten: {rewritten_text}; "
                f"{share:.0%} of the extractive summary's unigrams are kept"
            )
        ordered_sentences = reading_order(source, sentences, order)
        weights = self.weights_after(source, (), _MAX_WEIGHTS)
        novelty = _novelty_share(source, choice.numbers) if source.known_texts else None
        return Extract(ordered_sentences, str(self), weights, tuple(notes), novelty=novelty)

    def _read(self, source: Source) -> Source:
        """Return the input with the words that this method uses."""
        return source

    def _choose_something(self, source: Source, limit: Limit, begin: Begin | None = None) -> Choice:
        """Choose sentences; if the method finds none, take what comes closest."""

        def make_choice(source: Source, limit: Limit) -> Choice:
            if begin is None:
                return self.choose(source, limit)
            return self.choose_rewriting(source, limit, begin)

        own_choice = make_choice(source, limit)
        if own_choice.numbers:
            return own_choice
        if not source.usable.any():
            source = replace(source, readability=None)
            own_choice = make_choice(source, limit)
            if own_choice.numbers:
                return replace(own_choice, notes=(*own_choice.notes, _NO_CANDIDATES_NOTE))
        truncated_limit = Limit(limit.words, "truncate")
        best_cut = make_choice(source, truncated_limit)
        if best_cut.numbers:
            note = f"no sentence fits in {limit.words} words, so the best is cut off"
            notes = (*best_cut.notes, note)
            return replace(
                best_cut, numbers=best_cut.numbers[:1], scores=best_cut.scores[:1], notes=notes
            )
        equal_weights = np.zeros(len(source))
        first_choice = choose_ranked(source, limit, equal_weights)
        first_choice = (
            first_choice
            if first_choice.numbers
            else choose_ranked(source, truncated_limit, equal_weights)
        )
        note = f"{self.name} finds no content words, so the first sentences are taken"
        return replace(first_choice, notes=(*own_choice.notes, note))

    def _ignored_notes(self, source: Source) -> Iterator[str]:
        """Return notes about parts of the task that this method ignores."""
        if "references" in self.uses:
            return
        if source.question and "query" not in self.uses:
            yield f"{self.name} ignores the query"
        if source.known_texts and "known" not in self.uses:
            yield f"{self.name} ignores what the reader already knows"
        if source.question and "query" in self.uses and not source.query[source.counts > 0].any():
            yield "the query has no effect: none of its words occur in the input"


def _novelty_share(source: Source, numbers: Sequence[int]) -> float:
    """Return the share of the sentences' distinct content words that known texts do not have."""
    words = {word for number in numbers for word in source.wording.sentence(number).tolist()}
    known_counts = source.known_counts[list(words)]
    return float(np.mean(known_counts == 0)) if words else 0.0


def _count_text(counts: list[int]) -> str:
    return f"{sum(counts)}, in {sum(map(bool, counts))} of {len(counts)} sentences"
