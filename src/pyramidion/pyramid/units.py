"""The content units of a topic and what they weigh, from a pyramid or from a plain list."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pyramidion.collection import Collection, Pyramid, Topic
from pyramidion.collection.formats.ducview.names import writer_of
from pyramidion.collection.ids import natural_order
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid.scores import Weighing

__all__ = ["TopicUnits", "all_units", "listed_units", "reference_writers"]


@dataclass(frozen=True, slots=True)
class TopicUnits:
    """Content units with their weights; all fields are in the same order.

    Parameters
    ----------
    uids, labels
        The units' ids, and the information in the annotator's words.
    weighing
        What they weigh.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> units = TopicUnits.of(pyramid)
    >>> units.labels, units.weighing.weights.tolist()
    (('Ice melts', 'It is old'), [2, 1])
    >>> TopicUnits.of(pyramid, without=1).weighing.weights.tolist()
    [1, 0]
    """

    uids: tuple[str, ...]
    labels: tuple[str, ...]
    weighing: Weighing

    @classmethod
    def of(cls, pyramid: Pyramid, *, without: int | None = None) -> "TopicUnits":
        """Take a pyramid's units, weighed by all its references or by all but one.

        Parameters
        ----------
        pyramid
            The pyramid.
        without
            The place of the reference that is left out.
        """
        table = pyramid.membership
        if without is not None:
            table = np.delete(table, without, axis=1)
        uids, labels = (tuple(getattr(s, name) for s in pyramid.scus) for name in ("uid", "label"))
        return cls(uids, labels, Weighing.of(table))

    def tiers(self) -> dict[int, tuple[int, ...]]:
        """Give the places of the units by weight, the heaviest first; tiers may be empty."""
        weights = self.weighing.weights.tolist()
        top = max(self.weighing.order, *weights, 0)
        found: dict[int, list[int]] = {tier: [] for tier in range(top, 0, -1)}
        for row, weight in enumerate(weights):
            if weight:
                found[weight].append(row)
        return {tier: tuple(rows) for tier, rows in found.items()}

    def heaviest(self, rows: Iterable[int]) -> list[int]:
        """Sort units by falling weight, those of one weight in their own order."""
        weights = self.weighing.weights
        return sorted(rows, key=lambda row: (-int(weights[row]), row))


def reference_writers(pyramid: Pyramid) -> tuple[str, ...]:
    """Name a pyramid's references as collections do: by their writers, if that tells them apart.

    Examples
    --------
    >>> reference_writers(Pyramid.from_references({"T1.M.100.A.G": "Ice.", "H": "Rain."}, []))
    ('G', 'H')
    """
    names = tuple(reference.name for reference in pyramid.references)
    writers = tuple(map(writer_of, names))
    return writers if len(set(writers)) == len(writers) else names


def listed_units(
    collection: Collection, task: str, topic: str, asked: Iterable[str] = ()
) -> TopicUnits:
    """Give the units a topic's summaries were judged by: its pyramid's, or a list of its own.

    A list is what the topic keeps as ``scus``, objects with ``id``, ``text`` and perhaps
    ``weight``; without one, the units that were asked about have no labels and weigh 1. A list in
    which all weigh 1 has no tiers, and counts as one reference's.

    Parameters
    ----------
    collection
        What holds the topic.
    task, topic
        Its address.
    asked
        The units that answers were given for, by id or by their places from 0.

    Examples
    --------
    >>> scus = [{"id": "a", "text": "Ice melts", "weight": 2}, {"id": "b", "text": "It is old"}]
    >>> mine = Collection("mine", topics=(Topic("T1", extra={"scus": scus}),))
    >>> listed_units(mine, "", "T1", ["0", "1"]).labels
    ('Ice melts', 'It is old')
    """
    units = list(asked)
    pyramid = collection.pyramids.get((task, topic))
    if pyramid is not None and set(units) <= {scu.uid for scu in pyramid.scus}:
        return TopicUnits.of(pyramid)
    known = next((item for item in collection.topics if item.id == topic), Topic(topic))
    scus = known.extra.get("scus")
    if not scus:
        bare = tuple(dict.fromkeys(units))
        return TopicUnits(bare, ("",) * len(bare), Weighing(np.ones(len(bare), np.int64), 1))
    return _from_list(scus, topic, set(units), _order(collection, task, topic))


def all_units(collection: Collection) -> dict[tuple[str, str], TopicUnits]:
    """Give the content units of every task and topic that has any, pyramids and lists.

    Parameters
    ----------
    collection
        What holds them.

    Examples
    --------
    >>> scus = [{"id": "a", "text": "Ice melts"}]
    >>> mine = Collection("mine", topics=(Topic("T1", extra={"scus": scus}),))
    >>> list(all_units(mine))
    [('', 'T1')]
    """
    tasks: dict[str, set[str]] = {}
    for summary in collection.summaries:
        tasks.setdefault(summary.topic, set()).add(summary.task)
    addresses = dict.fromkeys(collection.pyramids)
    for topic in collection.topics:
        if topic.extra.get("scus"):
            of_topic = sorted(tasks.get(topic.id, {""}), key=natural_order)
            addresses.update(dict.fromkeys((task, topic.id) for task in of_topic))
    return {address: listed_units(collection, *address) for address in addresses}


def _order(collection: Collection, task: str, topic: str) -> int:
    there = task in collection.task_ids and topic in collection.topic_ids
    return len(collection.references(topic, task)) if there else 0


def _from_list(scus: Any, topic: str, asked: set[str], references: int) -> TopicUnits:
    if not isinstance(scus, list) or not all(isinstance(scu, Mapping) for scu in scus):
        raise InputError(f"the content units of topic {topic} are no list of objects")
    places = tuple(str(place) for place in range(len(scus)))
    uids = tuple(str(scu.get("id", place)) for place, scu in enumerate(scus))
    if not asked <= set(uids) or len(set(uids)) < len(uids):
        uids = places
    for unit in sorted(asked - set(uids)):
        raise NotFoundError(
            f"topic {topic} has no content unit {unit}, for which there is an answer",
            hint="number units from 0 or name them by their ids",
        )
    labels = tuple(str(scu.get("text", scu.get("label", ""))) for scu in scus)
    weights = np.array([_weight(scu, topic) for scu in scus], dtype=np.int64)
    heaviest = int(weights.max(initial=1))
    return TopicUnits(
        uids, labels, Weighing(weights, max(references, heaviest) if heaviest > 1 else 1)
    )


def _weight(scu: Mapping[str, Any], topic: str) -> int:
    weight = scu.get("weight", 1)
    if isinstance(weight, bool) or not isinstance(weight, int) or not 0 <= weight < 10**6:
        raise InputError(
            f"content unit {scu.get('id', '')} of topic {topic} weighs {weight!r}",
            hint="write a whole number from 0 on",
        )
    return weight
