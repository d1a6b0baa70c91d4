"""How long sentences are."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.spoken_words import (
    CUT_OFF,
    ReadabilityMetric,
    sentences_spoken,
    summed_words,
)

__all__ = ["SentenceLength"]


@dataclass(frozen=True, slots=True)
class SentenceLength(ReadabilityMetric):
    """Words a sentence, on average.

    What an apostrophe cuts off is no word of its own (``it's`` is one word), a number is one.
    A text without words has no score.

    References
    ----------
    Tavernier and Bellot (2011). Combining relevance and readability for INEX 2011
    question-answering track. Pre-proceedings of INEX.

    Examples
    --------
    >>> cases = Cases.of_texts(["It's wet. Rain fell all day."])
    >>> SentenceLength().score(SentenceLength().statistics(cases)).tolist()
    [3.0]
    """

    name: ClassVar[str] = "sentence-length"
    title: ClassVar[str] = "words a sentence"
    summary: ClassVar[str] = "how many words a sentence has, on average"
    higher_is_better: ClassVar[bool] = False

    def statistics(self, cases: Cases) -> Floats:
        """Count words and sentences."""
        encoded = self.encoded(cases)
        whole = np.array([word not in CUT_OFF for word in encoded.words], dtype=np.int64)
        return self.counted(cases, summed_words(encoded, whole), sentences_spoken(encoded))
