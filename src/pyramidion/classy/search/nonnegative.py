"""Non-negative least squares of every subset and target."""

from dataclasses import dataclass

import numpy as np

from pyramidion.classy.fits import feature_signs
from pyramidion.classy.search.elimination import eliminate
from pyramidion.classy.search.scaled import scaled_columns
from pyramidion.classy.search.subsets import Members, Subsets
from pyramidion.classy.training import TrainingData
from pyramidion.stats.inputs import Floats

__all__ = ["NonnegativeFits", "fit_nonnegative"]

# Of columns and targets of length 1: what counts as below or above 0.
_NOISE = 1e-12
# A pivot below this leaves too few digits.
_LEAST_PIVOT = 1e-7
# How often all wrong columns may change sides without progress, and changes altogether.
_CHANCES, _MOST_CHANGES = 3, 500
# Systems of equations that are solved together.
_TOGETHER = 2048


@dataclass(frozen=True, slots=True, eq=False)
class NonnegativeFits:
    """Fits of all subsets to all targets.

    Attributes
    ----------
    coefficients
        Targets x subsets (by number, from 0 on) x columns; of features as they were given.
    doubtful
        Targets x subsets: where columns nearly depend on each other; the fit is of no use.
    """

    coefficients: Floats
    doubtful: Members


def fit_nonnegative(data: TrainingData, subsets: Subsets) -> NonnegativeFits:
    """Fit every subset to every target, as `nonnegative_regression` of turned features does.

    Sums of products are all that is needed. A subset whose best fit does without a group is also
    the answer for the subset without that group, so that from the whole set downwards most
    subsets need no work. For the others, columns change sides between 0 and free until none is
    wrong, all wrong ones at once as long as that helps (block principal pivoting).

    Parameters
    ----------
    data
        To train on.
    subsets
        Of its columns.

    References
    ----------
    L. F. Portugal, J. J. Judice, L. N. Vicente. A comparison of block pivoting and
    interior-point algorithms for linear least squares problems with nonnegative variables.
    Mathematics of Computation 63(208), 1994.

    Examples
    --------
    >>> data = TrainingData([[1, 9], [2, 7], [3, 8], [4, 3], [5, 4]], [2, 4, 5, 8, 9])
    >>> fits = fit_nonnegative(data, Subsets.of(2, None))
    >>> fits.coefficients[0].round(2).tolist()
    [[0.0, 0.0], [1.87, 0.0], [0.0, 0.0], [1.87, 0.0]]
    """
    columns, lengths = scaled_columns(data.features)
    targets, target_lengths = scaled_columns(data.targets)
    signs = np.array([feature_signs(data.features, target) for target in data.targets.T])
    search = _Search(columns @ columns.T, signs * (targets @ columns.T), signs, subsets)
    search.run()
    # Adding 0 makes the coefficients of features that do not count plain zeros.
    turned = signs[:, None] * search.coefficients + 0.0
    return NonnegativeFits(turned * target_lengths[:, None, None] / lengths, search.doubtful)


class _Search:
    """From all groups downwards, in units of turned columns."""

    def __init__(self, products: Floats, slopes: Floats, signs: Floats, subsets: Subsets) -> None:
        self._products, self._slopes, self._signs = products, slopes, signs
        self._subsets = subsets
        shape = len(signs), 1 << len(subsets.groups)
        self.coefficients = np.zeros((*shape, subsets.width))
        self.doubtful = np.zeros(shape, dtype=np.bool_)

    def run(self) -> None:
        everything = (1 << len(self._subsets.groups)) - 1
        done = np.array([everything])
        targets = np.arange(len(self._signs))
        self._solve(targets, np.repeat(done, len(targets)), np.ones(self._subsets.width, np.bool_))
        for number, group in enumerate(self._subsets.groups):
            fewer = done - (1 << number)
            above = self.coefficients[:, done]
            self.coefficients[:, fewer] = above
            self.doubtful[:, fewer] = self.doubtful[:, done]
            used = (above[:, :, group] > 0).any(axis=2) | self.doubtful[:, done]
            which, subset = np.nonzero(used)
            self._solve(which, fewer[subset], above[which, subset] > 0)
            done = np.concatenate([done, fewer])

    def _solve(self, targets: "_Ints", masks: "_Ints", free: Members) -> None:
        for start in range(0, len(masks), _TOGETHER):
            some = slice(start, start + _TOGETHER)
            which, subset = targets[some], masks[some]
            members = self._subsets.members(subset)
            found, doubtful = _pivot(
                self._products,
                self._slopes[which],
                self._signs[which],
                members,
                members & (free if free.ndim == 1 else free[some]),
            )
            self.coefficients[which, subset] = found
            self.doubtful[which, subset] = doubtful


def _pivot(
    products: Floats, slopes: Floats, signs: Floats, members: Members, free: Members
) -> tuple[Floats, Members]:
    """Let columns change sides until none is wrong."""
    found = np.zeros(slopes.shape)
    doubtful = np.ones(len(slopes), dtype=np.bool_)
    row = np.arange(len(slopes))
    fewest = np.full(len(slopes), slopes.shape[1] + 1)
    chances = np.full(len(slopes), _CHANCES)
    for _ in range(_MOST_CHANGES):
        values, pivots = _least_squares(products, slopes, signs, free)
        rest = slopes - signs * ((signs * values) @ products)
        wrong = np.where(free, values < -_NOISE, members & (rest > _NOISE))
        count = wrong.sum(axis=1)
        sound = pivots > _LEAST_PIVOT
        done = sound & (count == 0)
        found[row[done]] = np.maximum(values[done], 0.0)
        doubtful[row[done]] = False
        better = count < fewest
        fewest = np.minimum(fewest, count)
        chances = np.where(better, _CHANCES, chances - 1)
        change = np.where((chances > 0)[:, None], wrong, _last_only(wrong))
        go_on = sound & ~done
        if not go_on.any():
            break
        row, slopes, signs, members, free, fewest, chances = (
            array[go_on]
            for array in (row, slopes, signs, members, free ^ change, fewest, chances)
        )
    return found, doubtful
