"""Descriptions of people next to their names: appositions, relative clauses, copulas."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from pyramidion.rewriting._people.mention import Description, Mention, Person, Postmodification
from pyramidion.rewriting._people.names import is_age, touches
from pyramidion.rewriting._word_lists import word_list
from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import FINITE_TAGS, ParsedWord

_STOP_MARKS: Final = frozenset(
    {";", ":", "--", "—", "–", "(", ")", "[", "]", '"', "“", "”", "``", "''"}
)
_END_MARKS: Final = frozenset({".", "!", "?", "..."})
_RELATIVE_WORDS: Final = frozenset({"who", "whose", "whom", "that", "which", "where"})
_REDUCED_CLAUSE_WORDS: Final = frozenset(
    {"turned", "accused", "suspected", "charged", "convicted", "named"}
)
_MAX_APPOSITION_WORDS: Final = 30


def clause_end(words: Sequence[ParsedWord], first: int) -> int:
    """Return the last word of a relative clause, given its first word."""
    mark_indices = []
    for index in range(first + 1, len(words)):
        text = words[index].text
        stops = text in _STOP_MARKS or (text in _END_MARKS and index >= len(words) - 2)
        if not stops and text != ",":
            continue
        if main_clause_follows(words, index + 1):
            return index - 1
        mark_indices.append(index)
        if stops:
            break
    return mark_indices[0] - 1 if mark_indices else len(words) - 1


def main_clause_follows(words: Sequence[ParsedWord], index: int) -> bool:
    """Return whether the main clause continues with a verb."""
    return any(map(_is_finite, words[index : index + 2]))


def _noun_apposition_end(words: Sequence[ParsedWord], first: int) -> int:
    """Return the last word of an apposition; -1 if a verb shows that it is a clause."""
    is_relative = is_verbless = False
    for index in range(first, min(first + _MAX_APPOSITION_WORDS, len(words))):
        word = words[index]
        is_finite = _is_finite(word) and word.text[0].islower()
        if word.text in _RELATIVE_WORDS and index > first:
            is_relative = is_verbless = True
        if word.text in _STOP_MARKS - {";"}:
            return -1
        if word.text == "," and (is_verbless or separates_adjectives(words, first, index)):
            continue
        if word.text in {",", ";"} or (word.text in _END_MARKS and index >= len(words) - 2):
            return -1 if is_verbless else index - 1
        if is_finite:
            is_verbless = False
            # Some verbs are part of a description: *the governor she unseated*.
            is_reduced = word.text in _REDUCED_CLAUSE_WORDS or (
                index > first and words[index - 1].tag == "PRON"
            )
            if not is_relative and not is_reduced:
                return -1
    return -1


def separates_adjectives(words: Sequence[ParsedWord], first: int, comma: int) -> bool:
    """Return whether a comma separates adjectives: *a quiet, patient man*."""
    return comma > first and not any(
        word.tag in {"NOUN", "PROPN", "NUM", "PRON"} or word.text in word_list("roles")
        for word in words[first:comma]
    )


def _is_finite(word: ParsedWord) -> bool:
    return word.tag in {"VERB", "AUX"} and word.fine in FINITE_TAGS


_WHO_WORDS: Final = frozenset({"who", "whose", "whom"})
_PARTY_PATTERN: Final = re.compile(r"(?:D|R|I|Ind|Lib|Dem|Rep|DFL)[.-]+(?:[A-Z][\w.]*)")
_DETERMINERS: Final = frozenset({"a", "an", "the"})
_POSSESSIVES: Final = frozenset({"his", "her", "its", "their"})
_MAX_HEAD_WORDS: Final = 8
_NOUN_LIKE_TAGS: Final = frozenset({"PROPN", "NOUN", "DET", "ADJ", "NUM", "PART"})

_PostmodifierSpan = tuple[Postmodification, int, int]
_NO_POSTMODIFIER: Final[_PostmodifierSpan] = ("none", -1, -1)


def postmodifier(sentence: ParsedSentence, next_index: int) -> _PostmodifierSpan:
    """Find the postmodifier of a name: its kind, first word and last word."""
    words = sentence.words
    if next_index >= len(words):
        return _NO_POSTMODIFIER
    word = words[next_index]
    if word.text in _WHO_WORDS:
        return "relative clause", next_index, clause_end(words, next_index)
    if word.text == "(":
        closing_indices = (
            index
            for index, other in enumerate(words[: next_index + _MAX_APPOSITION_WORDS])
            if other.text == ")"
        )
        close = next(
            (closing_index for closing_index in closing_indices if closing_index > next_index), -1
        )
        return ("other", next_index, close) if close > 0 else _NO_POSTMODIFIER
    if word.text in {"of", "from", "at"}:
        return _read_prepositional(words, next_index)
    if word.text == "," and next_index + 1 < len(words):
        return _read_after_comma(sentence, next_index + 1)
    return _NO_POSTMODIFIER


def _read_after_comma(sentence: ParsedSentence, index: int) -> _PostmodifierSpan:
    words = sentence.words
    text = words[index].text
    is_oblique = words[index].tag == "ADP" and sentence.text_at(index + 1) in {"whom", "whose"}
    if text in _WHO_WORDS or is_oblique:
        return "relative clause", index, clause_end(words, index)
    appositions = stacked_appositions(sentence, index)
    if appositions:
        return "apposition", index, appositions[-1][1]
    if text == "of" or (text in {"now", "then", "formerly", "aged"} and len(words) > index + 1):
        return _read_up_to_comma(words, index, "prepositional" if text == "of" else "other")
    is_participle = words[index].fine in {"VBN", "VBG"}
    if is_participle and text not in word_list("speech") and text not in {"including", "according"}:
        span = _read_up_to_comma(words, index, "other")
        return span if main_clause_follows(words, span[2] + 2) else _NO_POSTMODIFIER
    return _NO_POSTMODIFIER


def stacked_appositions(sentence: ParsedSentence, index: int) -> list[tuple[int, int]]:
    """Return the first and last words of consecutive appositions."""
    words = sentence.words
    spans: list[tuple[int, int]] = []
    while index < len(words):
        end = apposition_end(sentence, index)
        if end < index and spans:
            end = _origin_end(words, index)
        if end < index:
            break
        spans.append((index, end))
        if end + 2 >= len(words) or words[end + 1].text != ",":
            break
        index = end + 2
    return spans


def _origin_end(words: Sequence[ParsedWord], first: int) -> int:
    """Return the last word of an origin after an age: *41, of Queens*."""
    if words[first].text not in {"of", "from"} or not is_age(words[first - 2].text):
        return -1
    last = first + 1
    while last < len(words) and words[last].tag == "PROPN":
        last += 1
    return last - 1 if last > first + 1 and _is_phrase_end(words, last) else -1


def apposition_end(sentence: ParsedSentence, first: int) -> int:
    """Return the last word of an apposition, given its first word; -1 if there is none."""
    words = sentence.words
    if is_age(words[first].text):
        return first if _is_phrase_end(words, first + 1) else -1
    party_end = _party_end(sentence, first)
    if party_end >= 0:
        return party_end
    if not _opens_apposition(words, first):
        return -1
    return _noun_apposition_end(words, first)


def _party_end(sentence: ParsedSentence, first: int) -> int:
    """Return the last word of a party and state: *R-Maine*."""
    words = sentence.words
    if not _PARTY_PATTERN.match(sentence.text, words[first].start):
        return -1
    last = first
    while last + 1 < len(words) and touches(words, last + 1) and words[last + 1].text != ",":
        last += 1
    return last if _is_phrase_end(words, last + 1) and last > first else -1


def _is_phrase_end(words: Sequence[ParsedWord], index: int) -> bool:
    return index >= len(words) or words[index].text in {",", ";"} | _END_MARKS


def _opens_apposition(words: Sequence[ParsedWord], first: int) -> bool:
    """Return whether a noun phrase with a role begins at a word."""
    callings = word_list("roles") | word_list("relations")
    # *Orr beat Vale, stopping the champion*; *the secretary, Orr, and the minister, Vale*.
    is_participle = words[first].fine == "VBG" and words[first].text not in word_list("describing")
    if words[first].tag == "CCONJ" or (is_participle and words[first].text not in callings):
        return False
    has_determiner = words[first].text in _DETERMINERS | _POSSESSIVES
    for index in range(first, min(first + _MAX_HEAD_WORDS, len(words))):
        word = words[index]
        if word.lemma in callings or word.text in callings:
            return has_determiner or word.text[0].islower() or index == first
        is_between_adjectives = (
            has_determiner and word.text == "," and separates_adjectives(words, first, index)
        )
        if _ends_noun_phrase(word, index, first) and not is_between_adjectives:
            break
    next_words = words[first : first + _MAX_HEAD_WORDS]
    return has_determiner and any(
        word.relation == "apposition" and word.head < first for word in next_words
    )


def _ends_noun_phrase(word: ParsedWord, index: int, first: int) -> bool:
    if index == first and word.text in _DETERMINERS | _POSSESSIVES:
        return False
    if word.text in {"'s", "’s", "'", "’", "-", "&"}:
        return False
    is_other_word = word.tag in {"ADP", "AUX", "PRON", "SCONJ"} or word.fine in FINITE_TAGS
    return is_other_word or not word.text[0].isalnum()


def _read_prepositional(words: Sequence[ParsedWord], first: int) -> _PostmodifierSpan:
    """Read a phrase with *of*, or another one that the parser attaches to the name."""
    # It may belong to a verb: *cleared Castellan of corruption*.
    previous_words = {word.text for word in words[max(first - 6, 0) : first]}
    if previous_words & word_list("verbs_with_of"):
        return _NO_POSTMODIFIER
    last = first
    while last + 1 < min(first + 9, len(words)) and (
        words[last + 1].tag in _NOUN_LIKE_TAGS
        or words[last + 1].text in {"of", "'s", "’s", "'", "’"}
    ):
        last += 1
    if last == first:
        return _NO_POSTMODIFIER
    is_attached = any(
        words[index].head < first
        and words[index].relation == "modifier"
        and words[words[index].head].tag == "PROPN"
        for index in range(first + 1, last + 1)
    )
    is_place = words[first].text == "of" and words[first + 1].tag in {"PROPN", "DET"}
    return ("prepositional", first, last) if is_place or is_attached else _NO_POSTMODIFIER


def _read_up_to_comma(
    words: Sequence[ParsedWord], first: int, kind: Postmodification
) -> _PostmodifierSpan:
    for index in range(first, min(first + _MAX_APPOSITION_WORDS, len(words))):
        if _is_phrase_end(words, index):
            return (kind, first, index - 1) if index > first else _NO_POSTMODIFIER
    return _NO_POSTMODIFIER


_CONJUNCTIONS: Final = frozenset({"and", "or", "&", "plus", "nor"})
_CLOSING_MARKS: Final = frozenset({".", "!", "?", ";"})
_MAX_DELETED_WORDS: Final = 6


def in_apposition(mention: Mention) -> bool:
    """Return whether a name explains a noun before it: *her Republican challenger, Terrell*."""
    words = mention.sentence.words
    begin = mention.phrase_first
    if begin < 2 or words[begin - 1].text != ",":
        return False
    nouns = word_list("roles") | word_list("relations") | word_list("female_words")
    nouns |= word_list("male_words") | {"child", "person"}
    nearby_words = words[max(begin - 7, 0) : begin - 1]
    is_parsed_as_apposition = any(
        words[index].relation == "apposition" for index in range(begin, mention.last + 1)
    )
    return is_parsed_as_apposition or any(word.text.lower() in nouns for word in nearby_words)


def apposition_may_follow(mention: Mention) -> bool:
    """Return whether an apposition can be inserted after a name."""
    words, next_index = mention.sentence.words, mention.last + 1
    begin = mention.premodified_first
    if mention.post != "none" or next_index >= len(words):
        return False
    word_after = words[next_index]
    if mention.sentence.text_at(begin - 1) in _CONJUNCTIONS | {",", "that", "as", "-"}:
        return False
    return word_after.text in _CLOSING_MARKS or _is_finite(word_after)


def offset_after_apposition(mention: Mention) -> int:
    """Return the offset at which the text continues if the apposition is deleted."""
    words, next_index = mention.sentence.words, mention.post_last + 1
    # *When he beat Orr, a lawyer, the crowd cheered*: the second comma also ends a clause.
    remaining_words = words[next_index + 1 :]
    has_subject = any(word.tag in {"DET", "PRON", "PROPN", "NOUN"} for word in remaining_words[:1])
    clause_follows = has_subject and any(map(_is_finite, remaining_words))
    has_comma = mention.sentence.text_at(next_index) == ","
    return words[next_index if has_comma and not clause_follows else mention.post_last].end


def can_delete_apposition(mention: Mention) -> bool:
    """Check whether an apposition says who somebody is, is short, and its end is certain."""
    words, next_index = mention.sentence.words, mention.post_last + 1
    if mention.post != "apposition" or is_age(mention.postmodifier):
        return False
    if next_index - mention.post_first > _MAX_DELETED_WORDS:
        return False
    mark = mention.sentence.text_at(next_index)
    return _is_finite(words[next_index + 1]) if mark == "," else next_index + 1 == len(words)


_COPULAS: Final = frozenset({"is", "was", "became", "becomes", "remains", "remained"})
_AUXILIARIES: Final = frozenset({"will", "would", "has", "had", "may", "might", "should", "could"})
_MAX_WORDS_BEFORE_ROLE: Final = 7


def with_descriptions(person: Person) -> Person:
    """Add the appositions, relative clauses and copulas of a person's mentions."""
    descriptions = chain.from_iterable(map(_descriptions, person.mentions))
    return replace(person, descriptions=tuple(descriptions))


def copula_of(mention: Mention) -> Description | None:
    """Find the predicate of a name: *Sakharov was a physicist*."""
    sentence, words = mention.sentence, mention.sentence.words
    index = max(mention.last, mention.post_last) + 1
    is_closed = mention.post in {"apposition", "relative clause", "other"}
    index += is_closed and sentence.text_at(index) == ","
    index += sentence.text_at(index) in _AUXILIARIES and index + 1 < len(words)
    is_verb = sentence.text_at(index) in _COPULAS | {"be", "been"}
    if (
        mention.possessive
        or not mention.head
        or not is_verb
        or not _begins_with_role(words, index + 1)
    ):
        return None
    return Description("copula", sentence, index + 1, _noun_phrase_end(words, index + 1))


def _descriptions(mention: Mention) -> Iterator[Description]:
    sentence, first, last = mention.sentence, mention.post_first, mention.post_last
    if mention.post == "relative clause":
        yield Description("relative clause", sentence, first, last)
    if mention.post == "apposition":
        yield Description("apposition", sentence, first, last)
        # *R-Maine, who chairs the committee*.
        if sentence.text_at(last + 1) == "," and sentence.text_at(last + 2) in _WHO_WORDS:
            end = clause_end(sentence.words, last + 2)
            yield Description("relative clause", sentence, last + 2, end)
    copula = copula_of(mention)
    if copula is not None:
        yield copula


def _begins_with_role(words: Sequence[ParsedWord], first: int) -> bool:
    """Check whether a noun phrase with a role begins at a word."""
    for word in words[first : first + _MAX_WORDS_BEFORE_ROLE]:
        if word.text in word_list("roles") | word_list("relations"):
            return True
        is_noun_like = word.tag in {"DET", "ADJ", "NOUN", "PROPN", "NUM", "ADV", "PART"}
        if not is_noun_like and word.text not in {"-", "her", "his"}:
            return False
    return False


def _noun_phrase_end(words: Sequence[ParsedWord], first: int) -> int:
    """Return the last word of a noun phrase."""
    for index in range(first + 1, len(words)):
        word = words[index]
        is_mark = not word.text[0].isalnum() and word.text not in {"-", "'s", "’s", "&"}
        if is_mark or word.text in {"when", "who", "and", "but", "that", "which"}:
            return index - 1
    return len(words) - 1
