"""Perl's numbers: 64-bit integers and floats, and when one becomes the other.

The difference shows only in ROUGE-W, whose powers exceed the integers that a float can represent.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add

#: Floats represent every integer below this number.
MAX_EXACT = 2.0**53
_MAX_ADDED_AS_INTEGERS = 2.0**62

_NUMBER_PATTERN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", re.ASCII)
_WHOLE_REAL_PATTERN = re.compile(r"\s*[+-]?\d+\.0*", re.ASCII)


def leading_number(text: str) -> tuple[float, bool]:
    """Parse the number at the start of a text, 0 if none; also return whether nothing follows."""
    match = _NUMBER_PATTERN.match(text)
    return (float(match[1]), match.end() == len(text)) if match else (0.0, False)


@dataclass(frozen=True, slots=True)
class PerlNumber:
    """An integer or a float.

    A float below 2**53 without a fractional part is treated as an integer next to an integer.
    """

    value: float  # or int

    def __add__(self, other: "PerlNumber") -> "PerlNumber":
        return self._plus(other, 1)

    def __sub__(self, other: "PerlNumber") -> "PerlNumber":
        return self._plus(other, -1)

    def _plus(self, other: "PerlNumber", sign: int) -> "PerlNumber":
        x, other_value = self.value, other.value
        # Two floats are added as integers even above 2**53, up to a limit.
        are_real = isinstance(x, float) and isinstance(other_value, float)
        integer, other_integer = (
            _integer_below(value, _MAX_ADDED_AS_INTEGERS if are_real else MAX_EXACT)
            for value in (x, other_value)
        )
        if (
            isinstance(integer, int)
            and isinstance(other_integer, int)
            and -(2**63) <= integer + sign * other_integer < 2**64
        ):
            return PerlNumber(integer + sign * other_integer)
        return PerlNumber(float(x) + sign * float(other_value))

    def __ge__(self, other: "PerlNumber") -> bool:
        return self.value >= other.value

    def __float__(self) -> float:
        return float(self.value)

    def __str__(self) -> str:
        value = _integer_below(self.value)
        return str(value) if isinstance(value, int) else _print_number(value)

    def to_digits(self) -> str:
        """Format the number as Perl's `int` does: with all digits if it fits 64 bits."""
        value = self.value
        return str(int(value)) if abs(value) < 2.0**64 else _print_number(float(value))

    def power(self, weight: float, *, whole_weight: bool) -> "PerlNumber":
        """Raise to a power: exactly if it certainly fits 64 bits, otherwise with C's `pow`."""
        base = _integer_below(self.value)
        if not (whole_weight and isinstance(base, int) and base.bit_length() * weight <= 64):
            return PerlNumber(real_power(float(base), weight))
        is_power_of_two = base & (base - 1) == 0
        return PerlNumber(float(base) ** weight if is_power_of_two else base ** int(weight))


def _integer_below(value: float, limit: float = MAX_EXACT) -> float:
    """Convert a float to an integer if it has no fractional part and is below a limit."""
    if isinstance(value, float) and abs(value) < limit and value.is_integer():
        return int(value)
    return value


def _print_number(value: float) -> str:
    if math.isfinite(value):
        return f"{value:.15g}"
    return "NaN" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")


def decimals(value: float) -> str:
    """Format a score with five decimals and at least seven characters."""
    return f"{value:.5f}" if math.isfinite(value) else f"{_print_number(value):>7}"


def real_power(base: float, weight: float) -> float:
    """Raise a number to a power with the C library's `pow`, which may return infinity."""
    try:
        result: float = base**weight
    except OverflowError:
        return math.inf
    return result


def is_whole_weight(text: str) -> bool:
    """Return whether a weight was typed as an integer: 3 and 30e-1 were, 3.0 was not."""
    return leading_number(text)[0].is_integer() and not _WHOLE_REAL_PATTERN.fullmatch(text)


def running_total(values: Iterable[PerlNumber | float]) -> PerlNumber:
    """Sum values in order, starting with the integer 0."""
    numbers = (value if isinstance(value, PerlNumber) else PerlNumber(value) for value in values)
    return reduce(add, numbers, PerlNumber(0))
