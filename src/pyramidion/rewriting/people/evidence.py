"""What speaks for and against a run of capitalized words being somebody's name."""

from collections.abc import Iterable
from typing import Final

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.names import is_initial
from pyramidion.rewriting.people.spans import NameSpan
from pyramidion.rewriting.people.words import bare, words_of

__all__ = ["ENOUGH", "WEIGHTS", "is_age", "signs", "strength"]

#: How much each sign counts.
WEIGHTS: Final[dict[str, float]] = {
    "title": 4,
    "role before": 3,
    "role and comma before": 2,
    "parser says person": 2,
    "parser says place": -2,
    "parser says organization": -2,
    "first name": 2.5,
    "first name or word": 1.5,
    "initial": 2,
    "suffix": 3,
    "age": 3,
    "who": 2,
    "apposition": 1.5,
    "last name alone": 1.5,
    "speaks": 1,
    "acts": 1.5,
    "the": -3,
    "place preposition": -1.5,
    "thing before": -2,
    "which": -2,
}
#: From here on a name is taken for somebody's.
ENOUGH: Final = 2.5

#: What companies are as well: headset maker Lumora.
_COMPANIES_TOO: Final = frozenset(
    {"maker", "operator", "developer", "publisher", "importer", "builder", "broadcaster", "lender"}
)
_AGES: Final = range(1, 116)
_RELATIVE: Final = frozenset({"who", "whose", "whom"})


def signs(sentence: ParsedSentence, span: NameSpan) -> frozenset[str]:
    """Collect what speaks for and against a name being somebody's.

    Parameters
    ----------
    sentence, span
        The name.

    Examples
    --------
    >>> from pyramidion.text._parsing import ParsedWord
    >>> places = [("Mary", 0), ("Orr", 5), ("said", 9)]
    >>> words = tuple(ParsedWord(word, word, "X", 0, "dep", start) for word, start in places)
    >>> sorted(signs(ParsedSentence("Mary Orr said", words), NameSpan(0, 1, 0, 0)))
    ['first name', 'speaks']
    """
    found = {"title"} if span.titles else set()
    found |= _inside(sentence, span) | _before(sentence, span) | _after(sentence, span)
    return frozenset(found)


def strength(found: Iterable[str]) -> float:
    """Add up signs.

    Examples
    --------
    >>> strength({"age", "the"})
    0
    """
    return sum(WEIGHTS[sign] for sign in found)


def is_age(text: str) -> bool:
    """Tell whether a word can be somebody's age.

    Examples
    --------
    >>> is_age("54"), is_age("1998")
    (True, False)
    """
    return text.isdecimal() and int(text) in _AGES


def _inside(sentence: ParsedSentence, span: NameSpan) -> set[str]:
    words = sentence.words[span.first : span.last + 1]
    found = set()
    if words[0].text in words_of("female_names") | words_of("male_names") and len(words) > 1:
        doubtful = words[0].text in words_of("doubtful_names")
        found.add("first name or word" if doubtful else "first name")
    if len(words) > 1 and any(is_initial(word.text) for word in words[:-1]):
        found.add("initial")
    if len(words) > 2 and bare(words[-1].text) in ("Jr", "Sr"):
        found.add("suffix")
    for kind in ("person", "place", "organization"):
        if 2 * sum(word.entity == kind for word in words) >= len(words):
            found.add(f"parser says {kind}")
    return found


def _before(sentence: ParsedSentence, span: NameSpan) -> set[str]:
    place = span.first - 1
    if place < 0 or span.titles:
        return set()
    known = (words_of("roles") | words_of("relations")) - _COMPANIES_TOO
    word = sentence.words[place].text
    if word in known or (place == 0 and word.lower() in known):
        return {"role before"}
    if word == "," and place and sentence.words[place - 1].text in known:
        return {"role and comma before"}
    if word.lower() == "the":
        return {"the"}
    if word in {"in", "at", "near", "from", "to", "into"}:
        return {"place preposition"}
    if word in words_of("speech"):
        return {"speaks"}
    thing = sentence.words[place].tag in {"NOUN", "ADJ"} and word.islower()
    return {"thing before"} if thing and word not in words_of("describing") else set()


def _after(sentence: ParsedSentence, span: NameSpan) -> set[str]:
    texts = [word.text for word in sentence.words[span.last + 1 : span.last + 8]]
    if not texts:
        return set()
    if texts[0] in words_of("speech"):
        return {"speaks"}
    if texts[0] in words_of("acts"):
        return {"acts"}
    comma = texts[0] == ","
    texts = texts[1:] if comma else texts
    if not texts:
        return set()
    if comma and is_age(texts[0]) and (len(texts) == 1 or not texts[1][0].isalnum()):
        return {"age"}
    if texts[0] in _RELATIVE:
        return {"who"}
    if texts[0] == "which":
        return {"which"}
    return {"apposition"} if comma and _names_a_role(texts) else set()


def _names_a_role(texts: list[str]) -> bool:
    """Tell whether an apposition with a role begins here: *a former bank clerk*."""
    if texts[0] not in {"a", "an", "the"} and texts[0] not in words_of("roles"):
        return False
    return any(text in words_of("roles") for text in texts[:5])
