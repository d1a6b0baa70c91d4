"""Words weighed by their place in the references' co-occurrence graph."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, Need, option, share
from pyramidion.metrics.sparse import stack_rows
from pyramidion.metrics.texts import Reading

__all__ = ["CentralWords"]

Words = npt.NDArray[np.int32]

_NOTHING = np.empty(0, np.int32)


@dataclass(frozen=True, slots=True)
class CentralWords(Metric):
    r"""The share of the references' central words that a summary has.

    In the graph of the references' words, two words that occur in one sentence are neighbours.
    A word's centrality is its closeness, :math:`\frac{r - 1}{n - 1} \cdot \frac{r - 1}{\sum_v
    d(w, v)}` over the r words it can reach among n (Wasserman and Faust's form for graphs in
    several pieces), so that words which tie sentences together weigh more. The score adds up
    the centrality of the words that summary and references share and divides by that of all.

    References
    ----------
    Kumar, Srinathan and Varma (2011). Using graph based mapping of co-occurring words and
    closeness centrality score for summarization evaluation. TAC.

    Examples
    --------
    >>> references = ["Rain flooded roads. Roads closed."]
    >>> cases = Cases.of_texts(["Roads closed.", "Rain."], [references] * 2)
    >>> CentralWords().score(CentralWords().statistics(cases)).round(3).tolist()
    [0.516, 0.242]
    """

    name: ClassVar[str] = "central-words"
    title: ClassVar[str] = "words by closeness centrality"
    summary: ClassVar[str] = "share of the references' words, those that tie it together foremost"
    citation: ClassVar[str] = "Kumar et al. 2011"
    needs: ClassVar[frozenset[Need]] = frozenset({"references"})

    stem: bool = option(True, "stem words")
    stop_words: bool = option(True, "leave stop words out")

    def statistics(self, cases: Cases) -> Floats:
        """Give the weight of the shared words, and of all."""
        reading = Reading(stem=self.stem, stop_words=self.stop_words)
        encoded = cases.texts.encoded(reading)
        sets = cases.references
        rows = [_closeness(sets.sentences(number, encoded)) for number in range(len(sets))]
        weights = stack_rows(rows, len(encoded.words))
        there = cases.texts.counts(reading)[cases.peers] > 0
        shared = there.multiply(weights[sets.of]).sum(axis=1)
        return np.stack([shared, weights.sum(axis=1)[sets.of]], axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Divide."""
        return share(statistics[..., 0], statistics[..., 1])


def _closeness(sentences: list[Words]) -> tuple[Words, Floats]:
    """Give the words of some sentences and their closeness in the graph of shared sentences."""
    from scipy.sparse.csgraph import shortest_path

    words, places = np.unique(np.concatenate([_NOTHING, *sentences]), return_inverse=True)
    table = np.zeros((len(sentences), len(words)))
    table[np.repeat(np.arange(len(sentences)), [len(own) for own in sentences]), places] = 1
    distances = shortest_path(table.T @ table > 0, unweighted=True, directed=False)
    reached = np.isfinite(distances)
    others = reached.sum(axis=1) - 1.0
    totals = np.where(reached, distances, 0).sum(axis=1) * max(len(words) - 1, 1)
    # A word that is always alone is close to nothing.
    return words, np.nan_to_num(share(others**2, totals))
