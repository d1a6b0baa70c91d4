"""Prediction-powered means: few human scores, many scores of a judge, valid for any judge."""

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Pairs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import share
from pyramidion.stats.mean_intervals import ScaleEnds, intervals_on_scale, unseen_variance
from pyramidion.stats.pairs import blocks, noise_level, snap_to_ties

# With fewer human-judged topics, the judge's weight cannot be estimated.
MIN_TOPICS = 8


@dataclass(frozen=True, slots=True, eq=False)
class PredictionPowered:
    """A mean estimated from people and a judge together, and from each alone.

    Parameters
    ----------
    mean, error, df
        The estimate, its standard error and its degrees of freedom.
    weight
        The weight of the judge, at least 0: the tuning parameter of PPI++.
    n, n_judge
        The number of topics that people judged, and of those that only the judge did.
    human_mean, human_error
        The estimate from people alone, and its standard error.
    judge_mean, judge_error
        The estimate from the judge alone, on all topics, and its standard error.
    bias
        The mean of judge minus people on the topics that both judged.
    influence
        The influence of each topic (or cluster of topics) on the estimate; 0 without scores.
    units, judge_units
        The numbers of topics, or of clusters, that people judged and that the judge did.
    unseen
        The part of both variances that allows for differences which were not observed.
    """

    mean: float
    error: float
    df: float
    weight: float
    n: int
    n_judge: int
    human_mean: float
    human_error: float
    judge_mean: float
    judge_error: float
    bias: float
    influence: Floats
    units: int
    judge_units: int
    unseen: float = 0.0

    @property
    def effective_n(self) -> float:
        """The number of topics people alone would have to judge; NaN if their scores are equal."""
        if not self.error > 0:
            return float(self.n)
        return self.n * (self.human_error / self.error) ** 2 if self.human_error > 0 else math.nan

    def interval(
        self, confidence_level: float = 0.95, scale: ScaleEnds | None = None
    ) -> tuple[float, float]:
        """Return the t interval of the mean; for ratings on a scale, see :func:`on_scale`.

        NaN if the scores do not vary and their scale is unknown.
        """
        return _mean_interval(self.mean, self.error, self.df, confidence_level, self.units, scale)

    def human_interval(
        self, confidence_level: float = 0.95, scale: ScaleEnds | None = None
    ) -> tuple[float, float]:
        """Return the interval from people's scores alone."""
        estimate = self.human_mean, self.human_error, self.units - 1
        return _mean_interval(*estimate, confidence_level, self.units, scale)

    def judge_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the interval from the judge's scores alone, valid only for an unbiased judge."""
        return _mean_interval(
            self.judge_mean, self.judge_error, self.judge_units - 1, confidence_level
        )

    def judge_coverage(self, confidence_level: float = 0.95) -> float:
        """Return the coverage of the judge's own interval if its bias is as estimated."""
        from statistics import NormalDist

        if not self.judge_error > 0:
            return float(self.bias == 0)
        normal_distribution, bias = NormalDist(), self.bias / self.judge_error
        z = normal_distribution.inv_cdf((1 + confidence_level) / 2)
        return normal_distribution.cdf(z - bias) - normal_distribution.cdf(-z - bias)


def _mean_interval(
    mean: float,
    error: float,
    df: float,
    level: float,
    units: int = 0,
    scale: ScaleEnds | None = None,
) -> tuple[float, float]:
    from scipy.special import stdtrit

    half_width = float(stdtrit(df, (1 + share(level, "confidence_level")) / 2)) * error
    if scale is None and not error > 0:
        return math.nan, math.nan
    if scale is None:
        return mean - half_width, mean + half_width
    means, errors, n = np.array([[mean], [error], [units]], dtype=np.float64)
    lower, upper = (float(end[0]) for end in intervals_on_scale(means, errors, n, scale, level))
    return max(scale[0], min(mean - half_width, lower)), min(
        scale[1], max(mean + half_width, upper)
    )


def prediction_powered_mean(human: npt.ArrayLike, judge: npt.ArrayLike) -> PredictionPowered:
    r"""Estimate the mean of human scores from few of them and many scores of a judge.

    :math:`\hat\theta = \overline{h} + \lambda(\overline{j}_U - \overline{j}_L)`, where people
    judged the topics L and only the judge the topics U (PPI++). λ is tuned to minimize the
    variance, at least 0, for each topic from the others (cross-fitting), so the interval is valid
    even for a biased or useless judge.

    Parameters
    ----------
    human, judge
        One score per topic, NaN if there is none. Average several judgments of a topic first.

    References
    ----------
    .. [1] A. N. Angelopoulos, J. C. Duchi and T. Zrnic, "PPI++: Efficient prediction-powered
       inference", 2023.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> truth = rng.normal(size=200)
    >>> judge = truth + 0.5 + 0.3 * rng.normal(size=200)
    >>> human = np.where(np.arange(200) < 30, truth, np.nan)
    >>> result = prediction_powered_mean(human, judge)
    >>> result.effective_n > 60, result.judge_coverage() < 0.05
    (True, True)
    """
    h, j = (np.asarray(values, dtype=np.float64) for values in (human, judge))
    if h.shape != j.shape or h.ndim != 1:
        raise ShapeError("give one human score and one judge's score per topic, or NaN")
    return prediction_powered_means(h[:, None], j[:, None])[0]


def topics_of_both(human: Floats, judge: Floats, clusters: Ints | None = None) -> Ints:
    """Count the topics (or clusters of topics) of each column that people and the judge scored.

    Parameters
    ----------
    human, judge, clusters
        As in :func:`prediction_powered_means`.

    Examples
    --------
    >>> scores = np.ones((4, 1))
    >>> topics_of_both(scores, scores).tolist()
    [4]
    >>> topics_of_both(scores, scores, np.array([0, 0, 0, 1])).tolist()
    [2]
    """
    has_both = ~np.isnan(human) & ~np.isnan(judge)
    groups = np.arange(len(human)) if clusters is None else clusters
    counts = np.zeros((int(groups.max(initial=-1)) + 1, human.shape[1]))
    np.add.at(counts, groups, has_both)
    return np.asarray(np.count_nonzero(counts, axis=0))


def prediction_powered_means(
    human: Floats,
    judge: Floats,
    clusters: Ints | None = None,
    probabilities: Floats | None = None,
) -> list[PredictionPowered]:
    """Estimate the mean of each column as :func:`prediction_powered_mean`, with one weight for all.

    The pooled weight minimizes the sum of the variances, so that a system whose human scores are
    all equal gains from a judge who predicts people elsewhere.

    Parameters
    ----------
    human, judge
        Topics (rows) x systems (columns), NaN for missing scores.
    clusters
        The cluster of each topic, from 0: clusters, not topics, are the sample.
    probabilities
        The probability with which each topic was chosen for people to judge, if they differ; topics
        count with its inverse.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> truth = np.column_stack([rng.normal(size=200), np.zeros(200)])
    >>> judge = truth + 0.3 * rng.normal(size=(200, 2))
    >>> human = np.where(np.arange(200)[:, None] < 30, truth, np.nan)
    >>> first, second = prediction_powered_means(human, judge)
    >>> second.weight == first.weight > 0.5
    True
    """
    has_human, has_judge = ~np.isnan(human), ~np.isnan(judge)
    has_both, has_judge_only = has_human & has_judge, has_judge & ~has_human
    min_topics = int(topics_of_both(human, judge, clusters).min())
    if min_topics < 2:
        unit = "topic" if clusters is None else "cluster"
        message = f"people and the judge share {min_topics} {unit}{'s' * (min_topics != 1)}"
        raise InputError(message, "at least 2 are needed, and 20 are better")
    groups = np.arange(len(human)) if clusters is None else clusters
    slopes = _slopes(human, judge, has_both, groups)
    columns = zip(human.T, judge.T, has_both.T, has_judge_only.T, strict=True)
    if probabilities is not None:
        return [
            _weighted_estimate(*column, slopes, groups, 1 / probabilities) for column in columns
        ]
    return [_estimate(*column, slopes, groups) for column in columns]


def prediction_powered_differences(
    human: Floats,
    judge: Floats,
    pairs: Pairs,
    clusters: Ints | None = None,
    probabilities: Floats | None = None,
    *,
    width: float | None = None,
) -> list[PredictionPowered | None]:
    r"""Estimate differences of pairs of columns; None where a pair shares fewer than two topics.

    If most differences are 0, as near the end of a rating scale, few topics show too little of
    their spread. As in Bonett and Price's interval of a difference of shares, the variance allows
    for two more differences, one of each sign: :math:`2 z \delta^2 / (n + 2)^2`, where z is the
    share of a pair's differences that are 0, and δ² the mean square of all pairs' other ones and,
    on a known scale of ratings, of one as large as the scale.

    Parameters
    ----------
    human, judge, clusters, probabilities
        As in :func:`prediction_powered_means`.
    pairs
        Rows of two column numbers.
    width
        The width of the scale of ratings.

    References
    ----------
    .. [1] D. G. Bonett and R. M. Price, "Adjusted Wald confidence interval for a difference of
       binomial proportions based on paired data", JEBS 37, 2012.

    Examples
    --------
    >>> people = np.full((100, 3), np.nan)
    >>> people[:20] = 5.0
    >>> people[:4, 2] = 3.0
    >>> judge = np.random.default_rng(1).integers(1, 6, size=(100, 3)).astype(float)
    >>> equal, differs = prediction_powered_differences(people, judge, np.array([[0, 1], [0, 2]]))
    >>> round(equal.mean, 2), round(equal.error, 3), round(differs.mean, 2)
    (0.0, 0.129, 0.4)
    """
    human_differences, judge_differences = np.full((2, len(human), len(pairs)), np.nan)
    for differences, scores in ((human_differences, human), (judge_differences, judge)):
        for column, pair in enumerate(pairs):
            is_complete = ~np.isnan(scores[:, pair]).any(axis=1)
            # Differences that are rounding noise become 0.
            differences[is_complete, column] = snap_to_ties(*scores[np.ix_(is_complete, pair)].T)
    has_enough = topics_of_both(human_differences, judge_differences, clusters) > 1
    if not has_enough.any():
        return [None] * len(pairs)
    columns = human_differences[:, has_enough], judge_differences[:, has_enough]
    estimates = prediction_powered_means(*columns, clusters, probabilities)
    widened_estimates = iter(_with_unseen_differences(estimates, *columns, clusters, width))
    return [
        next(widened_estimates) if is_estimated else None for is_estimated in has_enough.tolist()
    ]


def _with_unseen_differences(
    estimates: list[PredictionPowered],
    human: Floats,
    judge: Floats,
    clusters: Ints | None,
    width: float | None,
) -> list[PredictionPowered]:
    """Widen the errors of differences that are often 0, as if one more per sign had been seen."""
    has_both = ~np.isnan(human) & ~np.isnan(judge)
    groups = np.arange(len(human)) if clusters is None else clusters
    sums, counts = np.zeros((2, int(groups.max()) + 1, human.shape[1]))
    np.add.at(sums, groups, np.where(has_both, human, 0.0))
    np.add.at(counts, groups, has_both)
    # Differences of clusters are relative to their mean size, so that they average to the mean.
    units = np.count_nonzero(counts, axis=0)
    differences = sums * units / counts.sum(axis=0)
    is_different = differences != 0
    # Few differences, as of two systems only, may all be smaller than one that was not seen.
    square_sum = float((differences**2).sum()) + (width or 0.0) ** 2
    mean_square = square_sum / max(int(is_different.sum()) + (width is not None), 1)
    # Unequal weights of topics leave fewer topics' worth of information.
    effective_sizes = np.array([min(e.units, e.df + 1) for e in estimates])
    variances = unseen_variance(mean_square, 1 - is_different.sum(axis=0) / units, effective_sizes)
    return [
        replace(e, error=math.sqrt(e.error**2 + variance), unseen=variance,
                human_error=math.sqrt(e.human_error**2 + variance))
        for e, variance in zip(estimates, variances.tolist(), strict=True)
    ]  # fmt: skip


def _estimate(
    h: Floats, j: Floats, has_both: Bools, has_judge_only: Bools, slopes: Floats, groups: Ints
) -> PredictionPowered:
    n, n_judge_only = int(has_both.sum()), int(has_judge_only.sum())
    units = len(np.unique(groups[has_both]))
    uses_judge = n_judge_only > 1 and units >= MIN_TOPICS
    weights = slopes[groups[has_both]] / (1 + n / n_judge_only) if uses_judge else np.zeros(n)
    weight = float(weights.mean())
    judge_values = j[has_both | has_judge_only]
    # Weights differ between topics, so the origin of the judge's scores matters.
    origin = float(judge_values.mean())
    residuals = h[has_both] - weights * (j[has_both] - origin)
    mean = float(
        residuals.mean() + (weight * (j[has_judge_only] - origin).mean() if weight else 0.0)
    )
    human_influence, judge_influence = np.zeros((2, len(h)))
    human_influence[has_both] = _center(residuals) / n
    if weight:
        judge_influence[has_judge_only] = (
            weight * (j[has_judge_only] - j[has_judge_only].mean()) / n_judge_only
        )
    if units < n or len(np.unique(groups[has_judge_only])) < n_judge_only:
        # A cluster may have topics of both kinds, which vary together.
        influence = _sum_by_cluster(human_influence, has_both, groups) + _sum_by_cluster(
            judge_influence, has_judge_only, groups
        )
        variance, df = float((influence**2).sum()) * units / (units - 1), units - 1.0
    else:
        influence = human_influence + judge_influence
        people_variance = float((human_influence**2).sum()) * n / (n - 1)
        judge_variance = (
            float((judge_influence**2).sum()) * n_judge_only / (n_judge_only - 1) if weight else 0.0
        )
        variance = people_variance + judge_variance
        df_denominator = people_variance**2 / (n - 1) + judge_variance**2 / max(n_judge_only - 1, 1)
        df = variance**2 / df_denominator if variance else n - 1.0
    return PredictionPowered(
        mean, math.sqrt(variance), df, weight, n, n_judge_only,
        float(h[has_both].mean()), _mean_error(h, has_both, groups), float(judge_values.mean()),
        _mean_error(j, has_both | has_judge_only, groups),
        float((j[has_both] - h[has_both]).mean()), influence, units,
        len(np.unique(groups[has_both | has_judge_only])),
    )  # fmt: skip


def _weighted_estimate(
    h: Floats,
    j: Floats,
    has_both: Bools,
    has_judge_only: Bools,
    slopes: Floats,
    groups: Ints,
    topic_weights: Floats,
) -> PredictionPowered:
    """Weight the human topics (Hajek); their residuals correct the judge's mean on all topics."""
    has_judge, rows = has_both | has_judge_only, np.flatnonzero(has_both)
    shares = topic_weights[rows] / topic_weights[rows].sum()
    origin, units = float(j[has_judge].mean()), len(np.unique(groups[rows]))
    uses_judge = has_judge_only.sum() > 1 and units >= MIN_TOPICS
    weights = slopes[groups[rows]] * uses_judge
    weight = float(shares @ weights)
    residuals = h[rows] - weights * (j[rows] - origin)
    judge_terms, human_terms, human_only_terms = np.zeros((3, len(h)))
    judge_terms[has_judge] = weight * (j[has_judge] - origin) / has_judge.sum()
    human_terms[rows] = shares * _center(residuals, shares)
    human_only_terms[rows] = shares * _center(h[rows], shares)
    # Unequal weights leave fewer topics' worth of information about the variance.
    effective_size = min(1 / float((shares**2).sum()), float(units))
    both_sums = _sum_by_cluster(human_terms, has_both, groups) + _sum_by_cluster(
        judge_terms, has_judge, groups
    )
    errors = [
        math.sqrt(float((influence**2).sum()) * effective_size / max(effective_size - 1, 0.5))
        for influence in (both_sums, _sum_by_cluster(human_only_terms, has_both, groups))
    ]
    return PredictionPowered(
        float(shares @ residuals), errors[0], max(effective_size - 1, 1.0),
        weight * float(has_judge_only.sum() / has_judge.sum()), len(rows),
        int(has_judge_only.sum()), float(shares @ h[rows]), errors[1], origin,
        _mean_error(j, has_judge, groups), float(shares @ (j[rows] - h[rows])), both_sums, units,
        len(np.unique(groups[has_judge])),
    )  # fmt: skip


def _center(values: Floats, shares: Floats | None = None) -> Floats:
    """Subtract the (weighted) mean; values that differ only by rounding become 0."""
    is_varying = np.ptp(values) > noise_level(values)
    mean = values.mean() if shares is None else shares @ values
    return values - mean if is_varying else np.zeros_like(values)


def _sum_by_cluster(influence: Floats, rows: Bools, groups: Ints) -> Floats:
    """Sum influences by cluster; as in the jackknife, a large cluster moves the mean more."""
    sums, sizes = np.zeros((2, int(groups.max()) + 1))
    np.add.at(sums, groups, influence)
    np.add.at(sizes, groups[rows], 1.0)
    shares, count = sizes / max(sizes.sum(), 1.0), np.count_nonzero(sizes)
    return sums * (1 - 1 / count) / np.where(shares < 1, 1 - shares, 1.0) if count else sums


def _mean_error(values: Floats, rows: Bools, groups: Ints) -> float:
    """Return the standard error of the mean of some rows."""
    influence = np.zeros(len(values))
    influence[rows] = _center(values[rows]) / rows.sum()
    units = len(np.unique(groups[rows]))
    squares = float((_sum_by_cluster(influence, rows, groups) ** 2).sum())
    return math.sqrt(squares * units / max(units - 1, 1))


def _slopes(human: Floats, judge: Floats, has_both: Bools, groups: Ints) -> Floats:
    """Estimate the slope of people's on the judge's scores for each topic from all others.

    Columns are centered, so that systems differ only by what topics do to them. Slopes are shrunk
    by their sampling error, down to 0, as if systems shared all of their noise.
    """
    h, j = (
        np.where(has_both, values - values.mean(axis=0, where=has_both), 0.0)
        for values in (human, judge)
    )
    n_groups = int(groups.max()) + 1
    slopes, is_judged = np.zeros(n_groups), np.zeros(n_groups, np.bool_)
    is_judged[groups[has_both.any(axis=1)]] = True
    covariance, variance, human_variance = totals = np.zeros((3, n_groups))
    for block in blocks(human.shape[1], 6 * n_groups):
        columns = has_both[:, block], h[:, block], j[:, block]
        moments = np.zeros((6, n_groups, columns[0].shape[1]))
        products = (columns[1] * columns[2], columns[2] ** 2, columns[1] ** 2)
        for sums, values in zip(moments, (*columns, *products), strict=True):
            np.add.at(sums, groups, values)
        # Sums of each column without each topic or cluster.
        counts, human_sums, judge_sums, *second_moments = (
            moments.sum(axis=1, keepdims=True) - moments
        )
        moment_pairs = (
            (human_sums, judge_sums),
            (judge_sums, judge_sums),
            (human_sums, human_sums),
        )
        for row, (sums, (a, b)) in enumerate(zip(second_moments, moment_pairs, strict=True)):
            totals[row] += (sums - a * b / np.maximum(counts, 1.0)).sum(axis=1)
    noise_floor = noise_level(judge[has_both]) ** 2 * max(int(has_both.sum()), 1)
    is_usable = (variance > noise_floor) & (human_variance > 0) & (covariance > 0)
    squared_correlations = np.minimum(
        covariance[is_usable] ** 2 / (variance * human_variance)[is_usable], 1.0
    )
    residual_df = int(is_judged.sum()) - 1
    shrinkage = 1 - (1 - squared_correlations) / np.maximum(
        squared_correlations * (residual_df - 2), 1e-12
    )
    slopes[is_usable] = np.clip(shrinkage, 0.0, 1.0) * covariance[is_usable] / variance[is_usable]
    return slopes


CalibrationMethod = Literal["isotonic", "linear"]
# Parts of the topics; each is predicted by the fit to all others.
_FOLDS = 5


def calibrate_judge(
    human: Floats, judge: Floats, method: CalibrationMethod, clusters: Ints | None = None
) -> Floats:
    """Map a judge's scores to human scores by a regression over all systems and topics.

    Scores of a topic that people judged are mapped by the regression on other topics, and all
    others by the mean of these regressions (cross-prediction), so that prediction-powered means
    remain valid.

    Parameters
    ----------
    human, judge, clusters
        As in :func:`prediction_powered_means`.
    method
        ``isotonic`` (any increasing function) or ``linear``.

    References
    ----------
    .. [1] T. Zrnic and E. J. Candès, "Cross-prediction-powered inference", PNAS 121, 2024.

    Examples
    --------
    >>> people = np.repeat([[1.0], [3.0], [np.nan]], [10, 10, 5], axis=0)
    >>> calibrate_judge(people, np.repeat([[0.0], [9.0], [9.0]], [10, 10, 5], axis=0), "linear")[-1]
    array([3.])
    """
    groups = np.arange(len(human)) if clusters is None else clusters
    has_both = ~np.isnan(human) & ~np.isnan(judge)
    units = np.unique(groups[has_both.any(axis=1)])
    fold_by_unit = np.full(int(groups.max()) + 1, -1)
    fold_by_unit[units] = np.arange(len(units)) % _FOLDS
    fold_by_topic = fold_by_unit[groups]
    fold_numbers = range(min(_FOLDS, len(units)))
    mapped_scores = [
        _fit_human_scores(human, judge, has_both & (fold_by_topic != fold)[:, None], method)
        for fold in fold_numbers
    ]
    calibrated_scores = np.asarray(np.mean(mapped_scores, axis=0))
    for fold in fold_numbers:
        calibrated_scores[fold_by_topic == fold] = mapped_scores[fold][fold_by_topic == fold]
    return calibrated_scores


def _fit_human_scores(
    human: Floats, judge: Floats, is_fitted: Bools, method: CalibrationMethod
) -> Floats:
    """Predict human scores from all of a judge's scores by a regression on some cells."""
    from scipy.optimize import isotonic_regression

    x, y = judge[is_fitted], human[is_fitted]
    if np.ptp(x) <= noise_level(x):
        return np.where(np.isnan(judge), np.nan, y.mean())
    if method == "linear":
        slope = float(((x - x.mean()) * (y - y.mean())).sum() / ((x - x.mean()) ** 2).sum())
        return np.asarray(y.mean() + slope * (judge - x.mean()))
    levels, level_indices, counts = np.unique(x, return_inverse=True, return_counts=True)
    means = np.bincount(level_indices, weights=y) / counts
    fitted_means = isotonic_regression(means, weights=counts).x
    return np.where(np.isnan(judge), np.nan, np.interp(judge, levels, fitted_means))
