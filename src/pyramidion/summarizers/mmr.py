"""Maximal marginal relevance."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice, choose_greedily
from pyramidion.summarizers.similarity import Nearness, Vectors, sentence_vectors
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["MaximalMarginalRelevance"]


@dataclass(frozen=True, slots=True)
class MaximalMarginalRelevance(Summarizer):
    r"""Maximal marginal relevance: sentences that are relevant and say something new.

    The next sentence is the one with the greatest

    .. math:: \lambda \cos(s, q) - (1 - \lambda) \max_{t \in S} \cos(s, t),

    where S is what was taken, with the sentences that an update's reader knows, and q is the
    whole input; with a query, a mixture of both in which the query has the part ``query``.
    Words are weighed by rarity (`Vectors`).

    References
    ----------
    Carbonell and Goldstein (1998). The use of MMR, diversity-based reranking for reordering
    documents and producing summaries. SIGIR.

    Examples
    --------
    >>> text = "Rain fell on Ardel fields. Rain fell on Ardel. Goats were sold on Monday."
    >>> source = Source.of_texts([text], rules=None)
    >>> MaximalMarginalRelevance().choose(source, Limit(12)).numbers
    (0, 2)
    """

    name: ClassVar[str] = "mmr"
    title: ClassVar[str] = "MMR"
    summary: ClassVar[str] = "sentences near the input, or the query, and far from each other"
    citation: ClassVar[str] = "Carbonell and Goldstein 1998"
    heeds: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    relevance: float = option(0.7, "lambda: relevance beside novelty", least=0, most=1)
    query: float = option(0.2, "the part that a query has in what is relevant", least=0, most=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        vectors = sentence_vectors(source)
        relevance = np.where(np.diff(source.table.indptr) > 0, self._relevance(vectors), -np.inf)
        nearness = Nearness(vectors)
        return choose_greedily(
            source,
            limit,
            lambda: relevance - (1 - self.relevance) * nearness.values,
            nearness.say,
        )

    def _relevance(self, vectors: Vectors) -> Floats:
        # Where only novelty counts, relevance still decides between equals.
        share = max(self.relevance, 1e-12)
        return share * np.asarray(vectors.sentences @ vectors.focus(self.query))

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give both terms: how relevant a sentence is, and how near to what was said."""
        vectors = sentence_vectors(source)
        nearness = Nearness(vectors)
        for own in said:
            nearness.say(own)
        near = -(1 - self.relevance) * float(nearness.values[number])
        return ("relevance", float(self._relevance(vectors)[number])), ("nearness", near)
