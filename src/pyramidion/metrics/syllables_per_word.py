"""How long words are to the ear."""

from dataclasses import dataclass
from typing import ClassVar

from pyramidion._types import Floats
from pyramidion.metrics.cases import Cases
from pyramidion.metrics.spoken_words import ReadabilityMetric, summed_words

__all__ = ["Monosyllables", "SyllablesPerWord"]


@dataclass(frozen=True, slots=True)
class SyllablesPerWord(ReadabilityMetric):
    """Syllables a word, on average, by rules for English (see `count_syllables`).

    Numbers, and what an apostrophe cuts off, are left out. A text without other words has no
    score.

    References
    ----------
    Tavernier and Bellot (2011). Combining relevance and readability for INEX 2011
    question-answering track. Pre-proceedings of INEX.

    Examples
    --------
    >>> cases = Cases.of_texts(["Rain fell on Ohio in 1989."])
    >>> SyllablesPerWord().score(SyllablesPerWord().statistics(cases)).tolist()
    [1.4]
    """

    name: ClassVar[str] = "syllables-per-word"
    title: ClassVar[str] = "syllables a word"
    summary: ClassVar[str] = "how many syllables a word has, on average"
    higher_is_better: ClassVar[bool] = False

    def statistics(self, cases: Cases) -> Floats:
        """Count syllables and words."""
        encoded, syllables = self.encoded(cases), self.syllables(cases)
        words = summed_words(encoded, 1 * (syllables > 0))
        return self.counted(cases, summed_words(encoded, syllables), words)


@dataclass(frozen=True, slots=True)
class Monosyllables(ReadabilityMetric):
    """The share of words with a single syllable, by rules for English (see `count_syllables`).

    Numbers, and what an apostrophe cuts off, are left out. A text without other words has no
    score.

    References
    ----------
    Tavernier and Bellot (2011). Combining relevance and readability for INEX 2011
    question-answering track. Pre-proceedings of INEX.

    Examples
    --------
    >>> cases = Cases.of_texts(["Rain fell on Ohio in 1989."])
    >>> Monosyllables().score(Monosyllables().statistics(cases)).tolist()
    [0.8]
    """

    name: ClassVar[str] = "monosyllables"
    title: ClassVar[str] = "monosyllables"
    summary: ClassVar[str] = "the share of words with a single syllable"

    def statistics(self, cases: Cases) -> Floats:
        """Count monosyllables and words."""
        encoded, syllables = self.encoded(cases), self.syllables(cases)
        words = summed_words(encoded, 1 * (syllables > 0))
        return self.counted(cases, summed_words(encoded, 1 * (syllables == 1)), words)
