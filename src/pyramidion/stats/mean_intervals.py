"""Confidence intervals of means for few scores: t, bounded scales, 0/1 scores, clusters."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.stats._resampling import ratio
from pyramidion.stats.anova import linked_parts
from pyramidion.stats.inputs import share
from pyramidion.stats.pairs import noise_level

#: The lowest and the highest value of a scale.
ScaleEnds = tuple[float, float]
#: Wilson's interval; t and beta quantiles for ratings; t and Wilson's generalized to a scale; t and
#: t adjusted for skewness; t; the interval of a confidence sequence.
MeanMethod = Literal["wilson", "rating", "scale", "skewness", "t", "betting"]


@lru_cache(maxsize=4096)
def t_quantile(p: float, df: int) -> float:
    """Return a quantile of Student's distribution for p > .5 without loading SciPy.

    The distribution function for integer degrees of freedom is a finite sum (Abramowitz and
    Stegun 26.7.3), inverted here by Newton's method.
    """
    from statistics import NormalDist

    z = NormalDist().inv_cdf(p)
    # Close to t but smaller, so that Newton's steps do not overshoot.
    t = z + (z**3 + z) / (4 * df) if df > 2 else z
    log_peak = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - math.log(df * math.pi) / 2
    for _ in range(100):
        density = math.exp(log_peak - (df + 1) / 2 * math.log1p(t * t / df))
        step = (p - 0.5 - _student_area(t, df)) / density
        t += step
        if abs(step) <= 1e-14 * t:
            break
    return t


def _student_area(t: float, df: int) -> float:
    """Return the probability between 0 and t."""
    angle = math.atan(t / math.sqrt(df))
    cosine_square = math.cos(angle) ** 2
    is_odd = df % 2
    term = math.cos(angle) if is_odd else 1.0
    total = 0.0
    for k in range(1 + is_odd, df, 2):
        total += term
        term *= cosine_square * k / (k + 1)
    area = math.sin(angle) * total
    return (angle + area) / math.pi if is_odd else area / 2


def wilson_interval(successes: Floats, n: Floats, *, confidence_level: float = 0.95) -> Floats:
    """Return Wilson's score intervals of shares: a row of lower and a row of upper ends."""
    from statistics import NormalDist

    z_square = NormalDist().inv_cdf((1 + confidence_level) / 2) ** 2
    center = (successes + z_square / 2) / (n + z_square)
    half_width = np.sqrt(z_square * (successes * (n - successes) / n + z_square / 4)) / (
        n + z_square
    )
    return np.clip(np.stack([center - half_width, center + half_width]), 0.0, 1.0)


def matched_share_interval(
    differences: Floats, *, confidence_level: float = 0.95
) -> tuple[float, float]:
    """Return Bonett and Price's interval of the mean of differences that are -1, 0 or 1."""
    from statistics import NormalDist

    n = len(differences) + 2
    wins, losses = (((differences == sign).sum() + 1) / n for sign in (1, -1))
    half_width = math.sqrt((wins + losses - (wins - losses) ** 2) / n)
    half_width *= NormalDist().inv_cdf((1 + confidence_level) / 2)
    return max(-1.0, float(wins - losses - half_width)), min(1.0, float(wins - losses + half_width))


def unseen_variance(mean_square: float, zero_shares: Floats, n: Floats | Ints) -> Floats:
    """Return what two unseen differences, one of each sign, add to the variance of a mean.

    As in Bonett and Price's interval: of the n differences of a pair, a share is 0 (`zero_shares`),
    and the nonzero differences of all pairs have the mean square `mean_square`.
    """
    return np.asarray(2 * mean_square * zero_shares / (n + 2) ** 2)


@dataclass(frozen=True, slots=True, eq=False)
class Influences:
    """Means of columns, and the influence of each row (or cluster of rows) on them.

    Without missing values these are plain means; otherwise they are least-squares means of the
    model columns + rows, for each part of the columns that shared rows link. On a complete column
    an influence is a deviation from the mean divided by the number of rows. `n` counts the rows or
    clusters in which a column has scores.
    """

    means: Floats
    rows: Floats
    n: Ints

    @property
    def errors(self) -> Floats:
        """The standard errors of the means, with rows (or clusters) as a random sample."""
        spread = np.einsum("ks,ks->s", self.rows, self.rows)
        errors: Floats = np.sqrt(spread * self.n / np.maximum(self.n - 1, 1))
        errors[self.n < 2] = np.nan
        return errors


def influences(values: Floats, clusters: Ints | None = None) -> Influences:
    """Average the columns (rows are topics), with the influence of each topic or cluster."""
    is_present = ~np.isnan(values)
    counts = is_present.sum(axis=0)
    zero_filled = np.where(is_present, values, 0.0)
    means = np.where(counts > 0, ratio(zero_filled.sum(axis=0), counts), np.nan)
    rows = np.where(is_present, values - means, 0.0) / np.maximum(counts, 1)
    column_parts = linked_parts(is_present.T)
    for columns in (column_parts == part for part in np.unique(column_parts)):
        if counts[columns].min() < is_present[:, columns].any(axis=1).sum():
            means[columns], rows[:, columns] = _least_squares(
                zero_filled[:, columns], is_present[:, columns]
            )
    if clusters is not None:
        sizes = _sum_by_cluster(is_present, clusters)
        cluster_shares, counts = sizes / np.maximum(counts, 1), np.count_nonzero(sizes, axis=0)
        # As in the jackknife: leaving out a large cluster moves the mean more.
        rows = ratio(_sum_by_cluster(rows, clusters), 1 - cluster_shares) * (
            1 - 1 / np.maximum(counts, 1)
        )
    return Influences(means, rows, counts)


def _sum_by_cluster(rows: Floats | Bools, clusters: Ints) -> Floats:
    sums = np.zeros((int(clusters.max()) + 1, rows.shape[1]))
    np.add.at(sums, clusters, rows)
    return sums


def _least_squares(zero_filled: Floats, is_present: Bools) -> tuple[Floats, Floats]:
    """Solve for the means m with Σ P(y - m) = 0 in each column and Σ mean(y - m) = 0.

    P subtracts a row's mean from its values; the second equation makes the effects of rows sum to
    zero. A row's contribution to the equations is its influence.
    """
    presence = is_present.astype(np.float64)
    row_shares = presence / np.maximum(presence.sum(axis=1, keepdims=True), 1)
    equations = np.diag(presence.sum(axis=0)) - presence.T @ row_shares + row_shares.sum(axis=0)

    def contributions(rows: Floats) -> Floats:
        row_means = (rows * row_shares).sum(axis=1, keepdims=True)
        return np.asarray((rows - row_means) * presence + row_means)

    means: Floats = np.linalg.solve(equations, contributions(zero_filled).sum(axis=0))
    deviation_sums = contributions((zero_filled - means) * presence)
    return means, np.linalg.solve(equations, deviation_sums.T).T


@dataclass(frozen=True, slots=True, eq=False)
class MeanIntervals:
    """Intervals of the means of columns, and the method used."""

    means: Floats
    low: Floats
    high: Floats
    method: MeanMethod
    scale: ScaleEnds | None = None


def mean_intervals(
    values: Floats,
    *,
    confidence_level: float = 0.95,
    clusters: Ints | None = None,
    scale: ScaleEnds | None = None,
    ratings: bool | None = None,
    skewed: bool = True,
) -> MeanIntervals:
    r"""Return intervals of column means, with topics (or clusters of them) as a random sample.

    Scores that are all 0 or 1 have Wilson's interval. Otherwise each end is that of the t interval
    or of a second interval, whichever is farther out. For ratings on a scale of few steps, the
    second one is that of :func:`intervals_on_scale`, which allows for scores at its ends that were
    not observed. For other scores on a scale from L to U it generalizes Wilson's,
    :math:`(m-\mu)^2 \le t^2\, \widehat{se}^2\, V(\mu)/V(m)` with
    :math:`V(\mu) = (\mu-L)(U-\mu)`; without a scale, it is t adjusted for skewness (Johnson 1978),
    :math:`(1+2t^2)\,\hat\kappa_3/(6 s^2 n)` toward the longer tail. NaN where scores do not vary
    and their scale is unknown.

    Parameters
    ----------
    values
        Topics x systems, NaN for missing scores; see `Influences` for how they are averaged.
    confidence_level
        The confidence level of each interval.
    clusters
        The cluster of each topic, from 0.
    scale
        The ends of the scale. By default, whole numbers that span at most ten are taken to be on
        a scale from their minimum to their maximum.
    ratings
        Whether scores are ratings, or means of ratings; by default if all are whole numbers.
    skewed
        Whether to adjust for skewness. Intervals of differences do not, like the test.

    References
    ----------
    .. [1] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
       JASA 22, 1927.
    .. [2] N. J. Johnson, "Modified t tests and confidence intervals for asymmetrical
       populations", JASA 73, 1978.
    .. [3] D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of
       binomial proportions based on paired data", JEBS 37, 2012.
    """
    level = share(confidence_level, "confidence_level")
    influence = influences(values, clusters)
    known_values = values[~np.isnan(values)]
    is_binary = bool(np.isin(known_values, (0, 1)).all())
    if is_binary and clusters is None and len(known_values) == values.size:
        low, high = wilson_interval(
            values.sum(axis=0), np.full(values.shape[1], len(values)), confidence_level=level
        )
        return MeanIntervals(influence.means, low, high, "wilson", (0.0, 1.0))
    t = np.array([t_quantile((1 + level) / 2, max(n - 1, 1)) for n in influence.n.tolist()])
    errors = influence.errors
    errors[errors * np.sqrt(influence.n) <= noise_level(known_values)] = 0.0
    low, high = influence.means - t * errors, influence.means + t * errors
    scale_ends = (0.0, 1.0) if is_binary else scale
    observed_scale = rating_scale(known_values)
    is_rating = ratings if ratings is not None else observed_scale is not None
    scale_ends = scale_ends or observed_scale
    if scale_ends is not None and skewed:
        is_short_scale = is_rating and scale_ends[1] - scale_ends[0] <= MAX_RATING_STEPS
        lower_ends, upper_ends = (
            intervals_on_scale(influence.means, errors, influence.n, scale_ends, level)
            if is_short_scale
            else _wilson_on_scale(influence, t, errors, scale_ends)
        )
        low, high = np.fmin(low, lower_ends), np.fmax(high, upper_ends)
        if is_binary or scale:
            low, high = np.clip(low, *scale_ends), np.clip(high, *scale_ends)
        method: MeanMethod = "rating" if is_short_scale else "scale"
        return MeanIntervals(influence.means, low, high, method, scale_ends)
    if skewed:
        # The third cumulant over 6 s² n.
        squares = influence.rows**2
        cubes, squares = (squares * influence.rows).sum(axis=0), squares.sum(axis=0)
        skewness = ratio(cubes, 6 * squares) * influence.n / np.maximum(influence.n - 2, 1)
        correction = skewness * (1 + 2 * t * t)
        low, high = low + np.minimum(correction, 0.0), high + np.maximum(correction, 0.0)
    low[errors == 0], high[errors == 0] = np.nan, np.nan
    return MeanIntervals(influence.means, low, high, "skewness" if skewed else "t")


# The maximum number of steps of a rating scale.
MAX_RATING_STEPS = 10


def rating_scale(scores: Floats) -> ScaleEnds | None:
    """Return the range of scores that are whole numbers of few steps, or None."""
    lowest, highest = float(scores.min()), float(scores.max())
    are_whole = 0 < highest - lowest <= MAX_RATING_STEPS and bool((scores == np.rint(scores)).all())
    return (lowest, highest) if are_whole else None


def _wilson_on_scale(
    influence: Influences, t: Floats, errors: Floats, ends: ScaleEnds
) -> tuple[Floats, Floats]:
    """Solve (1 + a) u² - (2m + a (L + U)) u + m² + a L U = 0 for each column."""
    low_end, high_end = ends
    m = influence.means
    variance = (m - low_end) * (high_end - m)
    # Scores that do not vary are treated like 0/1 scores at the two ends of the scale.
    a = t * t * np.where(errors > 0, ratio(errors**2, variance), 1 / np.maximum(influence.n, 1))
    middle, constant = m + a * (low_end + high_end) / 2, m * m + a * low_end * high_end
    root = np.sqrt(np.maximum(middle**2 - (1 + a) * constant, 0.0))
    is_outside = (m < low_end) | (m > high_end) | (influence.n < 2)
    low, high = ((middle + sign * root) / (1 + a) for sign in (-1, 1))
    low[is_outside] = high[is_outside] = np.nan
    return low, high


# What an unseen score at the end of the scale counts, as in Jeffreys's interval of a share.
_PSEUDO_COUNT = 0.5


def intervals_on_scale(
    means: Floats, errors: Floats, n: Floats | Ints, ends: ScaleEnds, level: float
) -> tuple[Floats, Floats]:
    """Return intervals of means on a scale, as if half a score were at the end of either side.

    Such a mean, with random weights of the scores (the Bayesian bootstrap), has a known mean and
    variance; its quantiles are those of the beta distribution on the scale that has the same.
    """
    from scipy.special import betaincinv

    low_end, high_end = ends
    width, clipped_means = high_end - low_end, np.clip(means, low_end, high_end)
    limits = []
    for end, tail in ((low_end, (1 - level) / 2), (high_end, (1 + level) / 2)):
        middle = (n * clipped_means + _PSEUDO_COUNT * end) / (n + _PSEUDO_COUNT)
        square_sum = (
            n * (n * errors**2 + (clipped_means - middle) ** 2)
            + _PSEUDO_COUNT * (end - middle) ** 2
        )
        variance = square_sum / (n + _PSEUDO_COUNT) / (n + _PSEUDO_COUNT + 1) / width**2
        mean_share = (middle - low_end) / width
        beta_size = np.maximum(ratio(mean_share * (1 - mean_share), variance) - 1, 1e-6)
        alpha, beta = (
            np.maximum(side_share * beta_size, 1e-9) for side_share in (mean_share, 1 - mean_share)
        )
        limits.append(np.where(n < 2, np.nan, low_end + width * betaincinv(alpha, beta, tail)))
    return limits[0], limits[1]


def skewness_adjusted_t(
    differences: Floats, null: float, clusters: Ints | None = None
) -> tuple[Floats, Ints]:
    """Return t of each column against a mean, adjusted for skewness, and degrees of freedom.

    With the skewness g of n differences, t becomes t + g t²/3√n + g² t³/27n + g/6√n, whose
    distribution is closer to Student's (P. Hall, JRSS B 54, 1992).
    """
    is_present = ~np.isnan(differences)
    counts = is_present.sum(axis=0)
    means = ratio(np.where(is_present, differences, 0.0).sum(axis=0), counts)
    rows = np.where(is_present, differences - means, 0.0)
    n = counts
    if clusters is not None:
        n = np.count_nonzero(_sum_by_cluster(is_present, clusters), axis=0)
        rows = _sum_by_cluster(rows, clusters)
    squares, cubes = (rows**2).sum(axis=0), (rows**3).sum(axis=0)
    errors = np.sqrt(squares * n / np.maximum(n - 1, 1)) / np.maximum(counts, 1)
    t, root_n = ratio(means - null, errors), np.sqrt(np.maximum(n, 1))
    g = (
        ratio(cubes * root_n, squares**1.5)
        * np.sqrt(n * np.maximum(n - 1, 0))
        / np.maximum(n - 2, 1)
    )
    adjusted_t = t + g * t**2 / (3 * root_n) + g**2 * t**3 / (27 * root_n**2) + g / (6 * root_n)
    return np.where(n > 2, adjusted_t, t), n - 1


def is_unusually_skewed(values: Floats) -> Bools:
    """Return which columns differ from the others by skewed differences.

    The mean skewness of a column's differences from all others is compared with what normal scores
    exceed in 5% of all tables (by simulation). Columns whose differences are mostly 0 do not count.
    """
    complete_rows = values[~np.isnan(values).any(axis=1)]
    n, k = complete_rows.shape
    if n < 7:
        return np.zeros(k, np.bool_)
    centered_rows = complete_rows - complete_rows.mean(axis=0)
    cubes, mixed_products, products = (
        (centered_rows**3).mean(axis=0),
        (centered_rows**2).T @ centered_rows / n,
        centered_rows.T @ centered_rows / n,
    )
    variance = products.diagonal()[:, None] + products.diagonal() - 2 * products
    third_moments = cubes[:, None] - 3 * mixed_products + 3 * mixed_products.T - cubes
    is_varying = variance > noise_level(complete_rows) ** 2
    skewness = np.where(is_varying, third_moments / np.where(is_varying, variance, 1.0) ** 1.5, 0.0)
    mean_skewness = skewness.sum(axis=1) / (k - 1) * math.sqrt(n * (n - 1)) / (n - 2)
    error = math.sqrt(6 * n * (n - 1) / ((n - 2) * (n + 1) * (n + 3)))
    tie_share = np.mean([(complete_rows == complete_rows[:, [i]]).mean() for i in range(k)]) - 1 / k
    return np.asarray((np.abs(mean_skewness) > error * (1.35 + 1.3 / k)) & (tie_share < 0.5))
