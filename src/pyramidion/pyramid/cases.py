"""Every summary of a collection whose content units are known: peers, references, answers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from pyramidion.collection import Collection, PeerAnnotation, Pyramid
from pyramidion.collection.ids import natural_order
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError, NotFoundError
from pyramidion.pyramid.answers import Workers, answered_units
from pyramidion.pyramid.content import Content, content_of_peer
from pyramidion.pyramid.scores import PyramidScores, score_weighed
from pyramidion.pyramid.units import TopicUnits, reference_writers

__all__ = ["Case", "Cases", "gather_cases"]


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
