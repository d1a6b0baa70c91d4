"""Correlations of means: jackknife intervals, and correction for the noise of topics."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.stats.clustered import CorrelationLevel, shared_cells, system_means
from pyramidion.stats.correlation import Coefficient
from pyramidion.stats.inputs import Interval, share
from pyramidion.stats.mean_intervals import t_quantile

#: With fewer systems or topics, leaving one out says nothing about the spread.
_MIN_SYSTEMS = 4
_NO_NOISE = "with one topic, the noise of the means is unknown"
_ALL_NOISE = "the reliability of the {} is too low: its interval reaches 0"
_UNSTABLE = "without one of the systems, nothing but noise is left"
_NO_LIMITS = "every value from -1 to 1 is possible"
_BEYOND_SCALE = "its interval would lie at or beyond the end of the scale"


def jackknife_interval(
    value: float,
    left_out: Sequence[npt.ArrayLike],
    level: CorrelationLevel,
    coefficient: Coefficient,
    n: int,
    *,
    confidence_level: float = 0.95,
) -> Interval:
    """Return a correlation's interval from the jackknife of Fisher's z.

    The means of systems carry the noise of topics, so at system level the first array counts; at
    the other levels the variances add up. Rank correlations of 1 have the interval that the
    variance of Kendall's tau of normal values gives.

    Parameters
    ----------
    value, level, coefficient, n
        The correlation, its level and coefficient, and its number of pairs of values.
    left_out
        The correlations without each system, without each topic, or both in this order.
    confidence_level
        The confidence level of the interval.

    Examples
    --------
    >>> interval = jackknife_interval(0.9, [[0.88, 0.9, 0.91, 0.9]], "system", "pearson", 4)
    >>> round(interval.low, 2), round(interval.high, 2)
    (0.82, 0.94)
    """
    confidence = share(confidence_level, "confidence_level")
    no_interval = Interval(math.nan, math.nan, confidence)
    if math.isnan(value):
        return no_interval
    max_value = 1 - _half_step(n, coefficient)
    variances, sizes = [], []
    for values in left_out:
        defined_values = np.asarray(values, dtype=np.float64)
        defined_values = defined_values[~np.isnan(defined_values)]
        if (size := len(defined_values)) < _MIN_SYSTEMS:
            return no_interval
        z = np.arctanh(np.clip(defined_values, -max_value, max_value))
        variances.append((size - 1) / size * float(((z - z.mean()) ** 2).sum()))
        sizes.append(size)
    # The first are the values without each system, the second those without each topic.
    variance = variances[0] if level == "system" else sum(variances)
    if abs(value) >= max_value:
        uses_ranks = coefficient != "pearson"
        edge = perfect_correlation_limit(n, coefficient, confidence) if uses_ranks else abs(value)
        low, high = sorted((math.copysign(edge, value), math.copysign(1.0, value)))
        return Interval(low, high, confidence)
    half_width = t_quantile((1 + confidence) / 2, min(sizes) - 1) * math.sqrt(variance)
    if not half_width:
        return no_interval
    center = math.atanh(value)
    return Interval(math.tanh(center - half_width), math.tanh(center + half_width), confidence)


def _half_step(n: int, coefficient: Coefficient) -> float:
    """Return half of what a rank correlation of 1 loses when two neighbors change places."""
    if coefficient == "pearson" or n < 3:
        return 1e-12
    steps = {"kendall": n * (n - 1) / 2, "spearman": n * (n * n - 1) / 6, "tau_ap": (n - 1) ** 2}
    return 1 / steps[coefficient]


def perfect_correlation_limit(
    n: int, coefficient: Coefficient, confidence_level: float = 0.95
) -> float:
    """Return the lower end of the interval of a rank correlation of 1 over n pairs of values.

    The smallest tau with 1 - tau <= z sqrt(V), V being the variance of Kendall's tau of n pairs of
    normal values (F. Esscher, Scandinavian Actuarial Journal 1, 1924); converted for Spearman's
    rho, and used unchanged for tau_ap.

    >>> [round(perfect_correlation_limit(n, "kendall"), 3) for n in (10, 60)]
    [0.755, 0.995]
    """
    from statistics import NormalDist

    z = NormalDist().inv_cdf((1 + confidence_level) / 2)
    r = np.sin(np.linspace(-math.pi / 2, math.pi / 2, 20_001))
    tau = 2 / math.pi * np.arcsin(r)
    spread = 1 / 9 - (2 / math.pi * np.arcsin(r / 2)) ** 2
    variance = 2 / (n * (n - 1)) * (1 - tau**2 + 2 * (n - 2) * spread)
    limit_index = int(np.argmax(1 - tau <= z * np.sqrt(np.maximum(variance, 0.0)) + 1e-12))
    rho_limit = 6 / math.pi * math.asin(r[limit_index] / 2)
    return rho_limit if coefficient == "spearman" else float(tau[limit_index])


@dataclass(frozen=True, slots=True)
class CorrectedCorrelation:
    """Pearson's correlation of two tables' system means, with and without the noise of topics.

    `value` and `interval` are corrected, and end at -1 and 1; `observed` is the correlation of the
    means as they are. The reliabilities are the shares of the means' variances that are not noise;
    where one may be 0, no value is given. `undefined` explains a missing value or interval.
    """

    observed: float
    value: float
    interval: Interval
    reliability_metric: float
    reliability_human: float
    undefined: str = ""


def corrected_correlation(
    metric: npt.ArrayLike, human: npt.ArrayLike, *, confidence_level: float = 0.95
) -> CorrectedCorrelation:
    """Estimate the correlation that the systems' means over all topics would have.

    Noise of topics lowers correlations of means. Its variances and, as both tables score the same
    summaries, its covariance are estimated from what varies within systems, and subtracted. With
    uncorrelated noise this is Spearman's correction by the two reliabilities (1904). The interval
    has the shape of that of the observed correlation, stretched by the ratio of the two jackknife
    errors over systems.

    Parameters
    ----------
    metric, human
        Tables of inputs (rows) x systems (columns), NaN for missing values. Only cells with both
        values count.
    confidence_level
        The confidence level of the interval.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=30)
    >>> metric, human = quality + 2 * rng.normal(size=(2, 20, 30))
    >>> result = corrected_correlation(metric, human)
    >>> round(result.observed, 2), round(result.value, 2), round(result.reliability_human, 2)
    (0.72, 1.0, 0.66)
    """
    cells = shared_cells(metric=metric, human=human)
    confidence = share(confidence_level, "confidence_level")
    has_scores = cells.present.any(axis=0)
    covariance = _Covariance.of(
        [table[:, has_scores] for table in cells.tables], cells.present[:, has_scores]
    )
    n_systems, reliability = int(has_scores.sum()), covariance.reliabilities
    observed = float(_correlations(covariance.means))
    no_interval = Interval(math.nan, math.nan, confidence)

    def without_interval(reason: str, value: float = math.nan) -> CorrectedCorrelation:
        metric_reliability, human_reliability = reliability.tolist()
        return CorrectedCorrelation(
            observed, value, no_interval, metric_reliability, human_reliability, reason
        )

    if cells.present.sum(axis=0).max() < 2:
        return without_interval(_NO_NOISE)
    min_reliability = _least_reliability(cells.present[:, has_scores], (1 + confidence) / 2)
    for name, measure_reliability in zip(("metric", "human measure"), reliability, strict=True):
        if not measure_reliability > min_reliability:
            return without_interval(_ALL_NOISE.format(name))
    estimate = float(_correlations(covariance.means - covariance.noise))
    value = min(max(estimate, -1.0), 1.0)
    if n_systems < _MIN_SYSTEMS:
        return without_interval(f"{n_systems} systems are too few for an interval", value)
    plain_values = _correlations(covariance.means_without)
    corrected_values = _correlations(covariance.means_without - covariance.noise_without)
    plain_interval = jackknife_interval(
        observed, [plain_values], "system", "pearson", n_systems, confidence_level=confidence
    )
    if math.isnan(plain_interval.low) or np.isnan(corrected_values).any():
        return without_interval(_UNSTABLE, value)
    stretch = corrected_values.std() / max(plain_values.std(), 1e-12)
    limits = estimate + stretch * (np.array([plain_interval.low, plain_interval.high]) - observed)
    low, high = np.clip(limits, -1.0, 1.0).tolist()
    if high - low >= 2 or not low < high:
        return without_interval(_NO_LIMITS if low < high else _BEYOND_SCALE, value)
    return CorrectedCorrelation(
        observed, value, Interval(low, high, confidence), *reliability.tolist()
    )


def _least_reliability(is_present: Bools, quantile: float) -> float:
    """Return the reliability that means of pure noise exceed with a small probability, by F."""
    from scipy.special import fdtri

    topics, systems = is_present.shape
    df_noise = max(int(is_present.sum()) - topics - systems + 1, 1)
    return 1 - 1 / float(fdtri(max(systems - 1, 1), df_noise, quantile))


@dataclass(frozen=True, slots=True)
class _Covariance:
    """Covariance matrices of the means of systems and of their noise, and without each system."""

    means: Floats
    noise: Floats
    means_without: Floats
    noise_without: Floats

    @classmethod
    def of(cls, tables: Sequence[Floats], is_present: Bools) -> "_Covariance":
        counts, unit_weights = is_present.sum(axis=0), np.ones((len(is_present), 1))
        means = np.stack([system_means(table, is_present, unit_weights)[:, 0] for table in tables])
        # What a topic adds to the mean of a system, beyond what it adds to all, is noise.
        deviations = np.where(is_present, np.stack(tables) - means[:, None], 0.0)
        deviations /= np.sqrt(counts * np.maximum(counts - 1.0, 1.0))
        covariances = []
        for values in (means[:, None], deviations):
            n, centered_values = values.shape[2], values - values.mean(axis=2, keepdims=True)
            products = np.einsum("ats,bts->sab", centered_values, centered_values)
            total = products.sum(axis=0)
            covariances.append(
                (total / (n - 1), (total - products * (n / (n - 1))) / max(n - 2, 1))
            )
        (mean_covariance, means_without), (noise_covariance, noise_without) = covariances
        return cls(mean_covariance, noise_covariance, means_without, noise_without)

    @property
    def reliabilities(self) -> Floats:
        """The shares of the means' variances that are not noise; NaN if means do not vary."""
        variance = self.means.diagonal()
        share_of_noise = np.full_like(variance, np.nan)
        np.divide(self.noise.diagonal(), variance, out=share_of_noise, where=variance > 0)
        return 1 - share_of_noise


def _correlations(covariances: Floats) -> Floats:
    """Return the correlation of each 2 x 2 covariance matrix; NaN if a variance is not positive."""
    first, second = covariances[..., 0, 0], covariances[..., 1, 1]
    is_defined = (first > 0) & (second > 0)
    scale = np.sqrt(np.where(is_defined, first * second, np.nan))
    return np.asarray(covariances[..., 0, 1] / scale)


@dataclass(frozen=True, slots=True)
class PersonTopics:
    """The number of topics at which one person's judgments are as good as a metric.

    `metric` is the metric's mean correlation with the means of all people but one, `person` that
    of this one with all topics. With `topics` topics the two would be equal: infinite if more
    topics of one person do not suffice, NaN if fewer than two people can be compared.
    """

    topics: float
    metric: float
    person: float
    people: int


def person_topics(judgments: Mapping[str, Floats], metric: npt.ArrayLike) -> PersonTopics:
    """Find at how many topics one person's means correlate with other people's as a metric's do.

    Each person's means of systems are correlated (Pearson) with the means of all others, and so
    are the metric's. With fewer topics, a person's means carry more noise, estimated from how the
    person's scores of a system vary; correlations are averaged over people. A person's topics with
    gaps among the systems that the person judged do not count.

    Parameters
    ----------
    judgments
        For each person a table of inputs (rows) x systems (columns), NaN for missing values.
    metric
        The metric's scores of the same inputs and systems.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=20)
    >>> people = {name: quality + rng.normal(size=(30, 20)) for name in "abc"}
    >>> metric = quality + 2 * rng.normal(size=(30, 20))
    >>> round(person_topics(people, metric).topics)
    7
    """
    scores = np.asarray(metric, dtype=np.float64)
    tables = list(judgments.values())
    sums = np.sum([np.nan_to_num(table) for table in tables], axis=0)
    counts = np.asarray(np.sum([~np.isnan(table) for table in tables], axis=0, dtype=np.float64))
    people_terms = [
        terms for table in tables if (terms := _leave_one_out_terms(table, sums, counts, scores))
    ]
    if len(people_terms) < 2:
        return PersonTopics(math.nan, math.nan, math.nan, len(people_terms))
    slope, true_variance, noise, n_topics, metric_correlations = np.array(people_terms).T

    def person(topics: float | Floats) -> float:
        return float((slope / np.sqrt(np.maximum(true_variance, 0.0) + noise / topics)).mean())

    target, max_topics = float(metric_correlations.mean()), 1e6
    low, high = 1e-6, max_topics
    for _ in range(100):
        geometric_mean = math.sqrt(low * high)
        low, high = (
            (geometric_mean, high) if person(geometric_mean) < target else (low, geometric_mean)
        )
    topics = math.inf if person(max_topics) < target else high
    return PersonTopics(topics if target > 0 else 0.0, target, person(n_topics), len(people_terms))


def _leave_one_out_terms(
    human_scores: Floats, sums: Floats, counts: Floats, metric: Floats
) -> tuple[float, ...] | None:
    """Return the terms of one person's correlation with the others, and of the metric's.

    `sums` and `counts` are those of all people's judgments. The correlation with k topics is
    slope / sqrt(truth + noise / k).
    """
    others_sums, counts = sums - np.nan_to_num(human_scores), counts - ~np.isnan(human_scores)
    others_scores = np.divide(
        others_sums, counts, out=np.full_like(others_sums, np.nan), where=counts > 0
    )
    is_scored = ~np.isnan(others_scores) & ~np.isnan(metric)
    systems = ~np.isnan(human_scores).all(axis=0) & is_scored.any(axis=0)
    topics = ~np.isnan(human_scores[:, systems]).any(axis=1)
    if systems.sum() < _MIN_SYSTEMS or topics.sum() < 2:
        return None
    own_scores = human_scores[np.ix_(topics, systems)]
    covariance = _Covariance.of([own_scores], np.ones_like(own_scores, dtype=np.bool_))
    score_tables = (others_scores[:, systems], metric[:, systems])
    is_counted = is_scored[:, systems]
    others_means, metric_means = (
        np.where(is_counted, table, 0.0).sum(axis=0) / is_counted.sum(axis=0)
        for table in score_tables
    )
    covariances = np.cov(np.stack([own_scores.mean(axis=0), others_means, metric_means]))
    if not (covariances.diagonal() > 0).all():
        return None
    noise = float(covariance.noise[0, 0])
    slope = covariances[0, 1] / math.sqrt(covariances[1, 1])
    metric_correlation = covariances[1, 2] / math.sqrt(covariances[1, 1] * covariances[2, 2])
    n_topics = int(topics.sum())
    return slope, covariances[0, 0] - noise, noise * n_topics, n_topics, metric_correlation
