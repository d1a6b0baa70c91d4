"""Iteratively reweighted least squares of many subsets of a few columns at once."""

from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.classy.search.elimination import eliminate
from pyramidion.classy.search.medians import RowMedians, middle_values
from pyramidion.classy.search.products import LongRows
from pyramidion.stats.robust import RobustScale

__all__ = ["MOST_REFITS", "Problem", "Reweighted", "Workspace", "reweigh"]

# As in pyramidion.stats.robust, whose results these are.
MOST_REFITS = 50
_TUNE, _NORMAL_MAD, _MOST_LEVERAGE, _LEAST_SCALE = 4.685, 0.6745, 0.9999, 1e-6
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
# A pivot below this share of a column's sum of squares leaves too few digits.
_LEAST_PIVOT = 1e-8


class Workspace:
    """Room for residuals and weights that is used again and again.

    Parameters
    ----------
    fits, observations
        The most fits at a time, and the length of each one's residuals.
    """

    def __init__(self, fits: int, observations: int) -> None:
        self.residuals = np.empty((fits, observations))
        self.squares = np.empty((fits, observations))
        self.masks = np.empty((2, fits, observations), dtype=np.bool_)


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Fits of subsets of a few columns to every target: all targets of a subset, then the next.

    Attributes
    ----------
    columns, targets
        Of length 1, one a row; the last column is constant, all others and the targets are
        centred.
    members
        Subsets x columns: 1 for those that are in, as the constant always is, and 0 for others.
    start
        Fits x columns: the coefficients of least squares.
    inverses
        Subsets x columns x columns: the inverses of the sums of products of the members.
    shift, levels
        The constant term in the original units is the coefficients times `shift` plus the
        target's level, but for a factor.
    """

    columns: Floats
    targets: Floats
    members: Floats
    start: Floats
    inverses: Floats
    shift: Floats
    levels: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Reweighted:
    """What came out, one row a fit.

    Attributes
    ----------
    fits
        Coefficients of the columns.
    iterations
        How often each fit was repeated.
    doubtful
        Where columns came to depend on each other; the fit is of no use.
    """

    fits: Floats
    iterations: Ints
    doubtful: Bools


def reweigh(problem: Problem, scale: RobustScale, workspace: Workspace) -> Reweighted:
    """Repeat all fits until each has settled, as `robust_regression` does."""
    fits = problem.start.copy()
    iterations = np.zeros(len(fits), dtype=np.int64)
    doubtful = np.zeros(len(fits), dtype=np.bool_)
    active = _Active(problem, scale, workspace)
    while len(active.row):
        settled, pivots = active.refit()
        iterations[active.row] += 1
        failed = pivots < _LEAST_PIVOT
        done = settled | failed | (iterations[active.row] == MOST_REFITS)
        fits[active.row[done]] = active.fits[done]
        doubtful[active.row[failed]] = True
        active.drop(done)
    return Reweighted(fits, iterations, doubtful)


class _Active:
    """The fits that have not settled yet."""

    def __init__(self, problem: Problem, scale: RobustScale, workspace: Workspace) -> None:
        subsets, columns = problem.members.shape
        targets, observations = problem.targets.shape
        self._shift, self._work = problem.shift, workspace
        first, second = np.triu_indices(columns)
        fits = subsets * targets
        self._columns = LongRows(problem.columns, others=fits)
        self._rows = LongRows(np.concatenate([problem.columns, problem.targets]), others=fits)
        self._pairs = LongRows(problem.columns[first] * problem.columns[second], others=fits)
        self._pair_of = np.empty((columns, columns), dtype=np.intp)
        self._pair_of[first, second] = self._pair_of[second, first] = np.arange(len(first))

        self.row = np.arange(subsets * targets)
        self.fits = problem.start
        self._members = np.repeat(problem.members, targets, axis=0)
        self._outcome = np.tile(np.eye(targets), (subsets, 1))
        self._level = np.tile(problem.levels, subsets)
        twice = np.where(first == second, 1.0, 2.0)
        leverages = self._pairs.combine(
            problem.inverses[:, first, second] * twice, np.empty((subsets, observations))
        )
        loosened = 1 / (1 - np.minimum(leverages, _MOST_LEVERAGE))
        self._loosened = np.repeat(loosened, targets, axis=0)

        self._least_scale = _LEAST_SCALE / np.sqrt(observations - 1)
        self._about_median = scale == "text"
        dropped = self._members.sum(axis=1).astype(np.int64) - (not self._about_median)
        self._medians = RowMedians(dropped, masks=workspace.masks)

    def refit(self) -> tuple[Bools, Floats]:
        """Fit once more; tell which fits have settled, and their smallest pivots."""
        residuals = self._residuals()
        weights, units = self._weights(residuals)
        members = self._members.T
        matrices = self._pairs.dot(weights)[self._pair_of]
        matrices *= members * (members * units)[:, None]
        diagonal = np.arange(len(members))
        matrices[diagonal, diagonal] += 1 - members
        # The change of the coefficients, from the residuals, has more correct digits than new
        # coefficients from the targets would have.
        residuals *= weights
        slopes = self._columns.dot(residuals) * members * units
        change, pivots = eliminate(matrices, slopes)
        previous, self.fits = self.fits, self.fits + change.T
        return _same(self._unshifted(self.fits), self._unshifted(previous)), pivots

    def _residuals(self) -> Floats:
        factors = np.concatenate([-self.fits, self._outcome], axis=1)
        return self._rows.combine(factors, self._work.residuals[: len(self.row)])

    def _weights(self, residuals: Floats) -> tuple[Floats, Floats]:
        """Give bisquare weights, and by what each fit's are to be multiplied."""
        squares = self._work.squares[: len(self.row)]
        if self._about_median:
            np.subtract(residuals, middle_values(residuals)[:, None], out=squares)
            np.square(squares, out=squares)
            spread = self._medians.find(squares)
        np.square(residuals, out=squares)
        squares *= self._loosened
        if not self._about_median:
            spread = self._medians.find(squares)
        reach = np.square(_TUNE * np.maximum(spread / _NORMAL_MAD, self._least_scale))
        # One pass over all of them less than with weights up to 1.
        np.minimum(squares, reach[:, None], out=squares)
        squares -= reach[:, None]
        return np.square(squares, out=squares), 1 / np.square(reach)

    def _unshifted(self, fits: Floats) -> Floats:
        """Replace the constant by that of the original data."""
        return np.column_stack([fits[:, :-1], fits @ self._shift + self._level])

    def drop(self, done: Bools) -> None:
        """Go on with those that are not done."""
        if not done.any():
            return
        rest = ~done
        self.row, self.fits = self.row[rest], self.fits[rest]
        self._members, self._outcome = self._members[rest], self._outcome[rest]
        self._level, self._loosened = self._level[rest], self._loosened[rest]
        self._medians.keep(rest)


def _same(fits: Floats, previous: Floats) -> Bools:
    largest = np.maximum(np.abs(fits), np.abs(previous))
    near = np.abs(fits - previous) <= _TOLERANCE * largest
    same: Bools = np.logical_and.reduce(near, axis=1)
    return same
