"""Numbers as Perl has them: whole ones of 64 bits beside real ones, and when one becomes the other.

It shows only in ROUGE-W, whose powers pass what a real number can count.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add

#: Real numbers below it are as good as whole ones.
EXACT = 2.0**53
_HALF = 2.0**62

_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_REAL_FOR_EVER = re.compile(r"\s*[+-]?\d+\.0*", re.ASCII)


def leading_number(text: str) -> tuple[float, bool]:
    """Read the number a text begins with, 0 if none; tell whether nothing follows it."""
    match = _NUMBER.match(text)
    return (float(match[1]), match.end() == len(text)) if match else (0.0, False)


@dataclass(frozen=True, slots=True)
class PerlNumber:
    """A whole number (int) or a real one (float).

    A real number that is whole and below 2**53 is both: beside a whole number it acts as one.
    """

    value: float  # or int

    def __add__(self, other: "PerlNumber") -> "PerlNumber":
        return self._plus(other, 1)

    def __sub__(self, other: "PerlNumber") -> "PerlNumber":
        return self._plus(other, -1)

    def _plus(self, other: "PerlNumber", sign: int) -> "PerlNumber":
        x, y = self.value, other.value
        # Two real numbers are added as whole ones whatever their size, up to a limit.
        are_real = isinstance(x, float) and isinstance(y, float)
        a, b = (_whole_below(value, _HALF if are_real else EXACT) for value in (x, y))
        if isinstance(a, int) and isinstance(b, int) and -(2**63) <= a + sign * b < 2**64:
            return PerlNumber(a + sign * b)
        return PerlNumber(float(x) + sign * float(y))

    def __ge__(self, other: "PerlNumber") -> bool:
        return self.value >= other.value

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        value = _whole_below(self.value)
        return str(value) if isinstance(value, int) else _printed(value)

    def total(self) -> str:
        """Write the number as `int` leaves it: what fits 64 bits has all its digits."""
        value = self.value
        return str(int(value)) if abs(value) < 2.0**64 else _printed(float(value))

    def power(self, weight: float, *, whole_weight: bool) -> "PerlNumber":
        """Raise to a power: exact where it fits 64 bits for sure, else as C's `pow` does."""
        base = _whole_below(self.value)
        if not (whole_weight and isinstance(base, int) and base.bit_length() * weight <= 64):
            return PerlNumber(real_power(float(base), weight))
        is_power_of_two = base & (base - 1) == 0
        return PerlNumber(float(base) ** weight if is_power_of_two else base ** int(weight))


def _whole_below(value: float, limit: float = EXACT) -> float:
    """Make a real number whole that can be."""
    if isinstance(value, float) and abs(value) < limit and value.is_integer():
        return int(value)
    return value


def _printed(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.15g}"
    return "NaN" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")


def decimals(value: float) -> str:
    """Write a score with five decimals, seven characters at least."""
    return f"{value:.5f}" if math.isfinite(value) else f"{_printed(value):>7}"


def real_power(base: float, weight: float) -> float:
    """Raise a number to a power with the C library's `pow`, which may give infinity."""
    try:
        raised: float = base**weight
    except OverflowError:
        return math.inf
    return raised


def is_whole_weight(typed: str) -> bool:
    """Return whether a weight is whole as it was typed: 3 and 30e-1 are, 3.0 is not."""
    return leading_number(typed)[0].is_integer() and not _REAL_FOR_EVER.fullmatch(typed)


def running_total(values: Iterable[PerlNumber | float]) -> PerlNumber:
    """Add up one after the other, from the whole number 0."""
    numbers = (v if isinstance(v, PerlNumber) else PerlNumber(v) for v in values)
    return reduce(add, numbers, PerlNumber(0))
