"""Sums that do not depend on the order or the grouping of their terms."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np

from pyramidion._types import Floats

# The smallest positive float is 2**-1074; sums are integer multiples of 2**-1127, which leaves
# room for the shift by 53 bits.
_SCALE_EXPONENT = 1127


@dataclass(frozen=True, slots=True)
class ExactSums:
    """The count of some numbers, their sum and the sum of their squares, without rounding.

    Parameters
    ----------
    n
        Count.
    total, squares
        Sums, in units of 2**-1127.

    Examples
    --------
    >>> parts = ExactSums.of(np.array([0.1, 0.2])) + ExactSums.of(np.array([0.3]))
    >>> parts == ExactSums.of(np.array([0.3, 0.2, 0.1])), parts.mean
    (True, 0.2)
    """

    n: int = 0
    total: int = 0
    squares: int = 0

    @classmethod
    def of(cls, values: Floats) -> "ExactSums":
        """Sum the numbers in an array, ignoring NaN."""
        known_values = values[~np.isnan(values)]
        return cls(
            len(known_values), _exact_sum(known_values), _exact_sum(known_values * known_values)
        )

    @classmethod
    def of_few(cls, values: Iterable[float]) -> "ExactSums":
        """Sum a few numbers without the overhead of an array."""
        known_values = [value for value in values if not math.isnan(value)]
        squares = [value * value for value in known_values]
        if not all(map(math.isfinite, squares)):
            return cls.of(np.array(known_values))
        return cls(
            len(known_values),
            sum(map(_exact_integer, known_values)),
            sum(map(_exact_integer, squares)),
        )

    def __add__(self, other: "ExactSums") -> "ExactSums":
        return ExactSums(self.n + other.n, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """The mean, rounded once; NaN if there are no numbers."""
        return float(Fraction(self.total, self.n << _SCALE_EXPONENT)) if self.n else math.nan

    @property
    def standard_deviation(self) -> float:
        """The sample standard deviation; NaN for fewer than two numbers."""
        if self.n < 2:
            return math.nan
        deviations = Fraction(self.squares << _SCALE_EXPONENT) - Fraction(self.total**2, self.n)
        return math.sqrt(max(0.0, float(deviations / ((self.n - 1) << 2 * _SCALE_EXPONENT))))

    def interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the mean by Student's t."""
        if self.n < 2:
            return math.nan, math.nan
        quantile_level = (1 + confidence_level) / 2
        if self.n > 10_000:
            quantile = NormalDist().inv_cdf(quantile_level)
        else:
            from scipy.special import stdtrit

            quantile = float(stdtrit(self.n - 1, quantile_level))
        half_width = quantile * self.standard_deviation / math.sqrt(self.n)
        return self.mean - half_width, self.mean + half_width

    def to_list(self) -> list[Any]:
        """Return the numbers for JSON."""
        return [self.n, f"{self.total:x}", f"{self.squares:x}"]

    @classmethod
    def from_list(cls, data: list[Any]) -> "ExactSums":
        """Parse the output of `to_list`."""
        return cls(int(data[0]), int(data[1], 16), int(data[2], 16))


def _exact_integer(value: float) -> int:
    mantissa, exponent = math.frexp(value)
    return int(mantissa * 2**53) << (exponent - 53 + _SCALE_EXPONENT)


def _exact_sum(values: Floats) -> int:
    """Add mantissas by exponent, in halves that cannot overflow."""
    mantissas, exponents = np.frexp(values)
    integers = np.ldexp(mantissas, 53).astype(np.int64)
    total = 0
    for exponent in np.unique(exponents).tolist():
        same_exponent_integers = integers[exponents == exponent]
        high_sum, low_sum = (
            int((same_exponent_integers >> 32).sum()),
            int((same_exponent_integers & 0xFFFFFFFF).sum()),
        )
        total += ((high_sum << 32) + low_sum) << (exponent - 53 + _SCALE_EXPONENT)
    return total
