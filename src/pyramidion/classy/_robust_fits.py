"""Robust regression of every subset and target."""

from collections.abc import Iterator

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.classy._subset_fits import (
    Fits,
    Masks,
    Scaled,
    Subsets,
    eliminate,
    fit_with_care,
    swept_block,
)
from pyramidion.classy._table import TrainingData
from pyramidion.stats._regression import RobustScale

# Matrix products of long rows, cut so that they stay on one thread.
#
# OpenBLAS wakes its threads for products above 4 * 65,536 multiplications. When other programs
# use the processor too, their waiting takes several times the processor time of the work itself.

_ONE_THREAD = 1 << 18


class LongRows:
    """Rows of numbers that are multiplied with many others of the same length."""

    def __init__(self, rows: Floats, *, others: int) -> None:
        count, length = rows.shape
        self._step = min(length, max(1, _ONE_THREAD // (count * others)))
        self._cut = length - length % self._step
        pieces = rows[:, : self._cut].reshape(count, -1, self._step)
        # Products of each kind are fastest in an order of their own.
        self._pieces = np.ascontiguousarray(pieces.transpose(1, 0, 2))
        self._upright = np.ascontiguousarray(pieces.transpose(1, 2, 0))
        self._rest = rows[:, self._cut :]

    def dot(self, others: Floats) -> Floats:
        """Multiply each row with each other row and add up: rows x others."""
        products = np.matmul(self._cut_up(others), self._upright).sum(axis=0).T
        return np.ascontiguousarray(products) + self._rest @ others[:, self._cut :].T

    def combine(self, factors: Floats, out: Floats) -> Floats:
        """Add up the rows, each times a factor, for each row of factors."""
        np.matmul(factors, self._pieces, out=self._cut_up(out))
        np.matmul(factors, self._rest, out=out[:, self._cut :])
        return out

    def _cut_up(self, others: Floats) -> Floats:
        pieces = others[:, : self._cut].reshape(len(others), len(self._pieces), self._step)
        return pieces.transpose(1, 0, 2)


def middle_values(rows: Floats, dropped: Ints | int = 0) -> Floats:
    """Give the two values in the middle of each row without its smallest ones."""
    ordered, dropped = np.sort(rows, axis=1), np.broadcast_to(dropped, len(rows))
    rest = rows.shape[1] - dropped
    places = np.stack([dropped + (rest - 1) // 2, dropped + rest // 2])
    return np.asarray(ordered[np.arange(len(rows)), places])


# Iteratively reweighted least squares of many subsets of a few columns at once.

# As in pyramidion.stats._regression, whose results these are.
MOST_REFITS = 50
_TUNE, _NORMAL_MAD, _MOST_LEVERAGE, _LEAST_SCALE = 4.685, 0.6745, 0.9999, 1e-6
_TOLERANCE = float(np.sqrt(np.finfo(np.float64).eps))
# A pivot below this share of a column's sum of squares leaves too few digits.
_LEAST_PIVOT = 1e-8


class Workspace:
    """Room for residuals and weights that is used again and again."""

    def __init__(self, fits: int, observations: int) -> None:
        self.residuals = np.empty((fits, observations))
        self.squares = np.empty((fits, observations))


class _Reweighting:
    """Fits of subsets of a few columns to every target: all targets of a subset, then the next.

    What stands in a row belongs to a fit that has not settled yet.
    """

    def __init__(
        self,
        scaled: Scaled,
        columns: Ints,
        members: Bools,
        tables: Floats,
        scale: RobustScale,
        workspace: Workspace,
    ) -> None:
        targets, observations = scaled.targets.shape
        constant = observations**-0.5
        rows = np.vstack([scaled.features[columns], np.full(observations, constant)])
        inside = _with_constant(members[:, columns].astype(np.float64), 1.0)
        first, second = np.triu_indices(len(rows))
        self._pair_of = np.empty((len(rows), len(rows)), dtype=np.intp)
        self._pair_of[first, second] = self._pair_of[second, first] = np.arange(len(first))
        fits = len(inside) * targets
        self._columns = LongRows(rows, others=fits)
        self._rows = LongRows(np.concatenate([rows, scaled.targets]), others=fits)
        self._pairs = LongRows(rows[first] * rows[second], others=fits)
        shift = -(scaled.feature_means / scaled.feature_lengths)[columns]
        self._shift, self._work = np.append(shift, constant), workspace

        self._row = np.arange(fits)
        self._members = np.repeat(inside, targets, axis=0)
        least_squares = tables[:, -targets:][:, :, columns].reshape(-1, len(columns))
        self._fits = _with_constant(least_squares, 0.0) * self._members
        self._outcome = np.tile(np.eye(targets), (len(inside), 1))
        self._level = np.tile(scaled.target_means / scaled.target_lengths, len(inside))
        inverses = np.zeros((*inside.shape, len(rows)))
        inverses[:, :-1, :-1] = -tables[:, columns[:, None], columns]
        inverses[:, -1, -1] = 1.0
        inverses *= inside[:, :, None] * inside[:, None, :]
        leverages = self._pairs.combine(
            inverses[:, first, second] * np.where(first == second, 1.0, 2.0),
            np.empty((len(inside), observations)),
        )
        loosened = 1 / (1 - np.minimum(leverages, _MOST_LEVERAGE))
        self._loosened = np.repeat(loosened, targets, axis=0)

        self._least_scale = _LEAST_SCALE / np.sqrt(observations - 1)
        self._about_median = scale == "text"
        self._dropped = self._members.sum(axis=1).astype(np.int64) - (not self._about_median)

    def run(self) -> tuple[Floats, Ints, Bools]:
        """Repeat all fits until each has settled; count how often, and tell which are doubtful."""
        fits = self._fits.copy()
        iterations = np.zeros(len(fits), dtype=np.int64)
        doubtful = np.zeros(len(fits), dtype=np.bool_)
        while len(self._row):
            settled, pivots = self._refit()
            iterations[self._row] += 1
            failed = pivots < _LEAST_PIVOT
            done = settled | failed | (iterations[self._row] == MOST_REFITS)
            fits[self._row[done]] = self._fits[done]
            doubtful[self._row[failed]] = True
            self._drop(done)
        return fits, iterations, doubtful

    def _refit(self) -> tuple[Bools, Floats]:
        """Fit once more; tell which fits have settled, and their smallest pivots."""
        factors = np.concatenate([-self._fits, self._outcome], axis=1)
        residuals = self._rows.combine(factors, self._work.residuals[: len(self._row)])
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
        previous, self._fits = self._fits, self._fits + change.T
        return _same(self._unshifted(self._fits), self._unshifted(previous)), pivots

    def _weights(self, residuals: Floats) -> tuple[Floats, Floats]:
        """Give bisquare weights, and by what each fit's are to be multiplied."""
        squares = self._work.squares[: len(self._row)]
        if self._about_median:
            center = middle_values(residuals).mean(axis=0)
            np.square(residuals - center[:, None], out=squares)
            middle = middle_values(squares, self._dropped)
        np.square(residuals, out=squares)
        squares *= self._loosened
        if not self._about_median:
            middle = middle_values(squares, self._dropped)
        spread = np.sqrt(middle).mean(axis=0)
        reach = np.square(_TUNE * np.maximum(spread / _NORMAL_MAD, self._least_scale))
        # One pass over all of them less than with weights up to 1.
        np.minimum(squares, reach[:, None], out=squares)
        squares -= reach[:, None]
        return np.square(squares, out=squares), 1 / np.square(reach)

    def _unshifted(self, fits: Floats) -> Floats:
        """Replace the constant by that of the original data."""
        return np.column_stack([fits[:, :-1], fits @ self._shift + self._level])

    def _drop(self, done: Bools) -> None:
        """Go on with those that are not done."""
        if not done.any():
            return
        rest = ~done
        self._row, self._fits = self._row[rest], self._fits[rest]
        self._members, self._outcome = self._members[rest], self._outcome[rest]
        self._level, self._loosened = self._level[rest], self._loosened[rest]
        self._dropped = self._dropped[rest]


def _same(fits: Floats, previous: Floats) -> Bools:
    largest = np.maximum(np.abs(fits), np.abs(previous))
    near = np.abs(fits - previous) <= _TOLERANCE * largest
    same: Bools = np.logical_and.reduce(near, axis=1)
    return same


# Robust regression of every subset and target, a block of them at a time.

# Fits that are made together, at most.
_TOGETHER = 96
# Coefficients of columns and targets of length 1 that are rounding noise: where most values of a
# target are the same, the others are ignored, and nothing depends on the features.
_NOISE = 1e-13


def fit_robust(
    data: TrainingData,
    subsets: Subsets,
    sound: Bools,
    doubtful: Masks,
    scale: RobustScale = "matlab",
) -> Iterator[Fits]:
    """Fit subsets to every target, as `fit_linear` does with method ``robust``.

    All residuals of a block of subsets are one matrix product, and all weighted sums of products
    are another, of the weights with the products of pairs of columns. Where columns nearly
    depend on each other, from the start or once weights have fallen to 0, `fit_linear` itself is
    asked.
    """
    scaled = Scaled.of(data)
    products = scaled.products()
    targets, observations = scaled.targets.shape
    # Enough groups for matrix products to be fast, few enough that not many columns are multiplied
    # for subsets that do not have them, and that a block stays in the processor's cache.
    differ = max(1, int(np.log2(_TOGETHER / targets)))
    workspace = Workspace(targets << min(differ, len(subsets.groups)), observations)
    for block in subsets.blocks(differ):
        chosen = sound[block.masks]
        if chosen.any():
            masks, tables = block.masks[chosen], swept_block(products, block)[chosen]
            columns, members = np.array(block.columns), subsets.members(masks)
            search = _Reweighting(scaled, columns, members, tables, scale, workspace)
            fits, refits, doubt = search.run()
            for target in range(targets):
                own, failed = slice(target, None, targets), doubt[target::targets]
                coefficients, intercepts = _in_original_units(scaled, columns, target, fits[own])
                care = fit_with_care("robust", data, subsets, masks[failed], target, scale)
                coefficients[failed], intercepts[failed] = care.coefficients, care.intercepts
                refits[own][failed] = care.iterations
                yield Fits(np.array([target]), masks, coefficients, intercepts, refits[own])
    if len(doubtful):
        for target in range(targets):
            yield fit_with_care("robust", data, subsets, doubtful, target, scale)


def _with_constant(rows: Floats, value: float) -> Floats:
    return np.column_stack([rows, np.full(len(rows), value)])


def _in_original_units(
    scaled: Scaled, columns: Ints, target: int, fits: Floats
) -> tuple[Floats, Floats]:
    """Give the coefficients of all features, and the constants."""
    length, observations = scaled.target_lengths[target], scaled.targets.shape[1]
    coefficients = np.zeros((len(fits), len(scaled.features)))
    counts = np.abs(fits[:, :-1]) > _NOISE
    coefficients[:, columns] = counts * fits[:, :-1] * length
    coefficients /= scaled.feature_lengths
    constants = fits[:, -1] * length / np.sqrt(observations)
    means = scaled.target_means[target] - coefficients @ scaled.feature_means
    return coefficients, constants + means
