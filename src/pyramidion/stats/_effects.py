"""Effect sizes, and the efficiency of the signed-rank test."""

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.integrate import IntegrationWarning, quad
from scipy.special import chdtrc, ndtr, ndtri

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats._inputs import Interval, paired, share
from pyramidion.stats._paired_tests import MOST_EXACT, paired_t, signed_rank_distribution
from pyramidion.stats._pairs import clean_differences, midranks


def noncentral_t_cdf(t: float, df: float, noncentrality: float) -> float:
    r"""Return the chance that (Z + c) / s is at most t, where s² is a mean of df squares.

    Either integral is a trapezoidal sum over a smooth function: with t small beside √df,
    :math:`E\,\Phi(ts - c)` over log s; else :math:`E\,P(s \ge (Z + c)/t)` over Z. SciPy's own
    is NaN in places, and its inverse never returns for very large t.
    """
    if t < 0:
        return 1 - noncentral_t_cdf(-t, df, -noncentrality)
    if t * t <= 9 * df:
        step = 0.1 / df**0.5
        log_s = np.arange(-6 / df**0.5 - 40 / df, 6 / df**0.5, step)
        weight: Floats = np.exp(df * (log_s + 0.5 - np.exp(2 * log_s) / 2))
        chance: Floats = ndtr(t * np.exp(log_s) - noncentrality)
    else:
        z = np.arange(-9, 9, 0.02)
        weight = np.exp(-(z**2) / 2)
        chance = np.asarray(chdtrc(df, df * (np.maximum(z + noncentrality, 0) / t) ** 2))
    return float(weight @ chance / weight.sum())


def noncentrality(t: float, df: float, chance: float) -> float:
    """Find the noncentrality under which the observed t is reached with the given chance."""
    # The numerator is within 10 of its mean, and s is below 5 except with chance 1e-6.
    reach = 10 + 5 * abs(t)
    from scipy.optimize import brentq

    return float(brentq(lambda c: noncentral_t_cdf(t, df, c) - chance, -reach, reach, xtol=1e-12))


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect size with its interval over n pairs; `note` says why it is undefined, if it is."""

    value: float
    interval: Interval
    n: int
    note: str = ""


def mean_difference(
    x: npt.ArrayLike, y: npt.ArrayLike, *, confidence_level: float = 0.95
) -> Effect:
    """Return the mean of the differences, with Student's interval.

    Examples
    --------
    >>> found = mean_difference([3, 4, 4, 2, 3], [2, 1, 5, 2, 2])
    >>> found.value, round(found.interval.low, 3), round(found.interval.high, 3)
    (0.8, -1.042, 2.642)
    """
    found = paired_t(x, y, confidence_level=confidence_level)
    return Effect(found.difference, found.interval, found.n[0], found.note)


def cohen_dz(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence_level: float = 0.95) -> Effect:
    r"""Return the mean difference in standard deviations of the differences.

    The interval inverts the noncentral t distribution of :math:`\sqrt n\, d_z` and is exact for
    normal differences. Differences without spread have no :math:`d_z`, except 0 if all are zero.

    Parameters
    ----------
    x, y
        The paired samples.
    confidence_level
        Of the interval.

    References
    ----------
    .. [1] J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 1988.

    Examples
    --------
    >>> found = cohen_dz([3, 4, 4, 2, 3], [2, 1, 5, 2, 2])
    >>> round(found.value, 3), round(found.interval.low, 3), round(found.interval.high, 3)
    (0.539, -0.436, 1.46)
    """
    found = paired_t(x, y, confidence_level=confidence_level)
    root = math.sqrt(found.n[0])
    if found.note:
        return Effect(found.statistic, found.interval, found.n[0], found.note)
    tail = (1 - confidence_level) / 2
    low, high = (noncentrality(found.statistic, found.df, q) / root for q in (1 - tail, tail))
    return Effect(found.statistic / root, Interval(low, high, confidence_level), found.n[0])


def rank_biserial(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence_level: float = 0.95) -> Effect:
    r"""Return the matched-pairs rank-biserial correlation: signed W over its largest value.

    Zero differences are dropped. The interval is Wilson's for the share of W+ with the
    effective size :math:`\tfrac32 n(n+1)/(2n+1)`, which gives W+ its variance under the null
    hypothesis. NaN if all differences are zero.

    Parameters
    ----------
    x, y
        The paired samples.
    confidence_level
        Of the interval.

    References
    ----------
    .. [1] D. S. Kerby, "The simple difference formula", Comprehensive Psychology 3, 2014.

    Examples
    --------
    >>> round(rank_biserial([3, 4, 4, 2, 3], [2, 1, 5, 2, 2]).value, 3)
    0.6
    """
    share(confidence_level, "confidence_level")
    difference = clean_differences(*paired(x, y))
    difference = difference[difference != 0]
    n = len(difference)
    if not n:
        nowhere = Interval(math.nan, math.nan, confidence_level)
        return Effect(math.nan, nowhere, 0, "every difference is zero")
    plus = float(midranks(np.abs(difference))[difference > 0].sum()) / (n * (n + 1) / 2)
    low, high = wilson_interval(plus, 1.5 * n * (n + 1) / (2 * n + 1), confidence_level)
    return Effect(2 * plus - 1, Interval(2 * low - 1, 2 * high - 1, confidence_level), n)


def walsh_probability(
    x: npt.ArrayLike, y: npt.ArrayLike, *, confidence_level: float = 0.95
) -> Effect:
    r"""Estimate P(Z₁ + Z₂ > 0), what W looks at: two topics together favor `x`.

    .. math:: U = \binom n2^{-1} \sum_{i<j} \left(1[Z_i + Z_j > 0]
              + \tfrac12 1[Z_i + Z_j = 0]\right)

    over all differences, zeros included; 1/2 means no preference (reading 21). The interval is
    Wilson's with the effective size :math:`3n(n-1)/(4n-2)`, which gives U its variance when the
    differences are symmetric about zero, and stays inside 0 and 1.

    Parameters
    ----------
    x, y
        The paired samples, two pairs at least.
    confidence_level
        Of the interval.

    References
    ----------
    .. [1] R. H. Randles and D. A. Wolfe, "Introduction to the Theory of Nonparametric
       Statistics", 1979, chapter 3.

    Examples
    --------
    >>> found = walsh_probability([3, 4, 4, 2, 3], [2, 1, 5, 2, 2])
    >>> found.value, round(found.interval.low, 3), round(found.interval.high, 3)
    (0.8, 0.306, 0.973)
    """
    share(confidence_level, "confidence_level")
    z = np.sort(clean_differences(*paired(x, y, least=2)))
    n = len(z)
    below, upto = np.searchsorted(z, -z, side="left"), np.searchsorted(z, -z, side="right")
    # Half the equal ones count; each difference was also paired with itself.
    ahead = np.sum(n - (below + upto) / 2) - np.sum((np.sign(z) + 1) / 2)
    value = float(ahead) / (n * (n - 1))
    low, high = wilson_interval(value, 3 * n * (n - 1) / (4 * n - 2), confidence_level)
    return Effect(value, Interval(low, high, confidence_level), n)


def hodges_lehmann(x: npt.ArrayLike, y: npt.ArrayLike, *, confidence_level: float = 0.95) -> Effect:
    """Return the shift that W would not notice: the median of all means of two differences.

    The interval runs between the order statistics of these means that the exact distribution
    of W (normal above 1000 differences) allows; it is at least as wide as asked for, unless the
    whole range of the means is not.

    Parameters
    ----------
    x, y
        The paired samples.
    confidence_level
        Of the interval.

    References
    ----------
    .. [1] J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals
       of Mathematical Statistics 34, 1963.

    Examples
    --------
    >>> found = hodges_lehmann([3, 4, 4, 2, 3, 6, 7, 8], [2, 1, 5, 2, 2, 3, 3, 4])
    >>> found.value, found.interval.low, found.interval.high
    (2.0, 0.0, 3.5)
    """
    share(confidence_level, "confidence_level")
    first, second = paired(x, y)
    difference = first - second
    n = len(difference)
    walsh = np.sort(np.add.outer(difference, difference)[np.triu_indices(n)] / 2)
    cut = max(_lower_quantile((1 - confidence_level) / 2, n), 1)
    interval = Interval(float(walsh[cut - 1]), float(walsh[-cut]), confidence_level)
    return Effect(float(np.median(walsh)), interval, n)


def _lower_quantile(chance: float, n: int) -> int:
    """Find the smallest value that W+ of n untied differences is at most with this chance."""
    if n > MOST_EXACT:
        spread = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        return math.floor(n * (n + 1) / 4 + float(ndtri(chance)) * spread)
    chances = signed_rank_distribution(np.arange(1.0, n + 1))[::2]
    return int(np.searchsorted(np.cumsum(chances), chance))


def wilson_interval(value: float, size: float, confidence_level: float) -> tuple[float, float]:
    """Return Wilson's interval for a share."""
    z2 = float(ndtri((1 + confidence_level) / 2)) ** 2
    center = (value + z2 / (2 * size)) / (1 + z2 / size)
    reach = math.sqrt(z2 * (value * (1 - value) / size + z2 / (4 * size**2))) / (1 + z2 / size)
    return max(min(center - reach, value), 0.0), min(max(center + reach, value), 1.0)


Density = Callable[[float], float]


def wilcoxon_efficiency(density: Density, *, reach: float = math.inf) -> float:
    r"""Return the asymptotic relative efficiency of W against the paired T.

    For differences with the symmetric density f shifted by a little,

    .. math:: ARE(W, T) = 12\, \sigma^2 \left(\int f(z)^2\, dz\right)^2

    is the ratio of sample sizes that T and W need for the same power: 3/π = 0.955 for normal
    differences, more for heavy tails, and never less than 0.864.

    Parameters
    ----------
    density
        A density that is symmetric about 0, as a function of one number.
    reach
        Where it ends: it is 0 beyond ± `reach`.

    Returns
    -------
    float
        The efficiency.

    References
    ----------
    .. [1] J. L. Hodges and E. L. Lehmann, "The efficiency of some nonparametric competitors of
       the t-test", Annals of Mathematical Statistics 27, 1956.
    .. [2] R. H. Randles and D. A. Wolfe, "Introduction to the Theory of Nonparametric
       Statistics", 1979, section 5.4.

    Examples
    --------
    >>> round(wilcoxon_efficiency(lambda z: math.exp(-z * z / 2) / math.sqrt(2 * math.pi)), 4)
    0.9549
    >>> round(wilcoxon_efficiency(lambda z: 0.75 * (1 - z * z), reach=1), 4)
    0.864
    """
    if not reach > 0:
        raise InputError(f"`reach` is {reach}", hint="it is where the density ends, above 0")
    _require_symmetry(density, reach)
    total = 2 * _integral(density, reach, "density")
    if not math.isclose(total, 1, rel_tol=1e-6):
        hint = "scale it, or say with `reach` where it ends"
        raise InputError(f"`density` integrates to {total:.6g} instead of 1", hint=hint)
    variance = 2 * _integral(lambda z: z * z * density(z), reach, "variance of the density")
    squared = 2 * _integral(lambda z: density(z) ** 2, reach, "square of the density")
    return 12 * variance * squared**2


def _require_symmetry(density: Density, reach: float) -> None:
    for part in (0.05, 0.2, 0.45, 0.7, 0.95):
        z = part * reach if math.isfinite(reach) else part / (1 - part)
        left, right = density(-z), density(z)
        if not math.isclose(left, right, rel_tol=1e-6, abs_tol=1e-12):
            what = f"`density` is {left:.6g} at {-z:.6g} and {right:.6g} at {z:.6g}"
            raise InputError(what, hint="it must be symmetric about 0")


def _integral(function: Density, reach: float, name: str) -> float:
    """Integrate over the positive half."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", IntegrationWarning)
        try:
            return float(quad(function, 0, reach, limit=200)[0])
        except IntegrationWarning:
            raise InputError(
                f"the {name} has no finite integral that can be found",
                hint="with an infinite variance W is infinitely more efficient than T",
            ) from None
