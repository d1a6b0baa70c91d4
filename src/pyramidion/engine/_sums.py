"""Sums that do not depend on the order or the grouping of what is added."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from statistics import NormalDist
from typing import Any

import numpy as np

from pyramidion._types import Floats

# The smallest number is 2**-1074; sums are whole numbers of it, with room for the shift below.
_SCALE = 1127


@dataclass(frozen=True, slots=True)
class ExactSums:
    """How many numbers there are, their sum and the sum of their squares, without rounding.

    Parameters
    ----------
    n
        How many.
    total, squares
        Sums, as whole numbers of 2**-1127.

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
        """Add numbers up; NaN is left out."""
        known = values[~np.isnan(values)]
        return cls(len(known), _exact_sum(known), _exact_sum(known * known))

    @classmethod
    def of_few(cls, values: Iterable[float]) -> "ExactSums":
        """Add a few numbers up without an array, which has a cost of its own."""
        numbers = [value for value in values if not math.isnan(value)]
        squares = [value * value for value in numbers]
        if not all(map(math.isfinite, squares)):
            return cls.of(np.array(numbers))
        return cls(len(numbers), sum(map(_exact, numbers)), sum(map(_exact, squares)))

    def __add__(self, other: "ExactSums") -> "ExactSums":
        return ExactSums(self.n + other.n, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> float:
        """The mean, rounded once; NaN of nothing."""
        return float(Fraction(self.total, self.n << _SCALE)) if self.n else math.nan

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of the sample; NaN of less than two."""
        if self.n < 2:
            return math.nan
        deviations = Fraction(self.squares << _SCALE) - Fraction(self.total**2, self.n)
        return math.sqrt(max(0.0, float(deviations / ((self.n - 1) << 2 * _SCALE))))

    def interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the mean, by Student's t."""
        if self.n < 2:
            return math.nan, math.nan
        tail = (1 + confidence_level) / 2
        if self.n > 10_000:
            width = NormalDist().inv_cdf(tail)
        else:
            from scipy.special import stdtrit

            width = float(stdtrit(self.n - 1, tail))
        half = width * self.standard_deviation / math.sqrt(self.n)
        return self.mean - half, self.mean + half

    def to_list(self) -> list[Any]:
        """Return what JSON keeps."""
        return [self.n, f"{self.total:x}", f"{self.squares:x}"]

    @classmethod
    def from_list(cls, data: list[Any]) -> "ExactSums":
        """Read what `to_list` gives."""
        return cls(int(data[0]), int(data[1], 16), int(data[2], 16))


def _exact(value: float) -> int:
    mantissa, exponent = math.frexp(value)
    return int(mantissa * 2**53) << (exponent - 53 + _SCALE)


def _exact_sum(values: Floats) -> int:
    """Add up mantissas by exponent, in halves that cannot overflow."""
    mantissas, exponents = np.frexp(values)
    whole = np.ldexp(mantissas, 53).astype(np.int64)
    total = 0
    for exponent in np.unique(exponents).tolist():
        own = whole[exponents == exponent]
        high, low = int((own >> 32).sum()), int((own & 0xFFFFFFFF).sum())
        total += ((high << 32) + low) << (exponent - 53 + _SCALE)
    return total
