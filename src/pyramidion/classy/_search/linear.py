"""Non-negative least squares and canonical correlation of every subset."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.classy._fits import TrainingData, feature_signs, fit_linear
from pyramidion.classy._search.subsets import (
    Masks,
    Members,
    Scaled,
    Soundness,
    Subsets,
    eliminate,
    fit_with_care,
    scaled_columns,
    swept_block,
)
from pyramidion.errors import InputError
from pyramidion.stats._pairs import multiply

# Non-negative least squares of every subset and target.

# Of columns and targets of length 1: what counts as below or above 0.
_NOISE = 1e-12
# A pivot below this leaves too few digits.
_LEAST_PIVOT = 1e-7
# How often all wrong columns may change sides without progress, and changes altogether.
_CHANCES, _MOST_CHANGES = 3, 500
# Fits that are made together.
_TOGETHER = 4096


def fit_nonnegative(data: TrainingData, subsets: Subsets) -> Floats:
    """Fit every subset to every target, as `fit_linear` does with method ``nonneg``.

    Sums of products are all that is needed. The best fit of a subset that does without a group
    is also that of the subset without the group, so that from the whole set downwards many
    subsets need no work. For the others columns change sides between 0 and free until none is
    wrong, all wrong ones at once as long as that helps (block principal pivoting). Where columns
    nearly depend on each other, `fit_linear` itself is asked.

    References
    ----------
    L. F. Portugal, J. J. Judice, L. N. Vicente. A comparison of block pivoting and
    interior-point algorithms for linear least squares problems with nonnegative variables.
    Mathematics of Computation 63(208), 1994.

    Examples
    --------
    >>> data = TrainingData([[1, 3], [2, 1], [3, 2], [4, 5], [5, 1]], [2, 4, 6, 8, 9])
    >>> fit_nonnegative(data, Subsets.of(2, None))[0].round(2).tolist()
    [[0.0, 0.0], [1.91, 0.0], [0.0, 1.78], [1.82, 0.14]]
    """
    search = _Search(data, subsets)
    search.run()
    # Adding 0 makes plain zeros of the coefficients -0.0.
    return search.coefficients * search.units + 0.0


class _Search:
    """The search from all groups downwards, in units of turned columns of length 1."""

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
        done = np.array([(1 << len(self._subsets.groups)) - 1])
        targets = np.arange(len(self._signs))
        everything = np.ones((len(targets), self._subsets.width), dtype=np.bool_)
        self._solve(targets, np.repeat(done, len(targets)), everything)
        for number, group in enumerate(self._subsets.groups):
            fewer = done - (1 << number)
            above = self.coefficients[:, done]
            self.coefficients[:, fewer] = above
            which, subset = np.nonzero((above[:, :, group] != 0).any(axis=2))
            self._solve(which, fewer[subset], above[which, subset] > 0)
            done = np.concatenate([done, fewer])

    def _solve(self, targets: Ints, masks: Ints, free: Members) -> None:
        """Solve some subsets, beginning with some of their columns free."""
        for start in range(0, len(masks), _TOGETHER):
            some = slice(start, start + _TOGETHER)
            which, subset = targets[some], masks[some]
            members = self._subsets.members(subset)
            found = self._changing_sides(which, members, free[some] & members)
            for row in np.flatnonzero(np.isnan(found[:, 0])):
                found[row] = self._with_care(int(which[row]), members[row])
            self.coefficients[which, subset] = found

    def _changing_sides(self, targets: Ints, members: Members, free: Members) -> Floats:
        """Let columns change between 0 and free until none is wrong; NaN where none can tell."""
        found = np.full(members.shape, np.nan)
        row = np.arange(len(members))
        fewest = np.full(len(members), members.shape[1] + 1)
        chances = np.zeros(len(members), dtype=np.int64)
        for _ in range(_MOST_CHANGES):
            values, rest, sound = self._least_squares(targets, free)
            wrong = np.where(free, values < -_NOISE, members & (rest > _NOISE))
            count = wrong.sum(axis=1)
            done = sound & (count == 0)
            found[row[done]] = np.maximum(values[done], 0.0)
            going = sound & ~done
            if not going.any():
                break
            chances = np.where(count < fewest, _CHANCES, chances - 1)
            fewest = np.minimum(fewest, count)
            free = free ^ np.where((chances > 0)[:, None], wrong, _last_only(wrong))
            row, targets, members, free = row[going], targets[going], members[going], free[going]
            fewest, chances = fewest[going], chances[going]
        return found

    def _least_squares(self, targets: Ints, free: Members) -> tuple[Floats, Floats, Members]:
        """Fit the free columns, and give the slopes that are left and whether both are sound."""
        # The fit does not depend on the subset, and few sets of free columns are different.
        keys = targets << free.shape[1] | free @ (1 << np.arange(free.shape[1]))
        _, first, which = np.unique(keys, return_index=True, return_inverse=True)
        slopes, signs = self._slopes[targets[first]], self._signs[targets[first]]
        values, pivots = _fit_free_columns(self._products, slopes, signs, free[first])
        rest = slopes - signs * multiply(self._products, (signs * values).T).T
        return values[which], rest[which], (pivots > _LEAST_PIVOT)[which]

    def _with_care(self, target: int, members: Members) -> Floats:
        found = np.zeros(len(members))
        try:
            fit = fit_linear(
                "nonneg", self._data.features[:, members], self._data.targets, target=target
            )
        except InputError:
            return np.full(len(members), np.nan)
        found[members] = fit.coefficients / self.units[target, 0, members]
        return np.maximum(found, 0.0)


def _fit_free_columns(
    products: Floats, slopes: Floats, signs: Floats, free: Members
) -> tuple[Floats, Floats]:
    """Give the coefficients, 0 for columns that are not free, and the smallest pivots."""
    most = int(free.sum(axis=1).max(initial=0))
    rows, front = np.arange(len(free))[:, None], np.argsort(~free, axis=1, kind="stable")[:, :most]
    inside = free[rows, front]
    factors, columns = (signs[rows, front] * inside).T, front.T
    matrices = products[columns[:, None], columns] * factors * factors[:, None]
    diagonal = np.arange(most)
    matrices[diagonal, diagonal] += ~inside.T
    solved, pivots = eliminate(matrices, (slopes[rows, front] * inside).T)
    values = np.zeros(slopes.shape)
    values[rows, front] = solved.T
    return values, pivots


def _last_only(wrong: Members) -> Members:
    last = wrong.shape[1] - 1 - np.argmax(wrong[:, ::-1], axis=1)
    only: Members = wrong & (np.arange(wrong.shape[1]) == last[:, None])
    return only


# Canonical correlation of every subset with all targets.

# Subsets that are swept together differ in this many groups.
_DIFFER = 12


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalFits:
    """The first canonical variates of some subsets."""

    masks: Masks
    coefficients: Floats
    directions: Floats


def fit_canonical(
    data: TrainingData, subsets: Subsets, soundness: Soundness
) -> Iterator[CanonicalFits]:
    """Fit subsets to all targets together, as `fit_linear` does with method ``canon``.

    Swept on a subset, the sums of products have the coefficients of least squares B, and what is
    left of the targets, E. With all of the targets T, the best weights a of the targets are the
    first eigenvector of T - E with respect to T, and those of the features are Ba.
    """
    scaled = Scaled.of(data)
    products, width = scaled.products(), len(scaled.features)
    everything = products[width:, width:]
    whiten = np.linalg.inv(np.linalg.cholesky(everything))
    for block in subsets.blocks(_DIFFER):
        chosen = soundness.sound[block.masks]
        tables = swept_block(products, block)[chosen]
        left = tables[:, width:, width:]
        # The largest of T - E is the smallest of E.
        vectors = np.linalg.eigh(whiten @ left @ whiten.T)[1][:, :, 0]
        weights = vectors @ whiten
        members = subsets.members(block.masks[chosen])
        coefficients = np.einsum("sct,st->sc", tables[:, :width, width:], weights) * members
        rises = np.einsum("stu,su->st", everything - left, weights)
        yield CanonicalFits(
            masks=block.masks[chosen],
            coefficients=coefficients / scaled.feature_lengths,
            directions=np.where(rises < 0, -1.0, 1.0),
        )
    if len(soundness.doubtful):
        yield _with_care(data, subsets.members(soundness.doubtful), soundness.doubtful)


def _with_care(data: TrainingData, members: Members, masks: Masks) -> CanonicalFits:
    coefficients, _, _ = fit_with_care("canon", data, [(columns, 0) for columns in members])
    centred = data.targets - data.targets.mean(axis=0)
    rises = coefficients @ data.features.T @ centred
    return CanonicalFits(masks, coefficients, np.where(rises < 0, -1.0, 1.0))
