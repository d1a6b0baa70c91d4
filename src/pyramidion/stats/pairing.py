"""All pairs of systems of a score matrix, each on the topics that both have a score on."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.differences import noise_level
from pyramidion.stats.inputs import matrix

__all__ = [
    "Indices",
    "Pairs",
    "batches",
    "blocks",
    "checked_pairs",
    "pair_blocks",
    "pair_up",
    "quantile_place",
    "reaches",
]

Indices = npt.NDArray[np.intp]

#: How many numbers a batch of work may hold in one array: 40 MB. All pairs of 66 systems with
#: 2,000 resamples fit in one, which spares the threads of BLAS much idle waiting.
BATCH = 5_000_000

#: How many numbers a block may hold: half a megabyte.
BLOCK = 1 << 16


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of columns of a score matrix.

    Parameters
    ----------
    scores
        Topics x systems, NaN where a system has no score.
    indices
        Pairs x 2: the columns of the first and the second system.
    shared
        Pairs x topics: whether both systems have a score.
    differences
        Pairs x topics: first less second; 0 where not shared or within rounding noise.
    noise
        The distance below which two scores are taken as equal.

    Examples
    --------
    >>> pair_up([[1, 2], [4, 2]]).differences.tolist()
    [[-1.0, 2.0]]
    """

    scores: Floats
    indices: Indices
    shared: Bools
    differences: Floats
    noise: float

    @property
    def topics(self) -> Ints:
        """How many topics each pair shares."""
        counts: Ints = np.sum(self.shared, axis=1, dtype=np.int64)
        return counts

    def patterns(self, rows: Indices) -> Iterator[tuple[Bools, Indices]]:
        """Give each set of shared topics with those of the rows that share just these."""
        packed = np.packbits(self.shared[rows], axis=1)
        _, first, group = np.unique(packed, axis=0, return_index=True, return_inverse=True)
        for number, sample in enumerate(first):
            yield self.shared[rows[sample]], rows[group.reshape(-1) == number]


def pair_up(scores: npt.ArrayLike, pairs: npt.ArrayLike | None = None) -> Pairs:
    """Form the differences of all pairs of columns, or of the pairs asked for.

    Parameters
    ----------
    scores
        Topics x systems, NaN for missing scores.
    pairs
        Rows of two column numbers; all pairs unless given.

    Examples
    --------
    >>> pair_up([[1, 2, 3]]).indices.tolist()
    [[0, 1], [0, 2], [1, 2]]
    """
    array, indices = checked_pairs(scores, pairs)
    return _matched(array, indices, _noise(array))


def checked_pairs(
    scores: npt.ArrayLike, pairs: npt.ArrayLike | None = None
) -> tuple[Floats, Indices]:
    """Check the scores and the pairs asked for; give both as arrays.

    Examples
    --------
    >>> checked_pairs([[1, 2, 3]], [[0, 2]])[1].tolist()
    [[0, 2]]
    """
    array = matrix(scores, "scores")
    topics, systems = array.shape
    if topics < 1 or systems < 2:
        raise ShapeError(
            f"`scores` has {topics} topics and {systems} systems",
            hint="rows are topics, columns are systems; give one topic and two systems or more",
        )
    return array, _all_pairs(systems) if pairs is None else _given_pairs(pairs, systems)


def pair_blocks(scores: Floats, indices: Indices) -> Iterator[tuple[slice, Pairs]]:
    """Form the differences of some pairs after the other, as many as fit the processor's cache.

    Examples
    --------
    >>> [rows for rows, _ in pair_blocks(*checked_pairs([[1, 2, 3]]))]
    [slice(0, 3, None)]
    """
    noise = _noise(scores)
    for rows in blocks(len(indices), len(scores)):
        yield rows, _matched(scores, indices[rows], noise)


def _noise(scores: Floats) -> float:
    return noise_level(np.where(np.isnan(scores), 0.0, scores))


def _matched(scores: Floats, indices: Indices, noise: float) -> Pairs:
    first, second = indices.T
    # In place: with many pairs each copy counts.
    differences = scores.T[first]
    differences -= scores.T[second]
    shared = ~np.isnan(differences)
    differences[~(np.abs(differences) > noise)] = 0.0
    return Pairs(scores, indices, shared, differences, noise)


def _all_pairs(systems: int) -> Indices:
    return np.stack(np.triu_indices(systems, 1), axis=1)


def _given_pairs(pairs: npt.ArrayLike, systems: int) -> Indices:
    array = np.asarray(pairs)
    if array.ndim != 2 or array.shape[1] != 2 or not np.issubdtype(array.dtype, np.integer):
        raise ShapeError("`pairs` has other rows than two column numbers each")
    wrong = (array < 0).any(axis=1) | (array >= systems).any(axis=1) | (array[:, 0] == array[:, 1])
    if wrong.any():
        raise InputError(
            f"`pairs` has {array[wrong][0].tolist()}",
            hint=f"give two different columns, from 0 to {systems - 1}",
        )
    return array.astype(np.intp)


def batches(rows: Indices, width: int) -> Iterator[Indices]:
    """Cut rows of arrays that are `width` wide into batches that fit the memory.

    Examples
    --------
    >>> [len(part) for part in batches(np.arange(5), BATCH // 2)]
    [2, 2, 1]
    """
    step = max(1, BATCH // max(1, width))
    for start in range(0, len(rows), step):
        yield rows[start : start + step]


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Cut rows into blocks that fit the processor's cache.

    Examples
    --------
    >>> list(blocks(3, BLOCK))
    [slice(0, 1, None), slice(1, 2, None), slice(2, 3, None)]
    """
    step = max(1, BLOCK // max(1, width))
    for start in range(0, rows, step):
        yield slice(start, min(rows, start + step))


def reaches(statistic: Floats) -> Floats:
    """Give the value from which on a resampled statistic counts as at least the observed one.

    Equal sums that were added in another order differ by rounding noise; 1e-9 is forgiven.

    Examples
    --------
    >>> bool(2.0 - 1e-12 >= reaches(np.array(2.0)))
    True
    """
    threshold: Floats = np.abs(statistic) * (1 - 1e-9) - 1e-9
    return threshold


def quantile_place(resamples: int, level: float) -> int:
    """Give where the inverse empirical quantile stands among the sorted resamples.

    Examples
    --------
    >>> quantile_place(199, 0.95)
    189
    """
    return math.ceil(resamples * level - 1e-9) - 1
