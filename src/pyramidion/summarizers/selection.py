"""Choosing sentences one after the other until the limit is reached."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.source import Source

__all__ = ["Choice", "choose_greedily", "choose_ranked"]

Floats = npt.NDArray[np.float64]


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


def choose_greedily(
    source: Source,
    limit: Limit,
    weigh: Callable[[], Floats],
    chosen: Callable[[int], None] = lambda number: None,
    *,
    allowed: npt.NDArray[np.bool_] | None = None,
) -> Choice:
    """Take the best sentence, tell the method, weigh again, until nothing more fits.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    weigh
        Gives every sentence's worth at this moment; minus infinity for one that must not come.
        Of equal ones the first in the input is taken.
    chosen
        Is told each sentence that was taken.
    allowed
        Which sentences may be chosen; the source's candidates if not given.

    Examples
    --------
    >>> source = Source.of_texts(["Heavy rain fell all day. Roads were flooded by rain."])
    >>> choose_greedily(source, Limit(5), lambda: np.array([0.1, 0.2]))
    Choice(numbers=(1,), scores=(0.2,))
    """
    open_ = (source.candidates if allowed is None else allowed).copy()
    numbers: list[int] = []
    scores: list[float] = []
    used = 0
    while True:
        fits = limit.fitting(source.lengths, used)
        eligible = open_ & fits if limit.fit == "fill" else open_
        if not eligible.any() or not limit.room(used):
            break
        worth = np.where(eligible, weigh(), -np.inf)
        best = int(np.argmax(worth))
        if not np.isfinite(worth[best]) or not fits[best]:
            break
        open_[best] = False
        numbers.append(best)
        scores.append(float(worth[best]))
        used += int(source.lengths[best])
        chosen(best)
    return Choice(tuple(numbers), tuple(scores))


def choose_ranked(
    source: Source,
    limit: Limit,
    scores: Floats,
    acceptable: Callable[[int, list[int]], bool] = lambda number, taken: True,
) -> Choice:
    """Go down a ranking and take what is acceptable beside what was taken.

    Parameters
    ----------
    source, limit
        The sentences, and how many words may be used.
    scores
        Every sentence's worth, which does not change.
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
    for number in np.argsort(-scores, kind="stable").tolist():
        if not source.candidates[number] or not acceptable(number, taken):
            continue
        if limit.fitting(source.lengths[[number]], used)[0]:
            taken.append(number)
            used += int(source.lengths[number])
        elif limit.fit != "fill":
            break
    return Choice(tuple(taken), tuple(scores[taken].tolist()))
