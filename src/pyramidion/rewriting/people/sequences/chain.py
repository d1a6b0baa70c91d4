"""A Markov chain of mentions: the form of the first, and what follows each form."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.errors import InputError, ShapeError
from pyramidion.rewriting.people.sequences.limits import LimitingDistribution, limiting_distribution

__all__ = ["MarkovChain", "require_addition", "shares"]


@dataclass(frozen=True, slots=True, eq=False)
class MarkovChain:
    """A Markov chain.

    Parameters
    ----------
    feature
        What the states are states of.
    states
        What they are called.
    initial
        The probability of each for a first mention; NaN if there is none.
    transitions
        From each state (row) to each other; a row of NaN where nothing is known to follow.
    initial_counts, transition_counts
        What they were counted from; nothing for a chain that was printed.

    Examples
    --------
    >>> chain = MarkovChain.of_counts("name form", ("full", "last"), [9, 1], [[1, 3], [0, 4]])
    >>> chain.initial.tolist(), chain.transitions.tolist()
    ([0.9, 0.1], [[0.25, 0.75], [0.0, 1.0]])
    >>> chain.limit().as_dict()
    {'full': 0.0, 'last': 1.0}
    """

    feature: str
    states: tuple[str, ...]
    initial: Floats
    transitions: Floats
    initial_counts: Floats | None = None
    transition_counts: Floats | None = None

    def __post_init__(self) -> None:
        size = len(self.states)
        if self.initial.shape != (size,) or self.transitions.shape != (size, size):
            raise ShapeError(
                f"the chain of {self.feature} has {size} states, but probabilities of shape "
                f"{self.initial.shape} and {self.transitions.shape}",
                hint="give one a state, and a row a state",
            )

    @classmethod
    def of_counts(
        cls,
        feature: str,
        states: tuple[str, ...],
        initial: npt.ArrayLike,
        transitions: npt.ArrayLike,
        *,
        add: float = 0.0,
    ) -> "MarkovChain":
        """Make a chain of counts.

        Parameters
        ----------
        feature, states
            What is counted.
        initial
            How many first mentions are in each state.
        transitions
            How often each state (row) is followed by each other.
        add
            Add so much to each count, so that nothing is impossible.
        """
        firsts = np.asarray(initial, dtype=np.float64)
        followed = np.asarray(transitions, dtype=np.float64)
        return cls(feature, states, shares(firsts, add), shares(followed, add), firsts, followed)

    def limit(self) -> LimitingDistribution:
        """Compute where the chain settles, or tell why it does not."""
        return limiting_distribution(self.states, self.transitions)


def shares(counts: Floats, add: float = 0.0) -> Floats:
    """Divide counts by their sum over the last axis; NaN where there is nothing.

    Parameters
    ----------
    counts
        Counts.
    add
        Add so much to each.

    Examples
    --------
    >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
    [[0.25, 0.75], [nan, nan]]
    """
    raised = counts + require_addition(add)
    total = raised.sum(axis=-1, keepdims=True)
    nothing = np.full(raised.shape, np.nan)
    divided: Floats = np.divide(raised, total, out=nothing, where=total > 0)
    return divided


def require_addition(add: float) -> float:
    """Check what is added to counts.

    Examples
    --------
    >>> require_addition(-1)
    Traceback (most recent call last):
    pyramidion.errors.InputError: -1 is added to each count; give 0 or more
    """
    if not 0 <= add < np.inf:
        raise InputError(f"{add} is added to each count", hint="give 0 or more")
    return float(add)
