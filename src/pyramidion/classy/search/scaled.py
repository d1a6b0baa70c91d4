"""Training data in units in which sums of products lose few digits."""

from dataclasses import dataclass

import numpy as np

from pyramidion._types import Floats
from pyramidion.classy.search.subsets import Block
from pyramidion.classy.search.sweeps import sweep, sweep_subsets
from pyramidion.classy.training import TrainingData

__all__ = ["Scaled", "scaled_columns", "swept_block"]


@dataclass(frozen=True, slots=True, eq=False)
class Scaled:
    """Features and targets without their means and of length 1.

    Attributes
    ----------
    features, targets
        One a row.
    feature_means, feature_lengths, target_means, target_lengths
        What was taken out.

    Examples
    --------
    >>> scaled = Scaled.of(TrainingData([[1], [3]], [5, 9]))
    >>> (scaled.features * 2**0.5).round(6).tolist(), scaled.target_means.tolist()
    ([[-1.0, 1.0]], [7.0])
    """

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
        """Give the sums of products of all features and targets, which are their correlations.

        Examples
        --------
        >>> Scaled.of(TrainingData([[1], [3], [2]], [5, 9, 8])).products().round(2).tolist()
        [[1.0, 0.96], [0.96, 1.0]]
        """
        rows = np.concatenate([self.features, self.targets])
        products: Floats = rows @ rows.T
        return products


def scaled_columns(columns: Floats) -> tuple[Floats, Floats]:
    """Turn columns into rows of length 1, and give the lengths they had.

    Examples
    --------
    >>> scaled_columns(np.array([[3.0, 0.0], [4.0, 2.0]]))[1].tolist()
    [5.0, 2.0]
    """
    lengths = np.linalg.norm(columns, axis=0)
    return np.ascontiguousarray((columns / lengths).T), lengths


def swept_block(products: Floats, block: Block) -> Floats:
    """Sweep sums of products on each subset of a block.

    Examples
    --------
    >>> from pyramidion.classy.search.subsets import Subsets
    >>> block = next(Subsets.of(1, None).blocks(1))
    >>> swept_block(np.array([[1.0, 0.5], [0.5, 1.0]]), block).tolist()[1]
    [[-1.0, 0.5], [0.5, 0.75]]
    """
    return sweep_subsets(sweep(products, block.always), block.sometimes)
