"""Choosing sentences one after the other until the limit is reached."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.rewriting._rewriter import Rewritten
from pyramidion.summarizers.extract import Limit, Terms
from pyramidion.summarizers.source import Source

__all__ = ["Choice", "choose_greedily", "choose_ranked"]

#: What is nearer than this, as a share, is equal: sums depend a little on their order.
_EQUAL = 1e-12


@dataclass(frozen=True, slots=True)
class Choice:
    """Sentences by number, in the order they were chosen, and what each was worth then.

    Examples
    --------
    >>> Choice((3, 0), (0.5, 0.2)).numbers
    (3, 0)
    """

    numbers: tuple[int, ...]
    scores: tuple[float, ...]
    notes: tuple[str, ...] = ()
    #: The sentences that were rewritten, by number.
    rewritten: Mapping[int, Rewritten] = field(default_factory=dict)
    #: What made each worth choosing, where it cannot be told afterwards.
    explained: Mapping[int, Terms] = field(default_factory=dict)


def choose_greedily(
    source: Source,
    limit: Limit,
    weigh: Callable[[], npt.NDArray[Any]],
    chosen: Callable[[int], None] = lambda number: None,
    *,
    allowed: Bools | None = None,
    narrow: Callable[[Bools], Bools] = lambda open_: open_,
    rewrite: Callable[[int, int], int] | None = None,
) -> Choice:
    """Take the best sentence, tell the method, weigh again, until nothing more fits.

    Of equally good sentences the one that stands earlier in its document is taken, and of those
    the first in the alphabet: the order of documents decides nothing.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    weigh
        Gives every sentence's worth at this moment; minus infinity for one that must not come.
    chosen
        Is told each sentence that was taken.
    allowed
        Which sentences may be chosen; the source's candidates if not given.
    narrow
        Is given the sentences that may come next, and gives those that are to be weighed.
    rewrite
        Is given each sentence that was taken and how many words are left, before `chosen` is
        told, and gives how many words the sentence has once it is rewritten.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_greedily(source, Limit(5), lambda: np.array([0.1, 0.2])).numbers
    (1,)
    """
    open_ = (source.candidates if allowed is None else allowed).copy()
    lengths = source.lengths
    numbers: list[int] = []
    scores: list[float] = []
    used = 0
    while limit.room(used):
        if limit.fit == "fill":
            open_ &= lengths <= limit.room(used)
        worth = np.where(narrow(open_), weigh(), -np.inf)
        best = _best(source, worth)
        if best is None or not limit.fits(int(lengths[best]), used):
            break
        open_[best] = False
        numbers.append(best)
        scores.append(float(worth[best]))
        used += int(lengths[best]) if rewrite is None else rewrite(best, limit.room(used))
        chosen(best)
    return Choice(tuple(numbers), tuple(scores))


def choose_ranked(
    source: Source,
    limit: Limit,
    scores: Floats,
    acceptable: Callable[[int, list[int]], bool] = lambda number, taken: True,
) -> Choice:
    """Go down a ranking and take what is acceptable beside what was taken.

    Equally good sentences are ranked as in `choose_greedily`.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    scores
        Every sentence's worth, which does not change; minus infinity for one that must not come.
    acceptable
        Is asked about a sentence and those taken so far.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_ranked(source, Limit(20), np.array([0.1, 0.2])).numbers
    (1, 0)
    """
    taken: list[int] = []
    used = 0
    for number in _ranking(source, scores):
        if not limit.room(used):
            break
        if limit.fits(int(source.lengths[number]), used):
            if acceptable(number, taken):
                taken.append(number)
                used += int(source.lengths[number])
        elif limit.fit == "stop" and acceptable(number, taken):
            break
    return Choice(tuple(taken), tuple(scores[taken].tolist()))


def _best(source: Source, worth: Floats) -> int | None:
    """Find the best sentence; none where all are worth minus infinity."""
    top = worth.max()
    if not np.isfinite(top):
        return None
    best = np.flatnonzero(worth >= top - _EQUAL * abs(top)).tolist()
    if len(best) == 1:
        return int(best[0])
    return int(min(best, key=lambda number: (source.places[number], source.texts[number])))


def _ranking(source: Source, scores: Floats) -> list[int]:
    """Rank the candidates, the best first."""
    numbers = np.flatnonzero(source.candidates & np.isfinite(scores)).tolist()
    greatest = np.abs(scores[numbers]).max(initial=0.0)
    exponent = int(np.floor(np.log10(greatest))) if greatest > 0 else 0
    rounded = np.round(scores, 12 - exponent) if abs(exponent) < 200 else scores
    keys = zip((-rounded).tolist(), source.places.tolist(), source.texts, strict=True)
    ranks = list(keys)
    return sorted(numbers, key=lambda number: ranks[number])
