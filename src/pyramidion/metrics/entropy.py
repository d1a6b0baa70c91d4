"""How evenly a summary's terms, and the lengths of its sentences, are spread."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics.term_sentences import TermMetric, TermSentences

__all__ = ["NegSentenceEntropy", "TermEntropy"]


@dataclass(frozen=True, slots=True)
class TermEntropy(TermMetric):
    r"""The entropy of how often each term occurs, a feature of CLASSY.

    .. math:: -\sum_i p_i \log_2 p_i

    where :math:`p_i` is the share of term i among all terms of the summary. It is great for a
    summary of many terms, none of them repeated. A text whose words are all stop words gives
    0, the empty sum; one without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain fell. Rain stopped.", "Rain. Rain!"])
    >>> TermEntropy().statistics(cases)[:, 0].tolist()
    [1.5, 0.0]
    """

    name: ClassVar[str] = "term-entropy"
    title: ClassVar[str] = "Term Entropy"
    summary: ClassVar[str] = "how evenly terms occur, in bits"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"

    def measured(self, terms: TermSentences) -> Floats:
        """Give the score itself."""
        totals: Ints = terms.counts.sum(axis=0)
        return _entropy(totals, terms.term_owners, len(terms.sizes))[:, None]


@dataclass(frozen=True, slots=True)
class NegSentenceEntropy(TermMetric):
    r"""The negative entropy of the lengths of sentences, a feature of CLASSY.

    .. math:: \sum_i q_i \log_2 q_i

    where :math:`q_i` is the share of sentence i in the terms of the summary. It is
    :math:`-\log_2 n` for n sentences of one length and rises towards 0 the more one of them
    outweighs the others. The text of the papers defines the entropy itself, their tables of
    models name its negative, and it is the negative that their coefficients go with. A text
    whose words are all stop words gives 0, the empty sum; one without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain fell. Roads closed.", "Rain fell on closed roads."])
    >>> NegSentenceEntropy().statistics(cases)[:, 0].tolist()
    [-1.0, 0.0]
    """

    name: ClassVar[str] = "neg-sentence-entropy"
    title: ClassVar[str] = "Neg Sent Entropy"
    summary: ClassVar[str] = "how unevenly long sentences are, in negative bits"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"
    higher_is_better: ClassVar[bool] = False

    def measured(self, terms: TermSentences) -> Floats:
        """Give the score itself."""
        lengths: Ints = terms.counts.sum(axis=1)
        # Subtracting from 0 spares one sentence the score -0.
        return 0 - _entropy(lengths, terms.owners, len(terms.sizes))[:, None]


def _entropy(counts: Ints, owners: Ints, number: int) -> Floats:
    """Give the entropy of the counts of each owner; 0 if it has none."""
    counts, owners = counts[counts > 0], owners[counts > 0]
    shares = counts / np.bincount(owners, weights=counts, minlength=number)[owners]
    sums = np.bincount(owners, weights=shares * np.log2(shares), minlength=number)
    return 0 - sums.astype(np.float64)
