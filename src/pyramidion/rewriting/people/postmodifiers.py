"""What follows a name: an apposition, a relative clause, a prepositional phrase, something else."""

import re
from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting.articles import ParsedSentence
from pyramidion.rewriting.people.clauses import (
    FINITE,
    apposition_close,
    clause_end,
    goes_on,
    in_adjectives,
)
from pyramidion.rewriting.people.evidence import is_age
from pyramidion.rewriting.people.mention import Postmodification
from pyramidion.rewriting.people.spans import touches
from pyramidion.rewriting.people.words import words_of
from pyramidion.text._parsing import ParsedWord

__all__ = ["apposition_end", "postmodifier", "stacked"]

_RELATIVE: Final = frozenset({"who", "whose", "whom"})
_STOPS: Final = frozenset({";", ":", "--", "—", "–", "(", ")", "[", "]", '"', "“", "”", "``", "''"})
_ENDS: Final = frozenset({".", "!", "?", "..."})
_PARTY: Final = re.compile(r"(?:D|R|I|Ind|Lib|Dem|Rep|DFL)[.-]+(?:[A-Z][\w.]*)")
_DETERMINERS: Final = frozenset({"a", "an", "the"})
_POSSESSIVES: Final = frozenset({"his", "her", "its", "their"})
_LONGEST_HEAD: Final = 8
_LONGEST: Final = 30

_Post = tuple[Postmodification, int, int]
_NONE: Final[_Post] = ("none", -1, -1)


def postmodifier(sentence: ParsedSentence, after: int) -> _Post:
    """Find what follows a name: its kind, and its first and last word.

    Parameters
    ----------
    sentence
        The sentence.
    after
        The place right after the name.

    Examples
    --------
    >>> text = "Ann Orr, 54, won."
    >>> words = [ParsedWord(w, w, "X", 0, "dep", text.index(w)) for w in ["Ann", "Orr"]]
    >>> words += [ParsedWord(w, w, "X", 0, "dep", s) for w, s in
    ...           [(",", 7), ("54", 9), (",", 11), ("won", 13), (".", 16)]]
    >>> postmodifier(ParsedSentence(text, tuple(words)), 2)
    ('apposition', 3, 3)
    """
    words = sentence.words
    if after >= len(words):
        return _NONE
    word = words[after]
    if word.text in _RELATIVE:
        return "relative clause", after, clause_end(words, after)
    if word.text == "(":
        return _bracket(words, after)
    if word.text in {"of", "from", "at"}:
        return _prepositional(words, after)
    if word.text == "," and after + 1 < len(words):
        return _after_comma(sentence, after + 1)
    return _NONE


def _after_comma(sentence: ParsedSentence, place: int) -> _Post:
    words = sentence.words
    text = words[place].text
    if text in _RELATIVE or _preposition_and_whom(words, place):
        return "relative clause", place, clause_end(words, place)
    end = _stack_end(sentence, place)
    if end >= place:
        return "apposition", place, end
    if text == "of" or (text in {"now", "then", "formerly", "aged"} and len(words) > place + 1):
        return _up_to_comma(words, place, "prepositional" if text == "of" else "other")
    participle = words[place].fine in {"VBN", "VBG"}
    if participle and text not in words_of("speech") and text not in {"including", "according"}:
        found = _up_to_comma(words, place, "other")
        return found if goes_on(words, found[2] + 2) else _NONE
    return _NONE


def _preposition_and_whom(words: Sequence[ParsedWord], place: int) -> bool:
    then = words[place + 1].text if place + 1 < len(words) else ""
    return words[place].tag == "ADP" and then in {"whom", "whose"}


def _stack_end(sentence: ParsedSentence, place: int) -> int:
    """Give the last word of the appositions that begin at a place; before it if none does."""
    parts = stacked(sentence, place)
    return parts[-1][1] if parts else place - 1


def stacked(sentence: ParsedSentence, place: int) -> list[tuple[int, int]]:
    """Give the first and last words of appositions that follow each other from a place on.

    Parameters
    ----------
    sentence
        The sentence.
    place
        The place after the comma.

    Examples
    --------
    >>> text = "Ann Orr, 54, won."
    >>> places = [("Ann", 0), ("Orr", 4), (",", 7), ("54", 9), (",", 11), ("won", 13), (".", 16)]
    >>> words = tuple(ParsedWord(word, word, "X", 0, "dep", start) for word, start in places)
    >>> stacked(ParsedSentence(text, words), 3)
    [(3, 3)]
    """
    words = sentence.words
    found: list[tuple[int, int]] = []
    while place < len(words):
        end = apposition_end(sentence, place)
        if end < place and found:
            end = _home_end(words, place)
        if end < place:
            break
        found.append((place, end))
        if end + 2 >= len(words) or words[end + 1].text != ",":
            break
        place = end + 2
    return found


def _home_end(words: Sequence[ParsedWord], place: int) -> int:
    """Give the last word of where somebody is from, after an age: *41, of Queens*."""
    if words[place].text not in {"of", "from"} or not is_age(words[place - 2].text):
        return -1
    last = place + 1
    while last < len(words) and words[last].tag == "PROPN":
        last += 1
    return last - 1 if last > place + 1 and _closes(words, last) else -1


def apposition_end(sentence: ParsedSentence, place: int) -> int:
    """Give the last word of an apposition that begins at a place; -1 if none does.

    Parameters
    ----------
    sentence
        The sentence.
    place
        The place after the comma.

    Examples
    --------
    >>> text = "Ann Orr, 54, won."
    >>> places = [("Ann", 0), ("Orr", 4), (",", 7), ("54", 9), (",", 11), ("won", 13), (".", 16)]
    >>> words = tuple(ParsedWord(word, word, "X", 0, "dep", start) for word, start in places)
    >>> apposition_end(ParsedSentence(text, words), 3)
    3
    """
    words = sentence.words
    if is_age(words[place].text):
        return place if _closes(words, place + 1) else -1
    party = _party_end(sentence, place)
    if party >= 0:
        return party
    if not _opens_apposition(words, place):
        return -1
    return apposition_close(words, place)


def _party_end(sentence: ParsedSentence, place: int) -> int:
    """Give the last word of a party and state: *R-Maine*."""
    words = sentence.words
    found = _PARTY.match(sentence.text, words[place].start)
    if not found:
        return -1
    last = place
    while last + 1 < len(words) and touches(tuple(words), last + 1) and words[last + 1].text != ",":
        last += 1
    return last if _closes(words, last + 1) and last > place else -1


def _closes(words: Sequence[ParsedWord], place: int) -> bool:
    return place >= len(words) or words[place].text in {",", ";"} | _ENDS


def _opens_apposition(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether a noun phrase that says who somebody is begins at a place."""
    known = words_of("roles") | words_of("relations")
    opened = words[place].text in _DETERMINERS | _POSSESSIVES
    for at in range(place, min(place + _LONGEST_HEAD, len(words))):
        word = words[at]
        if word.lemma in known or word.text in known:
            return opened or word.text[0].islower() or at == place
        adjectives = opened and word.text == "," and in_adjectives(words, place, at)
        if _ends_noun_phrase(word, at, place) and not adjectives:
            break
    return opened and _parser_agrees(words, place)


def _ends_noun_phrase(word: ParsedWord, at: int, place: int) -> bool:
    if at == place and word.text in _DETERMINERS | _POSSESSIVES:
        return False
    if word.text in {"'s", "’s", "'", "’", "-", "&"}:
        return False
    return (
        not word.text[0].isalnum()
        or word.tag in {"ADP", "AUX", "PRON", "SCONJ"}
        or word.fine in FINITE
    )


def _parser_agrees(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether the parser found an apposition whose head is near a place."""
    ahead = range(place, min(place + _LONGEST_HEAD, len(words)))
    return any(words[at].relation == "apposition" and words[at].head < place for at in ahead)


def _bracket(words: Sequence[ParsedWord], place: int) -> _Post:
    for at in range(place + 1, min(place + _LONGEST, len(words))):
        if words[at].text == ")":
            return "other", place, at
    return _NONE


def _prepositional(words: Sequence[ParsedWord], place: int) -> _Post:
    """Read a phrase with *of*; others only where the parser ties them to the name."""
    if _verb_with_of(words, place):
        return _NONE
    last = place
    for at in range(place + 1, min(place + 9, len(words))):
        word = words[at]
        noun_like = word.tag in {"PROPN", "NOUN", "DET", "ADJ", "NUM", "PART"} or word.text in {
            "of",
            "'s",
            "’s",
            "'",
            "’",
        }
        if not noun_like:
            break
        last = at
    if last == place:
        return _NONE
    tied = any(
        words[at].head < place
        and words[at].relation == "modifier"
        and words[words[at].head].tag == "PROPN"
        for at in range(place + 1, last + 1)
    )
    named = words[place].text == "of" and words[place + 1].tag in {"PROPN", "DET"}
    return ("prepositional", place, last) if named or tied else _NONE


def _verb_with_of(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether a phrase belongs to the verb: *cleared Castellan of corruption*."""
    before = {word.text for word in words[max(place - 6, 0) : place]}
    return bool(before & words_of("verbs_with_of"))


def _up_to_comma(words: Sequence[ParsedWord], place: int, kind: Postmodification) -> _Post:
    for at in range(place, min(place + _LONGEST, len(words))):
        if _closes(words, at):
            return (kind, place, at - 1) if at > place else _NONE
    return _NONE
