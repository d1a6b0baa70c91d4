"""Affiliations and postmodification of first mentions: rules of sections 5.2.5 and 5.2.7."""

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

#: Rules 1 and 2, and baselines: never, by information status only, by salience only.
AffiliationRule = Literal[1, 2, "never", "status", "salience"]
AFFILIATION_RULES: tuple[AffiliationRule, ...] = get_args(AffiliationRule)
_DESCRIPTORS_FEATURE = STATUS_FEATURES.index("frequent descriptors")
_DESCRIBED_FEATURE = STATUS_FEATURES.index("described first names per document")


def affiliations_in(mention: Mention, *, includes_postmodifier: bool = True) -> list[str]:
    """Return the countries and organizations before a name, and in what follows it."""
    modifier_words = {*range(mention.phrase_first, mention.first - mention.titles)}
    if includes_postmodifier and mention.post in ("apposition", "prepositional"):
        modifier_words |= {*range(mention.post_first, mention.post_last + 1)}
    bodies = bodies_in(mention.sentence, premodifier_indices=modifier_words)
    keys = [body.key for body in bodies if {body.first, body.last} <= modifier_words]
    territory = territory_of(mention)
    return list(dict.fromkeys([*keys, territory] if territory else keys))


def affiliations_of(person: Person) -> tuple[str, ...]:
    """Return the keys of a person's countries and organizations, the most frequent first.

    Only those before a name count; what follows a name is a description (`postmodify`).

    Examples
    --------
    >>> affiliations_of(Person("Ode", "Ode", ()))
    ()
    """
    keys = (
        key
        for mention in person.mentions
        for key in affiliations_in(mention, includes_postmodifier=False)
    )
    return tuple(key for key, _ in Counter(keys).most_common())


def salience_list(
    sentences: Sequence[ParsedSentence], *, sentence: int, word: int, people: Iterable[Person] = ()
) -> tuple[str, ...]:
    """Return the countries, states and organizations named so far, the most salient first.

    Later sentences are more salient; within a sentence, names further left are.

    Parameters
    ----------
    sentences
        A text.
    sentence, word
        Where to stop: the index of a sentence, and of the first word that is not read.
    people
        People, whose names are ignored.

    Examples
    --------
    >>> salience_list([], sentence=0, word=0)
    ()
    """
    names = {part.lower() for person in people for part in person.name.split()}
    keys_by_sentence = [
        [body.key for body in bodies_in(text_sentence) if position < sentence or body.last < word]
        for position, text_sentence in enumerate(sentences[: sentence + 1])
    ]
    keys = (key for sentence_keys in reversed(keys_by_sentence) for key in sentence_keys)
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

    Rule 1 omits it for known people, and if it is the most salient one. Rule 2 omits it for known
    people only if no other is more salient. The baselines are ``never``, ``status`` (unless the
    person is known) and ``salience`` (unless it is the most salient one).

    Parameters
    ----------
    person
        A person with all mentions in the input.
    salience
        What the summary named before, see `salience_list`.
    status
        Whether readers know the person.
    rule
        A rule or baseline.
    affiliations
        The person's affiliations, if already known.

    Examples
    --------
    >>> ode, known = Person("Ode", "Ode", ()), Status(major=True, hearer_old=True)
    >>> [include_affiliation(ode, ["iraq"], known, rule, affiliations=["italy"]) for rule in (1, 2)]
    [False, True]
    """
    if rule not in AFFILIATION_RULES:
        raise InputError(f"there is no rule {rule!r}", hint=f"use one of {AFFILIATION_RULES}")
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

    Never for known people, as in the thesis's human summaries. For others, if most documents
    first describe the person in this way, and no frequent title (*president*, *Sen.*) suffices.

    Parameters
    ----------
    person
        A person with all mentions in the input.
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
    return bool(features[_DESCRIBED_FEATURE] >= 0.5 and features[_DESCRIPTORS_FEATURE] == 0)
