"""What the kernels that compare texts accept, compiled or not: one place says what is wrong."""

import math
from numbers import Real
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion.errors import InputError

__all__ = [
    "MOST_CELLS",
    "check_comparable",
    "check_numbers",
    "check_skips",
    "check_starts",
    "check_weight",
    "checked_array",
    "checked_pairs",
    "whole_number",
]

MOST_CELLS = 2**32
"""The most words of a peer times words of a model, and the most skip-bigrams of a text.

Longest common subsequences of two texts of 65,536 words each are still found, within half a
gigabyte for the compiled kernels; beyond that a comparison would not end in sensible time.
"""

_INT64 = np.iinfo(np.int64)


def checked_array(name: str, values: Any, dtype: type[np.integer[Any]]) -> npt.NDArray[Any]:
    """Refuse what is not a one-dimensional array of a type; give it in one piece.

    Examples
    --------
    >>> checked_array("ids", np.arange(6, dtype=np.int32)[::2], np.int32).flags.contiguous
    True
    """
    if not isinstance(values, np.ndarray) or values.dtype != dtype or values.ndim != 1:
        raise TypeError(f"{name} must be a one-dimensional array of {np.dtype(dtype)}")
    return np.ascontiguousarray(values)


def check_numbers(name: str, values: npt.NDArray[Any], end: int) -> None:
    """Refuse numbers that are negative, or not below an end.

    Examples
    --------
    >>> check_numbers("peers", np.array([0, 2]), 2)
    Traceback (most recent call last):
    ValueError: peers must be from 0 to 1, but one is 2
    """
    for extreme in (values.min(initial=0), values.max(initial=0)) if len(values) else ():
        if not 0 <= extreme < end:
            raise ValueError(f"{name} must be from 0 to {end - 1}, but one is {extreme}")


def check_starts(name: str, starts: npt.NDArray[np.int64], end: int) -> None:
    """Refuse starts that are not there, fall, or lie outside what they divide.

    Examples
    --------
    >>> check_starts("starts", np.array([0, 5]), 4)
    Traceback (most recent call last):
    ValueError: starts must rise from at least 0 to at most 4
    """
    if not len(starts):
        raise ValueError(f"{name} must not be empty: its last number is where the last one ends")
    if starts[0] < 0 or starts[-1] > end or (starts[1:] < starts[:-1]).any():
        raise ValueError(f"{name} must rise from at least 0 to at most {end}")


def checked_pairs(
    peers: Any, models: Any, texts: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Refuse pairs that do not match, or that name texts that are not there.

    Examples
    --------
    >>> checked_pairs(np.array([0]), np.array([0, 1]), 2)
    Traceback (most recent call last):
    ValueError: peers and models must be of the same length, not 1 and 2
    """
    peers, models = (
        checked_array("peers", peers, np.int64),
        checked_array("models", models, np.int64),
    )
    if len(peers) != len(models):
        raise ValueError(
            f"peers and models must be of the same length, not {len(peers)} and {len(models)}"
        )
    check_numbers("peers", peers, texts)
    check_numbers("models", models, texts)
    return peers, models


def whole_number(name: str, value: Any, *, least: int | None = None) -> int:
    """Refuse what is not a whole number, or too small; one that is too big for 64 bits is cut.

    Examples
    --------
    >>> whole_number("n", 10**30) == 2**63 - 1
    True
    """
    number = index(value)
    if least is not None and number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return max(_INT64.min, min(_INT64.max, number))


def check_weight(weight: Any, longest: int) -> float:
    """Refuse a weight that is not a positive number, or that is too great for a sentence.

    Examples
    --------
    >>> check_weight(1.2, 100)
    1.2
    """
    if not isinstance(weight, Real):
        raise TypeError(f"weight must be a number, not {type(weight).__name__}")
    weight = float(weight)
    if not (math.isfinite(weight) and weight > 0):
        raise ValueError(f"weight must be positive and finite, not {weight}")
    try:
        _ = float(longest) ** weight
    except OverflowError:
        raise ValueError(
            f"weight {weight} is too great for a sentence of {longest:,} words"
        ) from None
    return weight


def check_comparable(
    words: npt.NDArray[np.int64], peers: npt.NDArray[np.int64], models: npt.NDArray[np.int64]
) -> None:
    """Refuse pairs that are too long for their longest common subsequences.

    Parameters
    ----------
    words
        The number of words of each text.
    peers, models
        Numbers of texts, pair by pair.

    Examples
    --------
    >>> check_comparable(np.array([100_000]), np.array([0]), np.array([0]))
    Traceback (most recent call last):
    pyramidion.errors.InputError: texts of 100,000 and 100,000 words are too long ...
    """
    # Floats, for the product of two counts may pass 64 bits.
    cells = words[peers].astype(np.float64) * words[models]
    if cells.max(initial=0) > MOST_CELLS:
        worst = int(cells.argmax())
        raise InputError(
            f"texts of {words[peers[worst]]:,} and {words[models[worst]]:,} words are too long "
            f"for longest common subsequences (their product passes {MOST_CELLS:,})",
            hint="cut them to a length, or leave ROUGE-L and ROUGE-W out",
        )


def check_skips(words: npt.NDArray[np.int64], gap: int) -> None:
    """Refuse texts with too many skip-bigrams.

    Parameters
    ----------
    words
        The number of words of each text that is compared.
    gap
        The most words between two; no limit if it is negative.

    Examples
    --------
    >>> check_skips(np.array([100_000]), -1)
    Traceback (most recent call last):
    pyramidion.errors.InputError: a text of 100,000 words has more than 4,294,967,296 ...
    """
    longest = int(words.max(initial=0))
    reach = longest if gap < 0 else min(gap + 1, longest)
    if longest * reach - reach * (reach + 1) // 2 > MOST_CELLS:
        raise InputError(
            f"a text of {longest:,} words has more than {MOST_CELLS:,} skip-bigrams",
            hint="give a smaller gap, or cut the text to a length",
        )
