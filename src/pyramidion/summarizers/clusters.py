"""One sentence of each cluster of sentences that say the same."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection.options import option
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.selection import Choice, choose_ranked
from pyramidion.summarizers.similarity import neighbours, sentence_vectors
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer

__all__ = ["SentenceClusters"]


@dataclass(frozen=True, slots=True)
class SentenceClusters(Summarizer):
    """One sentence of each of the greatest clusters of similar sentences.

    Sentences whose cosine (`Vectors`) exceeds ``threshold`` are neighbours. The sentence with
    most neighbours and those of its neighbours that are in no cluster yet make a cluster, and so
    on (star clustering). A cluster is worth the number of its sentences (``weight=size``) or the
    sum of their cosines with the whole input (``weight=words``): by size alone content is chosen
    badly, as the thesis reports. Of each cluster the sentence is taken that is nearest to all of
    it and fits.

    References
    ----------
    Nenkova (2006), section 4.5. Aslam, Pelekhov and Rus (2004). The star clustering algorithm
    for static and dynamic information organization. Journal of Graph Algorithms 8.

    Examples
    --------
    >>> text = "Goats were sold on Monday. Rain fell on Ardel. Ardel rain fell. Rain fell in Ardel."
    >>> source = Source.of_texts([text])
    >>> SentenceClusters().clusters(source).tolist()
    [1, 0, 0, 0]
    """

    name: ClassVar[str] = "clusters"
    title: ClassVar[str] = "sentence clusters"
    summary: ClassVar[str] = "one sentence of each cluster of sentences that say the same"
    citation: ClassVar[str] = "Nenkova 2006"

    threshold: float = option(0.2, "the cosine above which sentences are similar", least=0, most=1)
    weight: str = option("words", "what a cluster is worth", choices=("words", "size"))

    def choose(self, source: Source, limit: Limit) -> Choice:
        """Choose sentences."""
        rows = sentence_vectors(source).sentences
        of = self.clusters(source)
        central = np.asarray(rows @ sentence_vectors(source).profile)
        worth = np.bincount(of, weights=central if self.weight == "words" else None)
        ranked = np.unique(worth, return_inverse=True)[1][of] + 0.5 * _closeness(rows, of)
        ranked = np.where(np.diff(source.table.indptr) > 0, ranked, -np.inf)
        used: set[int] = set()

        def from_another_cluster(number: int, taken: list[int]) -> bool:
            fresh = int(of[number]) not in used
            used.add(int(of[number]))
            return fresh

        choice = choose_ranked(source, limit, ranked, from_another_cluster)
        return Choice(choice.numbers, tuple(worth[of[list(choice.numbers)]].tolist()))

    def explain(
        self, source: Source, number: int, said: Sequence[int] = ()
    ) -> tuple[tuple[str, float], ...]:
        """Give the number of a sentence's cluster, its size, and how near it is to all of it."""
        of = self.clusters(source)
        closeness = _closeness(sentence_vectors(source).sentences, of)
        return (
            ("cluster", float(of[number]) + 1),
            ("size", float(np.count_nonzero(of == of[number]))),
            ("closeness", float(closeness[number])),
        )

    def clusters(self, source: Source) -> Ints:
        """Give the number of each sentence's cluster, in the order clusters were made.

        Parameters
        ----------
        source
            The input.
        """
        return source.memo(("clusters", self.threshold), lambda: self._stars(source))

    def _stars(self, source: Source) -> Ints:
        near = neighbours(sentence_vectors(source).sentences, self.threshold)
        degrees = np.diff(near.indptr).tolist()
        keys = list(zip((-d for d in degrees), source.places.tolist(), source.texts, strict=True))
        of = np.full(len(source), -1, dtype=np.int64)
        made = 0
        for centre in sorted(range(len(source)), key=keys.__getitem__):
            if of[centre] < 0:
                own = near.indices[near.indptr[centre] : near.indptr[centre + 1]]
                of[own[of[own] < 0]] = made
                of[centre] = made
                made += 1
        return of


def _closeness(rows: Any, of: Ints) -> Floats:
    """Give the cosine of each sentence with the sum of its cluster's."""
    from scipy.sparse import csr_array

    number = int(of.max()) + 1
    members = csr_array((np.ones(len(of)), (of, np.arange(len(of)))), shape=(number, len(of)))
    sums = (members @ rows).tocsr()
    lengths = np.sqrt(np.asarray(sums.multiply(sums).sum(axis=1)))
    shared = np.asarray(rows.multiply(sums[of]).sum(axis=1), dtype=np.float64)
    return shared / np.where(lengths > 0, lengths, 1.0)[of]
