"""Systems in order: means, intervals, letters of groups and clusters."""

from collections.abc import Sequence

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection import ScoreMatrix
from pyramidion.evaluation.comparison import Comparison, SystemResult
from pyramidion.evaluation.groups import clusters, group_letters
from pyramidion.stats.pairs import multiply

__all__ = ["mean_intervals", "ranked_systems", "ranking_order"]

_RESAMPLES = 2000
_BLOCK = 4_000_000


def ranking_order(matrix: ScoreMatrix) -> list[int]:
    """Order the systems by their means, the best first, equal ones as they stand.

    Examples
    --------
    >>> ranking_order(ScoreMatrix([[1, 3, 2]], ["T1"], ["x", "y", "z"]))
    [1, 2, 0]
    """
    means = matrix.means()
    return sorted(range(len(means)), key=lambda i: (-means[i], i))


def ranked_systems(
    matrix: ScoreMatrix,
    comparisons: Sequence[Comparison],
    *,
    alpha: float,
    grouped: bool,
    intervals: tuple[Floats, Floats],
) -> tuple[SystemResult, ...]:
    """Rank the systems and show which cannot be told apart.

    Parameters
    ----------
    matrix
        The scores.
    comparisons
        Every pair that was tested.
    alpha
        The level of significance.
    grouped
        Whether all pairs were tested, so that letters and clusters mean something.
    intervals
        The ends of the systems' intervals.
    """
    order = ranking_order(matrix)
    names = [matrix.systems[i] for i in order]
    found = [(c.a, c.b) for c in comparisons if c.p_adjusted <= alpha]
    different = {*found, *((b, a) for a, b in found)}

    def differ(a: str, b: str) -> bool:
        return (a, b) in different

    letters = group_letters(names, differ) if grouped else {}
    cluster = clusters(names, differ) if grouped else {}
    means, counts = matrix.means(), matrix.counts()
    low, high = intervals
    return tuple(
        SystemResult(
            name,
            "human" if matrix.human[i] else "machine",
            float(means[i]),
            float(low[i]),
            float(high[i]),
            int(counts[i]),
            1 + int((means > means[i]).sum()),
            letters.get(name, ""),
            cluster.get(name, 0),
        )
        for name, i in zip(names, order, strict=True)
    )


def mean_intervals(values: Floats, *, confidence_level: float, seed: int) -> tuple[Floats, Floats]:
    """Give percentile intervals of means: topics are drawn, the same ones for all systems.

    Parameters
    ----------
    values
        Topics x systems, NaN where missing.
    confidence_level
        Of each interval.
    seed
        Where chance begins.

    Examples
    --------
    >>> low, high = mean_intervals(np.array([[1.0], [2.0]]), confidence_level=0.95, seed=0)
    >>> low.tolist(), high.tolist()
    ([1.0], [2.0])
    """
    topics = len(values)
    # A stream of its own: more resamples of a test must not move the intervals.
    rng = np.random.default_rng([seed, 1])
    step = max(1, _BLOCK // topics)
    sizes = (min(step, _RESAMPLES - start) for start in range(0, _RESAMPLES, step))
    means = [_drawn_means(values, _drawn_counts(rng, size, topics)) for size in sizes]
    tail = (1 - confidence_level) / 2
    bounds: Floats = np.nanquantile(np.concatenate(means, axis=1), [tail, 1 - tail], axis=1)
    return bounds[0], bounds[1]


def _drawn_means(values: Floats, draws: Floats) -> Floats:
    """Give each system's mean of each draw: a row a system; NaN where it has none of the topics."""
    present = ~np.isnan(values)
    total = multiply(np.where(present, values, 0.0).T, draws.T)
    if present.all():
        return total / len(values)
    count = multiply(present.T.astype(np.float64), draws.T)
    means = np.full(total.shape, np.nan)
    np.divide(total, count, out=means, where=count > 0)
    return means


def _drawn_counts(rng: np.random.Generator, size: int, topics: int) -> Floats:
    """Draw topics with replacement, and count how often each was drawn: a row a draw."""
    places = rng.integers(topics, size=(size, topics)) + topics * np.arange(size)[:, None]
    counts = np.bincount(places.ravel(), minlength=size * topics)
    return counts.reshape(size, topics).astype(np.float64)
