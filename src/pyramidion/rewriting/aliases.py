"""Names of one thing: with and without middle names, short and long, acronyms."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from pyramidion.rewriting.noun_lists import NAME_LINKS, is_vague
from pyramidion.rewriting.referring import Referring

__all__ = ["aliases", "is_acronym", "names_a_person"]

Name = tuple[str, ...]


def is_acronym(short: str, name: Sequence[str]) -> bool:
    """Tell whether a word is made of the first letters of a name.

    Parameters
    ----------
    short
        A word such as *ECB* or *U.N.*
    name
        The words of a name; small words may be left out.

    Examples
    --------
    >>> is_acronym("ECB", ["European", "Central", "Bank"])
    True
    >>> is_acronym("U.N", ["United", "Nations"]), is_acronym("Bank", ["European", "Bank"])
    (True, False)
    """
    letters = short.replace(".", "")
    if len(letters) < 2 or not letters.isupper() or len(name) < 2:
        return False
    kept = [word[0].upper() for word in name if word.lower() not in NAME_LINKS]
    return letters in ("".join(kept), "".join(word[0].upper() for word in name))


def aliases(named: Iterable[tuple[int, Referring]]) -> list[list[int]]:
    """Put phrases with names of the same thing together.

    Names are the same with the same first and last word. A person's last name, the beginning of a
    longer name (*Clear Skies* of *Clear Skies Party*) or an acronym stands for the only longer name
    that its own document has before it, or else for the only one there is; names of places stand
    for nothing but themselves, and a single word begins only an organization's name.

    Parameters
    ----------
    named
        Phrases with names, each with its number, in the order of the documents.

    Examples
    --------
    >>> aliases([])
    []
    """
    phrases = dict(named)
    full: dict[Name, list[int]] = defaultdict(list)
    for number, own in phrases.items():
        full[_ends_of(own.name)].append(number)
    places = {key for key, own in full.items() if any(phrases[k].place for k in own)}
    groups: dict[object, list[int]] = defaultdict(list)
    near = _near(full, phrases)
    for key, members in full.items():
        longer = [other for other in near(key) if _stands_for(key, other, phrases, full)]
        for number in members:
            meant = None if key in places else _meant(number, longer, full, phrases)
            unsure = meant is None and bool(longer)
            groups[meant or ((key, phrases[number].document) if unsure else key)].append(number)
    return [sorted(members) for members in groups.values()]


def names_a_person(same: Sequence[Referring]) -> bool:
    """Tell whether phrases with one name are about a person, whatever single ones look like.

    Parameters
    ----------
    same
        All phrases with that name.

    Examples
    --------
    >>> names_a_person([])
    False
    """
    if any(own.title for own in same):
        return True
    if any(own.noun or own.phrase.definiteness == "definite" for own in same):
        return False
    return 2 * sum(own.person for own in same) > len(same)


def _near(
    full: dict[Name, list[int]], phrases: dict[int, Referring]
) -> Callable[[Name], list[Name]]:
    """Give what finds the names that a name could stand for, of many."""
    ends: dict[str, dict[Name, None]] = defaultdict(dict)
    for key, members in full.items():
        for number in members:
            name = phrases[number].name
            letters = [word[0] for word in name if word.lower() not in NAME_LINKS]
            initials = ("".join(letters).lower(), "".join(word[0] for word in name).lower())
            for end in (key[0], key[-1], *initials):
                ends[end][key] = None
    return lambda key: list(ends[key[0].replace(".", "")] | ends[key[0]])


def _ends_of(name: Name) -> Name:
    """Give the first and last words of a name; of one with small words all of it."""
    low = tuple(word.lower() for word in name)
    whole = len(low) < 3 or any(word in NAME_LINKS for word in low)
    return low if whole else (low[0], low[-1])


def _stands_for(
    key: Name, other: Name, phrases: dict[int, Referring], full: dict[Name, list[int]]
) -> bool:
    names = {name for number in full[other] if len(name := phrases[number].name) > len(key)}
    if key == other or not names:
        return False
    if len(key) == 1 and any(is_acronym(phrases[full[key][0]].name[0], name) for name in names):
        return True
    if names_a_person([phrases[number] for number in full[other]]):
        return len(key) == 1 and other[-1:] == key
    begins = any(
        tuple(word.lower() for word in name[: len(key)]) == key and not is_vague(name[-1].lower())
        for name in names
    )
    return begins and (len(key) > 1 or any(map(_is_an_organization, map(phrases.get, full[key]))))


def _is_an_organization(own: Referring | None) -> bool:
    return own is not None and own.phrase.sentence.words[own.phrase.core].entity == "organization"


def _meant(
    number: int, longer: Sequence[Name], full: dict[Name, list[int]], phrases: dict[int, Referring]
) -> Name | None:
    """Find the longer name that a short one stands for; none if that is not certain."""
    own = phrases[number]
    before = [
        name
        for name in longer
        if any(k < number and phrases[k].document == own.document for k in full[name])
    ]
    known = before or longer
    return known[0] if len(known) == 1 else None
