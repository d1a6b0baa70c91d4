"""The noncentral t distribution and its noncentrality, anywhere and in bounded time."""

import numpy as np
from scipy.special import chdtrc, ndtr

from pyramidion._types import Floats

__all__ = ["noncentral_t_cdf", "noncentrality"]


def noncentral_t_cdf(t: float, df: float, noncentrality: float) -> float:
    r"""Give the chance that (Z + c) / s is at most t, where s² is a mean of df squares.

    Either integral is a trapezoidal sum over a smooth function: with t small beside √df,
    :math:`E\,\Phi(ts - c)` over log s; else :math:`E\,P(s \ge (Z + c)/t)` over Z. SciPy's own
    is NaN in places, and its inverse never returns for very large t.

    Parameters
    ----------
    t
        The bound.
    df
        Degrees of freedom of s.
    noncentrality
        c, the mean of the numerator.

    Examples
    --------
    >>> round(noncentral_t_cdf(1.96, 1e6, 0.0), 4)
    0.975
    >>> round(noncentral_t_cdf(3.0, 47, 2.0), 6)
    0.826463
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
    """Find the noncentrality under which the observed t is reached with the given chance.

    Parameters
    ----------
    t
        The observed value.
    df
        Its degrees of freedom.
    chance
        Of a value at most `t`.

    Examples
    --------
    >>> round(noncentrality(3.0, 47, 0.025), 4)
    5.0366
    """
    # The numerator is within 10 of its mean, and s is below 5 except with chance 1e-6.
    reach = 10 + 5 * abs(t)
    from scipy.optimize import brentq

    return float(brentq(lambda c: noncentral_t_cdf(t, df, c) - chance, -reach, reach, xtol=1e-12))
