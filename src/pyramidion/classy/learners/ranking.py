r"""A model that learns order: of two summaries of a topic, which one people prefer.

With standardised columns z and weights w it minimises

.. math:: \sum_t \frac{1}{n_t} \sum_{y_i > y_j} \log(1 + e^{-w (z_i - z_j)}) / T
          + \frac{\lambda}{2} |w|^2

over the pairs of summaries of each topic t that people told apart, all topics alike, as Kendall's
correlation within topics weighs them. The sum is convex; it is minimised from 0 by BFGS, so that
the same data give the same model.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.classy.fits import LinearFit
from pyramidion.classy.learners.within_topics import TopicRows
from pyramidion.classy.training import TrainingData

__all__ = ["RANKING_STRENGTHS", "ranking_fits"]

#: How strongly weights are held back, strongest first.
RANKING_STRENGTHS = (1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001)

# Of more pairs every second, third, ... is taken.
_MOST_PAIRS = 1 << 19


def ranking_fits(data: TrainingData, target: int = 0) -> dict[str, LinearFit]:
    """Fit the model at each strength, the most held back first.

    Predictions are stretched to the target's units, which changes no order.

    Parameters
    ----------
    data
        With topics.
    target
        The number of the target.

    References
    ----------
    R. Herbrich, T. Graepel and K. Obermayer. Large margin rank boundaries for ordinal regression.
    Advances in Large Margin Classifiers, 2000; with logistic loss, C. Burges et al. Learning to
    rank using gradient descent. ICML 2005.

    Examples
    --------
    >>> data = TrainingData([[1, 0], [2, 1], [9, 0], [7, 1]], [1, 2, 5, 4], topics=list("aabb"))
    >>> fit = ranking_fits(data)["ranking 0.1"]
    >>> fit.predict(data.features).round(1).tolist()
    [0.4, 1.3, 5.7, 4.6]
    """
    rows = TopicRows.of(data, target)
    pairs = _Pairs.of(rows)
    weights, fits = np.zeros(rows.features.shape[1]), {}
    for strength in RANKING_STRENGTHS:
        weights = _minimised(rows.features, pairs, strength, weights)
        fits[f"ranking {strength:g}"] = rows.calibrated(weights)
    return fits


@dataclass(frozen=True, slots=True, eq=False)
class _Pairs:
    """Numbers of rows of which the first is better, and how much each pair counts."""

    better: Ints
    worse: Ints
    shares: Floats

    @classmethod
    def of(cls, rows: TopicRows) -> "_Pairs":
        found = list(_told_apart(rows))
        better, worse, topics = (np.concatenate(part) for part in zip(*found, strict=True))
        step = -(-len(better) // _MOST_PAIRS)
        better, worse, topics = better[::step], worse[::step], topics[::step]
        sizes = np.bincount(topics)
        return cls(better, worse, 1 / (sizes[topics] * np.count_nonzero(sizes)))


def _told_apart(rows: TopicRows) -> Iterator[tuple[Ints, Ints, Ints]]:
    for topic in range(int(rows.topics.max()) + 1):
        own = np.flatnonzero(rows.topics == topic)
        values = rows.target[own]
        better, worse = np.nonzero(values[:, None] - values > 1e-9)
        yield own[better], own[worse], np.full(len(better), topic)


def _minimised(features: Floats, pairs: _Pairs, strength: float, start: Floats) -> Floats:
    from scipy.optimize import minimize

    def loss(weights: Floats) -> tuple[float, Floats]:
        # A product so small wakes threads of BLAS that take longer than the work.
        scores = np.einsum("ij,j->i", features, weights)
        ahead = scores[pairs.better] - scores[pairs.worse]
        pull = pairs.shares * np.exp(-np.logaddexp(0.0, ahead))
        gradient = np.bincount(pairs.worse, pull, len(scores))
        gradient -= np.bincount(pairs.better, pull, len(scores))
        value = pairs.shares @ np.logaddexp(0.0, -ahead) + strength / 2 * weights @ weights
        return float(value), np.einsum("ij,i->j", features, gradient) + strength * weights

    found = minimize(loss, start, jac=True, method="BFGS", options={"maxiter": 1000})
    return np.asarray(found.x)
