"""Readability indices: the years of school that a text asks for, by its counts."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.collection._options import option
from pyramidion.metrics._cases import ScoringBatch
from pyramidion.metrics._readability import (
    CUT_OFF,
    ReadabilityMetric,
    sentences_spoken,
    summed_words,
)

#: Each index as a function of rates: words a sentence, syllables a word, letters and digits a
#: word, long words a sentence.
_FORMULAS: Mapping[str, Callable[[Floats, Floats, Floats, Floats], Floats]] = {
    "flesch-reading-ease": lambda words, syllables, _, __: (
        206.835 - 1.015 * words - 84.6 * syllables
    ),
    "flesch-kincaid-grade": lambda words, syllables, _, __: 0.39 * words + 11.8 * syllables - 15.59,
    "gunning-fog": lambda words, _, __, long: 0.4 * (words + 100 * long / words),
    "automated-readability": lambda words, _, signs, __: 4.71 * signs + 0.5 * words - 21.43,
    "coleman-liau": lambda words, _, signs, __: 5.88 * signs - 29.6 / words - 15.8,
    "smog": lambda _, __, ___, long: 1.0430 * np.sqrt(30 * long) + 3.1291,
}


@dataclass(frozen=True, slots=True)
class ReadabilityIndex(ReadabilityMetric):
    r"""One of six indices of how hard a text is to read, made for English school books.

    With words a sentence (w), syllables a word (s), letters and digits a word (c) and words of
    three syllables or more a sentence (p):

    - ``flesch-reading-ease``: 206.835 - 1.015 w - 84.6 s; the higher, the easier
    - ``flesch-kincaid-grade``: 0.39 w + 11.8 s - 15.59
    - ``gunning-fog``: 0.4 (w + 100 p / w); names, compounds and words that *-es* or *-ed* made
      long count, though Gunning left them out
    - ``automated-readability``: 4.71 c + 0.5 w - 21.43
    - ``coleman-liau``: 5.88 c - 29.6 / w - 15.8
    - ``smog``: :math:`1.043 \sqrt{30 p} + 3.1291`, made for 30 sentences, rough for fewer

    All but the first are grades of American schools. Easy is not good: an index knows lengths
    of words and sentences only. What an apostrophe cuts off is no word of its own. Numbers are
    words of one syllable. A text without words has no score. There is no Dale-Chall index, since
    its list of words has no license.

    References
    ----------
    Flesch (1948), A new readability yardstick, Journal of Applied Psychology 32. Kincaid,
    Fishburne, Rogers and Chissom (1975), Derivation of new readability formulas for Navy enlisted
    personnel (also the automated readability index). Gunning (1952), The technique of clear
    writing. Coleman and Liau (1975), A computer readability formula designed for machine scoring,
    Journal of Applied Psychology 60. McLaughlin (1969), SMOG grading, Journal of Reading 12.

    Examples
    --------
    >>> cases = ScoringBatch.of_texts(["The cat sat on the mat."])
    >>> metric = ReadabilityIndex(index="flesch-reading-ease")
    >>> metric.score(metric.statistics(cases)).round(3).tolist()
    [116.145]
    """

    name: ClassVar[str] = "readability-index"
    title: ClassVar[str] = "readability indices"
    summary: ClassVar[str] = "how hard a text is to read, by lengths of words and sentences"
    bounds: ClassVar[str] = "any number"
    confuses: ClassVar[str] = "length"
    citation: ClassVar[str] = "Flesch 1948 and others"
    descriptive: ClassVar[bool] = True
    ascii_only: ClassVar[bool] = True  # made for English
    members: ClassVar[tuple[str, ...]] = tuple(_FORMULAS)

    index: str = option("flesch-reading-ease", "which of them", choices=tuple(_FORMULAS))

    @classmethod
    def read(cls, name: str) -> Mapping[str, Any] | None:
        """Read an index's name."""
        return {"index": name} if name in cls.members else None

    def _call(self) -> str:
        return self.index

    def statistics(self, cases: ScoringBatch) -> Floats:
        """Count words, sentences, syllables, letters and digits, and long words."""
        encoded = self.encoded(cases)
        key = ("grades", self.tokenizer or "rouge")
        counts = cases.texts.memo(key, lambda: _counts(encoded.words, self.syllables(cases)))
        words, *sums = (summed_words(encoded, column) for column in counts)
        table = np.stack([words, sentences_spoken(encoded), *sums], axis=1)
        return table[cases.peers].astype(np.float64)

    def score(self, statistics: Floats) -> Floats:
        """Put rates into the formula."""
        words, sentences, syllables, signs, long = np.moveaxis(statistics, -1, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            rates = words / sentences, syllables / words, signs / words, long / sentences
            found = _FORMULAS[self.index](*rates)
        return np.where(words > 0, found, np.nan)


def _counts(words: Sequence[str], syllables: Ints) -> tuple[Ints, ...]:
    """Count for each different word: itself, syllables, letters and digits, whether it is long."""
    whole = np.array([word not in CUT_OFF for word in words], dtype=np.int64)
    spoken = np.maximum(syllables, whole)
    signs = np.array([*map(len, words)], dtype=np.int64)
    return whole, spoken, signs, 1 * (spoken >= 3)
