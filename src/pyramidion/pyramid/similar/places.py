"""Where a text says what: content units are given stretches of it, each to one at most."""

from collections.abc import Iterator
from heapq import nlargest
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from pyramidion.pyramid.similar.wordings import Floats

__all__ = ["Stretch", "assigned_stretches", "stretches_for"]

#: The places of the first word, and of the word after the last.
Stretch = tuple[int, int]

# A stretch must bring at least this much more of the unit for each further word.
_FOR_LENGTH = 0.01
_LONGEST = 40


def stretches_for(
    hits: Floats, shares: Floats, sentences: NDArray[np.int64]
) -> Iterator[tuple[Stretch, float]]:
    """List the stretches that could express a unit, with what speaks for each.

    A stretch begins and ends with a word of the unit that weighs in it, and stays within a
    sentence. For it speaks the share of the unit that it has, less a little for its length.

    Parameters
    ----------
    hits
        How far each stem (row) is the word at each place (column).
    shares
        The share of each stem in the weight of the unit's wording.
    sentences
        The sentence that each place is in.

    Examples
    --------
    >>> hits = np.array([[1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    >>> found = stretches_for(hits, np.array([0.3, 0.7]), np.array([0, 0, 0, 1]))
    >>> [(stretch, round(gain, 2)) for stretch, gain in found]
    [((0, 1), 0.29), ((0, 3), 0.97), ((2, 3), 0.69)]
    """
    used = np.flatnonzero(shares)
    weighed = hits[used] * shares[used, None]
    # Function words make no stretch longer, unless nothing else is there.
    heavy = shares[used] >= shares.max() / 4
    own = np.flatnonzero(weighed[heavy].any(axis=0))
    if not len(own):
        own = np.flatnonzero(weighed.any(axis=0))
    for place, first in enumerate(own):
        later = own[place : place + _LONGEST]
        last = later[(later < first + _LONGEST) & (sentences[later] == sentences[first])]
        reached = np.maximum.accumulate(weighed[:, first : last[-1] + 1], axis=1).sum(axis=0)
        for end in last:
            gain = reached[end - first] - _FOR_LENGTH * (end - first + 1)
            yield (int(first), int(end) + 1), round(float(gain), 9)


def assigned_stretches(
    hits: Floats, shares: Floats, probable: Floats, sentences: NDArray[np.int64]
) -> dict[int, Stretch]:
    """Give units the stretches that speak most for them, no stretch to two units.

    The sum over units of probability times what speaks for the stretch is as great as it can be
    (`scipy.optimize.linear_sum_assignment`).

    Parameters
    ----------
    hits
        How far each stem (row) is the word at each place (column).
    shares
        The share of each stem (column) in the weight of each unit's wording (row).
    probable
        The probability of each unit.
    sentences
        The sentence that each place is in.

    Returns
    -------
    dict
        The stretch of each unit that got one; a unit gets none where others got all of its.

    Examples
    --------
    >>> hits = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> shares = np.array([[0.4, 0.6], [0.0, 1.0]])
    >>> assigned_stretches(hits, shares, np.array([0.9, 0.8]), np.array([0, 0, 0]))
    {0: (0, 3), 1: (2, 3)}
    """
    from scipy.optimize import linear_sum_assignment

    columns: dict[Stretch, int] = {}
    found = []
    for unit, of_unit in enumerate(shares):
        possible = stretches_for(hits, of_unit, sentences)
        # The others can take all but one of as many stretches as there are units.
        for stretch, gain in nlargest(len(shares), possible, key=itemgetter(1)):
            found.append((unit, columns.setdefault(stretch, len(columns)), gain))
    gains = np.zeros((len(shares), len(columns)))
    for unit, column, gain in found:
        gains[unit, column] = max(gain * probable[unit], 1e-6)
    stretches = list(columns)
    rows, chosen = linear_sum_assignment(gains, maximize=True)
    pairs = zip(rows.tolist(), chosen.tolist(), strict=True)
    return {unit: stretches[column] for unit, column in pairs if gains[unit, column] > 0}
