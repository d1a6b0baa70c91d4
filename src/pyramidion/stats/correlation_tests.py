"""Tests whether two correlations differ that were measured on the same items."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.correlation import kendall, pearson, spearman
from pyramidion.stats.dependent_correlations import (
    OVERLAPPING,
    SEPARATE,
    Overlapping,
    Separate,
    meng_error,
)
from pyramidion.stats.inputs import Alternative, Interval, choice, one_sided, share, vector

__all__ = [
    "CorrelationDifference",
    "CorrelationTest",
    "TestedCoefficient",
    "correlation_difference",
]

CorrelationTest = Literal[
    "williams",
    "steiger",
    "zou",
    "meng",
    "hittner",
    "dunn-clark",
    "hotelling",
    "pearson-filon",
    "silver",
    "raghunathan",
]
TestedCoefficient = Literal["pearson", "spearman", "kendall"]
_FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}


@dataclass(frozen=True, slots=True)
class CorrelationDifference:
    """The difference between two correlations.

    Attributes
    ----------
    first, second
        The two correlations.
    difference
        The first minus the second.
    p
        Of the hypothesis that they are equal; NaN where it is undefined.
    statistic, df
        The test's statistic and its degrees of freedom; df is infinity for a normal one. Zou's
        interval has no statistic: NaN.
    interval
        Zou's confidence interval of the difference.
    z_interval
        Meng's confidence interval of the difference of Fisher's z, with that test; else None.
    n
        The number of items.
    test
        Which test it was.
    undefined
        Why there is no p-value; empty where there is one.

    Examples
    --------
    >>> correlation_difference([1, 2, 3, 4], [1, 3, 2, 4], [2, 4, 6, 8]).undefined
    'a correlation is 1 or -1'
    """

    first: float
    second: float
    difference: float
    p: float
    statistic: float
    df: float
    interval: Interval
    z_interval: Interval | None
    n: int
    test: str
    undefined: str = ""


def correlation_difference(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    human: npt.ArrayLike,
    *,
    other_human: npt.ArrayLike | None = None,
    test: CorrelationTest = "williams",
    coefficient: TestedCoefficient = "pearson",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> CorrelationDifference:
    """Compare the correlations of two metrics with a human score.

    Parameters
    ----------
    first, second
        The two metrics' scores of the same items.
    human
        What they are correlated with.
    other_human
        What the second metric is correlated with, if that is another variable. The
        correlations then do not overlap.
    test
        For overlapping correlations: ``williams`` (t on n - 3 degrees of freedom, the usual
        choice), ``steiger`` (Fisher's z with the mean correlation), ``zou`` (the p-value at
        which Zou's interval touches 0), ``meng``, ``hittner``, ``dunn-clark``, ``hotelling``,
        ``pearson-filon``. For separate ones: ``steiger``, ``zou``, ``silver``, ``dunn-clark``,
        ``raghunathan``, ``pearson-filon``.
    coefficient
        The tests were derived for ``pearson``; with ``spearman`` or ``kendall`` they are
        approximations.
    alternative
        ``two-sided``, ``greater`` (the first is higher) or ``less``.
    confidence_level
        Of the intervals.

    Returns
    -------
    CorrelationDifference
        A correlation of 1 or -1, or a constant sample, leaves the p-value undefined; metrics
        with equal correlations have a two-sided p of 1.

    Notes
    -----
    All of these take the items as independent and normal, and know nothing of the inputs that a
    system's mean was taken over: `clustered_difference` resamples systems and inputs instead
    (reading 25).

    References
    ----------
    E. J. Williams. Regression Analysis. Wiley, 1959.

    J. H. Steiger. Tests for comparing elements of a correlation matrix. Psychological Bulletin
    87(2), 1980.

    G. Y. Zou. Toward using confidence intervals to compare correlations. Psychological Methods
    12(4), 2007.

    X.-L. Meng, R. Rosenthal and D. B. Rubin. Comparing correlated correlation coefficients.
    Psychological Bulletin 111(1), 1992.

    Examples
    --------
    >>> human = [1, 2, 3, 4, 5, 6, 7, 8]
    >>> close, far = [1, 2, 4, 3, 5, 6, 8, 7], [3, 1, 2, 6, 4, 8, 5, 7]
    >>> result = correlation_difference(close, far, human)
    >>> round(result.difference, 3), round(result.p, 3)
    (0.19, 0.121)
    """
    allowed = ["zou", *(OVERLAPPING if other_human is None else SEPARATE)]
    if test not in allowed:
        raise InputError(f"`test` is {test!r}", hint=f"it is one of {', '.join(allowed)}")
    choice(coefficient, "coefficient", TestedCoefficient)
    choice(alternative, "alternative", Alternative)
    share(confidence_level, "confidence_level")
    given = {"first": first, "second": second, "human": human}
    if other_human is not None:
        given["other_human"] = other_human
    pair = _correlations(_columns(given), coefficient)
    return _compare(pair, test, alternative, confidence_level)


def _columns(given: dict[str, npt.ArrayLike]) -> list[Floats]:
    columns = {name: vector(values, name, least=4) for name, values in given.items()}
    if len({len(column) for column in columns.values()}) > 1:
        lengths = ", ".join(f"`{name}` has {len(c)}" for name, c in columns.items())
        raise ShapeError(f"the numbers of values differ: {lengths}", hint="give one per item")
    return list(columns.values())


def _correlations(columns: list[Floats], coefficient: TestedCoefficient) -> Overlapping | Separate:
    def r(a: int, b: int) -> float:
        return _FUNCTIONS[coefficient](columns[a], columns[b]).value

    n = len(columns[0])
    if len(columns) == 3:
        return Overlapping(r(0, 2), r(1, 2), r(0, 1), n)
    return Separate(r(0, 2), r(1, 3), jh=r(0, 1), jm=r(0, 3), kh=r(2, 1), km=r(2, 3), n=n)


def _compare(
    pair: Overlapping | Separate, test: CorrelationTest, alternative: Alternative, level: float
) -> CorrelationDifference:
    reason = _undefined(pair)
    statistic, p = (math.nan, math.nan) if reason else _test(pair, test, alternative)
    df = pair.n - 3 if test in ("williams", "hotelling") else math.inf
    interval = Interval(math.nan, math.nan, level) if reason else _zou_interval(pair, level)
    z_interval = None
    if test == "meng" and isinstance(pair, Overlapping) and not reason:
        z_interval = _meng_interval(pair, level)
    difference = pair.first - pair.second
    return CorrelationDifference(
        pair.first,
        pair.second,
        difference,
        p,
        statistic,
        df,
        interval,
        z_interval,
        pair.n,
        test,
        reason,
    )


def _undefined(pair: Overlapping | Separate) -> str:
    if math.isnan(pair.first + pair.second):
        return "all values of a sample are equal"
    if max(abs(pair.first), abs(pair.second)) >= 1 - 1e-12:
        return "a correlation is 1 or -1"
    return ""


def _test(
    pair: Overlapping | Separate, test: CorrelationTest, alternative: Alternative
) -> tuple[float, float]:
    from scipy.stats import norm, t

    if test == "zou":
        return math.nan, _zou_p_value(pair, alternative)
    statistic = 0.0
    # Metrics that agree perfectly have no variance to divide their difference by.
    if abs(pair.first - pair.second) > 1e-12:
        statistic = (
            OVERLAPPING[test](pair) if isinstance(pair, Overlapping) else SEPARATE[test](pair)
        )
    null = t(pair.n - 3) if test in ("williams", "hotelling") else norm
    p = one_sided(float(null.sf(statistic)), float(null.cdf(statistic)), alternative)
    return statistic, p


def _fisher_limits(r: float, z: float, n: int) -> tuple[float, float]:
    half = z / math.sqrt(n - 3)
    return math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half)


def _zou_bounds(pair: Overlapping | Separate, z: float) -> tuple[float, float]:
    """Combine Fisher's limits of both correlations, given how these vary together."""
    r, s = pair.first, pair.second
    shared = pair.covariance(r, s) / ((1 - r**2) * (1 - s**2))
    (r_low, r_high), (s_low, s_high) = (_fisher_limits(value, z, pair.n) for value in (r, s))

    def half(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a**2 + b**2 - 2 * shared * a * b))

    return r - s - half(r - r_low, s_high - s), r - s + half(r_high - r, s - s_low)


def _zou_interval(pair: Overlapping | Separate, level: float) -> Interval:
    from scipy.stats import norm

    return Interval(*_zou_bounds(pair, float(norm.isf((1 - level) / 2))), level)


def _zou_p_value(pair: Overlapping | Separate, alternative: Alternative) -> float:
    """Find the level at which an end of the interval is 0."""
    from scipy.optimize import brentq
    from scipy.stats import norm

    difference = pair.first - pair.second
    end = 0 if difference > 0 else 1
    z, widest = 0.0, 38.0
    if abs(difference) > 1e-12:
        crosses = _zou_bounds(pair, widest)[end] * difference < 0
        z = brentq(lambda z: _zou_bounds(pair, z)[end], 0.0, widest) if crosses else widest
    tail = float(norm.sf(z))
    sides = (tail, 1 - tail) if difference > 0 else (1 - tail, tail)
    return one_sided(*sides, alternative)


def _meng_interval(pair: Overlapping, level: float) -> Interval:
    from scipy.stats import norm

    difference = math.atanh(pair.first) - math.atanh(pair.second)
    half = float(norm.isf((1 - level) / 2)) * (meng_error(pair) if pair.between < 1 else 0.0)
    return Interval(difference - half, difference + half, level)
