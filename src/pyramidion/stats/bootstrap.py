"""Percentile and BCa confidence intervals from resampled values of a statistic."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import (
    Interval,
    Rng,
    check_choice,
    count_of_resamples,
    generator,
    share,
)
from pyramidion.stats.pairs import noise_level

Quantiles = Literal["linear", "hazen"]


def percentile_interval(
    samples: npt.ArrayLike, *, confidence_level: float = 0.95, quantiles: Quantiles = "linear"
) -> Interval:
    """Return the interval between two quantiles of resampled values."""
    level = share(confidence_level, "confidence_level")
    tail = (1 - level) / 2
    return _quantile_interval(_defined_values(samples), (tail, 1 - tail), level, quantiles)


def _defined_values(samples: npt.ArrayLike) -> Floats:
    values = np.asarray(samples, dtype=np.float64)
    return values[~np.isnan(values)]


def _quantile_interval(
    values: Floats, shares: Sequence[float], level: float, quantiles: Quantiles
) -> Interval:
    check_choice(quantiles, "quantiles", Quantiles)
    if not len(values) or any(map(math.isnan, shares)):
        return Interval(math.nan, math.nan, level)
    low, high = np.quantile(values, shares, method=quantiles)
    return Interval(float(low), float(high), level)


@dataclass(frozen=True, slots=True)
class BcaInterval:
    """A bias-corrected and accelerated interval, and its corrections."""

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
    least: float = 0.0,
) -> BcaInterval:
    r"""Correct a percentile interval for bias and a changing standard error (BCa).

    The ends are the quantiles at :math:`\Phi(z_0 + (z_0 + z)/(1 - a(z_0 + z)))` for the normal
    quantiles z of the two tails. The bias :math:`z_0` is the normal quantile of the share of
    samples below the estimate, ties counting half, with at least `least` samples on either side;
    with 0, the interval is undefined if all samples lie on one side. The acceleration is

    .. math:: a = \frac{\sum_k \sum_i U_{ki}^3 / n_k^3}{6 (\sum_k \sum_i U_{ki}^2 / n_k^2)^{3/2}}

    for the jackknife's :math:`U_{ki} = (n_k - 1)(\bar\theta_k - \theta_{k(i)})`.

    References
    ----------
    B. Efron and R. J. Tibshirani. An Introduction to the Bootstrap. Chapman & Hall, 1993.
    """
    from scipy.special import ndtr, ndtri

    level = share(confidence_level, "confidence_level")
    values = _defined_values(samples)
    p_below = math.nan
    if len(values) and not math.isnan(estimate):
        noise = noise_level(values)
        n_tied = np.count_nonzero(np.abs(values - estimate) <= noise)
        n_below = np.count_nonzero(values < estimate - noise) + n_tied / 2
        p_below = float(np.clip(n_below, least, len(values) - least) / len(values))
    bias = float(ndtri(p_below))
    acceleration = _acceleration([_defined_values(estimates) for estimates in jackknife])
    tail = (1 - level) / 2
    shares = (math.nan, math.nan)
    if math.isfinite(bias):
        shifted_quantiles = bias + ndtri(np.array([tail, 1 - tail]))
        slack = 1 - acceleration * shifted_quantiles
        # Beyond the pole of the correction, use the extreme sample.
        shifted_quantiles = np.where(
            slack > 0, shifted_quantiles, np.copysign(np.inf, shifted_quantiles)
        )
        low, high = ndtr(bias + shifted_quantiles / np.where(slack > 0, slack, 1))
        shares = (float(low), float(high))
    interval = _quantile_interval(values, shares, level, quantiles)
    return BcaInterval(interval, bias, acceleration, shares)


def _acceleration(jackknife: Sequence[Floats]) -> float:
    cubes = squares = 0.0
    for values in jackknife:
        n = max(1, len(values))
        influence = (n - 1) / n * (values.mean() - values) if len(values) else values
        cubes += float(np.sum(influence**3))
        squares += float(np.sum(influence**2))
    return cubes / (6 * squares**1.5) if squares > 0 else 0.0


BootstrapMethod = Literal["percentile", "bca"]


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """A bootstrap confidence interval of a statistic."""

    value: float
    interval: Interval
    samples: Floats
    undefined: int
    bca: BcaInterval | None = None


def interval_of_samples(
    value: float,
    samples: Floats,
    jackknife: Callable[[], Sequence[npt.ArrayLike]],
    method: BootstrapMethod,
    confidence_level: float,
    quantiles: Quantiles,
) -> BootstrapInterval:
    """Return a percentile or BCa interval; only BCa computes the jackknife."""
    settings: Any = {"confidence_level": confidence_level, "quantiles": quantiles}
    bca = bca_interval(samples, value, jackknife(), **settings) if method == "bca" else None
    interval = percentile_interval(samples, **settings) if bca is None else bca.interval
    return BootstrapInterval(value, interval, samples, int(np.isnan(samples).sum()), bca)


def checked_indices(
    indices: npt.ArrayLike | None, n: int, n_resamples: int, rng: Rng | None, name: str = "indices"
) -> Ints:
    """Check resamples of n items, or draw them."""
    if indices is None:
        count_of_resamples(n_resamples)
        return generator(rng).integers(n, size=(n_resamples, n))
    rows = np.asarray(indices)
    if rows.ndim != 2 or rows.shape[1] != n or not len(rows):
        raise ShapeError(f"`{name}` has the shape {rows.shape}", hint=f"give rows of {n} indices")
    if rows.dtype.kind not in "iu":
        raise InputError(f"`{name}` contains something that is not a whole number")
    wrong_indices = rows[(rows < 0) | (rows >= n)]
    if len(wrong_indices):
        raise InputError(
            f"`{name}` points at item {wrong_indices[0]} of {n}",
            hint=f"indices run from 0 to {n - 1}",
        )
    return rows.astype(np.int64)
