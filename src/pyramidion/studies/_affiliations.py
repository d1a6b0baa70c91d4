"""What a first mention says about a person: rules of sections 5.2.5 and 5.2.7, as a study."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from pyramidion.errors import InputError
from pyramidion.rewriting import (
    STATUS_FEATURES,
    Mention,
    Person,
    Status,
    bodies_in,
    person_features,
    territory_of,
)
from pyramidion.text import ParsedSentence

#: Rules 1 and 2, and the baselines: never, by information status alone, by salience alone.
AffiliationRule = Literal[1, 2, "never", "status", "salience"]
RULES: tuple[AffiliationRule, ...] = get_args(AffiliationRule)
_DESCRIPTORS = STATUS_FEATURES.index("frequent descriptors")
_DESCRIBED = STATUS_FEATURES.index("described first names per document")


def affiliations_in(mention: Mention, *, after: bool = True) -> list[str]:
    """Return the keys of bodies before a name, or after it in an apposition or preposition."""
    inside = {*range(mention.phrase_first, mention.first - mention.titles)}
    if after and mention.post in ("apposition", "prepositional"):
        inside |= {*range(mention.post_first, mention.post_last + 1)}
    bodies = bodies_in(mention.sentence, beside=inside)
    keys = [body.key for body in bodies if {body.first, body.last} <= inside]
    territory = territory_of(mention)
    return list(dict.fromkeys([*keys, territory] if territory else keys))


def affiliations_of(person: Person) -> tuple[str, ...]:
    """Return the keys of a person's countries and organizations, the most frequent first.

    Only those before a name count, which are what a first mention can take over or leave out;
    what follows a name is a description, see `postmodify`.

    Examples
    --------
    >>> affiliations_of(Person("Ode", "Ode", ()))
    ()
    """
    keys = (key for mention in person.mentions for key in affiliations_in(mention, after=False))
    return tuple(key for key, _ in Counter(keys).most_common())


def salience_list(
    sentences: Sequence[ParsedSentence], *, sentence: int, word: int, people: Iterable[Person] = ()
) -> tuple[str, ...]:
    """Return the countries, states and organizations named so far, the most salient first.

    Within a sentence names further left are more salient; what a later sentence names is
    more salient than what an earlier one does.

    Parameters
    ----------
    sentences
        A text.
    sentence, word
        The point up to which it is read: the place of a sentence, and of a word that is not
        read any more.
    people
        Whose names are no places, although the parser may say so.

    Examples
    --------
    >>> salience_list([], sentence=0, word=0)
    ()
    """
    names = {part.lower() for person in people for part in person.name.split()}
    read = [
        [body.key for body in bodies_in(text_sentence) if position < sentence or body.last < word]
        for position, text_sentence in enumerate(sentences[: sentence + 1])
    ]
    keys = (key for row in reversed(read) for key in row)
    return tuple(dict.fromkeys(key for key in keys if names.isdisjoint(key.split())))


def include_affiliation(
    person: Person,
    salience: Sequence[str],
    status: Status,
    rule: AffiliationRule = 2,
    *,
    affiliations: Sequence[str] | None = None,
) -> bool:
    """Decide whether the first mention gives a person's affiliation.

    Rule 1 leaves it out for people who are known, and where it is the most salient of all. Rule 2
    leaves it out for people who are known only where no other is more salient. The baselines:
    ``never``; ``status`` (unless the person is known); ``salience`` (unless it is the most
    salient).

    Parameters
    ----------
    person
        Somebody, with all mentions in the input; somebody without an affiliation there gets none.
    salience
        What the summary named before, see `salience_list`.
    status
        Whether readers know the person.
    rule
        Which rule.
    affiliations
        What the person's affiliations are, if they were found already.

    Examples
    --------
    >>> ode, known = Person("Ode", "Ode", ()), Status(major=True, hearer_old=True)
    >>> [include_affiliation(ode, ["iraq"], known, rule, affiliations=["italy"]) for rule in (1, 2)]
    [False, True]
    """
    if rule not in RULES:
        raise InputError(f"there is no rule {rule!r}", hint=f"use one of {RULES}")
    keys = affiliations_of(person) if affiliations is None else affiliations
    if not keys or rule == "never":
        return False
    if rule == "status":
        return not status.hearer_old
    if salience and salience[0] in keys:
        return False
    if rule == "salience":
        return True
    return not status.hearer_old or (rule == 2 and bool(salience))


def can_postmodify(person: Person) -> bool:
    """Return whether an apposition or relative clause describes a person in the input."""
    return bool(person.described_by("apposition") or person.described_by("relative clause"))


def postmodify(person: Person, status: Status) -> bool:
    """Decide whether an apposition or relative clause follows the first mention.

    Never for people that readers know: no such person had one in the thesis' human summaries.
    For others where most documents describe the person so at first, and no frequent title
    (*president*, *Sen.*) says it already: the three features that the thesis found useful.

    Parameters
    ----------
    person
        Somebody, with all mentions in the input.
    status
        Whether readers know the person.

    Examples
    --------
    >>> postmodify(Person("Ode", "Ode", ()), Status(major=True, hearer_old=False))
    False
    """
    if status.hearer_old or not can_postmodify(person):
        return False
    features = person_features(person)
    return bool(features[_DESCRIBED] >= 0.5 and features[_DESCRIPTORS] == 0)
