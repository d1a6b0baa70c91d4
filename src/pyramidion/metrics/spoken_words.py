"""The words of summaries as they are written, for metrics of readability."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.metric import Metric, option, share
from pyramidion.metrics.syllables import count_syllables
from pyramidion.metrics.texts import Reading
from pyramidion.text import TOKENIZERS, Tokenizer
from pyramidion.text.encoding import Encoded

__all__ = ["CUT_OFF", "ReadabilityMetric", "sentences_spoken", "summed_words"]

#: What an apostrophe cuts off, as in it's and we'll; no words of their own.
CUT_OFF = frozenset({"d", "ll", "m", "re", "s", "t", "ve"})


@dataclass(frozen=True, slots=True)
class ReadabilityMetric(Metric):
    """One count of a summary divided by another, neither of which needs anything else.

    Examples
    --------
    >>> from pyramidion.metrics import parse_metric
    >>> parse_metric("monosyllables").tokenizer
    'rouge'
    """

    citation: ClassVar[str] = "Tavernier and Bellot 2011"

    tokenizer: Tokenizer = option("rouge", "how words are found", choices=tuple(TOKENIZERS))

    def encoded(self, cases: Cases) -> Encoded:
        """Give all texts in words that are not stemmed."""
        return cases.texts.encoded(Reading(stem=False, tokenizer=self.tokenizer))

    def syllables(self, cases: Cases) -> Ints:
        """Count the syllables of each word; 0 for numbers and for what an apostrophe cuts off."""
        words = self.encoded(cases).words
        key = ("spoken_words", self.tokenizer)
        return cases.texts.memo(key, lambda: np.array([*map(_syllables, words)], dtype=np.int64))

    def counted(self, cases: Cases, part: Ints, whole: Ints) -> Floats:
        """Give two counts of all texts for each summary."""
        return np.stack([part, whole], axis=1)[cases.peers].astype(np.float64)

    def score(self, statistics: Floats) -> Floats:
        """Divide; NaN where there is nothing to divide by."""
        return share(statistics[..., 0], statistics[..., 1])


def summed_words(encoded: Encoded, values: Ints) -> Ints:
    """Add up what each word counts, text by text.

    Parameters
    ----------
    encoded
        The texts.
    values
        What the words count, by their number.

    Examples
    --------
    >>> from pyramidion.text.encoding import encode
    >>> summed_words(encode(["It rained. It rained.", ""]), np.array([1, 10])).tolist()
    [22, 0]
    """
    sums = np.concatenate([[0], np.cumsum(values[encoded.ids])])
    return np.diff(sums[encoded.starts])


def sentences_spoken(encoded: Encoded) -> Ints:
    """Count the sentences of each text that have a word.

    Examples
    --------
    >>> from pyramidion.text.encoding import encode
    >>> sentences_spoken(encode([["It rained.", "", "It snowed."]])).tolist()
    [2]
    """
    spoken = np.concatenate([[0], np.cumsum(encoded.sentence_lengths > 0)])
    return np.diff(spoken[encoded.texts])


def _syllables(word: str) -> int:
    return 0 if word in CUT_OFF or not word.isalpha() else count_syllables(word)
