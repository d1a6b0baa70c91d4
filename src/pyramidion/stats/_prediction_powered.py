"""Prediction-powered means: few human scores, many scores of a judge, valid for any judge."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import share
from pyramidion.stats.pairs import noise_level

# With fewer human-judged topics, the judge's weight cannot be estimated.
FEWEST = 8


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
        From people alone.
    judge_mean, judge_error
        From the judge alone, on all topics.
    bias
        The mean of judge minus people on the topics that both judged.
    influence
        The influence of each topic on the estimate; 0 for topics without scores.
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

    @property
    def effective_n(self) -> float:
        """The number of topics people alone would have to judge for the same error."""
        return self.n * (self.human_error / self.error) ** 2 if self.error > 0 else float(self.n)

    def interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the t interval of the mean."""
        return _interval(self.mean, self.error, self.df, confidence_level)

    def human_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the interval from people alone."""
        return _interval(self.human_mean, self.human_error, self.n - 1, confidence_level)

    def judge_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the interval from the judge alone, which is valid only for an unbiased judge."""
        n = self.n + self.n_judge - 1
        return _interval(self.judge_mean, self.judge_error, n, confidence_level)

    def judge_coverage(self, confidence_level: float = 0.95) -> float:
        """Return the coverage of the judge's own interval if its bias is as estimated."""
        from statistics import NormalDist

        if not self.judge_error > 0:
            return float(self.bias == 0)
        normal, off = NormalDist(), self.bias / self.judge_error
        reach = normal.inv_cdf((1 + confidence_level) / 2)
        return normal.cdf(reach - off) - normal.cdf(-reach - off)


def _interval(mean: float, error: float, df: float, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    reach = float(stdtrit(df, (1 + share(level, "confidence_level")) / 2)) * error
    return mean - reach, mean + reach


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
    >>> found = prediction_powered_mean(human, judge)
    >>> found.effective_n > 60, found.judge_coverage() < 0.05
    (True, True)
    """
    h, j = (np.asarray(values, dtype=np.float64) for values in (human, judge))
    if h.shape != j.shape or h.ndim != 1:
        raise ShapeError("give one human score and one judge's score per topic, or NaN")
    labeled, scored = ~np.isnan(h), ~np.isnan(j)
    both, only = labeled & scored, scored & ~labeled
    n, more = int(both.sum()), int(only.sum())
    if n < 2:
        raise InputError(
            f"people and the judge share {n} topics", "at least 2 are needed, better 20"
        )
    weights = _weights(h[both], j[both], j[only]) if more > 1 and n >= FEWEST else np.zeros(n)
    weight = float(weights.mean())
    # Weights differ between topics, so the origin of the judge's scores matters.
    middle = float(j[scored].mean())
    rest = h[both] - weights * (j[both] - middle)
    mean = float(rest.mean() + (weight * (j[only] - middle).mean() if weight else 0.0))
    influence = np.zeros(len(h))
    influence[both] = _centered(rest) / n
    of_people = float((influence[both] ** 2).sum() * n / (n - 1))
    of_judge = 0.0
    if weight:
        influence[only] = weight * (j[only] - j[only].mean()) / more
        of_judge = float((influence[only] ** 2).sum() * more / (more - 1))
    total = of_people + of_judge
    df = total**2 / (of_people**2 / (n - 1) + of_judge**2 / max(more - 1, 1)) if total else n - 1.0
    every = j[scored]
    return PredictionPowered(
        mean, math.sqrt(total), df, weight, n, more,
        float(h[both].mean()), _error(h[both]), float(every.mean()), _error(every),
        float((j[both] - h[both]).mean()), influence,
    )  # fmt: skip


def _centered(values: Floats) -> Floats:
    """Subtract the mean; values that differ only by rounding become 0."""
    varies = np.ptp(values) > noise_level(values)
    return values - values.mean() if varies else np.zeros_like(values)


def _error(values: Floats) -> float:
    """Return the standard error of the mean."""
    n = len(values)
    return math.sqrt(float((_centered(values) ** 2).sum()) / (n - 1) / n)


def _weights(human: Floats, judge: Floats, unjudged: Floats) -> Floats:
    """Estimate the judge's weight for each topic from the others, to minimize the variance.

    Slopes are shrunk by their sampling error, down to 0.
    """
    n = len(human)
    # Sums without each topic.
    left = n - 1
    sums = [(values.sum() - values) / left for values in
            (human, judge, human * judge, judge**2, human**2)]  # fmt: skip
    covariance = sums[2] - sums[0] * sums[1]
    of_judge, of_human = sums[3] - sums[1] ** 2, sums[4] - sums[0] ** 2
    # All of the judge's scores give the best estimate of its variance.
    pooled = float(np.concatenate([judge, unjudged]).var())
    if pooled <= 1e-12 * float((judge**2).mean()):
        return np.zeros(n)
    squared = np.divide(covariance**2, of_judge * of_human, out=np.zeros(n),
                        where=of_judge * of_human > 0)  # fmt: skip
    shrinkage = np.clip(1 - (1 - squared) / np.maximum(squared * (left - 2), 1e-12), 0.0, 1.0)
    slope = np.divide(covariance, of_judge, out=np.zeros(n), where=of_judge > 0)
    return np.asarray(np.clip(shrinkage * slope / (1 + n / len(unjudged)), 0.0, None))
