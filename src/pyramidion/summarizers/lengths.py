"""How long a sentence is, as a limit counts it: in words, or in characters without blanks.

Words are what stands between white space, as NIST counted them. Where no blanks are written
between words (Chinese, Japanese, Thai and others) that would count whole sentences: there each
character counts, as the tokenizer ``unicode`` reads it.
"""

import re
from collections.abc import Sequence

import numpy as np

from pyramidion._types import Ints
from pyramidion.text import count_words, tokenize, truncate_words
from pyramidion.text._tokens import has_unspaced

__all__ = ["cut_after", "length_of", "word_counts"]

_BLANK = 0x20
#: Which of the characters up to a blank are white space.
_IS_SPACE = np.array([byte in b" \t\n\r\f\v" for byte in range(_BLANK + 1)])
#: The first letter of a script without blanks, and the block of a thousand (hexadecimal) that has
#: the dashes and quotation marks of other scripts and no such letter.
_FIRST_UNSPACED = 0x0E00
_PUNCTUATION = 0x2
_CHUNK = re.compile(r"\S+", re.ASCII)


def length_of(text: str) -> int:
    """Count the words of a text, and the characters where a script has no blanks.

    Parameters
    ----------
    text
        The text.

    Examples
    --------
    >>> length_of("It reopened - after 14 months."), length_of("东京的夏天 in 2031 很热。")
    (6, 9)
    """
    if text.isascii() or not has_unspaced(text):
        return count_words(text)
    return sum(_length_of_chunk(found[0]) for found in _CHUNK.finditer(text))


def _length_of_chunk(chunk: str) -> int:
    return max(len(tokenize(chunk, "unicode")), 1) if has_unspaced(chunk) else 1


def word_counts(texts: Sequence[str]) -> Ints:
    """Count the words of texts as `length_of` does, many at a time.

    Parameters
    ----------
    texts
        The texts.

    Examples
    --------
    >>> word_counts(["It reopened - after 14 months.", "", "东京很热。"]).tolist()
    [6, 0, 4]
    """
    # Four bytes a character, so that places are those of the texts.
    joined = "\n".join(("", *texts, "")).encode("utf-32-le", "surrogatepass")
    found = np.frombuffer(joined, dtype="<u4")
    blanks = np.flatnonzero(found <= _BLANK)
    blanks = blanks[_IS_SPACE[found[blanks]]]
    begins = blanks[:-1][np.diff(blanks) > 1]
    ends = np.cumsum(np.fromiter(map(len, texts), np.int64, len(texts)) + 1)
    counts: Ints = np.diff(np.searchsorted(begins, ends), prepend=0)
    if len(found) > 2 and ((found >= _FIRST_UNSPACED) & (found >> 12 != _PUNCTUATION)).any():
        for number in (k for k, text in enumerate(texts) if has_unspaced(text)):
            counts[number] = length_of(texts[number])
    return counts


def cut_after(text: str, limit: int) -> str:
    """Cut a text after so many words, or characters, as `length_of` counts them.

    Parameters
    ----------
    text
        The text.
    limit
        How many may stay.

    Examples
    --------
    >>> cut_after("Heavy rain fell.", 2), cut_after("东京的夏天 in 2031 很热。", 8)
    ('Heavy rain', '东京的夏天 in 2031 很')
    """
    if text.isascii() or not has_unspaced(text):
        return truncate_words(text, limit)
    left, end = limit, 0
    for found in _CHUNK.finditer(text):
        own = _length_of_chunk(found[0])
        if own > left:
            return text[: found.start() + _longest(found[0], left)] if left else text[:end]
        left, end = left - own, found.end()
    return text


def _longest(chunk: str, limit: int) -> int:
    """Find how many signs of a chunk without blanks hold so many characters that count."""
    low, high = 0, len(chunk)
    while high - low > 1:
        middle = (low + high) // 2
        if len(tokenize(chunk[:middle], "unicode")) <= limit:
            low = middle
        else:
            high = middle
    return low
