"""Words: tokens, stop words, stems, and limits counted in words or bytes."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain, islice
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

from pyramidion import kernels
from pyramidion.errors import InputError, MissingExtraError, NotFoundError

Tokenizer = Literal["rouge", "unicode"]
"""The names of the tokenizers."""


def tokenize(text: str | bytes, tokenizer: Tokenizer = "rouge") -> list[str]:
    """Split a text into lower-cased words.

    Parameters
    ----------
    text
        The text; ``rouge`` takes any bytes, ``unicode`` decodes bytes as UTF-8.
    tokenizer
        ``rouge`` or ``unicode``.

    Raises
    ------
    NotFoundError
        If the tokenizer is unknown.
    InputError
        If the text is not a string or bytes, or bytes for ``unicode`` are not UTF-8.

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
    return _find_tokenizer(tokenizer)(text)


def has_unspaced(text: str) -> bool:
    """Return whether a text has letters of a script without spaces between words."""
    return not text.isascii() and _patterns().unspaced.search(text) is not None


def is_unspaced(word: str) -> bool:
    """Return whether a word is a character of a script without spaces between words."""
    return word > "\x7f" and _patterns().unspaced.match(word) is not None


def separates_words(character: str) -> bool:
    """Return whether a character separates words."""
    return _FOLDED_CHARACTERS[ord(character)] == " "


def _find_tokenizer(name: str) -> Callable[[str | bytes], list[str]]:
    try:
        return TOKENIZERS[name]
    except (KeyError, TypeError):
        names = " or ".join(TOKENIZERS)
        raise NotFoundError(f"unknown tokenizer `{name}`", hint=f"use {names}") from None


def _unicode_tokens(text: str | bytes) -> list[str]:
    if isinstance(text, bytes):
        text = _decode(text)
    if text.isascii():
        return kernels.rouge_tokens(text)
    try:
        if b"\xad" not in text.encode("latin-1"):  # a soft hyphen does not divide
            return _LATIN_WORD.findall(text.casefold())
    except UnicodeEncodeError:
        pass
    folded_text = unicodedata.normalize("NFC", text).translate(_FOLDED_CHARACTERS)
    # Folding can leave a letter next to a mark that composes with it.
    folded_text = unicodedata.normalize("NFC", folded_text)
    patterns = _patterns()
    folded_text = patterns.stray_marks.sub(" ", f" {folded_text}")
    if patterns.unspaced.search(folded_text):
        return patterns.word.findall(folded_text)
    return folded_text.split()


def _decode(text: bytes) -> str:
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            f"a text is not UTF-8: byte 0x{text[error.start]:02x} at position {error.start}",
            hint="decode it first, or use the rouge tokenizer, which accepts any bytes",
        ) from None


TOKENIZERS: dict[str, Callable[[str | bytes], list[str]]] = {
    "rouge": kernels.rouge_tokens,
    "unicode": _unicode_tokens,
}
"""The tokenizers by name."""

_LATIN_WORD = re.compile(r"[^\W_]+")
# Scripts whose characters are tokens: first and last code points of their blocks, ascending.
_UNSPACED_RANGES = (
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
_HIGHER_CHARACTERS = "\U00010000-\U0001ffff"
# Letters according to Unicode, but punctuation or decoration to readers.
_APOSTROPHES = "\u02bb\u02bc"
_TATWEEL_CHARACTER = "\u0640"
_ZERO_WIDTH_SPACE = "\u200b"
_VARIANT_FORM_TAGS = ("<wide>", "<narrow>", "<initial>", "<medial>", "<final>", "<isolated>")


def _fold_character(character: str) -> str:
    """Return the folded character, a space, or nothing."""
    if character == "İ":
        return "i"
    if character in _APOSTROPHES or character == _ZERO_WIDTH_SPACE:
        return " "
    category = unicodedata.category(character)
    if (
        category in ("Cf", "Me")
        or character == _TATWEEL_CHARACTER
        or _is_variation_selector(character)
    ):
        return ""
    if category == "Nd":
        return str(unicodedata.decimal(character))
    if unicodedata.decomposition(character).startswith(_VARIANT_FORM_TAGS):
        return _fold_each(unicodedata.normalize("NFKC", character))
    if category[0] not in "LMN":
        return " "
    folded_character = character.casefold()
    return folded_character if folded_character == character else _fold_each(folded_character)


def _fold_each(text: str) -> str:
    return "".join(map(_fold_character, text))


def _is_variation_selector(character: str) -> bool:
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


class _FoldedCharacters(dict[int, str]):
    """A cache of :func:`_fold_character`."""

    def __missing__(self, code: int) -> str:
        self[code] = folded_character = _fold_character(chr(code))
        return folded_character


_FOLDED_CHARACTERS = _FoldedCharacters()


class _Patterns(NamedTuple):
    """Patterns for folded text, which has only letters, digits, marks and spaces."""

    stray_marks: re.Pattern[str]
    unspaced: re.Pattern[str]
    word: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    marks = {code for code in range(0x20000) if unicodedata.category(chr(code)) in ("Mn", "Mc")}
    low_marks = _character_class(code for code in marks if code < 0x10000)
    high_marks = _character_class(code for code in marks if code >= 0x10000)
    # A character class is fast for the first plane only, hence the look-ahead.
    mark = f"(?:[{low_marks}]|(?=[{_HIGHER_CHARACTERS}])[{high_marks}])"
    blocks = chain.from_iterable(range(first, last + 1) for first, last in _UNSPACED_RANGES)
    unspaced = _character_class(code for code in blocks if code not in marks) + _UNSPACED_BEYOND_BMP
    return _Patterns(
        stray_marks=re.compile(f" {mark}+"),
        unspaced=re.compile(f"[{unspaced}]"),
        word=re.compile(f"[{unspaced}]{mark}*|[^ {unspaced}]+"),
    )


def _character_class(codes: Iterable[int]) -> str:
    """Write code points as the ranges of a character class."""
    ranges: list[list[int]] = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)


STOP_WORDS: frozenset[str]
"""The words of the stop list, read from its file on first use.

Like ROUGE's, the file has 598 lines with 596 different words (``may`` and ``would`` occur twice).
53 of them contain an apostrophe or a full stop and never match a token.
"""


def is_stop_word(word: str) -> bool:
    """Return whether a word is on the stop list, ignoring case.

    Examples
    --------
    >>> is_stop_word("The"), is_stop_word("reuters"), is_stop_word("pyramid")
    (True, True, False)
    """
    return word.lower() in stop_words()


@cache
def stop_words() -> frozenset[str]:
    """Return the English stop list."""
    path = Path(__file__).parent / "data" / "stopwords-598.txt"
    return frozenset(path.read_text(encoding="ascii").splitlines())


def __getattr__(name: str) -> frozenset[str]:
    if name == "STOP_WORDS":
        return stop_words()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


_WORD_PATTERN = re.compile(r"\S+", re.ASCII)


def count_words(text: str) -> int:
    """Count the words of a text, separated by white space.

    Examples
    --------
    >>> count_words("It reopened - after 14 months - in mid-2027.")
    9
    """
    return sum(1 for _ in _WORD_PATTERN.finditer(text))


def truncate_words(text: str, limit: int = 100) -> str:
    r"""Truncate a text to a number of words, keeping its white space.

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
    last_match = next(islice(_WORD_PATTERN.finditer(text), limit - 1, None), None)
    if last_match is None or not _WORD_PATTERN.search(text, last_match.end()):
        return text
    return text[: last_match.end()]


def truncate_sentences(sentences: Iterable[str], limit: int = 100) -> list[str]:
    """Truncate a text, given as sentences, to a number of words in all.

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
    shortened_sentences = []
    for sentence in sentences:
        if limit == 0:
            break
        shortened_sentences.append(truncate_words(sentence, limit))
        limit -= min(limit, count_words(sentence))
    return shortened_sentences


def _require_limit(limit: int) -> None:
    if limit < 0:
        raise InputError(f"a limit of {limit} words", hint="give a number of at least 0")


def stem(word: str, *, exceptions: bool = True) -> str:
    """Stem an English word as ROUGE-1.5.5 does.

    Words of up to three characters are not stemmed. Irregular forms in WordNet's tables become
    their base form, which is not stemmed again; other words are stemmed by the Porter variant of
    :mod:`pyramidion.kernels.porter`. So an irregular plural may not match its singular: ``geese``
    becomes ``goose``, but ``goose`` becomes ``goos``.

    Parameters
    ----------
    word
        A word; it is lower-cased.
    exceptions
        Whether to look up irregular forms. Many installations of the Perl script have an empty
        table; use False to match them.

    Examples
    --------
    >>> stem("professional"), stem("geese"), stem("ran")
    ('profess', 'goose', 'ran')
    >>> stem("geese", exceptions=False)
    'gees'
    """
    return lexicon(exceptions=exceptions).stem(word.lower())


def words(
    text: str | bytes,
    *,
    tokenizer: Tokenizer = "rouge",
    stem: bool = False,
    stop_words: bool = False,
    exceptions: bool = True,
) -> list[str]:
    """Split a text into words, optionally without stop words and stemmed.

    Parameters
    ----------
    text
        The text.
    tokenizer
        See :func:`~pyramidion.text.tokenize`.
    stem
        Whether words are stemmed, see :func:`~pyramidion.text.stem`.
    stop_words
        Whether stop words are dropped.
    exceptions
        Whether the stemmer looks up irregular forms.

    Examples
    --------
    >>> words("The geese were flying South.", stem=True, stop_words=True)
    ['goose', 'fly', 'south']
    """
    tokens = tokenize(text, tokenizer)
    word_lexicon = lexicon(exceptions=exceptions)
    if stop_words:
        tokens = [word for word in tokens if not word_lexicon.is_stop_word(word)]
    return [word_lexicon.stem(word) for word in tokens] if stem else tokens


@cache
def lexicon(
    *, exceptions: bool = True, nltk: bool = False, language: str = "en"
) -> kernels.Lexicon:
    """Return stop words, irregular forms and a stemmer: ROUGE-1.5.5's, or NLTK's."""
    # For languages other than English there are only stop words.
    if language != "en":
        from pyramidion.text.languages import stop_list

        return kernels.Lexicon({}, stop_list(language))
    if nltk:
        return kernels.Lexicon(_NLTK_FORMS, stop_words(), nltk=True)
    table = _irregular_forms() if exceptions else {}
    return kernels.Lexicon(table, stop_words())


#: NLTK's irregular forms, without ``sky``, which is too short to be stemmed here.
# fmt: off
_NLTK_FORMS = {
    "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}
# fmt: on


def _irregular_forms() -> dict[str, str]:
    path = Path(__file__).parent / "data" / "stem-exceptions.tsv"
    rows = path.read_text(encoding="ascii").splitlines()
    return {form: base for form, _, base in (row.partition("\t") for row in rows)}


Stemmer = Callable[[str], str]
"""A function that returns the stem of a word."""

#: Snowball's names of the languages it stems.
# fmt: off
_SNOWBALL_LANGUAGES = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi",
    "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian",
    "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}
# fmt: on
_CODE_BY_LANGUAGE = {
    **{name: code for code, name in _SNOWBALL_LANGUAGES.items()},
    "nb": "no",
    "nn": "no",
}


@lru_cache(maxsize=256)
def language_code(language: str) -> str:
    """Return the code of a language given as a code, a locale or an English name."""
    code = re.split("[-_]", language.strip().lower())[0]
    code = _CODE_BY_LANGUAGE.get(code, code)
    if not re.fullmatch("[a-z]{2,3}", code):
        raise InputError(f"{language!r} is not a language", hint="use a code such as de")
    return code


def stemmer_for(stem: bool | str | Stemmer, language: str | None) -> bool | str | Stemmer:
    """Return the stemmer to use, with Snowball's as a function."""
    is_english = language is None or language_code(language) == "en"
    if stem == "snowball" or (stem is True and not is_english):
        return snowball(language or "en")
    return True if stem == "rouge" else stem


@cache
def snowball(language: str) -> Stemmer:
    """Return Snowball's stemmer of a language, with a cache."""
    try:
        import snowballstemmer
    except ImportError:
        raise MissingExtraError("Snowball's stemmers", extra="languages") from None
    name = _SNOWBALL_LANGUAGES.get(language_code(language), "")
    if name not in snowballstemmer.algorithms():
        hint = f"use one of {', '.join(_SNOWBALL_LANGUAGES)}, or give a function"
        raise NotFoundError(f"there is no stemmer for {language!r}", hint=hint)
    stemmer, lock = snowballstemmer.stemmer(name), Lock()

    @lru_cache(maxsize=1 << 16)
    def stem(word: str) -> str:
        with lock:  # the stemmer has state
            return str(stemmer.stemWord(word))

    return stem


def has_stemmer(language: str) -> bool:
    """Return whether words of a language can be stemmed."""
    try:
        return language == "en" or snowball(language) is not None
    except (MissingExtraError, NotFoundError):
        return False
