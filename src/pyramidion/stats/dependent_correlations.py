"""Test statistics for two correlations measured on the same items: the formulas alone.

Overlapping correlations share a variable: two metrics against one human score. Separate
(non-overlapping) ones do not: two metrics, each against a human score of its own.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

__all__ = ["OVERLAPPING", "SEPARATE", "Overlapping", "Separate", "meng_error"]


@dataclass(frozen=True, slots=True)
class Overlapping:
    """Correlations of two variables with a third one, and with each other, over n items.

    Examples
    --------
    >>> round(Overlapping(0.9, 0.8, 0.7, 30).determinant, 3)
    0.068
    """

    first: float
    second: float
    between: float
    n: int

    @property
    def determinant(self) -> float:
        """Determinant of the matrix of the three correlations."""
        squares = self.first**2 + self.second**2 + self.between**2
        return 1 + 2 * self.first * self.second * self.between - squares

    def covariance(self, first: float, second: float) -> float:
        """Asymptotic covariance of the two correlations, times n, at assumed values of them."""
        rest = 1 - first**2 - second**2
        return self.between * rest - first * second * (rest - self.between**2) / 2


@dataclass(frozen=True, slots=True)
class Separate:
    """Correlations within two pairs of variables (j, k) and (h, m), and across, over n items.

    Examples
    --------
    >>> Separate(0.9, 0.8, jh=0.0, jm=0.0, kh=0.0, km=0.0, n=30).covariance(0.9, 0.8)
    0.0
    """

    first: float
    second: float
    jh: float
    jm: float
    kh: float
    km: float
    n: int

    def covariance(self, first: float, second: float) -> float:
        """Asymptotic covariance of the two correlations, times n, at assumed values of them."""
        jh, jm, kh, km = self.jh, self.jm, self.kh, self.km
        return (
            (jh - first * kh) * (km - kh * second)
            + (jm - jh * second) * (kh - first * jh)
            + (jh - jm * second) * (km - first * jm)
            + (jm - first * km) * (kh - km * second)
        ) / 2


def _fisher_difference(pair: Overlapping | Separate, first: float, second: float) -> float:
    """Difference of Fisher's z, its correlation estimated at assumed values of the two."""
    shared = pair.covariance(first, second) / ((1 - first**2) * (1 - second**2))
    difference = math.atanh(pair.first) - math.atanh(pair.second)
    return difference * math.sqrt((pair.n - 3) / (2 - 2 * shared))


def _pearson_filon(pair: Overlapping | Separate) -> float:
    r, s = pair.first, pair.second
    variance = (1 - r**2) ** 2 + (1 - s**2) ** 2 - 2 * pair.covariance(r, s)
    return math.sqrt(pair.n) * (r - s) / math.sqrt(variance)


def _at_estimates(pair: Overlapping | Separate) -> float:
    return _fisher_difference(pair, pair.first, pair.second)


def _at_mean(pair: Overlapping | Separate) -> float:
    mean = (pair.first + pair.second) / 2
    return _fisher_difference(pair, mean, mean)


def _at_mean_z(pair: Overlapping | Separate) -> float:
    mean = math.tanh((math.atanh(pair.first) + math.atanh(pair.second)) / 2)
    return _fisher_difference(pair, mean, mean)


def _williams(pair: Overlapping) -> float:
    n, mean = pair.n, (pair.first + pair.second) / 2
    spread = 2 * (n - 1) / (n - 3) * pair.determinant + mean**2 * (1 - pair.between) ** 3
    return (pair.first - pair.second) * math.sqrt((n - 1) * (1 + pair.between) / spread)


def _hotelling(pair: Overlapping) -> float:
    ratio = (pair.n - 3) * (1 + pair.between) / (2 * pair.determinant)
    return (pair.first - pair.second) * math.sqrt(ratio)


def meng_error(pair: Overlapping) -> float:
    """Give the standard error of the difference of Fisher's z after Meng and others.

    Examples
    --------
    >>> round(meng_error(Overlapping(0.9, 0.8, 0.7, 30)), 4)
    0.221
    """
    square = (pair.first**2 + pair.second**2) / 2
    f = min(1.0, (1 - pair.between) / (2 * (1 - square)))
    h = (1 - f * square) / (1 - square)
    return math.sqrt(2 * (1 - pair.between) * h / (pair.n - 3))


def _meng(pair: Overlapping) -> float:
    return (math.atanh(pair.first) - math.atanh(pair.second)) / meng_error(pair)


#: Statistics for overlapping correlations. Williams' and Hotelling's are t on n - 3 degrees of
#: freedom, the others are normal.
OVERLAPPING: Mapping[str, Callable[[Overlapping], float]] = {
    "williams": _williams,
    "steiger": _at_mean,
    "meng": _meng,
    "hittner": _at_mean_z,
    "dunn-clark": _at_estimates,
    "hotelling": _hotelling,
    "pearson-filon": _pearson_filon,
}

#: Statistics for separate correlations, all normal.
SEPARATE: Mapping[str, Callable[[Separate], float]] = {
    "steiger": _at_mean,
    "silver": _at_mean_z,
    "dunn-clark": _at_estimates,
    "raghunathan": _at_estimates,
    "pearson-filon": _pearson_filon,
}
