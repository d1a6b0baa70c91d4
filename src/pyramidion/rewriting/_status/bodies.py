"""Countries, states and organizations that sentences name, each with one key for its names."""

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.rewriting._word_lists import bare, status_words, words_of
from pyramidion.text._parsing import ParsedWord

#: What countryinfo lacks or spells otherwise than newspapers do.
_MORE = {
    "us": "united states", "usa": "united states", "america": "united states",
    "uk": "united kingdom", "britain": "united kingdom", "uae": "united arab emirates",
    "england": "england", "english": "england", "soviet": "soviet union",
    "soviet union": "soviet union", "saudi": "saudi arabia", "argentine": "argentina",
    "icelandic": "iceland", "slovenian": "slovenia", "burma": "myanmar", "burmese": "myanmar",
    "yugoslav": "yugoslavia", "yugoslavia": "yugoslavia",
}  # fmt: skip
#: Alternative spellings in countryinfo that are words of English.
_WORDS = {"island", "mann", "prathet", "ngwane", "viti"}
#: Shorter ones are codes.
_SHORTEST = 4
_ENDINGS = {"inc", "corp", "ltd", "co", "llc", "plc", "company", "corporation"}


@cache
def country_names() -> Mapping[str, str]:
    """Return the keys of countries by names and adjectives; only a few without countryinfo."""
    found = {key: key for key in _MORE.values()} | _MORE
    try:
        from countryinfo import all_countries
    except ImportError:
        return found
    for country in sorted(all_countries(), key=lambda one: -(one.population() or 0)):
        key = country.name().lower().removeprefix("the ")
        adjectives = (country.demonym() or "").replace("/", ",").split(",")
        for name in (country.name(), *country.alt_spellings(), *adjectives):
            plain = plain_name(name.removeprefix("The "))
            if len(plain) >= _SHORTEST and plain not in _WORDS:
                found.setdefault(plain, key)
        if key == "united states":
            found |= {state.lower(): state.lower() for state in country.provinces()}
    return found


def plain_name(name: str) -> str:
    """Write a name in small letters, without dots."""
    return " ".join(name.lower().replace(".", "").split())


def body_key(name: str) -> str:
    """Return the key of a name."""
    words = plain_name(name.replace("’", "'").removesuffix("'s")).split()
    while len(words) > 1 and words[-1] in _ENDINGS:
        words.pop()
    plain = " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)
    return country_names().get(plain, plain)


_MARKED = ("place", "organization")
_LONGEST = 4


@dataclass(frozen=True, slots=True)
class NamedBody:
    """A country, state or organization that a sentence names."""

    key: str  # one for all its names: ``italy`` for *Italian* and *Italy's*
    first: int
    last: int


def is_organization_word(text: str) -> bool:
    """Return whether a capitalized word says what kind of organization has a name."""
    return bare(text) in status_words("organizations")


def bodies_in(sentence: ParsedSentence, *, beside: Container[int] = ()) -> list[NamedBody]:
    """Find the countries, states and organizations of a sentence, from left to right."""
    found: list[NamedBody] = []
    for kind in (_organizations(sentence), _countries(sentence, beside), _marked(sentence)):
        found += _apart(list(kind), found)
    return sorted(found, key=lambda body: body.first)


def _apart(bodies: Iterable[NamedBody], others: Iterable[NamedBody]) -> Iterator[NamedBody]:
    taken = {place for body in others for place in range(body.first, body.last + 1)}
    for body in bodies:
        if taken.isdisjoint(range(body.first, body.last + 1)):
            yield body


def _body(sentence: ParsedSentence, first: int, last: int) -> NamedBody:
    return NamedBody(body_key(sentence.between(first, last)), first, last)


# Names with a word for an organization


def _organizations(sentence: ParsedSentence) -> Iterator[NamedBody]:
    for first, last in _runs(sentence):
        run = range(first, last + 1)
        kinds = [place for place in run if is_organization_word(sentence.words[place].text)]
        of = first < last and sentence.words[first + 1].text in ("of", "for")
        if kinds and kinds[0] == first and of:
            yield _body(sentence, first, last)
        elif kinds and kinds[-1] > first:
            yield _body(sentence, first, kinds[0] if kinds[0] > first else kinds[-1])


def _runs(sentence: ParsedSentence) -> Iterator[tuple[int, int]]:
    """Return stretches of capitalized words; *of* joins them after *University*."""
    words, place = sentence.words, 0
    while place < len(words):
        if not _is_capital(words[place], place) or sentence.text.isupper():
            place += 1
            continue
        last = place
        while step := _step(words, last):
            last += step
        yield place, last
        place = last + 1


def _step(words: tuple[ParsedWord, ...], place: int) -> int:
    """Return how far the next capitalized word of a name is; 0 if there is none."""
    joints = ("of", "for", "the", "&") if is_organization_word(words[place].text) else ("&",)
    for step in (1, 2, 3):
        if place + step >= len(words):
            return 0
        word = words[place + step]
        if _is_capital(word, place + step):
            return step
        if word.text not in joints:
            return 0
    return 0


def _is_capital(word: ParsedWord, place: int) -> bool:
    opens_sentence = place == 0 and word.tag not in ("PROPN", "NOUN", "ADJ")
    return word.text[:1].isupper() and not opens_sentence


# Names of the list


def _countries(sentence: ParsedSentence, beside: Container[int]) -> Iterator[NamedBody]:
    """Return countries and states, the longest name at each place."""
    first = 0
    # In a headline in capitals "US" may be a pronoun.
    shouted = sentence.text.isupper()
    while first < len(sentence.words):
        named = sentence.words[first].entity == "person" and first not in beside
        last = None if named else next(_country_ends(sentence, first), None)
        if last is not None and not (shouted and last == first):
            yield _body(sentence, first, last)
        first = first + 1 if last is None else last + 1


def _country_ends(sentence: ParsedSentence, first: int) -> Iterator[int]:
    words, names = sentence.words, country_names()
    if not words[first].text[:1].isupper():
        return
    for last in range(min(first + _LONGEST, len(words)) - 1, first - 1, -1):
        plain = plain_name(sentence.between(first, last))
        if plain in names and (len(plain) >= _SHORTEST or words[first].text.isupper()):
            yield last


# Names that the parser found


def _marked(sentence: ParsedSentence) -> Iterator[NamedBody]:
    words = sentence.words
    first = 0
    while first < len(words):
        last = first
        if words[first].entity in _MARKED:
            while last + 1 < len(words) and _goes_on(words, last + 1):
                last += 1
            if _names_body(words[first : last + 1]):
                yield _body(sentence, first, last)
        first = last + 1


def _goes_on(words: tuple[ParsedWord, ...], place: int) -> bool:
    return words[place].entity == words[place - 1].entity and not words[place].opens


def _names_body(words: tuple[ParsedWord, ...]) -> bool:
    texts = [bare(word.text) for word in words]
    small = {text.lower() for text in texts}
    return (
        any(text[:1].isupper() and text not in words_of("never") for text in texts)
        and not small & status_words("geography")
        and not any(text in words_of("titles") for text in texts)
    )
