"""The bootstrap of any statistic of items that are drawn with replacement."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.bootstrap_intervals import (
    BcaInterval,
    Quantiles,
    bca_interval,
    percentile_interval,
)
from pyramidion.stats.inputs import Interval, Rng, choice, count_of_resamples, generator

__all__ = [
    "BootstrapInterval",
    "BootstrapMethod",
    "bootstrap_interval",
    "checked_indices",
    "interval_of_samples",
]

BootstrapMethod = Literal["percentile", "bca"]


@dataclass(frozen=True, slots=True)
class BootstrapInterval:
    """A bootstrap confidence interval of a statistic.

    Attributes
    ----------
    value
        The statistic of the data.
    interval
        Its confidence interval.
    samples
        The resampled values, NaN where the statistic was undefined.
    undefined
        The number of resamples where it was.
    bca
        Bias and acceleration, where that method was chosen; else None.

    Examples
    --------
    >>> bootstrap_interval([[1, 2, 3]], np.mean, indices=[[0, 0, 0], [2, 2, 2]]).samples
    array([1., 3.])
    """

    value: float
    interval: Interval
    samples: Floats
    undefined: int
    bca: BcaInterval | None = None


def interval_of_samples(
    value: float,
    samples: Floats,
    jackknife: Callable[[], Sequence[npt.ArrayLike]],
    *,
    method: BootstrapMethod,
    confidence_level: float,
    quantiles: Quantiles,
) -> BootstrapInterval:
    """Choose between percentile and BCa; the jackknife is only computed where it is needed.

    Examples
    --------
    >>> found = interval_of_samples(
    ...     1.5, np.array([1.0, 2.0]), list, method="percentile", confidence_level=0.5,
    ...     quantiles="linear",
    ... )
    >>> found.interval.low
    1.25
    """
    undefined = int(np.isnan(samples).sum())
    if method == "percentile":
        interval = percentile_interval(
            samples, confidence_level=confidence_level, quantiles=quantiles
        )
        return BootstrapInterval(value, interval, samples, undefined)
    bca = bca_interval(
        samples, value, jackknife(), confidence_level=confidence_level, quantiles=quantiles
    )
    return BootstrapInterval(value, bca.interval, samples, undefined, bca)


def bootstrap_interval(
    data: Sequence[npt.ArrayLike],
    statistic: Callable[..., float],
    *,
    method: BootstrapMethod = "percentile",
    quantiles: Quantiles = "linear",
    confidence_level: float = 0.95,
    n_resamples: int = 9999,
    indices: npt.ArrayLike | None = None,
    rng: Rng | None = None,
) -> BootstrapInterval:
    """Bootstrap any statistic of items that are drawn with replacement.

    Parameters
    ----------
    data
        One or more arrays with one entry (or row) an item; the same items are drawn from all.
    statistic
        Takes as many arrays and gives a number, NaN where it is undefined.
    method
        ``percentile`` or ``bca``.
    quantiles
        As in :func:`percentile_interval`.
    confidence_level
        Of the interval.
    n_resamples
        How many times to draw.
    indices
        The draws themselves, one row of indices from 0 for each resample.
    rng
        A generator or a seed; seed 0 unless given.

    Examples
    --------
    >>> result = bootstrap_interval([[1, 2, 3, 4, 5]], np.mean, n_resamples=999)
    >>> result.value, result.interval.low < 3 < result.interval.high
    (3.0, True)
    """
    choice(method, "method", BootstrapMethod)
    arrays = [np.asarray(values) for values in data]
    n = _items(arrays)
    drawn = checked_indices(indices, n, n_resamples, rng)
    samples = np.array([statistic(*(a[row] for a in arrays)) for row in drawn], dtype=np.float64)
    return interval_of_samples(
        float(statistic(*arrays)),
        samples,
        lambda: [[statistic(*(np.delete(a, i, axis=0) for a in arrays)) for i in range(n)]],
        method=method,
        confidence_level=confidence_level,
        quantiles=quantiles,
    )


def _items(arrays: Sequence[npt.NDArray[Any]]) -> int:
    sizes = {len(array) if array.ndim else 0 for array in arrays}
    if len(sizes) != 1:
        raise ShapeError("the arrays of `data` differ in length", hint="give one entry an item")
    if min(sizes) < 2:
        raise InputError(f"`data` has {min(sizes)} items", hint="at least 2 are needed")
    return sizes.pop()


def checked_indices(
    indices: npt.ArrayLike | None,
    n: int,
    n_resamples: int,
    rng: Rng | None,
    *,
    name: str = "indices",
) -> Ints:
    """Check given resamples of n items, or draw them.

    Examples
    --------
    >>> checked_indices(None, 3, 2, 0).shape
    (2, 3)
    >>> checked_indices([[0, 3, 1]], 3, 1, 0)
    Traceback (most recent call last):
    pyramidion.errors.InputError: `indices` points at item 3 of 3; indices run from 0 to 2
    """
    if indices is None:
        count_of_resamples(n_resamples)
        return generator(rng).integers(n, size=(n_resamples, n))
    given = np.asarray(indices)
    if given.ndim != 2 or given.shape[1] != n or not len(given):
        raise ShapeError(f"`{name}` has the shape {given.shape}", hint=f"give rows of {n} indices")
    if given.dtype.kind not in "iu":
        raise InputError(f"`{name}` holds something that is no whole number")
    wrong = given[(given < 0) | (given >= n)]
    if len(wrong):
        raise InputError(
            f"`{name}` points at item {wrong[0]} of {n}", hint=f"indices run from 0 to {n - 1}"
        )
    return given.astype(np.int64)
