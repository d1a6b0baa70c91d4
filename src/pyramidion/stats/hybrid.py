"""Resamples of the topics with swaps (the hybrid of bootstrap and Monte Carlo, HB)."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Ints, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.counted import Counts, PairStatistic, Statistics, counted_blocks
from pyramidion.stats.inputs import Rng, count_of_resamples, generator
from pyramidion.stats.pairing import Indices, Pairs
from pyramidion.stats.swaps import given_swaps

__all__ = ["Draws", "given_draws", "hybrid_blocks", "random_draws"]


class Draws:
    """As many draws of a topic, with a swap or not, as there are topics; for each resample.

    A pair that shares n topics takes the first n draws that hit its topics, and draws of its
    own where these are too few. That is a sample of its topics with replacement, and pairs have
    most draws in common: the maximum over all pairs is one of statistics that vary together.

    Parameters
    ----------
    topics
        Resamples x topics: the topics drawn.
    swaps
        Resamples x topics: 1 where the scores of the draw are swapped.
    seed
        For draws of a pair's own.

    Examples
    --------
    >>> draws = Draws(np.array([[0, 1, 1], [2, 0, 1]]), np.zeros((2, 3), np.int8))
    >>> draws.counts(np.array([True, False, True])).drawn.sum(axis=0).tolist()
    [2.0, 2.0, 2.0]
    """

    def __init__(self, topics: Indices, swaps: Signs, seed: int = 0) -> None:
        self._topics, self._swaps, self._seed = topics, swaps, seed

    @property
    def n_resamples(self) -> int:
        """How many resamples there are."""
        return len(self._topics)

    def counts(self, kept: Bools) -> Counts:
        """Count the draws of the topics kept; the data as they are come first."""
        size = int(np.count_nonzero(kept))
        hit = kept[self._topics]
        used = hit & (np.cumsum(hit, axis=1) <= size)
        resample, own, swaps = self._own_draws(kept, size - np.count_nonzero(used, axis=1))
        resample = np.concatenate([np.nonzero(used)[0], resample])
        topic = np.concatenate([self._topics[used], own])
        swapped = np.concatenate([self._swaps[used], swaps])
        shape = (self.n_resamples + 1, len(kept))
        place = (resample + 1) * len(kept) + topic
        drawn = np.bincount(place, minlength=shape[0] * shape[1]).reshape(shape).T[kept]
        turned = np.bincount(place, swapped, shape[0] * shape[1]).reshape(shape).T[kept]
        drawn[:, 0] = 1
        counts = drawn.astype(np.float64)
        return Counts(counts, counts - 2 * turned, size)

    def _own_draws(self, kept: Bools, lacking: Ints) -> tuple[Indices, Indices, Signs]:
        """Draw what a pair lacks; the same whichever pairs came before."""
        chance = np.random.default_rng([self._seed, *np.packbits(kept).tolist()])
        resample = np.repeat(np.arange(self.n_resamples), lacking)
        topics = chance.choice(np.flatnonzero(kept), len(resample))
        return resample, topics, chance.integers(0, 2, len(resample), np.int8)


def random_draws(topics: int, n_resamples: int, rng: Rng | None) -> Draws:
    """Draw topics and swaps.

    Examples
    --------
    >>> random_draws(3, 100, None).n_resamples
    100
    """
    chance, shape = generator(rng), (count_of_resamples(n_resamples), topics)
    drawn = chance.integers(0, topics, shape, np.intp)
    return Draws(drawn, chance.integers(0, 2, shape, np.int8), int(chance.integers(1 << 62)))


def given_draws(indices: npt.ArrayLike, swaps: npt.ArrayLike, topics: int) -> Draws:
    """Make draws of given topics (numbered from 0) and swaps, a row for each resample.

    Examples
    --------
    >>> given_draws([[1, 1]], [[0, 1]], 2).counts(np.full(2, True)).drawn.tolist()
    [[1.0, 0.0], [1.0, 2.0]]
    """
    array = np.asarray(indices)
    if array.ndim != 2 or array.shape[1] != topics or not np.issubdtype(array.dtype, np.integer):
        raise ShapeError(
            f"`indices` has the shape {array.shape}",
            hint=f"give rows of {topics} topic numbers",
        )
    if array.size and (array.min() < 0 or array.max() >= topics):
        raise InputError("`indices` has a topic that is not there", hint="topics count from 0")
    swapped = given_swaps(swaps, topics)
    if len(swapped) != len(array):
        raise ShapeError(f"`swaps` has {len(swapped)} rows and `indices` {len(array)}")
    return Draws(array.astype(np.intp), swapped)


def hybrid_blocks(
    pairs: Pairs,
    rows: Indices,
    draws: Draws,
    names: tuple[PairStatistic, ...],
    *,
    standardized: bool,
) -> Iterator[tuple[Indices, Statistics]]:
    """Compute the statistics of all resamples, some pairs at a time.

    Examples
    --------
    >>> from pyramidion.stats.pairing import pair_up
    >>> blocks = hybrid_blocks(pair_up([[1, 2], [4, 2], [5, 2]]), np.arange(1),
    ...                        random_draws(3, 10, None), ("w", "t"), standardized=True)
    >>> [(rows.tolist(), found["t"].shape) for rows, found in blocks]
    [([0], (1, 11))]
    """
    for kept, members in pairs.patterns(rows):
        counts = draws.counts(kept)
        yield from counted_blocks(pairs, members, kept, counts, names, standardized=standardized)
