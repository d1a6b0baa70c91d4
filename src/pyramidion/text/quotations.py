"""Quoted passages of articles, with any kind of marks and across sentences."""

import re
from collections.abc import Iterable
from typing import Final

from pyramidion.text.parsing import Key, ParsedSentence

_OPENING_MARKS: Final = frozenset({"“", "„", "«", "<<", "``", "‹", "「", "『"})
_CLOSING_MARKS: Final = frozenset({"”", "»", ">>", "›", "」", "』"})
_MARK_PATTERN: Final = re.compile(
    r"``|''|<<|>>|[\"“”„«»‹›「」『』‟＂]|(?<!\w)['‘‚`’](?=\w)|['’](?!\w)"
)
#: Words and years that begin with an apostrophe: *'em*, *the '90s*.
_CLIPPED_WORD: Final = re.compile(
    r"['‘’`](?:\d|(?:em|n|tis|twas|til|cause|bout|s|re|ll|ve|t|d|m)\b)", re.I
)
_SINGLE_MARKS: Final = frozenset("'‘’‚`")

#: Offsets of the quoted parts of a sentence.
Spans = tuple[tuple[int, int], ...]


class Quotations:
    """The quoted parts of sentences; a quotation stays open until a mark closes it."""

    def __init__(self, sentences: Iterable[ParsedSentence]) -> None:
        self._spans: dict[Key, Spans] = {}
        document, state = None, _State()
        for sentence in sentences:
            if sentence.document != document:
                document, state = sentence.document, _State()
            self._spans[sentence.key] = state.read(sentence.text)

    def touch(self, sentence: ParsedSentence, start: int, end: int) -> bool:
        """Return whether a part of a sentence is quoted."""
        spans = self._spans.get(sentence.key)
        if spans is None:
            spans = _State().read(sentence.text)
        return any(start < last and first < end for first, last in spans)


class _State:
    """Which quotations of a document are open."""

    def __init__(self) -> None:
        self._double = self._single = False

    def read(self, text: str) -> Spans:
        """Find the quoted parts of the next sentence."""
        spans: list[tuple[int, int]] = []
        double, single_quote = (0 if self._double else -1), (0 if self._single else -1)
        for mark in _MARK_PATTERN.finditer(text):
            if mark.group() in _SINGLE_MARKS:
                single_quote = self._single_mark(text, mark, single_quote, spans)
            elif _opens(text, mark, is_open=double >= 0):
                double = mark.start() if double < 0 else double
            else:
                # Without an opening mark, everything before it may be quoted.
                spans.append((max(double, 0), mark.end()))
                double = -1
        spans += [(start, len(text)) for start in (double, single_quote) if start >= 0]
        self._double, self._single = double >= 0, single_quote >= 0
        return tuple(spans)

    def _single_mark(
        self, text: str, mark: re.Match[str], start: int, spans: list[tuple[int, int]]
    ) -> int:
        """Read a mark that may be an apostrophe; return where the open quotation began, or -1."""
        if _CLIPPED_WORD.match(text, mark.start()) or (mark.group() in "`‚" and start >= 0):
            return start
        before, after = text[: mark.start()][-1:], text[mark.end() :][:1]
        if start < 0:
            return mark.start() if after.isalnum() and not before.isalnum() else -1
        if before == "s" and mark.group() == "'" and "'" in text[mark.end() :]:
            # *The boys' house*: a later mark may close the quotation.
            return start
        if before and not before.isspace():
            spans.append((start, mark.end()))
            return -1
        return start


def _opens(text: str, mark: re.Match[str], *, is_open: bool) -> bool:
    """Return whether a mark opens a quotation: by its form, by the spaces around it, or in turn."""
    if mark.group() in _OPENING_MARKS:
        return mark.group() != "“" or not _after_low(text, mark.start())
    if mark.group() in _CLOSING_MARKS:
        return False
    before, after = text[: mark.start()][-1:], text[mark.end() :][:1]
    # At the ends of the text, both are empty, and in any text.
    left, right = before in " \t\n([—–-/", after in " \t\n.,;:!?)]—–-/"
    if left == right:
        return not is_open
    return left


def _after_low(text: str, position: int) -> bool:
    """Return whether *“* closes what *„* opened."""
    return "„" in text[:position] and "“" not in text[text.rindex("„", 0, position) : position]
