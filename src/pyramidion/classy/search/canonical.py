"""Canonical correlation of every subset with all targets."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy.search.careful import Soundness, fit_with_care
from pyramidion.classy.search.scaled import Scaled, swept_block
from pyramidion.classy.search.subsets import Masks, Members, Subsets
from pyramidion.classy.training import TrainingData

__all__ = ["CanonicalFits", "fit_canonical"]

# Subsets that are swept together differ in this many groups.
_DIFFER = 12


@dataclass(frozen=True, slots=True, eq=False)
class CanonicalFits:
    """The first canonical variates of some subsets.

    Attributes
    ----------
    masks
        Which subsets.
    coefficients
        Subsets x columns, 0 for columns that are not in; but for a positive factor.
    directions
        Subsets x targets: 1, or -1 where the variate falls as the target rises.
    """

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

    Parameters
    ----------
    data
        To train on; the targets do not depend on each other.
    subsets
        Of its columns.
    soundness
        Which subsets can be fitted.

    Examples
    --------
    >>> from pyramidion.classy.search.careful import judge_subsets
    >>> data = TrainingData([[1, 0], [2, 1], [3, 1], [4, 0], [5, 2]], [1, 2, 4, 3, 5])
    >>> subsets = Subsets.of(2, None)
    >>> fits = next(fit_canonical(data, subsets, judge_subsets(data, subsets)))
    >>> (fits.coefficients[2] / fits.coefficients[2, 0]).round(4).tolist()
    [1.0, 0.9848]
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
