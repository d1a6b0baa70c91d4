"""KL-sum: sentences whose words together are distributed as the input's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer
from pyramidion.summarizers.word_weights import focused

__all__ = ["KLSum"]


@dataclass(frozen=True, slots=True)
class KLSum(Summarizer):
    r"""KL-sum: the summary whose words tell most about the input's.

    Sentence after sentence is taken that makes :math:`KL(P \parallel Q)` least, where P is the
    distribution of content words in the input and Q the one in the summary, to each of whose
    counts ``smoothing`` is added. With a query, P is mixed with its words as for ``sum-avr``.

    References
    ----------
    Haghighi and Vanderwende (2009). Exploring content models for multi-document summarization.
    NAACL.

    Examples
    --------
    >>> text = "Rain fell on Ardel today. Rain fell on Ardel fields. Goats sold well on Monday."
    >>> KLSum().choose(Source.of_texts([text]), Limit(10)).numbers
    (0, 2)
    """

    name: ClassVar[str] = "kl-sum"
    title: ClassVar[str] = "KL-sum"
    summary: ClassVar[str] = "sentences whose words together are distributed as the input's"
    citation: ClassVar[str] = "Haghighi and Vanderwende 2009"
    heeds: ClassVar[frozenset[str]] = frozenset({"query"})

    smoothing: float = option(0.01, "what is added to each count", least=1e-9)
    query: float = option(0.2, "the part that a query's words get", least=0, most=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        table, goal = source.table, self.word_weights(source)
        sizes = np.asarray(table.sum(axis=1))
        rows = np.repeat(np.arange(len(source)), np.diff(table.indptr))
        added = self.smoothing * np.count_nonzero(source.counts)
        counts = np.full(len(source.words), self.smoothing)
        known = float(goal @ np.log(np.where(goal > 0, goal, 1.0)))

        def weigh() -> Floats:
            # Only the words of a sentence change what the summary has.
            before = counts[table.indices]
            gains = goal[table.indices] * np.log1p(table.data / before)
            gained = np.bincount(rows, weights=gains, minlength=len(source))
            likelihood = float(goal @ np.log(counts)) + gained
            total = counts.sum() - (len(counts) * self.smoothing - added) + sizes
            return np.where(
                sizes > 0, likelihood - np.log(np.maximum(total, 1e-300)) - known, -np.inf
            )

        def said(number: int) -> None:
            own = slice(table.indptr[number], table.indptr[number + 1])
            counts[table.indices[own]] += table.data[own]

        return choose_greedily(source, limit, weigh, said)

    def word_weights(self, source: Source, said: Sequence[int] = ()) -> Floats:
        """Give the distribution of words that the summary should have."""
        return focused(source, source.counts / max(source.counts.sum(), 1), self.query)
