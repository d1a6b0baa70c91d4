"""Names of a sentence, and whether the source has them."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Final

from pyramidion.support._numbers import is_calendar_or_number
from pyramidion.support._words import Word, groups_at, key_of, words_of
from pyramidion.text import is_stop_word
from pyramidion.text._light.names import Roles
from pyramidion.text.parsing import ParsedWord

_PROPER_NOUN_TAGS: Final = frozenset({"NNP", "NNPS"})


@cache
def _roles() -> Roles:
    return Roles()


def names_in(words: Sequence[ParsedWord]) -> Iterator[tuple[int, int]]:
    """Find the names of a parsed sentence: runs of capitalized words, without titles."""
    run: list[int] = []
    for index in range(len(words) + 1):
        if index < len(words) and _is_name_word(words, index):
            run.append(index)
            continue
        while run and _is_title(words[run[0]]):
            run.pop(0)
        if run:
            yield run[0], run[-1]
        run = []


def _is_title(word: ParsedWord) -> bool:
    return word.relation == "title" or (not word.entity and _roles().is_title(word.text))


def _is_name_word(words: Sequence[ParsedWord], index: int) -> bool:
    word = words[index]
    if not word.text[0].isupper() or is_calendar_or_number(key_of(word.text)):
        return False
    if not (word.entity or word.fine in _PROPER_NOUN_TAGS or _is_country_adjective(word)):
        return False
    if word.entity or any(other.text[0].isalnum() for other in words[:index]):
        return True
    return index + 1 < len(words) and words[index + 1].fine in _PROPER_NOUN_TAGS


def _is_country_adjective(word: ParsedWord) -> bool:
    """Return whether an adjective is another form of a name, as *Italian* is of *Italy*."""
    return word.fine == "JJ" and any(groups_at([key_of(word.text)]))


_QUARTER_NAMES: Final = {"q1": "first", "q2": "second", "q3": "third", "q4": "fourth"}
_PREFIX_LETTERS: Final = 5
_ACRONYM_LENGTH_RANGE: Final = range(3, 7)
#: *YoY* abbreviates *year over year*, but *Amy* does not abbreviate anything.
_MIN_CAPITALS: Final = 2


class NameSet:
    """The words that names may consist of."""

    def __init__(self) -> None:
        self._keys: set[str] = set()
        self._prefixes: set[str] = set()
        self._groups: set[int] = set()
        self._acronyms: set[str] = set()
        self._initials: list[str] = []

    def add(self, text: str) -> None:
        """Add the words of a normalized sentence."""
        words = words_of(text)
        keys = [word.key for word in words]
        self._groups.update(group for _, _, group in groups_at(keys))
        for key in set(keys) - self._keys:
            self._keys.add(key)
            self._prefixes.update(key[:size] for size in range(_PREFIX_LETTERS, len(key) + 1))
        texts = (text[word.start : word.end] for word in words)
        self._acronyms.update(part.lower() for part in texts if part.isupper() and len(part) > 1)
        self._initials += ["".join(key[0] for key in keys), initials(keys)]

    def supports(self, name: str) -> bool:
        """Return whether each word of a name is in the source, in one form or another."""
        words = words_of(name)
        keys = [word.key for word in words]
        covered_indices = {
            index
            for first, end, group in groups_at(keys)
            if group in self._groups
            for index in range(first, end)
        }
        if all(
            index in covered_indices or self._has_form(word.key) or self._abbreviates(name, word)
            for index, word in enumerate(words)
        ):
            return True
        acronyms = {"".join(key[0] for key in keys), initials(keys)}
        return len(keys) > 1 and not acronyms.isdisjoint(self._acronyms)

    def _has_form(self, key: str) -> bool:
        if key in self._keys or key + "s" in self._keys or key.removesuffix("s") in self._keys:
            return True
        if (
            len(key) >= _PREFIX_LETTERS
            and key[: max(_PREFIX_LETTERS, len(key) - 3)] in self._prefixes
        ):
            return True
        return _QUARTER_NAMES.get(key) in self._keys

    def _abbreviates(self, name: str, word: Word) -> bool:
        """Return whether a word with several capitals has the initials of consecutive words."""
        capitals = sum(map(str.isupper, name[word.start : word.end]))
        if capitals < _MIN_CAPITALS or len(word.key) not in _ACRONYM_LENGTH_RANGE:
            return False
        return any(word.key in letters for letters in self._initials)


def initials(keys: Iterable[str]) -> str:
    """Return the initials of the words that are not stop words."""
    return "".join(key[0] for key in keys if not is_stop_word(key))
