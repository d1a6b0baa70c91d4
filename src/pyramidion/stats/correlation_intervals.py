"""Confidence intervals of a correlation: bootstrap (percentile, BCa) and Fisher's z."""

import math
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.bootstrap import BootstrapInterval, checked_indices, interval_of_samples
from pyramidion.stats.bootstrap_intervals import Quantiles
from pyramidion.stats.inputs import Interval, Rng, choice, paired, share
from pyramidion.stats.pairs import Weights
from pyramidion.stats.weighted import Coefficient, weighted_correlations

__all__ = [
    "IntervalMethod",
    "correlation_interval",
    "draw_counts",
    "fisher_interval",
]

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
    """Give a correlation with a confidence interval.

    Parameters
    ----------
    x, y
        Paired samples.
    coefficient
        ``pearson``, ``spearman``, ``kendall`` (tau-b) or ``tau_ap`` (version b).
    method
        ``percentile`` (the default, as in the dissertation's text), ``bca`` (the default of
        MATLAB's bootci) or ``fisher`` (reading 12).
    quantiles
        ``linear``, or ``hazen`` as MATLAB does; see :func:`percentile_interval`.
    confidence_level
        Of the interval.
    n_resamples
        How many times to draw pairs with replacement.
    indices
        The draws themselves, one row of indices from 0 for each resample.
    rng
        A generator or a seed; seed 0 unless given.

    Returns
    -------
    BootstrapInterval
        Resamples in which the coefficient is undefined are counted and left out. With
        ``fisher`` there are no samples.

    Examples
    --------
    >>> result = correlation_interval([1, 2, 3, 4, 5], [1, 3, 2, 5, 4], coefficient="kendall")
    >>> round(result.value, 3), result.interval.low < 0.6 < result.interval.high
    (0.6, True)
    """
    choice(coefficient, "coefficient", Coefficient)
    choice(method, "method", IntervalMethod)
    first, second = paired(x, y, least=2)
    n = len(first)

    def under(weights: Weights) -> Floats:
        return weighted_correlations(first, second, weights, coefficient)

    value = float(under(np.ones((n, 1)))[0])
    if method == "fisher":
        interval = fisher_interval(value, n, coefficient, confidence_level=confidence_level)
        return BootstrapInterval(value, interval, np.empty(0), 0)
    drawn = checked_indices(indices, n, n_resamples, rng)
    return interval_of_samples(
        value,
        under(draw_counts(drawn, n)),
        lambda: [under(1 - np.eye(n))],
        method=method,
        confidence_level=confidence_level,
        quantiles=quantiles,
    )


def draw_counts(indices: Ints, n: int) -> Weights:
    """Count how often each of n items (rows) was drawn in each resample (columns).

    Examples
    --------
    >>> draw_counts(np.array([[0, 2, 2], [1, 1, 1]]), 3).tolist()
    [[1.0, 0.0], [0.0, 3.0], [2.0, 0.0]]
    """
    cells = indices + np.arange(len(indices))[:, None] * n
    counts = np.bincount(cells.ravel(), minlength=len(indices) * n)
    return np.ascontiguousarray(counts.reshape(len(indices), n).T, dtype=np.float32)


def fisher_interval(
    value: float, n: int, coefficient: Coefficient = "pearson", *, confidence_level: float = 0.95
) -> Interval:
    r"""Confidence interval by Fisher's z, :math:`\tanh(\operatorname{artanh} r \pm z s)`.

    The standard error s is :math:`1/\sqrt{n-3}` for Pearson's r, :math:`\sqrt{(1+\rho^2/2) /
    (n-3)}` for Spearman's rho and :math:`\sqrt{0.437/(n-4)}` for Kendall's tau.

    Parameters
    ----------
    value
        The coefficient.
    n
        The number of pairs it was computed from.
    coefficient
        Which one it is; for ``tau_ap`` no such interval is known.
    confidence_level
        Of the interval.

    Returns
    -------
    Interval
        NaN where there are too few pairs (three, or four for Kendall) or no value.

    References
    ----------
    D. G. Bonett and T. A. Wright. Sample size requirements for estimating Pearson, Kendall and
    Spearman correlations. Psychometrika 65(1), 2000.

    Examples
    --------
    >>> interval = fisher_interval(0.8, 30)
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.618, 0.901)
    """
    from scipy.special import ndtri

    choice(coefficient, "coefficient", Coefficient)
    level = share(confidence_level, "confidence_level")
    if coefficient == "tau_ap":
        raise InputError("no Fisher interval of tau_ap is known", hint="use percentile or bca")
    fewest = 4 if coefficient == "kendall" else 3
    if math.isnan(value) or n <= fewest:
        return Interval(math.nan, math.nan, level)
    if abs(value) >= 1:
        return Interval(value, value, level)
    factor = {"pearson": 1.0, "spearman": 1 + value**2 / 2, "kendall": 0.437}[coefficient]
    half = float(ndtri((1 + level) / 2)) * math.sqrt(factor / (n - fewest))
    centre = math.atanh(value)
    return Interval(math.tanh(centre - half), math.tanh(centre + half), level)
