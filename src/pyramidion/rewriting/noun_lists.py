"""Words that noun phrases are judged by; ``nouns.toml`` explains each list."""

import tomllib
from functools import cache
from importlib.resources import files

from pyramidion.rewriting.people.words import words_of

__all__ = ["NAME_LINKS", "contrary", "is_vague", "measures", "names_people", "nouns_of"]

#: Small words within names.
NAME_LINKS: frozenset[str] = frozenset(("of", "the", "and", "for", "de", "la", "&", "'s", "-"))


@cache
def nouns_of(table: str, key: str = "") -> frozenset[str]:
    """Give the words, in small letters, of one list of a table or of all its lists."""
    lists = _file()[table]
    return frozenset(" ".join([lists[key]] if key else lists.values()).split())


@cache
def contrary() -> tuple[frozenset[str], ...]:
    """Give groups of modifiers of which only one can hold of the same thing."""
    lines = _file()["contrary"]["lines"].strip().splitlines()
    return tuple(frozenset(line.split()) for line in lines)


def is_vague(noun: str) -> bool:
    """Tell whether phrases with a noun are rarely about one thing though the noun is the same."""
    return noun in nouns_of("vague")


def names_people(noun: str) -> bool:
    """Tell whether a noun says what somebody is.

    Who *the governor* is changes between articles, and people have a rewriter of their own.
    """
    people = (nouns_of("people", "groups"), words_of("roles"), words_of("relations"))
    return any(noun in words for words in people)


def measures(text: str) -> bool:
    """Tell whether a text has a number, an amount of money or a measure."""
    signs = any(own.isdigit() or own in "$€£¥%" for own in text)
    return signs or text.lower() in nouns_of("numbers")


@cache
def _file() -> dict[str, dict[str, str]]:
    return tomllib.loads(files(__package__).joinpath("nouns.toml").read_text(encoding="utf-8"))
