"""Markov chains: limiting distributions, and the limits that rounded tables allow."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, ShapeError

# Below this determinant a chain has several closed groups of states.
_MIN_DETERMINANT = 1e-10

# Shares below this are rounding errors.
_MIN_SHARE = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class LimitingDistribution:
    """The share of each state in the long run; NaN if unknown.

    `problem` explains why there is no limit, if there is none; `left` lists transient states.
    """

    states: tuple[str, ...]
    probabilities: Floats
    problem: str = ""
    left: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, float]:
        """Return the probabilities by the names of states."""
        return dict(zip(self.states, self.probabilities.tolist(), strict=True))


def long_run(matrices: Floats) -> Floats:
    r"""Compute the long-run shares of states for many chains at once.

    They solve :math:`\pi (I - P + E) = 1`, where all entries of E are 1; the solution is unique if
    and only if the chain has one closed group of states.
    """
    is_known = np.logical_and.reduce(np.isfinite(matrices), axis=-1)
    rows = np.where(is_known[..., np.newaxis], matrices, 0.0)
    # Chains that lead to unknown states have no answer. Unknown states that nothing leads to
    # are made to lead to the known ones.
    leads_to_unknown = ((rows.sum(axis=1) > 0) & ~is_known).any(axis=1)
    uniform_shares = is_known / np.maximum(is_known.sum(axis=1, keepdims=True), 1)
    stopped_matrices = np.where(is_known[..., np.newaxis], matrices, uniform_shares[:, np.newaxis])
    size = matrices.shape[1]
    system = np.eye(size) - stopped_matrices + 1
    is_solvable = (
        ~leads_to_unknown
        & is_known.any(axis=1)
        & (np.abs(np.linalg.det(system)) > _MIN_DETERMINANT)
    )
    system[~is_solvable] = np.eye(size)
    shares = np.linalg.solve(np.swapaxes(system, 1, 2), np.ones((len(system), size, 1)))[..., 0]
    cleaned_shares = np.where(shares > _MIN_SHARE, shares, 0.0)
    return np.where(is_solvable[:, np.newaxis], cleaned_shares, np.nan)


def _problem(states: tuple[str, ...], transitions: Floats) -> str:
    is_known = np.logical_and.reduce(np.isfinite(transitions), axis=-1)
    if not is_known.any():
        return "nobody is mentioned twice, so there are no transitions"
    edges = np.where(is_known[:, np.newaxis], transitions, 0) > 0
    dead_end_states = [states[index] for index in np.flatnonzero(edges.any(axis=0) & ~is_known)]
    if dead_end_states:
        return f"no mention ever followed {', '.join(dead_end_states)}"
    closed_groups = _closed_groups(edges, is_known)
    if len(closed_groups) > 1:
        groups = " or within ".join(
            ", ".join(states[index] for index in group) for group in closed_groups
        )
        return f"it is not connected: mentions stay within {groups}"
    period = _period(edges, closed_groups[0])
    if period > 1:
        return (
            f"each state returns only after a multiple of {period} mentions: shares in the long "
            "run, no limit"
        )
    return ""


def _closed_groups(edges: Bools, is_known: Bools) -> list[tuple[int, ...]]:
    """Find groups of states that reach each other and no others."""
    is_reachable = edges | np.eye(len(edges), dtype=np.bool_)
    for _ in range(len(edges)):
        is_reachable = is_reachable @ is_reachable
    is_mutual = is_reachable & is_reachable.T
    groups = {
        tuple(np.flatnonzero(is_mutual[index]).tolist()): index
        for index in np.flatnonzero(is_known)
    }
    return [
        group for group, index in groups.items() if (is_reachable[index] == is_mutual[index]).all()
    ]


def _period(edges: Bools, group: Sequence[int]) -> int:
    """Return the greatest common divisor of the lengths of all cycles in a group of states."""
    depths = {group[0]: 0}
    reached_states = [group[0]]
    period = 0
    for state in reached_states:
        for next_state in np.flatnonzero(edges[state]).tolist():
            if next_state in depths:
                period = gcd(period, depths[state] + 1 - depths[next_state])
            else:
                depths[next_state] = depths[state] + 1
                reached_states.append(next_state)
    return abs(period)


@dataclass(frozen=True, slots=True, eq=False)
class MarkovChain:
    """A Markov chain.

    Parameters
    ----------
    feature
        The name of the feature.
    states
        The names of its states.
    initial
        The probability of each state for a first mention; NaN if there is none.
    transitions
        Probabilities of steps from a state (row) to a state (column); NaN rows are unknown.
    initial_counts, transition_counts
        The counts behind the probabilities, if known.

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
                hint="give one probability and one row per state",
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
        """Estimate a chain from counts; `add` is added to each count for smoothing."""
        initial_counts = np.asarray(initial, dtype=np.float64)
        transition_counts = np.asarray(transitions, dtype=np.float64)
        return cls(
            feature,
            states,
            shares(initial_counts, add),
            shares(transition_counts, add),
            initial_counts,
            transition_counts,
        )

    def limit(self) -> LimitingDistribution:
        """Compute the limiting distribution, or explain why there is none."""
        shares = long_run(self.transitions[np.newaxis])[0]
        is_entered = np.nansum(self.transitions, axis=0) > 0
        left_states = tuple(
            self.states[index] for index in np.flatnonzero(is_entered & (shares == 0))
        )
        problem = _problem(self.states, self.transitions)
        return LimitingDistribution(self.states, shares, problem, left_states)


def shares(counts: Floats, add: float = 0.0) -> Floats:
    """Divide counts by their sum over the last axis; NaN where the sum is 0."""
    if not 0 <= add < np.inf:
        raise InputError(f"{add} is added to each count", hint="give 0 or more")
    smoothed_counts = counts + add
    total = smoothed_counts.sum(axis=-1, keepdims=True)
    empty_shares = np.full(smoothed_counts.shape, np.nan)
    return np.asarray(np.divide(smoothed_counts, total, out=empty_shares, where=total > 0))


# Allowed in addition to half a unit of the last digit.
_TOLERANCE = 1e-9


def round_to_sum(rows: npt.ArrayLike) -> Floats:
    """Make rows sum to 1 by changing all cells that are not 0 by the same amount.

    Dividing by the sum would change large cells most, perhaps beyond what rounds to the printed
    number: 0.24 and 0.75 can only have been 0.245 and 0.755.
    """
    table = np.asarray(rows, dtype=np.float64)
    is_positive = table > 0
    missing_share = 1 - table.sum(axis=-1, keepdims=True)
    n_positive = np.maximum(is_positive.sum(axis=-1, keepdims=True), 1)
    return np.asarray(table + is_positive * missing_share / n_positive)


def reachable_limits(rows: npt.ArrayLike, *, unit: float = 0.01) -> Floats:
    """Return the lowest and highest limit of each state over all chains that round to a table.

    All constraints are linear in the shares :math:`y_{ij}` of steps from i to j, so the bounds are
    exact. `unit` is the unit of the last printed digit.

    >>> reachable_limits([[0.44, 0.56], [0.24, 0.75]]).round(4).tolist()
    [[0.3025, 0.6937], [0.3063, 0.6975]]
    """
    table = np.asarray(rows, dtype=np.float64)
    size = len(table)
    ends = [
        [sign * _minimum(table, unit, sign * _steps_into(state, size)) for state in range(size)]
        for sign in (1, -1)
    ]
    return np.array(ends)


def reaches(
    rows: npt.ArrayLike, limit: npt.ArrayLike, *, unit: float = 0.01, limit_unit: float = 0.0001
) -> bool:
    """Return whether a single chain rounds to these rows and to this limit.

    `limit` may omit the last state; the units are those of the last printed digits.

    >>> reaches([[0.44, 0.56], [0.24, 0.75]], [0.3043, 0.6957])
    True
    >>> reaches([[0.44, 0.56], [0.24, 0.75]], [0.3000, 0.7000])
    False
    """
    table = np.asarray(rows, dtype=np.float64)
    printed_limits = np.asarray(limit, dtype=np.float64)
    steps_into = np.array([_steps_into(state, len(table)) for state in range(len(printed_limits))])
    tolerance = limit_unit / 2 + _TOLERANCE
    bounds = (
        np.vstack([steps_into, -steps_into]),
        np.concatenate([printed_limits + tolerance, tolerance - printed_limits]),
    )
    return bool(np.isfinite(_minimum(table, unit, np.zeros(table.size), bounds)))


def _steps_into(state: int, size: int) -> Floats:
    """Select the steps into a state; their sum is its share."""
    selected_steps = np.zeros((size, size))
    selected_steps[:, state] = 1
    return selected_steps.ravel()


def _minimum(
    table: Floats, unit: float, coefficients: Floats, bounds: tuple[Floats, Floats] | None = None
) -> float:
    """Minimize a weighted sum of steps over all chains that round to a table; NaN if none do."""
    from scipy.optimize import linprog

    size = len(table)
    steps_out_of = np.repeat(np.eye(size), size, axis=1)
    steps_into = np.tile(np.eye(size), size)
    shares = np.repeat(steps_out_of, size, axis=0).reshape(size, size, -1)
    cells = np.eye(size * size).reshape(size, size, -1)
    lowest_shares, highest_shares = (
        np.maximum(table - unit / 2 - _TOLERANCE, 0),
        table + unit / 2 + _TOLERANCE,
    )
    rounding_rows = np.concatenate(
        [(cells - highest_shares[..., None] * shares), (lowest_shares[..., None] * shares - cells)]
    ).reshape(-1, size * size)
    upper_rows, upper_limits = (rounding_rows, np.zeros(len(rounding_rows)))
    if bounds is not None:
        upper_rows, upper_limits = (
            np.vstack([upper_rows, bounds[0]]),
            np.concatenate([upper_limits, bounds[1]]),
        )
    equality_rows = np.vstack([steps_out_of - steps_into, np.ones(size * size)])
    solution = linprog(
        coefficients,
        upper_rows,
        upper_limits,
        equality_rows,
        [*np.zeros(size), 1.0],
        bounds=(0, None),
    )
    return np.nan if solution.fun is None else float(solution.fun)
