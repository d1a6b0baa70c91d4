"""The words that people, organizations and noun phrases are judged by, read from TOML files."""

import tomllib
import unicodedata
from functools import cache, partial
from importlib.resources import files
from typing import Any, Final

#: Letters that have no accent to leave out, though other texts write them without one.
_PLAIN: Final = str.maketrans("øØłŁđĐı", "oOlLdDi")


@cache
def word_list(name: str, file: str = "people.toml") -> frozenset[str]:
    """Return a list of ``people.toml``, or of another file.

    Parameters
    ----------
    name, file
        The name of the list, and of the file.

    Examples
    --------
    >>> "Sen" in word_list("titles")
    True
    """
    return frozenset(_file(file)[name].split())


status_words = partial(word_list, file="status_words.toml")


@cache
def short_forms() -> dict[str, frozenset[str]]:
    """Return the names that each first name may stand for or be shortened to."""
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
    """Return a word as the lists have it: without a full stop at its end."""
    return word.rstrip(".")


def folded(text: str) -> str:
    """Return a name as it is compared: in small letters, without accents."""
    parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(part for part in parts if not unicodedata.combining(part)).casefold()


def spelled_title(word: str) -> str | None:
    """Write an abbreviated title in full."""
    full: str | None = _file("status_words.toml")["spelled"].get(word)
    return full


@cache
def _file(name: str) -> dict[str, Any]:
    text = files("pyramidion.rewriting").joinpath("data", name).read_text(encoding="utf-8")
    return tomllib.loads(text)
