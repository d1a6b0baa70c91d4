"""What is common in general: word counts of a background corpus."""

import gzip
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.text.stems import stem
from pyramidion.text.stopwords import is_stop_word

__all__ = ["Background", "default_background"]

_DATA = Path(__file__).parent / "data" / "background.tsv.gz"


@dataclass(frozen=True, eq=False)
class Background:
    """How often words occur in general, and in how many documents.

    Parameters
    ----------
    counts
        Occurrences by word.
    spread
        Documents that have the word.
    documents
        How many documents were counted.

    Examples
    --------
    >>> background = Background(Counter(rain=3, the=9), Counter(rain=1, the=4), documents=4)
    >>> background.total
    12
    >>> background.idf(["the", "rain", "flood"]).round(2).tolist()
    [0.0, 1.1, 2.2]
    """

    counts: Mapping[str, int]
    spread: Mapping[str, int]
    documents: int

    @property
    def total(self) -> int:
        """How many words were counted."""
        return sum(self.counts.values())

    def of(self, words: list[str]) -> Ints:
        """Give the number of occurrences of each word, 0 for an unknown one."""
        return np.array([self.counts.get(word, 0) for word in words], dtype=np.int64)

    def idf(self, words: list[str]) -> Floats:
        r"""Give each word's inverse document frequency, :math:`\log((N + 1/2) / (n + 1/2))`."""
        spread = np.array([self.spread.get(word, 0) for word in words], dtype=np.float64)
        return np.log((self.documents + 0.5) / (spread + 0.5))

    def without_stop_words(self) -> "Background":
        """Give the same without stop words, for inputs that are counted without them."""
        counts = {word: n for word, n in self.counts.items() if not is_stop_word(word)}
        return Background(counts, self.spread, self.documents)

    def stemmed(self) -> "Background":
        """Give the same with words that have one stem taken together.

        A document with two words of one stem is counted twice at most; no stem is in more
        documents than there are.
        """
        counts: Counter[str] = Counter()
        spread: Counter[str] = Counter()
        for word, number in self.counts.items():
            own = stem(word)
            counts[own] += number
            spread[own] = min(spread[own] + self.spread.get(word, 0), self.documents)
        return Background(counts, spread, self.documents)


@cache
def default_background(*, stem: bool = False, stop_words: bool = False) -> Background:
    """Read the counts that come with the package, of general English (see ``background.md``).

    Parameters
    ----------
    stem
        Whether words with one stem are taken together.
    stop_words
        Whether stop words are left out.

    Examples
    --------
    >>> default_background().counts["the"] > default_background().counts["rain"]
    True
    >>> default_background(stem=True).documents
    969
    """
    if stem:
        return default_background(stop_words=stop_words).stemmed()
    if stop_words:
        return default_background().without_stop_words()
    first, *lines = gzip.decompress(_DATA.read_bytes()).decode("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return Background(
        {word: int(count) for word, count, _ in rows},
        {word: int(spread) for word, _, spread in rows},
        documents=int(first.rsplit(" ", 1)[1]),
    )
