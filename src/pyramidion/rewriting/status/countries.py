"""Names of countries and states, and one key for all names of a body."""

from collections.abc import Mapping
from functools import cache

__all__ = ["body_key", "country_names", "plain_name"]

#: What countryinfo lacks or spells otherwise than newspapers do.
_MORE = {
    "us": "united states",
    "usa": "united states",
    "america": "united states",
    "uk": "united kingdom",
    "britain": "united kingdom",
    "uae": "united arab emirates",
    "england": "england",
    "english": "england",
    "soviet": "soviet union",
    "soviet union": "soviet union",
    "saudi": "saudi arabia",
    "argentine": "argentina",
    "icelandic": "iceland",
    "slovenian": "slovenia",
    "burma": "myanmar",
    "burmese": "myanmar",
    "yugoslav": "yugoslavia",
    "yugoslavia": "yugoslavia",
}
#: Alternative spellings in countryinfo that are words of English.
_WORDS = {"island", "mann", "prathet", "ngwane", "viti"}
#: Shorter ones are codes.
_SHORTEST = 4
_ENDINGS = {"inc", "corp", "ltd", "co", "llc", "plc", "company", "corporation"}


@cache
def country_names() -> Mapping[str, str]:
    """Give the keys of countries by names, adjectives and inhabitants, all in small letters.

    They come from the package countryinfo where it is installed, with the states of the United
    States; else there are only a few, and names that the parser calls places must do.

    Examples
    --------
    >>> country_names()["us"], country_names()["britain"]
    ('united states', 'united kingdom')
    """
    found = {key: key for key in _MORE.values()} | _MORE
    try:
        from countryinfo import all_countries
    except ImportError:
        return found
    for country in sorted(all_countries(), key=lambda one: -(one.population() or 0)):
        key = country.name().lower().removeprefix("the ")
        adjectives = (country.demonym() or "").replace("/", ",").split(",")
        for name in (country.name(), *country.alt_spellings(), *adjectives):
            plain = plain_name(name.removeprefix("The "))
            if len(plain) >= _SHORTEST and plain not in _WORDS:
                found.setdefault(plain, key)
        if key == "united states":
            found |= {state.lower(): state.lower() for state in country.provinces()}
    return found


def plain_name(name: str) -> str:
    """Write a name in small letters, without dots.

    Examples
    --------
    >>> plain_name("U.S.")
    'us'
    """
    return " ".join(name.lower().replace(".", "").split())


def body_key(name: str) -> str:
    """Give the key of a name.

    Parameters
    ----------
    name
        A country, state, inhabitant or organization.

    Examples
    --------
    >>> body_key("the U.S."), body_key("Narrows Line Inc."), body_key("Britain's")
    ('united states', 'narrows line', 'united kingdom')
    """
    words = plain_name(name.replace("’", "'").removesuffix("'s")).split()
    while len(words) > 1 and words[-1] in _ENDINGS:
        words.pop()
    plain = " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)
    return country_names().get(plain, plain)
