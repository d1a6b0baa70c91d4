"""Which noun phrases are about the same."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from pyramidion.errors import InputError
from pyramidion.rewriting._noun_phrases.phrases import NounPhrase
from pyramidion.rewriting._noun_phrases.referring import Referring, contradict, is_title, referring
from pyramidion.rewriting._word_lists import NAME_LINKS, is_vague, measures, names_people, nouns_of

Name = tuple[str, ...]


def is_acronym(short: str, name: Sequence[str]) -> bool:
    """Tell whether a word is made of the first letters of a name."""
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
    """Tell whether phrases with one name are about a person, whatever single ones look like."""
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
    cores = (phrases[number].phrase.core_words[-1] for number in full[key])
    return begins and (len(key) > 1 or any(word.entity == "organization" for word in cores))


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


#: Sentences; of several ferries only one that was named so shortly before is *the ferry*.
_NEAR = 1

#: A noun, and whether it is plural.
Key = tuple[str, bool]


class Groups:
    """Things that are put together, two at a time."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def root(self, one: int) -> int:
        """Give the first thing of a group."""
        while self._above[one] != one:
            one = self._above[one]
        return one

    def join(self, members: Sequence[int]) -> None:
        """Put things into one group."""
        for other in members[1:]:
            first, second = sorted((self.root(members[0]), self.root(other)))
            self._above[second] = first


@dataclass(frozen=True)
class BareDefinites:
    """Finds what definite phrases without modifiers are about."""

    phrases: Sequence[Referring]
    groups: Groups
    named: Sequence[int]

    @property
    def kinds(self) -> dict[Key, list[int]]:
        """The names that tell what they name: *the ferry Maren Star*, *the Safety Board*."""
        found: dict[Key, list[int]] = defaultdict(list)
        for k in self.named:
            own = self.phrases[k]
            if not own.person:
                for noun in {own.noun, *own.kinds} - {""}:
                    found[noun, False].append(k)
        return dict(found)

    def join(self, members: Sequence[int], others: Sequence[int], kinds: Sequence[int]) -> None:
        """Join phrases with what they are about, and those that found nothing with each other."""
        # *Arrest* with neither article nor more names a kind of thing, not another one.
        others = [
            k
            for k in others
            if self.phrases[k].modifiers or self.phrases[k].phrase.definiteness != "bare"
        ]
        for member in members:
            meant = self._meant(member, others, kinds)
            if meant is not None and not self.phrases[meant].adjectives & nouns_of(
                "distinguishing"
            ):
                self.groups.join((meant, member))
        self._join_same_document(members)

    def _meant(self, member: int, others: Sequence[int], kinds: Sequence[int]) -> int | None:
        """Find the last thing of that kind that the document named, or the only one there is."""
        own = self.phrases[member]
        here = [k for k in sorted((*others, *kinds)) if self.phrases[k].document == own.document]
        before = [k for k in here if k < member]
        if not before:
            return self._only(own, others)
        last = before[-1]
        near = abs(self.phrases[last].phrase.sentence.index - own.phrase.sentence.index) <= _NEAR
        by_name = last in kinds
        several = len(self._roots(before)) > 1
        if (several and not near) or (by_name and len(self._roots({*here} & {*kinds})) > 1):
            return None
        return None if self._another(member, last, by_name=by_name) else last

    def _only(self, own: Referring, others: Sequence[int]) -> int | None:
        """Find the only thing of a kind in all documents, if any of them takes it for known."""
        settled = any(self.phrases[k].phrase.definiteness in ("definite", "name") for k in others)
        if len(self._roots(others)) != 1 or not settled or own.phrase.plural:
            return None
        return None if own.noun in nouns_of("organizations") else others[0]

    def _another(self, member: int, meant: int, *, by_name: bool) -> bool:
        """Tell whether another name may be the one that is meant: *the agency* after *NASA*."""
        own, home = self.phrases[member], self.groups.root(meant)
        generic = own.noun in nouns_of("organizations")
        for k in self.named:
            other = self.phrases[k]
            if not (k < member and other.document == own.document) or other.person or other.place:
                continue
            since = k > meant or by_name
            short = len(other.name) == 1 and other.name[0].isupper()
            if self.groups.root(k) != home and ((generic and since) or (by_name and short)):
                return True
        return False

    def _roots(self, members: Iterable[int]) -> set[int]:
        return {self.groups.root(k) for k in members}

    def _join_same_document(self, members: Sequence[int]) -> None:
        """Join those of one document that found nothing to belong to."""
        by_document: dict[str, list[int]] = defaultdict(list)
        for member in members:
            if self.groups.root(member) == member:
                by_document[self.phrases[member].document].append(member)
        for same in by_document.values():
            self.groups.join(same)


#: ``head``: the same head noun, as in Nenkova (2006); ``names``: also names, aliases, agreement and
#: compatible modifiers, and no vague nouns.
CorefRule = Literal["head", "names"]

RULES: tuple[CorefRule, ...] = ("names", "head")


@dataclass(frozen=True)
class Coreference:
    """Classes of noun phrases that are about the same thing."""

    phrases: tuple[Referring, ...]
    classes: tuple[int, ...]  # by number; -1: not compared with others

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
    """
    if rule not in RULES:
        raise InputError(f"coreference is {rule!r}", hint=f"give {' or '.join(RULES)}")
    taken = list(map(referring, phrases))
    heads: dict[str, int] = {}
    classes = (
        [heads.setdefault(_head(own), len(heads)) for own in taken]
        if rule == "head"
        else _by_names(taken)
    )
    return Coreference(tuple(taken), tuple(classes))


def _head(own: Referring) -> str:
    """Give the noun that is the head of a phrase; of a name, its last word."""
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
