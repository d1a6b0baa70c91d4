"""Permutation, signed-rank and t tests of all pairs at once."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Signs
from pyramidion.errors import InputError
from pyramidion.stats._resampling import all_signs, chosen_signs, ratio, signed_ranks
from pyramidion.stats.inputs import Rng, check_choice, count_of_resamples, share
from pyramidion.stats.pairs import (
    Indices,
    Mapper,
    Pairs,
    PairSums,
    accumulate_maxima,
    checked_pairs,
    pair_blocks,
    row_counts,
    tie_threshold,
)


@dataclass(frozen=True, slots=True)
class PermutedPairs:
    """Result of `permute_pairs`, one element per pair; NaN for pairs that share no topic.

    `statistic` is the sum of the differences over the root of the sum of their squares. `p` is
    uncorrected, `p_max_t` single-step, and `p_step_down` that of Westfall and Young. Single-step
    max-T finds pairs whose statistic exceeds `cutoff_max_t`. `effect` is the mean difference in
    standard deviations, NaN with fewer than two topics or where all differences are equal but not
    0.
    """

    pairs: Indices
    topics: Ints
    difference: Floats
    statistic: Floats
    p: Floats
    p_max_t: Floats
    p_step_down: Floats
    exact: bool
    n_resamples: int
    cutoff_max_t: float
    effect: Floats


def least_resamples(tests: int, alpha: float = 0.05) -> int:
    """Return how many resamples Holm or Bonferroni need to be able to reject anything.

    The smallest p-value of B resamples, 1 / (B + 1), must not exceed ``alpha / tests``.

    Examples
    --------
    >>> least_resamples(2145)
    42899
    """
    if tests < 1:
        raise InputError(f"`tests` is {tests}", hint="give 1 or more")
    return math.ceil(tests / share(alpha, "alpha") - 1e-9) - 1


def permute_pairs(
    scores: npt.ArrayLike,
    *,
    pairs: npt.ArrayLike | None = None,
    n_resamples: int = 9999,
    swaps: npt.ArrayLike | None = None,
    step_down: bool = True,
    confidence_level: float = 0.95,
    rng: Rng | None = None,
    mapper: Mapper = map,
) -> PermutedPairs:
    r"""Test the mean difference of every pair of systems by random signs.

    Each resample flips the sign of every topic's difference with probability 1/2, with the same
    flips for all pairs. This preserves the joint distribution of all statistics, so p-values can
    be adjusted for the number of pairs without further assumptions (max-T): for pair i

    .. math:: \tilde p_i = \frac{1 + \#\{b: \max_j |S_{bj}| \ge |S_i|\}}{B + 1}, \qquad
              S = \sum_k Z_k \Big/ \sqrt{\sum_k Z_k^2}

    where the maximum is over all pairs (single-step) or over those whose observed statistic is
    not larger than that of pair i (step-down, then made monotone).

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores. A pair is compared on the topics on which both
        systems have scores.
    pairs
        Rows of two column numbers; by default, all pairs.
    n_resamples
        The number of resamples. If there are no more than this, all 2ⁿ signs of n topics are
        enumerated, and p-values are exact.
    swaps
        The signs to flip: resamples x topics of 0 and 1.
    step_down
        Whether to compute the step-down p-values; otherwise they are NaN.
    confidence_level
        One minus the level of `cutoff_max_t`.
    rng
        Generator or seed.
    mapper
        Processes batches of resamples like `map`, perhaps in parallel; the result is the same.

    Notes
    -----
    The statistic increases with the mean difference, so p is the p-value of that. It is
    standardized so that pairs with large differences do not dominate the maximum, but not
    studentized, because a pair that shares few topics would often have an infinite t; with
    complete scores the max-T p-values equal those of t. A value is extreme if it is at least the
    observed one, minus a tolerance for rounding: a billionth, or more if two systems differ by
    little more than the rounding error of their scores. Identical systems have p = 1.

    For Holm's correction see `adjust_p`; it needs at least `least_resamples`.

    References
    ----------
    .. [1] P. H. Westfall, S. S. Young, "Resampling-based multiple testing", Wiley, 1993.

    Examples
    --------
    >>> scores = np.random.default_rng(0).normal(size=(30, 4)) + [0, 0.2, 1, 1.2]
    >>> result = permute_pairs(scores, n_resamples=1999)
    >>> (result.p_max_t < 0.05).tolist()
    [False, True, True, True, True, False]
    >>> bool((result.p_step_down <= result.p_max_t).all())
    True
    """
    score_table, indices = checked_pairs(scores, pairs)
    n_topics = len(score_table)
    is_enumerated = swaps is None and 2**n_topics <= count_of_resamples(n_resamples)
    signs = (
        all_signs(n_topics) if is_enumerated else chosen_signs(swaps, n_resamples, n_topics, rng)
    )
    n_shared = np.empty(len(indices), np.int64)
    totals, lengths, effects = np.empty((3, len(indices)))
    for rows, block in pair_blocks(score_table, indices):
        n_shared[rows] = block.topics
        effects[rows] = _t_statistics(block, "paired-t")[0] / np.sqrt(np.maximum(block.topics, 1))
        totals[rows] = block.differences.sum(axis=1)
        lengths[rows] = np.sqrt(np.einsum("pk,pk->p", block.differences, block.differences))
    differences, statistics = totals / np.maximum(n_shared, 1), ratio(totals, lengths)
    differences[n_shared == 0] = statistics[n_shared == 0] = np.nan
    order = np.flatnonzero(n_shared > 0)
    if step_down:
        # In increasing order of the statistic.
        order = order[np.argsort(np.abs(statistics[order]), kind="stable")]
    sums, p_columns = PairSums(score_table, indices[order]), np.full((3, len(indices)), np.nan)
    p_columns[:, order], maxima = _resampled_p_values(
        sums, statistics[order], lengths[order], signs, mapper, step_down
    )
    # At most this share of the maxima, which include the data, may reach a significant statistic.
    max_exceeding = math.floor(
        (1 - share(confidence_level, "confidence_level")) * len(maxima) + 1e-9
    )
    p, p_max_t, p_step_down = p_columns
    columns = n_shared, differences, statistics, p, p_max_t, p_step_down
    resample_count = 2**n_topics if is_enumerated else len(signs) - 1
    cutoff = float(maxima[-1 - max_exceeding])
    return PermutedPairs(indices, *columns, is_enumerated, resample_count, cutoff, effects)


def _resampled_p_values(
    sums: PairSums,
    statistics: Floats,
    lengths: Floats,
    signs: Signs,
    mapper: Mapper,
    step_down: bool,
) -> tuple[Floats, Floats]:
    """Return p-values of each pair (uncorrected, single-step, step-down), and ordered maxima.

    For step-down, pairs are sorted by their statistics. The first row of signs is the data.
    """
    scales = ratio(np.ones_like(lengths), lengths)[:, None]
    thresholds = tie_threshold(statistics)[:, None] - sums.rounding * scales
    extreme_counts = np.zeros((3, len(thresholds)))
    maxima = []
    count_batch = partial(_count_extremes, sums, scales, thresholds, step_down)
    for counts, highest_values in mapper(count_batch, sums.batches(signs)):
        extreme_counts += counts
        maxima.append(highest_values)
    sorted_maxima = np.sort(np.concatenate(maxima))
    extreme_counts[1] = len(signs) - np.searchsorted(sorted_maxima, thresholds[:, 0])
    shares: Floats = extreme_counts / len(signs)
    shares[2] = np.maximum.accumulate(shares[2, ::-1])[::-1] if step_down else np.nan
    return shares, sorted_maxima


def _count_extremes(
    sums: PairSums, scales: Floats, thresholds: Floats, step_down: bool, batch: Floats
) -> tuple[Floats, Floats]:
    """Count the extreme resamples of a batch, and return the maximum of each resample."""
    extreme_counts, highest_values = np.zeros((3, len(thresholds))), np.zeros(len(batch))
    for rows, values in sums.blocks(batch):
        np.multiply(values, scales[rows], out=values)
        np.abs(values, out=values)
        extreme_counts[0, rows] = row_counts(values >= thresholds[rows])
        column_maxima = values.max(axis=0)
        if step_down:
            extreme_counts[2, rows] = _count_reaching(
                values, highest_values, column_maxima > highest_values, thresholds[rows]
            )
        np.maximum(highest_values, column_maxima, out=highest_values)
    return extreme_counts, highest_values


def _count_reaching(
    values: Floats, highest_values: Floats, is_rising: Bools, thresholds: Floats
) -> Ints:
    """Count for each row the resamples whose running maximum reaches the row's threshold.

    Resamples whose maximum does not rise in these rows, as is usual after the first pairs, have
    the same maximum for all rows.
    """
    unchanged_values = np.sort(highest_values[~is_rising])
    counts: Ints = len(unchanged_values) - np.searchsorted(unchanged_values, thresholds[:, 0])
    rising_values = values[:, is_rising]
    np.maximum(rising_values[0], highest_values[is_rising], out=rising_values[0])
    accumulate_maxima(rising_values)
    counts += np.count_nonzero(rising_values >= thresholds, axis=1)
    return counts


PairwiseTest = Literal["wilcoxon", "paired-t", "unpaired-t", "welch"]
# Returns the statistics and p-values of some pairs.
_PairTest = Callable[[Pairs], tuple[Floats, Floats]]

# A spread whose square underflows counts as none.
_MAX_ZERO_SPREAD = 1e-150


@dataclass(frozen=True, slots=True, eq=False)
class PairwiseTests:
    """The results of a test, one element per pair."""

    statistic: Floats
    p: Floats
    topics: Ints


def pairwise_tests(
    scores: npt.ArrayLike, *, test: PairwiseTest = "wilcoxon", pairs: npt.ArrayLike | None = None
) -> PairwiseTests:
    """Test every pair of systems on the topics on which both have scores.

    Vectorized `wilcoxon` (zeros dropped, normal approximation, ties corrected), `paired_t` and
    `unpaired_t`. Rounding noise is relative to the largest score of all systems, not of the pair.
    """
    check_choice(test, "test", PairwiseTest)
    if test == "wilcoxon":
        return signed_rank_tests(scores, pairs=pairs)
    return _test_pairs(scores, pairs, partial(_t_tests, test=test))


def _test_pairs(
    scores: npt.ArrayLike, pairs: npt.ArrayLike | None, test: _PairTest
) -> PairwiseTests:
    """Return the statistics and p-values of all pairs, computed by blocks."""
    score_table, indices = checked_pairs(scores, pairs)
    statistic, p = np.full((2, len(indices)), np.nan)
    topics = np.zeros(len(indices), np.int64)
    for rows, block in pair_blocks(score_table, indices):
        topics[rows] = block.topics
        statistic[rows], p[rows] = test(block)
    return PairwiseTests(statistic, p, topics)


@dataclass(frozen=True, slots=True, eq=False)
class SignedRankTests(PairwiseTests):
    """The results of Wilcoxon's test; `effect` is P(Z1 + Z2 > 0).

    `spread` is the standard deviation of W under random signs, 0 if nothing differs.
    """

    spread: Floats
    effect: Floats


def signed_rank_tests(
    scores: npt.ArrayLike, *, pairs: npt.ArrayLike | None = None, continuity: bool = False
) -> SignedRankTests:
    """Test every pair by `wilcoxon`, and estimate P(Z1 + Z2 > 0), zeros included (reading 21)."""
    from scipy.special import ndtr  # slow to load, and not needed for permutations

    score_table, indices = checked_pairs(scores, pairs)
    rank_sums, spread, pair_counts = np.empty((3, len(indices)))
    topics = np.empty(len(indices), np.int64)
    for rows, block in pair_blocks(score_table, indices):
        ranks = signed_ranks(block.differences, block.noise)
        n, n_zeros = block.topics, np.count_nonzero((ranks == 0) & block.shared, axis=1)
        n_positive = np.count_nonzero(ranks > 0, axis=1)
        rank_sums[rows] = ranks.sum(axis=1)
        spread[rows] = np.sqrt(np.einsum("pk,pk->p", ranks, ranks))
        # Twice W+ without the pairs of a difference with itself; plus the pairs with zeros.
        doubled_sums = rank_sums[rows] + (n - n_zeros) * (n - n_zeros + 1) / 2 - 2 * n_positive
        pair_counts[rows] = doubled_sums + 2 * n_zeros * n_positive + n_zeros * (n_zeros - 1) / 2
        topics[rows] = n
    # W is twice as far from its mean as W+, so the correction of one half becomes 1.
    distances = np.maximum(np.abs(rank_sums) - 1, 0.0) if continuity else np.abs(rank_sums)
    p: Floats = 2 * ndtr(-ratio(distances, spread))
    rank_sums[topics == 0] = p[topics == 0] = np.nan
    effect = np.full(len(topics), np.nan)
    np.divide(pair_counts, topics * (topics - 1.0), out=effect, where=topics > 1)
    return SignedRankTests(rank_sums, p, topics, spread, effect)


def _t_tests(block: Pairs, *, test: PairwiseTest) -> tuple[Floats, Floats]:
    """Return t and p; if nothing varies, they are 0 and 1 for equal means and NaN otherwise."""
    from scipy.special import stdtr  # slow to load, and not needed for permutations

    t, df = _t_statistics(block, test)
    return t, np.minimum(1.0, 2 * stdtr(df, -np.abs(t)))


def _t_statistics(block: Pairs, test: PairwiseTest) -> tuple[Floats, Floats]:
    """Return t and its degrees of freedom."""
    difference, error, df = mean_errors(block, test)
    t = ratio(difference, error)
    t[(block.topics < 2) | ((error == 0) & (np.abs(difference) > block.noise))] = np.nan
    return t, df


def mean_errors(block: Pairs, test: PairwiseTest) -> tuple[Floats, Floats, Floats]:
    """Return mean differences, their standard errors (0 without spread) and degrees of freedom."""
    n, samples = block.topics, [block.differences]
    if test != "paired-t":
        samples = [block.scores.T[block.indices[:, side]] for side in (0, 1)]
    moments = [_moments(values, block.shared) for values in samples]
    means, squares, ranges = (np.array(column) for column in zip(*moments, strict=True))
    difference, square_sums = means[0] - means[1:].sum(axis=0), squares.sum(axis=0)
    error = np.sqrt(square_sums / np.maximum(n - 1, 1) / np.maximum(n, 1))
    df = len(samples) * (n - 1).astype(np.float64)
    if test == "welch":
        # Satterthwaite's, for samples of equal size.
        first_share = ratio(squares[0], square_sums)
        df = (n - 1) / (first_share**2 + (1 - first_share) ** 2)
    error[ranges.max(axis=0) <= max(block.noise, _MAX_ZERO_SPREAD)] = 0.0
    return difference, error, np.maximum(df, 1.0)


def _moments(values: Floats, is_shared: Bools) -> tuple[Floats, Floats, Floats]:
    """Return the means, sums of squared deviations and ranges of rows."""
    means = np.where(is_shared, values, 0.0).sum(axis=1) / np.maximum(is_shared.sum(axis=1), 1)
    deviations = np.where(is_shared, values - means[:, None], 0.0)
    max_values = np.where(is_shared, values, -np.inf).max(axis=1, initial=-np.inf)
    min_values = np.where(is_shared, values, np.inf).min(axis=1, initial=np.inf)
    return means, np.einsum("pk,pk->p", deviations, deviations), max_values - min_values


def clustered_tests(
    scores: npt.ArrayLike,
    clusters: Ints,
    *,
    test: Literal["wilcoxon", "paired-t"],
    pairs: npt.ArrayLike | None = None,
) -> PairwiseTests:
    """Test pairs of systems on clusters of topics; only clusters are independent.

    Signed ranks (zeros dropped) and differences are summed by cluster. The signed-rank sum W over
    the root of the sum of squared cluster sums is treated as normal [1]_. For t, the variance is
    that of a jackknife over clusters, and the degrees of freedom are the effective number of
    clusters, one over the sum of their squared shares of the topics, minus one [2]_. Clusters of
    equal size give the paired t test of their means.

    References
    ----------
    .. [1] B. Rosner, R. J. Glynn, M.-L. T. Lee, "The Wilcoxon signed rank test for paired
       comparisons of clustered data", Biometrics 62, 2006.
    .. [2] A. V. Carter, K. T. Schnepel, D. G. Steigerwald, "Asymptotic behavior of a t-test
       robust to cluster heterogeneity", Review of Economics and Statistics 99, 2017.
    """
    from scipy.special import ndtr, stdtr

    def test_block(block: Pairs) -> tuple[Floats, Floats]:
        sums = cluster_sums(block, clusters, uses_ranks=test == "wilcoxon")
        total, z = sums.total, ratio(sums.total, sums.spread)
        if test == "wilcoxon":
            statistic, p = total, 2 * ndtr(-np.abs(z))
        else:
            statistic, p = z, np.minimum(1.0, 2 * stdtr(sums.df, -np.abs(z)))
            is_undefined = (sums.spread == 0) & (np.abs(total) > block.noise)
            statistic[is_undefined] = p[is_undefined] = np.nan
        return np.where(sums.units > 1, statistic, np.nan), np.where(sums.units > 1, p, np.nan)

    return _test_pairs(scores, pairs, test_block)


class ClusterSums(NamedTuple):
    """Sums of differences or signed ranks, one element per pair.

    `spread` is their standard deviation with clusters as the sample, `stretch` how many times that
    of independent topics the spread under random signs is, `units` the number of clusters, and
    `by_cluster` has a row of sums for each pair.
    """

    total: Floats
    spread: Floats
    df: Floats
    stretch: Floats
    units: Ints
    by_cluster: Floats


def cluster_sums(block: Pairs, clusters: Ints, *, uses_ranks: bool) -> ClusterSums:
    """Sum differences, or signed ranks, by cluster."""
    membership = (clusters[:, None] == np.arange(clusters.max() + 1)).astype(np.float64)
    sizes = block.shared @ membership
    n_clusters: Ints = np.count_nonzero(sizes, axis=1)
    values = signed_ranks(block.differences, block.noise) if uses_ranks else block.differences
    sums = values @ membership
    total, squares = sums.sum(axis=1), (sums**2).sum(axis=1)
    topic_shares = sizes / np.maximum(block.topics, 1)[:, None]
    df = np.maximum(ratio(np.ones(len(topic_shares)), (topic_shares**2).sum(axis=1)) - 1, 1.0)
    spread = np.sqrt(squares)
    if not uses_ranks:
        deviations = ratio(sums - topic_shares * total[:, None], 1 - topic_shares)
        spread = np.sqrt((deviations**2).sum(axis=1) * (n_clusters - 1) / np.maximum(n_clusters, 1))
        spread[spread <= block.noise] = 0.0
    stretch = np.sqrt(ratio(squares, (values**2).sum(axis=1)))
    return ClusterSums(total, spread, df, stretch, n_clusters, sums)
