"""How the words of an input are found, unless somebody says how."""

import re
from collections.abc import Iterable, Sequence

from pyramidion.text import is_stop_word, tokenize
from pyramidion.text._encoding import Reading

__all__ = ["reading_for"]

_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
#: English has fewer letters beyond ASCII among its characters; French, Spanish and German more.
_OTHER_LETTERS = 0.008
#: More than so many of the words of English are on its stop list; fewer of French or Spanish.
_STOP_WORDS = 0.25
#: How much of each text is looked at for that.
_LOOKED_AT = 2000


def reading_for(
    texts: Iterable[str], language: str | None = None
) -> tuple[Reading, tuple[str, ...]]:
    """Choose how words are found, and say so where it is not the way for English.

    English is stemmed and its stop words are left out. For other languages there is neither a
    stemmer nor a stop list: words are found in any script and all of them count.

    Parameters
    ----------
    texts
        The documents.
    language
        Code of their language. Where it is not given, texts with too many letters beyond ASCII
        and too few English stop words are not taken for English.

    Examples
    --------
    >>> reading_for(["Rain fell."])
    (Reading(stem=True, stop_words=True, tokenizer='rouge'), ())
    >>> reading_for(["Erdoğan met İmamoğlu."], "en")[0].stem
    True
    >>> reading_for(["Шёл дождь."])[1]
    ('the text is not English: words of any script, no stop list, no stemming',)
    """
    if language and not language.lower().startswith("en"):
        reason = f"the language is {language}"
    elif not language and _is_foreign(list(texts)):
        reason = "the text is not English"
    else:
        return Reading(stem=True, stop_words=True), ()
    note = f"{reason}: words of any script, no stop list, no stemming"
    return Reading(stem=False, stop_words=False, tokenizer="unicode"), (note,)


def _is_foreign(texts: Sequence[str]) -> bool:
    most = _OTHER_LETTERS * sum(map(len, texts))
    # Few texts have so many characters beyond ASCII that it matters which are letters.
    if sum(len(text) - len(text.encode("ascii", "ignore")) for text in texts) <= most:
        return False
    others = (found for text in texts for found in _BEYOND_ASCII.findall(text))
    beyond = sum(sum(map(str.isalpha, found)) for found in others)
    return beyond > most and not _has_english_words(texts)


def _has_english_words(texts: Sequence[str]) -> bool:
    """Tell English with many foreign names from other languages: by its small words."""
    words = [word for text in texts for word in tokenize(text[:_LOOKED_AT], "unicode")]
    return sum(map(is_stop_word, words)) > _STOP_WORDS * len(words)
