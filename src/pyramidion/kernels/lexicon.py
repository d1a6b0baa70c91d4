"""Immutable tables of irregular forms and stop words.

This is the readable specification of the compiled class of the same name, and the
fallback if nothing was compiled.
"""

from collections.abc import Iterable
from functools import lru_cache

from pyramidion.kernels.porter import porter_stem

__all__ = ["Lexicon"]

_cached_stem = lru_cache(maxsize=1 << 16)(porter_stem)


class Lexicon:
    """A table of irregular forms for the stemmer, and a stop list."""

    __slots__ = ("_exceptions", "_nltk", "_stop_words")

    def __init__(
        self, exceptions: dict[str, str], stop_words: Iterable[str], nltk: bool = False
    ) -> None:
        self._nltk = nltk
        self._exceptions = dict(exceptions)
        self._stop_words = frozenset(stop_words)

    def stem(self, word: str, shortest: int = 4) -> str:
        """Stem a lower-cased word.

        An irregular form is replaced by its entry in the table, which is not stemmed again; any
        other word is passed to :func:`~pyramidion.kernels.porter_stem`.
        """
        if len(word) < shortest:
            return word
        exception = self._exceptions.get(word)
        return _cached_stem(word, self._nltk) if exception is None else exception

    def is_stop_word(self, word: str) -> bool:
        """Return whether a lower-cased word is on the stop list."""
        return word in self._stop_words
