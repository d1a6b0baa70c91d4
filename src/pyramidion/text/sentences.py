"""Sentence splitting, and removal of newswire boilerplate."""

import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Final, Literal

from pyramidion import kernels
from pyramidion.errors import InputError
from pyramidion.kernels.stops import SentenceEndRule
from pyramidion.text._abbreviations import Kind, can_end, lexicon

# Marks of scripts without spaces after them, or without capitals.
_WIDE_MARKS: Final = "。！？｡।॥؟۔։።။។៕"
_SENTENCE_END_MARKS: Final = f".!?…‼⁇⁈⁉\u037e{_WIDE_MARKS}"
# The Greek question mark is a semicolon.
_GREEK_MARKS: Final = f"{_SENTENCE_END_MARKS};"
_CLOSING_MARKS: Final = r"""["'”’»›«‹)\]}」』）】》〉]"""
_QUOTES: Final = "\"'”’»›"
_OPENING_MARKS: Final = "\"'“‘«‹»›„‚([{¿¡*•–—_`-"
_BRACKETS_AND_DASHES: Final = frozenset("([{–—_-")
_CONTINUING_MARKS: Final = frozenset(",;:%&/)")
_WIDE_CONTINUING_MARKS: Final = frozenset("，、；：とっ")
# The speaker after a quotation.
_WIDE_SPEAKER: Final = re.compile("[^。！？，；：“「]{0,8}(?:说|說|道|问|問|表示|称|稱)[。，：]")


# Possessive quantifiers and the look-behind at the first mark keep matching linear.
def _stop_pattern(marks: str) -> re.Pattern[str]:
    """Return a pattern for marks and closing characters after them."""
    return re.compile(
        rf"([{marks}](?<![{marks}]{{2}})[{marks}]*+(?:(?=\s|{_CLOSING_MARKS})|(?<=[{_WIDE_MARKS}]))"
        rf"(?:[ ]\.(?=\s|{_CLOSING_MARKS}))*+)"
        rf"((?:[ \u00a0\u202f](?:''|»)(?!\w)|{_CLOSING_MARKS})*+(?:\s?\[\d{{1,3}}\])*+)"
    )


_STOP_PATTERN: Final = _stop_pattern(_SENTENCE_END_MARKS)
_GREEK_STOP_PATTERN: Final = _stop_pattern(_GREEK_MARKS)
# A full stop before a capital (group 1: after a long word), or before a digit or lower-case word
# that is not a list item.
_PLAIN_STOP: Final = re.compile(
    r"\.(?:(?:(?<=[A-Za-z\d]{2}[a-z\d]\.)()|(?=(\W)))[\"”]?(?= [\"“]?[A-Z])"
    r"|(?= (?:\d|[a-z](?![.)]))))",
    re.ASCII,
)
_NEXT_WORD: Final = re.compile(
    rf"\s*+([{re.escape(_OPENING_MARKS)}\s]*+)([^\W_][\w'’-]*+)?(?:(\.)|,?+\s*+([^\W_]*+))"
)
_BREAK_PATTERNS: Final = {
    "paragraph": re.compile(r"\n[^\S\n]*+\n\s*+|\n[^\S\n]*+(?=[•‣◦▪●]\s)|\u2029\s*+"),
    "sentence": re.compile(r"[\n\u2028\u2029]\s*+"),
}
_BREAK_MARKS: Final = ("\n", "\u2028", "\u2029")
_SPACE_PATTERN: Final = re.compile(r"\s*+")
_SPEAKER_PATTERN: Final = re.compile(
    r"(?:[A-Z][\w.'’-]*+,?+\s++|(?:of|the|de|van|von|bin)\s++){1,7}(\w++)"
)
_LIST_ITEM: Final = re.compile(r"\(?(?:\d{1,2}|[a-z])[.)]\s+[A-Z]")
_LANGUAGE_CODE: Final = re.compile(r"[a-z]{2,3}")
_NAME_IN_LOWER_CASE: Final = re.compile(r"[a-z]{1,2}[A-Z]|https?\b|www\b")

_MAX_WORD_LENGTH: Final = 40
_MAX_BRACKET_LENGTH: Final = 400
_MAX_LEAD_IN_LENGTH: Final = 30
_MIN_WORD_LENGTH: Final = 3


def sentence_spans(
    text: str, *, language: str = "en", newlines: Literal["paragraph", "sentence"] = "paragraph"
) -> list[tuple[int, int]]:
    """Find the sentences of a text as character offsets.

    Parameters
    ----------
    text
        Any text.
    language
        Code of its language. There are abbreviations for `en` (many), `de`, `es`, `fr`, `it`,
        `nl`, `pt` and `ru` (frequent ones); other languages are split by marks and capitals
        alone. In Greek (`el`) a semicolon is a question mark.
    newlines
        `paragraph`: a blank line, or a line break before a bullet, ends a sentence; other line
        breaks are white space. `sentence`: every line break ends a sentence.

    Returns
    -------
    list of tuple of int
        Start and end of each sentence, without surrounding white space, in order.

    Raises
    ------
    InputError
        If `language` is not a language code, or `newlines` is invalid.

    Examples
    --------
    >>> sentence_spans("Dr. Ito left. He will be back.")
    [(0, 13), (14, 30)]
    """
    breaks = _BREAK_PATTERNS.get(newlines)
    if breaks is None:
        hint = "use newlines='paragraph' or newlines='sentence'"
        raise InputError(f"`newlines` is {newlines!r}", hint)
    code = primary_code(language)
    splitter, paragraphs = _Splitter(text, code), list(_paragraphs(text, breaks))
    return _stops(code).split(
        text, paragraphs, caseless=splitter.is_caseless, judge=splitter.ends_at
    )


def stops_and_judges(language: str) -> tuple[kernels.Stops, Callable[[str], SentenceEndRule]]:
    """Return the compiled rules of a language, and a function that judges the marks of a text."""
    code = primary_code(language)
    return _stops(code), lambda text: _Splitter(text, code).ends_at


@cache
def _stops(code: str) -> kernels.Stops:
    return kernels.Stops(*_stop_rules(code))


def _stop_rules(code: str) -> tuple[dict[str, int], str]:
    """Return the abbreviations in the form of `kernels.Stops`, and the marks."""
    rule_numbers = {Kind.TITLE: 1, Kind.STREET_OR_NAME: 2}
    forms = {form: rule_numbers.get(kind, 0) for form, kind in lexicon(code).abbreviations.items()}
    return forms, _GREEK_MARKS if code == "el" else _SENTENCE_END_MARKS


def split_sentences(
    text: str,
    *,
    language: str = "en",
    newlines: Literal["paragraph", "sentence"] = "paragraph",
    boilerplate: Literal["keep", "strip"] = "keep",
) -> list[str]:
    """Split a text into sentences, without surrounding white space.

    Parameters
    ----------
    text
        Any text.
    language, newlines
        As for :func:`sentence_spans`.
    boilerplate
        `strip` first removes datelines, bylines and the like
        (:func:`pyramidion.text.sentences.strip_boilerplate`).

    Examples
    --------
    >>> split_sentences('"Is it over?" Gov. Stroud asked. Nobody in the U.S. Senate knew.')
    ['"Is it over?" Gov. Stroud asked.', 'Nobody in the U.S. Senate knew.']
    >>> split_sentences("LISBON (HNS) - Rain fell. It was cold.", boilerplate="strip")
    ['Rain fell.', 'It was cold.']
    """
    if boilerplate not in ("keep", "strip"):
        hint = "use boilerplate='keep' or 'strip'"
        raise InputError(f"`boilerplate` is {boilerplate!r}", hint)
    if boilerplate == "strip":
        text = strip_boilerplate(text)
    spans = sentence_spans(text, language=language, newlines=newlines)
    return [text[start:end] for start, end in spans]


@cache
def primary_code(language: str) -> str:
    """Return a language code without its country."""
    code = language.replace("_", "-").partition("-")[0].lower()
    if not _LANGUAGE_CODE.fullmatch(code):
        hint = "use a code such as 'en' or 'de'"
        raise InputError(f"`language` is {language!r}, not a language code", hint)
    return code


def _skip_space(text: str, position: int) -> int:
    space = _SPACE_PATTERN.match(text, position)
    return space.end() if space else position


def _paragraphs(text: str, breaks: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the paragraphs, without surrounding white space."""
    begin = _skip_space(text, 0)
    if not any(map(text.__contains__, _BREAK_MARKS)):
        yield from _trim_span(text, begin, len(text))
        return
    for match in breaks.finditer(text, begin):
        yield from _trim_span(text, begin, match.start())
        begin = _skip_space(text, match.end())
    yield from _trim_span(text, begin, len(text))


def _trim_span(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    end = begin + len(text[begin:end].rstrip())
    if end > begin:
        yield begin, end


class _Splitter:
    """Decides which marks of a text end a sentence."""

    __slots__ = ("has_brackets", "is_caseless", "lexicon_words", "stop_pattern", "text")

    def __init__(self, text: str, code: str) -> None:
        self.text = text
        self.lexicon_words = lexicon(code)
        self.stop_pattern = _GREEK_STOP_PATTERN if code == "el" else _STOP_PATTERN
        self.has_brackets = "(" in text
        # Capitals are not informative in lower-cased text.
        self.is_caseless = text.islower()

    def ends_at(self, begin: int, position: int, end: int) -> int:
        """Return the position after a mark, negative if no sentence ends there."""
        text, mark_end, is_end = self.text, position, None
        if plain_match := _PLAIN_STOP.match(text, position):
            mark_end = plain_match.end()
            is_end = (
                plain_match.lastindex == 1
                and text[position - 3 : position] not in self.lexicon_words.tails
            )
            if not is_end or position - 3 < begin:
                is_end = self._ends_plainly(
                    begin, position, is_capitalized=plain_match.lastindex is not None
                )
        if is_end is not None:
            return (
                mark_end
                if is_end and not self._inside_brackets(begin, mark_end, end)
                else -mark_end
            )
        stop = self.stop_pattern.match(text, position, end)
        if stop is None:
            return -mark_end
        return stop.end() if stop.end() < end and self._ends(begin, stop, end) else -stop.end()

    def _ends_plainly(self, begin: int, position: int, *, is_capitalized: bool) -> bool | None:
        """Decide by the word before a full stop whether it ends a sentence; None if undecided."""
        text = self.text
        blank_index = text.rfind(" ", begin, position)
        word = text[max(blank_index + 1, begin) : position]
        kind = self.lexicon_words.abbreviations.get(word)
        if not is_capitalized:
            return None if kind is None or self.is_caseless else False
        if kind is None:
            if word.isalpha():
                return True if len(word) > 1 and not word.isupper() else None
            # Not an ordinal or the number of a list item.
            is_number = (
                word.isdigit() and not self.lexicon_words.has_ordinals and blank_index > begin
            )
            return True if is_number and text[blank_index - 1].isalnum() else None
        is_name = kind is Kind.STREET_OR_NAME and (
            blank_index <= begin
            or text[max(text.rfind(" ", begin, blank_index) + 1, begin)].islower()
        )
        return False if is_name or kind is Kind.TITLE else None

    def _ends(self, begin: int, stop: re.Match[str], end: int) -> bool:
        """Return whether a sentence that begins at `begin` ends with `stop_pattern`."""
        mark = stop[1]
        stop_end = stop.end()
        following_character = self.text[stop_end]
        if mark[-1] in _WIDE_MARKS:
            is_said = stop[2] and _WIDE_SPEAKER.match(self.text, stop_end, end)
            return following_character not in _WIDE_CONTINUING_MARKS and not is_said
        if stop.start() == begin or not following_character.isspace():
            return False
        next_match = _NEXT_WORD.match(self.text, stop_end, end)
        assert next_match is not None
        opening_marks, word = next_match[1], next_match[2]
        if not word:
            return self._ends_before_symbol(begin, stop, next_match.end(1), end)
        is_item = len(word) <= 2 and _LIST_ITEM.match(self.text, next_match.start(1), end)
        if "(" in opening_marks and word[0].isdigit() and not is_item:
            return False
        if word[0].islower() and not self.is_caseless and not is_item:
            is_possible = self._ends_before_lower(begin, stop, next_match)
        elif mark == ".":
            is_possible = self._ends_after_word(begin, stop.start(), next_match)
        else:
            is_possible = self._ends_after_mark(stop, next_match, end)
        return is_possible and not self._inside_brackets(begin, stop_end, end)

    def _ends_before_symbol(self, begin: int, stop: re.Match[str], symbol: int, end: int) -> bool:
        """Return whether a symbol opens a sentence."""
        if symbol == end or self.text[symbol] in _CONTINUING_MARKS:
            return False
        return stop[1] != "." or self._kind_before(begin, stop.start())[1] is None

    def _ends_before_lower(
        self, begin: int, stop: re.Match[str], next_match: re.Match[str]
    ) -> bool:
        """Return whether a lower-case word opens a sentence."""
        mark, closing = stop.groups()
        if mark == "." and self.text[stop.start() - 1].isspace():
            return True  # tokenized text
        if mark[-1] not in ".?!" or mark[:2] == "..":
            return False
        if mark == "." and self._kind_before(begin, stop.start())[1] is not None:
            return False
        word, next_word = next_match[2], next_match[4] or ""
        particle, _, name = word.partition("-")
        if _NAME_IN_LOWER_CASE.match(word) or (
            particle in self.lexicon_words.particles and (name or next_word)[:1].isupper()
        ):
            return True
        is_after_word = self.text[stop.start() - _MIN_WORD_LENGTH : stop.start()].isalpha()
        is_informal = (
            word in self.lexicon_words.informal and next_word not in self.lexicon_words.speech_verbs
        )
        return is_informal and closing == "" and is_after_word

    def _words_before(self, begin: int, position: int) -> tuple[str, str]:
        """Return the two words before a position; the first may be empty."""
        words = self.text[max(begin, position - _MAX_WORD_LENGTH) : position].rsplit(None, 2) or [
            ""
        ]
        previous_word = words[-2].lstrip(_OPENING_MARKS) or words[-2] if len(words) > 1 else ""
        return previous_word, words[-1].lstrip(_OPENING_MARKS)

    def _kind_before(self, begin: int, position: int) -> tuple[str, Kind | None]:
        """Return the word before an abbreviation at a position, and its kind."""
        previous_word, token = self._words_before(begin, position)
        return previous_word, self.lexicon_words.kind(
            previous_word, token, caseless=self.is_caseless
        )

    def _ends_after_word(self, begin: int, position: int, next_match: re.Match[str]) -> bool:
        """Return whether a full stop ends a sentence, from the words around it."""
        previous_word, kind = self._kind_before(begin, position)
        if kind is None:
            return True
        opening_marks, word, dot, next_word = next_match.groups(default="")
        if word[0].isdigit() or not _BRACKETS_AND_DASHES.isdisjoint(opening_marks):
            return False
        lead_in = self.text[begin:position] if position - begin <= _MAX_LEAD_IN_LENGTH else ""
        if self.lexicon_words.is_lead_in(lead_in):
            return False
        is_title = dot != "" and self.lexicon_words.abbreviations.get(word) is Kind.TITLE
        word, next_word = word.lower().replace("’", "'"), dot or next_word
        return can_end(
            kind,
            self.lexicon_words,
            before=previous_word,
            word=word,
            next_word=next_word,
            is_title=is_title,
        )

    def _ends_after_mark(self, stop: re.Match[str], next_match: re.Match[str], end: int) -> bool:
        """Return whether a question, an exclamation or an ellipsis ends a sentence."""
        mark, closing = stop.groups()
        word = next_match[2].lower()
        if mark == "!" and word not in self.lexicon_words.starters:
            token = self._words_before(max(0, stop.start() - _MAX_WORD_LENGTH), stop.start())[1]
            if token.lower() in self.lexicon_words.brands:
                return False
        if (
            closing
            and closing[-1] in _QUOTES
            and (next_match[3] or not self.lexicon_words.is_common(word))
        ):
            speaker = _SPEAKER_PATTERN.match(self.text, next_match.start(2), end)
            return speaker is None or speaker[1] not in self.lexicon_words.speech_verbs
        return True

    def _inside_brackets(self, begin: int, position: int, end: int) -> bool:
        """Return whether a bracket that opened in this sentence closes later."""
        if not self.has_brackets:
            return False
        opening_index = self.text.rfind(
            "(", max(begin + 1, position - _MAX_BRACKET_LENGTH), position
        )
        if opening_index < 0 or self.text.find(")", opening_index, position) >= 0:
            return False
        return self.text.find(")", position, min(end, position + _MAX_BRACKET_LENGTH)) >= 0


_CAPITAL_LETTERS: Final = "A-ZÀ-ÖØ-Þ"
_NAME_WORD: Final = rf"[{_CAPITAL_LETTERS}][\w.'’/-]*+"
_AGENCY_WORD: Final = rf"[{_CAPITAL_LETTERS}][\w.'’-]*+"
_MONTH: Final = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    r"|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DATE_PATTERN: Final = rf"(?:{_MONTH}[ ]\d{{1,2}}|\d{{1,2}}[ ]{_MONTH})(?:,?[ ]\d{{4}})?"
_DATELINE_PATTERN: Final = re.compile(
    rf"""[ \t]*+
    (?P<place>{_NAME_WORD}(?:[ ](?:{_NAME_WORD}|d[aeo]|del)){{0,4}}?)??
    (?P<regions>(?:,[ ](?!{_MONTH}){_NAME_WORD}(?:[ ](?!{_MONTH}){_NAME_WORD}){{0,3}}){{0,2}})
    (?P<date>(?:,?[ ])?{_DATE_PATTERN})?
    (?:[ ]?[(/](?P<agency>{_AGENCY_WORD}(?:[ ]{_AGENCY_WORD}){{0,3}})[)/](?:,?[ ]{_DATE_PATTERN})?)?
    (?P<dash>\s++(?:-{{1,3}}|[–—_])\s++|\s?(?:--|—)\s?)
    (?P<opens>["'“‘«(]*+(?:[{_CAPITAL_LETTERS}\d]|[a-z]{{1,2}}[A-Z]))?""",
    re.VERBOSE,
)
#: Datelines of agencies in German, Spanish, Arabic and Chinese.
_OTHER_DATELINE: Final = re.compile(
    rf"""[ \t]*+(?:
    {_NAME_WORD}(?:[ /-](?:{_NAME_WORD}|an|am|de|del|der|la|los|las)){{0,5}}
        (?:,[ ]\d{{1,2}}\.?(?:[ ]de)?[ ][^\W\d_]{{3,10}}\.?(?:[ ](?:de[ ])?\d{{4}})?)?
        [ ]?[(/](?:dpa|DPA|afp|AFP|apa|APA|sda|SDA|epd|KNA|sid|SID|EFE|efe|[Rr]euters|AP|dapd|ots
        |Xinhua|Europa[ ]Press|T[ée]lam|ANSA|Notimex|IPS)(?:[-/][\w./-]{{1,20}})?[)/][ ]?
        (?:\.[ ]?[-–—]{{1,2}}|[-–—]{{1,2}}|:)(?=\s*+["'„“«¿¡(]*+[{_CAPITAL_LETTERS}\d])
    |[\u0621-\u064a][\u0621-\u064a ]{{2,30}}[,،]?[^()\n]{{0,25}}
        (?:\([^()\n]{{2,25}}\)|[-–—][ ]*(?:رويترز|أ[ ]?ف[ ]?ب|وكالات|د[ ]?ب[ ]?أ))[ ]*[-–—:]
    |[【（(]?(?:(?:新华社|新華社|中新社|中央社|法新社|路透社|美联社|本报|本報|人民网|新华网)(?:记者|記者)?
        [^。，\n]{{0,16}}?\d{{1,2}}日?[电電讯訊](?:[】）)]|[ ]*[（(][^（）()\n]{{0,30}}[）)])?
    |[^。，\n【】（）()]{{2,10}}[（(](?:路透社|法新社|美联社|新华社|彭博社)[）)][ ]*[-–—:：]*)
    )\s*+(?=\S)""",
    re.VERBOSE,
)
#: A date of publication, and perhaps a place, before the first words of a story.
_STAMP_PATTERN: Final = re.compile(
    rf"[ \t]*+(?:[A-Z]{{3,}}[A-Z ]*,(?: [A-Z]{{2}},)? |[A-Z][a-z]+day, )?"
    rf"{_MONTH} \d{{1,2}}, \d{{4}} (?=[\"“]?[{_CAPITAL_LETTERS}][^\n]{{60}})"
)
_AGENCY_TAG: Final = re.compile(
    rf"[ \t]*+\((?:AFP|AP|CNN|Reuters)\)\s*+(?=[\"'“‘{_CAPITAL_LETTERS}\d])"
)
_AGENCIES: Final = frozenset({"AFP", "AP", "CNN", "Kyodo", "Reuters", "TASS", "UPI", "Xinhua"})
_EXCHANGES: Final = frozenset({"AMEX", "LSE", "NASDAQ", "NYSE", "Nasdaq", "TSX"})

_NAME_PATTERN: Final = rf"{_NAME_WORD}(?:[ ]{_NAME_WORD}){{1,3}}"
_BYLINE_PATTERN: Final = re.compile(
    rf"(?:By|BY)[ ]{_NAME_PATTERN}(?:,?[ ](?:and|AND)[ ]{_NAME_PATTERN}|,[ ]{_NAME_PATTERN}){{0,3}}"
)
_WRITER_LINE: Final = re.compile(
    rf"(?:{_NAME_WORD}[ ]){{0,4}}(?:Correspondent|Editor|Reporter|Writer|WRITER)s?"
    r"|Special to .{1,40}|(?:The )?Associated Press"
)
_END_LINE: Final = re.compile(
    r"""MORE|ENDS?|\#{2,}|nn|nnnn|NNNN
    |[-–—]{1,3}\s?(?:[Ee]nds?|ENDS?|[Mm]ore|MORE|30)\s?[-–—]{1,3}
    |(?:Eds|EDS|Editors?|EDITORS?|Editor['’]s\ [Nn]ote|EDITOR['’]S\ NOTE)(?::|\ --?\ ).*
    |\((?:Adds|Corrects|Recasts|Refiles|Repeats|Updates)\b[^()]*\)
    |(?:(?:Media|News|Press)\ )?(?:[Cc]ontacts?|CONTACTS?):.*
    |For\ (?:more|further)\ information,?\ (?:please\ )?(?:call|contact|visit|write)\b.*
    |(?:E-?mail|Fax|Phone|Tel)[.:].*
    |(?:Additional\ reporting|Editing|Reporting|Writing)\ by\b.*
    |On\ the\ Net:.*
    |(?:Copyright\b|\([cC]\)|©).*\d{4}.*""",
    re.VERBOSE,
)
_MENU_LINE: Final = re.compile(
    r"(?:Related|Recommended|Most (?:[Rr]ead|[Pp]opular)|Read (?:[Mm]ore|[Nn]ext)|See [Aa]lso"
    r"|Trending|More on|You may also like|Share|Watch|Tags|Topics)\b[\w ]{0,20}:.*"
)
_CONTACT_LINE: Final = re.compile(r".{1,60}\bcan be reached (?:at|by|on)\b.*(?:@|\d{3}).*")
_EDITOR_NOTE: Final = re.compile(
    r"""[(\[](?:MORE|ENDS?
    |(?:STORY\ CAN\ END\ HERE|(?:BEGIN\ |END\ )?OPTIONAL|Optional\ (?:add|trim))\b[^()\[\]]{0,300}
    |(?:Eds|EDS|Editors?|EDITORS?|Editor['’]s\ [Nn]ote|EDITOR['’]S\ NOTE)[.:][^()\[\]]{0,600}
    |(?:Additional\ reporting|Editing|Reporting|Writing)\ by\b[^()\[\]]{0,300}
    )[)\]]""",
    re.VERBOSE,
)
_CLOSING_TEXT: Final = re.compile(
    r"""(?<=[.!?"'”’)])\s++
    (?:ENDS?|\#{2,}|[-–—]{1,3}\s?(?:[Ee]nds?|ENDS?|30)\s?[-–—]{1,3})\s*+\Z""",
    re.VERBOSE,
)
_MAX_LINE_LENGTH: Final = 300
_MAX_DATELINE_LENGTH: Final = 200
_MAX_CLOSING_LENGTH: Final = 40
_MIN_CITY_LETTERS: Final = 4


def strip_boilerplate(text: str) -> str:
    """Remove datelines, bylines, cues, editors' notes and contact lines.

    Removed lines become blank, so that paragraphs stay separate.

    Examples
    --------
    >>> strip_boilerplate("PORT LISLE, April 12 (HNS) - Rain fell. (MORE)")
    'Rain fell.'
    >>> strip_boilerplate("NATO - The alliance met on Monday.")
    'NATO - The alliance met on Monday.'
    """
    text = _without_closing_text(_without_notes(text))
    lines: list[str] = []
    after_byline = False
    opens_story = True
    for line in text.splitlines(keepends=True):
        content = line.strip()
        is_byline = content[:2] in ("By", "BY") and _is_byline(content)
        if (
            is_byline
            or _is_boilerplate_line(content)
            or (after_byline and _WRITER_LINE.fullmatch(content))
        ):
            lines += ["\n"] if lines and line.endswith("\n") else []
            opens_story = True
        else:
            lines.append(line[_dateline_end(line, opens_story=opens_story) :])
            opens_story = opens_story and content == ""
        after_byline = is_byline
    return "".join(lines)


def _without_notes(text: str) -> str:
    if "(" not in text and "[" not in text:
        return text
    *before, last = _EDITOR_NOTE.split(text)
    return "".join(piece.rstrip(" \t") for piece in before) + last


def _without_closing_text(text: str) -> str:
    closing_text = _CLOSING_TEXT.search(text, max(0, len(text.rstrip()) - _MAX_CLOSING_LENGTH))
    return text[: closing_text.start()] if closing_text else text


def _is_boilerplate_line(content: str) -> bool:
    """Recognize marks of the end, contact lines and menus."""
    if len(content) > _MAX_LINE_LENGTH:
        return False
    return bool(
        _END_LINE.fullmatch(content)
        or (":" in content and _MENU_LINE.fullmatch(content))
        or ("can be reached" in content and _CONTACT_LINE.fullmatch(content))
    )


def _is_byline(content: str) -> bool:
    if len(content) > _MAX_LINE_LENGTH or not _BYLINE_PATTERN.fullmatch(content):
        return False
    english_lexicon = lexicon("en")
    words = content.lower().split()[1:]
    excluded_words = english_lexicon.calendar | english_lexicon.starters - {"and"}
    return excluded_words.isdisjoint(words) and not words[-1].endswith(".")


def _dateline_end(line: str, *, opens_story: bool) -> int:
    """Return the position after the datelines of a line, 0 if there are none."""
    if stamp := _STAMP_PATTERN.match(line):
        return stamp.end()
    position = 0
    while match := _DATELINE_PATTERN.match(line, position, position + _MAX_DATELINE_LENGTH):
        if not _is_dateline(match, opens_story=opens_story):
            break
        position = match.end("dash")
    if tag := _AGENCY_TAG.match(line, position):
        return tag.end()
    if opens_story and not position and ("(" in line or "/" in line or not line.isascii()):
        other_match = _OTHER_DATELINE.match(line, 0, _MAX_DATELINE_LENGTH)
        return other_match.end() if other_match else 0
    return position


def _is_dateline(match: re.Match[str], *, opens_story: bool) -> bool:
    if not match["opens"] and match.end("dash") < len(match.string):
        return False
    city, regions, agency = match["place"] or "", match["regions"], match["agency"]
    is_in_capitals = city == city.upper() and sum(map(str.isalpha, city)) >= _MIN_CITY_LETTERS
    if agency:
        if agency in _AGENCIES:
            return True
        return agency not in _EXCHANGES and (is_in_capitals or bool(match["date"]))
    if not is_in_capitals:
        return False
    if match["date"] or "_" in match["dash"]:
        return True
    if regions:
        return all(map(_is_region, regions.removeprefix(", ").split(", ")))
    if city in _dateline_names()["cities"]:
        return True
    is_dash_of_story = opens_story and match["dash"].strip() != "-"
    return is_dash_of_story and _dateline_names()["no_places"].isdisjoint(city.split())


def _is_region(name: str) -> bool:
    if lexicon("en").abbreviations.get(name.rstrip(".")) is Kind.PLACE:
        return True
    return name.upper() in _dateline_names()["regions"]


@cache
def _dateline_names() -> dict[str, frozenset[str]]:
    tables = tomllib.loads((files(__package__) / "data" / "datelines.toml").read_text("utf-8"))
    return {
        name: frozenset(" ".join(entry.split()).upper() for entry in text.split(","))
        for name, text in tables.items()
    }
