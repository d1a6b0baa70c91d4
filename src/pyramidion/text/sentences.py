"""Sentences by rules, in one pass and without a tagger.

Every run of full stops, question and exclamation marks is looked at once, with the word
before it and the words after it:

1. what follows must be able to open a sentence: not a word in lower case (`iPhone` and
   `van Eyck` can);
2. a full stop after an abbreviation ends a sentence only where that kind of abbreviation can
   (:mod:`pyramidion.text.abbreviations`);
3. a question or an exclamation in quotation marks goes on when its speaker follows;
4. nothing ends inside brackets that were opened within the sentence.

Quotations of several sentences are split. A blank line always ends a sentence, a single line
break is white space (news is often hard-wrapped) unless ``newlines="sentence"``.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple

from pyramidion.text.abbreviations import (
    ABBREVIATIONS,
    ARTICLES,
    BRANDS,
    CALENDAR,
    DESIGNATORS,
    INSTITUTIONS,
    PARTICLES,
    PREPOSITIONS,
    ROLES,
    SPEECH_VERBS,
    STARTERS,
    Kind,
    is_opener,
)

__all__ = ["sentence_spans", "split_sentences"]

# Marks of scripts that put no blank after them, or have no capitals to go by.
_WIDE: Final = "。！？｡।॥؟۔։።။។៕"
_MARKS: Final = rf"[.!?…‼⁇⁈⁉{_WIDE}]"
_CLOSING: Final = r"""["'”’»›)\]}」』）】》〉]"""
_QUOTES: Final = "\"'”’»›"
_OPENING: Final = "\"'“‘«‹„‚([{¿¡*•–—_`-"
_BRACKETS_AND_DASHES: Final = frozenset("([{–—_-")
_GOES_ON: Final = frozenset(",;:%&/)")
_GOES_ON_WIDE: Final = frozenset("，、；：とっ")

# Possessive quantifiers, and a look back at the first mark: each character is read a bounded
# number of times, whatever the text.
_STOP: Final = re.compile(
    rf"({_MARKS}(?<!{_MARKS}{{2}}){_MARKS}*+(?:(?=\s|{_CLOSING})|(?<=[{_WIDE}]))"
    rf"(?:[ ]\.(?=\s|{_CLOSING}))*+)"
    rf"((?:[ ]''(?!\w)|{_CLOSING})*+(?:\s?\[\d{{1,3}}\])*+)"
)
_NEXT: Final = re.compile(rf"\s*+([{re.escape(_OPENING)}\s]*+)([^\W_][\w'’-]*+)?(\.?+),?+\s*+(\w?)")
_PARAGRAPH_BREAK: Final = re.compile(r"\n[^\S\n]*+\n\s*+|\n[^\S\n]*+(?=[•‣◦▪●]\s)|\u2029\s*+")
_LINE_BREAK: Final = re.compile(r"[\n\u2028\u2029]\s*+")
_SPACE: Final = re.compile(r"\s*+")
_SPEAKER: Final = re.compile(
    r"(?:[A-Z][\w.'’-]*+,?+\s++|(?:of|the|de|van|von|bin)\s++){1,7}(\w++)"
)
_LETTERS: Final = re.compile(r"[^\W\d_](?:\.[^\W\d_])*+")
_LABEL: Final = re.compile(r"\d{1,2}|[IVX]{1,5}|[^\W\d_]")
_TRADE_NAME: Final = re.compile(r"[a-z]{1,2}[A-Z]")

_LONGEST_WORD: Final = 40
_LONGEST_BRACKET: Final = 400
_LONGEST_LEAD_IN: Final = 30


class _Next(NamedTuple):
    """The words around a full stop that follows an abbreviation."""

    before: str
    word: str
    title: bool
    then_capital: bool


def _is_starter(after: _Next) -> bool:
    return after.word in STARTERS


def _is_common(after: _Next) -> bool:
    return after.word in STARTERS or (not after.then_capital and is_opener(after.word))


def _goes_on(after: _Next) -> bool:
    return after.title or after.word in ROLES or after.word in INSTITUTIONS


def _after_acronym(after: _Next) -> bool:
    return _is_common(after) and not _goes_on(after)


def _after_initials(after: _Next) -> bool:
    if after.before.lower() in DESIGNATORS:
        return True
    if after.before[:1].isupper():
        return _is_starter(after)
    return _after_acronym(after)


def _after_street(after: _Next) -> bool:
    return (_is_starter(after) or not after.then_capital) and not _goes_on(after)


def _after_street_or_name(after: _Next) -> bool:
    street = after.before[:1].isupper() and after.before.lower() not in STARTERS
    return street and _is_common(after)


def _after_generation(after: _Next) -> bool:
    return after.before[:1].isupper() and after.word not in INSTITUTIONS


_CAN_END: Final[dict[Kind, Callable[[_Next], bool]]] = {
    Kind.ACRONYM: _after_acronym,
    Kind.CLOCK: lambda after: after.word not in CALENDAR,
    Kind.COMPANY: _after_acronym,
    Kind.DATE: lambda after: after.word not in CALENDAR,
    Kind.GENERATION: _after_generation,
    Kind.INITIALS: _after_initials,
    Kind.INNER: lambda after: False,
    Kind.NUMBERED: lambda after: not _LABEL.fullmatch(after.word.upper()),
    Kind.ORDINARY: _is_starter,
    Kind.PLACE: lambda after: not _goes_on(after),
    Kind.STREET: _after_street,
    Kind.STREET_OR_NAME: _after_street_or_name,
    Kind.SUFFIX: lambda after: after.word not in INSTITUTIONS,
    Kind.TITLE: lambda after: False,
}


def _kind(token: str, *, first: bool) -> Kind | None:
    """Return what kind of abbreviation a word is, if it is one."""
    if first and _LABEL.fullmatch(token):
        return Kind.INNER
    if kind := ABBREVIATIONS.get(token):
        return kind
    if "-" in token or "/" in token:
        return ABBREVIATIONS.get(re.split("[-/]", token)[-1])
    if ("." in token or token.isupper()) and _LETTERS.fullmatch(token):
        return Kind.INITIALS
    return None


class _Splitter:
    """One text, and the questions asked about each stop in it."""

    __slots__ = ("caseless", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        # Lower-cased text has no capitals to go by.
        self.caseless = text.islower()

    def spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the sentences of one paragraph."""
        begin = start
        for stop in _STOP.finditer(self.text, start, end):
            last = stop.end()
            if last < end and self._ends(begin, stop, end):
                yield begin, last
                begin = _skip_space(self.text, last)
        if begin < end:
            yield begin, end

    def _ends(self, begin: int, stop: re.Match[str], end: int) -> bool:
        """Tell whether the sentence that begins at `begin` ends with `stop`."""
        mark, closing = stop.groups()
        last = stop.end()
        following = self.text[last]
        if mark[-1] in _WIDE:
            return following not in _GOES_ON_WIDE
        if stop.start() == begin or not following.isspace():
            return False
        after = _NEXT.match(self.text, last, end)
        assert after is not None
        if not after[2]:
            return self.text[after.end(1) : after.end(1) + 1] not in _GOES_ON
        if after[2][0].islower() and not self.caseless:
            return self._ends_before_lower(begin, stop, after)
        if mark == ".":
            possible = self._ends_after_word(begin, stop.start(), after)
        else:
            possible = self._ends_after_mark(stop, after, end)
        return possible and not self._inside_brackets(begin, last, end)

    def _ends_before_lower(self, begin: int, stop: re.Match[str], after: re.Match[str]) -> bool:
        """Tell whether a word in lower case opens a sentence."""
        if stop[1] == "." and self.text[stop.start() - 1].isspace():
            return True  # tokenized text, where only a sentence's full stop stands alone
        word = after[2]
        if _TRADE_NAME.match(word):
            name = True
        else:
            particle, _, name_part = word.partition("-")
            name = particle in PARTICLES and (name_part or after[4])[:1].isupper()
        return name and not self._after_abbreviation(begin, stop)

    def _after_abbreviation(self, begin: int, stop: re.Match[str]) -> bool:
        before, token = self._words_before(begin, stop.start())
        return stop[1] == "." and _kind(token, first=not before) is not None

    def _words_before(self, begin: int, position: int) -> tuple[str, str]:
        """Return the two words before a position, the first empty at a sentence's beginning."""
        words = self.text[max(begin, position - _LONGEST_WORD) : position].rsplit(None, 2)
        before = words[-2].lstrip(_OPENING) if len(words) > 1 else ""
        return before, words[-1].lstrip(_OPENING)

    def _ends_after_word(self, begin: int, position: int, after: re.Match[str]) -> bool:
        """Tell whether a full stop ends a sentence, by the words around it."""
        before, token = self._words_before(begin, position)
        kind = _kind(token, first=not before)
        if kind is None:
            return True
        lead, word, dot, then = after.groups()
        if not _BRACKETS_AND_DASHES.isdisjoint(lead) or word[0].isdigit():
            return False
        if self._is_lead_in(begin, position):
            return False
        title = dot != "" and ABBREVIATIONS.get(word) in (Kind.TITLE, Kind.STREET_OR_NAME)
        word = word.lower().replace("’", "'")
        return _CAN_END[kind](_Next(before, word, title, then.isupper()))

    def _is_lead_in(self, begin: int, position: int) -> bool:
        """Tell whether all there is so far is a phrase such as `At 4 a.m.`"""
        if position - begin > _LONGEST_LEAD_IN:
            return False
        first, *others = self.text[begin:position].lower().split()[:-1] or [""]
        return first in PREPOSITIONS and all(
            word in PREPOSITIONS or word in ARTICLES or not word.isalpha() for word in others
        )

    def _ends_after_mark(self, stop: re.Match[str], after: re.Match[str], end: int) -> bool:
        """Tell whether a question, an exclamation or an ellipsis ends a sentence."""
        mark, closing = stop.groups()
        word = after[2].lower()
        if mark == "!" and word not in STARTERS:
            brand = self._words_before(max(0, stop.start() - _LONGEST_WORD), stop.start())[1]
            if brand.lower() in BRANDS:
                return False
        if closing and closing[-1] in _QUOTES and not is_opener(word):
            speaker = _SPEAKER.match(self.text, after.start(2), end)
            return speaker is None or speaker[1] not in SPEECH_VERBS
        return True

    def _inside_brackets(self, begin: int, position: int, end: int) -> bool:
        """Tell whether a bracket opened within this sentence is closed only later."""
        opened = self.text.rfind("(", max(begin + 1, position - _LONGEST_BRACKET), position)
        if opened < 0 or self.text.find(")", opened, position) >= 0:
            return False
        return self.text.find(")", position, min(end, position + _LONGEST_BRACKET)) >= 0


def _skip_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    assert space is not None
    return space.end()


def _paragraphs(text: str, breaks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs, without white space around them."""
    begin = _skip_space(text, 0)
    for found in breaks.finditer(text, begin):
        end = begin + len(text[begin : found.start()].rstrip())
        if end > begin:
            yield begin, end
        begin = _skip_space(text, found.end())
    end = begin + len(text[begin:].rstrip())
    if end > begin:
        yield begin, end


def sentence_spans(
    text: str, *, newlines: Literal["paragraph", "sentence"] = "paragraph"
) -> list[tuple[int, int]]:
    """Find the sentences of a text as character offsets.

    Examples
    --------
    >>> sentence_spans("Dr. Ito left. He will be back.")
    [(0, 13), (14, 30)]
    """
    splitter = _Splitter(text)
    breaks = _LINE_BREAK if newlines == "sentence" else _PARAGRAPH_BREAK
    return [
        span for start, end in _paragraphs(text, breaks) for span in splitter.spans(start, end)
    ]


def split_sentences(
    text: str, *, newlines: Literal["paragraph", "sentence"] = "paragraph"
) -> list[str]:
    """Split a text into sentences.

    Examples
    --------
    >>> split_sentences("Dr. Ito left. He will be back.")
    ['Dr. Ito left.', 'He will be back.']
    """
    return [text[start:end] for start, end in sentence_spans(text, newlines=newlines)]
