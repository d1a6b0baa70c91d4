"""The stratified model: the form of a mention from its number, first to fifth."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.rewriting.people.sequences.chain import shares

__all__ = ["PLACES", "StratifiedModel"]

#: The mentions that are modelled, each for itself.
PLACES = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True, eq=False)
class StratifiedModel:
    r"""The probability of each state given the number of the mention, :math:`P(SF \mid m)`.

    Parameters
    ----------
    feature
        What the states are states of.
    states
        What they are called.
    probabilities
        A row for each of the `PLACES`; NaN where there is no such mention.
    counts
        What they were counted from; nothing for a model that was printed.

    Examples
    --------
    >>> counts = [[9, 1], [1, 3], [0, 2], [0, 1], [0, 0]]
    >>> StratifiedModel.of_counts("name form", ("full", "last"), counts).probabilities[1].tolist()
    [0.25, 0.75]
    """

    feature: str
    states: tuple[str, ...]
    probabilities: Floats
    counts: Floats | None = None

    @classmethod
    def of_counts(
        cls, feature: str, states: tuple[str, ...], counts: npt.ArrayLike, *, add: float = 0.0
    ) -> "StratifiedModel":
        """Make a model of counts.

        Parameters
        ----------
        feature, states
            What is counted.
        counts
            For each of the `PLACES` how many mentions are in each state.
        add
            Add so much to each count, so that nothing is impossible.
        """
        there = np.asarray(counts, dtype=np.float64)
        return cls(feature, states, shares(there, add), there)
