"""Descriptions that documents give of somebody, and which of them is the best."""

from collections import Counter
from collections.abc import Sequence

from pyramidion.rewriting.people.mention import Mention, Person
from pyramidion.rewriting.people.names import is_initial, read_name
from pyramidion.rewriting.people.register import PeopleRegister
from pyramidion.rewriting.people.wording import Candidate, apposition_of, premodifier_of
from pyramidion.rewriting.people.words import words_of
from pyramidion.text._tokens import stem

__all__ = ["appositions", "first_name_form", "premodifiers"]


def premodifiers(person: Person, register: PeopleRegister, document: str) -> list[Candidate]:
    """Give the premodifiers of somebody's first mentions that can be used, the best first.

    That of the summary sentence's own document comes first, then what most documents say, then
    the longest; if it is only *Dr.*, others are not asked, for they may have had another office
    then. Where documents differ on whether somebody is *former*, only the latest of the others
    counts; what was true for a moment (*outgoing*, *acting*) is used for its own document alone.

    Parameters
    ----------
    person
        Somebody.
    register
        Who is there.
    document
        Where the sentence comes from.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> premodifiers(Person("Ann Orr", "Orr", ()), PeopleRegister(Articles(()), []), "d1")
    []
    """
    found = [premodifier_of(own, register) for own in register.first_mentions(person)]
    usable = [own for own in found if own is not None]
    own = [one for one in usable if one.mention.sentence.document == document]
    if any(one.courtesy for one in own):
        return own
    others = [one for one in usable if one not in own and not _is_passing(one)]
    if len({_is_former(one) for one in usable}) > 1:
        others = [one for one in others[-1:] if one.mention is usable[-1].mention]
    support = _support(usable)
    return own + sorted(others, key=lambda one: (one.courtesy, -support[_main(one)], -one.length))


def appositions(person: Person, register: PeopleRegister, document: str) -> list[Candidate]:
    """Give the appositions of somebody's first mentions that can be used, the best first.

    That is the own document's, then what somebody is rather than was, then what most documents
    say, then the longest.

    Parameters
    ----------
    person, register, document
        See `premodifiers`.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> appositions(Person("Ann Orr", "Orr", ()), PeopleRegister(Articles(()), []), "d1")
    []
    """
    found = [apposition_of(own, register) for own in register.first_mentions(person)]
    usable = [own for own in found if own is not None and not _is_passing(own)]
    support = _support(usable)
    return sorted(
        usable,
        key=lambda one: (
            one.mention.sentence.document != document,
            _is_former(one),
            -support[_main(one)],
            -one.length,
        ),
    )


def first_name_form(person: Person, register: PeopleRegister, mention: Mention) -> Candidate | None:
    """Give the full name for a first mention: as the own document has it, or the usual one.

    Parameters
    ----------
    person, register
        See `premodifiers`.
    mention
        The first mention.

    Examples
    --------
    >>> from pyramidion.rewriting.articles import Articles
    >>> from pyramidion.rewriting.people.reading import people_in
    >>> person = people_in("Gov. Ann Orr left.", "light")[0]
    >>> first_name_form(person, PeopleRegister(Articles(()), []), person.mentions[0]).text
    'Ann Orr'
    """
    full = [own for own in person.mentions if own.form == "full" and not register.is_foreign(own)]
    if not full or not _has_first_name(person):
        return None
    document = mention.sentence.document
    near = [own for own in full if own.sentence.document == document and own.head]
    usual = [own for own in full if own.name == person.name]
    # The same spelling: Apesteguía is not Sebastian Apesteguia.
    same = [own for own in (*near, *usual, *full) if mention.name in own.name]
    source = (same or near or usual or full)[0]
    return Candidate(source.name.replace(",", ""), source)


def _support(candidates: Sequence[Candidate]) -> Counter[str]:
    """Count the documents that say what somebody is with the same word."""
    return Counter(map(_main, candidates))


def _main(candidate: Candidate) -> str:
    """Give the word that says what somebody is: the last one, or the first that is a role."""
    words = [word.strip(",") for word in candidate.text.split()]
    roles = (word for word in words if word.lower() in words_of("roles"))
    apposition = candidate.mention.post == "apposition" and not candidate.mention.premodifiers
    return stem((next(roles, words[0]) if apposition else words[-1]).lower())


def _has_first_name(person: Person) -> bool:
    """Tell whether more than an initial is known: not of *B. Maya*."""
    name = read_name(person.name)
    given = f"{name.first} {name.middle}".split()
    return name.full and (not all(map(is_initial, given)) or len(name.first) > len("B."))


def _is_passing(candidate: Candidate) -> bool:
    small = candidate.text.lower().replace("-", " ").split()
    return any(word in words_of("passing") for word in small)


def _is_former(candidate: Candidate) -> bool:
    small = candidate.text.lower()
    return "former" in small.split() or small.startswith(("ex-", "fallen", "ousted", "deposed"))
