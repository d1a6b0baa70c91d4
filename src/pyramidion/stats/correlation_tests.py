"""Confidence intervals of correlations, and tests of two dependent correlations."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.bootstrap import (
    BootstrapInterval,
    Quantiles,
    checked_indices,
    interval_of_samples,
)
from pyramidion.stats.correlation import (
    Coefficient,
    kendall,
    pearson,
    spearman,
    weighted_correlations,
)
from pyramidion.stats.inputs import (
    Alternative,
    Interval,
    Rng,
    check_choice,
    one_sided,
    paired,
    share,
    vector,
)
from pyramidion.stats.pairs import LARGE_BLOCK_VALUES, Weights, blocks

IntervalMethod = Literal["percentile", "bca", "fisher"]


def correlation_interval(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    coefficient: Coefficient = "pearson",
    method: IntervalMethod = "percentile",
    quantiles: Quantiles = "linear",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> BootstrapInterval:
    """Return a correlation with a confidence interval.

    Parameters
    ----------
    x, y
        Paired samples.
    coefficient
        ``pearson``, ``spearman``, ``kendall`` (tau-b) or ``tau_ap`` (version b).
    method
        ``percentile`` (the default here and in the dissertation's text), ``bca`` (the default of
        MATLAB's bootci) or ``fisher`` (reading 12).
    quantiles
        ``linear``, or ``hazen`` as MATLAB does; see :func:`percentile_interval`.
    confidence_level
        The confidence level of the interval.
    n_resamples
        The number of resamples of pairs.
    indices
        The draws themselves, one row of indices from 0 per resample.
    rng
        Generator or seed.

    Notes
    -----
    Resamples in which the coefficient is undefined are counted and left out. With ``fisher``
    there are no samples.

    Examples
    --------
    >>> result = correlation_interval([1, 2, 3, 4, 5], [1, 3, 2, 5, 4], coefficient="kendall")
    >>> round(result.value, 3), result.interval.low < 0.6 < result.interval.high
    (0.6, True)
    """
    check_choice(coefficient, "coefficient", Coefficient)
    check_choice(method, "method", IntervalMethod)
    first, second = paired(x, y, min_size=2)
    n = len(first)

    def correlate_weighted(weights: Weights) -> Floats:
        return weighted_correlations(first, second, weights, coefficient)

    value = float(correlate_weighted(np.ones((n, 1)))[0])
    if method == "fisher":
        interval = fisher_interval(value, n, coefficient, confidence_level=confidence_level)
        return BootstrapInterval(value, interval, np.empty(0), 0)
    samples = correlate_weighted(draw_counts(checked_indices(indices, n, n_resamples, rng), n))
    return interval_of_samples(
        value,
        samples,
        lambda: [correlate_weighted(1 - np.eye(n))],
        method,
        confidence_level,
        quantiles,
    )


def draw_counts(indices: Ints, n: int) -> Weights:
    """Count how often each of n items (rows) was drawn in each resample (columns)."""
    counts = np.empty((n, len(indices)), dtype=np.float32)
    for block in blocks(len(indices), n, LARGE_BLOCK_VALUES):
        rows = indices[block]
        cell_codes = rows + np.arange(len(rows))[:, None] * n
        counts[:, block] = np.bincount(cell_codes.ravel(), minlength=rows.size).reshape(-1, n).T
    return counts


def fisher_interval(
    value: float, n: int, coefficient: Coefficient = "pearson", *, confidence_level: float = 0.95
) -> Interval:
    r"""Return the interval by Fisher's z, :math:`\tanh(\operatorname{artanh} r \pm z s)`.

    The standard error s is :math:`1/\sqrt{n-3}` for Pearson's r, :math:`\sqrt{(1+\rho^2/2) /
    (n-3)}` for Spearman's rho and :math:`\sqrt{0.437/(n-4)}` for Kendall's tau.

    References
    ----------
    D. G. Bonett and T. A. Wright. Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations. Psychometrika 65(1), 2000.
    """
    from scipy.special import ndtri

    check_choice(coefficient, "coefficient", Coefficient)
    level = share(confidence_level, "confidence_level")
    if coefficient == "tau_ap":
        raise InputError("tau_ap has no Fisher interval", hint="use percentile or bca")
    min_n = 4 if coefficient == "kendall" else 3
    if math.isnan(value) or n <= min_n:
        return Interval(math.nan, math.nan, level)
    if abs(value) >= 1:
        return Interval(value, value, level)
    factor = {"pearson": 1.0, "spearman": 1 + value**2 / 2, "kendall": 0.437}[coefficient]
    half_width = float(ndtri((1 + level) / 2)) * math.sqrt(factor / (n - min_n))
    center = math.atanh(value)
    return Interval(math.tanh(center - half_width), math.tanh(center + half_width), level)


@dataclass(frozen=True, slots=True)
class OverlappingCorrelations:
    """Correlations of two variables with a third one and with each other, over n items."""

    first: float
    second: float
    between: float
    n: int

    @property
    def determinant(self) -> float:
        """The determinant of the matrix of the three correlations."""
        squares = self.first**2 + self.second**2 + self.between**2
        return 1 + 2 * self.first * self.second * self.between - squares

    def covariance(self, first: float, second: float) -> float:
        """Asymptotic covariance of the two correlations, times n, at assumed values of them."""
        unexplained_share = 1 - first**2 - second**2
        return (
            self.between * unexplained_share
            - first * second * (unexplained_share - self.between**2) / 2
        )


@dataclass(frozen=True, slots=True)
class SeparateCorrelations:
    """Correlations within and across two pairs of variables, (j, k) and (h, m), over n items."""

    first: float
    second: float
    jh: float
    jm: float
    kh: float
    km: float
    n: int

    def covariance(self, first: float, second: float) -> float:
        """Asymptotic covariance of the two correlations, times n, at assumed values of them."""
        jh, jm, kh, km = self.jh, self.jm, self.kh, self.km
        return (
            (jh - first * kh) * (km - kh * second)
            + (jm - jh * second) * (kh - first * jh)
            + (jh - jm * second) * (km - first * jm)
            + (jm - first * km) * (kh - km * second)
        ) / 2


def _fisher_difference(
    pair: OverlappingCorrelations | SeparateCorrelations, first: float, second: float
) -> float:
    """Return the difference of Fisher's z, with its covariance at assumed correlations."""
    scaled_covariance = pair.covariance(first, second) / ((1 - first**2) * (1 - second**2))
    difference = math.atanh(pair.first) - math.atanh(pair.second)
    return difference * math.sqrt((pair.n - 3) / (2 - 2 * scaled_covariance))


def _pearson_filon(pair: OverlappingCorrelations | SeparateCorrelations) -> float:
    r, s = pair.first, pair.second
    variance = (1 - r**2) ** 2 + (1 - s**2) ** 2 - 2 * pair.covariance(r, s)
    return math.sqrt(pair.n) * (r - s) / math.sqrt(variance)


def _z_at_estimates(pair: OverlappingCorrelations | SeparateCorrelations) -> float:
    return _fisher_difference(pair, pair.first, pair.second)


def _z_at_mean_r(pair: OverlappingCorrelations | SeparateCorrelations) -> float:
    mean = (pair.first + pair.second) / 2
    return _fisher_difference(pair, mean, mean)


def _z_at_mean_z(pair: OverlappingCorrelations | SeparateCorrelations) -> float:
    mean = math.tanh((math.atanh(pair.first) + math.atanh(pair.second)) / 2)
    return _fisher_difference(pair, mean, mean)


def _williams(pair: OverlappingCorrelations) -> float:
    n, mean = pair.n, (pair.first + pair.second) / 2
    spread = 2 * (n - 1) / (n - 3) * pair.determinant + mean**2 * (1 - pair.between) ** 3
    return (pair.first - pair.second) * math.sqrt((n - 1) * (1 + pair.between) / spread)


def _hotelling(pair: OverlappingCorrelations) -> float:
    ratio = (pair.n - 3) * (1 + pair.between) / (2 * pair.determinant)
    return (pair.first - pair.second) * math.sqrt(ratio)


def meng_error(pair: OverlappingCorrelations) -> float:
    """Return the standard error of the difference of Fisher's z by Meng and others."""
    mean_square = (pair.first**2 + pair.second**2) / 2
    f = min(1.0, (1 - pair.between) / (2 * (1 - mean_square)))
    h = (1 - f * mean_square) / (1 - mean_square)
    return math.sqrt(2 * (1 - pair.between) * h / (pair.n - 3))


def _meng(pair: OverlappingCorrelations) -> float:
    return (math.atanh(pair.first) - math.atanh(pair.second)) / meng_error(pair)


#: Statistics for overlapping correlations.
OVERLAPPING_STATISTICS: Mapping[str, Callable[[OverlappingCorrelations], float]] = {
    "williams": _williams,
    "steiger": _z_at_mean_r,
    "meng": _meng,
    "hittner": _z_at_mean_z,
    "dunn-clark": _z_at_estimates,
    "hotelling": _hotelling,
    "pearson-filon": _pearson_filon,
}

#: Statistics for separate correlations.
SEPARATE_STATISTICS: Mapping[str, Callable[[SeparateCorrelations], float]] = {
    "steiger": _z_at_mean_r,
    "silver": _z_at_mean_z,
    "dunn-clark": _z_at_estimates,
    "raghunathan": _z_at_estimates,
    "pearson-filon": _pearson_filon,
}


CorrelationTest = Literal[
    "williams", "steiger", "zou", "meng", "hittner", "dunn-clark", "hotelling", "pearson-filon",
    "silver", "raghunathan",
]  # fmt: skip
TestedCoefficient = Literal["pearson", "spearman", "kendall"]
_CORRELATION_FUNCTIONS = {"pearson": pearson, "spearman": spearman, "kendall": kendall}
# Tests whose statistic is t on n - 3 degrees of freedom; the others are normal.
_STUDENT_TESTS = ("williams", "hotelling")


@dataclass(frozen=True, slots=True)
class CorrelationDifference:
    """The difference between two correlations."""

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
        The scores they are correlated with.
    other_human
        The scores the second metric is correlated with, if different. The correlations then do
        not overlap.
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
        The confidence level of the intervals.

    Notes
    -----
    With a correlation of 1 or -1 or a constant sample, p is undefined (NaN); metrics with equal
    correlations have a two-sided p of 1. All of these tests assume independent, normal items and
    ignore the inputs behind a system's mean: `clustered_difference` resamples systems and inputs
    instead (reading 25).

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
    allowed_tests = [
        "zou",
        *(OVERLAPPING_STATISTICS if other_human is None else SEPARATE_STATISTICS),
    ]
    if test not in allowed_tests:
        raise InputError(f"`test` is {test!r}", hint=f"use one of {', '.join(allowed_tests)}")
    check_choice(coefficient, "coefficient", TestedCoefficient)
    check_choice(alternative, "alternative", Alternative)
    share(confidence_level, "confidence_level")
    inputs = {"first": first, "second": second, "human": human}
    if other_human is not None:
        inputs["other_human"] = other_human
    columns = [vector(values, name, min_size=4) for name, values in inputs.items()]
    n = len(columns[0])
    if any(len(column) != n for column in columns):
        lengths = (f"`{name}` has {len(c)}" for name, c in zip(inputs, columns, strict=True))
        message = f"the numbers of values differ: {', '.join(lengths)}"
        raise ShapeError(message, hint="give one per item")

    def correlate(a: int, b: int) -> float:
        return _CORRELATION_FUNCTIONS[coefficient](columns[a], columns[b]).value

    pair: OverlappingCorrelations | SeparateCorrelations
    if other_human is None:
        pair = OverlappingCorrelations(correlate(0, 2), correlate(1, 2), correlate(0, 1), n)
    else:
        pair = SeparateCorrelations(
            correlate(0, 2),
            correlate(1, 3),
            jh=correlate(0, 1),
            jm=correlate(0, 3),
            kh=correlate(2, 1),
            km=correlate(2, 3),
            n=n,
        )
    reason = ""
    if math.isnan(pair.first + pair.second):
        reason = "all values of a sample are equal"
    elif max(abs(pair.first), abs(pair.second)) >= 1 - 1e-12:
        reason = "a correlation is 1 or -1"
    statistic = p = math.nan
    interval, z_interval = Interval(math.nan, math.nan, confidence_level), None
    if not reason:
        from scipy.stats import norm

        statistic, p = _statistic_and_p(pair, test, alternative)
        z = float(norm.isf((1 - confidence_level) / 2))
        interval = Interval(*_zou_bounds(pair, z), confidence_level)
        if test == "meng" and isinstance(pair, OverlappingCorrelations):
            center = math.atanh(pair.first) - math.atanh(pair.second)
            half_width = z * (meng_error(pair) if pair.between < 1 else 0.0)
            z_interval = Interval(center - half_width, center + half_width, confidence_level)
    difference, df = pair.first - pair.second, n - 3 if test in _STUDENT_TESTS else math.inf
    values = difference, p, statistic, df, interval, z_interval
    return CorrelationDifference(pair.first, pair.second, *values, n, test, reason)


def _statistic_and_p(
    pair: OverlappingCorrelations | SeparateCorrelations,
    test: CorrelationTest,
    alternative: Alternative,
) -> tuple[float, float]:
    from scipy.stats import norm, t

    if test == "zou":
        return math.nan, _zou_p_value(pair, alternative)
    statistic = 0.0
    # The difference of perfectly correlated metrics has no variance to divide by.
    if abs(pair.first - pair.second) > 1e-12:
        statistic = (
            OVERLAPPING_STATISTICS[test](pair)
            if isinstance(pair, OverlappingCorrelations)
            else SEPARATE_STATISTICS[test](pair)
        )
    null_distribution = t(pair.n - 3) if test in _STUDENT_TESTS else norm
    p = one_sided(
        float(null_distribution.sf(statistic)), float(null_distribution.cdf(statistic)), alternative
    )
    return statistic, p


def _zou_bounds(
    pair: OverlappingCorrelations | SeparateCorrelations, z: float
) -> tuple[float, float]:
    """Combine Fisher's limits of both correlations, given their covariance."""
    r, s = pair.first, pair.second
    scaled_covariance = pair.covariance(r, s) / ((1 - r**2) * (1 - s**2))
    half_width = z / math.sqrt(pair.n - 3)
    r_low, r_high, s_low, s_high = (
        math.tanh(math.atanh(value) + offset)
        for value in (r, s)
        for offset in (-half_width, half_width)
    )

    def distance(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a**2 + b**2 - 2 * scaled_covariance * a * b))

    return r - s - distance(r - r_low, s_high - s), r - s + distance(r_high - r, s - s_low)


def _zou_p_value(
    pair: OverlappingCorrelations | SeparateCorrelations, alternative: Alternative
) -> float:
    """Find the level at which an end of the interval is 0."""
    from scipy.optimize import brentq
    from scipy.stats import norm

    difference = pair.first - pair.second
    end_index = 0 if difference > 0 else 1
    z, max_z = 0.0, 38.0
    if abs(difference) > 1e-12:
        crosses_zero = _zou_bounds(pair, max_z)[end_index] * difference < 0
        z = brentq(lambda z: _zou_bounds(pair, z)[end_index], 0.0, max_z) if crosses_zero else max_z
    tail = float(norm.sf(z))
    tails = (tail, 1 - tail) if difference > 0 else (1 - tail, tail)
    return one_sided(*tails, alternative)
