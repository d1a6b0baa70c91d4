"""What a summary should have said, and what it said instead."""

from dataclasses import dataclass

from pyramidion.pyramid.cases import Case
from pyramidion.pyramid.optimal import optimal_summaries
from pyramidion.pyramid.scores import Weighing

__all__ = ["Missed", "missed_units"]


@dataclass(frozen=True, slots=True)
class Missed:
    """How a summary spent its content units; units are given by their places.

    Parameters
    ----------
    least
        The weight from which a unit counts as heavy.
    heavy
        How many units are.
    missed
        Those the summary does not express, the heaviest first.
    light
        The lighter units it expresses, the heaviest first.
    outside, repeated
        How many units it has that the pyramid has not, and how often it repeats itself.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Pyramid
    >>> from pyramidion.pyramid.cases import gather_cases
    >>> texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    >>> pyramid = Pyramid.from_references(texts, [
    ...     ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...     ("It is old", {"C": ["It is old"]})])
    >>> cases = gather_cases(Collection("", pyramids={("", "T1"): pyramid})).cases
    >>> missed_units(cases[2])
    Missed(least=2, heavy=1, missed=(0,), light=(), outside=1, repeated=0)
    """

    least: int
    heavy: int
    missed: tuple[int, ...]
    light: tuple[int, ...]
    outside: int
    repeated: int


def missed_units(case: Case, *, least: int | None = None) -> Missed:
    """Find the heavy content units that a summary misses.

    Parameters
    ----------
    case
        The summary.
    least
        The weight from which a unit counts as heavy; if it is not given, the least of those
        that every optimal summary of a reference's mean size has.

    Examples
    --------
    >>> import numpy as np
    >>> from pyramidion.pyramid.content import Content
    >>> from pyramidion.pyramid.units import TopicUnits
    >>> units = TopicUnits(("1", "2"), ("Ice melts", "It is old"), Weighing(np.array([1, 2]), 2))
    >>> missed_units(Case("", "T1", "7", "machine", units, Content(np.array([1, 0])))).missed
    (1,)
    """
    weighing = case.units.weighing
    least = _needed(weighing) if least is None else least
    weights, said = weighing.weights, case.content.expressed
    scores = case.scores()
    heavy = weights >= max(1, least)
    missed = (int(row) for row in (heavy & ~said).nonzero()[0])
    light = (int(row) for row in (~heavy & said & (weights > 0)).nonzero()[0])
    return Missed(
        least=least,
        heavy=int(heavy.sum()),
        missed=tuple(case.units.heaviest(missed)),
        light=tuple(case.units.heaviest(light)),
        outside=scores.outside,
        repeated=scores.repeated,
    )


def _needed(weighing: Weighing) -> int:
    best = optimal_summaries(weighing, max(1, weighing.size))
    if best.chosen == len(best.free) or not best.fixed:
        return best.tier
    return int(weighing.weights[list(best.fixed)].min())
