"""All subsets of the features, and linear fits of each."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from pyramidion._types import Bools, Floats, Ints
from pyramidion.classy._fits import FitMethod, feature_signs, fit_linear
from pyramidion.classy._table import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats.pairs import multiply
from pyramidion.stats.regression import RobustScale

# Groups of columns, and all their subsets as bit masks and as columns.

#: Limits of an exhaustive search.
MAX_GROUPS, MAX_COLUMNS = 16, 48

#: Subsets as bit masks: bit g is set if group g is included.
Masks = Ints
#: Columns by group.
Groups = Sequence[Sequence[int]]
Members = Bools


@dataclass(frozen=True, slots=True)
class Block:
    """Subsets that have some groups in common and differ in a few others."""

    masks: Masks
    always: tuple[int, ...]
    sometimes: tuple[tuple[int, ...], ...]

    @property
    def columns(self) -> list[int]:
        """All columns of any of the subsets, in order."""
        return sorted({*self.always, *(column for group in self.sometimes for column in group)})


@dataclass(frozen=True, slots=True)
class Subsets:
    """All non-empty subsets of some groups of columns."""

    groups: tuple[tuple[int, ...], ...]
    width: int

    @classmethod
    def of(cls, width: int, groups: Groups | None) -> "Subsets":
        """Check groups of columns; by default each column is a group."""
        if groups is None:
            groups = [[column] for column in range(width)]
        for number, group in enumerate(groups):
            if not len(group):
                raise InputError(f"group {number} has no columns", hint="remove it")
        named_columns = [int(column) for group in groups for column in group]
        for column in sorted({*range(width), *named_columns}):
            if not 0 <= column < width:
                hint = f"there are columns 0 to {width - 1}"
                raise InputError(f"a group names column {column}", hint=hint)
            if named_columns.count(column) != 1:
                message = f"column {column} is in {named_columns.count(column)} groups"
                raise InputError(message, hint="put each column in one group")
        if len(groups) > MAX_GROUPS or width > MAX_COLUMNS:
            message = (
                f"{len(groups)} groups of {width} columns have {2 ** len(groups) - 1:,} subsets"
            )
            hint = f"use at most {MAX_GROUPS} groups and {MAX_COLUMNS} columns"
            raise InputError(message, hint=hint)
        return cls(tuple(tuple(int(column) for column in group) for group in groups), width)

    @property
    def masks(self) -> Masks:
        """All subsets, as bit masks."""
        return np.arange(1, 1 << len(self.groups), dtype=np.int64)

    def sizes(self, masks: Masks) -> Ints:
        """Count the groups of each subset."""
        sizes: Ints = self._bits(masks).sum(axis=1, dtype=np.int64)
        return sizes

    def members(self, masks: Masks) -> Members:
        """Return a row per subset that marks its columns."""
        group_of = np.empty(self.width, dtype=np.intp)
        for number, group in enumerate(self.groups):
            group_of[list(group)] = number
        return self._bits(masks)[:, group_of]

    def _bits(self, masks: Masks) -> Members:
        bits: Members = (masks[:, None] >> np.arange(len(self.groups))) & 1 == 1
        return bits

    def blocks(self, n_differing: int) -> Iterator[Block]:
        """Split all subsets, and the empty one, into blocks that differ in this many groups.

        These are the narrowest groups, so that a block has few columns altogether.
        """
        order = sorted(range(len(self.groups)), key=lambda group: len(self.groups[group]))
        narrow_groups, wide_groups = order[:n_differing], order[n_differing:]
        low = _all_masks(narrow_groups)
        for number, high in enumerate(_all_masks(wide_groups).tolist()):
            chosen_groups = [group for bit, group in enumerate(wide_groups) if number >> bit & 1]
            fixed_columns = tuple(
                column for group in chosen_groups for column in self.groups[group]
            )
            yield Block(
                low + high, fixed_columns, tuple(self.groups[group] for group in narrow_groups)
            )


def _all_masks(groups: Sequence[int]) -> Masks:
    masks = np.zeros(1, dtype=np.int64)
    for group in groups:
        masks = np.concatenate([masks, masks + (1 << group)])
    return masks


# Many small linear systems solved at once, and how well each is conditioned.


def eliminate(matrices: Floats, right_side: Floats) -> tuple[Floats, Floats]:
    """Solve symmetric, positive definite systems by Gaussian elimination.

    Each operation works on all systems, along the last axis. This is as fast as a loop over
    LAPACK calls, never fails, and returns the smallest pivots.
    """
    size = len(matrices)
    pivots = np.full(matrices.shape[2], np.inf)
    for step in range(size):
        pivot = matrices[step, step]
        np.minimum(pivots, pivot, out=pivots)
        pivot[~(pivot > 0)] = 1.0
        row, lower_rows = matrices[step, step + 1 :], slice(step + 1, size)
        factors = row / pivot
        matrices[lower_rows, lower_rows] -= factors[:, None] * row
        right_side[lower_rows] -= factors * right_side[step]
    for step in range(size - 1, -1, -1):
        later_rows = slice(step + 1, size)
        right_side[step] -= np.einsum(
            "ks,ks->s", matrices[step, later_rows], right_side[later_rows]
        )
        right_side[step] /= matrices[step, step]
    return right_side, pivots


# Least squares on every subset of the columns at once, by the sweep operator.

# Smaller pivots are rounding noise.
_MIN_EXACT_PIVOT = 1e-13


def sweep(tables: Floats, columns: Iterable[int]) -> Floats:
    """Sweep tables of sums of products on some columns.

    Swept on a set of columns S, a table has the negative inverse of S x S in S x S, the
    least-squares coefficients on S in S x rest, and the products of the residuals in rest x rest.
    If a column depends linearly on those before it, all values become NaN.
    See A. P. Dempster. Elements of Continuous Multivariate Analysis, 1969, 4.3.2.
    """
    for column in columns:
        pivot = tables[..., column, column]
        pivot = np.where(pivot > _MIN_EXACT_PIVOT, pivot, np.nan)[..., None]
        row = tables[..., column, :]
        share = row / pivot
        tables = tables - share[..., :, None] * row[..., None, :]
        tables[..., column, :] = tables[..., :, column] = share
        tables[..., column, column] = -1 / pivot[..., 0]
    return tables


def sweep_subsets(table: Floats, groups: Groups) -> Floats:
    """Sweep a table on every subset of the groups; the bits of the index are the groups."""
    tables = table[None]
    for group in groups:
        tables = np.concatenate([tables, sweep(tables, group)])
    return tables


def inflation(tables: Floats) -> Floats:
    """Return the largest variance inflation factor of the columns that were swept.

    It is the largest value on the diagonal of the inverse: 1 for uncorrelated columns, very large
    or NaN for linearly dependent ones.
    """
    diagonal = -np.diagonal(tables, axis1=-2, axis2=-1)
    largest_inflation: Floats = np.maximum(diagonal.max(axis=-1), 1.0)
    return largest_inflation


# Training data scaled so that sums of products lose few digits.


@dataclass(frozen=True, slots=True, eq=False)
class ScaledData:
    """Features and targets, centered and scaled to length 1."""

    features: Floats
    targets: Floats
    feature_means: Floats
    feature_lengths: Floats
    target_means: Floats
    target_lengths: Floats

    @classmethod
    def of(cls, data: TrainingData) -> "ScaledData":
        """Center and scale training data."""
        means, target_means = data.features.mean(axis=0), data.targets.mean(axis=0)
        features, lengths = scaled_columns(data.features - means)
        targets, target_lengths = scaled_columns(data.targets - target_means)
        return cls(features, targets, means, lengths, target_means, target_lengths)

    def products(self) -> Floats:
        """Return the correlations of all features and targets, as sums of products."""
        rows = np.concatenate([self.features, self.targets])
        products: Floats = rows @ rows.T
        return products


def scaled_columns(columns: Floats) -> tuple[Floats, Floats]:
    """Return columns as rows scaled to length 1, and their original lengths."""
    lengths = np.linalg.norm(columns, axis=0)
    return np.ascontiguousarray((columns / lengths).T), lengths


def swept_block(products: Floats, block: Block) -> Floats:
    """Sweep sums of products on each subset of a block."""
    return sweep_subsets(sweep(products, block.always), block.sometimes)


# Which subsets can be fitted by sums of products, and single fits for the others.

# Above this variance inflation, sums of products leave too few digits.
_MAX_INFLATION = 1e5
# Subsets swept together differ in this many groups.
_VARIED_GROUPS = 12


def judge_subsets(data: TrainingData, subsets: Subsets) -> tuple[Bools, Masks]:
    """Return which subsets can be fitted from sums of products, and which need an exact fit.

    Subsets with linearly dependent columns are neither.
    """
    products = ScaledData.of(data).products()[: subsets.width, : subsets.width]
    is_sound = np.zeros(1 << len(subsets.groups), dtype=np.bool_)
    for block in subsets.blocks(_VARIED_GROUPS):
        is_sound[block.masks] = inflation(swept_block(products, block)) < _MAX_INFLATION
    is_sound[0] = False
    unsound_masks = subsets.masks[~is_sound[1:]]
    dependent_masks: list[int] = []
    doubtful_masks: list[int] = []
    for mask in unsound_masks[np.argsort(subsets.sizes(unsound_masks), kind="stable")].tolist():
        if not any(mask & dependent_mask == dependent_mask for dependent_mask in dependent_masks):
            columns = data.features[:, subsets.members(np.array([mask]))[0]]
            (doubtful_masks if has_full_rank(columns) else dependent_masks).append(mask)
    return is_sound, np.array(doubtful_masks, dtype=np.int64)


def has_full_rank(columns: Floats) -> bool:
    """Return whether columns and a constant are independent, as `robust_regression` checks it."""
    design = np.column_stack([np.ones(len(columns)), columns])
    sizes = np.abs(np.diag(linalg.qr(design, mode="r", pivoting=True)[0]))
    return bool(sizes.min() > sizes.max() * max(design.shape) * np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False)
class Fits:
    """Fits of subsets to some targets, one row per subset; NaN where there is no fit.

    Predictions rise with a target if its direction is 1, and fall if it is -1.
    """

    targets: Ints
    masks: Masks
    coefficients: Floats
    intercepts: Floats
    iterations: Ints | int = 0
    directions: Floats | float = 1.0


def refit_exactly(
    method: FitMethod,
    data: TrainingData,
    subsets: Subsets,
    masks: Masks,
    target: int = 0,
    scale: RobustScale = "matlab",
) -> Fits:
    """Fit subsets to a target one by one with `fit_linear`."""
    coefficients = np.full((len(masks), subsets.width), np.nan)
    intercepts, iterations = np.full(len(masks), np.nan), np.zeros(len(masks), dtype=np.int64)
    for row, columns_included in enumerate(subsets.members(masks)):
        with suppress(InputError):
            columns = data.features[:, columns_included]
            fit = fit_linear(method, columns, data.targets, target=target, scale=scale)
            coefficients[row] = 0.0
            coefficients[row, columns_included] = fit.coefficients
            intercepts[row], iterations[row] = fit.intercept, fit.iterations
    return Fits(np.array([target]), masks, coefficients, intercepts, iterations)


# Non-negative least squares of every subset and target.

# For columns and targets of length 1: smaller values count as 0.
_NOISE = 1e-12
# A pivot below this leaves too few digits.
_MIN_PIVOT = 1e-7
# How often all infeasible columns may be exchanged without progress, and exchanges altogether.
_MAX_FULL_CHANGES, _MAX_CHANGES = 3, 500
# Number of fits per batch.
_BATCH = 4096


def fit_nonnegative(data: TrainingData, subsets: Subsets) -> Floats:
    """Fit every subset to every target, as `fit_linear` does with method ``nonneg``.

    Only sums of products are needed. If the best fit of a subset does not use a group, it is also
    the best fit of the subset without that group; so, from the full set down, many subsets need
    no work. For the others, columns move between fixed at 0 and free until none is infeasible, all
    infeasible ones at once as long as that helps (block principal pivoting: L. F. Portugal,
    J. J. Judice, L. N. Vicente. Mathematics of Computation 63(208), 1994). Where columns are nearly
    dependent, `fit_linear` is used.
    """
    search = _NonNegativeSearch(data, subsets)
    search.run()
    # Adding 0 turns -0.0 into 0.0.
    return search.coefficients * search.units + 0.0


class _NonNegativeSearch:
    """The search from all groups down, with columns scaled to length 1 and signs flipped."""

    def __init__(self, data: TrainingData, subsets: Subsets) -> None:
        columns, lengths = scaled_columns(data.features)
        targets, target_lengths = scaled_columns(data.targets)
        self._data, self._subsets = data, subsets
        self._signs = np.array([feature_signs(data.features, aim) for aim in data.targets.T])
        self._products = columns @ columns.T
        self._slopes = self._signs * (targets @ columns.T)
        self.units = (self._signs * target_lengths[:, None] / lengths)[:, None]
        self.coefficients = np.zeros((len(targets), 1 << len(subsets.groups), subsets.width))

    def run(self) -> None:
        """Fill in the coefficients."""
        solved_masks = np.array([(1 << len(self._subsets.groups)) - 1])
        targets = np.arange(len(self._signs))
        all_columns = np.ones((len(targets), self._subsets.width), dtype=np.bool_)
        self._solve(targets, np.repeat(solved_masks, len(targets)), all_columns)
        for number, group in enumerate(self._subsets.groups):
            smaller_masks = solved_masks - (1 << number)
            solutions = self.coefficients[:, solved_masks]
            self.coefficients[:, smaller_masks] = solutions
            target_indices, subset = np.nonzero((solutions[:, :, group] != 0).any(axis=2))
            self._solve(
                target_indices, smaller_masks[subset], solutions[target_indices, subset] > 0
            )
            solved_masks = np.concatenate([solved_masks, smaller_masks])

    def _solve(self, targets: Ints, masks: Ints, is_free: Members) -> None:
        """Solve some subsets, starting with some of their columns free."""
        for start in range(0, len(masks), _BATCH):
            batch = slice(start, start + _BATCH)
            target_indices, subset = targets[batch], masks[batch]
            members = self._subsets.members(subset)
            solutions = self._changing_sides(target_indices, members, is_free[batch] & members)
            for row in np.flatnonzero(np.isnan(solutions[:, 0])):
                target, mask = int(target_indices[row]), subset[row : row + 1]
                care = refit_exactly("nonneg", self._data, self._subsets, mask, target)
                solutions[row] = np.maximum(care.coefficients[0] / self.units[target, 0], 0.0)
            self.coefficients[target_indices, subset] = solutions

    def _changing_sides(self, targets: Ints, members: Members, is_free: Members) -> Floats:
        """Exchange fixed and free columns until all are feasible; NaN where that is unknown."""
        solutions = np.full(members.shape, np.nan)
        row = np.arange(len(members))
        fewest_infeasible = np.full(len(members), members.shape[1] + 1)
        chances = np.zeros(len(members), dtype=np.int64)
        for _ in range(_MAX_CHANGES):
            values, gradient, is_solvable = self._least_squares(targets, is_free)
            is_wrong = np.where(is_free, values < -_NOISE, members & (gradient > _NOISE))
            count = is_wrong.sum(axis=1)
            is_finished = is_solvable & (count == 0)
            solutions[row[is_finished]] = np.maximum(values[is_finished], 0.0)
            is_unfinished = is_solvable & ~is_finished
            if not is_unfinished.any():
                break
            chances = np.where(count < fewest_infeasible, _MAX_FULL_CHANGES, chances - 1)
            fewest_infeasible = np.minimum(fewest_infeasible, count)
            # Without chances left, exchange only the last infeasible column.
            last_rows = is_wrong.shape[1] - 1 - np.argmax(is_wrong[:, ::-1], axis=1)
            last_wrong = is_wrong & (np.arange(is_wrong.shape[1]) == last_rows[:, None])
            is_free = is_free ^ np.where((chances > 0)[:, None], is_wrong, last_wrong)
            row, targets, members, is_free = (
                row[is_unfinished],
                targets[is_unfinished],
                members[is_unfinished],
                is_free[is_unfinished],
            )
            fewest_infeasible, chances = fewest_infeasible[is_unfinished], chances[is_unfinished]
        return solutions

    def _least_squares(self, targets: Ints, is_free: Members) -> tuple[Floats, Floats, Members]:
        """Fit the free columns; return coefficients, gradients, and whether both are reliable."""
        # The fit depends on the free columns only, and few sets of them are distinct.
        keys = targets << is_free.shape[1] | is_free @ (1 << np.arange(is_free.shape[1]))
        _, first_rows, inverse = np.unique(keys, return_index=True, return_inverse=True)
        slopes, signs = self._slopes[targets[first_rows]], self._signs[targets[first_rows]]
        values, pivots = _fit_free_columns(self._products, slopes, signs, is_free[first_rows])
        gradient = slopes - signs * multiply(self._products, (signs * values).T).T
        return values[inverse], gradient[inverse], (pivots > _MIN_PIVOT)[inverse]


def _fit_free_columns(
    products: Floats, slopes: Floats, signs: Floats, free_members: Members
) -> tuple[Floats, Floats]:
    """Return the coefficients (0 for columns that are not free) and the smallest pivots."""
    max_free = int(free_members.sum(axis=1).max(initial=0))
    rows, front = (
        np.arange(len(free_members))[:, None],
        np.argsort(~free_members, axis=1, kind="stable")[:, :max_free],
    )
    is_free = free_members[rows, front]
    factors, columns = (signs[rows, front] * is_free).T, front.T
    matrices = products[columns[:, None], columns] * factors * factors[:, None]
    diagonal = np.arange(max_free)
    matrices[diagonal, diagonal] += ~is_free.T
    solutions, pivots = eliminate(matrices, (slopes[rows, front] * is_free).T)
    values = np.zeros(slopes.shape)
    values[rows, front] = solutions.T
    return values, pivots


# Canonical correlation of every subset with all targets.


def fit_canonical(
    data: TrainingData, subsets: Subsets, is_solvable: Bools, doubtful_masks: Masks
) -> Iterator[Fits]:
    """Fit subsets to all targets together, as `fit_linear` does with method ``canon``.

    Swept on a subset, the sums of products hold the least-squares coefficients B and the residual
    products of the targets, E. With the targets' products T, the best weights a of the targets are
    the first eigenvector of T - E with respect to T, and those of the features are Ba.
    """
    scaled_data = ScaledData.of(data)
    products, width = scaled_data.products(), len(scaled_data.features)
    target_products = products[width:, width:]
    whiten = np.linalg.inv(np.linalg.cholesky(target_products))
    for block in subsets.blocks(_VARIED_GROUPS):
        is_sound = is_solvable[block.masks]
        tables = swept_block(products, block)[is_sound]
        remaining_block = tables[:, width:, width:]
        # The largest eigenvalue of T - E belongs to the smallest of E.
        vectors = np.linalg.eigh(whiten @ remaining_block @ whiten.T)[1][:, :, 0]
        weights = vectors @ whiten
        members = subsets.members(block.masks[is_sound])
        coefficients = np.einsum("sct,st->sc", tables[:, :width, width:], weights) * members
        correlation_gains = np.einsum("stu,su->st", target_products - remaining_block, weights)
        yield _canonical_fits(
            block.masks[is_sound], coefficients / scaled_data.feature_lengths, correlation_gains
        )
    if len(doubtful_masks):
        coefficients = refit_exactly("canon", data, subsets, doubtful_masks).coefficients
        centered_targets = data.targets - data.targets.mean(axis=0)
        yield _canonical_fits(
            doubtful_masks, coefficients, coefficients @ data.features.T @ centered_targets
        )


def _canonical_fits(masks: Masks, coefficients: Floats, correlation_gains: Floats) -> Fits:
    directions = np.where(correlation_gains < 0, -1.0, 1.0)
    targets = np.arange(correlation_gains.shape[1])
    return Fits(targets, masks, coefficients, np.zeros(len(masks)), directions=directions)


# Matrix products of long rows, split so that they stay on one thread.
#
# OpenBLAS starts its threads for products above 4 * 65,536 multiplications. When other programs
# use the processor, their busy waiting takes several times the CPU time of the work itself.

_ONE_THREAD = 1 << 18


class LongRows:
    """Rows of numbers that are multiplied by many others of the same length."""

    def __init__(self, rows: Floats, *, columns: int) -> None:
        count, length = rows.shape
        self._step = min(length, max(1, _ONE_THREAD // (count * columns)))
        self._cut = length - length % self._step
        pieces = rows[:, : self._cut].reshape(count, -1, self._step)
        # Each kind of product is fastest in a different memory order.
        self._pieces = np.ascontiguousarray(pieces.transpose(1, 0, 2))
        self._upright = np.ascontiguousarray(pieces.transpose(1, 2, 0))
        self._rest = rows[:, self._cut :]

    def dot(self, columns: Floats) -> Floats:
        """Return the dot products of each row with each column: rows x columns."""
        products = np.matmul(self._cut_up(columns), self._upright).sum(axis=0).T
        return np.ascontiguousarray(products) + self._rest @ columns[:, self._cut :].T

    def combine(self, factors: Floats, out: Floats) -> Floats:
        """Return the linear combination of the rows for each row of factors."""
        np.matmul(factors, self._pieces, out=self._cut_up(out))
        np.matmul(factors, self._rest, out=out[:, self._cut :])
        return out

    def _cut_up(self, columns: Floats) -> Floats:
        pieces = columns[:, : self._cut].reshape(len(columns), len(self._pieces), self._step)
        return pieces.transpose(1, 0, 2)


def middle_values(rows: Floats, n_dropped: Ints | int = 0) -> Floats:
    """Return the two middle values of each row without its smallest ones."""
    sorted_rows, n_dropped = np.sort(rows, axis=1), np.broadcast_to(n_dropped, len(rows))
    n_left = rows.shape[1] - n_dropped
    middle_indices = np.stack([n_dropped + (n_left - 1) // 2, n_dropped + n_left // 2])
    return np.asarray(sorted_rows[np.arange(len(rows)), middle_indices])


# Iteratively reweighted least squares of many subsets of a few columns at once.

# As in pyramidion.stats.regression, whose results are reproduced.
MAX_REFITS = 50
_TUNING_CONSTANT, _NORMAL_MAD, _MAX_LEVERAGE, _MIN_SCALE = 4.685, 0.6745, 0.9999, 1e-6
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
# A pivot below this share of a column's sum of squares leaves too few digits.
_MIN_ROBUST_PIVOT = 1e-8


class _Reweighting:
    """Fits of subsets of a few columns to every target: all targets of a subset, then the next.

    Each row belongs to a fit that has not converged yet.
    """

    def __init__(
        self,
        scaled_data: ScaledData,
        columns: Ints,
        members: Bools,
        tables: Floats,
        scale: RobustScale,
        buffers: Floats,
    ) -> None:
        targets, observations = scaled_data.targets.shape
        constant = observations**-0.5
        rows = np.vstack([scaled_data.features[columns], np.full(observations, constant)])
        is_included = _with_constant(members[:, columns].astype(np.float64), 1.0)
        first, second = np.triu_indices(len(rows))
        self._pair_of = np.empty((len(rows), len(rows)), dtype=np.intp)
        self._pair_of[first, second] = self._pair_of[second, first] = np.arange(len(first))
        fits = len(is_included) * targets
        self._columns = LongRows(rows, columns=fits)
        self._rows = LongRows(np.concatenate([rows, scaled_data.targets]), columns=fits)
        self._pairs = LongRows(rows[first] * rows[second], columns=fits)
        shift = -(scaled_data.feature_means / scaled_data.feature_lengths)[columns]
        self._shift = np.append(shift, constant)
        # Buffers for residuals and their squares, reused by all blocks.
        self._residuals, self._squares = buffers

        self._row = np.arange(fits)
        self._members = np.repeat(is_included, targets, axis=0)
        least_squares = tables[:, -targets:][:, :, columns].reshape(-1, len(columns))
        self._fits = _with_constant(least_squares, 0.0) * self._members
        self._outcome = np.tile(np.eye(targets), (len(is_included), 1))
        self._level = np.tile(
            scaled_data.target_means / scaled_data.target_lengths, len(is_included)
        )
        inverses = np.zeros((*is_included.shape, len(rows)))
        inverses[:, :-1, :-1] = -tables[:, columns[:, None], columns]
        inverses[:, -1, -1] = 1.0
        inverses *= is_included[:, :, None] * is_included[:, None, :]
        leverages = self._pairs.combine(
            inverses[:, first, second] * np.where(first == second, 1.0, 2.0),
            np.empty((len(is_included), observations)),
        )
        leverage_factors = 1 / (1 - np.minimum(leverages, _MAX_LEVERAGE))
        self._loosened = np.repeat(leverage_factors, targets, axis=0)

        self._least_scale = _MIN_SCALE / np.sqrt(observations - 1)
        self._about_median = scale == "text"
        self._dropped = self._members.sum(axis=1).astype(np.int64) - (not self._about_median)

    def run(self) -> tuple[Floats, Ints, Bools]:
        """Iterate until all fits converge; return them, iterations, and which are doubtful."""
        fits = self._fits.copy()
        iterations = np.zeros(len(fits), dtype=np.int64)
        is_doubtful = np.zeros(len(fits), dtype=np.bool_)
        while len(self._row):
            has_converged, pivots = self._refit()
            iterations[self._row] += 1
            is_failed = pivots < _MIN_ROBUST_PIVOT
            is_finished = has_converged | is_failed | (iterations[self._row] == MAX_REFITS)
            fits[self._row[is_finished]] = self._fits[is_finished]
            is_doubtful[self._row[is_failed]] = True
            self._drop(is_finished)
        return fits, iterations, is_doubtful

    def _refit(self) -> tuple[Bools, Floats]:
        """Iterate once; return which fits have converged, and their smallest pivots."""
        factors = np.concatenate([-self._fits, self._outcome], axis=1)
        residuals = self._rows.combine(factors, self._residuals[: len(self._row)])
        weights, units = self._weights(residuals)
        members = self._members.T
        matrices = self._pairs.dot(weights)[self._pair_of]
        matrices *= members * (members * units)[:, None]
        diagonal = np.arange(len(members))
        matrices[diagonal, diagonal] += 1 - members
        # Updating the coefficients from the residuals gives more correct digits than recomputing
        # them from the targets.
        residuals *= weights
        slopes = self._columns.dot(residuals) * members * units
        change, pivots = eliminate(matrices, slopes)
        previous_fits, self._fits = self._fits, self._fits + change.T
        return _has_converged(self._unshifted(self._fits), self._unshifted(previous_fits)), pivots

    def _weights(self, residuals: Floats) -> tuple[Floats, Floats]:
        """Return unscaled bisquare weights, and the factor for each fit."""
        squares = self._squares[: len(self._row)]
        if self._about_median:
            center = middle_values(residuals).mean(axis=0)
            np.square(residuals - center[:, None], out=squares)
            median_squares = middle_values(squares, self._dropped)
        np.square(residuals, out=squares)
        squares *= self._loosened
        if not self._about_median:
            median_squares = middle_values(squares, self._dropped)
        spread = np.sqrt(median_squares).mean(axis=0)
        cutoffs = np.square(_TUNING_CONSTANT * np.maximum(spread / _NORMAL_MAD, self._least_scale))
        # Left unscaled, the weights need one pass less.
        np.minimum(squares, cutoffs[:, None], out=squares)
        squares -= cutoffs[:, None]
        return np.square(squares, out=squares), 1 / np.square(cutoffs)

    def _unshifted(self, fits: Floats) -> Floats:
        """Replace the constant by the one for the original data."""
        return np.column_stack([fits[:, :-1], fits @ self._shift + self._level])

    def _drop(self, is_finished: Bools) -> None:
        """Drop the fits that are done."""
        if not is_finished.any():
            return
        is_unfinished = ~is_finished
        self._row, self._fits = self._row[is_unfinished], self._fits[is_unfinished]
        self._members, self._outcome = self._members[is_unfinished], self._outcome[is_unfinished]
        self._level, self._loosened = self._level[is_unfinished], self._loosened[is_unfinished]
        self._dropped = self._dropped[is_unfinished]


def _has_converged(fits: Floats, previous_fits: Floats) -> Bools:
    magnitudes = np.maximum(np.abs(fits), np.abs(previous_fits))
    is_close = np.abs(fits - previous_fits) <= _TOLERANCE * magnitudes
    has_converged: Bools = np.logical_and.reduce(is_close, axis=1)
    return has_converged


# Robust regression of every subset and target, a block of them at a time.

# Largest number of fits per batch.
_ROBUST_BATCH = 96
# For columns and targets of length 1, smaller coefficients are rounding noise: if most values of a
# target are equal, the others are ignored and nothing depends on the features.
_ROBUST_NOISE = 1e-13


def fit_robust(
    data: TrainingData,
    subsets: Subsets,
    is_solvable: Bools,
    doubtful_masks: Masks,
    scale: RobustScale,
) -> Iterator[Fits]:
    """Fit subsets to every target, as `fit_linear` does with method ``robust``.

    All residuals of a block of subsets are one matrix product; all weighted sums of products are
    another, of the weights and the products of pairs of columns. Where columns are nearly
    dependent, from the start or once weights have dropped to 0, `fit_linear` is used.
    """
    scaled_data = ScaledData.of(data)
    products = scaled_data.products()
    targets, observations = scaled_data.targets.shape
    # Enough groups for fast matrix products, but few enough that a block fits in the cache and
    # few columns are multiplied for subsets without them.
    n_differing = max(1, int(np.log2(_ROBUST_BATCH / targets)))
    buffers = np.empty((2, targets << min(n_differing, len(subsets.groups)), observations))
    for block in subsets.blocks(n_differing):
        is_sound = is_solvable[block.masks]
        if is_sound.any():
            masks, tables = block.masks[is_sound], swept_block(products, block)[is_sound]
            columns, members = np.array(block.columns), subsets.members(masks)
            search = _Reweighting(scaled_data, columns, members, tables, scale, buffers)
            fits, refits, doubt = search.run()
            for target in range(targets):
                target_rows, is_failed = slice(target, None, targets), doubt[target::targets]
                coefficients, intercepts = _in_original_units(
                    scaled_data, columns, target, fits[target_rows]
                )
                care = refit_exactly("robust", data, subsets, masks[is_failed], target, scale)
                coefficients[is_failed], intercepts[is_failed] = care.coefficients, care.intercepts
                refits[target_rows][is_failed] = care.iterations
                yield Fits(np.array([target]), masks, coefficients, intercepts, refits[target_rows])
    if len(doubtful_masks):
        for target in range(targets):
            yield refit_exactly("robust", data, subsets, doubtful_masks, target, scale)


def _with_constant(rows: Floats, value: float) -> Floats:
    return np.column_stack([rows, np.full(len(rows), value)])


def _in_original_units(
    scaled_data: ScaledData, columns: Ints, target: int, fits: Floats
) -> tuple[Floats, Floats]:
    """Return the coefficients of all features, and the constants."""
    length, observations = scaled_data.target_lengths[target], scaled_data.targets.shape[1]
    coefficients = np.zeros((len(fits), len(scaled_data.features)))
    is_used = np.abs(fits[:, :-1]) > _ROBUST_NOISE
    coefficients[:, columns] = is_used * fits[:, :-1] * length
    coefficients /= scaled_data.feature_lengths
    constants = fits[:, -1] * length / np.sqrt(observations)
    means = scaled_data.target_means[target] - coefficients @ scaled_data.feature_means
    return coefficients, constants + means
