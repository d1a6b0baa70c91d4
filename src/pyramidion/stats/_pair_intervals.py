"""Intervals of the differences of pairs of systems, which go with the tests of pairs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.stats._pair_permutation import PairwiseTest, cluster_sums, mean_errors
from pyramidion.stats._resampling import ratio
from pyramidion.stats.inputs import share
from pyramidion.stats.mean_intervals import (
    matched_share_interval,
    t_quantile,
    unseen_variance,
)
from pyramidion.stats.pairs import Indices, Pairs, checked_pairs, pair_blocks

#: What a critical value is compared with: the standardized sum of `permute_pairs`, t, or the
#: standardized W.
CriticalScale = Literal["sum", "t", "w"]

# With more differences of 0, few topics show too little of the spread of the others.
_MAX_ZERO_SHARE = 0.5
# An end that a test moves across 0 lies beyond it by this share of the difference.
_SHARE_BEYOND_ZERO = 1e-6
# Up to this number of topics all means of two differences are computed at once.
_MAX_TOPICS_AT_ONCE = 300


@dataclass(frozen=True, slots=True, eq=False)
class PairIntervals:
    """Intervals of differences, one element per pair; NaN where there is none.

    `sparse` marks pairs whose intervals allow for unseen differences.
    """

    low: Floats
    high: Floats
    sparse: Bools


def pair_intervals(
    scores: npt.ArrayLike,
    *,
    test: PairwiseTest = "paired-t",
    pairs: npt.ArrayLike | None = None,
    alpha: float = 0.05,
    critical: float | None = None,
    scale: CriticalScale = "sum",
    clusters: Ints | None = None,
    continuity: bool = False,
    width: float | None = None,
) -> PairIntervals:
    r"""Return intervals of the differences of pairs of systems, by inverting a test.

    - Tests of means: :math:`\bar Z \pm t\,\widehat{se}`, with the standard error and degrees of
      freedom of the test; Bonett and Price's interval if paired scores are all 0 or 1. If most
      differences of two systems' ratings are 0, the interval is wider for the same reason: the
      variance allows for two more differences, one of each sign, :math:`2 z \delta^2 / (n + 2)^2`,
      where z is the share of 0, and δ² the mean square of the other differences of all pairs and of
      one as large as the scale. An interval that excludes 0 without them still does.
    - ``"wilcoxon"``: two of the ordered means :math:`(Z_i + Z_j)/2`, an interval of the
      pseudomedian of the differences (Hodges and Lehmann), not of their mean.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores. A pair is compared on the topics that both have.
    test
        The test, as in `compare`.
    pairs
        Rows of two column numbers; by default, all pairs.
    alpha
        The level at which a pair is significant. Divide it by the number of pairs for simultaneous
        intervals (Bonferroni).
    critical
        The value that the largest statistic of all pairs must exceed (max-T), for simultaneous
        intervals that exclude 0 exactly for the pairs that single-step max-T finds. Intervals are
        at least as wide as those of `alpha` alone.
    scale
        The statistic `critical` belongs to: ``"sum"`` is that of `permute_pairs`,
        :math:`S = \sum Z / \sqrt{\sum Z^2}`; :math:`|S(\delta)| \le c` for differences shifted by
        δ means :math:`t = c\sqrt{(n-1)/(n-c^2)}`. ``"w"`` is the standardized W.
    clusters
        The cluster of each topic, from 0.
    continuity
        Whether W is corrected for continuity.
    width
        The width of the scale of ratings, near whose end most differences may be 0.

    References
    ----------
    .. [1] J. L. Hodges and E. L. Lehmann, "Estimates of location based on rank tests", Annals of
       Mathematical Statistics 34, 1963.
    .. [2] D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of
       binomial proportions based on paired data", JEBS 37, 2012.

    Examples
    --------
    >>> scores = [[3, 2], [4, 1], [4, 5], [2, 2], [3, 2]]
    >>> intervals = pair_intervals(scores)
    >>> intervals.low.round(3).tolist(), intervals.high.round(3).tolist()
    ([-1.042], [2.642])
    >>> ranks = pair_intervals(scores, test="wilcoxon", alpha=0.2)
    >>> ranks.low.tolist(), ranks.high.tolist()
    ([0.0], [2.0])
    """
    score_table, indices = checked_pairs(scores, pairs)
    low, high = np.full((2, len(indices)), np.nan)
    z = NormalDist().inv_cdf(1 - share(alpha, "alpha") / 2)
    is_binary = clusters is None and bool(
        np.isin(score_table[~np.isnan(score_table)], (0, 1)).all()
    )
    unseen_variances = np.zeros(len(indices))
    if width is not None and test == "paired-t" and not is_binary:
        unseen_variances = _unseen_variances(score_table, indices, width, clusters)
    for rows, block in pair_blocks(score_table, indices):
        n, critical_value = block.topics.astype(np.float64), critical or 0.0
        stretch = np.ones(len(n))
        if clusters is not None:
            sums = cluster_sums(block, clusters, uses_ranks=test == "wilcoxon")
            stretch = sums.stretch
        if test == "wilcoxon":
            limits = np.maximum(z * stretch, critical_value)
            interval_ends = _interval_per_pair(
                block, limits, partial(_rank_interval, continuity=continuity)
            )
        else:
            if clusters is None:
                means, errors, df = mean_errors(block, test)
            else:
                means, errors, df = sums.total / np.maximum(n, 1), ratio(sums.spread, n), sums.df
            limits = np.full(len(n), critical_value)
            if scale == "sum":
                limits = _t_from_sum(ratio(limits, stretch), df + 1)
            if test == "paired-t" and is_binary:
                interval_ends = _interval_per_pair(block, np.fmax(z, limits), _share_interval)
            else:
                # With few topics t may be infinite, and without spread there is no error.
                limits[np.isinf(limits)] = errors[n < 2] = np.nan
                quantiles = np.maximum(_t_quantiles(1 - alpha / 2, df), limits)
                interval_ends = _t_intervals(means, quantiles, errors, unseen_variances[rows])
        low[rows], high[rows] = interval_ends
    return PairIntervals(low, high, unseen_variances > 0)


def _unseen_variances(
    scores: Floats, indices: Indices, width: float, clusters: Ints | None
) -> Floats:
    """Return the variance that unseen differences add, for pairs whose differences are mostly 0."""
    zero_shares, sizes = np.zeros((2, len(indices)))
    # Few differences, as of two systems only, may all be smaller than one that was not seen.
    square_sum, n_differing = width**2, 1
    for rows, block in pair_blocks(scores, indices):
        differences, unit_counts = block.differences, block.topics.astype(np.float64)
        sizes[rows] = unit_counts
        if clusters is not None:
            sums = cluster_sums(block, clusters, uses_ranks=False)
            # Relative to the mean size of clusters, so that they average to the mean.
            differences = (
                sums.by_cluster * ratio(sums.units.astype(np.float64), unit_counts)[:, None]
            )
            unit_counts = sums.units.astype(np.float64)
            # Clusters of unequal sizes say less about the variance.
            sizes[rows] = np.minimum(unit_counts, sums.df + 1)
        n_changes = (np.abs(differences) > block.noise).sum(axis=1, dtype=np.float64)
        zero_shares[rows] = 1 - ratio(n_changes, unit_counts)
        square_sum += float((differences**2).sum())
        n_differing += int(n_changes.sum())
    variances = unseen_variance(square_sum / n_differing, zero_shares, sizes)
    return np.where(zero_shares > _MAX_ZERO_SHARE, variances, 0.0)


def _t_intervals(
    means: Floats, quantiles: Floats, errors: Floats, unseen_variances: Floats
) -> tuple[Floats, Floats]:
    """Return intervals by t; one that excludes 0 without the unseen differences still does."""
    half_width, wider_half_width = (
        quantiles * np.where(error_part > 0, error_part, np.nan)
        for error_part in (errors, np.hypot(errors, np.sqrt(unseen_variances)))
    )
    # The end next to 0, if the test has decided on a side.
    ends_near_zero = _SHARE_BEYOND_ZERO * means
    low, high = means - wider_half_width, means + wider_half_width
    low = np.where(
        means > half_width, np.maximum(low, np.minimum(ends_near_zero, means - half_width)), low
    )
    high = np.where(
        -means > half_width, np.minimum(high, np.maximum(ends_near_zero, means + half_width)), high
    )
    return low, high


def _t_from_sum(z_scores: Floats, n: Floats) -> Floats:
    """Return t for sums over roots of sums of squares; NaN where no t is as large."""
    denominator = n - z_scores**2
    t: Floats = z_scores * np.sqrt(ratio(n - 1, denominator))
    return np.where(denominator > 0, t, np.nan)


def _t_quantiles(p: float, df: Floats) -> Floats:
    """Return quantiles of t; whole degrees of freedom do not need SciPy, which is slow to load."""
    if (df == np.rint(df)).all():
        distinct_dfs, df_indices = np.unique(df, return_inverse=True)
        return np.array([t_quantile(p, int(distinct_df)) for distinct_df in distinct_dfs])[
            df_indices
        ]
    from scipy.special import stdtrit

    return np.asarray(stdtrit(df, p))


_Limits = tuple[float, float]


def _interval_per_pair(
    block: Pairs, limits: Floats, interval: Callable[[Floats, float], _Limits]
) -> tuple[Floats, Floats]:
    """Compute the interval of each pair from its differences and critical value."""
    ends = np.full((2, len(limits)), np.nan)
    for row, has_both in enumerate(block.shared):
        if np.count_nonzero(has_both) > 1:
            ends[:, row] = interval(block.differences[row, has_both], float(limits[row]))
    return ends[0], ends[1]


def _share_interval(differences: Floats, z: float) -> _Limits:
    level = math.erf(z / math.sqrt(2))
    return matched_share_interval(differences, confidence_level=min(level, 1 - 1e-12))


def _rank_interval(differences: Floats, z: float, continuity: bool) -> _Limits:
    """Return the means of two differences of which at most a critical number lie beyond."""
    n = len(differences)
    n_averages = n * (n + 1) // 2
    limit = (n_averages + z * math.sqrt(n * (n + 1) * (2 * n + 1) / 6) + continuity) / 2
    if not limit < n_averages or not np.ptp(differences):
        return math.nan, math.nan
    sorted_values = np.sort(differences)
    positions = n_averages - 1 - math.floor(limit), math.floor(limit)
    if n <= _MAX_TOPICS_AT_ONCE:
        means = (sorted_values[:, None] + sorted_values)[np.triu_indices(n)] / 2
        low, high = np.partition(means, positions)[list(positions)].tolist()
        return low, high
    return _walsh_average(sorted_values, positions[0]), _walsh_average(sorted_values, positions[1])


def _walsh_average(sorted_values: Floats, index: int) -> float:
    """Find the mean of two differences at an index in their order, by bisection."""
    low, high = float(sorted_values[0]), float(sorted_values[-1])
    indices, width = np.arange(len(sorted_values)), 1e-12 * (high - low)
    while high - low > width:
        middle = (low + high) / 2
        n_up_to_middle = np.searchsorted(sorted_values, 2 * middle - sorted_values, side="right")
        low, high = (
            (low, middle)
            if np.maximum(n_up_to_middle - indices, 0).sum() > index
            else (middle, high)
        )
    return high
