"""Correlation coefficients of many weightings of the same points, or of many sets of points.

A bootstrap sample is a weighting: each point counts as often as it was drawn. So is a swap
between two metrics: of the two values a point may take, one has weight 1 and the other 0.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.stats.dense_ranks import Ranks, dense_ranks
from pyramidion.stats.differences import noise_level
from pyramidion.stats.dominance import dominance
from pyramidion.stats.pairs import Weights, above_both, agreement, counting_type, multiply
from pyramidion.stats.tied_groups import TiedGroups

__all__ = ["Coefficient", "root_ratio", "weighted_correlations"]

Coefficient = Literal["pearson", "spearman", "kendall", "tau_ap"]

# How many weights are looked at together, so that they stay in the processor's cache; but no
# fewer weightings than this, as the points are sorted anew each time.
_CHUNK, _FEWEST = 1 << 20, 16
# Points from which on sorting them beats comparing all pairs.
_MANY = 128
# A variance below this share of the mean square is rounding noise.
_NO_VARIANCE = 1e-12


def weighted_correlations(
    x: Floats,
    z: Floats,
    weights: Weights,
    coefficient: Coefficient,
    *,
    noise: tuple[float, float] | None = None,
) -> Floats:
    """Correlate x with z under each weighting.

    Parameters
    ----------
    x, z
        Values of the n points: shape (n,), or (n, weightings) where they differ between them.
    weights
        How often each point counts: shape (n, weightings), or (n, 1).
    coefficient
        ``pearson``, ``spearman`` (of mean ranks), ``kendall`` (tau-b) or ``tau_ap`` (with ties
        as version b of `tau_ap`: resamples are full of ties).
    noise
        The distances within which two values of x, and two of z, are equal. Unless given it is
        `noise_level` of the values; means of larger numbers can be noise altogether.

    Returns
    -------
    ndarray
        One coefficient for each weighting, NaN where all of x or all of z that count are equal.

    Examples
    --------
    >>> x, z = np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])
    >>> weights = np.array([[1.0, 1.0, 3.0], [1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    >>> weighted_correlations(x, z, weights, "kendall").round(3).tolist()
    [0.333, 1.0, nan]
    """
    at_x, at_z = (noise_level(x), noise_level(z)) if noise is None else noise
    if coefficient == "pearson":
        return _in_chunks(partial(_pearson, noise=(at_x, at_z)), x, z, weights)
    largest = float(weights.sum(axis=0, dtype=np.float64).max(initial=0.0))
    weights = weights.astype(counting_type(largest**2), copy=False)
    ranks = dense_ranks(x, noise=at_x), dense_ranks(z, noise=at_z)
    return _in_chunks(_BY_RANKS[coefficient], *ranks, weights)


def _in_chunks(
    function: Callable[[Any, Any, Weights], Floats],
    x: npt.NDArray[Any],
    z: npt.NDArray[Any],
    weights: Weights,
) -> Floats:
    columns = max(a.shape[1] for a in (x, z, weights) if a.ndim == 2)
    if not len(x):
        return np.full(columns, np.nan)
    step = max(_FEWEST, _CHUNK // len(x))
    parts = []
    for i in range(0, columns, step):
        first, second, third = (_some_columns(a, slice(i, i + step)) for a in (x, z, weights))
        parts.append(function(first, second, third))
    return np.concatenate(parts)


def _some_columns(array: npt.NDArray[Any], some: slice) -> npt.NDArray[Any]:
    return array if array.ndim == 1 or array.shape[1] == 1 else array[:, some]


def root_ratio(numerator: Floats, first: Floats, second: Floats) -> Floats:
    """Divide by the root of a product, NaN where that is not positive; never beyond -1 and 1.

    Examples
    --------
    >>> root_ratio(np.array([2.0, 0.0]), np.array([4.0, 0.0]), np.array([4.0, 1.0])).tolist()
    [0.5, nan]
    """
    defined = (first > 0) & (second > 0)
    root = np.sqrt(np.where(defined, first * second, np.nan))
    ratio: Floats = np.clip(numerator / root, -1.0, 1.0)
    return ratio


def _pearson(x: Floats, z: Floats, weights: Weights, noise: tuple[float, float]) -> Floats:
    if x.ndim == z.ndim == 1:
        return _pearson_of_points(x, z, weights, noise)
    x = _centred(x.reshape(len(x), -1), weights, noise[0])
    z = _centred(z.reshape(len(z), -1), weights, noise[1])
    return root_ratio(*((weights * product).sum(axis=0) for product in (x * z, x * x, z * z)))


def _centred(values: Floats, weights: Weights, noise: float) -> Floats:
    """Subtract the weighted means; what is left of constant columns is exactly 0."""
    total = np.maximum(weights.sum(axis=0), 1)
    centred: Floats = values - (weights * values).sum(axis=0) / total
    constant = (weights * centred**2).sum(axis=0) <= total * noise**2
    return np.where(constant, 0.0, centred)


def _pearson_of_points(
    x: Floats, z: Floats, weights: Weights, noise: tuple[float, float]
) -> Floats:
    x, z = x - x.mean(), z - z.mean()
    moments = np.stack([np.ones_like(x), x, z, x * x, z * z, x * z])
    sums = multiply(moments, weights.astype(np.float64, copy=False))
    n, sx, sz, xx, zz, xz = np.maximum(sums[0], 1), *sums[1:]
    spread_x, spread_z = _variation(xx, sx, n, noise[0]), _variation(zz, sz, n, noise[1])
    return root_ratio(xz - sx * sz / n, spread_x, spread_z)


def _variation(squares: Floats, sums: Floats, n: Floats, noise: float) -> Floats:
    variation = squares - sums**2 / n
    # What is left of the squares may be the rounding error of the subtraction.
    least = np.maximum(_NO_VARIANCE * squares, n * noise**2)
    return np.where(variation > least, variation, 0.0)


def _kendall(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    first, second = TiedGroups.of(x, weights), TiedGroups.of(z, weights)
    if _are_many(x, z):
        numerator = _agreement_of_many(first, second, weights)
    else:
        numerator = agreement(x, z, weights)
    return root_ratio(numerator, first.untied(), second.untied())


def _are_many(x: Ranks, z: Ranks) -> bool:
    return x.ndim == z.ndim == 1 and len(x) > _MANY


def _agreement_of_many(first: TiedGroups, second: TiedGroups, weights: Weights) -> Floats:
    """Count concordant minus discordant pairs: twice the concordant, less all untied pairs."""
    x, z = first.ranks, second.ranks
    above = dominance(x, z, weights)
    concordant = np.einsum("ib,ib->b", weights, above).astype(np.float64)
    both = TiedGroups.of(dense_ranks(x * np.float64(len(x)) + z), weights)
    untied = first.total**2 - first.tied() - second.tied() + both.tied()
    difference: Floats = 2 * concordant - untied / 2
    return difference


def _spearman(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    first, second = TiedGroups.of(x, weights), TiedGroups.of(z, weights)
    a, b = first.places(), second.places()
    together = np.einsum("ib,ib,ib->b", *_alike(weights, first.spread(a), second.spread(b)))
    squares = (np.einsum("gb,gb,gb->b", g.own, p, p) for g, p in ((first, a), (second, b)))
    return root_ratio(together, *squares)


def _alike(*arrays: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], ...]:
    return np.broadcast_arrays(*(array.astype(np.float64, copy=False) for array in arrays))


def _tau_ap(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    both = dominance(x, z, weights) if _are_many(x, z) else above_both(x, z, weights)
    first, second = (_share_above(TiedGroups.of(ranks, weights), both, weights) for ranks in (x, z))
    value: Floats = first + second - 1
    return value


def _share_above(groups: TiedGroups, both: Weights, weights: Weights) -> Floats:
    """Average over the points below the top group the share of those above that agree."""
    above = groups.total - groups.up_to()
    pivots = np.where(above > 0, groups.own, 0.0).sum(axis=0)
    shares = both * weights / groups.spread(np.maximum(above, 1))
    share: Floats = shares.sum(axis=0) / np.where(pivots > 0, pivots, np.nan)
    return share


_BY_RANKS: dict[str, Callable[[Ranks, Ranks, Weights], Floats]] = {
    "spearman": _spearman,
    "kendall": _kendall,
    "tau_ap": _tau_ap,
}
