"""All subsets of the features, and least squares on every one of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from pyramidion._types import Bools, Floats, Ints
from pyramidion.classy._fits import FitMethod, LinearFit, TrainingData, fit_linear
from pyramidion.errors import InputError
from pyramidion.stats._regression import RobustScale

# Which columns belong together, and all subsets of these groups, as numbers and as columns.

#: More than these have more subsets than can be tried.
MOST_GROUPS, MOST_COLUMNS = 16, 48

#: Subsets as numbers: bit g tells whether group g is in.
Masks = Ints
Members = Bools


@dataclass(frozen=True, slots=True)
class Block:
    """Subsets that have some groups in common and differ in a few others."""

    masks: Masks
    always: tuple[int, ...]
    sometimes: tuple[tuple[int, ...], ...]

    @property
    def columns(self) -> list[int]:
        """All columns that any of the subsets has, in order."""
        return sorted({*self.always, *(column for group in self.sometimes for column in group)})


@dataclass(frozen=True, slots=True)
class Subsets:
    """All non-empty subsets of some groups of columns."""

    groups: tuple[tuple[int, ...], ...]
    width: int

    @classmethod
    def of(cls, width: int, groups: Sequence[Sequence[int]] | None) -> "Subsets":
        """Check groups of columns; without groups each column is one."""
        if groups is None:
            groups = [[column] for column in range(width)]
        for number, group in enumerate(groups):
            if not len(group):
                raise InputError(f"group {number} has no columns", hint="take it out")
        named = [int(column) for group in groups for column in group]
        for column in sorted({*range(width), *named}):
            if not 0 <= column < width:
                raise InputError(
                    f"a group names column {column}", hint=f"there are columns 0 to {width - 1}"
                )
            if named.count(column) != 1:
                raise InputError(
                    f"column {column} is in {named.count(column)} groups", hint="put each in one"
                )
        if len(groups) > MOST_GROUPS or width > MOST_COLUMNS:
            raise InputError(
                f"{len(groups)} groups of {width} columns have {2 ** len(groups) - 1:,} subsets",
                hint=f"{MOST_GROUPS} groups of {MOST_COLUMNS} columns are the most",
            )
        return cls(tuple(tuple(int(column) for column in group) for group in groups), width)

    @property
    def masks(self) -> Masks:
        """All subsets, as numbers."""
        return np.arange(1, 1 << len(self.groups), dtype=np.int64)

    def sizes(self, masks: Masks) -> Ints:
        """Count the groups of each subset."""
        sizes: Ints = self._bits(masks).sum(axis=1, dtype=np.int64)
        return sizes

    def members(self, masks: Masks) -> Members:
        """Tell for each subset (row) which columns it has."""
        group_of = np.empty(self.width, dtype=np.intp)
        for number, group in enumerate(self.groups):
            group_of[list(group)] = number
        return self._bits(masks)[:, group_of]

    def _bits(self, masks: Masks) -> Members:
        bits: Members = (masks[:, None] >> np.arange(len(self.groups))) & 1 == 1
        return bits

    def blocks(self, differ: int) -> Iterator[Block]:
        """Cut all subsets, and the empty one, into blocks that differ in this many groups.

        These are the narrowest groups, so that the subsets of a block have few columns together.
        """
        order = sorted(range(len(self.groups)), key=lambda group: len(self.groups[group]))
        narrow, wide = order[:differ], order[differ:]
        low = _all_masks(narrow)
        for number, high in enumerate(_all_masks(wide).tolist()):
            chosen = [group for bit, group in enumerate(wide) if number >> bit & 1]
            always = tuple(column for group in chosen for column in self.groups[group])
            yield Block(low + high, always, tuple(self.groups[group] for group in narrow))


def _all_masks(groups: Sequence[int]) -> Masks:
    masks = np.zeros(1, dtype=np.int64)
    for group in groups:
        masks = np.concatenate([masks, masks + (1 << group)])
    return masks


# Many small systems of linear equations at once, each told how well it is determined.


def eliminate(matrices: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Solve symmetric, positive definite systems by Gauss's elimination.

    One operation works on all systems, which run along the last axis. This is as fast as a loop
    over LAPACK calls, never fails, and yields the pivots.
    """
    size = len(matrices)
    pivots = np.full(matrices.shape[2], np.inf)
    for step in range(size):
        pivot = matrices[step, step]
        np.minimum(pivots, pivot, out=pivots)
        pivot[~(pivot > 0)] = 1.0
        row, below = matrices[step, step + 1 :], slice(step + 1, size)
        factors = row / pivot
        matrices[below, below] -= factors[:, None] * row
        right[below] -= factors * right[step]
    for step in range(size - 1, -1, -1):
        after = slice(step + 1, size)
        right[step] -= np.einsum("ks,ks->s", matrices[step, after], right[after])
        right[step] /= matrices[step, step]
    return right, pivots


# Least squares on every subset of the columns at once, by the sweep operator.

# A pivot that is this small is rounding noise.
_NO_PIVOT = 1e-13


def sweep(tables: Floats, columns: Iterable[int]) -> Floats:
    """Sweep tables of sums of products on some columns.

    Swept on a set of columns S, a table has minus the inverse of its part S x S there, the
    coefficients of least squares on S in S x rest, and the products of the residuals in
    rest x rest. Where a column depends on those before it, everything becomes NaN.

    References
    ----------
    A. P. Dempster. Elements of Continuous Multivariate Analysis. Addison-Wesley, 1969, 4.3.2.

    Examples
    --------
    >>> sweep(np.array([[1.0, 0.5], [0.5, 1.0]]), [0]).tolist()
    [[-1.0, 0.5], [0.5, 0.75]]
    """
    for column in columns:
        pivot = tables[..., column, column]
        pivot = np.where(pivot > _NO_PIVOT, pivot, np.nan)[..., None]
        row = tables[..., column, :]
        share = row / pivot
        tables = tables - share[..., :, None] * row[..., None, :]
        tables[..., column, :] = tables[..., :, column] = share
        tables[..., column, column] = -1 / pivot[..., 0]
    return tables


def sweep_subsets(table: Floats, groups: Sequence[Sequence[int]]) -> Floats:
    """Sweep one table on every subset of the groups; number i has those of the bits of i."""
    tables = table[None]
    for group in groups:
        tables = np.concatenate([tables, sweep(tables, group)])
    return tables


def inflation(tables: Floats) -> Floats:
    """Give the largest factor by which columns that were swept on inflate a variance.

    It is the largest value on the diagonal of the inverse: 1 for columns that are uncorrelated,
    very large or NaN for columns that depend on each other.
    """
    diagonal = -np.diagonal(tables, axis1=-2, axis2=-1)
    largest: Floats = np.maximum(diagonal.max(axis=-1), 1.0)
    return largest


# Training data in units in which sums of products lose few digits.


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """Features and targets without their means and of length 1."""

    features: Floats
    targets: Floats
    feature_means: Floats
    feature_lengths: Floats
    target_means: Floats
    target_lengths: Floats

    @classmethod
    def of(cls, data: TrainingData) -> "Scaled":
        """Scale training data."""
        features, feature_lengths = scaled_columns(data.features - data.features.mean(axis=0))
        targets, target_lengths = scaled_columns(data.targets - data.targets.mean(axis=0))
        return cls(
            features=features,
            targets=targets,
            feature_means=data.features.mean(axis=0),
            feature_lengths=feature_lengths,
            target_means=data.targets.mean(axis=0),
            target_lengths=target_lengths,
        )

    def products(self) -> Floats:
        """Give the sums of products of all features and targets, which are their correlations."""
        rows = np.concatenate([self.features, self.targets])
        products: Floats = rows @ rows.T
        return products


def scaled_columns(columns: Floats) -> tuple[Floats, Floats]:
    """Turn columns into rows of length 1, and give the lengths they had."""
    lengths = np.linalg.norm(columns, axis=0)
    return np.ascontiguousarray((columns / lengths).T), lengths


def swept_block(products: Floats, block: Block) -> Floats:
    """Sweep sums of products on each subset of a block."""
    return sweep_subsets(sweep(products, block.always), block.sometimes)


# Fits one at a time, for the subsets that sums of products cannot tell enough about.

# Where a variance is inflated by more than this, sums of products leave too few digits.
_MOST_INFLATION = 1e5
# Subsets that are swept together differ in this many groups.
_DIFFER = 12


@dataclass(frozen=True, slots=True, eq=False)
class Soundness:
    """Which subsets can be fitted how, for methods that have a constant."""

    sound: Members
    doubtful: Masks


def judge_subsets(data: TrainingData, subsets: Subsets) -> Soundness:
    """Find the subsets whose columns depend on each other, or nearly do."""
    products = Scaled.of(data).products()[: subsets.width, : subsets.width]
    sound = np.zeros(1 << len(subsets.groups), dtype=np.bool_)
    for block in subsets.blocks(_DIFFER):
        sound[block.masks] = inflation(swept_block(products, block)) < _MOST_INFLATION
    sound[0] = False
    rest = subsets.masks[~sound[1:]]
    in_order = rest[np.argsort(subsets.sizes(rest), kind="stable")]
    dependent: list[int] = []
    doubtful = []
    for mask in in_order.tolist():
        if any(mask & smaller == smaller for smaller in dependent):
            continue
        if has_full_rank(data.features[:, subsets.members(np.array([mask]))[0]]):
            doubtful.append(mask)
        else:
            dependent.append(mask)
    return Soundness(sound, np.array(doubtful, dtype=np.int64))


def has_full_rank(columns: Floats) -> bool:
    """Tell whether columns and a constant are independent, as `robust_regression` does."""
    design = np.column_stack([np.ones(len(columns)), columns])
    sizes = np.abs(np.diag(linalg.qr(design, mode="r", pivoting=True)[0]))
    return bool(sizes.min() > sizes.max() * max(design.shape) * np.finfo(np.float64).eps)


def fit_with_care(
    method: FitMethod,
    data: TrainingData,
    fits: Iterable[tuple[Members, int]],
    *,
    scale: RobustScale = "matlab",
) -> tuple[Floats, Floats, Ints]:
    """Fit columns to targets one after the other with `fit_linear`."""
    found = [_fit_or_none(method, data, members, target, scale) for members, target in fits]
    coefficients = np.zeros((len(found), data.features.shape[1]))
    intercepts = np.full(len(found), np.nan)
    iterations = np.zeros(len(found), dtype=np.int64)
    for row, (fit, members) in enumerate(found):
        if fit is None:
            coefficients[row] = np.nan
        else:
            coefficients[row, members] = fit.coefficients
            intercepts[row], iterations[row] = fit.intercept, fit.iterations
    return coefficients, intercepts, iterations


def _fit_or_none(
    method: FitMethod, data: TrainingData, members: Members, target: int, scale: RobustScale
) -> tuple[LinearFit | None, Members]:
    try:
        columns = data.features[:, members]
        return fit_linear(method, columns, data.targets, target=target, scale=scale), members
    except InputError:
        return None, members
