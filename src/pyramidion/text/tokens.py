"""From a text to its words, by one of two tokenizers.

``rouge``
    The words of ROUGE-1.5.5, byte for byte: ``A-Z`` become ``a-z``, and words are the longest
    runs of ``a-z`` and ``0-9``. Everything else separates, accented letters and all other
    scripts too; so it is the one to compare with published figures on English, and the wrong
    one for anything else.
``unicode``
    The words of any script. On ASCII text it gives exactly the words of ``rouge``. Beyond:

    - a word is a run of letters and digits with their combining marks (Devanagari vowel signs,
      Arabic and Hebrew points, accents); text is composed (NFC) first;
    - case is folded (``Straße`` = ``STRASSE``, final sigma = sigma; the Turkish dotted capital
      I becomes a plain i, no language is guessed);
    - Han, Hiragana, Katakana and Bopomofo are taken by character, and so are the scripts of
      South-East Asia that put no blanks between words (Thai, Lao, Khmer, Myanmar and the Tai
      scripts), each letter with its marks. Hangul, which has blanks, is taken by word;
    - decimal digits of all scripts become ``0-9``, full-width and half-width forms and Arabic
      presentation forms become plain ones;
    - apostrophes separate wherever they stand and however they are typed, as in ``rouge``:
      ``Korea's`` is ``korea`` and ``s``, ``l'homme`` is ``l`` and ``homme``. So do hyphens,
      decimal points, underscores, symbols and emoji;
    - what is invisible or decorative is ignored: soft hyphens, joiners, direction marks,
      variation selectors, tatweel. A zero-width space separates.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache
from itertools import chain
from typing import Literal, NamedTuple

from pyramidion import kernels
from pyramidion.errors import InputError, NotFoundError

__all__ = ["TOKENIZERS", "Tokenizer", "has_unspaced", "tokenize"]

Tokenizer = Literal["rouge", "unicode"]
"""The names of the tokenizers."""


def tokenize(text: str | bytes, tokenizer: Tokenizer = "rouge") -> list[str]:
    """Split a text into lower-cased words.

    Parameters
    ----------
    text
        The text; bytes are taken as they are by ``rouge`` and as UTF-8 by ``unicode``.
    tokenizer
        ``rouge`` or ``unicode``, see :mod:`pyramidion.text.tokens`.

    Returns
    -------
    list of str
        The words in their order.

    Raises
    ------
    NotFoundError
        If there is no such tokenizer.
    InputError
        If the text is not text, or bytes for ``unicode`` are not UTF-8.

    Examples
    --------
    >>> tokenize("O'Donnell's café: 3.75%")
    ['o', 'donnell', 's', 'caf', '3', '75']
    >>> tokenize("O’Donnell's café: 3.75%", "unicode")
    ['o', 'donnell', 's', 'café', '3', '75']
    >>> tokenize("東京の夏 2027年", tokenizer="unicode")
    ['東', '京', 'の', '夏', '2027', '年']
    """
    if not isinstance(text, str | bytes):
        raise InputError(
            f"a text is {type(text).__name__} instead of str or bytes",
            hint="give an empty text as an empty string",
        )
    return _find(tokenizer)(text)


def has_unspaced(text: str) -> bool:
    """Tell whether a text has letters of a script that puts no blanks between words.

    Parameters
    ----------
    text
        The text.

    Examples
    --------
    >>> has_unspaced("東京の夏"), has_unspaced("서울의 여름"), has_unspaced("Été")
    (True, False, False)
    """
    return not text.isascii() and _patterns().unspaced.search(text) is not None


def _find(name: str) -> Callable[[str | bytes], list[str]]:
    try:
        return TOKENIZERS[name]
    except (KeyError, TypeError):
        known = " or ".join(TOKENIZERS)
        raise NotFoundError(f"there is no tokenizer `{name}`", hint=f"use {known}") from None


def _unicode_tokens(text: str | bytes) -> list[str]:
    if isinstance(text, bytes):
        text = _decode(text)
    if text.isascii():
        return kernels.rouge_tokens(text)
    folded = unicodedata.normalize("NFC", text).translate(_FOLDED)
    # Folding can leave a letter beside a mark that composes with it.
    folded = unicodedata.normalize("NFC", folded)
    patterns = _patterns()
    folded = patterns.stray_marks.sub(" ", f" {folded}")
    if patterns.unspaced.search(folded):
        return patterns.word.findall(folded)
    return folded.split()


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"a text is not UTF-8: byte 0x{text[error.start]:02x} at position {error.start}",
            hint="decode it first, or use the tokenizer rouge, which takes any bytes",
        ) from None


TOKENIZERS: dict[str, Callable[[str | bytes], list[str]]] = {
    "rouge": kernels.rouge_tokens,
    "unicode": _unicode_tokens,
}
"""The tokenizers by name."""

# Scripts taken by character: first and last code point of their blocks, ascending.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x3005, 0x3007),  # Han: iteration mark, closing mark, zero
    (0x3021, 0x312F),  # Han numerals, Hiragana, Katakana, Bopomofo
    (0x31A0, 0x31FF),  # Bopomofo and Katakana extensions
    (0x3400, 0x4DBF),  # Han extension A
    (0x4E00, 0x9FFF),  # Han
    (0xA9E0, 0xA9FF),  # Myanmar extension B
    (0xAA60, 0xAADF),  # Myanmar extension A, Tai Viet
    (0xF900, 0xFAFF),  # Han compatibility
)
# Kana extensions, Han extensions B and later: letters only.
_UNSPACED_BEYOND_BMP = "\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
_BEYOND_BMP = "\U00010000-\U0001ffff"
# Letters to Unicode, but punctuation or decoration to readers.
_APOSTROPHES = "\u02bb\u02bc"
_TATWEEL = "\u0640"
_ZERO_WIDTH_SPACE = "\u200b"
_VARIANT_FORMS = ("<wide>", "<narrow>", "<initial>", "<medial>", "<final>", "<isolated>")


def _fold(character: str) -> str:
    """Return what a character contributes: itself folded, a blank, or nothing."""
    if character == "İ":
        return "i"
    if character in _APOSTROPHES or character == _ZERO_WIDTH_SPACE:
        return " "
    category = unicodedata.category(character)
    if category in ("Cf", "Me") or character == _TATWEEL or _is_variation_selector(character):
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if unicodedata.decomposition(character).startswith(_VARIANT_FORMS):
        return _fold_each(unicodedata.normalize("NFKC", character))
    if category[0] not in "LMN":
        return " "
    small = character.casefold()
    return small if small == character else _fold_each(small)


def _fold_each(text: str) -> str:
    return "".join(map(_fold, text))


def _is_variation_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


class _FoldedCharacters(dict[int, str]):
    """What :func:`_fold` says of each character, asked once."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


_FOLDED = _FoldedCharacters()


class _Patterns(NamedTuple):
    """Patterns for folded text, which has only letters, digits, marks and blanks."""

    stray_marks: re.Pattern[str]
    unspaced: re.Pattern[str]
    word: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    marks = set(filter(_is_mark, range(0x20000)))
    low = _character_class(code for code in marks if code < 0x10000)
    high = _character_class(code for code in marks if code >= 0x10000)
    # A class is quick for the first plane only; the look-ahead spares the rest of it.
    mark = f"(?:[{low}]|(?=[{_BEYOND_BMP}])[{high}])"
    blocks = chain.from_iterable(range(first, last + 1) for first, last in _UNSPACED)
    unspaced = _character_class(code for code in blocks if code not in marks) + _UNSPACED_BEYOND_BMP
    return _Patterns(
        stray_marks=re.compile(f" {mark}+"),
        unspaced=re.compile(f"[{unspaced}]"),
        word=re.compile(f"[{unspaced}]{mark}*|[^ {unspaced}]+"),
    )


def _is_mark(code: int) -> bool:
    return unicodedata.category(chr(code)) in ("Mn", "Mc")


def _character_class(codes: Iterable[int]) -> str:
    """Write code points as the ranges of a regular expression's class."""
    ranges: list[list[int]] = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
