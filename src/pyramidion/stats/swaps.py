"""Swaps of the two scores of a topic, as the signs that they give to the differences.

Signs are resamples x topics of 1 and -1; the first row is all ones, the data as they are.
"""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import Rng, count_of_resamples, generator
from pyramidion.stats.pairing import batches

__all__ = ["all_signs", "chosen_signs", "sign_batches"]


def chosen_signs(
    swaps: npt.ArrayLike | None, n_resamples: int, topics: int, rng: Rng | None
) -> Signs:
    """Turn given swaps into signs, or draw them, and put the unswapped data first.

    Examples
    --------
    >>> chosen_signs([[0, 1, 1]], 1, 3, None).tolist()
    [[1, 1, 1], [1, -1, -1]]
    """
    if swaps is None:
        drawn = generator(rng).integers(0, 2, (count_of_resamples(n_resamples), topics), np.int8)
    else:
        drawn = given_swaps(swaps, topics)
    signs: Signs = np.ones((len(drawn) + 1, topics), np.int8)
    signs[1:] -= 2 * drawn
    return signs


def given_swaps(swaps: npt.ArrayLike, topics: int) -> Signs:
    """Check swaps: a row for each resample, 1 (or true) for each topic that is swapped.

    Examples
    --------
    >>> given_swaps([[True, False]], 2).tolist()
    [[1, 0]]
    """
    array = np.asarray(swaps)
    if array.ndim != 2 or array.shape[1] != topics or not len(array):
        raise ShapeError(
            f"`swaps` has the shape {array.shape}",
            hint=f"give rows of {topics} values, one for each topic",
        )
    if not np.isin(array, (0, 1)).all():
        raise InputError("`swaps` has a value other than 0 and 1")
    return array.astype(np.int8)


def all_signs(topics: int) -> Signs:
    """Enumerate the signs up to a common factor: the first topic is never swapped.

    A two-sided statistic has the same value with all signs reversed, so that half of the 2ⁿ
    rows stand for all.

    Examples
    --------
    >>> all_signs(3).tolist()
    [[1, 1, 1], [1, 1, -1], [1, -1, 1], [1, -1, -1]]
    """
    numbers = np.arange(1 << (topics - 1))[:, None]
    swapped = (numbers >> np.arange(topics - 1, -1, -1)) & 1
    signs: Signs = (1 - 2 * swapped).astype(np.int8)
    return signs


def sign_batches(signs: Signs, width: int) -> Iterator[Floats]:
    """Cut the resamples into batches, as floats; `width` numbers come of each.

    Examples
    --------
    >>> [batch.shape for batch in sign_batches(all_signs(3), 10)]
    [(4, 3)]
    """
    for rows in batches(np.arange(len(signs)), max(width, signs.shape[1])):
        yield signs[rows].astype(np.float64)
