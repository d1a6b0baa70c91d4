"""Words that noun phrases are judged by, read once from ``nouns.toml``."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from pyramidion.rewriting.people.words import words_of

__all__ = [
    "NAME_LINKS",
    "contrary",
    "distinguishing",
    "endings_of_names",
    "is_organization",
    "is_time",
    "is_vague",
    "kinds_in_names",
    "measures",
    "names_people",
    "points",
    "qualifying",
    "ranks",
    "takes_of",
]

#: Small words within names.
NAME_LINKS: frozenset[str] = frozenset(("of", "the", "and", "for", "de", "la", "&", "'s", "-"))


def is_time(noun: str) -> bool:
    """Tell whether a noun is a time or part of a date.

    Parameters
    ----------
    noun
        In small letters.

    Examples
    --------
    >>> is_time("march"), is_time("ferry")
    (True, False)
    """
    return noun in _times()


def is_vague(noun: str) -> bool:
    """Tell whether phrases with a noun are rarely about one thing though the noun is the same.

    Parameters
    ----------
    noun
        In small letters: amounts, times, parts of things, and nouns that mean anything.

    Examples
    --------
    >>> is_vague("percent"), is_vague("ferry")
    (True, False)
    """
    return noun in _vague()


def names_people(noun: str) -> bool:
    """Tell whether a noun says what somebody is.

    Who *the governor* is changes between articles, and people have a rewriter of their own.

    Parameters
    ----------
    noun
        In small letters.

    Examples
    --------
    >>> names_people("governor"), names_people("crowd"), names_people("ferry")
    (True, True, False)
    """
    return noun in _people()


def is_organization(noun: str) -> bool:
    """Tell whether a noun is one that many an organization is called by.

    Parameters
    ----------
    noun
        In small letters.

    Examples
    --------
    >>> is_organization("agency"), is_organization("ferry")
    (True, False)
    """
    return noun in _organizations()


def takes_of(verb: str) -> bool:
    """Tell whether a verb takes *of* after its object: *cleared her of the charge*.

    Parameters
    ----------
    verb
        Its lemma.

    Examples
    --------
    >>> takes_of("accuse"), takes_of("see")
    (True, False)
    """
    return verb in _verbs_with_of()


@cache
def distinguishing() -> frozenset[str]:
    """Give words before a noun that tell which one of several is meant.

    Examples
    --------
    >>> "lower" in distinguishing()
    True
    """
    return frozenset(_file()["distinguishing"]["words"].split())


def points(word: str) -> bool:
    """Tell whether a word points at what is clear only where it stands.

    Parameters
    ----------
    word
        Any word: *yesterday*, *another*, *his*.

    Examples
    --------
    >>> points("Yesterday"), points("ferry")
    (True, False)
    """
    return word.lower() in _pointing()


@cache
def contrary() -> tuple[frozenset[str], ...]:
    """Give modifiers of which only one can hold of the same thing.

    Examples
    --------
    >>> any({"first", "second"} <= group for group in contrary())
    True
    """
    lines = _file()["contrary"]["lines"].strip().splitlines()
    return tuple(frozenset(line.split()) for line in lines)


@cache
def endings_of_names() -> frozenset[str]:
    """Give what companies and people have at the end of their names.

    Examples
    --------
    >>> "inc" in endings_of_names()
    True
    """
    return frozenset(_file()["names"]["endings"].split())


@cache
def kinds_in_names() -> frozenset[str]:
    """Give nouns that names begin with.

    Examples
    --------
    >>> "lake" in kinds_in_names()
    True
    """
    return frozenset(_file()["names"]["kinds"].split())


@cache
def qualifying() -> frozenset[str]:
    """Give words before a noun that change what it says.

    Examples
    --------
    >>> "former" in qualifying()
    True
    """
    return frozenset(_file()["qualifying"]["words"].split())


@cache
def ranks() -> frozenset[str]:
    """Give titles that do not tell what somebody is in charge of.

    Examples
    --------
    >>> "col" in ranks()
    True
    """
    return frozenset(_file()["ranks"]["words"].split())


def measures(text: str) -> bool:
    """Tell whether a text has a number, an amount of money or a measure.

    Parameters
    ----------
    text
        A phrase or word.

    Examples
    --------
    >>> measures("about $6.5 million"), measures("twelve"), measures("the Maren Star")
    (True, True, False)
    """
    return any(own.isdigit() or own in "$€£¥%" for own in text) or text.lower() in _numbers()


@cache
def _file() -> dict[str, dict[str, Any]]:
    return tomllib.loads(files(__package__).joinpath("nouns.toml").read_text(encoding="utf-8"))


@cache
def _vague() -> frozenset[str]:
    return frozenset(word for words in _file()["vague"].values() for word in words.split())


@cache
def _times() -> frozenset[str]:
    return frozenset(_file()["vague"]["times"].split())


@cache
def _people() -> frozenset[str]:
    groups = frozenset(_file()["people"]["groups"].split())
    return groups | words_of("roles") | words_of("relations")


@cache
def _organizations() -> frozenset[str]:
    return frozenset(_file()["organizations"]["words"].split())


@cache
def _verbs_with_of() -> frozenset[str]:
    return frozenset(_file()["verbs"]["with_of"].split())


@cache
def _pointing() -> frozenset[str]:
    return frozenset(word for words in _file()["pointing"].values() for word in words.split())


@cache
def _numbers() -> frozenset[str]:
    return frozenset(_file()["numbers"]["words"].split())
