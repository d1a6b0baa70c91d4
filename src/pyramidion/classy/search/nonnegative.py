"""Non-negative least squares of every subset and target."""

import numpy as np
import numpy.typing as npt

from pyramidion.classy.fits import feature_signs, fit_linear
from pyramidion.classy.search.elimination import eliminate
from pyramidion.classy.search.scaled import scaled_columns
from pyramidion.classy.search.subsets import Members, Subsets
from pyramidion.classy.training import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats.inputs import Floats
from pyramidion.stats.pairs import multiply

__all__ = ["fit_nonnegative"]

Ints = npt.NDArray[np.int64]

# Of columns and targets of length 1: what counts as below or above 0.
_NOISE = 1e-12
# A pivot below this leaves too few digits.
_LEAST_PIVOT = 1e-7
# How often all wrong columns may change sides without progress, and changes altogether.
_CHANCES, _MOST_CHANGES = 3, 500
# Systems of equations that are solved together.
_TOGETHER = 2048


def fit_nonnegative(data: TrainingData, subsets: Subsets) -> Floats:
    """Fit every subset to every target, as `fit_linear` does with method ``nonneg``.

    Sums of products are all that is needed. The best fit of a subset that does without a group
    is also that of the subset without the group, so that from the whole set downwards many
    subsets need no work. For the others columns change sides between 0 and free until none is
    wrong, all wrong ones at once as long as that helps (block principal pivoting). Where columns
    nearly depend on each other, `fit_linear` itself is asked.

    Parameters
    ----------
    data
        To train on.
    subsets
        Of its columns.

    Returns
    -------
    ndarray
        Coefficients of targets x subsets (by number, from 0 on) x columns; NaN where there is
        no fit.

    References
    ----------
    L. F. Portugal, J. J. Judice, L. N. Vicente. A comparison of block pivoting and
    interior-point algorithms for linear least squares problems with nonnegative variables.
    Mathematics of Computation 63(208), 1994.

    Examples
    --------
    >>> data = TrainingData([[1, 9], [2, 7], [3, 8], [4, 3], [5, 4]], [2, 4, 5, 8, 9])
    >>> fit_nonnegative(data, Subsets.of(2, None))[0].round(2).tolist()
    [[0.0, 0.0], [1.87, 0.0], [0.0, 0.0], [1.87, 0.0]]
    """
    search = _Search(data, subsets)
    search.run()
    return search.coefficients * search.units


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
            found = _changing_sides(
                self._products, self._slopes[which], self._signs[which], members, free[some]
            )
            for row in np.flatnonzero(np.isnan(found[:, 0])):
                found[row] = self._with_care(int(which[row]), members[row])
            self.coefficients[which, subset] = found

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


def _changing_sides(
    products: Floats, slopes: Floats, signs: Floats, members: Members, free: Members
) -> Floats:
    """Let columns change between 0 and free until none is wrong; NaN where none can tell."""
    found = np.full(slopes.shape, np.nan)
    row, free = np.arange(len(slopes)), free & members
    fewest = np.full(len(slopes), slopes.shape[1] + 1)
    chances = np.zeros(len(slopes), dtype=np.int64)
    for _ in range(_MOST_CHANGES):
        values, pivots = _least_squares(products, slopes, signs, free)
        rest = slopes - signs * multiply(products, (signs * values).T).T
        wrong = np.where(free, values < -_NOISE, members & (rest > _NOISE))
        count = wrong.sum(axis=1)
        chances = np.where(count < fewest, _CHANCES, chances - 1)
        fewest = np.minimum(fewest, count)
        free = free ^ np.where((chances > 0)[:, None], wrong, _last_only(wrong))
        sound = pivots > _LEAST_PIVOT
        done = sound & (count == 0)
        found[row[done]] = np.maximum(values[done], 0.0)
        going = sound & ~done
        if not going.any():
            break
        row, slopes, signs, members = row[going], slopes[going], signs[going], members[going]
        free, fewest, chances = free[going], fewest[going], chances[going]
    return found


def _least_squares(
    products: Floats, slopes: Floats, signs: Floats, free: Members
) -> tuple[Floats, Floats]:
    """Fit the free columns; the others get 0."""
    factors = (signs * free).T
    matrices = products[:, :, None] * factors * factors[:, None]
    diagonal = np.arange(len(products))
    matrices[diagonal, diagonal] += ~free.T
    values, pivots = eliminate(matrices, (slopes * free).T)
    return values.T, pivots


def _last_only(wrong: Members) -> Members:
    last = wrong.shape[1] - 1 - np.argmax(wrong[:, ::-1], axis=1)
    return wrong & (np.arange(wrong.shape[1]) == last[:, None])
