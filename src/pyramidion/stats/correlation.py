"""Pearson's r, Spearman's rho and Kendall's tau-b of two samples."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.dense_ranks import Ranks, dense_ranks
from pyramidion.stats.differences import midranks, noise_level
from pyramidion.stats.inputs import Alternative, choice, one_sided, paired

__all__ = ["Correlation", "KendallMethod", "kendall", "pearson", "spearman", "undefined_reason"]

KendallMethod = Literal["auto", "exact", "normal"]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation coefficient.

    Attributes
    ----------
    value
        The coefficient; NaN where it is undefined.
    p
        Of the hypothesis that there is no association; NaN where it is undefined.
    statistic
        What the p-value was read from: t, z, or NaN for an exact p-value.
    n
        The number of pairs.
    method
        How the p-value was found, or the version of the coefficient.
    undefined
        Why there is no value; empty where there is one.

    Examples
    --------
    >>> pearson([1, 2, 3], [5, 5, 5]).undefined
    'all values of `y` are equal'
    """

    value: float
    p: float
    statistic: float
    n: int
    method: str
    undefined: str = ""


def undefined_reason(x: Floats, y: Floats) -> str:
    """Say which of two samples is constant, up to rounding noise; nothing if neither is.

    Examples
    --------
    >>> undefined_reason(np.array([1.0, 2.0]), np.array([0.3, 0.1 + 0.2]))
    'all values of `y` are equal'
    """
    for values, name in ((x, "x"), (y, "y")):
        if np.ptp(values) <= noise_level(values):
            return f"all values of `{name}` are equal"
    return ""


def pearson(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided"
) -> Correlation:
    r"""Pearson's correlation coefficient.

    Parameters
    ----------
    x, y
        Paired samples.
    alternative
        ``two-sided``, ``greater`` (the correlation is positive) or ``less``.

    Returns
    -------
    Correlation
        With the p-value of :math:`t = r\sqrt{(n-2)/(1-r^2)}` on n - 2 degrees of freedom; of
        two points only p = 1 can be said. A constant sample leaves it undefined.

    Examples
    --------
    >>> result = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(result.value, 3), round(result.p, 3)
    (0.8, 0.2)
    """
    first, second = paired(x, y, least=2)
    return _moment_correlation(first, second, undefined_reason(first, second), alternative)


def spearman(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided"
) -> Correlation:
    """Spearman's rank correlation: Pearson's r of the mean ranks.

    Parameters
    ----------
    x, y
        Paired samples; values that differ by rounding noise only are tied.
    alternative
        ``two-sided``, ``greater`` (the correlation is positive) or ``less``.

    Returns
    -------
    Correlation
        With the p-value of the t approximation, as :func:`pearson`.

    Examples
    --------
    >>> round(spearman([1, 2, 3, 4], [10, 30, 20, 400]).value, 3)
    0.8
    """
    first, second = paired(x, y, least=2)
    reason = undefined_reason(first, second)
    a, b = midranks(dense_ranks(first)), midranks(dense_ranks(second))
    return _moment_correlation(a, b, reason, alternative)


def _moment_correlation(x: Floats, y: Floats, reason: str, alternative: Alternative) -> Correlation:
    choice(alternative, "alternative", Alternative)
    n = len(x)
    if reason:
        return Correlation(math.nan, math.nan, math.nan, n, "t", reason)
    a, b = _centred(x), _centred(y)
    r = float(np.clip(a @ b / math.sqrt((a @ a) * (b @ b)), -1, 1))
    if n == 2:
        return Correlation(r, 1.0, math.nan, n, "t")
    rest = (1 - r) * (1 + r)
    t = r * math.sqrt((n - 2) / rest) if rest else math.copysign(math.inf, r)
    return Correlation(r, _t_p_value(t, n - 2, alternative), t, n, "t")


def _centred(values: Floats) -> Floats:
    """Subtract the mean, and scale so that no square is too large or too small."""
    centred = values - values.mean()
    scaled: Floats = centred / np.abs(centred).max()
    return scaled


def _t_p_value(t: float, df: int, alternative: Alternative) -> float:
    from scipy.stats import t as student

    return one_sided(float(student.sf(t, df)), float(student.cdf(t, df)), alternative)


def kendall(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    method: KendallMethod = "auto",
    alternative: Alternative = "two-sided",
) -> Correlation:
    r"""Kendall's tau-b.

    .. math:: \tau_b = (C - D) / \sqrt{(n_0 - n_x)(n_0 - n_y)}

    with C concordant and D discordant of :math:`n_0 = n(n-1)/2` pairs, of which n_x are tied in
    x and n_y in y.

    Parameters
    ----------
    x, y
        Paired samples; values that differ by rounding noise only are tied.
    method
        Of the p-value: ``exact`` (no ties allowed), ``normal`` (C - D over its standard
        deviation with correction for ties, no continuity correction), or ``auto``: exact where
        there are no ties and fewer than 50 pairs. The result says which was used.
    alternative
        ``two-sided``, ``greater`` (the correlation is positive) or ``less``.

    References
    ----------
    M. G. Kendall. Rank Correlation Methods. 4th edition, Griffin, 1970.

    Examples
    --------
    >>> result = kendall([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(result.value, 3), round(result.p, 3), result.method
    (0.667, 0.333, 'exact')
    """
    choice(method, "method", KendallMethod)
    choice(alternative, "alternative", Alternative)
    first, second = paired(x, y, least=2)
    ranks = dense_ranks(first), dense_ranks(second)
    tied = any(int(values.max()) < len(values) - 1 for values in ranks)
    if method == "exact" and tied:
        raise InputError("an exact p-value of tau with ties", hint="use `method` normal or auto")
    exact = method == "exact" or (method == "auto" and not tied and len(first) < 50)
    used = "exact" if exact else "normal"
    if reason := undefined_reason(first, second):
        return Correlation(math.nan, math.nan, math.nan, len(first), used, reason)
    return _exact_kendall(*ranks, alternative) if exact else _normal_kendall(*ranks, alternative)


def _exact_kendall(x: Ranks, y: Ranks, alternative: Alternative) -> Correlation:
    from scipy.stats import kendalltau

    found = kendalltau(x, y, method="exact", alternative=alternative)
    return Correlation(float(found.statistic), float(found.pvalue), math.nan, len(x), "exact")


def _normal_kendall(x: Ranks, y: Ranks, alternative: Alternative) -> Correlation:
    from scipy.stats import kendalltau, norm

    tau, n = float(kendalltau(x, y, method="asymptotic").statistic), len(x)
    ties = [np.bincount(ranks).astype(np.float64) for ranks in (x, y)]
    untied = [n * (n - 1) / 2 - float(t @ (t - 1)) / 2 for t in ties]
    z = tau * math.sqrt(untied[0] * untied[1]) / math.sqrt(_agreement_variance(n, *ties))
    p = one_sided(float(norm.sf(z)), float(norm.cdf(z)), alternative)
    return Correlation(tau, p, z, n, "normal")


def _agreement_variance(n: int, t: Floats, u: Floats) -> float:
    """Variance of C - D under no association, for groups of t and u tied values."""
    spread = n * (n - 1) * (2 * n + 5) - sum(float(g * (g - 1) @ (2 * g + 5)) for g in (t, u))
    pairs = float(t @ (t - 1)) * float(u @ (u - 1)) / (2 * n * (n - 1))
    if n == 2:
        return spread / 18 + pairs
    triples = float(t * (t - 1) @ (t - 2)) * float(u * (u - 1) @ (u - 2))
    return spread / 18 + pairs + triples / (9 * n * (n - 1) * (n - 2))
