"""Vectors of hits: which content units each system expresses, over all topics."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.ids import natural_order
from pyramidion.pyramid.cases import Case

__all__ = ["Hits", "hits_of"]

# A content unit: its topic, uid and label. Pyramids that differ have units that differ.
_Unit = tuple[str, str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Content units x systems: 1 (or the weight) where a system expresses a unit, else 0.

    Parameters
    ----------
    values
        NaN where a system has no summary, or where it is the only reference with that unit.
    topics, uids, labels
        One a row.
    systems, human
        One a column, machines first.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Pyramid
    >>> from pyramidion.pyramid.cases import gather_cases
    >>> pyramid = Pyramid.from_references({"A": "Ice melts.", "B": "Ice melts. It is old."}, [
    ...     ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...     ("It is old", {"B": ["It is old"]})])
    >>> hits = hits_of(gather_cases(Collection("", pyramids={("", "T1"): pyramid})).cases)
    >>> hits.systems, hits.values.tolist()
    (('A', 'B'), [[1.0, 1.0], [0.0, nan]])
    """

    values: NDArray[np.float64]
    topics: tuple[str, ...]
    uids: tuple[str, ...]
    labels: tuple[str, ...]
    systems: tuple[str, ...]
    human: NDArray[np.bool_]

    def by_topic(self) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        """Give the mean of each topic's units, topics x systems."""
        names = tuple(dict.fromkeys(self.topics))
        rows = np.array(self.topics, dtype=object)
        means = np.full((len(names), len(self.systems)), np.nan)
        for number, name in enumerate(names):
            own = self.values[rows == name]
            there = ~np.isnan(own)
            counts = there.sum(axis=0)
            sums = np.where(there, own, 0.0).sum(axis=0)
            np.divide(sums, counts, out=means[number], where=counts > 0)
        return names, means


def hits_of(cases: Iterable[Case], *, weighted: bool = False) -> Hits:
    """Put what the summaries of one task express under each other (thesis, section 3.2).

    Parameters
    ----------
    cases
        Summaries of one task.
    weighted
        Give a unit's weight instead of 1, whoever expresses it.

    Examples
    --------
    >>> hits_of([]).systems
    ()
    """
    chosen = list(cases)
    kinds = {case.system: case.kind for case in chosen}
    systems = sorted(kinds, key=lambda name: (kinds[name] == "human", natural_order(name)))
    columns = {name: column for column, name in enumerate(systems)}
    rows: dict[_Unit, int] = {}
    found: list[tuple[list[int], int, NDArray[np.float64]]] = []
    weights: dict[int, int] = {}
    for case in chosen:
        own = [rows.setdefault(unit, len(rows)) for unit in _units(case)]
        there = case.units.weighing.weights > 0
        found.append((own, columns[case.system], np.where(there, case.content.expressed, np.nan)))
        for row, weight in zip(own, _full_weights(case), strict=True):
            weights[row] = max(weights.get(row, 0), weight)
    values = np.full((len(rows), len(systems)), np.nan)
    for own, column, hits in found:
        values[own, column] = hits
    if weighted:
        values *= np.array([weights[row] for row in range(len(rows))])[:, None]
    # A unit that weighs nothing for anyone is outside every pyramid.
    kept = ~np.isnan(values).all(axis=1)
    units = [unit for unit, keep in zip(rows, kept, strict=True) if keep]
    topics, uids, labels = zip(*units, strict=True) if units else ((), (), ())
    human = np.array([kinds[name] == "human" for name in systems])
    return Hits(values[kept], topics, uids, labels, tuple(systems), human)


def _units(case: Case) -> Iterable[_Unit]:
    for uid, label in zip(case.units.uids, case.units.labels, strict=True):
        yield case.topic, uid, label


def _full_weights(case: Case) -> list[int]:
    """Give the weights in the whole pyramid: a reference that expresses a unit is one more."""
    own = case.content.expressed if case.jackknifed else 0
    whole: list[int] = (case.units.weighing.weights + own).tolist()
    return whole
