"""Zipf's law for a few classes: how fast their sizes fall as their weight rises."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.stats.inputs import vector

__all__ = ["ZipfFit", "fit_zipf"]


@dataclass(frozen=True, slots=True)
class ZipfFit:
    r"""A law :math:`C w^{-s}` for the size of class w.

    Parameters
    ----------
    classes
        How many classes there are, weights 1 to this.
    units
        How many units are in them.
    slope
        s by least squares on logarithms, as one reads it off a log-log plot.
    scale
        C by least squares: the size the line gives class 1.
    r_squared
        How much of the variance of the logarithms it explains.
    empty
        Classes without a unit, which have no logarithm and are left out of that line.
    exponent
        s by maximum likelihood, with weights from 1 to `classes`.
    error
        Its standard error.
    chi_square, p
        Pearson's test of the law with that exponent, `classes` - 2 degrees of freedom: a small
        p means that the sizes do not follow it.
    undefined
        What could not be fitted, and why; empty if nothing.

    Examples
    --------
    >>> fit_zipf([600, 300, 200]).undefined
    ''
    """

    classes: int
    units: int
    slope: float
    scale: float
    r_squared: float
    empty: int
    exponent: float
    error: float
    chi_square: float
    p: float
    undefined: str = ""

    def expected(self) -> Floats:
        """Give the size of each class by the law of maximum likelihood.

        Examples
        --------
        >>> fit_zipf([600, 300, 200]).expected().round(6).tolist()
        [600.0, 300.0, 200.0]
        """
        expected: Floats = self.units * _shares(self.exponent, self.classes)
        return expected


def fit_zipf(sizes: ArrayLike) -> ZipfFit:
    r"""Fit Zipf's law to the sizes of classes.

    By least squares on logarithms, which is what a straight line in a log-log plot is, and by
    maximum likelihood: each unit's weight is a draw from :math:`P(w) \propto w^{-s}` for w
    from 1 to the number of classes. The first weighs small classes as much as large ones, and
    its :math:`R^2` is high for anything that falls; the second has a standard error and a test.

    Parameters
    ----------
    sizes
        How many units are in each class, weight 1 first.

    References
    ----------
    M. L. Goldstein, S. A. Morris, G. G. Yen. Problems with fitting to the power-law
    distribution. European Physical Journal B 41, 2004.

    Examples
    --------
    >>> fit = fit_zipf([600, 300, 200, 150])
    >>> round(fit.slope, 6), round(fit.scale, 6), round(fit.r_squared, 6), round(fit.exponent, 6)
    (1.0, 600.0, 1.0, 1.0)
    >>> fit_zipf([30, 0, 0]).undefined
    'all units are in class 1, which leaves no exponent'
    """
    counts = vector(sizes, "sizes")
    if (counts < 0).any() or (counts != np.round(counts)).any():
        raise InputError("`sizes` has a number that counts nothing", hint="give whole numbers")
    undefined = _obstacle(counts)
    slope, scale, r_squared = _least_squares(counts)
    exponent, error = (np.nan, np.nan) if undefined else _most_likely(counts)
    chi_square, p = _goodness(counts, exponent)
    return ZipfFit(
        classes=len(counts),
        units=int(counts.sum()),
        slope=slope,
        scale=scale,
        r_squared=r_squared,
        empty=int(np.count_nonzero(counts == 0)),
        exponent=float(exponent),
        error=float(error),
        chi_square=chi_square,
        p=p,
        undefined=undefined,
    )


def _obstacle(counts: Floats) -> str:
    if not counts.any():
        return "there is nothing to fit"
    if len(counts) < 2:
        return "there is one class only"
    if np.count_nonzero(counts) == 1:
        return f"all units are in class {int(np.argmax(counts)) + 1}, which leaves no exponent"
    return ""


def _least_squares(counts: Floats) -> tuple[float, float, float]:
    there = counts > 0
    if np.count_nonzero(there) < 2:
        return np.nan, np.nan, np.nan
    x, y = np.log(np.flatnonzero(there) + 1), np.log(counts[there])
    dx, dy = x - x.mean(), y - y.mean()
    slope = float(dx @ dy / (dx @ dx))
    scale = float(np.exp(y.mean() - slope * x.mean()))
    total = float(dy @ dy)
    rest = dy - slope * dx
    r_squared = 1 - float(rest @ rest) / total if total > 0 else np.nan
    return 0.0 - slope, scale, r_squared


def _most_likely(counts: Floats) -> tuple[float, float]:
    """Find the exponent at which the mean logarithm of the weight is the one observed."""
    from scipy.optimize import brentq

    logs = np.log(np.arange(1, len(counts) + 1))
    observed = float(counts @ logs / counts.sum())

    def surplus(exponent: float) -> float:
        return float(_shares(exponent, len(counts)) @ logs) - observed

    far = 4.0
    while surplus(-far) < 0 or surplus(far) > 0:
        far *= 2
    exponent = float(brentq(surplus, -far, far, xtol=1e-12))
    shares = _shares(exponent, len(counts))
    variance = float(shares @ logs**2) - float(shares @ logs) ** 2
    return exponent, float(1 / np.sqrt(counts.sum() * variance))


def _shares(exponent: float, classes: int) -> Floats:
    logs = -exponent * np.log(np.arange(1, classes + 1))
    powers: Floats = np.exp(logs - logs.max())
    powers /= powers.sum()
    return powers


def _goodness(counts: Floats, exponent: float) -> tuple[float, float]:
    if np.isnan(exponent) or len(counts) < 3:
        return np.nan, np.nan
    from scipy.special import chdtrc

    expected = counts.sum() * _shares(exponent, len(counts))
    chi_square = float(((counts - expected) ** 2 / expected).sum())
    return chi_square, float(chdtrc(len(counts) - 2, chi_square))
