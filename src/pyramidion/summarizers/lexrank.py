"""LexRank: sentences that many sentences resemble."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice
from pyramidion.summarizers.similarity import Vectors, choose_apart, neighbours, sentence_vectors
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["LexRank"]

Step = Callable[[Floats], Floats]

#: The walk has settled when the sum of all changes is less.
_SETTLED = 1e-8
_STEPS = 500


@dataclass(frozen=True, slots=True)
class LexRank(Summarizer):
    r"""LexRank: PageRank on the graph of similar sentences.

    Two sentences are neighbours if the cosine of their words, weighed by rarity (`Vectors`),
    exceeds ``threshold``; each is its own neighbour. Importance goes from a sentence to its
    neighbours in equal parts,

    .. math:: p_i = \frac{1 - d}{n} + d \sum_{j \sim i} \frac{p_j}{|\{k : k \sim j\}|},

    until it settles. With ``continuous`` the cosines themselves say how much goes where. In the
    order of importance, sentences that are not too similar to a better one are taken.

    With a query, the share ``query`` of all importance goes to sentences in proportion to their
    cosine with the query; it is taken from what all get evenly, and then from what comes from
    neighbours. Sentences too similar to what an update's reader knows are passed over.

    References
    ----------
    Erkan and Radev (2004). LexRank: graph-based lexical centrality as salience in text
    summarization. JAIR 22. Otterbacher, Erkan and Radev (2005). Using random walks for
    question-focused sentence retrieval. HLT/EMNLP.

    Examples
    --------
    >>> text = "Rain fell on us. Rain fell on Ardel. Ardel lies far off. Goats were sold."
    >>> LexRank().ranks(Source.of_texts([text])).round(2).tolist()
    [0.22, 0.31, 0.22, 0.25]
    """

    name: ClassVar[str] = "lexrank"
    title: ClassVar[str] = "LexRank"
    summary: ClassVar[str] = "sentences that many sentences resemble"
    citation: ClassVar[str] = "Erkan and Radev 2004"
    heeds: ClassVar[frozenset[str]] = frozenset({"query", "known"})

    threshold: float = option(
        0.1, "the cosine above which sentences are neighbours", least=0, most=1
    )
    continuous: bool = option(False, "let the cosines themselves say how near sentences are")
    damping: float = option(
        0.85, "the share of importance that comes from neighbours", least=0, most=0.999
    )
    similar: float = option(0.5, "sentences with a greater cosine say the same", least=0, most=1)
    query: float = option(0.2, "the share of importance that a query gives", least=0, most=1)

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        there = np.diff(source.table.indptr) > 0
        ranks = np.where(there, self.ranks(source), -np.inf)
        return choose_apart(source, limit, ranks, self.similar)

    def ranks(self, source: Source) -> Floats:
        """Give each sentence's importance; all together have 1.

        Parameters
        ----------
        source
            The input.
        """
        return self._graph(source)[0]

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the importance of a sentence, and how many neighbours it has beside itself.

        With ``continuous`` the sum of its cosines with all others takes their place.
        """
        ranks, degrees = self._graph(source)
        name = "cosines" if self.continuous else "neighbours"
        return ("rank", float(ranks[number])), (name, max(float(degrees[number]) - 1, 0.0))

    def _graph(self, source: Source) -> tuple[Floats, Floats]:
        """Give each sentence's importance, and its neighbours, itself among them."""
        return source.memo(self, lambda: self._walked(sentence_vectors(source)))

    def _walked(self, vectors: Vectors) -> tuple[Floats, Floats]:
        given, damping = self._given(vectors)
        rows = vectors.sentences
        walk = _walk(rows) if self.continuous else _walk_to_neighbours(rows, self.threshold)
        step, degrees = walk
        ranks = np.full(rows.shape[0], 1 / rows.shape[0])
        for _ in range(_STEPS):
            last, ranks = ranks, given + damping * step(ranks)
            ranks /= ranks.sum()
            if np.abs(ranks - last).sum() < _SETTLED:
                break
        return ranks, degrees

    def _given(self, vectors: Vectors) -> tuple[Floats, float]:
        """Give what sentences get from no neighbour, and the share that comes from them."""
        number = vectors.sentences.shape[0]
        asked = np.asarray(vectors.sentences @ vectors.query)
        if self.query == 0 or not asked.any():
            return np.full(number, (1 - self.damping) / number), self.damping
        damping = min(self.damping, 1 - self.query)
        evenly = max(1 - damping - self.query, 0.0)
        return evenly / number + self.query * asked / asked.sum(), damping


def _walk(rows: Any) -> tuple[Step, Floats]:
    """Pass importance on in proportion to cosines, without computing any of them."""
    turned = rows.T.tocsr()
    strength = np.asarray(rows @ (turned @ np.ones(rows.shape[0])))
    strength = np.where(strength > 0, strength, 1.0)
    return lambda ranks: np.asarray(rows @ (turned @ (ranks / strength))), strength


def _walk_to_neighbours(rows: Any, threshold: float) -> tuple[Step, Floats]:
    """Pass importance on to neighbours in equal parts."""
    near = neighbours(rows, threshold)
    degrees = np.maximum(np.diff(near.indptr), 1).astype(np.float64)
    return lambda ranks: np.asarray(near @ (ranks / degrees)), degrees
