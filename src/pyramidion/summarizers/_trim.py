"""Trimming parts of sentences: ages, asides, adverbials at the beginning.

Follows CLASSY (Conroy, Schlesinger and O'Leary 2006): parts are found by commas and the parser's
tags and relations around them. A part is trimmed only if it is entirely outside quotations and the
rest is a complete sentence. Nothing that a statement depends on is trimmed: no restrictive clause
(they have no comma), no condition, negation or hedge (*reportedly*). Attributions are trimmed only
on request, because that turns claims into facts.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Literal, get_args

from pyramidion.summarizers._replacements import Replacement, edited
from pyramidion.summarizers._source import Source, Trim
from pyramidion.summarizers.sentences import length_of, word_counts
from pyramidion.text import ParsedSentence, load_parser
from pyramidion.text.parsing import FINITE_TAGS, ParsedWord, Parser
from pyramidion.text.quotations import Quotations

TrimKind = Literal["ages", "adverbials", "relatives", "gerunds", "attributions"]
TRIM_KINDS: tuple[TrimKind, ...] = get_args(TrimKind)

_SAYING_VERBS = frozenset(
    {"said", "says", "told", "added", "reported", "stated", "announced", "noted", "wrote"}
)
#: A quick test before parsing.
_PARTS_WORTH_KEEPING = re.compile(
    r", \d{1,3},|, (?:who|which|whose|whom)\b|, [a-z]+ing\b|^[A-Z][\w ]{2,30}, "
    rf"|\b(?:{'|'.join(sorted(_SAYING_VERBS))})\b"
)
_RELATIVE_PRONOUNS = frozenset({"who", "which", "whose", "whom"})
#: Participles that a statement depends on, or that act as prepositions.
_CONDITIONS = re.compile(
    r"(?:barr|assum|suppos|provid|pend|exclud|except|depend|includ|say|claim|alleg|argu|suggest"
    r"|mean|accord|follow|regard|concern|dur|consider|be|hav)ing"
)
_LEADING_ADVERB = re.compile(
    r"(?:however|meanwhile|moreover|furthermore|in addition|additionally|also|indeed|in fact|still"
    r"|nevertheless|nonetheless|therefore|thus|consequently|as a result|for example|for instance"
    r"|of course|unfortunately|fortunately|sadly|ironically|not surprisingly|surprisingly|besides"
    r"|similarly|likewise|accordingly|in turn|in other words|after all|yesterday|today"
    r"|(?:late |early |earlier )?(?:on )?"
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?: (?:morning|afternoon|evening"
    r"|night))?|(?:earlier )?this (?:week|morning|afternoon|month|year)|last (?:week|month|year"
    r"|night)), (?=\w)",
    re.I,
)
#: Minimum length of a trimmed sentence and maximum length of a part, in words.
_MIN_WORDS_LEFT, _MAX_WORDS_CUT = 6, 25
_MAX_ATTRIBUTION_WORDS = 9

_ENGLISH_ONLY = "sentences are not trimmed: trimming supports English only"
_CLAIMS_NOTE = "attributions are trimmed, so claims may read as facts"


#: A part to trim: its kind, start and end.
_Part = tuple[TrimKind, int, int]


def trimmed(source: Source, kinds: Sequence[TrimKind], parser: Parser | None = None) -> Source:
    """Trim the sentences of an input that may be chosen."""
    if not kinds:
        return source
    if source.reading.language != "en":
        return replace(source, notes=(*source.notes, _ENGLISH_ONLY))
    is_usable = source.usable
    numbers = [
        k
        for k, text in enumerate(source.texts)
        if is_usable[k] and _PARTS_WORTH_KEEPING.search(text)
    ]
    quotations = Quotations(
        ParsedSentence(sentence.text, (), sentence.document, sentence.index)
        for sentence in source.sentences
    )
    parsed_sentences = (parser or load_parser("light")).parse(
        [source.texts[number] for number in numbers]
    )
    trims: dict[int, Trim] = {}
    texts = list(source.texts)
    for number, words in zip(numbers, parsed_sentences, strict=True):
        original_sentence = source.sentence(number)
        sentence = ParsedSentence(
            original_sentence.text,
            tuple(words),
            original_sentence.document,
            original_sentence.index,
        )
        changes = tuple(_replacements(sentence, kinds, quotations))
        if changes:
            trims[number] = Trim(original_sentence.text, changes)
            text = edited(original_sentence.text, changes)
            texts[number] = text[:1].upper() + text[1:]
    notes = source.notes if "attributions" not in kinds else (*source.notes, _CLAIMS_NOTE)
    lengths = word_counts(texts)
    return replace(source, texts=tuple(texts), lengths=lengths, trims=trims, notes=notes)


def _replacements(
    sentence: ParsedSentence, kinds: Sequence[TrimKind], quotations: Quotations
) -> Iterator[Replacement]:
    """Return the parts to trim, from left to right, as long as enough words are left."""
    room, position = length_of(sentence.text), 0
    for kind, start, end in sorted(_parts(sentence, kinds), key=lambda part: part[1]):
        text = sentence.text[start:end]
        words = length_of(text.lstrip(", "))
        if start < position or room - words < _MIN_WORDS_LEFT or text.count("(") != text.count(")"):
            continue
        # A quotation needs its speaker.
        if not quotations.overlap(sentence, 0 if kind == "attributions" else start, end):
            room, position = room - words, end
            yield Replacement(start, end, text, "", "trim", kind)


def _parts(sentence: ParsedSentence, kinds: Sequence[TrimKind]) -> Iterator[_Part]:
    words = sentence.words
    if "adverbials" in kinds and (match := _LEADING_ADVERB.match(sentence.text)):
        yield "adverbials", 0, match.end()
    commas = [index for index, word in enumerate(words) if word.text == ","]
    stop = len(words) - 1 if words and words[-1].text == "." else None
    for number, comma in enumerate(commas):
        next_word = words[comma + 1] if comma + 1 < len(words) else words[comma]
        end = commas[number + 1] if number + 1 < len(commas) else stop
        if end is None or end - comma < 2 or end - comma > _MAX_WORDS_CUT:
            continue
        kind = _kind(words, comma, end, next_word)
        part = _cut_part(words, comma, end, kind) if kind and kind in kinds else None
        if part is not None:
            yield part


def _kind(
    words: Sequence[ParsedWord], comma: int, end: int, next_word: ParsedWord
) -> TrimKind | None:
    """Return the kind of part between a comma and the next one, or the end."""
    low, last = next_word.text.lower(), end == len(words) - 1
    is_main_clause = _has_clause(words[:comma])
    if (
        end == comma + 2
        and next_word.tag == "NUM"
        and next_word.text.isdigit()
        and len(next_word.text) < 4
    ):
        follows_name = words[comma - 1].tag == "PROPN" and comma > 0
        return "ages" if follows_name and not last else None
    part_words = words[comma + 1 : end]
    if low in _RELATIVE_PRONOUNS and words[comma - 1].tag in {"NOUN", "PROPN", "PUNCT"}:
        is_closed = _has_verb(part_words) and (is_main_clause if last else _goes_on(words, end))
        return "relatives" if is_closed else None
    if (
        next_word.fine == "VBG"
        and not _CONDITIONS.fullmatch(low)
        and next_word.relation != "conjunct"
    ):
        # A participle may belong to *with* after the last verb.
        words_before = takewhile(lambda word: word.fine not in FINITE_TAGS, reversed(words[:comma]))
        with_it = any(word.text.lower() == "with" for word in words_before)
        return "gerunds" if last and is_main_clause and not with_it else None
    if last and is_main_clause and end - comma - 1 <= _MAX_ATTRIBUTION_WORDS:
        has_saying_verb = any(word.text.lower() in _SAYING_VERBS for word in part_words)
        return "attributions" if has_saying_verb and _has_clause(part_words) else None
    return None


def _has_verb(words: Sequence[ParsedWord]) -> bool:
    return any(word.fine in FINITE_TAGS for word in words)


def _has_clause(words: Sequence[ParsedWord]) -> bool:
    """Return whether words have a noun or pronoun and a finite verb after it."""
    verbs = [index for index, word in enumerate(words) if word.fine in FINITE_TAGS]
    nouns = (word.tag in {"NOUN", "PROPN", "PRON"} for word in words[: verbs[-1]]) if verbs else ()
    return any(nouns)


def _goes_on(words: Sequence[ParsedWord], comma: int) -> bool:
    """Return whether the main verb follows a comma, perhaps after an adverb."""
    next_words = [word for word in words[comma + 1 : comma + 3] if word.fine != "RB"]
    return (
        bool(next_words) and next_words[0].fine in FINITE_TAGS and next_words[0].text[0].islower()
    )


def _is_aside(words: Sequence[ParsedWord], comma: int) -> bool:
    """Check for a part without a verb before a comma, as in *the mayor, Ada Ode, 45*."""
    previous_comma = max((k for k in range(comma) if words[k].text == ","), default=-1)
    if previous_comma < 0 or _has_verb(words[previous_comma:comma]):
        return False
    is_leading = words[0].tag in {"ADP", "ADV", "SCONJ", "VERB"}
    return not is_leading or any(word.text == "," for word in words[:previous_comma])


def _cut_part(words: Sequence[ParsedWord], comma: int, end: int, kind: TrimKind) -> _Part | None:
    """Return a part with the commas that it makes superfluous; None if that is uncertain."""
    start = words[comma].start
    if end == len(words) - 1:
        return kind, start, words[end].start
    is_aside = _is_aside(words, comma)
    # *The death of Ada Ode, 45, on Monday closed*.
    is_placed = kind == "ages" and words[end + 1].tag == "ADP" and not is_aside
    if not is_placed and not _goes_on(words, end):
        return kind, start, words[end].start
    return None if is_aside else (kind, start, words[end].end)
