"""Yes or no for each content unit: what judgments with a ``unit`` say of a summary."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection import Collection
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError
from pyramidion.pyramid.content import Content
from pyramidion.pyramid.units import TopicUnits, listed_units

__all__ = ["AnsweredUnits", "Workers", "answered_units"]

#: How the answers of several people are taken: together, or each by itself.
Workers = Literal["majority", "each"]

# What was settled goes before what single people said.
_MEASURES = ("scu", "scu-answer")

# Task, topic, system, kind, assessor.
_Address = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class AnsweredUnits:
    """A summary with the answers for its topic's content units.

    Parameters
    ----------
    task, topic, system, kind, assessor
        Whose answers about which summary; the assessor is empty where several are taken together.
    units
        The topic's content units.
    content
        Those that were found in the summary.
    missing
        How many units nobody answered for; they count as not found.

    Examples
    --------
    >>> from pyramidion.collection import Judgment, Scores
    >>> rows = [Judgment("T1", "7", "scu-answer", value, assessor=who, unit="0")
    ...         for who, value in (("worker1", 1), ("worker2", 1), ("worker3", 0))]
    >>> [found] = answered_units(Collection("mine", scores=Scores.from_judgments(rows)))
    >>> found.system, found.content.counts.tolist()
    ('7', [1])
    """

    task: str
    topic: str
    system: str
    kind: str
    assessor: str
    units: TopicUnits
    content: Content
    missing: int


@dataclass(slots=True)
class _Votes:
    """What was answered about one summary, by unit."""

    yes: dict[str, float] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)

    def add(self, unit: str, value: float) -> None:
        self.yes[unit] = self.yes.get(unit, 0.0) + value
        self.asked[unit] = self.asked.get(unit, 0) + 1

    def counts(self, uids: tuple[str, ...]) -> NDArray[np.int64]:
        """Find the units that more than half of the answers affirm."""
        found = (self.yes.get(uid, 0.0) > 0.5 * self.asked.get(uid, 0) for uid in uids)
        return np.fromiter(found, dtype=np.int64, count=len(uids))


def answered_units(
    collection: Collection, *, workers: Workers = "majority"
) -> Iterator[AnsweredUnits]:
    """Take answers for single content units as what summaries express.

    Rows with measure ``scu`` say what was settled; where there are none, those with
    ``scu-answer`` say what single people found.

    Parameters
    ----------
    collection
        What holds the answers, and the lists of content units with its topics.
    workers
        ``majority``: a unit is expressed if more than half say so, as in REALSumm. ``each``: one
        entry for each person.

    Examples
    --------
    >>> list(answered_units(Collection("mine")))
    []
    """
    settled, single = (_votes(collection, measure, workers) for measure in _MEASURES)
    yield from _addressed(collection, {**single, **settled})


def _votes(collection: Collection, measure: str, workers: Workers) -> dict[_Address, _Votes]:
    rows = collection.scores.select(measure=measure)
    names = ("task", "topic", "system", "kind", "assessor", "unit")
    found: dict[_Address, _Votes] = {}
    for *address, assessor, unit, value in zip(
        *(rows.columns[name] for name in names), rows.value.tolist(), strict=True
    ):
        if not 0 <= value <= 1:
            raise InputError(
                f"the answer for content unit {unit} of {', '.join(filter(None, address[:3]))} "
                f"is {value:g}",
                hint="write 1 where it is expressed, else 0",
            )
        if unit and (assessor or workers == "majority"):
            key = (*address, assessor if workers == "each" else "")
            found.setdefault(key, _Votes()).add(unit, value)
    return found


def _addressed(collection: Collection, found: dict[_Address, _Votes]) -> Iterator[AnsweredUnits]:
    asked: dict[tuple[str, str], set[str]] = {}
    for (task, topic, *_), votes in found.items():
        asked.setdefault((task, topic), set()).update(votes.asked)
    units = {
        key: listed_units(collection, *key, sorted(uids, key=natural_order))
        for key, uids in asked.items()
    }
    for (task, topic, system, kind, assessor), votes in found.items():
        own = units[task, topic]
        content = Content(votes.counts(own.uids), complete=False)
        missing = sum(uid not in votes.asked for uid in own.uids)
        yield AnsweredUnits(task, topic, system, kind, assessor, own, content, missing)
