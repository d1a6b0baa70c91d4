"""Quotation marks and brackets: what stands between them, and whether they balance."""

from collections import Counter
from collections.abc import Sequence

from pyramidion.text._parsing import ParsedWord

__all__ = ["balanced", "quoted_words"]

_OPENING = {"“": "”", "``": "''", "«": "»", "„": "“"}
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_MARKS = '"“”«»()[]{}'


def quoted_words(words: Sequence[ParsedWord]) -> list[bool]:
    """Tell of each word whether it stands between double quotation marks.

    Marks that are not closed go on to the end of the sentence.

    Parameters
    ----------
    words
        The words of a sentence.

    Examples
    --------
    >>> said = [ParsedWord(text, text, "X", 0, "dep") for text in '" Go " , he said'.split()]
    >>> quoted_words(said)
    [True, True, True, False, False, False]
    """
    found, closing = [], ""
    for word in words:
        inside = bool(closing)
        if closing and word.text == closing:
            closing = ""
        elif not closing and (word.text == '"' or word.text in _OPENING):
            closing, inside = _OPENING.get(word.text, '"'), True
        found.append(inside)
    return found


def balanced(text: str) -> bool:
    """Tell whether quotation marks and brackets of a text are closed.

    Parameters
    ----------
    text
        A sentence.

    Examples
    --------
    >>> balanced('He said "no" (twice).'), balanced('He said "no.')
    (True, False)
    """
    counts = Counter(character for character in text if character in _MARKS)
    open_: list[str] = []
    for character in text:
        if character in "([{":
            open_.append(character)
        elif character in _BRACKETS and (not open_ or open_.pop() != _BRACKETS[character]):
            return False
    straight = counts['"'] % 2 == 0
    return straight and not open_ and counts["“"] == counts["”"] and counts["«"] == counts["»"]
