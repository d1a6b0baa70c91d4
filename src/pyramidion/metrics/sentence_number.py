"""How few sentences a summary has."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.term_sentences import TermMetric, TermSentences

__all__ = ["NegLogSentences"]


@dataclass(frozen=True, slots=True)
class NegLogSentences(TermMetric):
    r"""The negative logarithm of the number of sentences, a feature of CLASSY.

    .. math:: -\log_2 n

    The table of models calls it ``-log2(sent length)``: with a limit of words, fewer sentences
    are longer ones. A sentence counts if it has a word, even if all its words are stop words.
    One sentence gives 0; a text without words has no score.

    References
    ----------
    Rankel, Conroy and Schlesinger (2012). Better metrics to automatically predict the quality
    of a text summary. Algorithms 5.

    Examples
    --------
    >>> from pyramidion.metrics import Cases
    >>> cases = Cases.of_texts(["Rain fell. Roads closed.", "Snow.", ""])
    >>> NegLogSentences().statistics(cases)[:, 0].tolist()
    [-1.0, 0.0, nan]
    """

    name: ClassVar[str] = "neg-log-sentences"
    title: ClassVar[str] = "-log2(sentences)"
    summary: ClassVar[str] = "the negative logarithm of the number of sentences"
    citation: ClassVar[str] = "Rankel, Conroy and Schlesinger 2012"

    def measured(self, terms: TermSentences) -> Floats:
        """Give the score itself."""
        # Subtracting from 0 spares one sentence the score -0.
        return 0 - np.log2(np.maximum(terms.sizes, 1))[:, None]
