"""SUM_F: sentences weighed by the probability of their words in the input."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["FrequencySummarizer"]

Floats = npt.NDArray[np.float64]

_COMPOSITIONS = {"sum-avr": "average", "sum-prod": "product", "sum-sum": "sum"}


@dataclass(frozen=True, slots=True)
class FrequencySummarizer(Summarizer):
    r"""The family of context-sensitive, frequency-based summarizers of Nenkova's thesis.

    A word's probability is its share of the content words of the input. A sentence is worth the
    average (``sum-avr``), the product (``sum-prod``, in logarithms) or the sum (``sum-sum``) of
    the probabilities of its different content words. The best sentence is taken, the
    probability of its words is lowered, and so on: what was said matters less.

    References
    ----------
    Nenkova (2006), section 4.2. Nenkova, Vanderwende and McKeown (2006). A compositional context
    sensitive multi-document summarizer. SIGIR. Nenkova and Vanderwende (2005). The impact of
    frequency on summarization (the squared adjustment).

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell on Ardel. Rain flooded Ardel. Goats were sold."])
    >>> FrequencySummarizer().choose(source, Limit(5)).numbers
    (0,)
    """

    name: ClassVar[str] = "sum-avr"
    title: ClassVar[str] = "SUM_F"
    summary: ClassVar[str] = "sentences of words that are frequent in the input and not yet said"
    citation: ClassVar[str] = "Nenkova 2006"
    members: ClassVar[tuple[str, ...]] = tuple(_COMPOSITIONS)

    method: str = option("sum-avr", "the composition function", choices=tuple(_COMPOSITIONS))
    context: str = option(
        "low", "what becomes of a probability once said", choices=("low", "squared", "off")
    )
    low: float = option(1e-6, "the value near 0 that a word gets once it is said", least=0)

    @classmethod
    def read(cls, name: str) -> dict[str, str] | None:
        """Read any member's name."""
        return {"method": name} if name in _COMPOSITIONS else None

    def _call(self) -> str:
        return self.method

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        there = source.table > 0
        sizes = np.asarray(there.sum(axis=1), dtype=np.float64)
        probabilities = self._probabilities(source)

        def weigh() -> Floats:
            if self.method == "sum-prod":
                worth = there @ np.log(np.maximum(probabilities, 1e-300))
            else:
                worth = there @ probabilities
            if self.method == "sum-avr":
                worth = worth / np.maximum(sizes, 1)
            return np.where(sizes > 0, worth, -np.inf)

        def said(number: int) -> None:
            self._lower(probabilities, source, number)

        return choose_greedily(source, limit, weigh, said)

    def weights(self, source: Source) -> tuple[tuple[str, float], ...]:
        """Give words with their probabilities in the input."""
        return self.weights_after(source, ())

    def weights_after(self, source: Source, said: Sequence[int]) -> tuple[tuple[str, float], ...]:
        """Give words with their probabilities once some sentences are said."""
        probabilities = self._probabilities(source)
        for number in said:
            self._lower(probabilities, source, number)
        order = np.argsort(-probabilities, kind="stable")
        return tuple((source.words[k], float(probabilities[k])) for k in order.tolist())

    def _lower(self, probabilities: Floats, source: Source, number: int) -> None:
        """Make what a sentence says matter less."""
        table = source.table
        own = table.indices[table.indptr[number] : table.indptr[number + 1]]
        if self.context == "low":
            probabilities[own] = self.low
        elif self.context == "squared":
            probabilities[own] **= 2

    def _probabilities(self, source: Source) -> Floats:
        probabilities: Floats = source.counts / max(source.counts.sum(), 1)
        return probabilities
