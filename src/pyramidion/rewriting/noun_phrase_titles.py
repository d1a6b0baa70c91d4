"""What stands before people's names: titles, roles and offices."""

from collections.abc import Sequence
from functools import cache

from pyramidion.rewriting.noun_lists import nouns_of
from pyramidion.rewriting.people.words import words_of

__all__ = ["is_courtesy", "is_role", "is_title", "tells_office"]

#: What words end in that say what somebody does, whatever else they are.
_ENDINGS = ("ologist", "ographer", "ician", "iatrist", "onomist")


def is_courtesy(word: str) -> bool:
    """Tell whether a title says nothing about anybody: *Ms.*.

    Parameters
    ----------
    word
        With or without a full stop.

    Examples
    --------
    >>> is_courtesy("Ms."), is_courtesy("Dr.")
    (True, False)
    """
    return word.rstrip(".").capitalize() in words_of("courtesy")


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
    known = small in words_of("roles") or small.endswith(_ENDINGS)
    return known and small not in _conventional()


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
    small = word.lower().rstrip(".")
    return small in _titles() or small.endswith(_ENDINGS)


def tells_office(before: Sequence[str], least: int = 1) -> bool:
    """Tell whether what stands before a name tells who that is.

    *Mr.*, *Sister* and *Col.* do not, *Senator* alone hardly; *Water Minister* and *trumpeter* do.

    Parameters
    ----------
    before
        The words before a name.
    least
        How many words must tell it.

    Examples
    --------
    >>> tells_office(["Water", "Minister"]), tells_office(["trumpeter"])
    (True, True)
    >>> tells_office(["Lt.", "Col."])
    False
    """
    empty = words_of("courtesy") | words_of("honorifics") | words_of("royal")
    weak = frozenset(word.lower() for word in empty) | nouns_of("ranks")
    small = [word.lower().rstrip(".") for word in before]
    telling = [word for word in small if word not in weak and word not in ("the", "a", "an")]
    if len(telling) < least or not any(map(is_title, telling)):
        return False
    return len(telling) > 1 or is_role(telling[0])


@cache
def _titles() -> frozenset[str]:
    lists = ("titles", "courtesy", "honorifics", "roles")
    return frozenset(word.lower() for name in lists for word in words_of(name))


@cache
def _conventional() -> frozenset[str]:
    return frozenset(word.lower() for word in words_of("titles"))
