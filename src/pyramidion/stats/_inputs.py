"""What all statistics share: checked arrays, seeded chance, intervals, p-values of resamples."""

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError

Alternative = Literal["two-sided", "greater", "less"]

#: A generator, or a seed for one.
Rng = np.random.Generator | int


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval.

    Examples
    --------
    >>> Interval(0.25, 0.75, 0.95).low
    0.25
    """

    low: float
    high: float
    confidence_level: float


def vector(values: npt.ArrayLike, name: str, *, least: int = 1, nan: bool = False) -> Floats:
    """Check a sample: one dimension, finite numbers, and enough of them.

    Parameters
    ----------
    values
        The sample.
    name
        What to call it in messages.
    least
        How many values are needed.
    nan
        Whether NaN is allowed, for missing values.

    Examples
    --------
    >>> vector([1, 2], "x").tolist()
    [1.0, 2.0]
    >>> vector([1, float("inf")], "x")
    Traceback (most recent call last):
    pyramidion.errors.InputError: `x` has an infinite value at position 1; ...
    """
    array = _numbers(values, name)
    if array.ndim != 1:
        raise ShapeError(f"`{name}` has {array.ndim} dimensions instead of one")
    if len(array) < least:
        raise InputError(f"`{name}` has {len(array)} values, at least {least} are needed")
    _require_finite(array, name, nan=nan)
    return array


def paired(x: npt.ArrayLike, y: npt.ArrayLike, *, least: int = 1) -> tuple[Floats, Floats]:
    """Check two samples of the same length.

    Examples
    --------
    >>> paired([1, 2], [3])
    Traceback (most recent call last):
    pyramidion.errors.ShapeError: `x` has 2 values and `y` 1; pairs are needed
    """
    first, second = vector(x, "x", least=least), vector(y, "y", least=least)
    if len(first) != len(second):
        raise ShapeError(
            f"`x` has {len(first)} values and `y` {len(second)}", hint="pairs are needed"
        )
    return first, second


def matrix(values: npt.ArrayLike, name: str, *, nan: bool = True) -> Floats:
    """Check a matrix: two dimensions, numbers, NaN for missing values where that is allowed.

    Examples
    --------
    >>> matrix([[1, float("nan")]], "scores").shape
    (1, 2)
    """
    array = _numbers(values, name)
    if array.ndim != 2:
        raise ShapeError(f"`{name}` has {array.ndim} dimensions instead of two")
    _require_finite(array, name, nan=nan)
    return array


def _numbers(values: npt.ArrayLike, name: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"`{name}` holds something that is no number") from None


def _require_finite(array: Floats, name: str, *, nan: bool) -> None:
    for test, what in ((np.isinf, "an infinite value"), (np.isnan, "no value (NaN)")):
        found = np.argwhere(test(array))
        if len(found) and not (nan and test is np.isnan):
            place = ", ".join(map(str, found[0].tolist()))
            raise InputError(f"`{name}` has {what} at position {place}", hint="take it out")


def share(value: float, name: str) -> float:
    """Check a number between 0 and 1, such as a confidence level.

    Examples
    --------
    >>> share(0.95, "confidence_level")
    0.95
    """
    if not (isinstance(value, int | float | np.number) and 0 < value < 1):
        raise InputError(f"`{name}` is {value}", hint="give a number between 0 and 1")
    return float(value)


def checked_seed(seed: int) -> int:
    """Check where chance begins.

    Examples
    --------
    >>> checked_seed(-1)
    Traceback (most recent call last):
    pyramidion.errors.InputError: the seed is -1; give a whole number from 0 on
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise InputError(f"the seed is {seed}", hint="give a whole number from 0 on")
    return int(seed)


def count_of_resamples(number: int, *, most: int | None = None) -> int:
    """Check how many resamples are asked for.

    Examples
    --------
    >>> count_of_resamples(0)
    Traceback (most recent call last):
    pyramidion.errors.InputError: `n_resamples` is 0; give a whole number of 1 or more
    """
    if number < 1 or number != int(number) or (most is not None and number > most):
        allowed = "of 1 or more" if most is None else f"from 1 to {most:,}"
        raise InputError(f"`n_resamples` is {number}", hint=f"give a whole number {allowed}")
    return int(number)


def choice(value: str, name: str, allowed: object) -> str:
    """Check one of the words of a `Literal` type.

    Examples
    --------
    >>> choice("both", "alternative", Alternative)
    Traceback (most recent call last):
    pyramidion.errors.InputError: `alternative` is 'both'; it is one of two-sided, greater, less
    """
    words = get_args(allowed)
    if value not in words:
        raise InputError(f"`{name}` is {value!r}", hint=f"it is one of {', '.join(words)}")
    return value


def generator(rng: Rng | None) -> np.random.Generator:
    """Give a generator; the same seed gives the same numbers, and no seed means seed 0.

    Examples
    --------
    >>> bool(generator(7).integers(10) == generator(7).integers(10))
    True
    """
    return np.random.default_rng(0 if rng is None else rng)


def resampled_p(extreme: npt.ArrayLike, resamples: int) -> Floats:
    """Turn the number of resamples at least as extreme as the data into p-values.

    The data itself counts as one more resample, so that no p-value is 0.

    Examples
    --------
    >>> resampled_p([0, 99], 99).tolist()
    [0.01, 1.0]
    """
    p: Floats = (np.asarray(extreme, dtype=np.float64) + 1) / (resamples + 1)
    return p


def one_sided(p_greater: float, p_less: float, alternative: Alternative) -> float:
    """Choose among the p-values of the two sides; two-sided doubles the smaller, at most 1.

    Examples
    --------
    >>> one_sided(0.02, 0.99, "two-sided")
    0.04
    """
    if alternative == "greater":
        return p_greater
    return p_less if alternative == "less" else min(1.0, 2 * min(p_greater, p_less))
