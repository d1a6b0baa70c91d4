"""Where a Markov chain settles: its limiting distribution, or why it has none."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np

from pyramidion._types import Bools, Floats

__all__ = ["LimitingDistribution", "limiting_distribution", "long_run"]

# A smaller determinant belongs to a chain that falls apart.
_SINGULAR = 1e-10

_NOTHING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class LimitingDistribution:
    """The share of each state in the long run.

    Parameters
    ----------
    states
        The states.
    probabilities
        Their shares, NaN where they cannot be told.
    problem
        Why this is no limit, if it is none.
    left
        States that mentions leave for ever though some came there: their share is 0, perhaps
        for want of data only.

    Examples
    --------
    >>> found = limiting_distribution(["rain", "sun"], np.array([[0.5, 0.5], [0.25, 0.75]]))
    >>> found.as_dict()
    {'rain': 0.333..., 'sun': 0.666...}
    """

    states: tuple[str, ...]
    probabilities: Floats
    problem: str = ""
    left: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, float]:
        """Give the probability of each state by its name."""
        return dict(zip(self.states, self.probabilities.tolist(), strict=True))


def limiting_distribution(states: Sequence[str], transitions: Floats) -> LimitingDistribution:
    """Compute where a chain settles, or tell why it does not.

    Parameters
    ----------
    states
        What the states are called.
    transitions
        From each state (row) to each other; a row of NaN where nothing is known to follow.

    Examples
    --------
    >>> limiting_distribution(["a", "b"], np.array([[0.0, 1], [1, 0]])).problem
    'each state returns only after a multiple of 2 mentions: shares in the long run, no limit'
    >>> limiting_distribution(["a", "b"], np.eye(2)).problem
    'it falls apart: a mention stays among a or among b for ever'
    >>> limiting_distribution(["a", "b"], np.array([[0.5, 0.5], [0, 1]])).left
    ('a',)
    """
    names = tuple(states)
    shares = long_run(transitions[np.newaxis])[0]
    entered = np.nansum(transitions, axis=0) > 0
    left = tuple(names[n] for n in np.flatnonzero(entered & (shares == 0)))
    return LimitingDistribution(names, shares, _problem(names, transitions), left)


def long_run(matrices: Floats) -> Floats:
    r"""Solve many chains at once for the shares of their states in the long run.

    They are the :math:`\pi` with :math:`\pi (I - P + E) = 1`, where all entries of E are 1,
    which has one solution if and only if one group of states is never left.

    Parameters
    ----------
    matrices
        Chains x states x states; rows of NaN where nothing is known to follow a state.

    Returns
    -------
    numpy.ndarray
        Chains x states: NaN for a chain that falls apart, or that can come to a state which
        nothing is known to follow.

    Examples
    --------
    >>> long_run(np.array([[[0.0, 1], [1, 0]], [[1, 0], [0, 1]]])).tolist()
    [[0.5, 0.5], [nan, nan]]
    """
    known = _known(matrices)
    filled, open_ended = _filled(matrices, known)
    size = matrices.shape[1]
    system = np.eye(size) - filled + 1
    sound = ~open_ended & known.any(axis=1) & (np.abs(np.linalg.det(system)) > _SINGULAR)
    system[~sound] = np.eye(size)
    shares = np.linalg.solve(np.swapaxes(system, 1, 2), np.ones((len(system), size, 1)))[..., 0]
    # What is not exactly 0 for a state that is left for ever is a rounding error.
    settled = np.where(shares > _NOTHING, shares, 0.0)
    return np.where(sound[:, np.newaxis], settled, np.nan)


def _known(matrices: Floats) -> Bools:
    return np.asarray(np.isfinite(matrices).all(axis=-1), dtype=np.bool_)


def _filled(matrices: Floats, known: Bools) -> tuple[Floats, Bools]:
    """Let states that nothing leads to go to the others; tell which chains lead to unknown ones."""
    rows = np.where(known[..., np.newaxis], matrices, 0.0)
    open_ended = ((rows.sum(axis=1) > 0) & ~known).any(axis=1)
    others = known / np.maximum(known.sum(axis=1, keepdims=True), 1)
    return np.where(known[..., np.newaxis], matrices, others[:, np.newaxis]), open_ended


def _problem(states: tuple[str, ...], transitions: Floats) -> str:
    known = _known(transitions)
    if not known.any():
        return "nobody is mentioned twice, so nothing is known to follow"
    edges = np.where(known[:, np.newaxis], transitions, 0) > 0
    dead = [states[n] for n in np.flatnonzero(edges.any(axis=0) & ~known)]
    if dead:
        return f"nothing ever followed {_listed(dead)}"
    closed = _closed_groups(edges, known)
    if len(closed) > 1:
        groups = " or among ".join(_listed([states[n] for n in own]) for own in closed)
        return f"it falls apart: a mention stays among {groups} for ever"
    period = _period(edges, closed[0])
    if period > 1:
        return (
            f"each state returns only after a multiple of {period} mentions: shares in the long "
            "run, no limit"
        )
    return ""


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _closed_groups(edges: Bools, known: Bools) -> list[tuple[int, ...]]:
    """Find groups of states that reach each other and nothing else."""
    reach = edges | np.eye(len(edges), dtype=np.bool_)
    for _ in range(len(edges)):
        reach = reach @ reach
    mutual = reach & reach.T
    groups = {tuple(np.flatnonzero(mutual[n]).tolist()): n for n in np.flatnonzero(known)}
    return [own for own, n in groups.items() if (reach[n] == mutual[n]).all()]


def _period(edges: Bools, group: Sequence[int]) -> int:
    """Give the greatest common divisor of the lengths of all ways back."""
    depth = {group[0]: 0}
    waiting = [group[0]]
    period = 0
    for state in waiting:
        for following in np.flatnonzero(edges[state]).tolist():
            if following in depth:
                period = gcd(period, depth[state] + 1 - depth[following])
            else:
                depth[following] = depth[state] + 1
                waiting.append(following)
    return abs(period)
