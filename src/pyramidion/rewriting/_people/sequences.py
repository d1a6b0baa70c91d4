"""How a text refers to one person again and again: models of sequences of mentions (5.1.2)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import gcd
from typing import get_args

import numpy as np
import numpy.typing as npt

from pyramidion._types import Bools, Floats
from pyramidion.errors import InputError, NotFoundError, ShapeError
from pyramidion.rewriting._people.mention import Mention, NameForm

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
    """Compute where a chain settles, or tell why it does not."""
    names = tuple(states)
    shares = long_run(transitions[np.newaxis])[0]
    entered = np.nansum(transitions, axis=0) > 0
    left = tuple(names[n] for n in np.flatnonzero(entered & (shares == 0)))
    return LimitingDistribution(names, shares, _problem(names, transitions), left)


def long_run(matrices: Floats) -> Floats:
    r"""Solve many chains at once for the shares of their states in the long run.

    They are the :math:`\pi` with :math:`\pi (I - P + E) = 1`, where all entries of E are 1,
    which has one solution if and only if one group of states is never left.
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
    """Divide counts by their sum over the last axis; NaN where there is nothing."""
    raised = counts + require_addition(add)
    total = raised.sum(axis=-1, keepdims=True)
    nothing = np.full(raised.shape, np.nan)
    divided: Floats = np.divide(raised, total, out=nothing, where=total > 0)
    return divided


def require_addition(add: float) -> float:
    """Check what is added to counts."""
    if not 0 <= add < np.inf:
        raise InputError(f"{add} is added to each count", hint="give 0 or more")
    return float(add)


#: The mentions that are modeled, each for itself.
PLACES = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True, eq=False)
class StratifiedModel:
    r"""The probability of each state given the number of the mention, :math:`P(SF \mid m)`."""

    feature: str
    states: tuple[str, ...]
    probabilities: Floats  # a row for each of `PLACES`; NaN where there is no such mention
    counts: Floats | None = None  # None where they were printed

    @classmethod
    def of_counts(
        cls, feature: str, states: tuple[str, ...], counts: npt.ArrayLike, *, add: float = 0.0
    ) -> "StratifiedModel":
        """Make a model of counts."""
        there = np.asarray(counts, dtype=np.float64)
        return cls(feature, states, shares(there, add), there)


_MOST = 6


@dataclass(frozen=True, slots=True)
class MentionFeature:
    """A feature of mentions: what states there are, and which a mention is in."""

    name: str
    states: tuple[str, ...]
    of: Callable[[Mention], str]

    def number(self, mention: Mention) -> int:
        """Give the number of a mention's state."""
        return self.states.index(self.of(mention))


def _counted(mention: Mention) -> str:
    """Name the number of premodifiers; six and more are one state."""
    return str(mention.premodifiers) if mention.premodifiers < _MOST else f"{_MOST}+"


def _both(mention: Mention) -> bool:
    return mention.premodifiers > 0 and mention.post != "none"


#: Whether anything modifies the name: Figure 5.4.
MODIFICATION = MentionFeature(
    "modification", ("modified", "unmodified"), lambda m: "modified" if m.modified else "unmodified"
)

#: How the name is given: Figure 5.5.
NAME_FORM = MentionFeature("name form", get_args(NameForm), lambda m: m.form)

#: What follows the name, in the order of Figure 5.6.
POST = MentionFeature(
    "postmodification",
    ("apposition", "none", "prepositional", "relative clause", "other"),
    lambda m: m.post,
)

#: How many words premodify the name, titles and others: Figure 5.7.
PRE = MentionFeature("premodifiers", (*map(str, range(_MOST)), f"{_MOST}+"), _counted)

#: Whether anything premodifies the name: Figure 5.8.
PREMODIFICATION = MentionFeature(
    "premodification",
    ("premodified", "not premodified"),
    lambda m: "premodified" if m.premodifiers else "not premodified",
)

#: Whether something stands before and something after the name: the text below Figure 5.8.
BOTH = MentionFeature("both", ("both", "not both"), lambda m: "both" if _both(m) else "not both")

#: The four features that chains are made of, in the order of the figures.
MENTION_FEATURES = (MODIFICATION, NAME_FORM, POST, PRE)


def feature(name: str) -> MentionFeature:
    """Give one of the four features by its name."""
    for own in MENTION_FEATURES:
        if own.name == name:
            return own
    names = ", ".join(own.name for own in MENTION_FEATURES)
    raise NotFoundError(f"there is no feature {name!r} of mentions", hint=f"there are: {names}")
