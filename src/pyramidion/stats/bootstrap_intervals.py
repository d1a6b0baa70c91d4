"""Confidence intervals from resampled values of any statistic: percentile and BCa."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.stats.differences import noise_level
from pyramidion.stats.inputs import Interval, choice, share

__all__ = ["BcaInterval", "Quantiles", "bca_interval", "percentile_interval"]

Quantiles = Literal["linear", "hazen"]


def percentile_interval(
    samples: npt.ArrayLike, *, confidence_level: float = 0.95, quantiles: Quantiles = "linear"
) -> Interval:
    """Take the interval between two quantiles of resampled values.

    Parameters
    ----------
    samples
        Resampled values; those that are NaN are left out.
    confidence_level
        The share of the values between the ends.
    quantiles
        How a quantile is read between two values: ``linear`` is NumPy's and R's default (type
        7), ``hazen`` that of MATLAB's prctile and bootci (type 5).

    Returns
    -------
    Interval
        NaN on both sides where no sample is defined.

    Examples
    --------
    >>> percentile_interval(range(101), confidence_level=0.5).low
    25.0
    >>> percentile_interval(range(101), confidence_level=0.5, quantiles="hazen").low
    24.75
    """
    level = share(confidence_level, "confidence_level")
    tail = (1 - level) / 2
    return _between(_defined(samples), (tail, 1 - tail), level, quantiles)


def _defined(samples: npt.ArrayLike) -> Floats:
    values = np.asarray(samples, dtype=np.float64)
    return values[~np.isnan(values)]


def _between(
    values: Floats, shares: Sequence[float], level: float, quantiles: Quantiles
) -> Interval:
    choice(quantiles, "quantiles", Quantiles)
    if not len(values) or any(map(math.isnan, shares)):
        return Interval(math.nan, math.nan, level)
    low, high = np.quantile(values, shares, method=quantiles)
    return Interval(float(low), float(high), level)


@dataclass(frozen=True, slots=True)
class BcaInterval:
    """A bias-corrected and accelerated interval, with what it was corrected by.

    Attributes
    ----------
    interval
        The interval; NaN where all samples lie on one side of the estimate.
    bias
        The normal quantile of the share of samples below the estimate.
    acceleration
        From the jackknife: how the standard error changes with the parameter.
    shares
        The two quantiles of the samples that were taken as ends.

    Examples
    --------
    >>> bca_interval(range(101), 40.0, [[49.0, 50.0, 51.0]]).bias < 0
    True
    """

    interval: Interval
    bias: float
    acceleration: float
    shares: tuple[float, float]


def bca_interval(
    samples: npt.ArrayLike,
    estimate: float,
    jackknife: Sequence[npt.ArrayLike],
    *,
    confidence_level: float = 0.95,
    quantiles: Quantiles = "linear",
) -> BcaInterval:
    r"""Correct a percentile interval for bias and for a standard error that changes.

    The ends are the quantiles at :math:`\Phi(z_0 + (z_0 + z)/(1 - a(z_0 + z)))` for the normal
    quantiles z of the two tails. The bias :math:`z_0` is the normal quantile of the share of
    samples below the estimate, ties counting half; the acceleration is

    .. math:: a = \frac{\sum_k \sum_i U_{ki}^3 / n_k^3}{6 (\sum_k \sum_i U_{ki}^2 / n_k^2)^{3/2}}

    for the jackknife's :math:`U_{ki} = (n_k - 1)(\bar\theta_k - \theta_{k(i)})`.

    Parameters
    ----------
    samples
        Resampled values; those that are NaN are left out.
    estimate
        The statistic of the data.
    jackknife
        The statistic without each item; one array for each kind of item that was resampled
        (systems and inputs, say). Values that are NaN are left out.
    confidence_level
        The share of the values between the ends.
    quantiles
        As in :func:`percentile_interval`.

    References
    ----------
    B. Efron and R. J. Tibshirani. An Introduction to the Bootstrap. Chapman & Hall, 1993.

    Examples
    --------
    >>> bca_interval(range(101), 50.0, [[49.0, 50.0, 51.0]]).interval.low
    2.5
    """
    from scipy.special import ndtr, ndtri

    level = share(confidence_level, "confidence_level")
    values = _defined(samples)
    bias = float(ndtri(_share_below(values, estimate)))
    acceleration = _acceleration([_defined(left_out) for left_out in jackknife])
    tail = (1 - level) / 2
    shares = (math.nan, math.nan)
    if math.isfinite(bias):
        shifted = bias + ndtri(np.array([tail, 1 - tail]))
        low, high = ndtr(bias + shifted / (1 - acceleration * shifted))
        shares = (float(low), float(high))
    interval = _between(values, shares, level, quantiles)
    return BcaInterval(interval, bias, acceleration, shares)


def _share_below(values: Floats, estimate: float) -> float:
    if not len(values) or math.isnan(estimate):
        return math.nan
    noise = noise_level(values)
    below = np.count_nonzero(values < estimate - noise)
    tied = np.count_nonzero(np.abs(values - estimate) <= noise)
    return float((below + tied / 2) / len(values))


def _acceleration(jackknife: Sequence[Floats]) -> float:
    cubes = squares = 0.0
    for values in jackknife:
        n = max(1, len(values))
        influence = (n - 1) / n * (values.mean() - values) if len(values) else values
        cubes += float(np.sum(influence**3))
        squares += float(np.sum(influence**2))
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0
