"""Whether an input calls somebody dead."""

from collections.abc import Iterator, Sequence

from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.people.mentions import is_possessive
from pyramidion.text._parsing import ParsedWord

__all__ = ["is_dead"]

_BEFORE = frozenset({"late", "slain", "murdered", "assassinated"})
_DIED = frozenset({"died", "dies"})
_KILLED = frozenset({"killed", "murdered", "assassinated", "executed", "slain", "buried"})
_DEATH = frozenset({"death", "funeral", "killing", "murder", "assassination", "widow", "widower"})
_FARTHEST = 3


def is_dead(person: Person) -> bool:
    """Tell whether an input says that somebody died.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.

    Examples
    --------
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> people = people_in("Ada Holm died on Monday. Tom Vale said so.", "light")
    >>> [is_dead(person) for person in people]
    [True, False]
    """
    return any(_is_told(own) for own in person.mentions) or any(
        own.kind == "pronoun" and _dies(own.sentence.words, own.last + 1)
        for own in person.descriptions
    )


def _is_told(mention: Mention) -> bool:
    words = mention.sentence.words
    begin = mention.phrase_first
    before = [word.text.lower() for word in words[max(begin, 0) : mention.first]]
    if _BEFORE.intersection(before):
        return True
    killer = words[begin - 1] if begin > 0 else None
    if killer is not None and killer.text in _KILLED and killer.tag == "VERB":
        return True
    if is_possessive(words, mention.last + 1):
        return any(word.text in _DEATH for word in words[mention.last + 2 : mention.last + 4])
    return any(_dies(words, place) for place in _after(mention))


def _after(mention: Mention) -> Iterator[int]:
    """Give the places where a verb of the name may stand."""
    yield mention.last + 1
    if mention.post_last >= 0:
        yield mention.post_last + 2
        yield mention.post_first + 1


def _dies(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether *died*, *has died* or *was killed* begins at a place."""
    texts = [word.text for word in words[place : place + _FARTHEST]]
    if not texts:
        return False
    if texts[0] in _DIED or (texts[0] in {"has", "had"} and texts[1:2] == ["died"]):
        return True
    passive = texts[0] in {"was", "were"} or texts[:2] == ["has", "been"]
    rest = texts[2:] if texts[0] == "has" else texts[1:]
    return passive and (bool(_KILLED.intersection(rest[:1])) or "dead" in rest)
