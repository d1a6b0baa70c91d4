"""The Porter stemmer as implemented in ROUGE-1.5.5.

It follows the five steps of Porter (1980) [1]_ except for these points: ``bli`` becomes ``ble``
(not only ``abli``), ``logi`` becomes ``log``, and step 4 tries three groups of suffixes in turn,
each on the result of the previous one, so that suffixes cascade (``professional``,
``profession``, ``profess``). Every character except ``aeiou`` and a ``y`` after a consonant is a
consonant, including digits and non-ASCII letters.

NLTK's default mode, used by rouge-score, is the same stemmer with ten changes: 16 words are looked
up first (by a `Lexicon`); four-letter words in ``ies`` and ``ied`` keep their ``ie``; a final
``y`` changes after any consonant but the first letter; a doubled y becomes single; ``alli`` is
tried before the other suffixes of step 2, which are then tried on the result; ``fulli`` becomes
``ful``; the l of ``logi`` counts as part of its stem; step 4 tries a single group; and a vowel
followed by a consonant is short enough for an ``e``.

This is the readable specification of the compiled kernel of the same name, and the
fallback if nothing was compiled.

.. [1] M. F. Porter. An algorithm for suffix stripping. Program 14(3), 1980.
"""

__all__ = ["porter_stem"]


def porter_stem(word: str, nltk: bool = False) -> str:
    """Stem a lower-cased word; words of fewer than three characters are left unchanged."""
    if len(word) < 3:
        return word
    word = _step_1a_plural(word, nltk)
    word = _step_1b_past(word, nltk)
    word = _step_1c_final_y(word, nltk)
    word = _step_2(word, nltk)
    word = _replace(word, _STEP_3, min_measure=1)
    for group in (_NLTK_STEP_4,) if nltk else (_STEP_4A, _STEP_4B, _STEP_4C):
        word = _replace(word, group, min_measure=2)
    return _step_5(word, nltk)


def _shape(stem: str) -> str:
    """Return the pattern of consonants (c) and vowels (v) of a stem."""
    kinds: list[str] = []
    last_kind = "v"
    for letter in stem:
        is_vowel = letter in "aeiou" or (letter == "y" and last_kind == "c")
        last_kind = "v" if is_vowel else "c"
        kinds.append(last_kind)
    return "".join(kinds)


def _measure(stem: str) -> int:
    """Count the vowel-consonant sequences: Porter's m."""
    return _shape(stem).count("vc")


def _ends_short(stem: str, nltk: bool) -> bool:
    """Return whether a stem ends in consonant, vowel, consonant other than w, x, y: Porter's *o."""
    shape = _shape(stem)
    return (shape.endswith("cvc") and stem[-1] not in "wxy") or (nltk and shape == "vc")


def _ends_double(stem: str, nltk: bool) -> bool:
    """Return whether a stem ends in a double consonant that is not ll, ss or zz."""
    if stem[-2:] == "yy":
        return nltk and _shape(stem).endswith("c")
    return len(stem) > 1 and stem[-1] == stem[-2] and stem[-1] not in "aeioulsz"


def _step_1a_plural(word: str, nltk: bool) -> str:
    if nltk and word.endswith("ies") and len(word) == 4:
        return word[:-1]
    if word.endswith(("sses", "ies")):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _step_1b_past(word: str, nltk: bool) -> str:
    if nltk and word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and "v" in _shape(stem):
            return _restore_ending(stem, nltk)
    return word


def _restore_ending(stem: str, nltk: bool) -> str:
    """Restore the e removed with ``-ed`` or ``-ing``, or undo a doubled consonant."""
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if _ends_double(stem, nltk):
        return stem[:-1]
    if _measure(stem) == 1 and _ends_short(stem, nltk):
        return stem + "e"
    return stem


def _step_1c_final_y(word: str, nltk: bool) -> str:
    shape_before = _shape(word[:-1])
    can_change = len(shape_before) > 1 and shape_before[-1] == "c" if nltk else "v" in shape_before
    return word[:-1] + "i" if word.endswith("y") and can_change else word


def _step_2(word: str, nltk: bool) -> str:
    if nltk and word.endswith("alli") and _measure(word[:-4]) > 0:
        return _step_2(word[:-2], nltk)
    if nltk and word.endswith("logi"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    return _replace(word, _NLTK_STEP_2 if nltk else _STEP_2, min_measure=1)


_STEP_2 = {
    "ational": "ate", "ization": "ize", "iveness": "ive", "fulness": "ful", "ousness": "ous",
    "tional": "tion", "biliti": "ble", "entli": "ent", "ousli": "ous", "ation": "ate",
    "alism": "al", "aliti": "al", "iviti": "ive", "enci": "ence", "anci": "ance", "izer": "ize",
    "alli": "al", "ator": "ate", "logi": "log", "bli": "ble", "eli": "e",
}  # fmt: skip
_NLTK_STEP_2 = {**_STEP_2, "fulli": "ful"}
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ness": "", "ful": "",
}  # fmt: skip
# fmt: off
_STEP_4A = dict.fromkeys((
    "ement", "ance", "ence", "able", "ible", "ant", "ism", "ate",
    "iti", "ous", "ive", "ize", "al", "er", "ic", "ou",
), "")
# fmt: on
_STEP_4B = {"ment": ""}
_STEP_4C = {"ent": "", "sion": "s", "tion": "t"}
_NLTK_STEP_4 = {**_STEP_4A, **_STEP_4B, **_STEP_4C}


def _replace(word: str, suffixes: dict[str, str], *, min_measure: int) -> str:
    """Replace the first matching suffix (longest first), if the stem has m >= `min_measure`."""
    for suffix, replacement in suffixes.items():
        if word.endswith(suffix):
            candidate = word[: -len(suffix)] + replacement
            # The s or t of -sion and -tion belongs to the stem that is measured.
            stem = candidate if replacement in ("s", "t") else word[: -len(suffix)]
            return candidate if _measure(stem) >= min_measure else word
    return word


def _step_5(word: str, nltk: bool) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _ends_short(stem, nltk)):
            word = stem
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
