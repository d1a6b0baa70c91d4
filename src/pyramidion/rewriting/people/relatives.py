"""Those who are introduced as somebody's relatives: *her father, Jonas Castellan*."""

from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.words import words_of
from pyramidion.text._parsing import ParsedWord

__all__ = ["is_related", "is_relative", "names_kin", "names_relation"]

_BEFORE: Final = 5
_AFTER: Final = 7
_NUMBERS: Final = frozenset(
    {"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "several"}
)


def names_relation(words: Sequence[ParsedWord]) -> bool:
    """Tell whether a word says who somebody is to somebody else.

    Parameters
    ----------
    words
        The words before a name.

    Examples
    --------
    >>> names_relation([ParsedWord("father", "father", "NOUN", 0, "dep")])
    True
    """
    small = {word.text.lower() for word in words}
    return bool(small & (words_of("relations") | words_of("kin"))) or "born" in small


def names_kin(words: Sequence[ParsedWord]) -> bool:
    """Tell whether words say whose relative somebody is; not so *a mother of three*.

    Parameters
    ----------
    words
        The words after a name.

    Examples
    --------
    >>> words = [ParsedWord(text, text, "X", 0, "dep") for text in "a mother of three".split()]
    >>> names_kin(words), names_kin(words[:2])
    (False, True)
    """
    for place, word in enumerate(words):
        if word.text.lower() in words_of("kin"):
            many = [own.text.lower() for own in words[place + 1 : place + 3]]
            counted = many[1:] and (many[1] in _NUMBERS or many[1].isdecimal())
            return not (many[:1] == ["of"] and counted)
    return False


def is_related(words: Sequence[ParsedWord], first: int, last: int) -> bool:
    """Tell whether the words around a name say whose relative somebody is.

    Parameters
    ----------
    words
        A sentence.
    first, last
        The name, with its titles.

    Examples
    --------
    >>> words = [ParsedWord(text, text, "X", 0, "dep") for text in "Ann Orr , his wife".split()]
    >>> is_related(words, 0, 1)
    True
    """
    if names_relation(words[max(first - _BEFORE, 0) : first]):
        return True
    after = [word.text for word in words[last + 1 : last + 3]]
    return after[:1] == [","] and names_kin(_up_to_comma(words, last + 2))


def is_relative(mention: Mention) -> bool:
    """Tell whether a mention introduces somebody as another's relative.

    Parameters
    ----------
    mention
        A mention.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> is_relative(people_in("His wife, Rosa Vale, left.", "light")[0].mentions[0])
    True
    """
    return is_related(mention.sentence.words, mention.first - mention.titles, mention.last)


def _up_to_comma(words: Sequence[ParsedWord], place: int) -> Sequence[ParsedWord]:
    """Give the words of an apposition, after an age if there is one."""
    if place < len(words) and words[place].text.isdecimal():
        place += 2
    for at in range(place, min(place + _AFTER, len(words))):
        if words[at].text in {",", ";", "."}:
            return words[place:at]
    return words[place : place + _AFTER]
