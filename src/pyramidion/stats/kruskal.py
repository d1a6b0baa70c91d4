"""The Kruskal-Wallis test on midranks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import chdtrc

from pyramidion._types import Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.differences import midranks, noise_level, settle, tie_term
from pyramidion.stats.inputs import vector

__all__ = ["Groups", "KruskalWallis", "RankedGroups", "kruskal_wallis", "rank_groups"]

#: Samples of any sizes, or a matrix whose rows are samples; NaN is a missing value.
Groups = Sequence[npt.ArrayLike] | Floats


@dataclass(frozen=True, slots=True, eq=False)
class RankedGroups:
    """Several samples ranked as one.

    Parameters
    ----------
    mean_ranks
        The mean midrank of each group.
    n
        The size of each group, missing values left out.
    missing
        How many missing values were left out.
    tie_term
        The sum of t³ - t over the groups of tied values.

    Examples
    --------
    >>> rank_groups([[1, 2], [2, 5, float("nan")]]).mean_ranks.tolist()
    [1.75, 3.25]
    """

    mean_ranks: Floats
    n: Ints
    missing: int
    tie_term: float

    @property
    def total(self) -> int:
        """The size of all groups together."""
        return int(self.n.sum())

    @property
    def variance(self) -> float:
        """The variance of a rank: N(N+1)/12, less what ties take away; 0 if all are tied."""
        n = self.total
        return n * (n + 1) / 12 - self.tie_term / (12 * (n - 1))


def rank_groups(groups: Groups) -> RankedGroups:
    """Pool the groups, rank all values, and average the ranks of each group.

    Values within rounding noise of each other are tied.

    Parameters
    ----------
    groups
        Two groups at least; NaN values are left out and counted.

    Examples
    --------
    >>> rank_groups([[3.0, 4.0], [1.0, 2.0]]).variance
    1.6666666666666667
    """
    given = [vector(group, f"groups[{i}]", nan=True) for i, group in enumerate(groups)]
    if len(given) < 2:
        raise InputError(f"{len(given)} groups are too few", hint="give two at least")
    kept = [group[~np.isnan(group)] for group in given]
    for i, group in enumerate(kept):
        if not len(group):
            raise InputError(f"`groups[{i}]` has no value", hint="take it out")
    n = np.array([len(group) for group in kept])
    pooled = np.concatenate(kept)
    settled = settle(pooled, noise_level(pooled))
    sums = np.add.reduceat(midranks(settled), np.concatenate([[0], np.cumsum(n)[:-1]]))
    return RankedGroups(sums / n, n, sum(map(len, given)) - len(pooled), tie_term(settled))


@dataclass(frozen=True, slots=True)
class KruskalWallis:
    """What the Kruskal-Wallis test found.

    Parameters
    ----------
    statistic
        H, corrected for ties.
    uncorrected
        H before the correction.
    df
        Number of groups less one.
    p
        From the chi-square distribution.
    ranks
        Mean ranks, sizes and ties of the groups.

    Examples
    --------
    >>> kruskal_wallis([[1, 2, 3], [4, 5, 6]]).df
    1
    """

    statistic: float
    uncorrected: float
    df: int
    p: float
    ranks: RankedGroups


def kruskal_wallis(groups: Groups) -> KruskalWallis:
    r"""Test whether several independent samples come from one distribution.

    .. math:: H = \frac{12}{N(N+1)} \sum_j n_j \left(\bar R_j - \frac{N+1}{2}\right)^2, \qquad
              H' = H \Big/ \left(1 - \frac{\sum (t^3 - t)}{N^3 - N}\right)

    with k - 1 degrees of freedom. When all values are tied, H is 0 and p is 1.

    Parameters
    ----------
    groups
        The samples, or a matrix with one in each row: ``scores`` (topics x systems) compares
        topics, ``scores.T`` systems. NaN values are left out and counted.

    Returns
    -------
    KruskalWallis
        H, degrees of freedom, p-value and the mean ranks.

    Notes
    -----
    Scores of one topic, or of one system, are not independent of each other: where the other
    factor is a block, `friedman` is the test (reading 19).

    References
    ----------
    .. [1] W. H. Kruskal and W. A. Wallis, "Use of ranks in one-criterion variance analysis",
       JASA 47, 1952.

    Examples
    --------
    >>> found = kruskal_wallis([[1, 2, 2, 3], [2, 3, 4, 4], [5, 5, 4, 5]])
    >>> round(found.statistic, 4), found.df, round(found.p, 4)
    (8.25, 2, 0.0162)
    """
    ranks = rank_groups(groups)
    n, df = ranks.total, len(ranks.n) - 1
    between = float(np.sum(ranks.n * (ranks.mean_ranks - (n + 1) / 2) ** 2))
    uncorrected = 12 * between / (n * (n + 1))
    untied = 1 - ranks.tie_term / (n**3 - n)
    h = uncorrected / untied if untied > 0 else 0.0
    return KruskalWallis(h, uncorrected, df, float(chdtrc(df, h)), ranks)
