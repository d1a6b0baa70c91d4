"""Robust regression of every subset and target, a block of them at a time."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion.classy.search.reweighting import Problem, Workspace, reweigh
from pyramidion.classy.search.scaled import Scaled, swept_block
from pyramidion.classy.search.subsets import Block, Masks, Members, Subsets
from pyramidion.stats.inputs import Floats
from pyramidion.stats.robust import RobustScale

__all__ = ["RobustFits", "fit_robust"]

# Subsets of a block differ in this many groups: enough for matrix products to be fast, few
# enough that not many columns are multiplied for subsets that do not have them.
_DIFFER = 5

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class RobustFits:
    """Fits of some subsets to some targets, one row each.

    Attributes
    ----------
    masks, targets
        Which subset, which target.
    coefficients, intercepts
        Of the columns (0 for those that are not in), and the constant.
    iterations
        How often the fit was repeated; 50 where it did not settle before.
    doubtful
        Where columns nearly depended on each other once weights had fallen to 0; the fit is of
        no use.
    """

    masks: Masks
    targets: Ints
    coefficients: Floats
    intercepts: Floats
    iterations: Ints
    doubtful: Members


def fit_robust(
    scaled: Scaled, subsets: Subsets, wanted: Members, *, scale: RobustScale = "matlab"
) -> Iterator[RobustFits]:
    """Fit subsets to every target, as `robust_regression` with a constant does.

    All residuals of a block of subsets are one matrix product, and all weighted sums of products
    are another, of the weights with the products of pairs of columns.

    Parameters
    ----------
    scaled
        The training data.
    subsets
        Of its columns.
    wanted
        For each number of a subset, from 0 on, whether to fit it.
    scale
        How the spread of residuals is measured.

    Examples
    --------
    >>> from pyramidion.classy.training import TrainingData
    >>> x = np.arange(8.0)
    >>> data = TrainingData(x[:, None], 2 * x + [0, 0.1, 0, 0.1, 0, 0.1, 0, 30])
    >>> wanted = np.array([False, True])
    >>> fits = next(fit_robust(Scaled.of(data), Subsets.of(1, None), wanted))
    >>> fits.masks.tolist(), fits.coefficients.round(1).tolist()
    ([1], [[2.0]])
    """
    targets, observations = scaled.targets.shape
    workspace = Workspace(targets << min(_DIFFER, len(subsets.groups)), observations)
    products = scaled.products()
    for block in subsets.blocks(_DIFFER):
        chosen = wanted[block.masks]
        if chosen.any():
            tables = swept_block(products, block)[chosen]
            problem = _problem(scaled, block, subsets.members(block.masks[chosen]), tables)
            found = reweigh(problem, scale, workspace)
            which = np.tile(np.arange(targets), len(tables))
            coefficients, intercepts = _in_original_units(scaled, block, found.fits, which)
            yield RobustFits(
                masks=np.repeat(block.masks[chosen], targets),
                targets=which,
                coefficients=coefficients,
                intercepts=intercepts,
                iterations=found.iterations,
                doubtful=found.doubtful,
            )


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


def _in_original_units(
    scaled: Scaled, block: Block, fits: Floats, targets: Ints
) -> tuple[Floats, Floats]:
    lengths, means = scaled.target_lengths[targets], scaled.target_means[targets]
    coefficients = np.zeros((len(fits), len(scaled.features)))
    coefficients[:, block.columns] = fits[:, :-1] * lengths[:, None]
    coefficients /= scaled.feature_lengths
    constant = fits[:, -1] * lengths / np.sqrt(scaled.targets.shape[1])
    return coefficients, means + constant - coefficients @ scaled.feature_means
