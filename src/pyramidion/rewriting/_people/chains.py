"""Finding people in documents: their mentions, pronouns and descriptions."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from pyramidion.collection.ids import grouped
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._people.descriptions import postmodifier, with_descriptions
from pyramidion.rewriting._people.document_people import (
    DocumentPeople,
    KnownPerson,
    Sighting,
    preferred_last_name,
    sightings,
    without_epithets,
)
from pyramidion.rewriting._people.mention import Description, Mention, NameForm, Person
from pyramidion.rewriting._people.names import (
    NameSpan,
    gender_of,
    is_age,
    is_title,
    lower_case_words,
    read_name,
    touches,
)
from pyramidion.rewriting._word_lists import first_names, word_list
from pyramidion.text import STOP_WORDS, ParsedSentence, load_parser
from pyramidion.text.parsing import FINITE_TAGS, ParsedWord

_DETERMINERS: Final = frozenset(["a", "an", "the"])
_POSSESSIVES: Final = frozenset(["his", "her", "its", "their", "our", "my", "your", "whose"])
_POSSESSIVE_MARKS: Final = frozenset({"'s", "’s", "'", "’", "`s"})
_NOUN_TAGS: Final = frozenset({"NOUN", "PROPN", "ADJ", "NUM", "X"})
_ROLE_ENDINGS: Final = ("er", "or", "ist", "man", "woman", "ian", "ant", "ent", "eer", "person")
_PERSON_ENDINGS: Final = ("ist", "ian", "woman", "person")
_MAX_PREMODIFIERS: Final = 8


def read_mention(
    sentence: ParsedSentence, span: NameSpan, name_form: NameForm | None = None
) -> Mention:
    """Find the parts of a mention."""
    name = read_name(sentence.between(span.first, span.last))
    begin = span.first - span.titles
    external = _count_external(sentence.words, begin, span)
    opening = _count_opening(sentence.words, begin - external)
    has_possessive = is_possessive(sentence.words, span.last + 1)
    bare_name = opening > 0 and not span.titles and not external
    is_head = _is_head(sentence.words, span, bare_name=bare_name)
    postmodifier_span = (
        postmodifier(sentence, span.last + 1)
        if is_head and not has_possessive
        else ("none", -1, -1)
    )
    name_form = name_form or ("full" if name.full else "last")
    has_middle_name = name.full and bool(name.middle or " " in name.last)
    premodifiers = span.titles, external if is_head else 0, opening
    return Mention(
        sentence,
        span.first,
        span.last,
        name_form,
        has_middle_name,
        *premodifiers,
        *postmodifier_span,
        is_head,
        has_possessive,
    )


def is_possessive(words: Sequence[ParsedWord], index: int) -> bool:
    """Return whether a word is a possessive mark attached to the word before it."""
    return possessor_mark(words, index) and touches(words, index)


def possessor_mark(words: Sequence[ParsedWord], index: int) -> bool:
    """Return whether a word is *'s*, or an apostrophe after an *s*."""
    if not 0 < index < len(words) or words[index].text not in _POSSESSIVE_MARKS:
        return False
    return len(words[index].text) > 1 or words[index - 1].text.endswith("s")


def _count_external(words: Sequence[ParsedWord], begin: int, span: NameSpan) -> int:
    """Count the premodifiers before the titles."""
    first = begin
    while begin - first < _MAX_PREMODIFIERS and first > 0:
        step = _count_premodifying(words, first - 1, nearest=first == span.first)
        if not step:
            break
        first -= step
    while first < begin and _is_out_of_place(words, first):
        first += 1
    return begin - first


def _is_out_of_place(words: Sequence[ParsedWord], index: int) -> bool:
    """Return whether a word is not a premodifier: a number, a participle after a comma."""
    word = words[index]
    if touches(words, index + 1):
        return False
    if word.tag in {"NUM", "PUNCT"}:
        return True
    is_participle = word.text.endswith("ing") and word.text not in word_list("describing")
    return is_participle and index > 0 and not words[index - 1].text[0].isalnum()


def _count_premodifying(words: Sequence[ParsedWord], index: int, *, nearest: bool) -> int:
    """Return how many words before a name belong to the premodifier that ends at an index."""
    word = words[index]
    office = _count_office_words(words, index)
    if office and nearest:
        return office
    if (nearest and not _is_description_before_name(word)) or _is_main_verb(words, index):
        return 0
    if word.text in {"-", "‐", "‑"}:
        return 0
    # Words joined by hyphens: *21-year-old*.
    first = index
    while first > 1 and words[first - 1].text == "-" and touches(words, first):
        if not touches(words, first - 1):
            break
        first -= 2
    if first < index:
        is_modifier = word.tag in _NOUN_TAGS or word.fine in {"VBN", "VBG", "VBD"}
        return index - first + 1 if is_modifier or word.text in word_list("describing") else 0
    # *Mission* does not belong in *the mission President Orr named*.
    belongs = nearest or word.text[0].isupper() or words[index + 1].text[0].islower()
    modifiers = word_list("describing") | word_list("roles") | word_list("bodies")
    modifiers |= word_list("always_small")
    return int(_is_noun_like(word) and (belongs or word.text in modifiers))


def _count_office_words(words: Sequence[ParsedWord], index: int) -> int:
    """Count the words of *chief of staff* before a name."""
    if index < 2 or words[index].text not in word_list("offices"):
        return 0
    preposition = index - 2 if words[index - 1].text == "the" else index - 1
    role = words[preposition - 1].text
    is_role = role.lower() in word_list("roles") or is_title(role)
    return (
        index - preposition + 2
        if preposition > 0 and words[preposition].text == "of" and is_role
        else 0
    )


def _is_description_before_name(word: ParsedWord) -> bool:
    """Check whether a word right before a name describes the person."""
    text = word.text
    roles = word_list("roles") | word_list("relations")
    if text in roles or is_title(text):
        return not _is_verb(word)
    if text[:1].isupper():
        is_proper_noun = (
            text in word_list("never") and word.tag in _NOUN_TAGS and not _is_date(text)
        )
        return is_proper_noun or text.lower() in roles | word_list("describing")
    if word.tag == "NOUN":
        return text.endswith(_ROLE_ENDINGS) and len(text) > 4
    return text in word_list("describing") and not text.endswith(("ed", "ing"))


def _is_noun_like(word: ParsedWord) -> bool:
    text, lowercase = word.text, word.text.lower()
    if _is_date(text) or lowercase in word_list("describing"):
        return not _is_date(text)
    if lowercase in word_list("roles") | word_list("relations"):
        return not _is_verb(word)
    is_participle = text.endswith("ed") and text.islower() and word.tag != "NOUN"
    is_function_word = (text if text.isupper() else lowercase) in STOP_WORDS
    is_excluded = (
        is_participle or is_function_word or text.startswith("re-") or not text[0].isalnum()
    )
    return word.tag in _NOUN_TAGS and not is_excluded


def _is_date(text: str) -> bool:
    return text.endswith("day") and text[:1].isupper() and text in word_list("never")


def _count_opening(words: Sequence[ParsedWord], begin: int) -> int:
    """Count the words of a determiner or possessor before the premodifiers."""
    if begin <= 0:
        return 0
    word = words[begin - 1].text
    if word.lower() in _DETERMINERS | _POSSESSIVES:
        return 1
    if not possessor_mark(words, begin - 1):
        return 0
    first = begin - 2
    while first > 0 and words[first - 1].tag in _NOUN_TAGS and words[first - 1].text[0].isalnum():
        first -= 1
    if first > 0 and words[first - 1].text.lower() in _DETERMINERS | _POSSESSIVES:
        first -= 1
    return begin - first


def _is_head(words: Sequence[ParsedWord], span: NameSpan, *, bare_name: bool) -> bool:
    """Return whether the name is the head of its phrase; not in *the Boyle campaign*."""
    next_index = span.last + 1
    if next_index >= len(words) or is_possessive(words, next_index):
        return True
    word = words[next_index]
    if touches(words, next_index) and word.text in {"-", "/"}:
        return False
    verb_follows = next_index + 1 < len(words) and words[next_index + 1].tag in {"VERB", "AUX"}
    if word.text in word_list("possessed") and (verb_follows or not _is_verb(word)):
        return False
    name_indices = range(span.first, span.last + 1)
    heads = {words[index].head for index in name_indices} - set(name_indices)
    modifies_name = any(words[index].relation == "modifier" for index in name_indices)
    is_common_noun = word.tag == "NOUN" and word.text[0].islower()
    if is_common_noun and (
        bare_name or (modifies_name and any(head > span.last for head in heads))
    ):
        return False
    return not (bare_name and words[span.first - 1].text.lower() in {"a", "an", "this"})


def _is_main_verb(words: Sequence[ParsedWord], index: int) -> bool:
    """Check whether a word is a verb: *a jury convicted former Treasurer Orr*."""
    word = words[index]
    if not word.text.islower() or not word.text.endswith("ed") or word.tag == "NOUN":
        return False
    neighbors = (*words[:index], *words[index + 1 :])
    is_only_verb = not any(
        other.fine in FINITE_TAGS and other.text[0].islower() for other in neighbors
    )
    return word.fine == "VBD" or word.relation == "root" or is_only_verb


def _is_verb(word: ParsedWord) -> bool:
    if word.text in word_list("roles") and word.text.endswith(_PERSON_ENDINGS):
        return False
    return word.tag in {"VERB", "AUX"} and word.fine not in {"VBN", "VBG"}


_FEMALE_PRONOUNS: Final = frozenset({"she", "her", "hers", "herself"})
_MALE_PRONOUNS: Final = frozenset({"he", "him", "his", "himself"})
_MAX_SENTENCES_BEFORE: Final = 3


def gender(person: Person) -> str:
    """Return a person's gender from titles, descriptions and first name; empty if unknown."""
    words = set[str]().union(*(mention.title_words for mention in person.mentions))
    for mention in person.mentions:
        if mention.post == "apposition":
            opening = mention.sentence.words[mention.post_first : mention.post_last + 1][:4]
            words |= {word.text for word in opening}
    is_female, is_male = (
        bool(words & (word_list(f"{kind}_titles") | word_list(f"{kind}_words")))
        for kind in ("female", "male")
    )
    if is_female != is_male:
        return "female" if is_female else "male"
    return gender_of(read_name(person.name).first)


def with_pronouns(sentences: Sequence[ParsedSentence], people: Sequence[Person]) -> list[Person]:
    """Add to each person the pronouns that refer to them.

    A pronoun refers to the person of its gender (or unknown gender) who was named last in the same
    document, at most three sentences before. The gender is then fixed for the document.
    """
    numbers_by_first_word: dict[int, dict[int, int]] = defaultdict(dict)
    for number, person in enumerate(people):
        for mention in person.mentions:
            if mention.head:
                numbers_by_first_word[id(mention.sentence)][mention.first] = number
    pronouns_of = _pronouns_by_person(sentences, numbers_by_first_word, list(map(gender, people)))
    sentence_order = {id(sentence): number for number, sentence in enumerate(sentences)}

    def sorted_descriptions(number: int) -> tuple[Description, ...]:
        phrases = (*people[number].descriptions, *pronouns_of[number])
        return tuple(
            sorted(phrases, key=lambda phrase: (sentence_order[id(phrase.sentence)], phrase.first))
        )

    return [
        replace(person, descriptions=sorted_descriptions(number))
        for number, person in enumerate(people)
    ]


def _pronouns_by_person(
    sentences: Sequence[ParsedSentence],
    numbers_by_first_word: Mapping[int, Mapping[int, int]],
    genders: list[str],
) -> dict[int, list[Description]]:
    """Assign pronouns to the people who were named most recently."""
    pronouns: dict[int, list[Description]] = defaultdict(list)
    document, recent_mentions, learned_genders = "", dict[int, int](), dict[int, str]()
    for position, sentence in enumerate(sentences):
        if sentence.document != document:
            document, recent_mentions, learned_genders = sentence.document, {}, {}
        numbers_here = numbers_by_first_word.get(id(sentence), {})
        for index, word in enumerate(sentence.words):
            if index in numbers_here:
                # Keep the most recently named person last.
                recent_mentions.pop(numbers_here[index], None)
                recent_mentions[numbers_here[index]] = position
            lowercase = word.text.lower()
            gender = (
                "female"
                if lowercase in _FEMALE_PRONOUNS
                else "male"
                if lowercase in _MALE_PRONOUNS
                else ""
            )
            if not gender:
                continue
            nearby_numbers = (
                person_number
                for person_number in reversed(recent_mentions)
                if position - recent_mentions[person_number] <= _MAX_SENTENCES_BEFORE
            )
            fitting_numbers = (
                person_number
                for person_number in nearby_numbers
                if (learned_genders.get(person_number) or genders[person_number]) in ("", gender)
            )
            number = next(fitting_numbers, None)
            if number is not None:
                learned_genders[number] = gender
                pronouns[number].append(Description("pronoun", sentence, index, index))
    return pronouns


_MAX_AGE_DIFFERENCE: Final = 2
_NAMESAKE_PHRASES: Final = (
    "no relation",
    "not related",
    "not to be confused",
    "namesake",
    "same name",
)


def are_two_people(mentions: Sequence[Mention]) -> bool:
    """Check whether ages, occupations or the text suggest two people with the same name."""
    ages = [age for mention in mentions for age in _ages(mention)]
    if ages and max(ages) - min(ages) > _MAX_AGE_DIFFERENCE:
        return True
    full_mentions = [mention for mention in mentions if mention.form == "full"]
    if any(
        cue in mention.sentence.text.lower()
        for mention in full_mentions
        for cue in _NAMESAKE_PHRASES
    ):
        return True
    words = set[str]().union(*(mention.title_words for mention in full_mentions))
    is_performer = not word_list("performers").isdisjoint(map(str.lower, words))
    is_politician = not word_list("statesmen").isdisjoint(words)
    return is_performer and is_politician and words.isdisjoint({"former", "then"})


def _ages(mention: Mention) -> Iterator[int]:
    """Read *Ann Orr, 54,* and *54-year-old Ann Orr*."""
    age_text = mention.postmodifier.split(",", maxsplit=1)[0]
    if mention.post == "apposition" and is_age(age_text):
        yield int(age_text)
    for word in mention.premodifier.split():
        if word.endswith("-year-old") and is_age(word.removesuffix("-year-old")):
            yield int(word.removesuffix("-year-old"))


def find_people(articles: Iterable[ParsedSentence]) -> list[Person]:
    """Find all people named in documents, with their mentions and descriptions.

    Mentions with the same last name are grouped; people with different first names are kept apart.
    A last name that several people share refers to the only one the document has already named.
    Otherwise the mentions form a separate person, with the reason in `Person.unsure`.

    Parameters
    ----------
    articles
        The parsed documents, one after the other.

    Examples
    --------
    >>> texts = {"d1": "Gov. Ann Orr won.", "d2": "Orr was glad."}
    >>> [orr] = find_people(Articles.of_texts(texts, load_parser("light")))
    >>> orr.name, orr.documents
    ('Ann Orr', ('d1', 'd2'))
    """
    sentences = tuple(articles)
    chains = _Chains(sentences)
    people = [_person(person, mentions) for person, mentions in chains.mentions_by_person.items()]
    for last_name, mentions in chains.ambiguous_mentions.items():
        names = " or ".join(person.full_name for person in chains.people.by_last_name(last_name))
        reason = f"{last_name} may be {names}"
        people.append(Person(last_name, last_name, tuple(mentions), unsure=reason))
    sentence_order = {id(sentence): number for number, sentence in enumerate(sentences)}

    def position(person: Person) -> tuple[int, int]:
        return sentence_order[id(person.mentions[0].sentence)], person.mentions[0].first

    people.sort(key=position)
    return with_pronouns(sentences, [with_descriptions(person) for person in people])


class _Chains:
    """Collects mentions by person."""

    def __init__(self, sentences: Sequence[ParsedSentence]) -> None:
        person_sightings = without_epithets(sightings(sentences))
        self.people = DocumentPeople(person_sightings)
        self.mentions_by_person: dict[KnownPerson, list[Mention]] = defaultdict(list)
        self.ambiguous_mentions: dict[str, list[Mention]] = defaultdict(list)
        self._lowercase_words = lower_case_words(sentences)
        sightings_by_document = grouped(
            (sighting.sentence.document, sighting) for sighting in person_sightings
        )
        for document_sightings in sightings_by_document.values():
            self._read(document_sightings)

    def _read(self, person_sightings: Sequence[Sighting]) -> None:
        """Read a document, keeping track of who has been named."""
        named_people: set[KnownPerson] = set()
        for sighting, next_sighting in zip_longest(person_sightings, person_sightings[1:]):
            person, name_form = self._resolve(sighting, named_people, next_sighting)
            if name_form is None:
                continue
            mention = read_mention(sighting.sentence, sighting.span, name_form)
            if person is None:
                self.ambiguous_mentions[sighting.name.last].append(mention)
                continue
            self.mentions_by_person[person].append(mention)
            named_people.add(person)

    def _resolve(
        self, sighting: Sighting, named_people: set[KnownPerson], next_sighting: Sighting | None
    ) -> tuple[KnownPerson | None, NameForm | None]:
        """Return the person and the form of the name; no form if this is not a mention."""
        person = self.people.full(sighting.text)
        if person is not None and not person.has_single_name:
            return person, "full"
        if sighting.name.full:
            # The last two words of a name may be used alone: *García Márquez*.
            candidates = self.people.by_last_name(sighting.text)
            return (candidates[0], "last") if len(candidates) == 1 else (None, None)
        if not sighting.span.titles and (
            relative := self._person_sharing_last_name(sighting, next_sighting)
        ):
            return relative, "nickname"
        candidates = self.people.by_last_name(sighting.name.last)
        if candidates and self._could_be_last_name(sighting):
            # Choose the only person of that name, or the only one named so far.
            likely_people = [
                candidate for candidate in candidates if candidate in named_people
            ] or candidates
            return likely_people[0] if len(likely_people) == 1 else None, "last"
        people_of_first_name = named_people.intersection(self.people.by_first_name(sighting.text))
        if len(people_of_first_name) == 1 and not sighting.span.titles:
            return people_of_first_name.pop(), "nickname"
        only_person = self.people.by_only_name(sighting)
        return (only_person, "last") if only_person else (None, None)

    def _person_sharing_last_name(
        self, sighting: Sighting, next_sighting: Sighting | None
    ) -> KnownPerson | None:
        """Read the *Josef* of *Josef and Adrian Kell*."""
        next_index = sighting.span.last + 1
        if (
            next_sighting is None
            or next_sighting.sentence is not sighting.sentence
            or not next_sighting.name.full
        ):
            return None
        is_coordinated = sighting.sentence.text_at(next_index) in {"and", "&", "or"}
        is_first_name = sighting.text in first_names() or sighting.first_word.entity == "person"
        if next_sighting.span.first != next_index + 1 or not is_coordinated or not is_first_name:
            return None
        person = self.people.full(next_sighting.text)
        if person is None or person.has_single_name or self.people.by_last_name(sighting.name.last):
            return None
        name = f"{sighting.text} {next_sighting.name.last}"
        return self.people.full(name) or self.people.add(name, 0)

    def _could_be_last_name(self, sighting: Sighting) -> bool:
        """Check that a word is not an ordinary word at the start of a sentence, or a place."""
        words, word, first = sighting.sentence.words, sighting.first_word, sighting.span.first
        if sighting.span.titles or word.entity == "person":
            return True
        previous_word = sighting.sentence.text_at(first - 1)
        next_word = sighting.sentence.text_at(sighting.span.last + 1)
        speaks = next_word in word_list("speech") | word_list("acts")
        is_located = previous_word in {"in", "at", "near", "from"}
        if (
            (sighting.text in word_list("also_places") and not speaks)
            or (sighting.text in word_list("also_last_names") and previous_word.lower() == "the")
            or (word.entity in {"place", "organization"} and is_located)
        ):
            return False
        if not sighting.sentence.opens_at(first) or word.text.lower() not in self._lowercase_words:
            return True
        word_after = words[sighting.span.last + 1] if next_word else word
        verb_follows = word_after.tag in {"VERB", "AUX"}
        return word.tag == "PROPN" or verb_follows or next_word in {",", "'s", "’s"}


def _person(person: KnownPerson, mentions: Sequence[Mention]) -> Person:
    if person.has_single_name:
        return Person(person.name.last, person.name.last, tuple(mentions))
    name = person.full_name
    reason = f"two people may be called {name}" if are_two_people(mentions) else ""
    return Person(name, preferred_last_name(person, mentions), tuple(mentions), unsure=reason)


def people_in(text: str, pipeline: str = "") -> list[Person]:
    """Find all people named in a text, with the parser of a pipeline; see `load_parser`.

    Examples
    --------
    >>> [person.name for person in people_in("Sen. Mary Lock won. Lock was glad.", "light")]
    ['Mary Lock']
    """
    return find_people(Articles.of_texts({"1": text}, load_parser(pipeline)))
