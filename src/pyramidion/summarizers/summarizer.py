"""A summarizer is a value: its parameters are its fields, and its text reads back."""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from pyramidion.collection.spelled import Spelled
from pyramidion.summarizers.extract import Extract, Limit, assemble
from pyramidion.summarizers.ordering import Order, reading_order
from pyramidion.summarizers.selection import Choice
from pyramidion.summarizers.source import Source

__all__ = ["Summarizer"]


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

    def weights(self, source: Source) -> tuple[tuple[str, float], ...]:
        """Give the words that matter and their weights, the heaviest first, for explanations.

        Parameters
        ----------
        source
            The input.
        """
        return ()

    def weights_after(self, source: Source, said: Sequence[int]) -> tuple[tuple[str, float], ...]:
        """Give the words' weights once some sentences are said, for explanations.

        Parameters
        ----------
        source
            The input.
        said
            The sentences by number. Where a method does not say otherwise, they change nothing.
        """
        return self.weights(source)

    def summarize(
        self, source: Source, limit: Limit | None = None, *, order: Order = "source"
    ) -> Extract:
        """Make a summary.

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
        choice = self.choose(source, limit)
        chosen = assemble(source, choice.numbers, choice.scores, limit)
        return Extract(reading_order(source, chosen, order), str(self), self.weights(source))
