"""Countries, states and organizations named in sentences, each with one key for all its names."""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from pyramidion.rewriting._word_lists import bare, status_words, word_list
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord

#: Names that countryinfo lacks or spells differently from newspapers.
_EXTRA_NAMES = {
    "us": "united states", "usa": "united states", "america": "united states",
    "uk": "united kingdom", "britain": "united kingdom", "uae": "united arab emirates",
    "england": "england", "english": "england", "soviet": "soviet union",
    "soviet union": "soviet union", "saudi": "saudi arabia", "argentine": "argentina",
    "icelandic": "iceland", "slovenian": "slovenia", "burma": "myanmar", "burmese": "myanmar",
    "yugoslav": "yugoslavia", "yugoslavia": "yugoslavia",
}  # fmt: skip
#: Alternative spellings in countryinfo that are English words.
_ENGLISH_WORDS = {"island", "mann", "prathet", "ngwane", "viti"}
#: Shorter names are country codes.
_MIN_NAME_LETTERS = 4
_BODY_ENDINGS = {"inc", "corp", "ltd", "co", "llc", "plc", "company", "corporation"}


@cache
def country_names() -> Mapping[str, str]:
    """Return the keys of countries by name and adjective; only a few without countryinfo."""
    names = {key: key for key in _EXTRA_NAMES.values()} | _EXTRA_NAMES
    try:
        from countryinfo import all_countries
    except ImportError:
        return names
    for country in sorted(all_countries(), key=lambda country: -(country.population() or 0)):
        key = country.name().lower().removeprefix("the ")
        adjectives = (country.demonym() or "").replace("/", ",").split(",")
        for name in (country.name(), *country.alt_spellings(), *adjectives):
            folded_name = plain_name(name.removeprefix("The "))
            if len(folded_name) >= _MIN_NAME_LETTERS and folded_name not in _ENGLISH_WORDS:
                names.setdefault(folded_name, key)
        if key == "united states":
            names |= {state.lower(): state.lower() for state in country.provinces()}
    return names


def plain_name(name: str) -> str:
    """Return a name in lower case without dots."""
    return " ".join(name.lower().replace(".", "").split())


def body_key(name: str) -> str:
    """Return the key of a name."""
    words = plain_name(name.replace("’", "'").removesuffix("'s")).split()
    while len(words) > 1 and words[-1] in _BODY_ENDINGS:
        words.pop()
    words_without_the = " ".join(words[1:] if len(words) > 1 and words[0] == "the" else words)
    return country_names().get(words_without_the, words_without_the)


_ENTITY_KINDS = ("place", "organization")
_MAX_COUNTRY_WORDS = 4


@dataclass(frozen=True, slots=True)
class NamedBody:
    """A country, state or organization that a sentence names."""

    key: str  # one for all its names: ``italy`` for *Italian* and *Italy's*
    first: int
    last: int


def is_organization_word(text: str) -> bool:
    """Return whether a capitalized word names a kind of organization."""
    return bare(text) in status_words("organizations")


def bodies_in(
    sentence: ParsedSentence, *, premodifier_indices: Container[int] = ()
) -> list[NamedBody]:
    """Find the countries, states and organizations of a sentence, from left to right.

    Parameters
    ----------
    sentence
        The sentence.
    beside
        Indices of words before a name, which count even if the parser marks them as part of it.

    Examples
    --------
    >>> from pyramidion.text import load_parser
    >>> text = "Ode left the Reform Party."
    >>> sentence = ParsedSentence(text, tuple(load_parser("light").parse([text])[0]))
    >>> [body.key for body in bodies_in(sentence)]
    ['reform party']
    """
    spans: list[tuple[int, int]] = []
    used_indices: set[int] = set()
    for spans_of_kind in (
        _organizations(sentence),
        _countries(sentence, premodifier_indices),
        _marked_names(sentence),
    ):
        free_spans = [
            span for span in spans_of_kind if used_indices.isdisjoint(range(span[0], span[1] + 1))
        ]
        spans += free_spans
        used_indices |= {index for first, last in free_spans for index in range(first, last + 1)}
    return [
        NamedBody(body_key(sentence.between(first, last)), first, last)
        for first, last in sorted(spans)
    ]


def _organizations(sentence: ParsedSentence) -> Iterator[tuple[int, int]]:
    """Return the first and last words of names that contain a kind of organization."""
    words, next_index = sentence.words, 0
    for first, word in enumerate(words):
        if first < next_index or not _is_name_word(word, first) or sentence.text.isupper():
            continue
        last = first
        while step := _distance_to_next_word(words, last):
            last += step
        next_index = last + 1
        run = range(first, last + 1)
        kinds = [index for index in run if is_organization_word(words[index].text)]
        has_preposition = first < last and words[first + 1].text in ("of", "for")
        if kinds and kinds[0] == first and has_preposition:
            yield first, last
        elif kinds and kinds[-1] > first:
            yield first, kinds[0] if kinds[0] > first else kinds[-1]


def _distance_to_next_word(words: tuple[ParsedWord, ...], index: int) -> int:
    """Return the distance to the next capitalized word of a name; 0 if there is none."""
    joining_words = ("of", "for", "the", "&") if is_organization_word(words[index].text) else ("&",)
    for step, word in enumerate(words[index + 1 : index + 4], start=1):
        if _is_name_word(word, index + step):
            return step
        if word.text not in joining_words:
            return 0
    return 0


def _is_name_word(word: ParsedWord, index: int) -> bool:
    opens_sentence = index == 0 and word.tag not in ("PROPN", "NOUN", "ADJ")
    return word.text[:1].isupper() and not opens_sentence


def _countries(
    sentence: ParsedSentence, premodifier_indices: Container[int]
) -> Iterator[tuple[int, int]]:
    """Return the first and last words of countries and states, preferring longer names."""
    words, names, next_index = sentence.words, country_names(), 0
    for first, word in enumerate(words):
        is_person_name = word.entity == "person" and first not in premodifier_indices
        if first < next_index or is_person_name or not word.text[:1].isupper():
            continue
        for last in range(min(first + _MAX_COUNTRY_WORDS, len(words)) - 1, first - 1, -1):
            folded_name = plain_name(sentence.between(first, last))
            if folded_name in names and (
                len(folded_name) >= _MIN_NAME_LETTERS or word.text.isupper()
            ):
                next_index = last + 1
                # In a headline in capitals, "US" may be a pronoun.
                if last > first or not sentence.text.isupper():
                    yield first, last
                break


def _marked_names(sentence: ParsedSentence) -> Iterator[tuple[int, int]]:
    """Return the first and last words of names that the parser found."""
    words, next_index = sentence.words, 0
    for first, word in enumerate(words):
        if first < next_index or word.entity not in _ENTITY_KINDS:
            continue
        next_index = first + 1
        while next_index < len(words):
            following_word = words[next_index]
            if following_word.entity != word.entity or following_word.opens:
                break
            next_index += 1
        texts = {bare(entity_word.text) for entity_word in words[first:next_index]}
        if (
            any(text[:1].isupper() and text not in word_list("never") for text in texts)
            and status_words("geography").isdisjoint(map(str.lower, texts))
            and word_list("titles").isdisjoint(texts)
        ):
            yield first, next_index - 1
