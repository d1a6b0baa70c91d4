"""Simultaneous comparisons of pairs: what all procedures share."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.stats.differences import noise_level

__all__ = [
    "Comparisons",
    "Yardstick",
    "all_pairs",
    "compare_pairs",
    "comparison_half_widths",
    "pair_errors",
]


@dataclass(frozen=True, slots=True, eq=False)
class Comparisons:
    """Simultaneous comparisons of pairs of groups.

    Parameters
    ----------
    estimates
        One for each group: mean ranks, or least-squares means.
    pairs
        The positions of both groups, one row for each pair.
    differences
        The estimate of the pair's first group less that of the second.
    standard_errors
        Of the differences.
    low, high
        Intervals that hold all at once with the confidence asked for.
    p
        Adjusted for the number of comparisons.
    critical
        How many standard errors make a significant difference.
    half_widths
        Of the groups' comparison intervals, estimate ± half width: two groups whose intervals
        do not overlap differ significantly (exactly so when all standard errors are one). NaN
        when not all pairs are compared.
    confidence_level
        As asked for.
    note
        Why p-values are undefined, or empty. Equal estimates have p = 1 even then.
    draws
        How many directions were drawn; 0 if nothing was simulated.
    monte_carlo_error
        Standard error of `critical` from the simulation; 0 if nothing was simulated.

    Examples
    --------
    >>> from pyramidion.stats.multiple_comparisons import mean_rank_tukey
    >>> mean_rank_tukey([[1, 2, 3], [11, 12, 13], [4, 5, 6]]).significant.tolist()
    [True, False, False]
    """

    estimates: Floats
    pairs: Ints
    differences: Floats
    standard_errors: Floats
    low: Floats
    high: Floats
    p: Floats
    critical: float
    half_widths: Floats
    confidence_level: float
    note: str = ""
    draws: int = 0
    monte_carlo_error: float = 0.0

    @property
    def significant(self) -> Bools:
        """Which pairs differ significantly: their intervals leave out zero."""
        apart: Bools = (self.low > 0) | (self.high < 0)
        return apart

    def apart_from(self, group: int) -> Bools:
        """Tell whose comparison intervals do not overlap that of the group (Figure 4.1)."""
        distance = np.abs(self.estimates - self.estimates[group])
        apart: Bools = distance > self.half_widths + self.half_widths[group]
        return apart


@dataclass(frozen=True, slots=True, eq=False)
class Yardstick:
    """What differences are held against.

    Parameters
    ----------
    confidence_level
        Of all intervals together.
    critical
        How many standard errors make a significant difference.
    p
        Turns differences over their standard errors into p-values.
    note
        Why there is nothing to hold them against, or empty.
    draws, monte_carlo_error
        Of a simulation.

    Examples
    --------
    >>> Yardstick(0.95, 1.96, lambda t: t).draws
    0
    """

    confidence_level: float
    critical: float
    p: Callable[[Floats], Floats]
    note: str = ""
    draws: int = 0
    monte_carlo_error: float = 0.0


def all_pairs(groups: int) -> Ints:
    """List the pairs of groups in the order (0, 1), (0, 2), ..., (1, 2), ...

    Examples
    --------
    >>> all_pairs(3).tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    return np.column_stack(np.triu_indices(groups, 1))


def pair_errors(covariance: Floats, pairs: Ints) -> Floats:
    """Give the standard errors of differences from the covariance of the estimates.

    Examples
    --------
    >>> pair_errors(np.array([[2.0, 1.0], [1.0, 4.0]]), all_pairs(2)).tolist()
    [2.0]
    """
    first, second = pairs.T
    variances = np.diag(covariance)
    squares = variances[first] + variances[second] - 2 * covariance[first, second]
    errors: Floats = np.sqrt(np.maximum(squares, 0.0))
    return errors


def compare_pairs(
    estimates: Floats, pairs: Ints, errors: Floats, yardstick: Yardstick
) -> Comparisons:
    """Hold the differences of estimates against their standard errors.

    Parameters
    ----------
    estimates
        One for each group.
    pairs
        Which groups are compared.
    errors
        The standard error of each difference.
    yardstick
        Critical value and p-values.

    Examples
    --------
    >>> from pyramidion.stats.studentized_range import tukey_p
    >>> rule = Yardstick(0.95, 2.344, lambda t: tukey_p(t, 3, np.inf))
    >>> found = compare_pairs(np.array([1.0, 2.0, 4.0]), all_pairs(3), np.ones(3), rule)
    >>> found.p.round(3).tolist()
    [0.577, 0.008, 0.112]
    """
    differences = estimates[pairs[:, 0]] - estimates[pairs[:, 1]]
    equal = np.abs(differences) <= noise_level(estimates)
    if yardstick.note:
        errors = np.full(len(pairs), np.nan)
    t = np.full(len(pairs), np.nan)
    np.divide(differences, errors, out=t, where=~equal & (errors > 0))
    reach = yardstick.critical * errors
    return Comparisons(
        estimates=estimates,
        pairs=pairs,
        differences=differences,
        standard_errors=errors,
        low=differences - reach,
        high=differences + reach,
        p=np.where(equal, 1.0, yardstick.p(t)),
        critical=yardstick.critical,
        half_widths=comparison_half_widths(len(estimates), pairs, reach),
        confidence_level=yardstick.confidence_level,
        note=yardstick.note,
        draws=yardstick.draws,
        monte_carlo_error=yardstick.monte_carlo_error,
    )


def comparison_half_widths(groups: int, pairs: Ints, reach: npt.ArrayLike) -> Floats:
    r"""Choose a half width for each group, so that two of them add up to the pair's reach.

    The half widths solve :math:`w_i + w_j = d_{ij}` over all pairs by least squares:
    :math:`w_i = \{(k-1) d_{i\cdot} - \sum_{i<j} d_{ij}\} / \{(k-1)(k-2)\}`.

    Parameters
    ----------
    groups
        How many there are.
    pairs
        All pairs of them; with fewer the half widths are NaN.
    reach
        The difference that is just significant, for each pair.

    References
    ----------
    .. [1] Y. Hochberg and A. C. Tamhane, "Multiple Comparison Procedures", 1987.

    Examples
    --------
    >>> comparison_half_widths(3, all_pairs(3), [2.0, 3.0, 3.0]).tolist()
    [1.0, 1.0, 2.0]
    """
    distance = np.asarray(reach, dtype=np.float64)
    if len(pairs) < groups * (groups - 1) // 2:
        return np.full(groups, np.nan)
    if groups == 2:
        return np.repeat(distance / 2, 2)
    sums = np.bincount(pairs.ravel(), np.repeat(distance, 2), groups)
    widths: Floats = ((groups - 1) * sums - distance.sum()) / ((groups - 1) * (groups - 2))
    return widths
