"""What a tagger looks at: properties of a word and its neighbours as hashed numbers.

All that is seen of a word alone (its letters, endings, shape, the tags it had in the treebanks)
is hashed once a word; what is seen of several words together is arithmetic on those numbers, so
that whole texts are done at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from pyramidion._types import Ints
from pyramidion.text.feature_hashes import Hashes, Templates, hash_text

__all__ = [
    "Batch",
    "WordTable",
    "batch_of",
    "dynamic_hashes",
    "is_all_capitals",
    "static_hashes",
]

_INNER, _FIRST, _CAPITALS = range(3)
_PAD: Final = 2
_WORD, _LAST1, _LAST2, _LAST3, _LAST4, _FRONT1, _FRONT3, _SHAPE, _CLASS = range(9)

#: What is seen of the words around one: offset and property.
_SEEN: Final = (
    *((0, own) for own in range(9)),
    *((-1, own) for own in (_WORD, _CLASS, _LAST3, _SHAPE)),
    *((1, own) for own in (_WORD, _CLASS, _LAST3, _SHAPE)),
    *((-2, _WORD), (2, _WORD), (2, _CLASS)),
)
_PLACE: Final = {own: number for number, own in enumerate(_SEEN)}
_STATIC: Final = (
    *((own,) for own in _SEEN if own not in ((-1, _SHAPE), (1, _SHAPE))),
    ((-1, _SHAPE), (0, _SHAPE)),
    ((1, _SHAPE), (0, _SHAPE)),
    ((-1, _WORD), (0, _WORD)),
    ((0, _WORD), (1, _WORD)),
    ((0, _CLASS), (1, _CLASS)),
    ((-1, _CLASS), (0, _CLASS), (1, _CLASS)),
    ((0, _CLASS), (1, _CLASS), (2, _CLASS)),
    ((0, _LAST2), (0, _SHAPE)),
)
_STATIC_TEMPLATES: Final = Templates([[_PLACE[own] for own in seen] for seen in _STATIC])

#: With the tags of the two words before in columns 0 and 1.
_WITH_TAGS: Final = ((0, _WORD), (0, _CLASS), (1, _CLASS), (0, _LAST3), (1, _WORD))
_DYNAMIC_TEMPLATES: Final = Templates(
    [(0,), (0, 1), (0, 2), (0, 3), (0, 3, 4), (0, 5), (0, 6), (0, 1, 3)]
)
# Features of both kinds share one table: the second kind is kept apart by this.
_APART: Final = np.uint32(0x5BD1E995)


class Batch(NamedTuple):
    """Sentences as rows of hashed properties, with empty rows between them.

    Parameters
    ----------
    properties
        A row a word (and two empty ones before and after each sentence).
    starts, lengths
        The row of each sentence's first word, and how many words it has.
    """

    properties: Hashes
    starts: Ints
    lengths: Ints

    @property
    def places(self) -> Ints:
        """The rows of words, sentence by sentence."""
        firsts = np.repeat(self.starts, self.lengths)
        own = np.arange(len(firsts))
        return firsts + own - np.repeat(np.cumsum(self.lengths) - self.lengths, self.lengths)


class WordTable:
    """Hashed properties of words, found once for each.

    Parameters
    ----------
    classes
        The tags a word had in the treebanks, as one text, by word in small letters.

    Examples
    --------
    >>> table = WordTable({"rain": "NN VB"})
    >>> table.numbers(["Rain", "fell", "fell"]), table.numbers(["RAIN", "FELL"])
    ([2, 1, 1], [3, 4])
    """

    def __init__(self, classes: Mapping[str, str]) -> None:
        self._classes = classes
        self._forget()

    def _forget(self) -> None:
        self._known: tuple[dict[str, int], ...] = ({}, {}, {})
        self._rows: list[Sequence[int]] = [(0,) * 9]
        self._table = np.zeros((1, 9), np.uint32)

    def numbers(self, words: Sequence[str]) -> list[int]:
        """Give the words of a sentence numbers: others if they are first, or all in capitals."""
        if is_all_capitals(words):
            return [self._number(word, _CAPITALS) for word in words]
        inner = self._known[_INNER]
        found = [inner.get(word) or self._number(word, _INNER) for word in words[1:]]
        return [self._number(words[0], _FIRST), *found] if words else []

    def _number(self, word: str, mode: int) -> int:
        known = self._known[mode]
        number = known.get(word)
        if number is None:
            number = known[word] = len(self._rows)
            self._rows.append(_properties(word, mode, self._classes))
        return number

    def properties(self, numbers: Any) -> Hashes:
        """Give the rows of numbered words; 0 is an empty row."""
        if len(self._table) < len(self._rows):
            new = np.array(self._rows[len(self._table) :], np.uint32)
            self._table = np.concatenate([self._table, new])
        found: Hashes = self._table[numbers]
        return found

    def tidy(self, most: int = 200_000) -> None:
        """Forget all words once there are too many."""
        if len(self._rows) > most:
            self._forget()


def is_all_capitals(words: Sequence[str]) -> bool:
    """Whether a sentence is in capitals throughout.

    Examples
    --------
    >>> is_all_capitals(["RAIN", "IN", "ARDEL", "."]), is_all_capitals(["NATO", "met"])
    (True, False)
    """
    longer = [word for word in words if len(word) > 1 and word[0].isalpha()]
    return len(longer) > 1 and all(word.isupper() for word in longer)


def _properties(word: str, mode: int, classes: Mapping[str, str]) -> list[int]:
    lower = word.lower()
    kind = classes.get(lower, "")
    plain = "".join("0" if letter.isdigit() else letter for letter in lower)
    shape = _shape(word, mode)
    parts = (plain, plain[-1:], plain[-2:], plain[-3:], plain[-4:], plain[:1], plain[:3])
    seen = enumerate((*parts, shape, kind))
    return [hash_text(f"{number}{part}") for number, part in seen]


def _shape(word: str, mode: int) -> str:
    marks = ("-" if "-" in word[1:] else "") + ("." if "." in word[1:] else "")
    marks += "0" if any(map(str.isdigit, word)) else ""
    if mode == _CAPITALS:
        return f"{marks}?"
    case = "A" if word.isupper() else "a" if word.islower() else "t" if word.istitle() else "m"
    case += "1" if len(word) == 1 else ""
    return f"{marks}{case}{'^' if mode == _FIRST else ''}"


def batch_of(sentences: Sequence[Sequence[str]], table: WordTable) -> Batch:
    """Put sentences together.

    Examples
    --------
    >>> batch = batch_of([["Rain", "fell"], ["Mud"]], WordTable({}))
    >>> batch.properties.shape, batch.starts.tolist(), batch.places.tolist()
    ((9, 9), [2, 6], [2, 3, 6])
    """
    numbers = [0] * _PAD
    starts = []
    for words in sentences:
        starts.append(len(numbers))
        numbers += table.numbers(words)
        numbers += [0] * _PAD
    lengths = np.array([len(words) for words in sentences], np.int64)
    return Batch(table.properties(numbers), np.array(starts, np.int64), lengths)


def static_hashes(batch: Batch, places: Ints) -> Hashes:
    """Hash what is seen of the words around each place: a row a place, a column a feature."""
    seen = [batch.properties[places + offset, own] for offset, own in _SEEN]
    return _STATIC_TEMPLATES.hashed(np.stack(seen, axis=1))


def dynamic_hashes(batch: Batch, places: Ints, before: Hashes, second: Hashes) -> Hashes:
    """Hash what is seen of each place and of the tags of the two words before it."""
    seen = [batch.properties[places + offset, own] for offset, own in _WITH_TAGS]
    return _DYNAMIC_TEMPLATES.hashed(np.stack([before ^ _APART, second, *seen], axis=1))
