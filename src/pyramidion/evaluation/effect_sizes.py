"""The effect size that goes with each test of a pair of systems."""

import math
from collections.abc import Callable, Mapping

import numpy as np

from pyramidion import stats
from pyramidion._types import Floats, Pairs
from pyramidion.evaluation.procedures import StatisticName
from pyramidion.stats.pairing import blocks

__all__ = ["EFFECTS", "Effect", "standardised_differences"]

#: From two systems' scores on the topics they share.
Effect = Callable[[Floats, Floats], float]


def standardised_differences(values: Floats, pairs: Pairs) -> Floats:
    """Divide each pair's mean difference by the standard deviation of its differences.

    NaN where fewer than two topics are shared or all differences are equal but not 0.

    Parameters
    ----------
    values
        Topics x systems, NaN where missing.
    pairs
        Rows of two columns.

    Examples
    --------
    >>> values = np.array([[3.0, 1.0], [5.0, 2.0], [4.0, 0.0]])
    >>> standardised_differences(values, np.array([[0, 1]])).tolist()
    [3.0]
    """
    effects = np.full(len(pairs), np.nan)
    systems = np.ascontiguousarray(values.T)
    for rows in blocks(len(pairs), len(values)):
        first, second = pairs[rows].T
        differences = systems[first]
        differences -= systems[second]
        effects[rows] = _standardised_rows(differences)
    return effects


def _standardised_rows(differences: Floats) -> Floats:
    known = ~np.isnan(differences)
    n = known.sum(axis=1)
    differences[~known] = 0.0
    mean = differences.sum(axis=1) / np.maximum(n, 1)
    away = np.where(known, differences - mean[:, None], 0.0)
    spread = np.sqrt(np.einsum("pk,pk->p", away, away) / np.maximum(n - 1, 1))
    effects = np.full(len(mean), np.nan)
    np.divide(mean, spread, out=effects, where=(n > 1) & (spread > 0))
    effects[(n > 1) & (spread == 0) & ~differences.any(axis=1)] = 0.0
    return effects


def _standardised(x: Floats, y: Floats) -> float:
    return float(standardised_differences(np.column_stack([x, y]), np.array([[0, 1]]))[0])


def _walsh_share(x: Floats, y: Floats) -> float:
    return stats.walsh_probability(x, y).value if len(x) > 1 else math.nan


def _pooled_difference(x: Floats, y: Floats) -> float:
    """Divide the mean difference by the pooled standard deviation (Cohen's d)."""
    if len(x) < 2:
        return math.nan
    spread = math.sqrt((x.var(ddof=1) + y.var(ddof=1)) / 2)
    difference = float(x.mean() - y.mean())
    if not spread:
        return 0.0 if not difference else math.nan
    return difference / spread


#: P(Z1 + Z2 > 0) for W, the standardised difference for t, Cohen's d for unpaired t.
EFFECTS: Mapping[StatisticName, Effect] = {
    "w": _walsh_share,
    "t": _standardised,
    "t-unpaired": _pooled_difference,
}
