"""Where relative clauses and appositions end."""

from collections.abc import Sequence
from typing import Final

from pyramidion.rewriting.people.words import words_of
from pyramidion.text._parsing import ParsedWord

__all__ = ["FINITE", "apposition_close", "clause_end", "goes_on", "in_adjectives"]

_STOPS: Final = frozenset({";", ":", "--", "—", "–", "(", ")", "[", "]", '"', "“", "”", "``", "''"})
_ENDS: Final = frozenset({".", "!", "?", "..."})
_RELATIVE: Final = frozenset({"who", "whose", "whom", "that", "which", "where"})
_LONGEST: Final = 30

#: Tags of the Penn Treebank for verbs that make a clause.
FINITE: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})


def clause_end(words: Sequence[ParsedWord], place: int) -> int:
    """Give the last word of a relative clause that begins at a place.

    Parameters
    ----------
    words
        The words of a sentence.
    place
        The place of *who*.

    Examples
    --------
    >>> tags = [("who", "PRON", "WP"), ("won", "VERB", "VBD"), (",", "PUNCT", ","),
    ...         ("left", "VERB", "VBD")]
    >>> clause_end([ParsedWord(w, w, t, 0, "dep", 0, f) for w, t, f in tags], 0)
    1
    """
    commas = []
    for at in range(place + 1, len(words)):
        text = words[at].text
        if text in _STOPS or (text in _ENDS and at >= len(words) - 2):
            commas.append(at)
            break
        if text == ",":
            commas.append(at)
            if goes_on(words, at + 1):
                break
    if not commas:
        return len(words) - 1
    good = [at for at in commas if goes_on(words, at + 1)]
    return (good or commas)[0] - 1


def goes_on(words: Sequence[ParsedWord], place: int) -> bool:
    """Tell whether the main clause goes on at a place, with a verb.

    Parameters
    ----------
    words
        The words of a sentence.
    place
        The place after a comma.

    Examples
    --------
    >>> goes_on([ParsedWord("won", "win", "VERB", 0, "root", 0, "VBD")], 0)
    True
    """
    ahead = words[place : place + 3]
    return any(word.tag in {"VERB", "AUX"} and word.fine in FINITE for word in ahead[:2])


def apposition_close(words: Sequence[ParsedWord], place: int) -> int:
    """Give the last word before the comma or mark that closes an apposition; -1 if a verb comes.

    A finite verb outside a relative clause shows that a new clause began: *After meeting Boyle,
    the governor left*.

    Parameters
    ----------
    words
        The words of a sentence.
    place
        Where the apposition begins.

    Examples
    --------
    >>> tags = [("a", "DET"), ("nurse", "NOUN"), (",", "PUNCT"), ("left", "VERB")]
    >>> apposition_close([ParsedWord(w, w, t, 0, "dep") for w, t in tags], 0)
    1
    """
    relative = verbless = False
    for at in range(place, min(place + _LONGEST, len(words))):
        word = words[at]
        finite = _is_finite(words, at)
        if word.text in _RELATIVE and at > place:
            relative = verbless = True
        if word.text in _STOPS - {";"}:
            return -1
        if word.text == "," and (verbless or in_adjectives(words, place, at)):
            continue
        if word.text in {",", ";"} or (word.text in _ENDS and at >= len(words) - 2):
            return -1 if verbless else at - 1
        if finite:
            verbless = False
        if not relative and finite and not _reduced_relative(words, place, at):
            return -1
    return -1


def in_adjectives(words: Sequence[ParsedWord], place: int, comma: int) -> bool:
    """Tell whether a comma parts adjectives before a noun: *a quiet, patient man*.

    Parameters
    ----------
    words
        The words of a sentence.
    place, comma
        Where the phrase begins, and where the comma stands.

    Examples
    --------
    >>> tags = [("a", "DET"), ("quiet", "ADJ"), (",", "PUNCT"), ("patient", "ADJ")]
    >>> in_adjectives([ParsedWord(w, w, t, 0, "dep") for w, t in tags], 0, 2)
    True
    """
    return comma > place and not any(
        word.tag in {"NOUN", "PROPN", "NUM", "PRON"} or word.text in words_of("roles")
        for word in words[place:comma]
    )


def _is_finite(words: Sequence[ParsedWord], at: int) -> bool:
    word = words[at]
    return word.fine in FINITE and word.tag in {"VERB", "AUX"} and word.text[0].islower()


def _reduced_relative(words: Sequence[ParsedWord], place: int, at: int) -> bool:
    """Tell whether a verb is part of a description: *the governor she unseated*."""
    if words[at].text in {"turned", "accused", "suspected", "charged", "convicted", "named"}:
        return True
    return at > place and words[at - 1].tag == "PRON"
