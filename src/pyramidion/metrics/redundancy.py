"""How little the sentences of a summary repeat each other."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics.sparse import Sparse
from pyramidion.metrics.term_sentences import TermMetric, TermSentences

__all__ = ["Redundancy1", "Redundancy2"]


@dataclass(frozen=True, slots=True)
class Redundancy1(TermMetric):
    r"""What is left of the term overlap between sentences beside its main direction (CLASSY).

    .. math:: \sum_{i=2}^{n} \sigma_i^2

    over the singular values :math:`\sigma_1 \ge \dots \ge \sigma_n` of the term-overlap matrix,
    whose entry (i, j) is the number of different terms that sentences i and j of the summary
    share. The score is 0 if all sentences have the same terms, whatever their order: the
    *less* the sentences repeat each other, and the more terms they have, the greater it is.
    A single sentence gives 0 too, and so does a text of stop words.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain fell. Roads closed.", "Rain fell. Fell rain."])
    >>> Redundancy1().statistics(cases)[:, 0].round(6).tolist()
    [4.0, 0.0]
    """

    name: ClassVar[str] = "redundancy-1"
    title: ClassVar[str] = "Redundant 1"
    summary: ClassVar[str] = "term overlap of sentences beside its first direction"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    leading: ClassVar[int] = 1

    def measured(self, terms: TermSentences) -> Floats:
        """Give the score itself."""
        score = np.zeros(len(terms.sizes))
        overlap = (terms.present @ terms.present.T).tocoo()
        for number in np.unique(terms.sizes[terms.sizes > self.leading]):
            texts = np.flatnonzero(terms.sizes == number)
            # The matrix is symmetric and has no negative eigenvalue: they are its singular values.
            values = np.linalg.eigvalsh(_stacked(terms, overlap, texts, int(number)))
            score[texts] = np.square(values[:, : number - self.leading]).sum(axis=1)
        return score[:, None]


@dataclass(frozen=True, slots=True)
class Redundancy2(Redundancy1):
    r"""What is left of the term overlap between sentences beside two main directions (CLASSY).

    .. math:: \sum_{i=3}^{n} \sigma_i^2

    As `Redundancy1`, without the second singular value; 0 for two sentences or one.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain fell. Roads closed. Trees leaned.", "Rain fell. Snow."])
    >>> Redundancy2().statistics(cases)[:, 0].round(6).tolist()
    [4.0, 0.0]
    """

    name: ClassVar[str] = "redundancy-2"
    title: ClassVar[str] = "Redundant 2"
    summary: ClassVar[str] = "term overlap of sentences beside its first two directions"
    leading: ClassVar[int] = 2


def _stacked(terms: TermSentences, overlap: Sparse, texts: Ints, number: int) -> Any:
    """Give the overlap matrices of texts with one number of sentences, one upon the other."""
    place = np.full(len(terms.sizes), -1)
    place[texts] = np.arange(len(texts))
    first = np.cumsum(terms.sizes) - terms.sizes
    rows, columns = overlap.coords
    owners = terms.owners[rows]
    chosen = place[owners] >= 0
    rows, columns, owners = rows[chosen], columns[chosen], owners[chosen]
    matrices = np.zeros((len(texts), number, number))
    matrices[place[owners], rows - first[owners], columns - first[owners]] = overlap.data[chosen]
    return matrices
