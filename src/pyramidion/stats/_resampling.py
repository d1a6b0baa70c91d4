"""Swaps and signs that resampling draws, and the statistics counted over them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats._inputs import Rng, count_of_resamples, generator
from pyramidion.stats._pairs import Indices, Pairs, batches, blocks, clean_differences


def chosen_signs(
    swaps: npt.ArrayLike | None, n_resamples: int, topics: int, rng: Rng | None
) -> Signs:
    """Turn given swaps into signs, or draw them, and put the unswapped data first."""
    if swaps is None:
        drawn = generator(rng).integers(0, 2, (count_of_resamples(n_resamples), topics), np.int8)
    else:
        drawn = given_swaps(swaps, topics)
    signs: Signs = np.ones((len(drawn) + 1, topics), np.int8)
    signs[1:] -= 2 * drawn
    return signs


def given_swaps(swaps: npt.ArrayLike, size: int, *, name: str = "swaps") -> Signs:
    """Check swaps: a row for each resample, 1 (or true) for each topic that is swapped."""
    array = np.asarray(swaps)
    if array.ndim != 2 or array.shape[1] != size or not len(array):
        shape = array.shape
        raise ShapeError(f"`{name}` has the shape {shape}", hint=f"give rows of {size} values")
    if not np.isin(array, (0, 1)).all():
        raise InputError(f"`{name}` has a value other than 0 and 1")
    return array.astype(np.int8)


def all_signs(topics: int) -> Signs:
    """Enumerate the signs up to a common factor: the first topic is never swapped.

    A two-sided statistic has the same value with all signs reversed, so that half of the 2ⁿ
    rows stand for all.
    """
    numbers = np.arange(1 << (topics - 1))[:, None]
    swapped = (numbers >> np.arange(topics - 1, -1, -1)) & 1
    return (1 - 2 * swapped).astype(np.int8)


def cluster_swaps(clusters: Ints, n_resamples: int, rng: Rng | None, *, exact: bool) -> Signs:
    """Swap whole clusters of topics by chance; or, if wanted and possible, in all ways.

    All ways are without that of swapping nothing, as resampling puts the data first, and up to
    a common factor.
    """
    count = int(clusters.max()) + 1
    if exact and 2**count <= count_of_resamples(n_resamples):
        swaps = (1 - all_signs(count)[1:]) // 2
    else:
        swaps = generator(rng).integers(0, 2, (count_of_resamples(n_resamples), count), np.int8)
    return swaps[:, clusters]


def cluster_draws(clusters: Ints, n_resamples: int, rng: Rng | None) -> tuple[Ints, Signs]:
    """Draw clusters with replacement and swap each or not, until there are as many topics."""
    chance = generator(rng)
    members = [np.flatnonzero(clusters == number) for number in range(int(clusters.max()) + 1)]
    shape = (count_of_resamples(n_resamples), len(clusters))
    topics, swaps = np.empty(shape, np.int64), np.empty(shape, np.int8)
    for row in range(n_resamples):
        # As many draws as topics are enough, however small the clusters.
        drawn, turned = chance.integers(0, (len(members), 2), (len(clusters), 2)).T
        parts = [members[number] for number in drawn]
        topics[row] = np.concatenate(parts)[: len(clusters)]
        swaps[row] = np.repeat(turned, list(map(len, parts)))[: len(clusters)]
    return topics, swaps


def sign_batches(signs: Signs, width: int) -> Iterator[Floats]:
    """Cut the resamples into batches, as floats; `width` numbers come of each."""
    for rows in batches(np.arange(len(signs)), max(width, signs.shape[1])):
        yield signs[rows].astype(np.float64)


#: W, paired T, unpaired T with pooled variance.
PairStatistic = Literal["w", "t", "t-unpaired"]
Names = tuple[PairStatistic, ...]

#: Pairs x resamples for each statistic.
Statistics = dict[PairStatistic, Floats]

#: Floats of single or double precision.
Numbers = npt.NDArray[Any]

#: Up to 232 draws all sums of ranks, and of their squares times four, are below 2²⁴: exact in
#: single precision, which is twice as fast.
SINGLE_PRECISION = 232


@dataclass(frozen=True, slots=True)
class Counts:
    """Resamples of topics, as numbers of draws."""

    drawn: Floats
    signed: Floats
    size: int


def student(total: Floats, limit: Floats | float, freedom: int | Ints) -> Floats:
    """Return D √(f / (L - D²)): 0 where D is 0, infinite where L - D² is rounding noise."""
    rest = limit - total * total
    rest[rest < 1e-12 * limit] = 0.0
    rest[total == 0] = 1.0
    with np.errstate(divide="ignore"):
        np.divide(freedom, rest, out=rest)
    np.sqrt(rest, out=rest)
    rest *= total
    return rest


def ratio(top: Floats, bottom: Floats) -> Floats:
    """Divide, with 0 where there is nothing to divide by."""
    shape = np.broadcast_shapes(top.shape, bottom.shape)
    return np.divide(top, bottom, out=np.zeros(shape), where=bottom > 0)


def settled(differences: Floats, noise: float) -> Floats:
    """Make differences equal that are equal up to rounding noise, along each row."""
    return clean_differences(differences, np.zeros(1), tolerance=noise)


# Numbers that are ranked together: all that comes of them on the way fits the processor's cache.
_RANKED = 1 << 14


def signed_ranks(differences: Floats, noise: float = 0.0) -> Floats:
    """Return the midranks of the nonzero differences of each row with their signs; zeros stay 0.

    Differences that are equal up to rounding noise are tied, and those within it are zeros.
    """
    ranks = np.zeros(differences.shape)
    step = max(1, _RANKED // max(1, differences.shape[1]))
    for start in range(0, len(differences) if differences.size else 0, step):
        rows = slice(start, start + step)
        ranks[rows] = _signed_ranks(differences[rows], noise)
    return ranks


def _signed_ranks(differences: Floats, noise: float) -> Floats:
    rows, width = differences.shape
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    order += width * np.arange(rows)[:, None]
    ordered = sizes.take(order)
    opens = np.ones((rows, width), np.bool_)
    np.greater(ordered[:, 1:] - ordered[:, :-1], noise, out=opens[:, 1:])
    # From the first to the last of those that are tied, without the zeros of the row.
    first = np.flatnonzero(opens)
    count = np.diff(first, append=rows * width)
    row = first // width
    none = ordered.ravel()[first] <= noise
    zeros = np.zeros(rows)
    zeros[row[none]] = count[none]
    middle = first - width * row + (count + 1) / 2 - zeros[row]
    middle[none] = 0.0
    ranks = np.empty((rows, width))
    ranks.put(order, np.repeat(middle, count))
    # Adding nothing leaves no negative zeros.
    return np.copysign(ranks, differences) + 0.0


def counted_blocks(
    pairs: Pairs, rows: Indices, kept: Bools, counts: Counts, names: Names, *, standardized: bool
) -> Iterator[tuple[Indices, Statistics]]:
    """Compute statistics of resamples for pairs that share the same topics, some at a time."""
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
    """Return for each row twice the midranks of the topics within each resample.

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
