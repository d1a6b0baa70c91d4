r"""The pair statistics W, paired T and unpaired T, of many resamples at once.

With D the sum of the differences of n topics, Q the sum of their squares, and V the sum of
squares of all 2n scores about their common mean,

- paired: :math:`t = D \sqrt{(n - 1) / (nQ - D^2)}`,
- unpaired, with pooled variance: :math:`t = D \sqrt{(2n - 2) / (2nV - D^2)}`.

Under swaps Q and V stay what they are, so that both rise with \|D\| alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.stats.differences import clean_differences
from pyramidion.stats.pairing import Indices, Pairs, batches, blocks

__all__ = [
    "Counts",
    "PairStatistic",
    "Statistics",
    "counted_blocks",
    "ratio",
    "settled",
    "signed_ranks",
    "student",
]

#: W, paired T, unpaired T with pooled variance.
PairStatistic = Literal["w", "t", "t-unpaired"]

#: Pairs x resamples for each statistic.
Statistics = dict[PairStatistic, Floats]

#: Floats of single or double precision.
Numbers = npt.NDArray[Any]

#: Up to 232 draws all sums of ranks, and of their squares times four, are below 2²⁴: exact in
#: single precision, which is twice as fast.
SINGLE_PRECISION = 232


@dataclass(frozen=True, slots=True)
class Counts:
    """Resamples of topics, as numbers of draws.

    Parameters
    ----------
    drawn
        Topics x resamples: how often the topic was drawn.
    signed
        The same less twice the draws whose scores are swapped.
    size
        How many draws a resample has.

    Examples
    --------
    >>> Counts(np.array([[2.0], [0.0]]), np.array([[0.0], [0.0]]), 2).size
    2
    """

    drawn: Floats
    signed: Floats
    size: int


def student(total: Floats, limit: Floats | float, freedom: int | Ints) -> Floats:
    """Give D √(f / (L - D²)): 0 where D is 0, infinite where L - D² is rounding noise.

    Parameters
    ----------
    total
        D, the sums of the differences.
    limit
        L, which D² cannot exceed.
    freedom
        The degrees of freedom f.

    Examples
    --------
    >>> student(np.array([0.0, 0.6, -1.0]), 1.0, 16).tolist()
    [0.0, 3.0, -inf]
    """
    rest = limit - total * total
    rest[rest < 1e-12 * limit] = 0.0
    rest[total == 0] = 1.0
    with np.errstate(divide="ignore"):
        np.divide(freedom, rest, out=rest)
    np.sqrt(rest, out=rest)
    rest *= total
    return rest


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Divide, with 0 where there is nothing to divide by.

    Examples
    --------
    >>> ratio(np.array([0.0, 1.0]), np.array([0.0, 2.0])).tolist()
    [0.0, 0.5]
    """
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    return np.divide(top, bottom, out=np.zeros(shape), where=bottom > 0)


def settled(differences: Floats, noise: float) -> Floats:
    """Make differences equal that are equal up to rounding noise, along each row.

    Examples
    --------
    >>> float(settled(np.array([[0.3 - 0.2, 0.1 - 0.2]]), 1e-12).sum())
    0.0
    """
    return clean_differences(differences, np.zeros(1), tolerance=noise)


def signed_ranks(differences: Floats) -> Floats:
    """Give the midranks of the nonzero differences of each row with their signs; zeros stay 0.

    Examples
    --------
    >>> signed_ranks(np.array([[0.0, -2.0, 1.0, 2.0]])).tolist()
    [[0.0, -2.5, 1.0, 2.5]]
    """
    zeros = np.count_nonzero(differences == 0, axis=1)[:, None]
    from scipy.stats import rankdata

    ranks = rankdata(np.abs(differences), axis=1) - zeros
    signed: Floats = np.sign(differences) * ranks
    return signed


def counted_blocks(
    pairs: Pairs,
    rows: Indices,
    kept: Bools,
    counts: Counts,
    names: tuple[PairStatistic, ...],
    *,
    standardized: bool,
) -> Iterator[tuple[Indices, Statistics]]:
    """Compute statistics of resamples for pairs that share the same topics, some at a time.

    Parameters
    ----------
    pairs, rows
        The pairs, and which of them.
    kept
        The topics that they share.
    counts
        The resamples of these topics.
    names
        Which statistics.
    standardized
        Whether W is divided by its standard deviation under random signs.

    Yields
    ------
    rows
        Some of the rows.
    statistics
        Rows x resamples for each name.

    Examples
    --------
    >>> from pyramidion.stats.pairing import pair_up
    >>> pairs = pair_up([[1, 2], [4, 2], [5, 2]])
    >>> ones = np.ones((3, 1))
    >>> list(counted_blocks(pairs, np.array([0]), np.full(3, True), Counts(ones, ones, 3),
    ...                     ("w",), standardized=False))
    [(array([0]), {'w': array([[4.]])})]
    """
    n, width = counts.size, counts.drawn.shape[1]
    for part in batches(rows, width):
        z = pairs.differences[part][:, kept]
        total, squares = z @ counts.signed, z**2 @ counts.drawn
        sums = _SystemSums(pairs, part, kept, counts) if "t-unpaired" in names else None
        if "w" in names:
            w = _rank_sums(settled(z, pairs.noise), counts, standardized=standardized)
        for block in blocks(len(part), width):
            found: Statistics = {}
            if "w" in names:
                found["w"] = w[block]
            if "t" in names:
                found["t"] = student(total[block], n * squares[block], n - 1)
            if sums is not None:
                limit = 2 * n * sums.squares_about_mean(block)
                found["t-unpaired"] = student(total[block], limit, 2 * n - 2)
            yield part[block], found


class _SystemSums:
    """Sums and sums of squares of the systems' scores."""

    def __init__(self, pairs: Pairs, rows: Indices, kept: Bools, counts: Counts) -> None:
        systems, place = np.unique(pairs.indices[rows], return_inverse=True)
        scores = pairs.scores[np.ix_(kept, systems)].T
        scores = scores - scores.mean()
        self._size = counts.size
        self._sums, self._squares = scores @ counts.drawn, scores**2 @ counts.drawn
        self._first, self._second = place.reshape(-1, 2).T

    def squares_about_mean(self, block: slice) -> Floats:
        """Sum the squares of both systems' scores about their common mean."""
        first, second = self._first[block], self._second[block]
        both: Floats = self._sums[first] + self._sums[second]
        both *= both
        both /= -2 * self._size
        both += self._squares[first]
        both += self._squares[second]
        return both


def _rank_sums(differences: Floats, counts: Counts, *, standardized: bool) -> Floats:
    """Sum the signed midranks of each resample, pair by pair."""
    kind = np.float32 if counts.size <= SINGLE_PRECISION else np.float64
    drawn: Numbers = counts.drawn.astype(kind)
    signed: Numbers = counts.signed.astype(kind)
    signs = np.sign(differences).astype(kind)[..., None]
    sums = np.empty((len(differences), drawn.shape[1]))
    for row, doubled in enumerate(_doubled_ranks(np.abs(differences), drawn)):
        ranks = np.multiply(doubled, signs[row], out=doubled)
        sums[row] = np.einsum("kb,kb->b", signed, ranks)
        if standardized:
            variance = np.einsum("kb,kb,kb->b", drawn, ranks, ranks)
            # Without ranks the sum is 0, and so is the result.
            sums[row] /= np.sqrt(np.maximum(variance, 1), dtype=np.float64)
    return sums if standardized else sums / 2


def _doubled_ranks(sizes: Floats, drawn: Numbers) -> Iterator[Numbers]:
    """Give for each row twice the midranks of the topics within each resample.

    The rank of a topic follows from how many draws are below it: a running sum of the counts in
    the order of the absolute differences. What is given for zeros is of no use.
    """
    zeros = np.count_nonzero(sizes == 0, axis=1)
    order = np.argsort(sizes, axis=1)
    from scipy.stats import rankdata

    below = np.maximum(rankdata(sizes, "min", axis=1).astype(np.intp) - 1 - zeros[:, None], 0)
    up_to = np.maximum(rankdata(sizes, "max", axis=1).astype(np.intp) - zeros[:, None], 0)
    running = np.empty((len(drawn) + 1, drawn.shape[1]), drawn.dtype)
    # A midrank is half a draw above the middle of its group.
    running[0] = 0.5
    ranks, more = np.empty_like(drawn), np.empty_like(drawn)
    steps, draws = list(running), list(drawn)
    for row, start in enumerate(zeros):
        for place, topic in enumerate(order[row, start:].tolist()):
            np.add(steps[place], draws[topic], steps[place + 1])
        np.take(running, below[row], axis=0, out=ranks, mode="clip")
        ranks += np.take(running, up_to[row], axis=0, out=more, mode="clip")
        yield ranks
