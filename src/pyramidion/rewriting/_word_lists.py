"""Word lists for people and organizations, read from TOML files."""

import tomllib
import unicodedata
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

#: Letters that Unicode does not decompose, and how they are written without their mark.
_PLAIN_LETTERS: Final = str.maketrans("øØłŁđĐı", "oOlLdDi")


@cache
def word_list(name: str, file: str = "people.toml") -> frozenset[str]:
    """Return a list of words from ``people.toml`` or another file.

    Examples
    --------
    >>> "Sen" in word_list("titles")
    True
    """
    return frozenset(_file(file)[name].split())


status_words = partial(word_list, file="status_words.toml")


@cache
def short_forms() -> dict[str, frozenset[str]]:
    """Return the short and long forms of each first name."""
    groups: dict[str, set[str]] = {}
    for line in _file("people.toml")["short_forms"].strip().splitlines():
        names = line.split()
        for name in names:
            groups.setdefault(name, set()).update(names)
    return {name: frozenset(group) for name, group in groups.items()}


def first_names() -> frozenset[str]:
    """Return all first names."""
    return word_list("female_names") | word_list("male_names")


def bare(word: str) -> str:
    """Return a word without full stops at its end, as in the lists."""
    return word.rstrip(".")


def folded(text: str) -> str:
    """Return a name in lower case without accents, for comparisons."""
    parts = unicodedata.normalize("NFKD", text.translate(_PLAIN_LETTERS))
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def spelled_title(word: str) -> str | None:
    """Return an abbreviated title in full, if the word is one."""
    full_title: str | None = _file("status_words.toml")["spelled"].get(word)
    return full_title


@cache
def _file(name: str) -> dict[str, Any]:
    text = files("pyramidion.rewriting").joinpath("data", name).read_text(encoding="utf-8")
    return tomllib.loads(text)
