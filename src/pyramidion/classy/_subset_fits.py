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
ColumnMasks = Bools


@dataclass(frozen=True, slots=True)
class Block:
    """Subsets that have some groups in common and differ in a few others."""

    masks: Masks
    shared_columns: tuple[int, ...]
    varied_groups: tuple[tuple[int, ...], ...]

    @property
    def columns(self) -> list[int]:
        """All columns of any of the subsets, in order."""
        return sorted(
            {*self.shared_columns, *(column for group in self.varied_groups for column in group)}
        )


@dataclass(frozen=True, slots=True)
class Subsets:
    """All non-empty subsets of some groups of columns."""

    groups: tuple[tuple[int, ...], ...]
    width: int

    @classmethod
    def of(cls, n_columns: int, groups: Groups | None) -> "Subsets":
        """Check groups of columns; by default each column is a group."""
        if groups is None:
            groups = [[column] for column in range(n_columns)]
        for number, group in enumerate(groups):
            if not len(group):
                raise InputError(f"group {number} has no columns", hint="remove it")
        named_columns = [int(column) for group in groups for column in group]
        for column in sorted({*range(n_columns), *named_columns}):
            if not 0 <= column < n_columns:
                hint = f"there are columns 0 to {n_columns - 1}"
                raise InputError(f"a group names column {column}", hint=hint)
            if named_columns.count(column) != 1:
                message = f"column {column} is in {named_columns.count(column)} groups"
                raise InputError(message, hint="put each column in one group")
        if len(groups) > MAX_GROUPS or n_columns > MAX_COLUMNS:
            message = (
                f"{len(groups)} groups of {n_columns} columns have {2 ** len(groups) - 1:,} subsets"
            )
            hint = f"use at most {MAX_GROUPS} groups and {MAX_COLUMNS} columns"
            raise InputError(message, hint=hint)
        return cls(tuple(tuple(int(column) for column in group) for group in groups), n_columns)

    @property
    def masks(self) -> Masks:
        """All subsets, as bit masks."""
        return np.arange(1, 1 << len(self.groups), dtype=np.int64)

    def sizes(self, masks: Masks) -> Ints:
        """Count the groups of each subset."""
        sizes: Ints = self._bits(masks).sum(axis=1, dtype=np.int64)
        return sizes

    def members(self, masks: Masks) -> ColumnMasks:
        """Return a row per subset that marks its columns."""
        group_of_column = np.empty(self.width, dtype=np.intp)
        for number, group in enumerate(self.groups):
            group_of_column[list(group)] = number
        return self._bits(masks)[:, group_of_column]

    def _bits(self, masks: Masks) -> ColumnMasks:
        bits: ColumnMasks = (masks[:, None] >> np.arange(len(self.groups))) & 1 == 1
        return bits

    def blocks(self, n_differing: int) -> Iterator[Block]:
        """Split all subsets, and the empty one, into blocks that differ in this many groups.

        These are the narrowest groups, so that a block has few columns altogether.
        """
        order = sorted(range(len(self.groups)), key=lambda group: len(self.groups[group]))
        narrow_groups, wide_groups = order[:n_differing], order[n_differing:]
        narrow_masks = _all_masks(narrow_groups)
        for wide_index, wide_mask in enumerate(_all_masks(wide_groups).tolist()):
            chosen_groups = [
                group for bit, group in enumerate(wide_groups) if wide_index >> bit & 1
            ]
            fixed_columns = tuple(
                column for group in chosen_groups for column in self.groups[group]
            )
            yield Block(
                narrow_masks + wide_mask,
                fixed_columns,
                tuple(self.groups[group] for group in narrow_groups),
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
    n_equations = len(matrices)
    pivots = np.full(matrices.shape[2], np.inf)
    for step in range(n_equations):
        pivot = matrices[step, step]
        np.minimum(pivots, pivot, out=pivots)
        pivot[~(pivot > 0)] = 1.0
        row, lower_rows = matrices[step, step + 1 :], slice(step + 1, n_equations)
        factors = row / pivot
        matrices[lower_rows, lower_rows] -= factors[:, None] * row
        right_side[lower_rows] -= factors * right_side[step]
    for step in range(n_equations - 1, -1, -1):
        later_rows = slice(step + 1, n_equations)
        right_side[step] -= np.einsum(
            "ks,ks->s", matrices[step, later_rows], right_side[later_rows]
        )
        right_side[step] /= matrices[step, step]
    return right_side, pivots


# Least squares on every subset of the columns at once, by the sweep operator.

# Smaller pivots are rounding errors.
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
        shares = row / pivot
        tables = tables - shares[..., :, None] * row[..., None, :]
        tables[..., column, :] = tables[..., :, column] = shares
        tables[..., column, column] = -1 / pivot[..., 0]
    return tables


def sweep_subsets(table: Floats, groups: Groups) -> Floats:
    """Sweep a table on every subset of the groups; the bits of the index are the groups."""
    tables = table[None]
    for group in groups:
        tables = np.concatenate([tables, sweep(tables, group)])
    return tables


def variance_inflation(tables: Floats) -> Floats:
    """Return the largest variance inflation factor of the columns that were swept.

    It is the largest value on the diagonal of the inverse: 1 for uncorrelated columns, very large
    or NaN for linearly dependent ones.
    """
    diagonal = -np.diagonal(tables, axis1=-2, axis2=-1)
    inflations: Floats = np.maximum(diagonal.max(axis=-1), 1.0)
    return inflations


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


def sweep_block(products: Floats, block: Block) -> Floats:
    """Sweep sums of products on each subset of a block."""
    return sweep_subsets(sweep(products, block.shared_columns), block.varied_groups)


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
        is_sound[block.masks] = variance_inflation(sweep_block(products, block)) < _MAX_INFLATION
    is_sound[0] = False
    inexact_masks = subsets.masks[~is_sound[1:]]
    dependent_masks: list[int] = []
    doubtful_masks: list[int] = []
    for mask in inexact_masks[np.argsort(subsets.sizes(inexact_masks), kind="stable")].tolist():
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
    for row, is_included in enumerate(subsets.members(masks)):
        with suppress(InputError):
            columns = data.features[:, is_included]
            fit = fit_linear(method, columns, data.targets, target=target, scale=scale)
            coefficients[row] = 0.0
            coefficients[row, is_included] = fit.coefficients
            intercepts[row], iterations[row] = fit.intercept, fit.iterations
    return Fits(np.array([target]), masks, coefficients, intercepts, iterations)


# Non-negative least squares of every subset and target.

# For columns and targets of length 1: smaller coefficients and gradients count as 0.
_MAX_ZERO = 1e-12
# A pivot below this leaves too few digits.
_MIN_PIVOT = 1e-7
# Maximum number of full exchanges without progress, and of exchanges in total.
_MAX_FULL_CHANGES, _MAX_CHANGES = 3, 500
# Number of fits per batch.
_BATCH_FITS = 4096


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
        n_targets, target_lengths = scaled_columns(data.targets)
        self._data, self._subsets = data, subsets
        self._signs = np.array([feature_signs(data.features, target) for target in data.targets.T])
        self._products = columns @ columns.T
        self._slopes = self._signs * (n_targets @ columns.T)
        self.units = (self._signs * target_lengths[:, None] / lengths)[:, None]
        self.coefficients = np.zeros((len(n_targets), 1 << len(subsets.groups), subsets.width))

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
            target_indices, subset_indices = np.nonzero((solutions[:, :, group] != 0).any(axis=2))
            self._solve(
                target_indices,
                smaller_masks[subset_indices],
                solutions[target_indices, subset_indices] > 0,
            )
            solved_masks = np.concatenate([solved_masks, smaller_masks])

    def _solve(self, targets: Ints, masks: Ints, is_free: ColumnMasks) -> None:
        """Solve some subsets, starting with some of their columns free."""
        for start in range(0, len(masks), _BATCH_FITS):
            batch = slice(start, start + _BATCH_FITS)
            target_indices, subset_masks = targets[batch], masks[batch]
            is_member = self._subsets.members(subset_masks)
            solutions = self._changing_sides(target_indices, is_member, is_free[batch] & is_member)
            for row in np.flatnonzero(np.isnan(solutions[:, 0])):
                target, mask = int(target_indices[row]), subset_masks[row : row + 1]
                exact_fits = refit_exactly("nonneg", self._data, self._subsets, mask, target)
                solutions[row] = np.maximum(exact_fits.coefficients[0] / self.units[target, 0], 0.0)
            self.coefficients[target_indices, subset_masks] = solutions

    def _changing_sides(
        self, targets: Ints, is_member: ColumnMasks, is_free: ColumnMasks
    ) -> Floats:
        """Exchange fixed and free columns until all are feasible; NaN where that is unknown."""
        solutions = np.full(is_member.shape, np.nan)
        rows = np.arange(len(is_member))
        min_infeasible = np.full(len(is_member), is_member.shape[1] + 1)
        chances_left = np.zeros(len(is_member), dtype=np.int64)
        for _ in range(_MAX_CHANGES):
            coefficients, gradient, is_solvable = self._least_squares(targets, is_free)
            is_infeasible = np.where(
                is_free, coefficients < -_MAX_ZERO, is_member & (gradient > _MAX_ZERO)
            )
            n_infeasible = is_infeasible.sum(axis=1)
            is_finished = is_solvable & (n_infeasible == 0)
            solutions[rows[is_finished]] = np.maximum(coefficients[is_finished], 0.0)
            is_unfinished = is_solvable & ~is_finished
            if not is_unfinished.any():
                break
            chances_left = np.where(
                n_infeasible < min_infeasible, _MAX_FULL_CHANGES, chances_left - 1
            )
            min_infeasible = np.minimum(min_infeasible, n_infeasible)
            # Without chances left, exchange only the last infeasible column.
            last_columns = is_infeasible.shape[1] - 1 - np.argmax(is_infeasible[:, ::-1], axis=1)
            is_last_infeasible = is_infeasible & (
                np.arange(is_infeasible.shape[1]) == last_columns[:, None]
            )
            is_free = is_free ^ np.where(
                (chances_left > 0)[:, None], is_infeasible, is_last_infeasible
            )
            rows, targets, is_member, is_free = (
                rows[is_unfinished],
                targets[is_unfinished],
                is_member[is_unfinished],
                is_free[is_unfinished],
            )
            min_infeasible, chances_left = (
                min_infeasible[is_unfinished],
                chances_left[is_unfinished],
            )
        return solutions

    def _least_squares(
        self, targets: Ints, is_free: ColumnMasks
    ) -> tuple[Floats, Floats, ColumnMasks]:
        """Fit the free columns; return coefficients, gradients, and whether both are reliable."""
        # The fit depends on the free columns only, and few sets of them are distinct.
        keys = targets << is_free.shape[1] | is_free @ (1 << np.arange(is_free.shape[1]))
        _, first_rows, inverse = np.unique(keys, return_index=True, return_inverse=True)
        slopes, signs = self._slopes[targets[first_rows]], self._signs[targets[first_rows]]
        coefficients, pivots = _fit_free_columns(self._products, slopes, signs, is_free[first_rows])
        gradient = slopes - signs * multiply(self._products, (signs * coefficients).T).T
        return coefficients[inverse], gradient[inverse], (pivots > _MIN_PIVOT)[inverse]


def _fit_free_columns(
    products: Floats, slopes: Floats, signs: Floats, is_free_column: ColumnMasks
) -> tuple[Floats, Floats]:
    """Return the coefficients (0 for columns that are not free) and the smallest pivots."""
    max_free = int(is_free_column.sum(axis=1).max(initial=0))
    rows, free_first = (
        np.arange(len(is_free_column))[:, None],
        np.argsort(~is_free_column, axis=1, kind="stable")[:, :max_free],
    )
    is_free = is_free_column[rows, free_first]
    factors, columns = (signs[rows, free_first] * is_free).T, free_first.T
    matrices = products[columns[:, None], columns] * factors * factors[:, None]
    diagonal = np.arange(max_free)
    matrices[diagonal, diagonal] += ~is_free.T
    solutions, pivots = eliminate(matrices, (slopes[rows, free_first] * is_free).T)
    coefficients = np.zeros(slopes.shape)
    coefficients[rows, free_first] = solutions.T
    return coefficients, pivots


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
    products, n_features = scaled_data.products(), len(scaled_data.features)
    target_products = products[n_features:, n_features:]
    whitening = np.linalg.inv(np.linalg.cholesky(target_products))
    for block in subsets.blocks(_VARIED_GROUPS):
        is_sound = is_solvable[block.masks]
        tables = sweep_block(products, block)[is_sound]
        residual_products = tables[:, n_features:, n_features:]
        # The largest eigenvalue of T - E belongs to the smallest of E.
        eigenvectors = np.linalg.eigh(whitening @ residual_products @ whitening.T)[1][:, :, 0]
        weights = eigenvectors @ whitening
        members = subsets.members(block.masks[is_sound])
        coefficients = (
            np.einsum("sct,st->sc", tables[:, :n_features, n_features:], weights) * members
        )
        correlation_gains = np.einsum("stu,su->st", target_products - residual_products, weights)
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

_MAX_ONE_THREAD_MULTIPLICATIONS = 1 << 18


class LongRows:
    """Rows of numbers that are multiplied by many others of the same length."""

    def __init__(self, rows: Floats, *, columns: int) -> None:
        n_rows, length = rows.shape
        self._step = min(length, max(1, _MAX_ONE_THREAD_MULTIPLICATIONS // (n_rows * columns)))
        self._split_length = length - length % self._step
        pieces = rows[:, : self._split_length].reshape(n_rows, -1, self._step)
        # Each kind of product is fastest in a different memory order.
        self._pieces = np.ascontiguousarray(pieces.transpose(1, 0, 2))
        self._transposed_pieces = np.ascontiguousarray(pieces.transpose(1, 2, 0))
        self._remainder = rows[:, self._split_length :]

    def dot(self, columns: Floats) -> Floats:
        """Return the dot products of each row with each column: rows x columns."""
        products = np.matmul(self._split(columns), self._transposed_pieces).sum(axis=0).T
        return np.ascontiguousarray(products) + self._remainder @ columns[:, self._split_length :].T

    def combine(self, factors: Floats, out: Floats) -> Floats:
        """Return the linear combination of the rows for each row of factors."""
        np.matmul(factors, self._pieces, out=self._split(out))
        np.matmul(factors, self._remainder, out=out[:, self._split_length :])
        return out

    def _split(self, columns: Floats) -> Floats:
        pieces = columns[:, : self._split_length].reshape(
            len(columns), len(self._pieces), self._step
        )
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
        n_targets, n_observations = scaled_data.targets.shape
        constant = n_observations**-0.5
        rows = np.vstack([scaled_data.features[columns], np.full(n_observations, constant)])
        is_included = _append_constant(members[:, columns].astype(np.float64), 1.0)
        first_columns, second_columns = np.triu_indices(len(rows))
        self._pair_of = np.empty((len(rows), len(rows)), dtype=np.intp)
        self._pair_of[first_columns, second_columns] = self._pair_of[
            second_columns, first_columns
        ] = np.arange(len(first_columns))
        n_fits = len(is_included) * n_targets
        self._columns = LongRows(rows, columns=n_fits)
        self._rows = LongRows(np.concatenate([rows, scaled_data.targets]), columns=n_fits)
        self._pairs = LongRows(rows[first_columns] * rows[second_columns], columns=n_fits)
        shift = -(scaled_data.feature_means / scaled_data.feature_lengths)[columns]
        self._shift = np.append(shift, constant)
        # Buffers for residuals and their squares, reused by all blocks.
        self._residuals, self._squares = buffers

        self._fit_numbers = np.arange(n_fits)
        self._is_member = np.repeat(is_included, n_targets, axis=0)
        least_squares = tables[:, -n_targets:][:, :, columns].reshape(-1, len(columns))
        self._fits = _append_constant(least_squares, 0.0) * self._is_member
        self._is_target = np.tile(np.eye(n_targets), (len(is_included), 1))
        self._target_levels = np.tile(
            scaled_data.target_means / scaled_data.target_lengths, len(is_included)
        )
        inverses = np.zeros((*is_included.shape, len(rows)))
        inverses[:, :-1, :-1] = -tables[:, columns[:, None], columns]
        inverses[:, -1, -1] = 1.0
        inverses *= is_included[:, :, None] * is_included[:, None, :]
        leverages = self._pairs.combine(
            inverses[:, first_columns, second_columns]
            * np.where(first_columns == second_columns, 1.0, 2.0),
            np.empty((len(is_included), n_observations)),
        )
        leverage_factors = 1 / (1 - np.minimum(leverages, _MAX_LEVERAGE))
        self._leverage_factors = np.repeat(leverage_factors, n_targets, axis=0)

        self._min_scale = _MIN_SCALE / np.sqrt(n_observations - 1)
        self._is_about_median = scale == "text"
        self._n_dropped = self._is_member.sum(axis=1).astype(np.int64) - (not self._is_about_median)

    def run(self) -> tuple[Floats, Ints, Bools]:
        """Iterate until all fits converge; return them, iterations, and which are doubtful."""
        fits = self._fits.copy()
        iterations = np.zeros(len(fits), dtype=np.int64)
        is_doubtful = np.zeros(len(fits), dtype=np.bool_)
        while len(self._fit_numbers):
            has_converged, pivots = self._refit()
            iterations[self._fit_numbers] += 1
            is_failed = pivots < _MIN_ROBUST_PIVOT
            is_finished = has_converged | is_failed | (iterations[self._fit_numbers] == MAX_REFITS)
            fits[self._fit_numbers[is_finished]] = self._fits[is_finished]
            is_doubtful[self._fit_numbers[is_failed]] = True
            self._drop(is_finished)
        return fits, iterations, is_doubtful

    def _refit(self) -> tuple[Bools, Floats]:
        """Iterate once; return which fits have converged, and their smallest pivots."""
        factors = np.concatenate([-self._fits, self._is_target], axis=1)
        residuals = self._rows.combine(factors, self._residuals[: len(self._fit_numbers)])
        weights, factors_of_fits = self._weights(residuals)
        members = self._is_member.T
        matrices = self._pairs.dot(weights)[self._pair_of]
        matrices *= members * (members * factors_of_fits)[:, None]
        diagonal = np.arange(len(members))
        matrices[diagonal, diagonal] += 1 - members
        # Updating the coefficients from the residuals gives more correct digits than recomputing
        # them from the targets.
        residuals *= weights
        slopes = self._columns.dot(residuals) * members * factors_of_fits
        change, pivots = eliminate(matrices, slopes)
        previous_fits, self._fits = self._fits, self._fits + change.T
        return _has_converged(
            self._with_original_constants(self._fits), self._with_original_constants(previous_fits)
        ), pivots

    def _weights(self, residuals: Floats) -> tuple[Floats, Floats]:
        """Return unscaled bisquare weights, and the factor for each fit."""
        squares = self._squares[: len(self._fit_numbers)]
        if self._is_about_median:
            center = middle_values(residuals).mean(axis=0)
            np.square(residuals - center[:, None], out=squares)
            median_squares = middle_values(squares, self._n_dropped)
        np.square(residuals, out=squares)
        squares *= self._leverage_factors
        if not self._is_about_median:
            median_squares = middle_values(squares, self._n_dropped)
        spread = np.sqrt(median_squares).mean(axis=0)
        cutoffs = np.square(_TUNING_CONSTANT * np.maximum(spread / _NORMAL_MAD, self._min_scale))
        # Left unscaled, the weights need one pass less.
        np.minimum(squares, cutoffs[:, None], out=squares)
        squares -= cutoffs[:, None]
        return np.square(squares, out=squares), 1 / np.square(cutoffs)

    def _with_original_constants(self, fits: Floats) -> Floats:
        """Replace the constants by those for the original data."""
        return np.column_stack([fits[:, :-1], fits @ self._shift + self._target_levels])

    def _drop(self, is_finished: Bools) -> None:
        """Drop the fits that are finished."""
        if not is_finished.any():
            return
        is_unfinished = ~is_finished
        self._fit_numbers, self._fits = self._fit_numbers[is_unfinished], self._fits[is_unfinished]
        self._is_member, self._is_target = (
            self._is_member[is_unfinished],
            self._is_target[is_unfinished],
        )
        self._target_levels, self._leverage_factors = (
            self._target_levels[is_unfinished],
            self._leverage_factors[is_unfinished],
        )
        self._n_dropped = self._n_dropped[is_unfinished]


def _has_converged(fits: Floats, previous_fits: Floats) -> Bools:
    magnitudes = np.maximum(np.abs(fits), np.abs(previous_fits))
    is_close = np.abs(fits - previous_fits) <= _TOLERANCE * magnitudes
    has_converged: Bools = np.logical_and.reduce(is_close, axis=1)
    return has_converged


# Robust regression of every subset and target, a block of them at a time.

# Largest number of fits per batch.
_MAX_ROBUST_BATCH = 96
# For columns and targets of length 1, smaller coefficients are rounding noise: if most values of a
# target are equal, the others are ignored and nothing depends on the features.
_MAX_ROBUST_ZERO = 1e-13


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
    n_targets, n_observations = scaled_data.targets.shape
    # Enough groups for fast matrix products, but few enough that a block fits in the cache and
    # few columns are multiplied for subsets without them.
    n_differing = max(1, int(np.log2(_MAX_ROBUST_BATCH / n_targets)))
    buffers = np.empty((2, n_targets << min(n_differing, len(subsets.groups)), n_observations))
    for block in subsets.blocks(n_differing):
        is_sound = is_solvable[block.masks]
        if is_sound.any():
            masks, tables = block.masks[is_sound], sweep_block(products, block)[is_sound]
            columns, members = np.array(block.columns), subsets.members(masks)
            search = _Reweighting(scaled_data, columns, members, tables, scale, buffers)
            fits, refits, is_doubtful = search.run()
            for target in range(n_targets):
                target_rows, is_failed = (
                    slice(target, None, n_targets),
                    is_doubtful[target::n_targets],
                )
                coefficients, intercepts = _in_original_units(
                    scaled_data, columns, target, fits[target_rows]
                )
                exact_fits = refit_exactly("robust", data, subsets, masks[is_failed], target, scale)
                coefficients[is_failed], intercepts[is_failed] = (
                    exact_fits.coefficients,
                    exact_fits.intercepts,
                )
                refits[target_rows][is_failed] = exact_fits.iterations
                yield Fits(np.array([target]), masks, coefficients, intercepts, refits[target_rows])
    if len(doubtful_masks):
        for target in range(n_targets):
            yield refit_exactly("robust", data, subsets, doubtful_masks, target, scale)


def _append_constant(rows: Floats, value: float) -> Floats:
    return np.column_stack([rows, np.full(len(rows), value)])


def _in_original_units(
    scaled_data: ScaledData, columns: Ints, target: int, fits: Floats
) -> tuple[Floats, Floats]:
    """Return the coefficients of all features, and the constants."""
    target_length, n_observations = scaled_data.target_lengths[target], scaled_data.targets.shape[1]
    coefficients = np.zeros((len(fits), len(scaled_data.features)))
    is_used = np.abs(fits[:, :-1]) > _MAX_ROBUST_ZERO
    coefficients[:, columns] = is_used * fits[:, :-1] * target_length
    coefficients /= scaled_data.feature_lengths
    constants = fits[:, -1] * target_length / np.sqrt(n_observations)
    means = scaled_data.target_means[target] - coefficients @ scaled_data.feature_means
    return coefficients, constants + means
