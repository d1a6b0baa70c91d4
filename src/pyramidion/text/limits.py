"""Limits in words, as NIST counted them: what stands between white space is a word.

So ``mid-2027`` is one word, and so is a dash with blanks round it. White space is what ASCII
has of it; text in scripts that are written without blanks needs another kind of limit.
"""

import re
from collections.abc import Iterable
from itertools import islice

from pyramidion.errors import InputError

__all__ = ["count_words", "truncate_sentences", "truncate_words"]

_WORD = re.compile(r"\S+", re.ASCII)


def count_words(text: str) -> int:
    """Count the words of a text.

    Parameters
    ----------
    text
        The text.

    Returns
    -------
    int
        How many words stand between white space.

    Examples
    --------
    >>> count_words("It reopened - after 14 months - in mid-2027.")
    9
    """
    return sum(1 for _ in _WORD.finditer(text))


def truncate_words(text: str, limit: int = 100) -> str:
    r"""Cut a text after so many words.

    Parameters
    ----------
    text
        The text.
    limit
        How many words may stay.

    Returns
    -------
    str
        The text up to the end of the last word that stays, with its white space; the whole
        text if it is within the limit.

    Raises
    ------
    InputError
        If the limit is negative.

    Examples
    --------
    >>> truncate_words("One  two\nthree four.", limit=3)
    'One  two\nthree'
    """
    _require_limit(limit)
    if limit == 0:
        return ""
    last = next(islice(_WORD.finditer(text), limit - 1, None), None)
    if last is None or not _WORD.search(text, last.end()):
        return text
    return text[: last.end()]


def truncate_sentences(sentences: Iterable[str], limit: int = 100) -> list[str]:
    """Cut a text that is given as sentences after so many words.

    Parameters
    ----------
    sentences
        The sentences.
    limit
        How many words may stay in all.

    Returns
    -------
    list of str
        The sentences up to the one that reaches the limit, which is cut.

    Raises
    ------
    InputError
        If the limit is negative.

    Examples
    --------
    >>> truncate_sentences(["One two three.", "Four five six.", "Seven."], limit=5)
    ['One two three.', 'Four five']
    """
    _require_limit(limit)
    kept = []
    for sentence in sentences:
        if limit == 0:
            break
        kept.append(truncate_words(sentence, limit))
        limit -= min(limit, count_words(sentence))
    return kept


def _require_limit(limit: int) -> None:
    if limit < 0:
        raise InputError(f"a limit of {limit} words", hint="give a number from 0 on")
