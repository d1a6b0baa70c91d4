"""Capitalized words before a name that are no part of it: *YouTuber Ann Orr*."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pyramidion.rewriting.people.roster import Sighting
from pyramidion.rewriting.people.words import folded, words_of

__all__ = ["without_epithets"]


def without_epithets(seen: Sequence[Sighting]) -> list[Sighting]:
    """Cut a capitalized word off names that stand without it elsewhere: *YouTuber Ann Orr*.

    Parameters
    ----------
    seen
        All runs that may be names.

    Examples
    --------
    >>> without_epithets([])
    []
    """
    counts = Counter(own.text for own in seen if own.name.full)
    bearers: dict[str, set[str]] = defaultdict(set)
    for own in seen:
        if own.name.full:
            bearers[folded(own.name.last)].add(own.text)
    nicknames = {(own.name.nickname, folded(own.name.last)) for own in seen}
    whole = [_with_nickname(own, nicknames) for own in seen]
    return [_without_role(own, bearers) or _cut(own, counts) for own in whole]


def _with_nickname(own: Sighting, nicknames: set[tuple[str, str]]) -> Sighting:
    """Take a nickname for one, not for a title: the *Duke* of *Delroy "Duke" Orr*."""
    span, words = own.span, own.sentence.words
    title = words[span.first - 1].text if span.titles == 1 else ""
    if not title or (title, folded(own.name.last)) not in nicknames:
        return own
    span = replace(span, first=span.first - 1, titles=0)
    return Sighting(own.sentence, span, own.sentence.between(span.first, span.last))


def _without_role(own: Sighting, bearers: Mapping[str, set[str]]) -> Sighting | None:
    """Cut what somebody is off a last name that others bear with a first name: *Designer Orr*."""
    role, _, last = own.text.partition(" ")
    if " " in last or role.lower() not in words_of("roles") or role in _first_names():
        return None
    others = {text for text in bearers.get(folded(last), ()) if not text.startswith(f"{role} ")}
    return _begun_at(own, last) if others else None


def _cut(own: Sighting, counts: Counter[str]) -> Sighting:
    words = own.text.split()
    if len(words) < 3 or words[0] in _first_names() or words[0].endswith("."):
        return own
    for count in range(1, len(words) - 1):
        text = " ".join(words[count:])
        if counts[text] and (words[count] in _first_names() or counts[text] >= counts[own.text]):
            return _begun_at(own, text)
    return own


def _begun_at(own: Sighting, text: str) -> Sighting:
    """Let a name begin later."""
    start = own.sentence.words[own.span.last].end - len(text)
    for place in range(own.span.first, own.span.last + 1):
        if own.sentence.words[place].start == start:
            return Sighting(own.sentence, replace(own.span, first=place, titles=0), text)
    return own


def _first_names() -> frozenset[str]:
    return words_of("female_names") | words_of("male_names")
