"""Normalized text that keeps its offsets in the original, and its words."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from pyramidion.text import stem

_STRAIGHT_MARKS: Final = str.maketrans("‘’‚‛`´“”„‟«»‐‑−", "''''''\"\"\"\"\"\"---")


def _keep_capitals(match: re.Match[str]) -> str:
    return re.sub(r"[^A-Z]", "", match[0])


def _compatibility_form(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match[0])


_Edit = tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]
#: Numbers that were divided: *10, 000* and *98. 7*.
_DIVIDED_NUMBER: Final = re.compile(r"(?<![\d.,])(?:\d{1,3}, (?=\d{3}(?!\d))|\d{1,3}\. (?=\d))")
#: The replacements that normalize a text, in this order.
_NORMALIZATION_EDITS: Final[tuple[_Edit, ...]] = (
    (re.compile(r"[^\x00-\x7f][\u0300-\u036f]*|[A-Za-z][\u0300-\u036f]+"), _compatibility_form),
    (re.compile(r"``|''"), '"'),
    (re.compile(r"(?<=\w) (?='(?:s|re|ve|ll|d|m)\b|n't\b)"), ""),
    (re.compile(r"(?<=\S) +(?=[,;:!?%]|\.(?!\d))"), ""),
    (re.compile(r"(?<=[$£€]) +"), ""),
    (re.compile(r"(?<![A-Za-z.])[A-Z]\.(?:\s?[A-Z]\.)+"), _keep_capitals),
    (re.compile(r"(?<=[a-z]{2}[.?!])(?=[A-Z][a-z])"), " "),
    (re.compile(r"(?<=\b[A-Z]{3})(?=\d)|(?<=\b(?:Rs|FY))(?=\d)"), " "),
    # The 19 of COVID-19 is not a number, and many sources leave it out.
    (re.compile(r"(?<=\bcovid)-19\b", re.IGNORECASE), ""),
    (_DIVIDED_NUMBER, lambda match: match[0].rstrip()),
)


class Normalized(NamedTuple):
    """A normalized text, and for each character its offset in the original."""

    text: str
    offsets: list[int]
    #: Whether parts of numbers were joined, which may have been numbers of their own.
    joined: bool = False

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the place of a part in the original."""
        return self.offsets[start], self.offsets[end - 1] + 1 if end > start else self.offsets[end]


def normalize(text: str) -> Normalized:
    """Straighten quotes, join what a tokenizer divided, and divide *word.Word*."""
    text, offsets, joins_numbers = (
        text.translate(_STRAIGHT_MARKS),
        list(range(len(text) + 1)),
        False,
    )
    for pattern, replacement_rule in _NORMALIZATION_EDITS:
        if pattern.search(text):
            joins_numbers = joins_numbers or pattern is _DIVIDED_NUMBER
            text, offsets = _apply_edit(text, offsets, pattern, replacement_rule)
    return Normalized(text, offsets, joins_numbers)


def _apply_edit(
    text: str,
    offsets: list[int],
    pattern: re.Pattern[str],
    replacement_rule: str | Callable[[re.Match[str]], str],
) -> tuple[str, list[int]]:
    pieces: list[str] = []
    new_offsets: list[int] = []
    position = 0
    for match in pattern.finditer(text):
        start, end = match.span()
        replacement = (
            replacement_rule if isinstance(replacement_rule, str) else replacement_rule(match)
        )
        pieces += [text[position:start], replacement]
        new_offsets += offsets[position:start]
        # The last character keeps the end of what was replaced.
        inner_offsets = offsets[start:end] or [offsets[start]]
        size = len(replacement)
        new_offsets += [
            inner_offsets[min(index * len(inner_offsets) // size, len(inner_offsets) - 1)]
            for index in range(size)
        ]
        position = end
    return "".join([*pieces, text[position:]]), [*new_offsets, *offsets[position:]]


class Word(NamedTuple):
    """A word of a normalized text: its key is in lower case, without accents and *'s*."""

    key: str
    start: int
    end: int


_WORD_PATTERN: Final = re.compile(r"\d+(?:[,.:]\d+)*[^\W\d_]*|[^\W\d_][^\W_]*(?:'[^\W_]+)*")


def words_of(text: str) -> list[Word]:
    """Find the words of a normalized text."""
    return [Word(key_of(match[0]), *match.span()) for match in _WORD_PATTERN.finditer(text)]


@lru_cache(maxsize=100_000)
def key_of(word: str) -> str:
    """Return the form by which a word is compared with others."""
    word = word.lower()
    if not word.isascii():
        parts = unicodedata.normalize("NFD", word)
        word = "".join(part for part in parts if not unicodedata.combining(part))
    if word[0].isdigit():
        return word.replace(",", "")
    return word.removesuffix("'s") or word


@lru_cache(maxsize=100_000)
def root_of(key: str) -> str:
    """Stem a word; a second time, because irregular forms become unstemmed base forms."""
    return stem(stem(key))


def read_toml(name: str) -> dict[str, Any]:
    """Read a file of word lists."""
    return tomllib.loads((files("pyramidion.support") / "data" / name).read_text("utf-8"))


def lines_of(name: str) -> Iterator[str]:
    """Read the lines of a word list, without comments."""
    text = (files("pyramidion.support") / "data" / name).read_text("utf-8")
    return (line for line in text.splitlines() if line.strip() and not line.startswith("#"))


Phrase = tuple[str, ...]


@cache
def _groups_by_phrase() -> dict[Phrase, int]:
    """Map each word or phrase to its group; *UK* and *Britain* share one."""
    return {
        tuple(phrase.split()): number
        for number, line in enumerate(lines_of("groups.txt"))
        for phrase in line.split(",")
    }


_MAX_PHRASE_WORDS: Final = 3


def groups_at(keys: list[str]) -> Iterable[tuple[int, int, int]]:
    """Find words and phrases that belong to a group: first, end and group."""
    groups = _groups_by_phrase()
    for first in range(len(keys)):
        for end in range(first + 1, min(first + _MAX_PHRASE_WORDS, len(keys)) + 1):
            group = groups.get(tuple(keys[first:end]))
            if group is not None:
                yield first, end, group
