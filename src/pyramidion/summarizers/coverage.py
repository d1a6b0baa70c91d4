"""The extract that covers most of the concepts of the input."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.ngrams import NGrams, ngrams_of
from pyramidion.summarizers.optimum import Cover, best_cover, greedy_cover
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["ConceptCoverage", "covering_choice"]


@dataclass(frozen=True, slots=True)
class ConceptCoverage(Summarizer):
    r"""The extract within the limit that covers most concepts, found exactly.

    Concepts are bigrams of words, at least one of them a content word, that ``least`` or more
    documents have; a concept weighs as much as the number of documents that have it, and counts
    once however often it is said. The best set of sentences is found by an integer program
    (`best_cover`), so that repetition costs what it should: room. Room that is left when nothing
    that weighs can be added goes to sentences with bigrams that are new, most for their length
    first. No sentence is cut off: the best extract fits.

    With a query, a concept weighs :math:`(1 - \lambda) n / \max n + \lambda a`, where a is the
    share of its words that the query has. A concept that an update's reader knows weighs
    ``known`` times as much.

    References
    ----------
    Gillick and Favre (2009). A scalable global model for summarization. ILP workshop.

    Examples
    --------
    >>> texts = ["Heavy rain fell on Ardel. Goats were sold.", "Rain fell on Ardel on Monday."]
    >>> source = Source.of_texts(texts)
    >>> ConceptCoverage().choose(source, Limit(6)).scores
    (6.0,)
    """

    name: ClassVar[str] = "coverage"
    title: ClassVar[str] = "concept coverage"
    summary: ClassVar[str] = "the sentences that together have most bigrams of many documents"
    citation: ClassVar[str] = "Gillick and Favre 2009"
    heeds: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    n: int = option(2, "how many words a concept has", least=1, most=4)
    least: int = option(2, "how many documents must have a concept", least=1)
    seconds: float = option(10.0, "how long to look for the best extract", least=0.01)
    query: float = option(0.2, "the part that a query has in weights", least=0, most=1)
    known: float = option(0.0, "what a known concept keeps of its weight", least=0, most=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        grams = ngrams_of(source, self.n)
        weights = self._concepts(source, grams)
        choice = covering_choice(source, limit, grams, weights, self.seconds)
        return _filled(source, limit, grams, choice)

    def weights_after(
        self, source: Source, said: Sequence[int], most: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Give the concepts that are not covered yet, the heaviest first."""
        grams = ngrams_of(source, self.n)
        weights = self._concepts(source, grams)
        return grams.heaviest(np.where(grams.had(said) > 0, 0.0, weights), most)

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the concepts of a sentence that are not covered yet, and their weights.

        What only fills room that is left adds nothing: its new n-grams are given with 0.
        """
        grams = ngrams_of(source, self.n)
        terms = grams.heaviest(grams.gains(self._concepts(source, grams), number, said), None)
        new = grams.gains(_new(grams, said), number, said)
        return terms or tuple((name, 0.0) for name, _ in grams.heaviest(new, None))

    def _concepts(self, source: Source, grams: NGrams) -> Floats:
        spread = np.where(grams.content > 0, grams.spread, 0.0)
        most = float(spread.max(initial=0.0))
        # A single document would have no concept at all.
        weights = np.where(spread >= min(self.least, most), spread, 0.0)
        if grams.asked.any() and self.query > 0:
            asked = np.where(spread > 0, grams.asked / self.n, 0.0)
            weights = (1 - self.query) * weights / max(most, 1.0) + self.query * asked
        return np.where(grams.known > 0, self.known * weights, weights)


def _filled(source: Source, limit: Limit, grams: NGrams, choice: Choice) -> Choice:
    """Fill the room that is left with what is new, however few documents have it."""
    room = limit.words - int(source.lengths[list(choice.numbers)].sum())
    if limit.fit == "stop" or room <= 0:
        return choice
    weights = _new(grams, choice.numbers)
    may = source.candidates.copy()
    may[list(choice.numbers)] = False
    lengths = np.where(may, source.lengths, limit.words + 1)
    more = greedy_cover(grams.table, weights, lengths, room)
    return Choice(
        (*choice.numbers, *more.numbers), (*choice.scores, *(0.0 for _ in more.gains)), choice.notes
    )


def _new(grams: NGrams, said: Sequence[int]) -> Floats:
    """Mark with 1 the n-grams that nobody has said."""
    old = (grams.had(said) > 0) | (grams.known > 0) | (grams.content == 0)
    return np.where(old, 0.0, 1.0)


def covering_choice(
    source: Source, limit: Limit, grams: NGrams, weights: Floats, seconds: float
) -> Choice:
    """Choose the sentences that cover most, and say so if others might cover more.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    grams
        What they have.
    weights
        What is worth having, see `best_cover`.
    seconds
        How long to look for the best.
    """
    may = source.candidates & (source.lengths <= limit.words)
    if limit.fit == "truncate" and not may.any():
        worth = np.asarray(grams.table @ np.atleast_2d(weights)[0])
        return choose_greedily(source, limit, lambda: np.where(worth > 0, worth, -np.inf))
    lengths = np.where(may, source.lengths, limit.words + 1)
    cover = best_cover(grams.table, weights, lengths, limit.words, seconds=seconds)
    useful = [(k, gain) for k, gain in zip(cover.numbers, cover.gains, strict=True) if gain > 0]
    notes = tuple(_notes(cover, limit, seconds))
    return Choice(tuple(k for k, _ in useful), tuple(gain for _, gain in useful), notes)


def _notes(cover: Cover, limit: Limit, seconds: float) -> Iterator[str]:
    if limit.fit == "truncate":
        yield "no sentence is cut off: whole ones that fit are looked for"
    if cover.too_large:
        yield "there is too much to find the best extract: each sentence was taken for what it adds"
    elif cover.gap > 1e-6:
        most = f"at most {cover.gap:.1%} more" if cover.gap <= 1 else "more"
        yield f"{seconds:g} seconds were too short: another extract may cover {most}"
