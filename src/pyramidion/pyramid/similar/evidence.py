"""How much of a content unit's wording is found in a text.

Two shares of a wording's weight count: what is found anywhere in the text (the subject of a unit
may be named sentences before), and what is found within one stretch of `window` words. A word is
found whole where its stem is there; a word that only resembles one of the text (most of their
character trigrams are the same: `crypto` and `cryptocurrency`, misspellings) is found in part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from pyramidion.pyramid.similar.wordings import Floats, Wordings

__all__ = ["Evidence", "WordFinder", "evidence_in", "resemblance", "within"]

# Sums that differ by rounding alone are the same, whatever library added them up.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is found of each wording.

    Parameters
    ----------
    anywhere, near
        The two shares of each wording, see :mod:`pyramidion.pyramid.similar.evidence`.
    place
        Where the best stretch of each wording begins, by its first word.

    Examples
    --------
    >>> Evidence(np.array([1.0]), np.array([0.5]), np.array([0])).anywhere
    array([1.])
    """

    anywhere: Floats
    near: Floats
    place: NDArray[np.int64]


def evidence_in(hits: Floats, shares: Floats, *, window: int) -> Evidence:
    """Weigh what was found.

    Parameters
    ----------
    hits
        How far each stem (row) is the word at each place (column), see `WordFinder`.
    shares
        The share of each stem (column) in the weight of each wording (row).
    window
        The length of a stretch in words.

    Examples
    --------
    >>> hits = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
    >>> found = evidence_in(hits, np.array([[0.25, 0.75]]), window=2)
    >>> found.anywhere, found.near, found.place
    (array([1.]), array([0.75]), array([2]))
    """
    if not hits.shape[1]:
        nothing = np.zeros(len(shares))
        return Evidence(nothing, nothing, np.zeros(len(shares), dtype=np.int64))
    anywhere = np.round(shares @ hits.max(axis=1), _DIGITS)
    stretches = np.round(shares @ within(hits, window), _DIGITS)
    return Evidence(anywhere, stretches.max(axis=1), stretches.argmax(axis=1))


def within(hits: Floats, window: int) -> Floats:
    """Give the best hit of each stem in every stretch of `window` words.

    Examples
    --------
    >>> within(np.array([[1.0, 0.0, 0.0, 0.5]]), 2)
    array([[1. , 0. , 0.5]])
    """
    if hits.shape[1] <= window:
        whole: Floats = np.max(hits, axis=1, keepdims=True, initial=0.0)
        return whole
    best: Floats = np.lib.stride_tricks.sliding_window_view(hits, window, axis=1).max(axis=2)
    return best


class WordFinder:
    """Looks for the stems of wordings in texts, and remembers what resembles what.

    Parameters
    ----------
    wordings
        What is looked for.
    likeness
        How much two words must resemble each other at least.

    Examples
    --------
    >>> finder = WordFinder(Wordings.of([["Glaciers melt"]]), likeness=0.5)
    >>> finder.hits(["glaciar", "do", "melt"]).round(2).tolist()
    [[0.57, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """

    def __init__(self, wordings: Wordings, *, likeness: float) -> None:
        self.columns = wordings.columns
        self.likeness = likeness
        self._having: dict[str, list[str]] = {}
        self._known: dict[str, list[tuple[int, float]]] = {}
        for stem in wordings.columns:
            for trigram in _trigrams(stem) if _can_resemble(stem) else ():
                self._having.setdefault(trigram, []).append(stem)

    def hits(self, stems: Sequence[str]) -> Floats:
        """Look for them in one text.

        Parameters
        ----------
        stems
            The text's stems in their order.

        Returns
        -------
        array
            A row for each stem of the wordings, a column for each place of the text: 1 where it
            is that word, less where it resembles it.
        """
        places: dict[str, int] = {}
        where = [places.setdefault(stem, len(places)) for stem in stems]
        alike = np.zeros((len(self.columns), len(places)))
        for stem, column in places.items():
            for row, share in self._resembling(stem):
                alike[row, column] = share
        return alike[:, where]

    def _resembling(self, stem: str) -> list[tuple[int, float]]:
        if stem not in self._known:
            others = {
                other for trigram in _trigrams(stem) for other in self._having.get(trigram, ())
            }
            shares = {other: resemblance(stem, other) for other in {stem} | others}
            self._known[stem] = [
                (self.columns[other], share)
                for other, share in shares.items()
                if other in self.columns and share >= self.likeness
            ]
        return self._known[stem]


def resemblance(one: str, other: str) -> float:
    """Give the share of character trigrams that two words have in common (Dice).

    Numbers and words of up to three letters resemble only themselves.

    Examples
    --------
    >>> round(resemblance("glacier", "glaciar"), 2), resemblance("1914", "1915")
    (0.57, 0.0)
    """
    if one == other:
        return 1.0
    if not (_can_resemble(one) and _can_resemble(other)):
        return 0.0
    first, second = _trigrams(one), _trigrams(other)
    return 2 * len(first & second) / (len(first) + len(second))


def _can_resemble(word: str) -> bool:
    return len(word) > 3 and not word[0].isdigit()


@cache
def _trigrams(word: str) -> frozenset[str]:
    marked = f"^{word}$"
    return frozenset(marked[start : start + 3] for start in range(len(marked) - 2))
