"""Correlation coefficients, also top-weighted (tau_ap) and with weights for resampling."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Alternative, check_choice, one_sided, paired
from pyramidion.stats.pairs import (
    Ranks,
    Weights,
    accumulate_rows,
    counting_type,
    dense_ranks,
    midranks,
    multiply,
    noise_level,
    sign_agreement,
    sum_above_both,
)

# Up to this many groups times points, a matrix product is faster than sorting.
_MAX_PRODUCT_CELLS = 1 << 13


@dataclass(frozen=True, slots=True)
class TiedGroups:
    """The weights of groups of tied points, lowest group first, under many weightings."""

    ranks: Ranks
    weights: Floats

    @classmethod
    def of(cls, ranks: Ranks, weights: Weights) -> "TiedGroups":
        """Weigh the groups of these ranks."""
        sum_by_group = _sums_of_points if ranks.ndim == 1 else _sums_of_columns
        return cls(ranks, sum_by_group(ranks, weights).astype(np.float64, copy=False))

    @property
    def total(self) -> Floats:
        """The total weight of all points."""
        return np.asarray(self.weights.sum(axis=0))

    def cumulative_weights(self) -> Floats:
        """Return the weight of each group and all below it."""
        return accumulate_rows(self.weights.copy()).astype(np.float64, copy=False)

    def centered_ranks(self) -> Floats:
        """Return twice the centered midrank of each group: the weight below minus that above."""
        weights_up_to = self.cumulative_weights()
        return np.asarray(2 * weights_up_to - self.weights - weights_up_to[-1])

    def value_per_point(self, group_values: Floats) -> Floats:
        """Return for each point the value of its group."""
        if self.ranks.ndim == 1:
            return group_values[self.ranks]
        ranks = np.broadcast_to(self.ranks, (len(self.ranks), group_values.shape[1]))
        return np.take_along_axis(group_values, ranks, axis=0)

    def count_tied_pairs(self) -> Floats:
        """Count the tied pairs of points, in either order: the squared weights of groups."""
        return np.asarray(np.einsum("gb,gb->b", self.weights, self.weights))

    def count_untied_pairs(self) -> Floats:
        """Count the pairs of points that are not tied."""
        return (self.total**2 - self.count_tied_pairs()) / 2


def _sums_of_points(ranks: Ranks, weights: Weights) -> Weights:
    sizes = np.bincount(ranks)
    if len(sizes) * len(ranks) <= _MAX_PRODUCT_CELLS:
        membership = (np.arange(len(sizes))[:, None] == ranks).astype(weights.dtype)
        return multiply(membership, weights)
    sorted_weights = weights[np.argsort(ranks, kind="stable")]
    if len(sizes) == len(ranks):
        return sorted_weights
    sums_up_to = accumulate_rows(sorted_weights)[np.cumsum(sizes) - 1]
    return np.concatenate([sums_up_to[:1], sums_up_to[1:] - sums_up_to[:-1]])


def _sums_of_columns(ranks: Ranks, weights: Weights) -> Weights:
    n_groups = int(ranks.max(initial=0)) + 1
    n_columns = max(ranks.shape[1], weights.shape[1])
    cell_codes = ranks.astype(np.int64) * n_columns + np.arange(n_columns)
    counts = np.broadcast_to(weights.astype(np.float64), cell_codes.shape)
    sums = np.bincount(cell_codes.ravel(), counts.ravel(), n_groups * n_columns)
    return sums.reshape(n_groups, n_columns).astype(np.float64, copy=False)


def sum_above_both_sorted(x: Ranks, z: Ranks, weights: Weights) -> Weights:
    """Sum, for each point, the weights of the points above it in both rankings.

    The points are split into halves by one ranking, recursively. For pairs separated at a split,
    that ranking is decided; sorted by the other one, running sums of the weights give the result
    for all points of the lower half. The cost is O(n log n) per weighting instead of O(n²).
    """
    # Fewer distinct ranks need fewer splits.
    halved_ranks, other_ranks = (x, z) if x.max() < z.max() else (z, x)
    halved_ranks, falling_ranks = (
        halved_ranks.astype(np.int64),
        int(other_ranks.max()) - other_ranks.astype(np.int64),
    )
    sums = np.zeros_like(weights)
    for step in range(int(halved_ranks.max()).bit_length()):
        # The key sorts by group and, within a group, from the highest to the lowest.
        keys = (halved_ranks >> (step + 1)) * (len(other_ranks) + 1) + falling_ranks
        _add_upper_halves(
            sums, weights, keys, (halved_ranks >> step) & 1 == 1, len(other_ranks) + 1
        )
    return sums


def _add_upper_halves(
    sums: Weights, weights: Weights, keys: Ints, is_upper: Bools, width: int
) -> None:
    """Add to each lower point the upper points of its group that come before it."""
    upper_points, lower_points = np.flatnonzero(is_upper), np.flatnonzero(~is_upper)
    upper_points = upper_points[np.argsort(keys[upper_points], kind="stable")]
    groups = keys[upper_points] // width
    running_sums = accumulate_rows(
        weights[upper_points], np.flatnonzero(np.diff(groups, prepend=-1))
    )
    last_positions = np.searchsorted(keys[upper_points], keys[lower_points]) - 1
    is_in_group = (last_positions >= 0) & (
        groups[np.maximum(last_positions, 0)] == keys[lower_points] // width
    )
    sums[lower_points[is_in_group]] += running_sums[last_positions[is_in_group]]


KendallMethod = Literal["auto", "exact", "normal"]


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation coefficient."""

    value: float
    p: float
    statistic: float
    n: int
    method: str
    undefined: str = ""


def undefined_reason(x: Floats, y: Floats) -> str:
    """Say which of two samples is constant, up to rounding noise; empty if neither is."""
    for values, name in ((x, "x"), (y, "y")):
        if np.ptp(values) <= noise_level(values):
            return f"all values of `{name}` are equal"
    return ""


def pearson(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided"
) -> Correlation:
    r"""Pearson's correlation coefficient.

    Parameters
    ----------
    x, y
        Paired samples.
    alternative
        ``two-sided``, ``greater`` (the correlation is positive) or ``less``.

    Notes
    -----
    The p-value is that of :math:`t = r\sqrt{(n-2)/(1-r^2)}` on n - 2 degrees of freedom; with two
    points it is 1. The correlation of a constant sample is undefined (NaN).

    Examples
    --------
    >>> result = pearson([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(result.value, 3), round(result.p, 3)
    (0.8, 0.2)
    """
    first, second = paired(x, y, min_size=2)
    return _moment_correlation(first, second, undefined_reason(first, second), alternative)


def spearman(
    x: npt.ArrayLike, y: npt.ArrayLike, *, alternative: Alternative = "two-sided"
) -> Correlation:
    """Spearman's rank correlation: Pearson's r of the midranks, with the same t approximation.

    Parameters
    ----------
    x, y
        Paired samples; values that differ only by rounding noise are tied.
    alternative
        ``two-sided``, ``greater`` (the correlation is positive) or ``less``.

    Examples
    --------
    >>> round(spearman([1, 2, 3, 4], [10, 30, 20, 400]).value, 3)
    0.8
    """
    first, second = paired(x, y, min_size=2)
    reason = undefined_reason(first, second)
    a, b = midranks(dense_ranks(first)), midranks(dense_ranks(second))
    return _moment_correlation(a, b, reason, alternative)


def _moment_correlation(x: Floats, y: Floats, reason: str, alternative: Alternative) -> Correlation:
    check_choice(alternative, "alternative", Alternative)
    n = len(x)
    if reason:
        return Correlation(math.nan, math.nan, math.nan, n, "t", reason)
    a, b = _center_and_scale(x), _center_and_scale(y)
    r = float(np.clip(a @ b / math.sqrt((a @ a) * (b @ b)), -1, 1))
    if n == 2:
        return Correlation(r, 1.0, math.nan, n, "t")
    unexplained_share = (1 - r) * (1 + r)
    t = (
        r * math.sqrt((n - 2) / unexplained_share)
        if unexplained_share
        else math.copysign(math.inf, r)
    )
    from scipy.stats import t as student

    p = one_sided(float(student.sf(t, n - 2)), float(student.cdf(t, n - 2)), alternative)
    return Correlation(r, p, t, n, "t")


def _center_and_scale(values: Floats) -> Floats:
    """Subtract the mean, and scale so that squares neither overflow nor underflow."""
    centered_values = values - values.mean()
    return np.asarray(centered_values / np.abs(centered_values).max())


def kendall(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    method: KendallMethod = "auto",
    alternative: Alternative = "two-sided",
) -> Correlation:
    r"""Kendall's tau-b.

    .. math:: \tau_b = (C - D) / \sqrt{(n_0 - n_x)(n_0 - n_y)}

    with C concordant and D discordant of :math:`n_0 = n(n-1)/2` pairs, of which n_x are tied in
    x and n_y in y.

    Parameters
    ----------
    x, y
        Paired samples; values that differ only by rounding noise are tied.
    method
        How the p-value is computed: ``exact`` (no ties allowed), ``normal`` (C - D over its
        tie-corrected standard deviation, no continuity correction), or ``auto``: exact if there
        are no ties and fewer than 50 pairs. The result's `method` is the one used.
    alternative
        ``two-sided``, ``greater`` (the correlation is positive) or ``less``.

    References
    ----------
    M. G. Kendall. Rank Correlation Methods. 4th edition, Griffin, 1970.

    Examples
    --------
    >>> result = kendall([1, 2, 3, 4], [1, 3, 2, 4])
    >>> round(result.value, 3), round(result.p, 3), result.method
    (0.667, 0.333, 'exact')
    """
    check_choice(method, "method", KendallMethod)
    check_choice(alternative, "alternative", Alternative)
    first, second = paired(x, y, min_size=2)
    x, y = dense_ranks(first), dense_ranks(second)
    n, has_ties = len(x), min(int(x.max()), int(y.max())) < len(x) - 1
    if method == "exact" and has_ties:
        raise InputError(
            "exact p-values of tau need data without ties", hint="use `method` normal or auto"
        )
    is_exact = method == "exact" or (method == "auto" and not has_ties and n < 50)
    if reason := undefined_reason(first, second):
        method_used = "exact" if is_exact else "normal"
        return Correlation(math.nan, math.nan, math.nan, n, method_used, reason)
    from scipy.stats import kendalltau, norm

    if is_exact:
        test = kendalltau(x, y, method="exact", alternative=alternative)
        return Correlation(float(test.statistic), float(test.pvalue), math.nan, n, "exact")
    tau = float(kendalltau(x, y, method="asymptotic").statistic)
    tie_sizes = [np.bincount(ranks).astype(np.float64) for ranks in (x, y)]
    untied_pairs = [n * (n - 1) / 2 - float(t @ (t - 1)) / 2 for t in tie_sizes]
    z = (
        tau
        * math.sqrt(untied_pairs[0] * untied_pairs[1])
        / math.sqrt(_agreement_variance(n, *tie_sizes))
    )
    p = one_sided(float(norm.sf(z)), float(norm.cdf(z)), alternative)
    return Correlation(tau, p, z, n, "normal")


def _agreement_variance(n: int, t: Floats, u: Floats) -> float:
    """Return the null variance of C - D for groups of t and u tied values."""
    main_term = n * (n - 1) * (2 * n + 5) - sum(float(g * (g - 1) @ (2 * g + 5)) for g in (t, u))
    pair_term = float(t @ (t - 1)) * float(u @ (u - 1)) / (2 * n * (n - 1))
    if n == 2:
        return main_term / 18 + pair_term
    triple_term = float(t * (t - 1) @ (t - 2)) * float(u * (u - 1) @ (u - 2))
    return main_term / 18 + pair_term + triple_term / (9 * n * (n - 1) * (n - 2))


Ties = Literal["auto", "refuse", "a", "b"]
TrueRanking = Literal["x", "y"]


def tau_ap(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    *,
    true: TrueRanking = "x",
    ties: Ties = "auto",
    decreasing: bool = True,
) -> Correlation:
    r"""AP rank correlation of two score vectors.

    For each item of the estimated ranking but the first, C(i) counts the items above it that are
    also above it in the true ranking:

    .. math:: \tau_{ap} = \frac{2}{n-1} \sum_{i=2}^{n} \frac{C(i)}{i-1} - 1

    It is not symmetric in the true and the estimated ranking, and has no p-value in closed form.

    Parameters
    ----------
    x, y
        Scores of the same items.
    true
        Which of the two is the true ranking; the other one is the estimate.
    ties
        ``refuse``: the coefficient of Yilmaz and others, for rankings without ties.

        ``a`` (accuracy): ties only in the estimate, averaged over all ways to break them.

        ``b`` (agreement): ties in either. An item is compared with those above its group of
        ties; a tie in the other ranking counts as disagreement; items of the top group are not
        counted; and because neither ranking is the true one, both directions are averaged.

        ``auto``: ``refuse`` if there are no ties, otherwise ``b``. The result's `method` is the
        one used.
    decreasing
        Whether the best item has the highest score; False for ranks.

    References
    ----------
    E. Yilmaz, J. A. Aslam and S. Robertson. A new rank correlation coefficient for information
    retrieval. SIGIR 2008.

    J. Urbano and M. Marrero. The treatment of ties in AP correlation. ICTIR 2017.

    Examples
    --------
    >>> human, metric = [4, 3, 2, 1], [3, 4, 2, 1]
    >>> result = tau_ap(human, metric)
    >>> round(result.value, 3), result.method
    (0.333, 'tau_ap')
    """
    check_choice(true, "true", TrueRanking)
    check_choice(ties, "ties", Ties)
    first, second = paired(x, y, min_size=2)
    if reason := undefined_reason(first, second):
        return Correlation(math.nan, math.nan, math.nan, len(first), f"tau_ap, ties {ties}", reason)
    if not decreasing:
        first, second = -first, -second
    truth, estimate = (first, second) if true == "x" else (second, first)
    version = _tie_version(ties, dense_ranks(truth), dense_ranks(estimate))
    if version == "b":
        unit_weights = np.ones((len(truth), 1))
        value = float(weighted_correlations(truth, estimate, unit_weights, "tau_ap")[0])
    else:
        value = _tie_averaged_tau_ap(truth, estimate)
    method = "tau_ap" if version == "refuse" else f"tau_ap, ties {version}"
    return Correlation(value, math.nan, math.nan, len(first), method)


def _tie_version(ties: Ties, truth: Ranks, estimate: Ranks) -> Ties:
    truth_has_ties, estimate_has_ties = (int(r.max()) < len(r) - 1 for r in (truth, estimate))
    if ties == "auto":
        return "b" if truth_has_ties or estimate_has_ties else "refuse"
    if ties != "b" and truth_has_ties:
        raise InputError("the true ranking has ties", hint="use `ties` b")
    if ties == "refuse" and estimate_has_ties:
        raise InputError("the estimated ranking has ties", hint="use `ties` a or b")
    return ties


def _tie_averaged_tau_ap(truth: Floats, estimate: Floats) -> float:
    """Average over all orders of tied items."""
    true_ranks, ranks = dense_ranks(truth), dense_ranks(estimate)
    agreeing_counts = sum_above_both(true_ranks, ranks, np.ones((len(truth), 1)))[:, 0]
    sizes = np.bincount(ranks)
    n_above = len(ranks) - np.cumsum(sizes)
    share_sum = 0.0
    for n_agreeing, n_higher, size in zip(
        np.bincount(ranks, agreeing_counts), n_above, sizes, strict=True
    ):
        # An item may come at any position of its group of ties: at position k, k others of the
        # group are above it, and half of them agree.
        positions = np.arange(size)
        shares = (n_agreeing / size + positions / 2) / np.maximum(n_higher + positions, 1)
        share_sum += float(np.sum(shares))
    return 2 * share_sum / (len(ranks) - 1) - 1


Coefficient = Literal["pearson", "spearman", "kendall", "tau_ap"]
Coefficients = Sequence[Coefficient]
#: The size of rounding errors of either variable.
Noise = tuple[float, float]

# Weights processed together, so that they fit the processor's cache; and the minimum number of
# weightings, because the points are sorted again for each chunk.
_CHUNK_WEIGHTS, _MIN_WEIGHTINGS = 1 << 20, 16
# With more points, sorting is faster than comparing all pairs.
_MAX_COMPARED_POINTS = 128
# A variance below this share of the mean square is rounding noise.
_MIN_VARIANCE_SHARE = 1e-12


def weighted_correlations(
    x: Floats, z: Floats, weights: Weights, coefficient: Coefficient, *, noise: Noise | None = None
) -> Floats:
    """Correlate x with z under each weighting."""
    return np.asarray(correlations(x, z, weights, (coefficient,), noise)[0])


def correlations(
    x: Floats, z: Floats, weights: Weights, coefficients: Coefficients, noise: Noise | None = None
) -> Floats:
    """Correlate x with z under each weighting: one row per coefficient."""
    noise = noise or (noise_level(x), noise_level(z))
    by_coefficient: dict[Coefficient, Floats] = {}
    if "pearson" in coefficients:
        by_coefficient["pearson"] = _correlate_in_chunks(
            partial(_pearson, noise=noise), x, z, weights
        )
    rank_coefficients = [name for name in coefficients if name != "pearson"]

    def correlate_ranks(x: Ranks, z: Ranks, weights: Weights) -> Floats:
        ranked_points = RankedPoints(x, z, weights, is_multiple=len(rank_coefficients) > 1)
        return np.stack([_RANK_CORRELATIONS[name](ranked_points) for name in rank_coefficients])

    if rank_coefficients:
        max_weight = float(weights.sum(axis=0, dtype=np.float64).max(initial=0.0))
        counts: Weights = weights.astype(counting_type(max_weight**2), copy=False)
        ranks = dense_ranks(x, noise=noise[0]), dense_ranks(z, noise=noise[1])
        rows = _correlate_in_chunks(correlate_ranks, *ranks, counts)
        rows = np.broadcast_to(rows, (len(rank_coefficients), rows.shape[-1]))
        by_coefficient |= zip(rank_coefficients, rows, strict=True)
    return np.stack([by_coefficient[name] for name in coefficients])


def _correlate_in_chunks(
    correlate: Callable[..., Floats],
    x: npt.NDArray[Any],
    z: npt.NDArray[Any],
    weights: Weights,
) -> Floats:
    n_columns = max(a.shape[1] for a in (x, z, weights) if a.ndim == 2)
    if not len(x):
        return np.full(n_columns, np.nan)
    step = max(_MIN_WEIGHTINGS, _CHUNK_WEIGHTS // len(x))

    def chunk(array: npt.NDArray[Any], start: int) -> npt.NDArray[Any]:
        is_single = array.ndim == 1 or array.shape[1] == 1
        return array if is_single else array[:, start : start + step]

    starts = range(0, n_columns, step)
    correlation_chunks = [
        correlate(*(chunk(array, i) for array in (x, z, weights))) for i in starts
    ]
    return np.concatenate(correlation_chunks, axis=-1)


def root_ratio(numerator: Floats, first: Floats, second: Floats) -> Floats:
    """Divide by the root of a product, clipped to [-1, 1]; NaN if a factor is not positive."""
    is_defined = (first > 0) & (second > 0)
    root = np.sqrt(np.where(is_defined, first * second, np.nan))
    return np.clip(numerator / root, -1.0, 1.0)


def _pearson(x: Floats, z: Floats, weights: Weights, noise: Noise) -> Floats:
    if x.ndim == z.ndim == 1:
        return _pearson_of_points(x, z, weights, noise)
    x = _center_by_weight(x.reshape(len(x), -1), weights, noise[0])
    z = _center_by_weight(z.reshape(len(z), -1), weights, noise[1])
    return root_ratio(*((weights * product).sum(axis=0) for product in (x * z, x * x, z * z)))


def _center_by_weight(values: Floats, weights: Weights, noise: float) -> Floats:
    """Subtract the weighted means; constant columns become exactly 0."""
    total_weights = np.maximum(weights.sum(axis=0, dtype=np.float64), 1)
    centered_values: Floats = values - (weights * values).sum(axis=0) / total_weights
    is_constant = (weights * centered_values**2).sum(axis=0) <= total_weights * noise**2
    return np.where(is_constant, 0.0, centered_values)


def _pearson_of_points(x: Floats, z: Floats, weights: Weights, noise: Noise) -> Floats:
    x, z = x - x.mean(), z - z.mean()
    moments = np.stack([np.ones_like(x), x, z, x * x, z * z, x * z])
    sums = multiply(moments, weights.astype(np.float64, copy=False))
    n, sx, sz, xx, zz, xz = np.maximum(sums[0], 1), *sums[1:]
    spread_x, spread_z = _variation(xx, sx, n, noise[0]), _variation(zz, sz, n, noise[1])
    return root_ratio(xz - sx * sz / n, spread_x, spread_z)


def _variation(squares: Floats, sums: Floats, n: Floats, noise: float) -> Floats:
    variation = squares - sums**2 / n
    # A small remainder may be the rounding error of the subtraction.
    threshold = np.maximum(_MIN_VARIANCE_SHARE * squares, n * noise**2)
    return np.where(variation > threshold, variation, 0.0)


class RankedPoints:
    """Two rankings of the same points; values that several coefficients need are cached."""

    def __init__(self, x: Ranks, z: Ranks, weights: Weights, *, is_multiple: bool) -> None:
        self.x, self.z, self.weights = x, z, weights
        self.same = x.ndim == z.ndim == 1
        self.many = self.same and len(x) > _MAX_COMPARED_POINTS
        self.several = is_multiple

    @cached_property
    def groups(self) -> tuple[TiedGroups, TiedGroups]:
        """The tied points of each ranking."""
        return TiedGroups.of(self.x, self.weights), TiedGroups.of(self.z, self.weights)

    @cached_property
    def above(self) -> Weights:
        """The weight of the points above each point in both rankings, times its own weight."""
        sum_above = sum_above_both_sorted if self.many else sum_above_both
        return self.weights * sum_above(self.x, self.z, self.weights)

    def count_untied_pairs(self) -> tuple[Floats, Floats]:
        """Count the pairs that are not tied in each ranking."""
        if self.same and not self.several:
            total = self.weights.sum(axis=0, dtype=np.float64) ** 2
            x, z = ((total - tied_pairs(ranks, self.weights)) / 2 for ranks in (self.x, self.z))
            return x, z
        return self.groups[0].count_untied_pairs(), self.groups[1].count_untied_pairs()

    def agreement(self, untied: Floats) -> Floats:
        """Count concordant minus discordant pairs."""
        if not (self.many or self.several):
            return sign_agreement(self.x, self.z, self.weights)
        joint_ranks = dense_ranks(self.x * np.float64(len(self.x)) + self.z)
        total = self.weights.sum(axis=0, dtype=np.float64) ** 2
        weights = self.weights
        tied_weights = (
            tied_pairs(joint_ranks, weights)
            if self.same
            else TiedGroups.of(joint_ranks, weights).count_tied_pairs()
        )
        n_concordant = self.above.sum(axis=0, dtype=np.float64)
        return np.asarray(2 * n_concordant - untied + (total - tied_weights) / 2)


def _kendall(ranked_points: RankedPoints) -> Floats:
    x, z = ranked_points.count_untied_pairs()
    return root_ratio(ranked_points.agreement(x + z), x, z)


def tied_pairs(ranks: Ranks, weights: Weights) -> Floats:
    """Count the tied pairs of points, in either order: the squared weights of groups."""
    sizes = np.bincount(ranks)
    tied_ranks, single_weights = ranks, np.zeros(weights.shape[1])
    if len(sizes) * len(ranks) > _MAX_PRODUCT_CELLS:
        # Groups of one point need no summing.
        is_tied = sizes > 1
        is_tied_point = is_tied[ranks]
        single_weights = _square_sums(weights) - _square_sums(weights[is_tied_point])
        tied_ranks, weights = (
            (np.cumsum(is_tied) - 1)[ranks[is_tied_point]],
            weights[is_tied_point],
        )
    return single_weights + _square_sums(_sums_of_points(tied_ranks, weights))


def _square_sums(rows: Weights) -> Floats:
    squares: Weights = np.einsum("ib,ib->b", rows, rows)
    return squares.astype(np.float64)


def _spearman(ranked_points: RankedPoints) -> Floats:
    (first, a), (second, b) = ((groups, groups.centered_ranks()) for groups in ranked_points.groups)
    products = (ranked_points.weights * (first.value_per_point(a) * second.value_per_point(b))).sum(
        axis=0
    )
    squares = (np.einsum("gb,gb,gb->b", g.weights, p, p) for g, p in ((first, a), (second, b)))
    return root_ratio(products, *squares)


def _tau_ap(ranked_points: RankedPoints) -> Floats:
    first, second = (_share_above(groups, ranked_points.above) for groups in ranked_points.groups)
    return first + second - 1


def _share_above(groups: TiedGroups, weight_above: Weights) -> Floats:
    """Average, over points below the top group, the share of points above that agree."""
    weight_higher = groups.total - groups.cumulative_weights()
    pivot_weights = np.where(weight_higher > 0, groups.weights, 0.0).sum(axis=0)
    shares = weight_above / groups.value_per_point(np.maximum(weight_higher, 1))
    return np.asarray(shares.sum(axis=0) / np.where(pivot_weights > 0, pivot_weights, np.nan))


_RANK_CORRELATIONS: dict[str, Callable[[RankedPoints], Floats]] = {
    "spearman": _spearman,
    "kendall": _kendall,
    "tau_ap": _tau_ap,
}
