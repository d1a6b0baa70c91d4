"""A hidden Markov model of the sentences of a document that a summary takes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats, Ints
from pyramidion.errors import InputError

__all__ = ["SummaryHmm", "fit_hmm", "state_path"]

#: How many sentences the mean of all summary (or all other) sentences counts for in a state.
_SHRINKAGE = 10.0
_LEAST_LIKELY = 1e-300


@dataclass(frozen=True, slots=True)
class SummaryHmm:
    """A chain of states in which summary sentences (odd numbers) and others (even) alternate.

    From a state of other sentences the chain stays or goes to the next summary state; from a
    summary state it goes to the next one, or to the state of other sentences between them. The
    last two states go on for ever. A state emits a number about a sentence, normally
    distributed round the state's mean, with one variance for all.

    Parameters
    ----------
    initial
        How probable each state is for the first sentence.
    transitions
        How probable each state (column) is after each state (row).
    means, variance
        What the states emit.

    Examples
    --------
    >>> model = fit_hmm([([2.0, 0.0, 0.1], [True, False, False])] * 20, states=3)
    >>> model.posteriors([np.array([2.0, 0.0])])[0].round(2).tolist()
    [1.0, 0.0]
    """

    initial: tuple[float, ...]
    transitions: tuple[tuple[float, ...], ...]
    means: tuple[float, ...]
    variance: float

    def __post_init__(self) -> None:
        number = len(self.initial)
        shapes = [len(self.means), len(self.transitions), *map(len, self.transitions)]
        rows = np.array([self.initial, *self.transitions]) if {*shapes} == {number} else None
        if rows is None or number < 3 or number % 2 == 0:
            raise InputError(
                f"a model of {number} states does not fit its tables",
                hint="give an odd number of states from 3 on, a row and a mean for each",
            )
        if (rows < 0).any() or np.abs(rows.sum(axis=1) - 1).max() > 1e-4 or not self.variance > 0:
            raise InputError(
                "a model's probabilities must have the sum 1 and its variance must be above 0",
                hint="fit it again",
            )

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.initial)

    def posteriors(self, documents: Sequence[Floats]) -> list[Floats]:
        """Give the probability that each sentence is a summary sentence.

        Parameters
        ----------
        documents
            What was observed of the sentences of each document, in their order.
        """
        if not any(map(len, documents)):
            return [np.zeros(0) for _ in documents]
        likely = self._emissions(documents)
        both = self._forward(likely) * self._backward(likely)
        summary = both[..., 1::2].sum(axis=-1) / both.sum(axis=-1)
        return [summary[row, : len(own)] for row, own in enumerate(documents)]

    def _emissions(self, documents: Sequence[Floats]) -> Floats:
        """Give what each state says of each observation; after a document's end, 1."""
        lengths = np.array([len(own) for own in documents])
        there = np.arange(lengths.max()) < lengths[:, None]
        seen = np.zeros(there.shape)
        seen[there] = np.concatenate(list(documents))
        logs = -((seen[..., None] - np.array(self.means)) ** 2) / (2 * self.variance)
        likely = np.exp(logs - logs.max(axis=-1, keepdims=True))
        return np.where(there[..., None], np.maximum(likely, _LEAST_LIKELY), 1.0)

    def _forward(self, likely: Floats) -> Floats:
        steps = np.array(self.transitions)
        found = [_scaled(np.array(self.initial) * likely[:, 0])]
        for place in range(1, likely.shape[1]):
            found.append(_scaled((found[-1] @ steps) * likely[:, place]))
        return np.stack(found, axis=1)

    def _backward(self, likely: Floats) -> Floats:
        steps = np.array(self.transitions)
        found = [np.ones((len(likely), self.states))]
        for place in range(likely.shape[1] - 1, 0, -1):
            found.append(_scaled((found[-1] * likely[:, place]) @ steps.T))
        return np.stack(found[::-1], axis=1)


def _scaled(rows: Floats) -> Floats:
    """Let each row have the sum 1, so that long documents do not underflow."""
    scaled: Floats = rows / rows.sum(axis=1, keepdims=True)
    return scaled


def state_path(labels: npt.ArrayLike, states: int) -> Ints:
    """Give the state of each sentence of a document whose summary sentences are known.

    Parameters
    ----------
    labels
        Which sentences are summary sentences.
    states
        How many states there are.

    Examples
    --------
    >>> state_path([False, True, False, True, True, False], 5).tolist()
    [0, 1, 2, 3, 3, 4]
    """
    summary = np.asarray(labels, dtype=np.bool_)
    seen = np.minimum(np.cumsum(summary), states // 2)
    return np.where(summary, 2 * seen - 1, 2 * seen).astype(np.int64)


def fit_hmm(
    documents: Iterable[tuple[npt.ArrayLike, npt.ArrayLike]], *, states: int = 5
) -> SummaryHmm:
    """Estimate a model from documents whose summary sentences are known.

    Probabilities are shares of what occurred, with 1 added to what is possible. A state's mean is
    drawn to the mean of its kind, as if it had ten more sentences that are like it.

    Parameters
    ----------
    documents
        For each, what was observed of its sentences, and which are summary sentences.
    states
        How many states: an odd number, one more for other sentences than for summary sentences.

    Examples
    --------
    >>> model = fit_hmm([([1.0, 0.0], [True, False]), ([0.2, 0.9], [False, True])], states=3)
    >>> model.initial
    (0.5, 0.5, 0.0)
    """
    if states < 3 or states % 2 == 0:
        raise InputError(f"a model of {states} states", hint="give an odd number from 3 on")
    given = [(np.asarray(seen, float), np.asarray(labels, bool)) for seen, labels in documents]
    _require_labels(given)
    paths = [state_path(labels, states) for _, labels in given if len(labels)]
    seen = np.concatenate([np.zeros(0), *(own for own, _ in given)])
    of = np.concatenate([np.zeros(0, dtype=np.int64), *paths])
    if not ((of % 2 == 0).any() and (of % 2).any()):
        raise InputError(
            "a model needs summary sentences and others", hint="give more documents to learn from"
        )
    initial, steps = _possible(states)
    for path in paths:
        initial[path[0]] += 1
        np.add.at(steps, tuple(np.array(list(pairwise(path)), dtype=int).reshape(-1, 2).T), 1)
    means = _means(seen, of, states)
    variance = max(float(np.mean((seen - means[of]) ** 2)), 1e-6)
    return SummaryHmm(
        tuple((initial / initial.sum()).tolist()),
        tuple(map(tuple, (steps / steps.sum(axis=1, keepdims=True)).tolist())),
        tuple(means.tolist()),
        variance,
    )


def _require_labels(documents: Sequence[tuple[Floats, Bools]]) -> None:
    for number, (seen, labels) in enumerate(documents, start=1):
        if seen.ndim != 1 or seen.shape != labels.shape:
            raise InputError(
                f"document {number} has {seen.size} observations and {labels.size} labels",
                hint="give a number and a label for each sentence",
            )


def _possible(states: int) -> tuple[Floats, Floats]:
    """Mark with 1 where a document may begin and where the chain may go."""
    initial, steps = np.zeros(states), np.zeros((states, states))
    initial[:2] = 1
    last = states - 2
    for state in range(states):
        following = min(state + 1 if state % 2 == 0 else state + 2, last)
        between = state if state % 2 == 0 else state + 1
        steps[state, [following, between]] = 1
    return initial, steps


def _means(seen: Floats, of: Ints, states: int) -> Floats:
    numbers = np.bincount(of, minlength=states)
    sums = np.bincount(of, weights=seen, minlength=states)
    kinds = np.array([seen[of % 2 == kind].mean() for kind in (0, 1)])[np.arange(states) % 2]
    means: Floats = (sums + _SHRINKAGE * kinds) / (numbers + _SHRINKAGE)
    return means
