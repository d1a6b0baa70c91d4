"""What stands before people's names: titles, roles and offices."""

from collections.abc import Sequence
from functools import cache

from pyramidion.rewriting.noun_lists import ranks
from pyramidion.rewriting.people.words import words_of

__all__ = ["is_role", "is_title", "tells_office"]


def is_role(word: str) -> bool:
    """Tell whether a word says what somebody does and is no title: small within a sentence.

    Parameters
    ----------
    word
        Any word.

    Examples
    --------
    >>> is_role("Analyst"), is_role("Governor")
    (True, False)
    """
    small = word.lower()
    return small in words_of("roles") and small not in _conventional()


def is_title(word: str) -> bool:
    """Tell whether a word may stand before a person's name.

    Parameters
    ----------
    word
        With or without a full stop.

    Examples
    --------
    >>> is_title("Sen."), is_title("prosecutor"), is_title("Maren")
    (True, True, False)
    """
    return word.lower().rstrip(".") in _titles()


def tells_office(before: Sequence[str]) -> bool:
    """Tell whether what stands before a name tells who that is.

    *Mr.*, *Sister* and *Col.* do not, *Senator* alone hardly; *Water Minister* and *trumpeter* do.

    Parameters
    ----------
    before
        The words before a name.

    Examples
    --------
    >>> tells_office(["Water", "Minister"]), tells_office(["trumpeter"])
    (True, True)
    >>> tells_office(["Lt.", "Col."])
    False
    """
    empty = words_of("courtesy") | words_of("honorifics") | words_of("royal")
    weak = frozenset(word.lower() for word in empty) | ranks()
    small = [word.lower().rstrip(".") for word in before]
    telling = [word for word in small if word not in weak and word not in ("the", "a", "an")]
    offices = [word for word in telling if is_title(word)]
    return bool(offices) and (len(telling) > 1 or is_role(telling[0]))


@cache
def _titles() -> frozenset[str]:
    lists = ("titles", "courtesy", "honorifics", "roles")
    return frozenset(word.lower() for name in lists for word in words_of(name))


@cache
def _conventional() -> frozenset[str]:
    return frozenset(word.lower() for word in words_of("titles"))
