"""Krippendorff's alpha: agreement of any number of coders, with missing values."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.dense_ranks import dense_ranks
from pyramidion.stats.differences import midranks
from pyramidion.stats.inputs import choice, matrix
from pyramidion.stats.pairs import row_blocks

__all__ = ["Alpha", "Level", "krippendorff_alpha"]

Level = Literal["nominal", "ordinal", "interval", "ratio"]


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha.

    Attributes
    ----------
    value
        1 for perfect agreement, 0 for what chance would give, below 0 for less than that; NaN
        where nothing can be paired.
    observed, expected
        The mean disagreement within units and between any two values.
    level
        The level of measurement.
    units
        The number of units with at least two values.
    values
        The number of values in them.
    left_out
        The number of values that stand alone in their unit and so pair with nothing.
    unanimous
        Whether all values are the same. Nothing could then have shown a disagreement; alpha,
        0/0 by the formula, is defined as 1.

    Examples
    --------
    >>> krippendorff_alpha([[4, 4], [4, 4]], level="interval").unanimous
    True
    """

    value: float
    observed: float
    expected: float
    level: str
    units: int
    values: int
    left_out: int
    unanimous: bool


def krippendorff_alpha(ratings: npt.ArrayLike, *, level: Level) -> Alpha:
    r"""Krippendorff's alpha, :math:`1 - D_o / D_e`.

    .. math::

        D_o &= \frac1n \sum_u \frac{1}{m_u - 1} \sum_{i \ne i'} \delta(c_{iu}, c_{i'u}) \\
        D_e &= \frac{1}{n(n-1)} \sum_{v, v'} n_v n_{v'} \delta(v, v')

    over the units u with :math:`m_u \ge 2` values, n values in all. The difference of two
    values is 0 or 1 (``nominal``), the square of their difference (``interval``), the square of
    the difference of their mean ranks among all the n values (``ordinal``), or the square of
    their difference over their sum (``ratio``).

    Parameters
    ----------
    ratings
        One row a coder, one column a unit, NaN where a coder gave no value. For the agreement
        of one assessor with herself, the rows are her first and her second judgment.
    level
        The level of measurement. It has no default, as the same numbers give another alpha at
        another level (reading 13).

    References
    ----------
    K. Krippendorff. Content Analysis. An Introduction to Its Methodology. Sage, 2004.

    Examples
    --------
    >>> nan = float("nan")
    >>> ratings = [[1, 2, 3, 3, nan], [1, 2, 3, 4, 5]]
    >>> result = krippendorff_alpha(ratings, level="interval")
    >>> round(result.value, 3), result.units, result.left_out
    (0.889, 4, 1)
    """
    choice(level, "level", Level)
    given = matrix(ratings, "ratings")
    present = ~np.isnan(given)
    counts = present.sum(axis=0)
    units = counts >= 2
    table, n = given[:, units], int(counts[units].sum())
    lonely = int(counts.sum()) - n
    if not n:
        return Alpha(math.nan, math.nan, math.nan, level, 0, 0, lonely, unanimous=False)
    scaled, difference = _scaled(table, level), _DIFFERENCES[level]
    observed = _observed(scaled, counts[units], difference) / n
    expected = _expected(scaled[~np.isnan(scaled)], difference) / (n * (n - 1))
    unanimous = int(dense_ranks(table[~np.isnan(table)]).max()) == 0
    value = 1.0 if unanimous else 1 - observed / expected
    return Alpha(value, observed, expected, level, int(units.sum()), n, lonely, unanimous)


def _scaled(table: Floats, level: Level) -> Floats:
    """Replace the values by what the level's difference is taken of."""
    values = table[~np.isnan(table)]
    if level == "ratio" and values.min() < 0:
        raise InputError(f"`ratings` has {values.min():g}", hint="a ratio scale starts at 0")
    if level in ("interval", "ratio"):
        return table
    scaled = np.full(table.shape, np.nan)
    ranks = dense_ranks(values)
    scaled[~np.isnan(table)] = midranks(ranks) if level == "ordinal" else ranks
    return scaled


Difference = Callable[[Floats, Floats], Floats]


def _unequal(a: Floats, b: Floats) -> Floats:
    return np.where(np.isnan(a) | np.isnan(b), np.nan, a != b)


def _squared(a: Floats, b: Floats) -> Floats:
    return (a - b) ** 2


def _relative(a: Floats, b: Floats) -> Floats:
    total = a + b
    return ((a - b) / np.where(total == 0, 1.0, total)) ** 2


_DIFFERENCES: dict[str, Difference] = {
    "nominal": _unequal,
    "ordinal": _squared,
    "interval": _squared,
    "ratio": _relative,
}


def _observed(table: Floats, counts: Ints, difference: Difference) -> float:
    by_unit = sum(np.nansum(difference(row, table), axis=0) for row in table)
    return float(np.sum(by_unit / (counts - 1)))


def _expected(values: Floats, difference: Difference) -> float:
    distinct, counts = np.unique(values, return_counts=True)
    total = 0.0
    for start, stop in row_blocks(len(distinct), len(distinct)):
        differences = difference(distinct[start:stop, None], distinct)
        total += float(counts[start:stop] @ differences @ counts)
    return total
