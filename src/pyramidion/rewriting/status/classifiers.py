"""Small classifiers that are applied with NumPy alone, and how they are written to JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pyramidion._types import Floats
from pyramidion.errors import InputError

__all__ = ["Classifier", "Linear", "Tree"]


@dataclass(frozen=True, slots=True)
class Linear:
    """A weighted sum of scaled features, turned into a probability.

    Parameters
    ----------
    features
        The numbers of the features that it looks at.
    centres, scales
        What is taken off each, and what the rest is divided by.
    weights, intercept
        The sum; above 0 the answer is yes.

    Examples
    --------
    >>> model = Linear((0,), (2.0,), (1.0,), (3.0,), 0.0)
    >>> model.probabilities(np.array([[2.0, 7.0], [4.0, 7.0]])).round(3).tolist()
    [0.5, 0.998]
    """

    features: tuple[int, ...]
    centres: tuple[float, ...]
    scales: tuple[float, ...]
    weights: tuple[float, ...]
    intercept: float

    def __post_init__(self) -> None:
        sizes = {len(self.features), len(self.centres), len(self.scales), len(self.weights)}
        if len(sizes) != 1 or not all(scale > 0 for scale in self.scales):
            raise InputError(
                "a weighted sum does not have a centre, a scale above 0 and a weight for each "
                "feature",
                hint="train it again",
            )

    def probabilities(self, table: Floats) -> Floats:
        """Give the probability of yes for each row of a table of features."""
        scaled = (table[:, self.features] - np.array(self.centres)) / np.array(self.scales)
        sums = scaled @ np.array(self.weights) + self.intercept
        # Beyond 30 a probability differs from 0 or 1 by less than one in ten billion.
        likely: Floats = 1 / (1 + np.exp(-np.clip(sums, -30, 30)))
        return likely

    def to_dict(self) -> dict[str, Any]:
        """Give what is written to a file."""
        return {
            "kind": "linear",
            "features": list(self.features),
            "centres": [round(value, 6) for value in self.centres],
            "scales": [round(value, 6) for value in self.scales],
            "weights": [round(value, 6) for value in self.weights],
            "intercept": round(self.intercept, 6),
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Read what `to_dict` gave."""
        return cls(
            tuple(content["features"]),
            tuple(map(float, content["centres"])),
            tuple(map(float, content["scales"])),
            tuple(map(float, content["weights"])),
            float(content["intercept"]),
        )


@dataclass(frozen=True, slots=True)
class Tree:
    """A decision tree; node 0 is its root.

    Parameters
    ----------
    features
        The feature that each node asks for; -1 for a leaf.
    limits
        Up to it an example goes left.
    left, right
        The nodes below.
    shares
        The share of yes among the training examples of each node.

    Examples
    --------
    >>> model = Tree((0, -1, -1), (2.5, 0.0, 0.0), (1, 0, 0), (2, 0, 0), (0.4, 0.1, 0.9))
    >>> model.probabilities(np.array([[2.0], [3.0]])).tolist()
    [0.1, 0.9]
    """

    features: tuple[int, ...]
    limits: tuple[float, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    shares: tuple[float, ...]

    def __post_init__(self) -> None:
        number = len(self.features)
        columns = (self.limits, self.left, self.right, self.shares)
        if not number or any(len(column) != number for column in columns) or not self._descends():
            raise InputError(
                "the nodes of a decision tree do not fit each other", hint="train it again"
            )

    def _descends(self) -> bool:
        """Tell whether every way down ends: nodes below have greater numbers."""
        return all(
            feature < 0 or node < min(low, high) <= max(low, high) < len(self.features)
            for node, (feature, low, high) in enumerate(
                zip(self.features, self.left, self.right, strict=True)
            )
        )

    def probabilities(self, table: Floats) -> Floats:
        """Give the share of yes in the leaf that each row of a table of features falls into."""
        nodes = np.zeros(len(table), dtype=np.int64)
        features, limits = np.array(self.features), np.array(self.limits)
        left, right = np.array(self.left), np.array(self.right)
        rows = np.arange(len(table))
        while (inner := features[nodes] >= 0).any():
            value = table[rows, np.maximum(features[nodes], 0)]
            below = np.where(value <= limits[nodes], left[nodes], right[nodes])
            nodes = np.where(inner, below, nodes)
        likely: Floats = np.array(self.shares)[nodes]
        return likely

    def written(self, names: Sequence[str], *, node: int = 0, depth: int = 0) -> list[str]:
        """Write the tree as lines, one a question or answer.

        Parameters
        ----------
        names
            What the features are called.
        node, depth
            Where to begin, and how far from the margin.
        """
        space = "  " * depth
        feature = self.features[node]
        if feature < 0:
            return [f"{space}{self.shares[node]:.2f}"]
        low = self.written(names, node=self.left[node], depth=depth + 1)
        high = self.written(names, node=self.right[node], depth=depth + 1)
        limit = f"{names[feature]} <= {self.limits[node]:g}"
        return [f"{space}{limit}:", *low, f"{space}otherwise:", *high]

    def to_dict(self) -> dict[str, Any]:
        """Give what is written to a file."""
        return {
            "kind": "tree",
            "features": list(self.features),
            "limits": [round(value, 6) for value in self.limits],
            "left": list(self.left),
            "right": list(self.right),
            "shares": [round(value, 6) for value in self.shares],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Self:
        """Read what `to_dict` gave."""
        names = ("features", "limits", "left", "right", "shares")
        return cls(*(tuple(content[name]) for name in names))


Classifier = Linear | Tree
