"""Scores and bootstrap averages, with the names of ``rouge_score.scoring``."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pyramidion._types import Floats
from pyramidion.rouge.results import bootstrap_means

__all__ = ["AggregateScore", "BootstrapAggregator", "Score"]


class Score(NamedTuple):
    """Precision, recall and F of a text.

    Examples
    --------
    >>> Score(0.5, 1.0, fmeasure=2 / 3).recall
    1.0
    """

    precision: float
    recall: float
    fmeasure: float


class AggregateScore(NamedTuple):
    """The ends and the middle of an interval.

    Examples
    --------
    >>> AggregateScore(Score(0, 0, 0), Score(0.5, 0.5, 0.5), Score(1, 1, 1)).mid.fmeasure
    0.5
    """

    low: Any
    mid: Any
    high: Any


class BootstrapAggregator:
    """Percentiles of bootstrap means, as rouge-score computes them.

    `mid` is the median of the bootstrap means, not the mean of the scores.

    Parameters
    ----------
    confidence_interval
        Confidence level, such as 0.95.
    n_samples
        Number of resamples.
    seed
        Random seed; by default NumPy's global generator is used, as in rouge-score.

    Examples
    --------
    >>> aggregator = BootstrapAggregator(seed=0)
    >>> for f in (0.2, 0.4, 0.6):
    ...     aggregator.add_scores({"rouge1": Score(f, f, f)})
    >>> round(aggregator.aggregate()["rouge1"].mid.fmeasure, 6)
    0.4
    """

    def __init__(
        self, confidence_interval: float = 0.95, n_samples: int = 1000, *, seed: int | None = None
    ) -> None:
        if not 0 <= confidence_interval <= 1:
            raise ValueError("confidence_interval must be in range [0, 1]")
        if n_samples <= 0:
            raise ValueError("n_samples must be positive")
        self._n_samples = n_samples
        self._confidence_interval = confidence_interval
        self._seed = seed
        self._scores: dict[str, list[Any]] = {}

    def add_scores(self, scores: Mapping[str, Any]) -> None:
        """Add the scores of one text, as returned by `RougeScorer.score`."""
        for name, score in scores.items():
            self._scores.setdefault(name, []).append(score)

    def aggregate(self) -> dict[str, AggregateScore]:
        """Return the interval of each type over the texts added."""
        legacy_generator = np.random if self._seed is None else np.random.RandomState(self._seed)
        tail = (1 - self._confidence_interval) / 2
        quantile_levels = [tail, 0.5, 1 - tail]
        aggregated = {}
        for name, scores in self._scores.items():
            bounds = bootstrap_bounds(
                np.array(scores, float), legacy_generator, quantile_levels, self._n_samples
            )
            score_class = type(scores[0])
            aggregated[name] = AggregateScore(*(score_class(*row) for row in bounds.tolist()))
        return aggregated


def bootstrap_bounds(
    values: Floats, legacy_generator: Any, quantile_levels: Sequence[float], n_samples: int = 1000
) -> Floats:
    """Return quantiles of bootstrap means, with NumPy's legacy generator as in rouge-score."""
    draw = partial(legacy_generator.randint, 0, len(values))
    means = bootstrap_means(values, n_samples, draw)
    return np.asarray(np.quantile(means, quantile_levels, axis=0), dtype=np.float64)
