"""The best systems by a measure, and every pair of them."""

from dataclasses import dataclass

import numpy as np

from pyramidion._types import Bools, Floats, Pairs, Signs
from pyramidion.errors import InputError
from pyramidion.evaluation._judged import MetaTables, Peers
from pyramidion.stats.dense_ranks import dense_ranks
from pyramidion.stats.inputs import choice

__all__ = ["TopSystems", "mean_order", "system_means", "top_systems"]


@dataclass(frozen=True, slots=True, eq=False)
class TopSystems:
    """Systems that were chosen, and how.

    Parameters
    ----------
    systems
        The best first; equal ones as they stand in the tables.
    columns
        Their columns in the tables.
    tied
        How many more than asked for, since they tie with the last one.
    rule
        The choice in words.

    Examples
    --------
    >>> TopSystems(("7", "8", "9"), np.arange(3), 0, "all 3 machines").pairs.tolist()
    [[0, 1], [0, 2], [1, 2]]
    """

    systems: tuple[str, ...]
    columns: Pairs
    tied: int
    rule: str

    @property
    def pairs(self) -> Pairs:
        """Every pair of them, as two places in `systems`, the better one first."""
        return np.stack(np.triu_indices(len(self.systems), 1), axis=1)


def top_systems(
    tables: MetaTables, *, top: int | None = None, peers: Peers = "machines"
) -> TopSystems:
    """Choose the systems with the highest means of the human measure.

    A system's mean is over the topics it has. All systems whose mean equals that of the last
    one chosen are taken along, so that no chance order decides.

    Parameters
    ----------
    tables
        Their human measure chooses; systems that it lacks cannot be chosen.
    top
        How many; all if not given.
    peers
        Whether people are among them.

    Examples
    --------
    >>> tables = MetaTables("responsiveness", "", ("T1",), tuple("vwxyA"),
    ...                     np.array([False] * 4 + [True]), np.array([[1.0, 3, 2, 3, 9]]), {})
    >>> found = top_systems(tables, top=1)
    >>> found.systems, found.rule
    (('w', 'y'), 'top 1 of 4 machines and 1 tied with the last')
    """
    choice(peers, "peers", Peers)
    if top is not None and top < 1:
        raise InputError(f"the number of top systems is {top}", hint="give 1 or more, or all")
    means = system_means(tables.truth)
    allowed = ~tables.people if peers == "machines" else np.ones(len(means), dtype=np.bool_)
    known = np.flatnonzero(~np.isnan(means) & allowed)
    ranks = dense_ranks(-means[known])
    order = np.argsort(ranks, kind="stable")
    count = _count(ranks[order].tolist(), top)
    columns = known[order[:count]]
    tied = 0 if top is None else max(0, count - top)
    kind = "machines" if peers == "machines" else "systems"
    rule = f"all {count} {kind}"
    if top is not None and count < len(known):
        rule = f"top {top} of {len(known)} {kind}"
        rule += f" and {tied} tied with the last" if tied else ""
    return TopSystems(tuple(tables.systems[column] for column in columns), columns, tied, rule)


def _count(ranks: list[int], top: int | None) -> int:
    """Count the places up to the given one, and those that share its rank."""
    if top is None or top >= len(ranks):
        return len(ranks)
    return sum(rank <= ranks[top - 1] for rank in ranks)


def system_means(values: Floats) -> Floats:
    """Give each system's mean over the topics it has; NaN where it has none.

    Examples
    --------
    >>> system_means(np.array([[1.0, np.nan], [2.0, np.nan]])).tolist()
    [1.5, nan]
    """
    present = ~np.isnan(values)
    counts = present.sum(axis=0)
    means: Floats = np.where(present, values, 0.0).sum(axis=0) / np.maximum(counts, 1)
    means[counts == 0] = np.nan
    return means


def mean_order(values: Floats, pairs: Pairs) -> tuple[Signs, Bools]:
    """Tell which system of each pair has the higher mean, and whether both have one.

    Means that differ by rounding noise are equal.

    Examples
    --------
    >>> signs, known = mean_order(np.array([[1.0, 3.0, np.nan]]), np.array([[0, 1], [1, 2]]))
    >>> signs.tolist(), known.tolist()
    ([-1, 0], [True, False])
    """
    means = system_means(values)
    there = ~np.isnan(means)
    ranks = dense_ranks(np.where(there, means, 0.0)).astype(np.int64)
    first, second = pairs.T
    known = there[first] & there[second]
    return np.where(known, np.sign(ranks[first] - ranks[second]), 0).astype(np.int8), known
