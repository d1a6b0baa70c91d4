"""Ranks, weighted sums, and pairs of columns with their shared rows and differences."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from operator import iadd
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints, Signs
from pyramidion.errors import InputError, ShapeError
from pyramidion.stats.inputs import matrix

#: Ranks from 0 in small integers, which compare fastest.
Ranks = npt.NDArray[np.integer[Any]]


def dense_ranks(values: Floats, *, noise: float | None = None) -> Ranks:
    """Rank the distinct values along the first axis, from 0 for the smallest.

    Sorted neighbors within `noise` (by default, `noise_level` of all values) get the same rank, so
    that means of the same numbers in a different order are tied.
    """
    rows = np.ascontiguousarray(values.T)
    order = np.argsort(rows, axis=-1, kind="stable")
    # Indexing is faster than functions that take any number of dimensions.
    sorted_rows = rows[order] if rows.ndim == 1 else np.take_along_axis(rows, order, -1)
    gaps = sorted_rows[..., 1:] - sorted_rows[..., :-1]
    rank_type = np.int16 if len(values) < 1 << 15 else np.int32
    tolerance = noise_level(rows) if noise is None else noise
    steps = np.cumsum(gaps > tolerance, axis=-1, dtype=rank_type)
    ranks = np.zeros(rows.shape, dtype=rank_type)
    if rows.ndim == 1:
        ranks[order[1:]] = steps
        return ranks
    np.put_along_axis(ranks, order[..., 1:], steps, -1)
    return np.ascontiguousarray(ranks.T)


#: Counts of points as float32 or float64; they are whole numbers, so sums are exact.
Weights = npt.NDArray[np.floating[Any]]


class LeftOneOut:
    """Weights that leave out one item per column, computed by blocks instead of stored as n x n.

    Examples
    --------
    >>> LeftOneOut(3)[:2, :].tolist()
    [[0.0, 1.0, 1.0], [1.0, 0.0, 1.0]]
    """

    dtype = np.dtype(np.float64)

    def __init__(self, size: int) -> None:
        self.shape = (size, size)

    def __getitem__(self, block: tuple[slice, slice]) -> Floats:
        rows, columns = (range(self.shape[0])[part] for part in block)
        diagonal = np.eye(len(rows), len(columns), rows.start - columns.start)
        return np.subtract(1.0, diagonal, out=diagonal)


#: Weightings, one per column, that can be sliced into blocks.
Weightings = Weights | LeftOneOut

#: The maximum number of values of an array in a batch (40 MB). All pairs of 66 systems with 2,000
#: resamples fit, so that BLAS threads rarely wait.
BATCH_SIZE = 5_000_000

#: The numbers per block: half a megabyte, or eight where larger blocks are faster.
BLOCK_VALUES, LARGE_BLOCK_VALUES = 1 << 16, 1 << 20

# At this width or more, adding row to row is faster than numpy.cumsum along the first axis.
_MIN_ROWWISE_WIDTH = 48
# OpenBLAS starts its threads for products above 4 * 65,536 multiplications. On small matrices
# they spend much more processor time waiting than working.
_MAX_ONE_THREAD_PRODUCTS = 1 << 18
# Products with fewer columns are slow; large matrices are split by rows instead.
_MIN_SPLIT_COLUMNS = 64
# Longer rows are split as well, into pieces of this many rows and columns.
_MAX_ROW_LENGTH, _PIECE_ROWS, _PIECE_COLUMNS = 512, 128, 16


def signs(a: Ranks, b: Ranks) -> Signs:
    """Return the sign of a - b."""
    return np.greater(a, b).view(np.int8) - np.less(a, b).view(np.int8)


def counting_type(largest_value: float) -> type[np.float32] | type[np.float64]:
    """Return the fastest type that represents whole numbers up to the largest exactly."""
    return np.float32 if largest_value < 1 << 24 else np.float64


def blocks(rows: int, width: int, size: int = BLOCK_VALUES, *, step: int = 1) -> Iterator[slice]:
    """Split rows into slices of at most `size` numbers, or of `step` rows if that is more."""
    step = max(step, size // max(1, width))
    for start in range(0, rows, step):
        yield slice(start, min(rows, start + step))


def column_pieces(shape: tuple[int, ...], columns: int) -> Iterator[slice]:
    """Split the columns that a matrix is multiplied with so that products use one thread."""
    return blocks(columns, shape[-2] * shape[-1], _MAX_ONE_THREAD_PRODUCTS, step=_MIN_SPLIT_COLUMNS)


def accumulate_rows(rows: Weights, starts: Ints | None = None) -> Weights:
    """Compute running sums of rows in place, restarting at the rows `starts`."""
    start_rows = np.zeros(1, dtype=np.int64) if starts is None else starts
    if rows.shape[1] < _MIN_ROWWISE_WIDTH:
        np.cumsum(rows, axis=0, out=rows)
        if len(start_rows) > 1:
            sums_before = np.concatenate([np.zeros_like(rows[:1]), rows[start_rows[1:] - 1]])
            rows -= np.repeat(sums_before, np.diff(start_rows, append=len(rows)), axis=0)
        return rows
    restarts = set(start_rows.tolist())
    for i in range(1, len(rows)):
        if i not in restarts:
            np.add(rows[i], rows[i - 1], out=rows[i])
    return rows


def sign_agreement(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    """Count concordant minus discordant pairs, weighted by the product of both weights."""
    if x.ndim == z.ndim == 1:
        sign_products = signs(x[:, None], x) * signs(z[:, None], z)
        sums = multiply(sign_products.astype(weights.dtype), weights)
        doubled_agreement: Weights = np.einsum("ib,ib->b", weights, sums)
        return doubled_agreement.astype(np.float64) / 2
    x, z = x.reshape(len(x), -1), z.reshape(len(z), -1)
    total = np.zeros(max(a.shape[1] for a in (x, z, weights)))
    for i in range(len(x) - 1):
        sign_products = signs(x[i], x[i + 1 :]) * signs(z[i], z[i + 1 :])
        total += weights[i] * _weighted_sum(sign_products, weights[i + 1 :])
    return total


def sum_above_both(x: Ranks, z: Ranks, weights: Weights) -> Floats:
    """Sum, for each point, the weights of the points above it in both rankings."""
    if x.ndim == z.ndim == 1:
        is_above = ((x[:, None] < x) & (z[:, None] < z)).astype(weights.dtype)
        return multiply(is_above, weights).astype(np.float64)
    x, z = x.reshape(len(x), -1), z.reshape(len(z), -1)
    return np.stack([_weighted_sum((x[i] < x) & (z[i] < z), weights) for i in range(len(x))])


def multiply(matrix: Weights, weights: Weightings) -> Weights:
    """Multiply a matrix with many columns of weights, on one thread."""
    product_type = np.result_type(matrix.dtype, weights.dtype)
    # OpenBLAS may raise the flag for unused lanes beyond the last column.
    with np.errstate(invalid="ignore"):
        if (
            matrix.shape[1] <= _MAX_ROW_LENGTH
            and matrix.size * weights.shape[1] <= _MAX_ONE_THREAD_PRODUCTS
        ):
            single_product: Weights = matrix @ np.ascontiguousarray(
                weights[:, :], dtype=product_type
            )
            return single_product
        product = np.empty((len(matrix), weights.shape[1]), dtype=product_type)
        if matrix.shape[1] > _MAX_ROW_LENGTH:
            _multiply_pieces(matrix, weights, product)
            return product
        for piece in column_pieces(matrix.shape, weights.shape[1]):
            block = np.ascontiguousarray(weights[:, piece], dtype=product_type)
            for rows in blocks(len(matrix), block.size, _MAX_ONE_THREAD_PRODUCTS):
                product[rows, piece] = matrix[rows] @ block
    return product


def _multiply_pieces(matrix: Weights, weights: Weightings, product: Weights) -> None:
    """Multiply a matrix with long rows by pieces, so that the sums of some columns stay cached."""
    height = max(1, min(len(matrix), _PIECE_ROWS))
    width = max(_PIECE_COLUMNS, _PIECE_ROWS * _PIECE_COLUMNS // height)
    depth = _MAX_ONE_THREAD_PRODUCTS // (height * width)
    slices = [slice(start, start + depth) for start in range(0, matrix.shape[1], depth)]
    for first_row in range(0, len(matrix), height):
        rows = matrix[first_row : first_row + height]
        for first_column in range(0, weights.shape[1], width):
            columns = slice(first_column, first_column + width)
            products = (
                rows[:, piece] @ weights[piece, columns].astype(product.dtype, copy=False)
                for piece in slices
            )
            product[first_row : first_row + height, columns] = reduce(iadd, products)


def sum_over_pairs(pairs: Weights, weights: Weights) -> Floats:
    """Sum the values of pairs of points times both weights: units x weightings.

    Each unit has an upper triangular matrix of pairs; the lower half is skipped.
    """
    sums = np.empty((len(pairs), weights.shape[1]))
    for piece in column_pieces(pairs.shape, weights.shape[1]):
        block = np.ascontiguousarray(weights[:, piece])
        products = np.empty((len(pairs), *block.shape), dtype=weights.dtype)
        start = 0
        while start < len(block):
            stop = start + max(1, _MAX_ONE_THREAD_PRODUCTS // block[start:].size)
            np.matmul(pairs[:, start:stop, start:], block[start:], out=products[:, start:stop])
            start = stop
        sums[:, piece] = np.einsum("uib,ib->ub", products, block)
    return sums


def _weighted_sum(indicators: npt.NDArray[Any], weights: Weights) -> Floats:
    typed_indicators = indicators.astype(weights.dtype)
    if weights.shape[1] == 1:
        return weights[:, 0] @ typed_indicators
    typed_indicators, weights = np.broadcast_arrays(typed_indicators, weights)
    return np.asarray(np.einsum("ib,ib->b", typed_indicators, weights))


#: Two numbers closer than this, relative to the largest of the data, are equal.
NOISE = 1e-12


def noise_level(*arrays: npt.ArrayLike) -> float:
    """Return the distance below which two numbers of the data count as equal.

    It is `NOISE` times the largest absolute value: far above the rounding error of a difference or
    a mean, far below any measured difference.
    """
    return NOISE * max(float(np.max(np.abs(array), initial=0.0)) for array in arrays)


def merge_rounding_ties(values: npt.ArrayLike, tolerance: float) -> Floats:
    """Make values that differ only by rounding noise equal, along the last axis.

    Sorted neighbors at most `tolerance` apart become the smallest of their group. Rounding to
    decimals could separate two nearly equal values.
    """
    array = np.asarray(values, dtype=np.float64)
    order = np.argsort(array, axis=-1, kind="stable")
    sorted_values = np.take_along_axis(array, order, axis=-1)
    is_group_start = np.diff(sorted_values, axis=-1, prepend=-np.inf) > tolerance
    group_starts = np.maximum.accumulate(
        np.where(is_group_start, np.arange(array.shape[-1]), 0), axis=-1
    )
    merged_values = np.empty_like(array)
    np.put_along_axis(
        merged_values, order, np.take_along_axis(sorted_values, group_starts, axis=-1), axis=-1
    )
    return merged_values


def snap_to_ties(x: Floats, y: Floats, *, tolerance: float | None = None) -> Floats:
    """Subtract, making zeros and ties exact where they hold up to rounding noise."""
    threshold = noise_level(x, y) if tolerance is None else tolerance
    differences = x - y
    sizes = merge_rounding_ties(np.abs(differences), threshold)
    return np.where(sizes <= threshold, 0.0, np.copysign(sizes, differences))


def midranks(values: npt.ArrayLike) -> Floats:
    """Rank the values from 1; tied values share the mean of their ranks."""
    _, groups, counts = np.unique(values, return_inverse=True, return_counts=True)
    last_positions = np.cumsum(counts)
    return (last_positions - (counts - 1) / 2)[groups]


def tie_term(values: npt.ArrayLike) -> float:
    """Sum t³ - t over the groups of tied values, where t is the size of a group."""
    counts = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float(np.sum(counts**3 - counts))


Indices = npt.NDArray[np.intp]

#: Calls a function with each argument, in order, like `map`.
Mapper = Callable[..., Iterable[Any]]

# At this width or more, a loop over rows is faster than numpy.maximum.accumulate.
_MIN_LOOP_WIDTH = 256


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs of columns of a score matrix."""

    scores: Floats
    indices: Indices
    shared: Bools
    differences: Floats
    noise: float

    @property
    def topics(self) -> Ints:
        """The number of topics each pair shares."""
        return np.asarray(np.sum(self.shared, axis=1, dtype=np.int64))

    def patterns(self) -> Iterator[tuple[Bools, Indices]]:
        """Yield each set of shared topics with the rows that share exactly these."""
        packed_rows = np.packbits(self.shared, axis=1)
        _, first_rows, groups = np.unique(
            packed_rows, axis=0, return_index=True, return_inverse=True
        )
        for number, row in enumerate(first_rows):
            yield self.shared[row], np.flatnonzero(groups.reshape(-1) == number)


def shared_topics(scores: Floats, indices: Indices) -> Ints:
    """Count the topics that each pair shares."""
    is_present = (~np.isnan(scores)).astype(np.float64)
    return np.asarray(multiply(is_present.T, is_present)[tuple(indices.T)].astype(np.int64))


def checked_pairs(
    scores: npt.ArrayLike, pairs: npt.ArrayLike | None = None
) -> tuple[Floats, Indices]:
    """Check the scores and the pairs; by default, return all pairs."""
    array = matrix(scores, "scores")
    topics, systems = array.shape
    if topics < 1 or systems < 2:
        hint = "rows are topics, columns are systems; give at least one topic and two systems"
        raise ShapeError(f"`scores` has {topics} topics and {systems} systems", hint=hint)
    if pairs is None:
        return array, all_pairs(systems)
    pair_array = np.asarray(pairs)
    if (
        pair_array.ndim != 2
        or pair_array.shape[1] != 2
        or not np.issubdtype(pair_array.dtype, np.integer)
    ):
        raise ShapeError("each row of `pairs` must be two column numbers")
    is_outside = (pair_array < 0).any(axis=1) | (pair_array >= systems).any(axis=1)
    is_invalid = is_outside | (pair_array[:, 0] == pair_array[:, 1])
    if is_invalid.any():
        hint = f"give two different columns, from 0 to {systems - 1}"
        raise InputError(f"`pairs` has {pair_array[is_invalid][0].tolist()}", hint=hint)
    return array, pair_array.astype(np.intp)


def all_pairs(n_columns: int) -> Indices:
    """List the pairs of columns in the order (0, 1), (0, 2), ..., (1, 2), ..."""
    return np.stack(np.triu_indices(n_columns, 1), axis=1)


def pair_blocks(
    scores: Floats, indices: Indices, width: int = 0, size: int = BLOCK_VALUES
) -> Iterator[tuple[slice, Pairs]]:
    """Compute the differences of one block of pairs at a time.

    A block holds at most `size` numbers, with `width` numbers per pair (by default, one per topic).
    """
    noise, by_system = noise_level(np.where(np.isnan(scores), 0.0, scores)), scores.T.copy()
    for rows in blocks(len(indices), width or len(scores), size):
        first, second = indices[rows].T
        # In place: with many pairs, copies are expensive.
        differences = by_system[first]
        differences -= by_system[second]
        has_both = ~np.isnan(differences)
        np.copyto(differences, 0.0, where=~(np.abs(differences) > noise))
        yield rows, Pairs(by_system.T, indices[rows], has_both, differences, noise)


def tie_threshold(statistic: Floats) -> Floats:
    """Return the threshold at which a resampled statistic counts as at least the observed one.

    The tolerance of 1e-9 allows for equal sums that were added in a different order.
    """
    return np.abs(statistic) * (1 - 1e-9) - 1e-9


def accumulate_maxima(rows: Floats) -> None:
    """Compute running maxima of rows in place."""
    if rows.shape[1] < _MIN_LOOP_WIDTH:
        np.maximum.accumulate(rows, axis=0, out=rows)
        return
    for previous_row, row in pairwise(rows):
        np.maximum(previous_row, row, out=row)


def quantile_index(n_resamples: int, level: float) -> int:
    """Return the index of the inverse empirical quantile among the sorted resamples."""
    return math.ceil(n_resamples * level - 1e-9) - 1


#: Resamples processed together: the sums of 65 pairs fit the processor's cache. A power of two
#: would cause cache conflicts between rows.
MAX_BATCH_RESAMPLES = 1_000

# Rows of one block, and the first and second system of each, as numbers or a range.
_Block = tuple[slice, int | Indices, slice | Indices]


class PairSums:
    """Signed sums of differences for many signs, a block of pairs at a time.

    On the topics that two systems share, a signed sum of their differences is the difference of
    their signed sums. There are far fewer systems than pairs, so this saves multiplications.
    """

    def __init__(self, scores: Floats, pairs: Indices) -> None:
        # Systems in order of appearance, and the pairs as indices of these.
        columns, first_index = np.unique(pairs, return_index=True)
        order = np.argsort(first_index)
        systems, codes = columns[order], np.argsort(order)[np.searchsorted(columns, pairs)]
        is_present = ~np.isnan(scores[:, systems])
        # Subtracting the mean of a topic preserves precision.
        zero_filled = np.where(is_present, scores[:, systems], 0.0)
        mean_scores = zero_filled.sum(axis=1) / np.maximum(is_present.sum(axis=1), 1)
        self._scores = np.where(is_present, zero_filled - mean_scores[:, None], 0.0).T.copy()
        # For each incomplete system: the topics it lacks or has, whichever are fewer, and all
        # systems' scores on them.
        self._few: list[tuple[int, bool, Indices, Floats]] = []
        for system in np.flatnonzero(~is_present.all(axis=0)).tolist():
            lists_missing = 2 * int(np.count_nonzero(is_present[:, system])) >= len(is_present)
            topics = np.flatnonzero(is_present[:, system] != lists_missing)
            self._few.append((system, lists_missing, topics, self._scores[:, topics]))
        self._complete = np.flatnonzero(is_present.all(axis=0))
        self._step = MAX_BATCH_RESAMPLES
        if self._few:
            # One sum per system on each other system's topics; `row_counts` needs multiples of 8.
            n_fitting = BATCH_SIZE // len(systems) ** 2
            self._step = min(MAX_BATCH_RESAMPLES, max(8, n_fitting - n_fitting % 8))
        # Shared by all batches, because allocating it each time is slow.
        self._held = np.empty((len(systems), len(systems), self._step if self._few else 0))
        self._blocks = list(_split_pairs(codes, self._step))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_held": self._held.shape}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"_held": np.empty(state["_held"])})

    @property
    def rounding(self) -> float:
        """A bound on the rounding error of a sum, which is the difference of two large sums."""
        largest_sum = np.abs(self._scores).sum(axis=1).max(initial=0.0)
        return float(4 * np.finfo(np.float64).eps * largest_sum)

    def batches(self, signs: Signs) -> Iterator[Floats]:
        """Split signs (resamples x topics) into batches for `blocks`."""
        for start in range(0, len(signs), self._step):
            yield signs[start : start + self._step].astype(np.float64)

    def blocks(self, signs: Floats) -> Iterator[tuple[slice, Floats]]:
        """Yield the signed sums (pairs x resamples) of one block of pairs at a time.

        The array is reused for the next block.
        """
        sums = multiply(self._scores, signs.T)
        shared_sums = self._shared_sums(sums, signs) if self._few else None
        max_rows = max((rows.stop - rows.start for rows, *_ in self._blocks), default=0)
        # Shared by all blocks, because allocating it each time is slow.
        first_buffer, second_buffer = np.empty((2, max_rows, len(signs)))
        for rows, a, b in self._blocks:
            first, second = (
                first_buffer[: rows.stop - rows.start],
                second_buffer[: rows.stop - rows.start],
            )
            if shared_sums is not None:
                first, second = shared_sums[b, a], shared_sums[a, b]
            elif isinstance(a, int) or isinstance(b, slice):
                first, second = sums[a], sums[b]
            else:
                np.take(sums, a, axis=0, out=first, mode="clip")
                np.take(sums, b, axis=0, out=second, mode="clip")
            yield rows, np.subtract(first, second, out=first_buffer[: rows.stop - rows.start])

    def _shared_sums(self, sums: Weights, signs: Floats) -> Floats:
        """Sum each system's scores (second axis) on the topics of another one (first axis)."""
        shared_sums = self._held[..., : sums.shape[1]]
        shared_sums[self._complete] = sums
        for system, lists_missing, topics, scores in self._few:
            listed_sums = multiply(scores, signs[:, topics].T)
            if lists_missing:
                np.subtract(sums, listed_sums, out=shared_sums[system])
            else:
                shared_sums[system] = listed_sums
        return shared_sums


def _split_pairs(pairs: Indices, width: int) -> Iterator[_Block]:
    """Split pairs into blocks; consecutive opponents become slices, which avoids copies."""
    first, second = pairs.T
    continues_run = (np.diff(first) == 0) & (np.diff(second) == 1)
    starts = [0, *(np.flatnonzero(~continues_run) + 1).tolist(), len(pairs)]
    if len(pairs) < 4 * len(starts):
        for rows in blocks(len(pairs), width):
            yield rows, first[rows], second[rows]
        return
    for start, stop in pairwise(starts):
        for part in blocks(stop - start, width):
            first_opponent = int(second[start]) + part.start
            opponents = slice(first_opponent, first_opponent + part.stop - part.start)
            yield slice(start + part.start, start + part.stop), int(first[start]), opponents


def row_counts(is_hit: Bools) -> Ints:
    """Count the true values of each row, for up to 2,040 columns."""
    if is_hit.shape[1] % 8:
        return np.asarray(np.count_nonzero(is_hit, axis=1))
    # Eight bytes are added as one integer; none of them overflows into the next.
    sums = np.add.reduce(is_hit.view(np.uint64), axis=1)
    return np.asarray(sums.view(np.uint8).reshape(-1, 8).sum(axis=1, dtype=np.int64))
