"""Means from few human scores and many of a judge, with intervals that hold whatever the judge."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import share
from pyramidion.stats.pairs import noise_level

# With fewer topics that people judged, how much to trust the judge is unknown.
FEWEST = 8


@dataclass(frozen=True, slots=True, eq=False)
class PredictionPowered:
    """A mean by people and a judge, and what each says alone.

    Parameters
    ----------
    mean, error, df
        The estimate, its standard error, and the degrees of freedom of that.
    weight
        How much the judge counts, 0 for not at all: the tuning parameter of PPI++.
    n, n_judge
        How many topics people judged, and how many more only the judge did.
    human_mean, human_error
        By people alone.
    judge_mean, judge_error
        By the judge alone, on all topics.
    bias
        The mean of judge minus people on the topics that both judged.
    influence
        How much each topic moved the estimate; 0 for those that were not judged.
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
        """As many topics as people alone would have to judge for this error."""
        return self.n * (self.human_error / self.error) ** 2 if self.error > 0 else float(self.n)

    def interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return the interval of the mean, by t."""
        return _interval(self.mean, self.error, self.df, confidence_level)

    def human_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return that of people alone."""
        return _interval(self.human_mean, self.human_error, self.n - 1, confidence_level)

    def judge_interval(self, confidence_level: float = 0.95) -> tuple[float, float]:
        """Return that of the judge alone, which holds for a judge without bias only."""
        n = self.n + self.n_judge - 1
        return _interval(self.judge_mean, self.judge_error, n, confidence_level)

    def judge_coverage(self, confidence_level: float = 0.95) -> float:
        """How often the judge's own interval would hold, if its bias is what it seems."""
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
    judged the topics L and only the judge the topics U (PPI++). λ is tuned to the least variance,
    never below 0, for each topic by the others (cross-fitted), so that the interval holds for a
    judge who is biased or knows nothing.

    Parameters
    ----------
    human, judge
        A score a topic, NaN where there is none. Several judgments of a topic are averaged before.

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
        raise ShapeError("there must be one human and one judge's score a topic, or NaN")
    labeled, scored = ~np.isnan(h), ~np.isnan(j)
    both, only = labeled & scored, scored & ~labeled
    n, more = int(both.sum()), int(only.sum())
    if n < 2:
        raise InputError(
            f"people and the judge share {n} topics", "two at least are needed, better 20"
        )
    weights = _weights(h[both], j[both], j[only]) if more > 1 and n >= FEWEST else np.zeros(n)
    weight = float(weights.mean())
    # Weights differ from topic to topic, so that it matters where the judge's scores have their 0.
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
    """Subtract the mean; what differs by rounding only does not vary at all."""
    varies = np.ptp(values) > noise_level(values)
    return values - values.mean() if varies else np.zeros_like(values)


def _error(values: Floats) -> float:
    """Return the standard error of the mean."""
    n = len(values)
    return math.sqrt(float((_centered(values) ** 2).sum()) / (n - 1) / n)


def _weights(human: Floats, judge: Floats, unjudged: Floats) -> Floats:
    """Tune the judge's weight for each topic by the others, to the least variance of the mean.

    A slope is shrunk by what chance alone makes of it, and 0 where that is all.
    """
    n = len(human)
    # Sums without each topic.
    left = n - 1
    sums = [(values.sum() - values) / left for values in
            (human, judge, human * judge, judge**2, human**2)]  # fmt: skip
    covariance = sums[2] - sums[0] * sums[1]
    of_judge, of_human = sums[3] - sums[1] ** 2, sums[4] - sums[0] ** 2
    # The judge's variance is known best from all its scores.
    pooled = float(np.concatenate([judge, unjudged]).var())
    if pooled <= 1e-12 * float((judge**2).mean()):
        return np.zeros(n)
    squared = np.divide(covariance**2, of_judge * of_human, out=np.zeros(n),
                        where=of_judge * of_human > 0)  # fmt: skip
    shrinkage = np.clip(1 - (1 - squared) / np.maximum(squared * (left - 2), 1e-12), 0.0, 1.0)
    slope = np.divide(covariance, of_judge, out=np.zeros(n), where=of_judge > 0)
    return np.asarray(np.clip(shrinkage * slope / (1 + n / len(unjudged)), 0.0, None))
