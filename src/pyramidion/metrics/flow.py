"""Terms that one sentence takes up from the sentence before."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.metric import share
from pyramidion.metrics.term_sentences import TermMetric, TermSentences

__all__ = ["NeighbourCosine", "TermOverlap", "TermOverlapNormalised"]


@dataclass(frozen=True, slots=True)
class TermOverlap(TermMetric):
    r"""Terms that neighbouring sentences share, a feature of CLASSY.

    .. math:: \log_2\Bigl(1 + \sum_{i=1}^{n-1} X_{i,i+1}\Bigr)

    where :math:`X_{i,j}` is the number of different terms that sentences i and j share. A
    single sentence gives 0; a text without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain closed roads. Roads were closed. Fish rejoiced."])
    >>> TermOverlap().statistics(cases)[:, 0].round(4).tolist()
    [1.585]
    """

    name: ClassVar[str] = "term-overlap"
    title: ClassVar[str] = "log2(1+Term Overlap)"
    summary: ClassVar[str] = "terms shared by neighbouring sentences, on a log scale"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"

    def measured(self, terms: TermSentences) -> Floats:
        """Give the score itself."""
        return np.log2(1 + terms.summed(terms.followed(terms.present)))[:, None]


@dataclass(frozen=True, slots=True)
class TermOverlapNormalised(TermMetric):
    r"""Terms that neighbouring sentences share, by how many they have (CLASSY).

    .. math:: \sum_{i=1}^{n-1} \frac{X_{i,i+1}}{\sqrt{X_{i,i}} \sqrt{X_{i+1,i+1}}}

    where :math:`X_{i,j}` is the number of different terms that sentences i and j share, and a
    divisor of 0 is taken as 1. It is a sum, not a mean: a single sentence gives 0, and n
    sentences of the same terms give n - 1. A text without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain closed roads. Roads were closed. Fish rejoiced."])
    >>> TermOverlapNormalised().statistics(cases)[:, 0].round(4).tolist()
    [0.8165]
    """

    name: ClassVar[str] = "term-overlap-normalised"
    title: ClassVar[str] = "Norm Term Overlap"
    summary: ClassVar[str] = "terms shared by neighbouring sentences, by how many they have"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"

    def measured(self, terms: TermSentences) -> Floats:
        """Give the score itself."""
        sizes = np.asarray(terms.present.sum(axis=1), dtype=np.float64)
        return terms.summed(_normalised(terms, terms.followed(terms.present), sizes))[:, None]


@dataclass(frozen=True, slots=True)
class NeighbourCosine(TermMetric):
    r"""The cosine between neighbouring sentences, on average.

    .. math:: \frac{1}{n-1} \sum_{i=1}^{n-1} \frac{a_i \cdot a_{i+1}}{|a_i| |a_{i+1}|}

    where :math:`a_i` counts the terms of sentence i; the cosine with a sentence that has none
    is 0. A single sentence has no neighbour and no score.

    References
    ----------
    Pitler, Louis and Nenkova (2010). Automatic evaluation of linguistic quality in
    multi-document summarization. ACL.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain fell. Rain, rain fell. Fish rejoiced.", "Rain."])
    >>> metric = NeighbourCosine()
    >>> metric.score(metric.statistics(cases)).round(4).tolist()
    [0.4743, nan]
    """

    name: ClassVar[str] = "neighbour-cosine"
    title: ClassVar[str] = "Cosine of neighbours"
    summary: ClassVar[str] = "the cosine between neighbouring sentences, on average"
    citation: ClassVar[str] = "Pitler, Louis and Nenkova 2010"

    def measured(self, terms: TermSentences) -> Floats:
        """Give the sum of cosines and the number of neighbours."""
        squares = np.asarray(terms.counts.multiply(terms.counts).sum(axis=1), dtype=np.float64)
        cosines = terms.summed(_normalised(terms, terms.followed(terms.counts), squares))
        return np.stack([cosines, np.maximum(terms.sizes - 1, 0)], axis=1)

    def score(self, statistics: Floats) -> Floats:
        """Give the mean."""
        return share(statistics[..., 0], statistics[..., 1])


def _normalised(terms: TermSentences, products: Floats, squares: Floats) -> Floats:
    """Divide the products of neighbours by the lengths of both; a length of 0 counts as 1."""
    lengths = np.sqrt(np.maximum(squares, 1))
    cosines: Floats = products / (lengths[terms.neighbours] * lengths[terms.neighbours + 1])
    return cosines
