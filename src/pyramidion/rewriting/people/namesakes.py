"""Two people with the same full name, as far as documents show that there are two."""

from collections.abc import Iterator, Sequence
from typing import Final

from pyramidion.rewriting.people.evidence import is_age
from pyramidion.rewriting.people.mention import Mention
from pyramidion.rewriting.people.words import bare, words_of

__all__ = ["are_two"]

_SAME_AGE: Final = 2
_SAID: Final = ("no relation", "not related", "not to be confused", "namesake", "same name")


def are_two(mentions: Sequence[Mention]) -> bool:
    """Tell whether mentions by one full name must be of two people.

    They are if their ages differ, if one is an actor and another a senator, or if a text says so.

    Parameters
    ----------
    mentions
        All mentions by that name.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> text = "Jo Lund, 30, sang. Sen. Jo Lund, 71, spoke. Ada Holm, 30, was there."
    >>> [person.unsure for person in people_in(text, "light")]
    ['two people may be called Jo Lund', '']
    """
    ages = [age for own in mentions for age in _ages(own)]
    if ages and max(ages) - min(ages) > _SAME_AGE:
        return True
    full = [own for own in mentions if own.form == "full"]
    if any(cue in own.sentence.text.lower() for own in full for cue in _SAID):
        return True
    words = [{bare(word) for word in own.premodifier.split()} for own in full]
    kinds = [
        ({word.lower() for word in own} & words_of("performers"), own & words_of("statesmen"))
        for own in words
    ]
    told = ["former" in own or "then" in own for own in words]
    return not any(told) and all(any(own[kind] for own in kinds) for kind in (0, 1))


def _ages(mention: Mention) -> Iterator[int]:
    """Read *Ann Orr, 54,* and *54-year-old Ann Orr*."""
    first = mention.postmodifier.split(",", maxsplit=1)[0]
    if mention.post == "apposition" and is_age(first):
        yield int(first)
    for word in mention.premodifier.split():
        if word.endswith("-year-old") and is_age(word.removesuffix("-year-old")):
            yield int(word.removesuffix("-year-old"))
