"""How noun phrases refer to things: nouns, names, titles, and what modifies them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from pyramidion.rewriting._noun_phrases.phrases import NounPhrase
from pyramidion.rewriting._word_lists import NAME_LINKS, contrary, measures, nouns_of, words_of
from pyramidion.text import is_stop_word, stem, tokenize
from pyramidion.text._parsing import ParsedWord

#: What words end in that say what somebody does, whatever else they are.
_ENDINGS = ("ologist", "ographer", "ician", "iatrist", "onomist")
_TITLES = ("titles", "courtesy", "honorifics", "roles")


def is_courtesy(word: str) -> bool:
    """Tell whether a title says nothing about anybody: *Ms.*."""
    return word.rstrip(".").capitalize() in words_of("courtesy")


def is_role(word: str) -> bool:
    """Tell whether a word says what somebody does and is no title: small within a sentence."""
    small = word.lower()
    known = small in words_of("roles") or small.endswith(_ENDINGS)
    return known and small not in _lower("titles")


def is_title(word: str) -> bool:
    """Tell whether a word may stand before a person's name."""
    small = word.lower().rstrip(".")
    return small in _lower(*_TITLES) or small.endswith(_ENDINGS)


def tells_office(before: Sequence[str], least: int = 1) -> bool:
    """Tell whether words before a name tell who that is: *Water Minister*, not *Col.*."""
    weak = _lower("courtesy", "honorifics", "royal") | nouns_of("ranks")
    small = [word.lower().rstrip(".") for word in before]
    telling = [word for word in small if word not in weak and word not in ("the", "a", "an")]
    if len(telling) < least or not any(map(is_title, telling)):
        return False
    return len(telling) > 1 or is_role(telling[0])


@cache
def _lower(*lists: str) -> frozenset[str]:
    """Give lists of words in small letters."""
    return frozenset(word.lower() for name in lists for word in words_of(name))


_ALSO_FIRST_NAMES = ("Dean", "Duke", "Earl", "King", "Major", "Marshal", "Prince")


@dataclass(frozen=True, slots=True)
class Referring:
    """How a noun phrase refers to something; words but for names are stems of those that count."""

    phrase: NounPhrase
    noun: str  # *depot* of *the rail depot*, *ferry* of *the ferry Maren Star*; none for a name
    name: tuple[str, ...] = ()  # that it ends in, without what companies have at the end
    person: bool = False  # has the name
    title: bool = False  # or what somebody is, right before the name
    place: bool = False  # has the name
    modifiers: frozenset[str] = frozenset()  # all else that it says
    numbers: frozenset[str] = frozenset()  # before the noun
    named: frozenset[str] = frozenset()  # names before the noun
    adjectives: frozenset[str] = frozenset()  # all other words before the noun
    of: frozenset[str] = frozenset()  # what stands after *of*
    qualifiers: frozenset[str] = frozenset()  # before the noun, change what it says: *former*
    qualified_after: frozenset[str] = frozenset()  # such words in what follows
    kinds: frozenset[str] = frozenset()  # *board* of *Safety Board*, *lake* of *Lake Tessen*
    name_words: int = 0  # at the end of the core

    @property
    def document(self) -> str:
        """Where it stands."""
        return self.phrase.sentence.document

    @property
    def described(self) -> bool:
        """Whether anything but determiners stands before its noun or name."""
        before = self.phrase.core_words[: -max(self.name_words, 1)]
        return any(word.tag != "DET" for word in before)

    @property
    def last_name(self) -> str:
        """The last word of its name, in small letters."""
        return self.name[-1].lower() if self.name else ""


@lru_cache(maxsize=20_000)
def content(text: str) -> tuple[str, ...]:
    """Give the words that count in a text, as stems."""
    return tuple(stem(word) for word in tokenize(text) if not is_stop_word(word))


def referring(phrase: NounPhrase) -> Referring:
    """Take a noun phrase apart."""
    words = phrase.sentence.words
    begins = _name_begins(phrase)
    named = words[begins : phrase.core + 1]
    noun = _noun(phrase, begins)
    said = content(phrase.text)
    own = set(content(" ".join(word.text for word in named))) | {stem(noun)}
    before = _before(phrase, begins)
    return Referring(
        phrase,
        noun,
        _name(named),
        person=any(word.entity == "person" for word in named),
        title=bool(named) and begins > phrase.first and _is_title(words[begins - 1]),
        place=any(word.entity == "place" for word in named),
        modifiers=frozenset(word for word in said if word not in own),
        numbers=frozenset(word.text.lower() for word in before if _is_number(word)),
        named=frozenset(word.text.lower() for word in before if _is_named(word)),
        adjectives=frozenset(
            word.text.lower()
            for word in before
            if word.tag not in ("DET", "PRON", "PUNCT")
            and not _is_number(word)
            and not _is_named(word)
        ),
        of=frozenset(_after_of(phrase)),
        qualifiers=_qualifiers(before),
        qualified_after=_qualifiers(words[phrase.core + 1 : phrase.last + 1]),
        kinds=frozenset(_kinds(phrase, _name(named))),
        name_words=len(named),
    )


def contradict(one: Referring, other: Referring) -> bool:
    """Tell whether two phrases with one noun cannot be about the same thing."""
    for mine, yours in ((one.numbers, other.numbers), (one.named, other.named), (one.of, other.of)):
        if mine and yours and not mine & yours:
            return True
    if (one.adjectives ^ other.adjectives) & nouns_of("distinguishing"):
        return True
    if not (one.adjectives and other.adjectives):
        return False
    pairs = ((one.adjectives & group, other.adjectives & group) for group in contrary())
    return any(mine and yours and mine != yours for mine, yours in pairs)


def _qualifiers(words: Sequence[ParsedWord]) -> frozenset[str]:
    parts = (part for word in words for part in word.text.lower().split("-"))
    return frozenset(parts) & nouns_of("qualifying")


def _name_begins(phrase: NounPhrase) -> int:
    """Find where the name at the end of a phrase's core begins; behind it if there is none."""
    words, place = phrase.sentence.words, phrase.core
    if words[place].tag != "PROPN" and words[place].relation != "name":
        return place + 1
    while place > phrase.first and _in_a_name(words[place - 1], place - 1):
        place -= 1
    while place < phrase.core and words[place].text.lower() in NAME_LINKS:
        place += 1
    people = [k for k in range(place, phrase.core + 1) if words[k].entity == "person"]
    after_titles = [k + 1 for k in range(place, phrase.core) if _is_title(words[k])]
    return max([place, *after_titles, *people[:1]])


def _in_a_name(word: ParsedWord, place: int) -> bool:
    if word.tag == "PROPN" or word.relation == "name" or word.text in ("of", "&", "'s", "-"):
        return True
    return place > 0 and word.text[:1].isupper() and word.tag in ("ADJ", "NOUN", "VERB")


def _kinds(phrase: NounPhrase, name: Sequence[str]) -> Iterator[str]:
    if len(name) > 1:
        yield name[-1].lower()
        if name[0].lower() in nouns_of("names", "kinds"):
            yield name[0].lower()
    for word in phrase.words if name else ():
        if word.relation == "apposition" and word.head == phrase.head and word.tag == "NOUN":
            yield word.lemma


def _is_title(word: ParsedWord) -> bool:
    first_name = word.text in _ALSO_FIRST_NAMES and word.entity == "person"
    return is_title(word.text) and word.entity not in ("organization", "place") and not first_name


def _name(words: Sequence[ParsedWord]) -> tuple[str, ...]:
    """Give the words of a name; what hyphens join is one: *Reyes-Lund* is nobody's *Reyes*."""
    kept: list[str] = []
    ended = -1
    for word in words:
        hyphenated = word.start == ended and "-" in (word.text[0], kept[-1][-1])
        if hyphenated:
            kept[-1] += word.text.rstrip(".")
        elif word.text.strip(".,'’\""):
            kept.append(word.text.rstrip("."))
        ended = word.end if kept else -1
    while len(kept) > 1 and kept[-1].lower() in nouns_of("names", "endings"):
        kept.pop()
    return tuple(kept)


def _noun(phrase: NounPhrase, begins: int) -> str:
    """Give the common noun of a phrase, or the one right before its name."""
    words = phrase.sentence.words
    place = min(begins - 1, phrase.core)
    if place < phrase.first or words[place].tag != "NOUN":
        return ""
    return words[place].lemma


def _before(phrase: NounPhrase, begins: int) -> Sequence[ParsedWord]:
    return phrase.sentence.words[phrase.first : max(min(begins, phrase.core), phrase.first)]


def _is_number(word: ParsedWord) -> bool:
    return word.tag == "NUM" or measures(word.text)


def _is_named(word: ParsedWord) -> bool:
    return word.tag == "PROPN" and not word.text.islower()


def _after_of(phrase: NounPhrase) -> tuple[str, ...]:
    words = phrase.sentence.words
    place = phrase.core + 1
    if place > phrase.last or words[place].text != "of":
        return ()
    return content(phrase.sentence.between(place, phrase.last))


@dataclass(frozen=True, slots=True)
class Context:
    """What the summary says before a phrase is read."""

    target: Referring  # what may be replaced
    elsewhere: frozenset[str] = frozenset()  # stems in the rest of its sentence
    said: frozenset[str] = frozenset()  # stems of the sentences read before
    said_of_it: frozenset[str] = frozenset()  # stems of those about the same thing
    told: frozenset[str] = frozenset()  # stems of all sentences chosen so far
    mentioned: bool = False  # the same thing was read before
    described: bool = False  # what it is was read before
    beside: bool = False  # its sentence is about the same thing elsewhere
    changing: frozenset[str] = frozenset()  # words before a name that articles differ in
    dropping: bool = False  # what stands between commas may go though unsaid
