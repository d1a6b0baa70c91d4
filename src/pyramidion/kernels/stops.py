"""Sentence splitting: finds the marks of a text and calls a judge for each.

This is the readable specification of the compiled class of the same name, and the fallback if
nothing was compiled. The compiled class decides clear cases without the judge: outside brackets, a
full stop after a word and before a capital ends a sentence; a full stop after a title does not,
nor one after an abbreviation and before a lower-case letter or a digit, nor any mark within a word.
"""

from collections.abc import Callable, Sequence

__all__ = ["SentenceEndRule", "Span", "Stops"]

Span = tuple[int, int]

SentenceEndRule = Callable[[int, int, int], int]
"""Takes the start of a sentence, the position of a mark, and the end of the paragraph; returns
where reading continues, negated if no sentence ends there."""


class Stops:
    """The abbreviations of a language (1 for a title, 2 for a street or a name), and its marks."""

    __slots__ = ("_marks",)

    def __init__(self, abbreviations: dict[str, int], marks: str) -> None:
        self._marks = marks

    def split(
        self, text: str, paragraphs: Sequence[Span], *, caseless: bool, judge: SentenceEndRule
    ) -> list[Span]:
        """Return the sentences of paragraphs; `caseless` if the text has no capitals."""
        marks = [mark for mark in self._marks if mark in text]
        sentences = []
        for start, end in paragraphs:
            sentence_start = next_start = start
            for position in _mark_positions(marks, text, start, end - 1):
                if position < next_start:
                    continue
                end_code = judge(sentence_start, position, end)
                next_start = abs(end_code)
                if end_code > 0:
                    sentences.append((sentence_start, next_start))
                    sentence_start = next_start
                    while text[sentence_start].isspace():
                        sentence_start += 1
            sentences.append((sentence_start, end))
        return sentences


def _mark_positions(marks: Sequence[str], text: str, start: int, end: int) -> list[int]:
    """Find the marks, many times faster than a regular expression."""
    positions = []
    for mark in marks:
        position = text.find(mark, start, end)
        while position >= 0:
            positions.append(position)
            position = text.find(mark, position + 1, end)
    return positions if len(marks) == 1 else sorted(positions)
