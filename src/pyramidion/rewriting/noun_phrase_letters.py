"""Which words an input writes in small letters: *Analyst Korda* becomes *said analyst Korda*."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pyramidion.rewriting.noun_phrase_titles import is_role, is_title
from pyramidion.text._parsing import ParsedWord

__all__ = ["Letters"]


@dataclass(frozen=True, slots=True)
class Letters:
    """Which words an input writes in small letters, and which with capitals within sentences.

    Parameters
    ----------
    small_words, capital_words
        The words.

    Examples
    --------
    >>> words = [ParsedWord("Analyst", "analyst", "NOUN", 1, "title"),
    ...     ParsedWord("Korda", "Korda", "PROPN", 1, "root")]
    >>> Letters().small(words)
    True
    """

    small_words: frozenset[str] = frozenset()
    capital_words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, sentences: Iterable[Sequence[ParsedWord]]) -> "Letters":
        """Look at the words of sentences."""
        rest = [word.text for words in sentences for word in words[1:]]
        small = frozenset(text for text in rest if text.islower())
        capital = (text for text in rest if text[:1].isupper() and not text.isupper())
        return cls(small, frozenset(text.lower() for text in capital))

    def small(self, words: Sequence[ParsedWord]) -> bool:
        """Tell whether the first word of a description is written small: *analyst Korda*."""
        text = words[0].text.lower()
        if len(words) < 2 or text in self.capital_words - self.small_words:
            return False
        if words[0].entity or not words[1].text.islower():
            return is_role(text)
        return text in self.small_words or is_title(text) or words[0].fine == "NN"

    def capital(self, word: ParsedWord) -> bool:
        """Tell whether a word is known to have a capital, as a name or a title."""
        name = word.text.isupper() or bool(word.entity)
        return name or is_title(word.text) or word.text.lower() in self.capital_words
