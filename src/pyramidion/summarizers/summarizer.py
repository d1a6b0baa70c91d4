"""A summarizer is a value: its parameters are its fields, and its text reads back."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion.collection.spelled import Spelled
from pyramidion.errors import InputError
from pyramidion.summarizers.extract import Extract, Limit, assemble
from pyramidion.summarizers.ordering import Order, reading_order
from pyramidion.summarizers.selection import Choice, choose_ranked
from pyramidion.summarizers.source import Source

__all__ = ["Summarizer", "heaviest"]

Floats = npt.NDArray[np.float64]

#: How many words an extract tells the weights of.
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class Summarizer(Spelled):
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

    def word_weights(self, source: Source, said: Sequence[int] = ()) -> Floats | None:
        """Give what each of the source's words weighs, where words have weights.

        Parameters
        ----------
        source
            The input.
        said
            Sentences that were chosen already, by number.
        """
        return None

    def weights(self, source: Source) -> tuple[tuple[str, float], ...]:
        """Give the words that matter and their weights, the heaviest first, for explanations.

        Parameters
        ----------
        source
            The input.
        """
        return self.weights_after(source, ())

    def weights_after(
        self, source: Source, said: Sequence[int], most: int | None = None
    ) -> tuple[tuple[str, float], ...]:
        """Give the words' weights once some sentences are said, for explanations.

        Parameters
        ----------
        source
            The input.
        said
            The sentences by number. Where a method does not say otherwise, they change nothing.
        most
            How many words; all if it is not given.
        """
        weights = self.word_weights(source, said)
        return () if weights is None else heaviest(source.words, weights, most)

    def summarize(
        self, source: Source, limit: Limit | None = None, *, order: Order = "source"
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
        """
        limit = limit or Limit()
        if "references" in self.heeds and not source.references:
            hint = "give summaries by people, or take another method"
            raise InputError(f"{self.name} needs references", hint=hint)
        choice = self._chosen(source, limit)
        sentences = assemble(source, choice.numbers, choice.scores, limit)
        notes = (*source.notes, *self._ignored(source), *choice.notes)
        return Extract(
            reading_order(source, sentences, order),
            str(self),
            self.weights_after(source, (), _SHOWN),
            notes,
        )

    def _chosen(self, source: Source, limit: Limit) -> Choice:
        """Choose, and find something to say where a method finds nothing."""
        choice = self.choose(source, limit)
        if choice.numbers:
            return choice
        cut = Limit(limit.words, "truncate")
        best = self.choose(source, cut)
        if best.numbers:
            note = f"no sentence fits in {limit.words} words: the best is cut off"
            return Choice(best.numbers[:1], best.scores[:1], (*best.notes, note))
        anything = np.zeros(len(source))
        first = choose_ranked(source, limit, anything)
        first = first if first.numbers else choose_ranked(source, cut, anything)
        note = f"{self.name} finds no words that count: the first sentences are taken"
        return Choice(first.numbers, first.scores, (*choice.notes, note))

    def _ignored(self, source: Source) -> list[str]:
        """Say which parts of the task a method does not look at."""
        if "references" in self.heeds:
            return []
        given = {
            "query": ("the query", source.question),
            "known": ("what is known already", source.known_texts),
        }
        return [
            f"{self.name} takes no notice of {name}"
            for part, (name, there) in given.items()
            if there and part not in self.heeds
        ]


def heaviest(
    words: Sequence[str], weights: Floats, most: int | None = None
) -> tuple[tuple[str, float], ...]:
    """List the words that have a weight, the heaviest first.

    Parameters
    ----------
    words, weights
        Words, and what each weighs.
    most
        How many; all if it is not given.

    Examples
    --------
    >>> heaviest(["rain", "mud", "goat"], np.array([0.2, 0.0, 0.5]))
    (('goat', 0.5), ('rain', 0.2))
    """
    order = np.argsort(-weights, kind="stable")
    order = order[: np.count_nonzero(weights > 0)][:most]
    return tuple((words[k], float(weights[k])) for k in order.tolist())
