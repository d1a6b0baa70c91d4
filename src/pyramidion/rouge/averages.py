"""Means over items with their intervals: ROUGE-1.5.5's own, and sound ones.

Several measures of the same items are resampled together.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError
from pyramidion.rouge import perl
from pyramidion.stats._inputs import count_of_resamples, share

__all__ = ["PERL_RESAMPLES", "RESAMPLES", "Mean", "perl_means", "sample_means"]

RESAMPLES = 9999
PERL_RESAMPLES = 1000
_NORMAL_FROM = 10_000


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its confidence interval.

    Parameters
    ----------
    mean, low, high
        The mean and the ends of the interval.
    n
        Of how many items.

    Examples
    --------
    >>> Mean(0.5, 0.4, 0.6, 10).n
    10
    """

    mean: float
    low: float
    high: float
    n: int


def perl_means(
    values: Floats, *, confidence_level: float = 0.95, n_resamples: int = PERL_RESAMPLES
) -> list[Mean]:
    """Average as ROUGE-1.5.5 does: the mean of bootstrap means, with its percentiles.

    Parameters
    ----------
    values
        One row an item, in the script's order; one column a measure.
    confidence_level, n_resamples
        Of the bootstrap.

    Examples
    --------
    >>> [round(mean.mean, 5) for mean in perl_means(np.array([[0.25], [0.5], [0.75]]))]
    [0.49983]
    """
    _require_sense(values, confidence_level, n_resamples)
    means = perl.bootstrap_means(values, n_resamples)
    # A share such as 0.58 is not quite 58 hundredths, and the script cuts what it computes.
    found = [perl.interval(column, round(100 * confidence_level, 9)) for column in means.T]
    return [Mean(own.mean, own.low, own.high, len(values)) for own in found]


def sample_means(
    values: Floats,
    *,
    confidence_level: float = 0.95,
    n_resamples: int = RESAMPLES,
    rng: np.random.Generator | int | None = 0,
) -> list[Mean]:
    """Average, with percentile bootstrap intervals.

    With more than 10,000 items the intervals are those of the normal distribution, which the
    bootstrap has reached by then.

    Parameters
    ----------
    values
        One row an item, one column a measure.
    confidence_level, n_resamples, rng
        Of the bootstrap.

    Examples
    --------
    >>> [mean.mean for mean in sample_means(np.array([[0.25], [0.5], [0.75]]))]
    [0.5]
    """
    _require_sense(values, confidence_level, n_resamples)
    # Column by column, each in one piece: so a mean does not depend on its neighbours.
    means = np.array([column.mean() for column in values.T.copy()])
    tail = (1 - confidence_level) / 2
    if len(values) > _NORMAL_FROM:
        half = NormalDist().inv_cdf(1 - tail) * values.std(0) / math.sqrt(len(values))
        low, high = means - half, means + half
    else:
        blocks = _bootstrap_means(values, n_resamples, np.random.default_rng(rng))
        low, high = np.quantile(np.concatenate(list(blocks)), [tail, 1 - tail], axis=0)
    return [
        Mean(float(own), float(least), float(most), len(values))
        for own, least, most in zip(means, low, high, strict=True)
    ]


def _require_sense(values: Floats, confidence_level: float, n_resamples: int) -> None:
    if not len(values):
        raise InputError("nothing was scored, so there is no mean", hint="add items")
    share(confidence_level, "confidence_level")
    count_of_resamples(n_resamples)


def _bootstrap_means(values: Floats, resamples: int, rng: np.random.Generator) -> Iterator[Floats]:
    """Average resampled rows, in blocks so that memory stays small."""
    items, columns = len(values), values.T.copy()
    block = max(1, 500_000 // items)
    for done in range(0, resamples, block):
        drawn = rng.integers(items, size=(min(block, resamples - done), items))
        yield np.stack([np.take(column, drawn).mean(1) for column in columns], axis=1)
