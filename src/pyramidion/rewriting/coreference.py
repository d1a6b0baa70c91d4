"""Which noun phrases of several documents are about the same thing."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pyramidion.errors import InputError
from pyramidion.rewriting.aliases import aliases, names_a_person
from pyramidion.rewriting.noun_lists import is_vague, measures, names_people, nouns_of
from pyramidion.rewriting.noun_phrase_definites import BareDefinites, Groups
from pyramidion.rewriting.noun_phrase_titles import is_title
from pyramidion.rewriting.phrases import NounPhrase
from pyramidion.rewriting.referring import Referring, contradict, referring

__all__ = ["RULES", "CorefRule", "Coreference", "corefer"]

#: ``head``: the same head noun, as in Nenkova (2006); ``names``: also names, aliases, agreement and
#: compatible modifiers, and no vague nouns.
CorefRule = Literal["head", "names"]

RULES: tuple[CorefRule, ...] = ("names", "head")


@dataclass(frozen=True)
class Coreference:
    """Classes of noun phrases that are about the same thing.

    Parameters
    ----------
    phrases
        All phrases.
    classes
        The class of each, by number; -1 for a phrase that is not compared with others.

    Examples
    --------
    >>> Coreference((), ()).members
    {}
    """

    phrases: tuple[Referring, ...]
    classes: tuple[int, ...]

    @cached_property
    def members(self) -> dict[int, list[Referring]]:
        """The phrases of each class."""
        found: dict[int, list[Referring]] = defaultdict(list)
        for own, number in zip(self.phrases, self.classes, strict=True):
            if number >= 0:
                found[number].append(own)
        return dict(found)

    @cached_property
    def _places(self) -> dict[tuple[str, int, int], int]:
        return {_place(own.phrase): k for k, own in enumerate(self.phrases)}

    def referring(self, phrase: NounPhrase) -> Referring:
        """Give a phrase taken apart."""
        return self.phrases[self._places[_place(phrase)]]

    def class_of(self, phrase: NounPhrase) -> int:
        """Give the class of a phrase; -1 if it has none."""
        return self.classes[self._places[_place(phrase)]]


def _place(phrase: NounPhrase) -> tuple[str, int, int]:
    return phrase.sentence.document, phrase.sentence.index, phrase.head


def corefer(phrases: Iterable[NounPhrase], rule: CorefRule = "names") -> Coreference:
    """Put noun phrases into classes.

    Under ``head`` phrases with the same head noun are about the same thing. Under ``names``

    - phrases that end in the same name, or in aliases, are;
    - so are phrases with the same noun in the same number that say something in common about it
      and nothing contradictory: numbers, names, what it is of, opposite adjectives;
    - *the ferry* without more is the ferry that its document named right before, or the only one
      it named before, or the only one there is if any text takes it for known; where another name
      may be meant it stands alone, and so does *a ferry* without more;
    - vague nouns, people by what they are, and amounts are not compared.

    Parameters
    ----------
    phrases
        Of all documents, in their order.
    rule
        Which rule.

    Examples
    --------
    >>> corefer([]).classes
    ()
    """
    if rule not in RULES:
        raise InputError(f"coreference is {rule!r}", hint=f"give {' or '.join(RULES)}")
    taken = list(map(referring, phrases))
    classes = _by_head(taken) if rule == "head" else _by_names(taken)
    return Coreference(tuple(taken), tuple(classes))


def _by_head(phrases: Sequence[Referring]) -> list[int]:
    """Give phrases numbers by the noun they have as their head; of a name, its last word."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(_head(own), len(numbers)) for own in phrases]


def _head(own: Referring) -> str:
    phrase = own.phrase
    head = phrase.sentence.words[phrase.head]
    return own.last_name if own.name and head.tag == "PROPN" else head.text.lower()


def _by_names(phrases: list[Referring]) -> list[int]:
    groups = Groups(len(phrases))
    small = _small_words(phrases)
    named = [k for k, own in enumerate(phrases) if own.name and not _is_no_name(own, small)]
    for same in aliases([(k, phrases[k]) for k in named]):
        groups.join(same)
        person = names_a_person([phrases[k] for k in same])
        for k in same:
            phrases[k] = replace(phrases[k], person=person)
    described: dict[tuple[str, bool], list[int]] = defaultdict(list)
    alone: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for k, own in enumerate(phrases):
        if not own.name and _comparable(own):
            bare = own.phrase.definiteness == "definite" and not own.modifiers
            (alone if bare else described)[own.noun, own.phrase.plural].append(k)
    for members in described.values():
        _join_described(groups, phrases, members)
    definites = BareDefinites(phrases, groups, named)
    kinds = definites.kinds
    for key, members in alone.items():
        definites.join(members, described[key], kinds.get(key, ()))
    compared = {*named, *(k for k, own in enumerate(phrases) if not own.name and _comparable(own))}
    return [groups.root(k) if k in compared else -1 for k in range(len(phrases))]


def _small_words(phrases: Iterable[Referring]) -> frozenset[str]:
    """Give the words that the input writes in small letters."""
    sentences = {id(own.phrase.sentence): own.phrase.sentence for own in phrases}
    texts = (word.text for sentence in sentences.values() for word in sentence.words)
    return frozenset(text for text in texts if text.islower())


def _is_no_name(own: Referring, small: frozenset[str]) -> bool:
    """Tell whether a name is only a date, a title, a common word that opens a sentence, or cut."""
    phrase = own.phrase
    opens = phrase.first == 0 and len(own.name) == 1 and own.name[0].lower() in small
    after = phrase.sentence.text[phrase.sentence.words[phrase.core].end :]
    cut = after[:1] in ("-", "–") and after[1:2].isalnum()
    return (
        opens
        or cut
        or all(word.lower() in nouns_of("vague", "times") or is_title(word) for word in own.name)
    )


def _comparable(own: Referring) -> bool:
    """Tell whether a noun is one whose phrases may be about the same thing."""
    noun = own.noun
    vague = is_vague(noun) or names_people(noun) or measures(noun)
    return len(noun) > 1 and not vague


def _join_described(groups: Groups, phrases: Sequence[Referring], members: Sequence[int]) -> None:
    """Join phrases that say something in common and nothing contradictory."""
    classes: list[list[int]] = []
    for member in members:
        own, apart = [member], []
        for other in classes:
            near = any(phrases[member].modifiers & phrases[k].modifiers for k in other)
            if near and not _contradict(phrases, own, other):
                own += other
            else:
                apart.append(other)
        classes = [*apart, own]
    for own in classes:
        groups.join(sorted(own))


def _contradict(phrases: Sequence[Referring], own: Sequence[int], other: Sequence[int]) -> bool:
    return any(contradict(phrases[one], phrases[two]) for one in own for two in other)
