"""The studentized range distribution, for many values at once and far into the tail."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy.interpolate import CubicSpline
from scipy.special import gammaln, log_ndtr

from pyramidion._types import Floats

__all__ = ["tukey_critical", "tukey_p"]

# Beyond this the range of standard normals has no probability a float can hold.
_FARTHEST = 50.0

# Values handled at once, each with some hundreds of places of its integral.
_AT_ONCE = 512


def tukey_p(t: npt.ArrayLike, groups: int, df: float) -> Floats:
    r"""Give Tukey's p-values of differences in units of their standard errors.

    With q = √2 |t|, the probability that the largest of all differences among `groups` means
    is at least so large:

    .. math:: P_\infty(q) = k \int \varphi(z)
              \left\{\Phi(z)^{k-1} - [\Phi(z) - \Phi(z - q)]^{k-1}\right\} dz, \qquad
              P_\nu(q) = \int f_\nu(s) P_\infty(q s)\, ds

    where f is the density of s/σ. The difference in braces is taken before integrating, so
    that small p-values keep their digits; both integrals are trapezoidal sums, which are as
    good as exact for functions that die out smoothly at both ends.

    Parameters
    ----------
    t
        Differences over their standard errors; NaN stays NaN.
    groups
        How many means are compared.
    df
        Degrees of freedom of the standard errors; infinity for a known variance.

    References
    ----------
    .. [1] J. W. Tukey, "The problem of multiple comparisons", 1953.

    Examples
    --------
    >>> tukey_p([0.0, 3.0], 5, np.inf).round(6).tolist()
    [1.0, 0.022659]
    >>> tukey_p([0.0, 3.0], 5, 28).round(6).tolist()
    [1.0, 0.041183]
    """
    q = np.sqrt(2) * np.minimum(np.abs(np.atleast_1d(np.asarray(t, dtype=np.float64))), 1e100)
    p = np.full(q.shape, np.nan)
    for places in np.array_split(np.flatnonzero(~np.isnan(q)), 1 + len(q) // _AT_ONCE):
        if len(places):
            part = q[places]
            tail = _normal_tail(part, groups) if np.isinf(df) else _student_tail(part, groups, df)
            p[places] = np.minimum(tail, 1.0)
    return p


def tukey_critical(confidence_level: float, groups: int, df: float) -> float:
    """Give the difference, in standard errors, that Tukey's test calls significant.

    Examples
    --------
    >>> round(tukey_critical(0.95, 5, 28), 5)
    2.91349
    """

    def excess(t: float) -> float:
        return float(tukey_p(t, groups, df)[0]) - (1 - confidence_level)

    high = 4.0
    while excess(high) > 0:
        high *= 2
    from scipy.optimize import brentq

    return float(brentq(excess, 0, high, xtol=1e-13, rtol=1e-13))


def _normal_tail(q: Floats, groups: int) -> Floats:
    """Integrate over the largest of the normal values, which is near q / 2 when q is large."""
    step = 0.05
    z = q / 2 + np.arange(-9, 9, step)[:, None]
    below = log_ndtr(z)
    with np.errstate(divide="ignore"):
        none_far = np.log1p(-np.exp(log_ndtr(z - q) - below))
    density = np.exp(-(z**2) / 2 + (groups - 1) * below)
    inside = -(density * np.expm1((groups - 1) * none_far)).sum(axis=0)
    tail: Floats = inside * (step * groups / np.sqrt(2 * np.pi))
    return tail


@lru_cache(maxsize=8)
def _log_tail(groups: int) -> "CubicSpline[np.float64]":
    """Tabulate the logarithm of the tail for a known variance."""
    grid = np.linspace(0, _FARTHEST, 5001)
    return CubicSpline(grid, np.log(tukey_p(grid / np.sqrt(2), groups, np.inf)))


def _student_tail(q: Floats, groups: int, df: float) -> Floats:
    """Integrate over v = log(s / σ), around where the integrand is largest for each q."""
    step, reach = min(0.2 / np.sqrt(df), 0.025), 7 / np.sqrt(df)
    v = -np.log1p(q**2 / (2 * df)) / 2 + np.arange(-reach - 40 / df, reach, step)[:, None]
    size = q * np.exp(v)
    log_constant = np.log(2 * step) + df / 2 * np.log(df / 2) - gammaln(df / 2)
    log_density = log_constant + df * (v - np.exp(2 * v) / 2)
    part = np.exp(log_density + _log_tail(groups)(np.minimum(size, _FARTHEST)))
    tail: Floats = np.where(size < _FARTHEST, part, 0).sum(axis=0)
    return tail
