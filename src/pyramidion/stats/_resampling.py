"""Swaps and signs for resampling, signed ranks, and safe division."""

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import Rng, count_of_resamples, generator
from pyramidion.stats.pairs import blocks, snap_to_ties


def chosen_signs(
    swaps: npt.ArrayLike | None, n_resamples: int, topics: int, rng: Rng | None
) -> Signs:
    """Convert swaps to signs, or draw them; the first row is the unswapped data."""
    if swaps is None:
        is_swapped = generator(rng).integers(
            0, 2, (count_of_resamples(n_resamples), topics), np.int8
        )
    else:
        is_swapped = checked_swaps(swaps, topics)
    signs: Signs = np.ones((len(is_swapped) + 1, topics), np.int8)
    signs[1:] -= 2 * is_swapped
    return signs


def checked_swaps(swaps: npt.ArrayLike, size: int, *, name: str = "swaps") -> Signs:
    """Check swaps: one row per resample, 1 (or true) for each topic that is swapped."""
    array = np.asarray(swaps)
    if array.ndim != 2 or array.shape[1] != size or not len(array):
        shape = array.shape
        raise ShapeError(f"`{name}` has the shape {shape}", hint=f"give rows of {size} values")
    if not np.isin(array, (0, 1)).all():
        raise InputError(f"`{name}` has a value other than 0 and 1")
    return array.astype(np.int8)


def all_signs(topics: int) -> Signs:
    """Enumerate the signs up to a common factor: the first topic is never swapped.

    A two-sided statistic does not change when all signs are reversed, so half of the 2ⁿ rows
    represent all of them.
    """
    row_codes = np.arange(1 << (topics - 1))[:, None]
    is_swapped = (row_codes >> np.arange(topics - 1, -1, -1)) & 1
    return (1 - 2 * is_swapped).astype(np.int8)


def cluster_swaps(clusters: Ints, n_resamples: int, rng: Rng | None, *, exact: bool) -> Signs:
    """Swap whole clusters of topics at random or, if `exact` and feasible, in every way.

    The enumeration is up to a common factor and omits the data, which resampling puts first.
    """
    n_clusters = int(clusters.max()) + 1
    if exact and 2**n_clusters <= count_of_resamples(n_resamples):
        swaps = (1 - all_signs(n_clusters)[1:]) // 2
    else:
        swaps = generator(rng).integers(
            0, 2, (count_of_resamples(n_resamples), n_clusters), np.int8
        )
    return swaps[:, clusters]


def cluster_draws(clusters: Ints, n_resamples: int, rng: Rng | None) -> tuple[Ints, Signs]:
    """Draw clusters with replacement, each swapped or not, until all topics are filled."""
    random_generator = generator(rng)
    members = [np.flatnonzero(clusters == cluster) for cluster in range(int(clusters.max()) + 1)]
    shape = (count_of_resamples(n_resamples), len(clusters))
    topics, swaps = np.empty(shape, np.int64), np.empty(shape, np.int8)
    for row in range(n_resamples):
        # Even clusters of one topic need no more draws than there are topics.
        drawn_clusters, signs = random_generator.integers(
            0, (len(members), 2), (len(clusters), 2)
        ).T
        drawn_topics = [members[cluster] for cluster in drawn_clusters]
        topics[row] = np.concatenate(drawn_topics)[: len(clusters)]
        swaps[row] = np.repeat(signs, list(map(len, drawn_topics)))[: len(clusters)]
    return topics, swaps


def studentize(total: Floats, square_bound: Floats | float, df: int | Ints) -> Floats:
    """Return D √(f / (L - D²)): 0 where D is 0, infinite where L - D² is rounding noise."""
    denominator = square_bound - total * total
    denominator[denominator < 1e-12 * square_bound] = 0.0
    denominator[total == 0] = 1.0
    with np.errstate(divide="ignore"):
        np.divide(df, denominator, out=denominator)
    np.sqrt(denominator, out=denominator)
    denominator *= total
    return denominator


def ratio(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with 0 where the denominator is not positive."""
    shape = np.broadcast_shapes(numerator.shape, denominator.shape)
    return np.divide(numerator, denominator, out=np.zeros(shape), where=denominator > 0)


def snap_differences(differences: Floats, noise: float) -> Floats:
    """Tie differences that are equal up to rounding noise, within each row."""
    return snap_to_ties(differences, np.zeros(1), tolerance=noise)


# Numbers ranked at once, so that intermediate arrays fit the processor's cache.
_BLOCK_RANKS = 1 << 14


def signed_ranks(differences: Floats, noise: float = 0.0) -> Floats:
    """Return the signed midranks of each row's nonzero differences; zeros stay 0.

    Differences that are equal up to rounding noise are tied; those within noise of 0 are zeros.
    """
    ranks = np.zeros(differences.shape)
    for rows in blocks(len(differences), differences.shape[1], _BLOCK_RANKS):
        if differences.size:
            ranks[rows] = _signed_ranks(differences[rows], noise)
    return ranks


def _signed_ranks(differences: Floats, noise: float) -> Floats:
    n_rows, n_columns = differences.shape
    sizes = np.abs(differences)
    order = np.argsort(sizes, axis=1)
    order += n_columns * np.arange(n_rows)[:, None]
    sorted_sizes = sizes.take(order)
    is_group_start = np.ones((n_rows, n_columns), np.bool_)
    np.greater(sorted_sizes[:, 1:] - sorted_sizes[:, :-1], noise, out=is_group_start[:, 1:])
    # Groups of tied differences; the zeros of a row do not count in its ranks.
    starts = np.flatnonzero(is_group_start)
    group_sizes = np.diff(starts, append=n_rows * n_columns)
    group_rows = starts // n_columns
    is_zero = sorted_sizes.ravel()[starts] <= noise
    n_zeros = np.zeros(n_rows)
    n_zeros[group_rows[is_zero]] = group_sizes[is_zero]
    mean_ranks = starts - n_columns * group_rows + (group_sizes + 1) / 2 - n_zeros[group_rows]
    mean_ranks[is_zero] = 0.0
    ranks = np.empty((n_rows, n_columns))
    ranks.put(order, np.repeat(mean_ranks, group_sizes))
    # Adding 0 removes negative zeros.
    return np.copysign(ranks, differences) + 0.0
