"""What people are called by: which of their names documents use alone."""

from collections.abc import Mapping, Sequence

from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.names import read_name
from pyramidion.rewriting.people.roster import Known
from pyramidion.rewriting.people.words import folded

__all__ = ["called"]


def called(known: Known, mentions: Sequence[Mention]) -> str:
    """Give the last name as the documents use it alone: *López Obrador*, *bin Laden*.

    Parameters
    ----------
    known
        Somebody.
    mentions
        All mentions.

    Examples
    --------
    >>> from collections import Counter
    >>> called(Known(read_name("Ann Orr"), Counter({"Ann Orr": 1})), [])
    'Orr'
    """
    last = known.name.last
    ends = {folded(last): last}
    for text in known.texts:
        name = read_name(text).last
        ends.setdefault(folded(name), name)
    used = [_as_known(own.name, ends) for own in mentions if own.form == "last"]
    if used:
        return max(set(used), key=lambda name: (used.count(name), name))
    shorter = [name for name in ends.values() if name != last]
    return shorter[0] if shorter else last


def _as_known(name: str, ends: Mapping[str, str]) -> str:
    """Write a last name as it stands in the full name, with its particles."""
    small = folded(name)
    longer = (own for key, own in ends.items() if key == small or key.endswith(f" {small}"))
    return next(longer, name)
