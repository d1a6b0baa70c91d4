"""The words of a text, as contributors are compared by, with their places.

A word is what the tokenizer ``unicode`` calls one: case is folded, and white space, punctuation,
quotation marks, apostrophes, dashes and symbols only separate, however they are typed. So
``“Ice–cold,”`` and ``ice-cold`` are the same two words, and ``icecold`` is another.
"""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from pyramidion.text.tokens import tokenize

__all__ = ["PlacedWord", "placed_words"]

_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_CHUNK = re.compile(r"\S+")


class PlacedWord(NamedTuple):
    """A word, folded, and where it stands in the text (end exclusive).

    Examples
    --------
    >>> PlacedWord("ice", 1, 4).text
    'ice'
    """

    text: str
    start: int
    end: int


def placed_words(text: str) -> list[PlacedWord]:
    """Find the words of a text.

    Parameters
    ----------
    text
        The text, in any script.

    Examples
    --------
    >>> [tuple(word) for word in placed_words("“Ice–cold,” 3.5%")]
    [('ice', 1, 4), ('cold', 5, 9), ('3', 12, 13), ('5', 14, 15)]
    """
    if text.isascii():
        return list(_ascii_words(text, 0))
    return [word for chunk in _CHUNK.finditer(text) for word in _chunk_words(chunk)]


def _ascii_words(text: str, offset: int) -> Iterator[PlacedWord]:
    for found in _ASCII_WORD.finditer(text):
        yield PlacedWord(found.group().lower(), offset + found.start(), offset + found.end())


def _chunk_words(chunk: re.Match[str]) -> Iterator[PlacedWord]:
    text, offset = chunk.group(), chunk.start()
    if text.isascii():
        yield from _ascii_words(text, offset)
        return
    for start, end in _stretches(text):
        for word in tokenize(text[start:end], "unicode"):
            yield PlacedWord(word, offset + start, offset + end)


def _stretches(text: str) -> Iterator[tuple[int, int]]:
    """Find where words begin and end, character by character."""
    start = end = -1
    lonely = False
    for place, character in enumerate(text):
        part = _part_played(character)
        if part == "mark" and start >= 0:
            end = place + 1
        if part in ("mark", "nothing"):
            continue
        if start >= 0 and (lonely or part != "letter"):
            yield start, end
            start = -1
        if part != "blank":
            start, end = (place if start < 0 else start), place + 1
            lonely = part == "alone"
    if start >= 0:
        yield start, end


@cache
def _part_played(character: str) -> Literal["letter", "alone", "mark", "blank", "nothing"]:
    """Ask the tokenizer what a character does between two letters."""
    if unicodedata.category(character) in ("Mn", "Mc") and not tokenize(character, "unicode"):
        return "mark"
    words = tokenize(f"a{character}a", "unicode")
    if words == ["aa"]:
        return "nothing"
    if words == ["a", "a"]:
        return "blank"
    return "alone" if len(words) > 2 and words[0] == "a" else "letter"
