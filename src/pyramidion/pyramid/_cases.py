"""Every summary whose content units are known, and vectors of hits: peers, references, answers."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection import Collection, PeerAnnotation, Pyramid
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid._scores import Content, PyramidScores, content_of_peer, score_weighed
from pyramidion.pyramid._units import TopicUnits, Workers, answered_units, reference_writers


@dataclass(frozen=True, slots=True)
class Case:
    """A summary, what it says, and the content units it is measured by.

    Parameters
    ----------
    task, topic, system, kind
        The summary.
    units
        The content units; of a reference's writer, weighed by the other references.
    content
        What the summary expresses.
    assessor
        Whose answers they are, where they are taken by themselves.
    jackknifed
        Whether the summary is itself a reference of the pyramid.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> [case] = gather_cases(Collection("", pyramids={("", "T1"): pyramid})).cases[:1]
    >>> case.system, case.jackknifed, case.scores().modified
    ('A', True, 1.0)
    """

    task: str
    topic: str
    system: str
    kind: str
    units: TopicUnits
    content: Content
    assessor: str = ""
    jackknifed: bool = False

    @property
    def name(self) -> str:
        """The address in words, for messages."""
        return address_name(self.task, self.topic, self.system)

    def scores(self) -> PyramidScores:
        """Score the summary."""
        return score_weighed(self.content, self.units.weighing)


@dataclass(frozen=True, slots=True)
class Cases:
    """The cases of a collection, and what could not be made one.

    Parameters
    ----------
    cases
        By task and topic, machines before people, names in natural order.
    left_out
        What was left out or taken in a particular way, counted, one line each.

    Examples
    --------
    >>> gather_cases(Collection("mine")).cases
    ()
    """

    cases: tuple[Case, ...]
    left_out: tuple[str, ...] = ()


def gather_cases(
    collection: Collection, *, references: bool = True, workers: Workers = "majority"
) -> Cases:
    """Gather annotated peers, pyramids' own references and answers for content units.

    A reference is measured by the others, whether its own pyramid tells what it says or an
    annotation does. Where an annotation and answers tell of one summary, the annotation counts.

    Parameters
    ----------
    collection
        What holds them.
    references
        Whether the pyramids' own references are wanted.
    workers
        How the answers of several people are taken, see `answered_units`.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> peer = PeerAnnotation(pyramid, "Rain.")
    >>> mine = Collection("", pyramids={("", "T1"): pyramid},
    ...                   peer_annotations={("", "T1", "7"): peer})
    >>> [(case.system, case.kind) for case in gather_cases(mine).cases]
    [('7', 'machine'), ('A', 'human'), ('B', 'human')]
    """
    gathering = _Gathering(collection)
    for key, peer in collection.peer_annotations.items():
        gathering.add_peer(*key, peer)
    if references:
        for (task, topic), pyramid in collection.pyramids.items():
            if pyramid.weights.any():
                gathering.add_references(task, topic, pyramid)
    gathering.add_answers(workers)
    ordered = sorted(gathering.cases.values(), key=_place)
    return Cases(tuple(ordered), tuple(gathering.left_out()))


def _place(case: Case) -> tuple[object, ...]:
    names = (case.system, case.assessor)
    topic = (case.task, natural_order(case.topic))
    return (*topic, case.kind == "human", *map(natural_order, names))


@dataclass
class _Gathering:
    """Cases by address, as they come, and what is to be said about them."""

    collection: Collection
    cases: dict[tuple[str, str, str, str], Case] = field(default_factory=dict)
    _notes: dict[str, list[str]] = field(default_factory=dict)
    # By the pyramid's identity: hundreds of peers share one.
    _units: dict[tuple[int, int | None], TopicUnits] = field(default_factory=dict)
    _writers: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def add_peer(self, task: str, topic: str, system: str, peer: PeerAnnotation) -> None:
        writers = self._writers_of(peer.pyramid)
        own = writers.index(system) if system in writers else None
        units = self._units_of(peer.pyramid, own)
        kind = self.collection.systems.get(system, "machine" if own is None else "human")
        try:
            content = content_of_peer(peer)
        except NotFoundError as error:
            address = address_name(task, topic, system)
            raise InputError(
                f"peer annotation of {address}: {error.what}", hint=error.hint
            ) from None
        self._add(Case(task, topic, system, kind, units, content, jackknifed=own is not None))

    def add_references(self, task: str, topic: str, pyramid: Pyramid) -> None:
        for column, writer in enumerate(self._writers_of(pyramid)):
            kind = self.collection.systems.get(writer, "human")
            units = self._units_of(pyramid, column)
            content = Content(pyramid.contributions[:, column])
            case = Case(task, topic, writer, kind, units, content, jackknifed=True)
            if (task, topic, writer, "") not in self.cases:
                self._add(case)

    def add_answers(self, workers: Workers) -> None:
        for told in answered_units(self.collection, workers=workers):
            case = Case(
                told.task, told.topic, told.system, told.kind, told.units, told.content,
                assessor=told.assessor,
            )  # fmt: skip
            if (told.task, told.topic, told.system, told.assessor) in self.cases:
                self._note("with answers beside an annotation, which counts", case)
                continue
            if told.missing:
                self._note("with units that nobody answered for, which count as not found", case)
            self._add(case)

    def _add(self, case: Case) -> None:
        if case.units.weighing.units:
            self.cases[case.task, case.topic, case.system, case.assessor] = case
            if not case.units.weighing.size:
                self._note("without a modified score: a reference has under half a unit", case)
        elif case.jackknifed:
            self._note("that no other reference can measure", case)
        else:
            self._note("with an empty pyramid, which measures nothing", case)

    def _note(self, what: str, case: Case) -> None:
        self._notes.setdefault(what, []).append(case.name)

    def left_out(self) -> Iterator[str]:
        for what, names in self._notes.items():
            shown = "; ".join(names[:3]) + ("; ..." if len(names) > 3 else "")
            noun = "summary" if len(names) == 1 else "summaries"
            yield f"{len(names)} {noun} {what}: {shown}"

    def _units_of(self, pyramid: Pyramid, without: int | None) -> TopicUnits:
        key = (id(pyramid), without)
        if key not in self._units:
            self._units[key] = TopicUnits.of(pyramid, without=without)
        return self._units[key]

    def _writers_of(self, pyramid: Pyramid) -> tuple[str, ...]:
        if id(pyramid) not in self._writers:
            self._writers[id(pyramid)] = reference_writers(pyramid)
        return self._writers[id(pyramid)]


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
    >>> from pyramidion.pyramid._cases import gather_cases
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
