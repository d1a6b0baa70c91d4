"""Language detection and stop lists."""

import re
import runpy
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path
from typing import Final

from pyramidion import kernels
from pyramidion.text.tokens import has_unspaced, is_unspaced, separates_words, stop_words, tokenize

#: The code of an unknown language.
UNKNOWN: Final = "und"
#: The languages that can be detected, by the script of most letters.
_LANGUAGES_BY_SCRIPT: Final = {
    "LATIN": "en de fr es it pt nl sv da nb fi pl cs sk ro hu tr hr ca et lt lv sl id vi",
    "CYRILLIC": "ru uk bg sr mk", "ARABIC": "ar fa ur", "DEVANAGARI": "hi mr ne",
    "ARMENIAN": "hy", "BENGALI": "bn", "CJK": "zh", "ETHIOPIC": "am", "GREEK": "el",
    "GUJARATI": "gu", "HANGUL": "ko", "HEBREW": "he", "HIRAGANA": "ja", "KATAKANA": "ja",
    "KANNADA": "kn", "KHMER": "km", "LAO": "lo", "MALAYALAM": "ml", "MYANMAR": "my",
    "SINHALA": "si", "TAMIL": "ta", "TELUGU": "te", "THAI": "th",
}  # fmt: skip
_LANGUAGE_NAMES: Final = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew",
    "hi": "Hindi", "hu": "Hungarian", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish",
    "uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip
#: Languages written without spaces and without marks at the end of sentences.
UNDIVIDED_LANGUAGES: Final = frozenset({"km", "lo", "my", "th"})

#: The number of texts sampled, of characters sampled at least from each, and from all.
_MAX_TEXTS, _MIN_CHARACTERS_EACH, _SAMPLE_CHARACTERS = 4, 200, 1000
#: The share of stop words in English text is larger.
_MIN_ENGLISH_SHARE: Final = 0.35
#: Minimum share of another language's stop words, its lead over English, and minimum count.
_MIN_OTHER_SHARE, _MIN_LEAD, _MIN_WORDS = 0.2, 0.1, 2
#: The share of stop words in English text with many foreign names is larger.
_MIN_SURE_ENGLISH_SHARE: Final = 0.25
#: The share of non-ASCII letters is smaller in English, larger in French, Spanish and German.
_ACCENTED_SHARE: Final = 0.008
_ASCII_BYTES: Final = bytes(range(128))
_FUNCTION_CHARACTERS: Final = re.compile("[ぁ-ゟ的了着吗呢吧啊们]")


def language_name(code: str) -> str:
    """Return the English name of a language, or its code if the name is unknown."""
    return _LANGUAGE_NAMES.get(code, code)


def non_ascii_characters(texts: Iterable[str]) -> str:
    """Return the non-ASCII characters of texts."""
    encoded_parts = (text.encode("utf-8", "surrogatepass") for text in texts if not text.isascii())
    other_bytes = b"".join(part.translate(None, _ASCII_BYTES) for part in encoded_parts)
    return other_bytes.decode("utf-8", "surrogatepass")


def splitting_letters(texts: Iterable[str]) -> list[str]:
    """Return the letters of texts at which ROUGE's tokenizer splits words."""
    return [letter for letter in set(non_ascii_characters(texts)) if not separates_words(letter)]


# Frequent short words of languages in Latin script.
_FUNCTION_WORDS = {
    code: frozenset(words.split())
    for code, words in {
        "en": "the of and to in a is that for was on with as it by at from be this are were",
        "de": "der die das und ist nicht ein eine mit auf den dem des von wurde wurden sich auch",
        "nl": "het een van en niet met voor zijn op aan dat werd wordt ook door naar bij te",
        "fr": "le la les des et est une du dans que qui pour pas sur au aux avec plus sont",
        "es": "el la los las y en del que una por con para se su fue más como pero sus",
        "pt": "o os as e do da dos das em um uma que não para com foi mais pelo na no",
        "it": "il lo gli e di che non una per con del della sono è nel alla dei",
        "sv": "och att det som en på är av för inte med till den har ett",
        "da": "og at det som en på er af for ikke med til den har et blev",
        "no": "og at det som en på er av for ikke med til den har et ble",
        "fi": "ja on ei että se oli mutta kun ovat myös tai joka",
        "pl": "i w na z się nie że do jest przez od oraz",
        "cs": "a v na se je že do ale jako byl pro k",
        "hu": "a az és hogy nem egy is volt meg ezt",
        "ro": "și în cu pe nu este care din mai o",
        "tr": "ve bir bu için ile olarak çok daha",
        "id": "yang dan di itu dengan untuk dari pada tidak ini",
    }.items()
}
#: Words that occur only in English; one of them suffices for most texts.
_ENGLISH_ONLY = frozenset({"the", "and", "that", "with", "from", "this", "were", "been", "which"})
_INDICATIVE_WORDS = _ENGLISH_ONLY.union(*_FUNCTION_WORDS.values())
#: The number of characters used for the guess: of each text, and of all.
_MAX_TEXT_CHARACTERS, _MAX_CHARACTERS = 1_000, 200_000


def guess_language(texts: Iterable[str]) -> str:
    """Guess the language of texts in Latin script from short words; English if in doubt."""
    found_words: set[str] = set()
    n_characters_left = _MAX_CHARACTERS
    for text in texts:
        # The first lines usually suffice; their last word may be cut off.
        if not _ENGLISH_ONLY.isdisjoint(text[: _MAX_TEXT_CHARACTERS // 5].lower().split()[:-1]):
            return "en"
        words = _INDICATIVE_WORDS.intersection(text[:_MAX_TEXT_CHARACTERS].lower().split())
        if not _ENGLISH_ONLY.isdisjoint(words):
            return "en"
        found_words |= words
        n_characters_left -= len(text[:_MAX_TEXT_CHARACTERS]) + 1
        if n_characters_left <= 0:
            break
    n_hits = {code: len(found_words & words) for code, words in _FUNCTION_WORDS.items()}
    best_language = max(n_hits, key=n_hits.__getitem__)
    return best_language if n_hits[best_language] > 1 + n_hits["en"] else "en"


def detect_language(texts: Sequence[str]) -> str:
    """Detect the language of texts from script and stop words; English if in doubt."""
    first_texts = texts[:_MAX_TEXTS]
    sample = "\n".join(
        text[: max(_MIN_CHARACTERS_EACH, _SAMPLE_CHARACTERS // max(len(first_texts), 1))]
        for text in first_texts
    )
    n_accented = sum(map(str.isalpha, non_ascii_characters([sample])))
    is_plain = n_accented <= _ACCENTED_SHARE * len(sample)
    # A shortcut for most English texts: no other language has the word.
    if is_plain and (
        sample.count(" the ") > _MIN_WORDS
        or _stop_word_share(kernels.rouge_tokens(sample), stop_words()) > _MIN_ENGLISH_SHARE
    ):
        return "en"
    script = _main_script(sample)
    candidates = _LANGUAGES_BY_SCRIPT.get(script, "").split()
    if len(candidates) < 2:
        return candidates[0] if candidates else UNKNOWN if script else "en"
    words = tokenize(sample, "unicode")
    shares = _stop_word_shares(words, script)
    best_language = max(candidates, key=shares.__getitem__)
    if script != "LATIN":
        return best_language
    if not has_stop_lists():
        best_language = guess_language(first_texts)
        return best_language if best_language != "en" or is_plain else UNKNOWN
    # Headlines and names may contain a stop word by accident.
    if shares[best_language] > max(
        _MIN_OTHER_SHARE, shares["en"] + _MIN_LEAD, _MIN_WORDS / max(len(words), 1)
    ):
        return best_language
    return "en" if is_plain or shares["en"] > _MIN_SURE_ENGLISH_SHARE else UNKNOWN


def _stop_word_share(words: Sequence[str], listed_words: frozenset[str]) -> float:
    return sum(map(listed_words.__contains__, words)) / max(len(words), 1)


def _stop_word_shares(words: Sequence[str], script: str) -> dict[str, float]:
    """Return the share of stop words of each language of a script."""
    languages_by_word = _languages_of_stop_words(script)
    counts = Counter(chain.from_iterable(languages_by_word.get(word, ()) for word in words))
    return {
        code: counts[code] / max(len(words), 1) for code in _LANGUAGES_BY_SCRIPT[script].split()
    }


@cache
def _languages_of_stop_words(script: str) -> dict[str, list[str]]:
    languages_by_word: dict[str, list[str]] = {}
    for code in _LANGUAGES_BY_SCRIPT[script].split():
        for word in stop_list(code):
            languages_by_word.setdefault(word, []).append(code)
    return languages_by_word


@cache
def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]


def _main_script(text: str) -> str:
    if text.isascii():
        return "LATIN" if any(map(str.isalpha, text)) else ""
    letters = Counter(map(_script, filter(str.isalpha, text)))
    if not letters:
        return ""
    # Japanese also uses Chinese characters.
    script, count = letters.most_common(1)[0]
    n_kana = letters["HIRAGANA"] + letters["KATAKANA"]
    return "HIRAGANA" if script == "CJK" and 10 * n_kana > count else script


@cache
def stop_list(code: str) -> frozenset[str]:
    """Return spaCy's stop list of a language, tokenized."""
    if code == "en":
        return stop_words()
    if not code.isalpha():  # it becomes part of a path
        return frozenset()
    spacy = find_spec("spacy")
    folder = Path(spacy.origin or "").parent if spacy else None
    code = "nb" if code == "no" else code
    file = folder / "lang" / code / "stop_words.py" if folder else None
    if file is None or not file.is_file():
        return frozenset()
    # Importing spaCy would take a second.
    listed_words = runpy.run_path(str(file))["STOP_WORDS"]
    words = (tokenize(word, "unicode") for word in listed_words)
    return frozenset(
        "".join(tokens) for tokens in words if len(tokens) == 1 or has_unspaced("".join(tokens))
    )


@cache
def has_stop_lists() -> bool:
    """Return whether stop lists of languages other than English are installed."""
    return find_spec("spacy") is not None


def units_of(words: Sequence[str], stop_words: frozenset[str]) -> list[str]:
    """Replace characters of scripts without spaces by pairs of neighbors; keep other words.

    Pairs with Chinese or Japanese function characters, or of two stop words, are left out.
    """
    word_units = []
    for previous_word, word in pairwise(["", *words]):
        if not is_unspaced(word):
            word_units.append(word)
        elif is_unspaced(previous_word) and not _FUNCTION_CHARACTERS.search(previous_word + word):
            word_units += (
                [] if previous_word in stop_words and word in stop_words else [previous_word + word]
            )
    return word_units
