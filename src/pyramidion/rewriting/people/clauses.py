"""Where relative clauses end."""

from collections.abc import Sequence
from typing import Final

from pyramidion.text.parsing import ParsedWord

__all__ = ["FINITE", "clause_end", "goes_on"]

_STOPS: Final = frozenset({";", ":", "--", "—", "–", "(", ")", "[", "]", '"', "“", "”", "``", "''"})
_ENDS: Final = frozenset({".", "!", "?", "..."})

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
