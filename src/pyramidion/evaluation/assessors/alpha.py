"""Krippendorff's alpha of pairs of judgments, with an interval from resampled topics."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.stats.bootstrap_intervals import percentile_interval
from pyramidion.stats.inputs import Interval, Rng, generator
from pyramidion.stats.krippendorff import Level, krippendorff_alpha

__all__ = ["PairAlpha", "alpha_of_pairs"]

_UNANIMOUS = "all values are the same, so that alpha is 1 by definition"


@dataclass(frozen=True, slots=True)
class PairAlpha:
    """Alpha of pairs.

    Parameters
    ----------
    value, low, high
        Alpha and its interval; NaN where undefined.
    unanimous
        Whether all values are the same, which makes alpha 1 by definition.
    undefined
        Why there is no value or no interval; empty where there is one.

    Examples
    --------
    >>> alpha_of_pairs([], [], [], level="nominal").undefined
    'no pairs'
    """

    value: float
    low: float
    high: float
    unanimous: bool = False
    undefined: str = ""


def alpha_of_pairs(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    topics: Sequence[str],
    *,
    level: Level,
    n_resamples: int = 1000,
    confidence_level: float = 0.95,
    rng: Rng | None = None,
) -> PairAlpha:
    """Compute alpha of pairs of values, and a percentile interval over resampled topics.

    Pairs of one topic stand or fall together: three identical summaries give three of them. So
    topics are drawn, with all their pairs. The order of pairs, of the values in a pair, and the
    names of topics play no part.

    Parameters
    ----------
    first, second
        The two values of each pair.
    topics
        The topic of each pair.
    level
        The level of measurement.
    n_resamples, confidence_level, rng
        How the interval is made.

    Examples
    --------
    >>> found = alpha_of_pairs([1, 2, 3, 4, 5], [1, 2, 4, 4, 5], "abcde", level="interval")
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.957, 0.557, 1.0)
    """
    pairs = np.sort(np.stack([np.asarray(first, float), np.asarray(second, float)]), axis=0)
    if not pairs.size:
        return PairAlpha(np.nan, np.nan, np.nan, undefined="no pairs")
    alpha = krippendorff_alpha(pairs, level=level)
    blocks = _blocks(pairs, topics)
    if alpha.unanimous or blocks.max() == 0:
        why = _UNANIMOUS if alpha.unanimous else "no interval, as all pairs are of one topic"
        return PairAlpha(alpha.value, np.nan, np.nan, alpha.unanimous, why)
    samples = _resampled(pairs, blocks, level, n_resamples, generator(rng))
    interval: Interval = percentile_interval(samples, confidence_level=confidence_level)
    return PairAlpha(alpha.value, interval.low, interval.high)


def _blocks(pairs: Floats, topics: Sequence[str]) -> Ints:
    """Give topics numbers by what was judged in them, so that their names do not matter."""
    own: dict[str, list[tuple[float, float]]] = {}
    for topic, low, high in zip(topics, *pairs.tolist(), strict=True):
        own.setdefault(topic, []).append((low, high))
    ordered = sorted(own, key=lambda topic: sorted(own[topic]))
    number = {topic: place for place, topic in enumerate(ordered)}
    return np.array([number[topic] for topic in topics], dtype=np.int64)


def _resampled(
    pairs: Floats, blocks: Ints, level: Level, n: int, rng: np.random.Generator
) -> Floats:
    """Compute alpha of many draws of topics at once, from counts of each topic."""
    topics = int(blocks.max()) + 1
    drawn = rng.integers(topics, size=(n, topics)) + topics * np.arange(n)[:, None]
    draws = np.bincount(drawn.ravel(), minlength=n * topics).reshape(n, topics).astype(np.float64)
    values, codes = np.unique(pairs, return_inverse=True)
    low, high = codes.reshape(pairs.shape)
    kinds, kind = np.unique(low * len(values) + high, return_inverse=True)
    within = draws @ _counted(blocks, kind, topics, len(kinds))
    ends = _counted(blocks, low, topics, len(values)) + _counted(blocks, high, topics, len(values))
    counts = draws @ ends
    observed, expected = _disagreements(values, counts, within, divmod(kinds, len(values)), level)
    # Where only one value was drawn nothing could disagree; alpha is 1, as of such data.
    alone = (counts > 0).sum(axis=1) == 1
    total = counts.sum(axis=1) - 1
    samples: Floats = np.ones(n)
    np.divide(total * observed, expected, out=samples, where=~alone)
    return np.where(alone, 1.0, 1 - samples)


def _counted(rows: Ints, columns: Ints, n_rows: int, n_columns: int) -> Floats:
    cells = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    return cells.reshape(n_rows, n_columns).astype(np.float64)


def _disagreements(
    values: Floats, counts: Floats, within: Floats, codes: tuple[Ints, Ints], level: Level
) -> tuple[Floats, Floats]:
    """Sum the differences within pairs, and those between any two values, of each draw.

    Each pair counts twice, once in each order, as in the definition.
    """
    low, high = codes
    if level == "ordinal":
        # The difference is that of mean ranks, which each draw has of its own.
        ranks = np.cumsum(counts, axis=1) - counts / 2
        observed = 2 * np.sum(within * (ranks[:, low] - ranks[:, high]) ** 2, axis=1)
        return observed, _squares(ranks, counts)
    if level == "interval":
        centred = np.broadcast_to(values - values.mean(), counts.shape)
        return 2 * within @ (values[low] - values[high]) ** 2, _squares(centred, counts)
    between = _differences(values, level)
    return 2 * within @ between[low, high], np.sum((counts @ between) * counts, axis=1)


def _squares(places: Floats, counts: Floats) -> Floats:
    """Sum the squared differences of all ordered pairs of values."""
    total = counts.sum(axis=1)
    first, second = (np.sum(counts * places**power, axis=1) for power in (1, 2))
    found: Floats = 2 * (total * second - first**2)
    return found


def _differences(values: Floats, level: Level) -> Floats:
    a, b = values[:, None], values[None, :]
    if level == "nominal":
        return np.asarray(a != b, dtype=np.float64)
    total = np.where(a + b == 0, 1.0, a + b)
    ratio: Floats = ((a - b) / total) ** 2
    return ratio
