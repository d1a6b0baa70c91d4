"""Robust regression of every subset and target, a block of them at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats, Ints
from pyramidion.classy.search.careful import Soundness, fit_with_care
from pyramidion.classy.search.reweighting import Problem, Reweighted, Workspace, reweigh
from pyramidion.classy.search.scaled import Scaled, swept_block
from pyramidion.classy.search.subsets import Block, Masks, Members, Subsets
from pyramidion.classy.training import TrainingData
from pyramidion.stats.robust import RobustScale

__all__ = ["RobustFits", "fit_robust"]

# Fits that are made together, at most.
_TOGETHER = 96
# Coefficients of columns and targets of length 1 that are rounding noise: where most values of a
# target are the same, the others are ignored, and nothing depends on the features.
_NOISE = 1e-13


@dataclass(frozen=True, slots=True, eq=False)
class RobustFits:
    """Fits of some subsets to some targets, one row each.

    Attributes
    ----------
    masks, targets
        Which subset, which target.
    coefficients, intercepts
        Of the columns (0 for those that are not in), and the constant; NaN where there is no fit.
    iterations
        How often the fit was repeated; 50 where it did not settle before.
    """

    masks: Masks
    targets: Ints
    coefficients: Floats
    intercepts: Floats
    iterations: Ints


def fit_robust(
    data: TrainingData, subsets: Subsets, soundness: Soundness, *, scale: RobustScale = "matlab"
) -> Iterator[RobustFits]:
    """Fit subsets to every target, as `fit_linear` does with method ``robust``.

    All residuals of a block of subsets are one matrix product, and all weighted sums of products
    are another, of the weights with the products of pairs of columns. Where columns nearly
    depend on each other, from the start or once weights have fallen to 0, `fit_linear` itself is
    asked.

    Parameters
    ----------
    data
        To train on.
    subsets
        Of its columns.
    soundness
        Which subsets can be fitted.
    scale
        How the spread of residuals is measured.

    Examples
    --------
    >>> from pyramidion.classy.search.careful import judge_subsets
    >>> x = np.arange(8.0)
    >>> data = TrainingData(x[:, None], 2 * x + [0, 0.1, 0, 0.1, 0, 0.1, 0, 30])
    >>> subsets = Subsets.of(1, None)
    >>> fits = next(fit_robust(data, subsets, judge_subsets(data, subsets)))
    >>> fits.masks.tolist(), fits.coefficients.round(1).tolist()
    ([1], [[2.0]])
    """
    scaled = Scaled.of(data)
    products = scaled.products()
    targets, observations = scaled.targets.shape
    differ = _differing_groups(targets)
    workspace = Workspace(targets << min(differ, len(subsets.groups)), observations)
    for block in subsets.blocks(differ):
        chosen = soundness.sound[block.masks]
        if chosen.any():
            masks, tables = block.masks[chosen], swept_block(products, block)[chosen]
            problem = _problem(scaled, block, subsets.members(masks), tables)
            found = reweigh(problem, scale, workspace)
            fits = _in_original_units(scaled, block, masks, found)
            _mend(fits, np.flatnonzero(found.doubtful), data, subsets, scale)
            yield fits
    if len(soundness.doubtful):
        yield _with_care(data, subsets, soundness.doubtful, scale)


def _differing_groups(targets: int) -> int:
    """Give the number of groups in which the subsets of a block differ.

    Enough for matrix products to be fast, few enough that not many columns are multiplied for
    subsets that do not have them, and that a block stays in the processor's cache.
    """
    return max(1, int(np.log2(_TOGETHER / targets)))


def _problem(scaled: Scaled, block: Block, members: Members, tables: Floats) -> Problem:
    columns = np.array(block.columns)
    targets, observations = scaled.targets.shape
    inside = _with_constant(members[:, columns].astype(np.float64), 1.0)
    inverses = np.zeros((*inside.shape, len(columns) + 1))
    inverses[:, :-1, :-1] = -tables[:, columns[:, None], columns]
    inverses[:, -1, -1] = 1.0
    inverses *= inside[:, :, None] * inside[:, None, :]
    least_squares = tables[:, -targets:][:, :, columns].reshape(-1, len(columns))
    start = _with_constant(least_squares, 0.0) * np.repeat(inside, targets, axis=0)
    constant = observations**-0.5
    return Problem(
        columns=np.vstack([scaled.features[columns], np.full(observations, constant)]),
        targets=scaled.targets,
        members=inside,
        start=start,
        inverses=inverses,
        shift=np.append(-(scaled.feature_means / scaled.feature_lengths)[columns], constant),
        levels=scaled.target_means / scaled.target_lengths,
    )


def _with_constant(rows: Floats, value: float) -> Floats:
    return np.column_stack([rows, np.full(len(rows), value)])


def _in_original_units(scaled: Scaled, block: Block, masks: Masks, found: Reweighted) -> RobustFits:
    count, observations = scaled.targets.shape
    targets = np.tile(np.arange(count), len(masks))
    lengths = scaled.target_lengths[targets]
    coefficients = np.zeros((len(targets), len(scaled.features)))
    counts = np.abs(found.fits[:, :-1]) > _NOISE
    coefficients[:, block.columns] = counts * found.fits[:, :-1] * lengths[:, None]
    coefficients /= scaled.feature_lengths
    constants = found.fits[:, -1] * lengths / np.sqrt(observations)
    return RobustFits(
        masks=np.repeat(masks, count),
        targets=targets,
        coefficients=coefficients,
        intercepts=scaled.target_means[targets] + constants - coefficients @ scaled.feature_means,
        iterations=found.iterations,
    )


def _mend(
    fits: RobustFits, rows: Ints, data: TrainingData, subsets: Subsets, scale: RobustScale
) -> None:
    """Put careful fits in the place of some rows."""
    members = subsets.members(fits.masks[rows])
    which = zip(members, fits.targets[rows].tolist(), strict=True)
    fits.coefficients[rows], fits.intercepts[rows], fits.iterations[rows] = fit_with_care(
        "robust", data, which, scale=scale
    )


def _with_care(
    data: TrainingData, subsets: Subsets, masks: Masks, scale: RobustScale
) -> RobustFits:
    count = data.targets.shape[1]
    targets = np.tile(np.arange(count), len(masks))
    masks = np.repeat(masks, count)
    which = zip(subsets.members(masks), targets.tolist(), strict=True)
    return RobustFits(masks, targets, *fit_with_care("robust", data, which, scale=scale))
