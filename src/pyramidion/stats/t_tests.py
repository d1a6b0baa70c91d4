"""The t tests: paired, pooled and Welch."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy.special import stdtr, stdtrit

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.differences import noise_level
from pyramidion.stats.inputs import Alternative, Interval, choice, one_sided, paired, share, vector

__all__ = ["TTest", "paired_t", "unpaired_t"]

Variance = Literal["pooled", "welch"]
Kind = Literal["paired", "pooled", "welch"]


@dataclass(frozen=True, slots=True)
class TTest:
    """What a t test found.

    Parameters
    ----------
    difference
        The mean of `x` less the mean of `y`.
    standard_error
        Of the difference.
    statistic
        t; 0 where nothing differs or varies, NaN where something differs and nothing varies.
    df
        Degrees of freedom.
    p
        The p-value for `alternative`; 1 or NaN where `note` says so.
    interval
        For the difference; one-sided for a one-sided alternative.
    n
        The sizes of `x` and `y`.
    kind
        ``"paired"``, ``"pooled"`` or ``"welch"``.
    alternative
        As asked for.
    note
        Why t is undefined, or empty.

    Examples
    --------
    >>> paired_t([2, 3], [1, 2]).note
    'no spread: every difference is the same'
    """

    difference: float
    standard_error: float
    statistic: float
    df: float
    p: float
    interval: Interval
    n: tuple[int, int]
    kind: Kind
    alternative: Alternative
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Estimate:
    """A difference of means before it is tested."""

    difference: float
    error: float
    df: float
    n: tuple[int, int]
    note: str
    noise: float


def paired_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TTest:
    r"""Test whether the mean of paired differences is zero.

    .. math:: t = \bar Z \big/ (s_Z / \sqrt n), \quad Z = X - Y, \quad n - 1 \text{ df}

    (3.7.1.1 leaves √n out and 3.2 takes Y - X: reading 8.) When all differences are the same,
    up to rounding noise, t is undefined: it is 0 with p = 1 if they are zero, else NaN.

    Parameters
    ----------
    x, y
        The paired samples, two pairs at least.
    alternative
        ``"greater"``: the mean of `x` is larger.
    confidence_level
        Of the interval for the mean difference.

    Returns
    -------
    TTest
        t, degrees of freedom, p-value and interval.

    References
    ----------
    .. [1] Student, "The probable error of a mean", Biometrika 6, 1908.

    Examples
    --------
    >>> found = paired_t([3, 4, 4, 2, 3], [2, 1, 5, 2, 2])
    >>> round(found.statistic, 4), found.df, round(found.p, 4)
    (1.206, 4.0, 0.2943)
    """
    first, second = paired(x, y, least=2)
    difference, noise, size = first - second, noise_level(first, second), len(first)
    estimate = _Estimate(
        float(difference.mean()),
        float(difference.std(ddof=1)) / math.sqrt(size),
        size - 1.0,
        (size, size),
        _spread_note(noise, "every difference is", difference),
        noise,
    )
    return _finish(estimate, "paired", alternative, confidence_level)


def unpaired_t(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    variance: Variance = "pooled",
    alternative: Alternative = "two-sided",
    confidence_level: float = 0.95,
) -> TTest:
    r"""Test whether two independent samples have the same mean.

    ``"pooled"`` assumes one variance (chapter 4), ``"welch"`` does not (3.7; reading 20):

    .. math:: t_{pooled} = \frac{\bar X - \bar Y}{s_p\sqrt{1/n_x + 1/n_y}}, \qquad
              t_{Welch} = \frac{\bar X - \bar Y}{\sqrt{s_x^2/n_x + s_y^2/n_y}}

    With samples of one size the two t are equal and only the degrees of freedom differ. When
    both samples are constant, up to rounding noise, t is 0 with p = 1 if they are equal, else
    NaN.

    Parameters
    ----------
    x, y
        The samples; Welch's test needs two values of each, the pooled test three in all.
    variance
        How the variance is estimated.
    alternative
        ``"greater"``: the mean of `x` is larger.
    confidence_level
        Of the interval for the difference of the means.

    Returns
    -------
    TTest
        t, degrees of freedom, p-value and interval.

    References
    ----------
    .. [1] B. L. Welch, "The generalization of 'Student's' problem when several different
       population variances are involved", Biometrika 34, 1947.

    Examples
    --------
    >>> found = unpaired_t([3, 4, 4, 2], [2, 1, 3, 2, 2], variance="welch")
    >>> round(found.statistic, 4), round(found.df, 3), round(found.p, 4)
    (2.1787, 5.416, 0.0771)
    """
    choice(variance, "variance", Variance)
    least = 2 if variance == "welch" else 1
    first, second = vector(x, "x", least=least), vector(y, "y", least=least)
    if len(first) + len(second) < 3:
        raise InputError("one value of each sample says nothing of spread", hint="add values")
    noise = noise_level(first, second)
    estimate = _Estimate(
        float(first.mean() - second.mean()),
        *(_welch if variance == "welch" else _pooled)(first, second),
        (len(first), len(second)),
        _spread_note(noise, "the values of each sample are", first, second),
        noise,
    )
    return _finish(estimate, variance, alternative, confidence_level)


def _spread_note(noise: float, what: str, *samples: Floats) -> str:
    """Say that there is no spread, when values differ by rounding noise only."""
    # A spread whose square is no floating-point number is none either.
    constant = all(np.ptp(sample) <= max(noise, 1e-150) for sample in samples)
    return f"no spread: {what} the same" if constant else ""


def _pooled(x: Floats, y: Floats) -> tuple[float, float]:
    """Give the standard error and degrees of freedom when the variances are one."""
    df = len(x) + len(y) - 2.0
    squares = float(np.sum((x - x.mean()) ** 2) + np.sum((y - y.mean()) ** 2))
    return math.sqrt(squares / df * (1 / len(x) + 1 / len(y))), df


def _welch(x: Floats, y: Floats) -> tuple[float, float]:
    """Give the standard error and Satterthwaite's degrees of freedom."""
    a, b = float(x.var(ddof=1)) / len(x), float(y.var(ddof=1)) / len(y)
    if not a + b:
        return 0.0, math.nan
    share_x, share_y = a / (a + b), b / (a + b)
    return math.sqrt(a + b), 1 / (share_x**2 / (len(x) - 1) + share_y**2 / (len(y) - 1))


def _finish(estimate: _Estimate, kind: Kind, alternative: Alternative, level: float) -> TTest:
    """Turn a difference and its standard error into a result."""
    choice(alternative, "alternative", Alternative)
    share(level, "confidence_level")
    if estimate.note:
        t, p = (0.0, 1.0) if abs(estimate.difference) <= estimate.noise else (math.nan, math.nan)
        interval = Interval(math.nan, math.nan, level)
    else:
        t = estimate.difference / estimate.error
        p = one_sided(float(stdtr(estimate.df, -t)), float(stdtr(estimate.df, t)), alternative)
        interval = _interval(estimate, alternative, level)
    return TTest(
        difference=estimate.difference,
        standard_error=estimate.error,
        statistic=t,
        df=estimate.df,
        p=p,
        interval=interval,
        n=estimate.n,
        kind=kind,
        alternative=alternative,
        note=estimate.note,
    )


def _interval(estimate: _Estimate, alternative: Alternative, level: float) -> Interval:
    tail = (1 - level) / (2 if alternative == "two-sided" else 1)
    reach = -float(stdtrit(estimate.df, tail)) * estimate.error
    low = -math.inf if alternative == "less" else estimate.difference - reach
    high = math.inf if alternative == "greater" else estimate.difference + reach
    return Interval(low, high, level)
