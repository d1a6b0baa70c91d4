"""What all statistics share: array checks, seeded generators, intervals, resampling p-values."""

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, ShapeError

Alternative = Literal["two-sided", "greater", "less"]

#: A generator or a seed.
Rng = np.random.Generator | int

#: Explicit resamples, or None to draw them.
ExplicitResamples = npt.ArrayLike | None


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval."""

    low: float
    high: float
    confidence_level: float


def vector(values: npt.ArrayLike, name: str, *, min_size: int = 1, nan: bool = False) -> Floats:
    """Check a sample: one dimension, finite numbers, at least `min_size` of them."""
    array = float_array(values, name)
    if array.ndim != 1:
        raise ShapeError(f"`{name}` has {array.ndim} dimensions instead of one")
    if len(array) < min_size:
        raise InputError(f"`{name}` has {len(array)} values; at least {min_size} are needed")
    _require_finite(array, name, nan=nan)
    return array


def paired(x: npt.ArrayLike, y: npt.ArrayLike, *, min_size: int = 1) -> tuple[Floats, Floats]:
    """Check two samples of the same length."""
    first, second = vector(x, "x", min_size=min_size), vector(y, "y", min_size=min_size)
    if len(first) != len(second):
        raise ShapeError(
            f"`x` has {len(first)} values and `y` {len(second)}", hint="give paired samples"
        )
    return first, second


def matrix(values: npt.ArrayLike, name: str, *, nan: bool = True) -> Floats:
    """Check a matrix: two dimensions, finite numbers, NaN for missing values if allowed."""
    array = float_array(values, name)
    if array.ndim != 2:
        raise ShapeError(f"`{name}` has {array.ndim} dimensions instead of two")
    _require_finite(array, name, nan=nan)
    return array


def float_array(values: npt.ArrayLike, name: str) -> Floats:
    """Convert values to an array of floats."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"`{name}` contains something that is not a number") from None


def _require_finite(array: Floats, name: str, *, nan: bool) -> None:
    for test, description in ((np.isinf, "an infinite value"), (np.isnan, "no value (NaN)")):
        positions = np.argwhere(test(array))
        if len(positions) and not (nan and test is np.isnan):
            position = ", ".join(map(str, positions[0].tolist()))
            raise InputError(f"`{name}` has {description} at position {position}", hint="remove it")


def share(value: float, name: str) -> float:
    """Check a number between 0 and 1, such as a confidence level."""
    if not (isinstance(value, int | float | np.number) and 0 < value < 1):
        raise InputError(f"`{name}` is {value}", hint="give a number between 0 and 1")
    return float(value)


def count_of_resamples(n_resamples: int) -> int:
    """Check the number of resamples."""
    if n_resamples < 1 or n_resamples != int(n_resamples):
        raise InputError(f"`n_resamples` is {n_resamples}", hint="give a whole number of 1 or more")
    return int(n_resamples)


def check_choice(value: str, name: str, literal_type: object) -> str:
    """Check that a value is one of the words of a `Literal` type."""
    allowed_values = get_args(literal_type)
    if value not in allowed_values:
        raise InputError(f"`{name}` is {value!r}", hint=f"use one of {', '.join(allowed_values)}")
    return value


def generator(rng: Rng | None) -> np.random.Generator:
    """Return a generator; without a seed, the seed is 0."""
    return np.random.default_rng(0 if rng is None else rng)


def resampled_p(n_extreme: npt.ArrayLike, resamples: int | Ints) -> Floats:
    """Return p-values from counts of extreme resamples; the data count as one more resample."""
    return (np.asarray(n_extreme, dtype=np.float64) + 1) / (resamples + 1)


def one_sided(p_greater: float, p_less: float, alternative: Alternative) -> float:
    """Return the p-value of the alternative; two-sided doubles the smaller one, at most 1."""
    if alternative == "greater":
        return p_greater
    return p_less if alternative == "less" else min(1.0, 2 * min(p_greater, p_less))


def ratio(part: float, total: int) -> float:
    """Divide; NaN if the denominator is 0."""
    return part / total if total else math.nan
