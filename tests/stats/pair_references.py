"""The pair statistics one sample at a time, by their definitions, for comparison."""

import math

import numpy as np
from scipy.stats import rankdata

from pyramidion.stats.pairs import checked_pairs, pair_blocks

NAMES = ("w", "t", "t-unpaired")


def pair_up(scores):
    """Return the differences of all pairs of a few columns, which are one block."""
    ((_, pairs),) = pair_blocks(*checked_pairs(scores))
    return pairs


def walsh_w_plus(z):
    """Sum over pairs of differences, without any ranking: appendix A's form, ties included."""
    z = np.asarray(z, float)
    z = z[z != 0]
    sums = np.add.outer(z, z)[np.triu_indices(len(z), 1)]
    return float(np.sum(z > 0) + np.sum(sums > 0) + np.sum(sums == 0) / 2)


def signed_ranks(x, y):
    z = np.round(x - y, 9)
    z = z[z != 0]
    return np.sign(z) * rankdata(np.abs(z))


def direct_statistics(x, y, *, standardized):
    ranks = signed_ranks(x, y)
    w = ranks.sum()
    if standardized:
        w = w / math.sqrt(np.sum(ranks**2)) if len(ranks) else 0.0
    paired = over(x.mean() - y.mean(), np.var(x - y, ddof=1) / len(x))
    pooled = (np.var(x, ddof=1) + np.var(y, ddof=1)) / 2
    return np.array([w, paired, over(x.mean() - y.mean(), 2 * pooled / len(x))])


def over(difference, variance):
    """Divide by the standard error, with what is below 1e-9 taken as nothing."""
    if abs(difference) < 1e-9:
        return 0.0
    return (
        difference / math.sqrt(variance)
        if variance > 1e-18
        else math.copysign(math.inf, difference)
    )


def swapped(x, y, swap):
    swap = np.asarray(swap, dtype=bool)
    return np.where(swap, y, x), np.where(swap, x, y)


def direct_null(x, y, swaps, indices=None, *, standardized):
    """Resamples x statistics."""
    rows = []
    for b, swap in enumerate(swaps):
        drawn = slice(None) if indices is None else np.asarray(indices[b])
        resample = swapped(x[drawn], y[drawn], swap)
        rows.append(direct_statistics(*resample, standardized=standardized))
    return np.array(rows)


def direct_p(observed, null):
    null = np.abs(null)
    extreme = (null >= np.abs(observed) - 1e-7) | np.isinf(null)
    return (extreme.sum(axis=0) + 1) / (len(null) + 1)
