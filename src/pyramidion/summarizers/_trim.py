"""Trimming parts of sentences: ages, asides, adverbials at the beginning.

After the trimming of CLASSY (Conroy, Schlesinger and O'Leary 2006): parts are found by commas and
by the parser's tags and relations on either side of them. A part is trimmed only if all of it is
outside quotations and the rest is a sentence of its own. Nothing that a statement depends on is
trimmed: no restrictive clause (they have no comma), no condition, no negation, no hedge
(*reportedly*). Attributions are trimmed only on request, because they turn claims into facts.
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
from pyramidion.text.parsing import FINITE, ParsedWord, Parser
from pyramidion.text.quotations import Quotations

TrimKind = Literal["ages", "adverbials", "relatives", "gerunds", "attributions"]
TRIM_KINDS: tuple[TrimKind, ...] = get_args(TrimKind)

_SAID = frozenset(
    {"said", "says", "told", "added", "reported", "stated", "announced", "noted", "wrote"}
)
#: What is looked for before anything is parsed.
_WORTH = re.compile(
    r", \d{1,3},|, (?:who|which|whose|whom)\b|, [a-z]+ing\b|^[A-Z][\w ]{2,30}, "
    rf"|\b(?:{'|'.join(sorted(_SAID))})\b"
)
_RELATIVES = frozenset({"who", "which", "whose", "whom"})
#: Participles that a statement depends on, or that are prepositions.
_CONDITIONS = re.compile(
    r"(?:barr|assum|suppos|provid|pend|exclud|except|depend|includ|say|claim|alleg|argu|suggest"
    r"|mean|accord|follow|regard|concern|dur|consider|be|hav)ing"
)
_LEADING = re.compile(
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
#: A sentence has at least so many words when all is trimmed, and a part at most so many.
_LEAST, _MOST = 6, 25
_LONGEST_ATTRIBUTION = 9

_ENGLISH_ONLY = "only English is trimmed: sentences stay as they are"
_CLAIMS = "attributions are trimmed: what somebody claims may read as a fact"


#: What goes, and from where to where.
_Part = tuple[TrimKind, int, int]


def trimmed(source: Source, kinds: Sequence[TrimKind], parser: Parser | None = None) -> Source:
    """Trim the sentences of an input that may be chosen; no others are parsed."""
    if not kinds:
        return source
    if source.reading.language != "en":
        return replace(source, notes=(*source.notes, _ENGLISH_ONLY))
    usable = source.usable
    numbers = [k for k, text in enumerate(source.texts) if usable[k] and _WORTH.search(text)]
    quotations = Quotations(
        ParsedSentence(own.text, (), own.document, own.index) for own in source.sentences
    )
    parsed = (parser or load_parser("light")).parse([source.texts[number] for number in numbers])
    made: dict[int, Trim] = {}
    texts = list(source.texts)
    for number, words in zip(numbers, parsed, strict=True):
        own = source.sentence(number)
        sentence = ParsedSentence(own.text, tuple(words), own.document, own.index)
        changes = tuple(_replacements(sentence, kinds, quotations))
        if changes:
            made[number] = Trim(own.text, changes)
            text = edited(own.text, changes)
            texts[number] = text[:1].upper() + text[1:]
    notes = source.notes if "attributions" not in kinds else (*source.notes, _CLAIMS)
    lengths = word_counts(texts)
    return replace(source, texts=tuple(texts), lengths=lengths, trims=made, notes=notes)


def _replacements(
    sentence: ParsedSentence, kinds: Sequence[TrimKind], quotations: Quotations
) -> Iterator[Replacement]:
    """Return the parts to trim, from left to right, as long as enough is left."""
    left, done = length_of(sentence.text), 0
    for kind, start, end in sorted(_parts(sentence, kinds), key=lambda own: own[1]):
        text = sentence.text[start:end]
        words = length_of(text.lstrip(", "))
        if start < done or left - words < _LEAST or text.count("(") != text.count(")"):
            continue
        # A quotation needs its speaker.
        if not quotations.touch(sentence, 0 if kind == "attributions" else start, end):
            left, done = left - words, end
            yield Replacement(start, end, text, "", "trim", kind)


def _parts(sentence: ParsedSentence, kinds: Sequence[TrimKind]) -> Iterator[_Part]:
    words = sentence.words
    if "adverbials" in kinds and (found := _LEADING.match(sentence.text)):
        yield "adverbials", 0, found.end()
    commas = [place for place, word in enumerate(words) if word.text == ","]
    stop = len(words) - 1 if words and words[-1].text == "." else None
    for number, comma in enumerate(commas):
        first = words[comma + 1] if comma + 1 < len(words) else words[comma]
        end = commas[number + 1] if number + 1 < len(commas) else stop
        if end is None or end - comma < 2 or end - comma > _MOST:
            continue
        kind = _kind(words, comma, end, first)
        part = _cut(words, comma, end, kind) if kind and kind in kinds else None
        if part is not None:
            yield part


def _kind(words: Sequence[ParsedWord], comma: int, end: int, first: ParsedWord) -> TrimKind | None:
    """Return the kind of part between a comma and the next one, or the end."""
    low, last = first.text.lower(), end == len(words) - 1
    main = _has_clause(words[:comma])
    if end == comma + 2 and first.tag == "NUM" and first.text.isdigit() and len(first.text) < 4:
        named = words[comma - 1].tag == "PROPN" and comma > 0
        return "ages" if named and not last else None
    inside = words[comma + 1 : end]
    if low in _RELATIVES and words[comma - 1].tag in {"NOUN", "PROPN", "PUNCT"}:
        closed = _has_verb(inside) and (main if last else _goes_on(words, end))
        return "relatives" if closed else None
    if first.fine == "VBG" and not _CONDITIONS.fullmatch(low) and first.relation != "conjunct":
        # A participle may belong to *with* after the last verb.
        after = takewhile(lambda word: word.fine not in FINITE, reversed(words[:comma]))
        with_it = any(word.text.lower() == "with" for word in after)
        return "gerunds" if last and main and not with_it else None
    if last and main and end - comma - 1 <= _LONGEST_ATTRIBUTION:
        saying = any(own.text.lower() in _SAID for own in inside)
        return "attributions" if saying and _has_clause(inside) else None
    return None


def _has_verb(words: Sequence[ParsedWord]) -> bool:
    return any(own.fine in FINITE for own in words)


def _has_clause(words: Sequence[ParsedWord]) -> bool:
    """Return whether words have a subject, or a noun at least, and a finite verb after it."""
    verbs = [place for place, own in enumerate(words) if own.fine in FINITE]
    nouns = (own.tag in {"NOUN", "PROPN", "PRON"} for own in words[: verbs[-1]]) if verbs else ()
    return any(nouns)


def _goes_on(words: Sequence[ParsedWord], comma: int) -> bool:
    """Return whether the verb of the sentence follows a comma, perhaps after an adverb."""
    after = [own for own in words[comma + 1 : comma + 3] if own.fine != "RB"]
    return bool(after) and after[0].fine in FINITE and after[0].text[0].islower()


def _is_aside(words: Sequence[ParsedWord], comma: int) -> bool:
    """Check for a part without a verb before a comma, as in *the mayor, Ada Ode, 45*."""
    before = max((k for k in range(comma) if words[k].text == ","), default=-1)
    if before < 0 or _has_verb(words[before:comma]):
        return False
    leading = words[0].tag in {"ADP", "ADV", "SCONJ", "VERB"}
    return not leading or any(word.text == "," for word in words[:before])


def _cut(words: Sequence[ParsedWord], comma: int, end: int, kind: TrimKind) -> _Part | None:
    """Trim a part with the commas that are no longer needed, if that is certain."""
    start = words[comma].start
    if end == len(words) - 1:
        return kind, start, words[end].start
    aside = _is_aside(words, comma)
    # *The death of Ada Ode, 45, on Monday closed*.
    placed = kind == "ages" and words[end + 1].tag == "ADP" and not aside
    if not placed and not _goes_on(words, end):
        return kind, start, words[end].start
    return None if aside else (kind, start, words[end].end)
