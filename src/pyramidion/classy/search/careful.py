"""Fits one at a time, for the subsets that sums of products cannot tell enough about."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from pyramidion._types import Floats, Ints
from pyramidion.classy.fits import FitMethod, LinearFit, fit_linear
from pyramidion.classy.search.scaled import Scaled, swept_block
from pyramidion.classy.search.subsets import Masks, Members, Subsets
from pyramidion.classy.search.sweeps import inflation
from pyramidion.classy.training import TrainingData
from pyramidion.errors import InputError
from pyramidion.stats.robust import RobustScale

__all__ = ["Soundness", "fit_with_care", "has_full_rank", "judge_subsets"]

# Where a variance is inflated by more than this, sums of products leave too few digits.
_MOST_INFLATION = 1e5
# Subsets that are swept together differ in this many groups.
_DIFFER = 12


@dataclass(frozen=True, slots=True, eq=False)
class Soundness:
    """Which subsets can be fitted how, for methods that have a constant.

    Attributes
    ----------
    sound
        For each number of a subset, from 0 on, whether sums of products suffice; never 0.
    doubtful
        Subsets whose columns nearly depend on each other, to be fitted one at a time. Those that
        are neither have columns that do depend on each other, so that there is no fit.
    """

    sound: Members
    doubtful: Masks


def judge_subsets(data: TrainingData, subsets: Subsets) -> Soundness:
    """Find the subsets whose columns depend on each other, or nearly do.

    Examples
    --------
    >>> data = TrainingData([[1, 2, 5], [2, 4, 1], [3, 6, 2], [4, 8, 2]], [1, 2, 3, 4])
    >>> found = judge_subsets(data, Subsets.of(3, None))
    >>> np.flatnonzero(found.sound).tolist(), found.doubtful.tolist()
    ([1, 2, 4, 5, 6], [])
    """
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
    """Tell whether columns and a constant are independent, as `robust_regression` does.

    Examples
    --------
    >>> has_full_rank(np.array([[1.0], [2.0], [3.0]]))
    True
    >>> has_full_rank(np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]))
    False
    """
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
    """Fit columns to targets one after the other with `fit_linear`.

    Parameters
    ----------
    method
        The method.
    data
        To train on.
    fits
        Which columns, which target.
    scale
        Of robust regression.

    Returns
    -------
    coefficients, intercepts
        One row a fit; NaN where there is none.
    iterations
        Of robust regression; 0 where there is no fit.

    Examples
    --------
    >>> data = TrainingData([[1, 2], [2, 4], [3, 6], [4, 8]], [1, 2, 3, 5])
    >>> both = np.array([True, True])
    >>> fit_with_care("canon", data, [(both, 0)])[0].tolist()
    [[nan, nan]]
    """
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
