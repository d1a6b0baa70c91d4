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
        document, state = None, _OpenQuotations()
        for sentence in sentences:
            if sentence.document != document:
                document, state = sentence.document, _OpenQuotations()
            self._spans[sentence.key] = state.read(sentence.text)

    def overlap(self, sentence: ParsedSentence, start: int, end: int) -> bool:
        """Return whether a part of a sentence is quoted."""
        spans = self._spans.get(sentence.key)
        if spans is None:
            spans = _OpenQuotations().read(sentence.text)
        return any(start < last and first < end for first, last in spans)


class _OpenQuotations:
    """Which quotations of a document are open."""

    def __init__(self) -> None:
        self._is_double_open = self._is_single_open = False

    def read(self, text: str) -> Spans:
        """Find the quoted parts of the next sentence."""
        spans: list[tuple[int, int]] = []
        double_start, single_start = (
            (0 if self._is_double_open else -1),
            (0 if self._is_single_open else -1),
        )
        for mark in _MARK_PATTERN.finditer(text):
            if mark.group() in _SINGLE_MARKS:
                single_start = self._read_single_mark(text, mark, single_start, spans)
            elif _opens(text, mark, is_open=double_start >= 0):
                double_start = mark.start() if double_start < 0 else double_start
            else:
                # Without an opening mark, everything before it may be quoted.
                spans.append((max(double_start, 0), mark.end()))
                double_start = -1
        spans += [(start, len(text)) for start in (double_start, single_start) if start >= 0]
        self._is_double_open, self._is_single_open = double_start >= 0, single_start >= 0
        return tuple(spans)

    def _read_single_mark(
        self, text: str, mark: re.Match[str], start: int, spans: list[tuple[int, int]]
    ) -> int:
        """Read a mark that may be an apostrophe; return where the open quotation began, or -1."""
        if _CLIPPED_WORD.match(text, mark.start()) or (mark.group() in "`‚" and start >= 0):
            return start
        character_before, character_after = text[: mark.start()][-1:], text[mark.end() :][:1]
        if start < 0:
            return (
                mark.start() if character_after.isalnum() and not character_before.isalnum() else -1
            )
        if character_before == "s" and mark.group() == "'" and "'" in text[mark.end() :]:
            # *The boys' house*: a later mark may close the quotation.
            return start
        if character_before and not character_before.isspace():
            spans.append((start, mark.end()))
            return -1
        return start


def _opens(text: str, mark: re.Match[str], *, is_open: bool) -> bool:
    """Return whether a mark opens a quotation, by its form, the spaces around it, or in turn."""
    if mark.group() in _OPENING_MARKS:
        return mark.group() != "“" or not _closes_low_mark(text, mark.start())
    if mark.group() in _CLOSING_MARKS:
        return False
    character_before, character_after = text[: mark.start()][-1:], text[mark.end() :][:1]
    # At the ends of the text, both are empty, and in any text.
    has_space_before = character_before in " \t\n([—–-/"
    has_space_after = character_after in " \t\n.,;:!?)]—–-/"
    if has_space_before == has_space_after:
        return not is_open
    return has_space_before


def _closes_low_mark(text: str, position: int) -> bool:
    """Return whether *“* closes what *„* opened."""
    return "„" in text[:position] and "“" not in text[text.rindex("„", 0, position) : position]
