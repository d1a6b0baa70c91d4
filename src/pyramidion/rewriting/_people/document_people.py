"""The people of documents and their names."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from pyramidion.collection.ids import grouped
from pyramidion.rewriting._people.mention import Mention
from pyramidion.rewriting._people.names import (
    MIN_NAME_WEIGHT,
    Name,
    NameSpan,
    could_be_same_person,
    lower_case_words,
    name_spans,
    read_name,
    signs,
    strength,
    surnames,
)
from pyramidion.rewriting._word_lists import bare, first_names, folded, word_list
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord

_MIN_ONE_WORD_WEIGHT: Final = 4.0
_ORDINARY_WORD_PENALTY: Final = 2.5
_ARTICLES: Final = frozenset({"al", "el", "as", "ad", "ash", "ar", "an", "ul"})
_PERSONAL_SIGNS: Final = frozenset({"title", "speaks", "acts", "who", "age", "parser says person"})


@dataclass(frozen=True, slots=True)
class Sighting:
    """A run of words that may be a person's name."""

    sentence: ParsedSentence
    span: NameSpan
    text: str

    @property
    def name(self) -> Name:
        """The parts of the name."""
        return read_name(self.text)

    @property
    def first_word(self) -> ParsedWord:
        """The first word of the name."""
        return self.sentence.words[self.span.first]


@dataclass(eq=False)
class KnownPerson:
    """A person found so far."""

    name: Name  # the fullest form
    form_counts: Counter[str] = field(default_factory=Counter)  # counts of full forms
    has_single_name: bool = False  # only one name is known: *Pope Francis*, *Mr. Boyle*

    @property
    def full_name(self) -> str:
        """The most frequent form, then the longest; not *Magic Johnson*."""
        plain_texts = {text.replace(",", ""): count for text, count in self.form_counts.items()}
        nickname = f"{self.name.nickname or ' '} "
        starts_with_first_name = {text: not text.startswith(nickname) for text in plain_texts}
        best_text = max(
            plain_texts,
            key=lambda text: (starts_with_first_name[text], plain_texts[text], len(text)),
            default="",
        )
        return best_text or self.name.last


def sightings(sentences: Iterable[ParsedSentence]) -> list[Sighting]:
    """Find all runs of words that may be people's names."""
    return [
        Sighting(sentence, span, sentence.between(span.first, span.last))
        for sentence in sentences
        for span in name_spans(sentence)
    ]


class DocumentPeople:
    """The people of an input, by full name."""

    def __init__(self, person_sightings: Sequence[Sighting]) -> None:
        self._evidence = _evidence(person_sightings)
        self._lowercase_words = lower_case_words(sighting.sentence for sighting in person_sightings)
        inner_texts = {sighting.text for sighting in person_sightings if sighting.span.run > 0}
        self._proper_texts = {
            sighting.text for sighting in person_sightings if sighting.first_word.tag == "PROPN"
        }
        self._opening_texts = {sighting.text for sighting in person_sightings} - inner_texts
        self.people: list[KnownPerson] = []
        self._people_by_surname: dict[str, list[KnownPerson]] = defaultdict(list)
        self._people_by_text: dict[str, KnownPerson] = {}
        texts = Counter(sighting.text for sighting in person_sightings if sighting.name.full)
        texts_with_evidence = {
            text: n for text, n in texts.items() if self._strength(text) >= MIN_NAME_WEIGHT
        }
        for text, count in texts_with_evidence.items():
            # The end of a longer name is not a separate name: *García Márquez*.
            if not any(other.endswith(f" {text}") for other in texts_with_evidence):
                self._add(text, count)

    def full(self, text: str) -> KnownPerson | None:
        """Return the person with a full name, if there is one."""
        return self._people_by_text.get(folded(text))

    def by_last_name(self, last_name: str) -> list[KnownPerson]:
        """Return the people with a last name, or whose names end with these words."""
        return self._people_by_last_name.get(folded(last_name), [])

    def by_first_name(self, first_name: str) -> list[KnownPerson]:
        """Return the people with a first name or nickname."""
        return self._people_by_first_name.get(folded(first_name), [])

    def by_only_name(self, sighting: Sighting) -> KnownPerson | None:
        """Return a person with a single name, if there is enough evidence."""
        text = folded(sighting.text)
        only_person = self._people_by_text.get(text)
        if only_person is not None and only_person.has_single_name:
            return only_person
        is_plain = sighting.span.titles > 0 or "-" not in sighting.text
        is_name = is_plain and sighting.text[0].isupper()
        if strength(self._evidence[text]) < _MIN_ONE_WORD_WEIGHT or not is_name:
            return None
        person = KnownPerson(sighting.name, Counter(), has_single_name=True)
        self.people.append(person)
        self._people_by_text[text] = person
        return person

    def add(self, text: str, count: int = 1) -> KnownPerson:
        """Add a full name inferred from another: the *Josef* of *Josef and Adrian Kell*."""
        self._add(text, count)
        for cached_name in ("_people_by_last_name", "_people_by_first_name"):
            self.__dict__.pop(cached_name, None)
        return self._people_by_text[folded(text)]

    @cached_property
    def _people_by_last_name(self) -> dict[str, list[KnownPerson]]:
        people_with_full_name = [person for person in self.people if not person.has_single_name]
        return grouped(
            (last_name, person)
            for person in people_with_full_name
            for last_name in _possible_last_names(person)
        )

    @cached_property
    def _people_by_first_name(self) -> dict[str, list[KnownPerson]]:
        return grouped(
            (folded(first_name), person)
            for person in self.people
            for first_name in {person.name.first, person.name.nickname} - {""}
        )

    def _strength(self, text: str) -> float:
        """Sum the evidence for a name; ordinary words (also in lower case) count against it."""
        words = [word.lower() for word in text.split()]
        if len(set(words)) < len(words):
            return 0
        is_ordinary = all(
            word in self._lowercase_words or word.rstrip("s") in self._lowercase_words
            for word in words
        )
        if text in self._opening_texts and text.split(maxsplit=1)[0] not in first_names():
            word_lists = (self._lowercase_words, word_list("describing"), word_list("roles"))
            is_listed = any(words[0] in words_of_list for words_of_list in word_lists)
            is_ordinary = is_ordinary or is_listed or text not in self._proper_texts
        return strength(self._evidence[folded(text)]) - (
            _ORDINARY_WORD_PENALTY if is_ordinary else 0
        )

    def _add(self, text: str, count: int) -> None:
        name = read_name(text)
        same_named_people = [
            person for last_name in surnames(name) for person in self._people_by_surname[last_name]
        ]
        person = next(
            (other for other in same_named_people if could_be_same_person(other.name, name)), None
        )
        if person is None:
            person = KnownPerson(name)
            self.people.append(person)
        for last_name in surnames(name):
            if person not in self._people_by_surname[last_name]:
                self._people_by_surname[last_name].append(person)
        person.form_counts[text] += count
        person.name = max((person.name, name), key=_information_rank)
        self._people_by_text[folded(text)] = person


def _evidence(person_sightings: Sequence[Sighting]) -> dict[str, frozenset[str]]:
    """Collect the signs for each text; full names with the same first and last name share them."""
    signs_of_text: dict[str, set[str]] = defaultdict(set)
    signs_of_person: dict[tuple[str, str], set[str]] = defaultdict(set)
    for sighting in person_sightings:
        evidence = signs(sighting.sentence, sighting.span)
        signs_of_text[folded(sighting.text)] |= evidence
        if sighting.name.full:
            signs_of_person[_first_and_last_name(sighting.name)] |= evidence
    for name in {sighting.name for sighting in person_sightings if sighting.name.full}:
        if signs_of_text.get(folded(name.last), set()) & _PERSONAL_SIGNS:
            signs_of_person[_first_and_last_name(name)].add("last name alone")
    names_by_text = {folded(sighting.text): sighting.name for sighting in person_sightings}
    return {
        text: frozenset(
            evidence | signs_of_person.get(_first_and_last_name(names_by_text[text]), set())
        )
        for text, evidence in signs_of_text.items()
    }


def _first_and_last_name(name: Name) -> tuple[str, str]:
    """Return the folded first and last name."""
    return folded(name.first), folded(name.last)


def _possible_last_names(person: KnownPerson) -> set[str]:
    """Return possible last names, folded: *Obrador*, *López Obrador*, *López*; *Sisi*."""
    last_names = {person.name.last, *surnames(person.name)}
    for text in () if person.name.family_first else person.form_counts:
        parts = text.replace(",", "").split()
        words = [word for word in parts if bare(word) not in word_list("suffixes")]
        last_names |= {" ".join(words[index:]) for index in range(1, len(words))}
    if " " in person.name.last:
        last_names.add(person.name.last.rsplit(" ", 1)[1])
    article, hyphen, stem = person.name.last.partition("-")
    last_names |= {stem} if hyphen and folded(article) in _ARTICLES else set()
    return {*map(folded, last_names)}


def _information_rank(name: Name) -> tuple[bool, int, bool, bool]:
    """Rank names by information: a first name, more last names, a suffix, a nickname."""
    has_first_name = len(name.first.rstrip(".")) > 1
    return has_first_name, len(surnames(name)), bool(name.suffix), bool(name.nickname)


def without_epithets(person_sightings: Sequence[Sighting]) -> list[Sighting]:
    """Remove capitalized words from names that occur without them: *YouTuber Ann Orr*."""
    full_sightings = [sighting for sighting in person_sightings if sighting.name.full]
    counts = Counter(sighting.text for sighting in full_sightings)
    full_names_by_last_name = grouped(
        (folded(sighting.name.last), sighting.text) for sighting in full_sightings
    )
    nicknames = {
        (sighting.name.nickname, folded(sighting.name.last)) for sighting in person_sightings
    }
    nicknamed_sightings = (_with_nickname(sighting, nicknames) for sighting in person_sightings)
    return [
        _without_role(sighting, full_names_by_last_name) or _without_first_words(sighting, counts)
        for sighting in nicknamed_sightings
    ]


def _with_nickname(sighting: Sighting, nicknames: set[tuple[str, str]]) -> Sighting:
    """Recognize a nickname that is also a title: the *Duke* of *Delroy "Duke" Orr*."""
    span, words = sighting.span, sighting.sentence.words
    title = words[span.first - 1].text if span.titles == 1 else ""
    if not title or (title, folded(sighting.name.last)) not in nicknames:
        return sighting
    span = replace(span, first=span.first - 1, titles=0)
    return Sighting(sighting.sentence, span, sighting.sentence.between(span.first, span.last))


def _without_role(
    sighting: Sighting, full_names_by_last_name: Mapping[str, Sequence[str]]
) -> Sighting | None:
    """Remove a role before a last name that occurs with a first name: *Designer Orr*."""
    role, _, last_name = sighting.text.partition(" ")
    if " " in last_name or role.lower() not in word_list("roles") or role in first_names():
        return None
    full_names = full_names_by_last_name.get(folded(last_name), ())
    has_first_name = any(not name.startswith(f"{role} ") for name in full_names)
    return _starting_at(sighting, last_name) if has_first_name else None


def _without_first_words(sighting: Sighting, counts: Counter[str]) -> Sighting:
    words = sighting.text.split()
    if len(words) < 3 or words[0] in first_names() or words[0].endswith("."):
        return sighting
    for count in range(1, len(words) - 1):
        text = " ".join(words[count:])
        is_frequent = counts[text] >= counts[sighting.text]
        if counts[text] and (words[count] in first_names() or is_frequent):
            return _starting_at(sighting, text)
    return sighting


def _starting_at(sighting: Sighting, text: str) -> Sighting:
    """Return a sighting of the last words of a name."""
    start = sighting.sentence.words[sighting.span.last].end - len(text)
    for index in range(sighting.span.first, sighting.span.last + 1):
        if sighting.sentence.words[index].start == start:
            return Sighting(sighting.sentence, replace(sighting.span, first=index, titles=0), text)
    return sighting


def preferred_last_name(person: KnownPerson, mentions: Sequence[Mention]) -> str:
    """Return the last name as the documents use it: *López Obrador*, *bin Laden*."""
    last_name = person.name.last
    names_by_folded_name = {folded(last_name): last_name}
    for text in person.form_counts:
        name = read_name(text).last
        names_by_folded_name.setdefault(folded(name), name)
    name_counts: Counter[str] = Counter()
    for mention in mentions:
        if mention.form == "last":
            # With particles, as in the full name.
            end = f" {folded(mention.name)}"
            name_counts[
                next(
                    (name for key, name in names_by_folded_name.items() if f" {key}".endswith(end)),
                    mention.name,
                )
            ] += 1
    if name_counts:
        return max(name_counts, key=lambda name: (name_counts[name], name))
    return next((name for name in names_by_folded_name.values() if name != last_name), last_name)
