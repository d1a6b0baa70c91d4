"""Correlations of scores, also with those of the row before or after."""

import math

import numpy as np

from pyramidion._types import Floats
from pyramidion.checks._thresholds import (
    MAJORITY_SHARE,
    MAX_PERIOD,
    MAX_RANDOM,
    MIN_PAIRS,
    MIN_SHIFT_GAIN,
    MIN_SHIFTED,
    NEARLY_ALL_SHARE,
    SHIFTED_Z,
)


def correlation(a: Floats, b: Floats) -> float:
    """Return Pearson's correlation, ignoring NaN; NaN if it is undefined."""
    has_both = ~(np.isnan(a) | np.isnan(b))
    a, b = a[has_both], b[has_both]
    if len(a) < 3:
        return math.nan
    a, b = a - a.mean(), b - b.mean()
    spread = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / spread if spread > 0 else math.nan


def is_shifted(values: Floats, reference: Floats) -> bool:
    """Return whether values correlate much better with the row before or after."""
    if len(values) < MIN_PAIRS:
        return False
    unshifted_correlation = correlation(values, reference)
    if unshifted_correlation >= 0.5:  # and thus at least half of any other
        return False
    correlation_before, correlation_after = (
        correlation(values[1:], reference[:-1]),
        correlation(values[:-1], reference[1:]),
    )
    best_correlation = max(correlation_before, correlation_after)
    return is_clearly_higher(
        best_correlation, unshifted_correlation, int((~np.isnan(values + reference)).sum())
    )


def is_clearly_higher(best_correlation: float, unshifted_correlation: float, n: int) -> bool:
    """Return whether a correlation one row away is so much higher that a column is shifted."""
    if not (
        best_correlation >= MIN_SHIFTED
        and best_correlation - unshifted_correlation >= MIN_SHIFT_GAIN
        and unshifted_correlation < 0.5 * best_correlation
        and n > 3
    ):
        return False
    # Ranks of a topic, which sum up to the same, correlate negatively.
    gain = math.atanh(min(best_correlation, 0.9999)) - math.atanh(max(unshifted_correlation, 0.0))
    return gain * math.sqrt((n - 3) / 2) > SHIFTED_Z


def is_much_lower(r: float, usual_correlation: float, n: int, z: float) -> bool:
    """Return whether a correlation is a small part of the usual one, and not by chance."""
    if not r < MAX_RANDOM * usual_correlation:
        return False
    distance = math.atanh(min(usual_correlation, 0.99)) - math.atanh(max(r, -0.99))
    return distance * math.sqrt(max(n - 3, 0)) > z


def period_of(values: Floats) -> int:
    """Return after how many scores they nearly always repeat, although they vary; 0 if never."""
    shares = np.unique(values, return_counts=True)[1] / len(values)
    by_chance = max(float(shares @ shares), float((values[1:] == values[:-1]).mean()))
    for period in range(2, MAX_PERIOD + 1):
        repeated_share = float((values[period:] == values[:-period]).mean())
        if repeated_share >= NEARLY_ALL_SHARE and by_chance <= MAJORITY_SHARE:
            return period
    return 0
