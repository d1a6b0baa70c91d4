"""The summaries that are scored, and what they express according to annotations and answers."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np

from pyramidion._types import Bools, Floats
from pyramidion.checks.structure import pyramid_problems
from pyramidion.collection import Collection, Pyramid
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped, natural_order, natural_orders
from pyramidion.collection.pyramids import DOCUMENTS, WeightPolicy
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.pyramid.content_units import (
    Case,
    Content,
    TopicUnits,
    Workers,
    all_units,
    answered_units,
    content_of_peer,
    reference_writers,
    weighed_units,
)
from pyramidion.pyramid.topics import note_several_annotations, require_known
from pyramidion.questions import Options, argument, option
from pyramidion.rendering.labels import counted
from pyramidion.rendering.table import Table


class AnnotatedSummaries(NamedTuple):
    """The cases of a collection, and notes on what was left out."""

    cases: tuple[Case, ...]
    left_out: tuple[str, ...] = ()


def gather_cases(
    collection: Collection,
    *,
    references: bool = True,
    workers: Workers = "majority",
    weights: WeightPolicy = "contributors",
) -> AnnotatedSummaries:
    """Collect annotated peers, references of pyramids, and answers about content units.

    A reference is scored by the others, whether or not it is annotated as a peer as well. If a
    summary has both an annotation and answers, the annotation counts.
    """
    cases: dict[tuple[str, ...], Case] = {}
    notes: list[tuple[str, str]] = []
    answered_cases = answered_units(collection, workers=workers, weights=weights)
    for case in chain(_annotated_peers(collection, weights, references=references), answered_cases):
        weighing, name = case.units.weighing, case.name
        if not case.content.complete:
            annotations = collection.annotations_of(case.task, case.topic, case.system)
            if annotations and (not case.assessor or case.key in cases):
                notes.append(("with answers as well as an annotation, which counts", name))
                continue
        if case.missing:
            notes.append(("with units without an answer, which count as not found", name))
        if weighing.units:
            cases[case.key] = case
            if not weighing.size:
                reason = "without a modified score: a reference has under half a unit"
                notes.append((reason, name))
        elif case.jackknifed:
            notes.append(("that no other reference can measure", name))
        else:
            notes.append(("with an empty pyramid, which cannot score anything", name))
    left_out = []
    for note, names in grouped(notes).items():
        example_names = "; ".join(names[:3]) + ("; ..." if len(names) > 3 else "")
        left_out.append(f"{counted(len(names), 'summary', 'summaries')} {note}: {example_names}")
    return AnnotatedSummaries(tuple(sorted(cases.values(), key=_sort_key)), tuple(left_out))


def _sort_key(case: Case) -> tuple[object, ...]:
    names = natural_orders((case.system, case.assessor, case.occasion))
    return case.task, natural_order(case.topic), case.kind == "human", names


def _annotated_peers(
    collection: Collection, weights: WeightPolicy, *, references: bool
) -> Iterator[Case]:
    """Return annotated peers, and references without an annotation as a peer."""
    # Keyed by the identity of the pyramid, which hundreds of peers may share.
    units_by_key: dict[tuple[int, int | None], TopicUnits] = {}

    def units_of(topic: str, pyramid: Pyramid, excluded_reference: int | None) -> TopicUnits:
        key = (id(pyramid), excluded_reference)
        if key not in units_by_key:
            units_by_key[key] = weighed_units(
                collection, topic, pyramid, weights, excluded_reference
            )
        return units_by_key[key]

    for key, peer in collection.peer_annotations.items():
        task, topic, system, assessor, occasion = key
        if system != DOCUMENTS:
            writers = reference_writers(peer.pyramid)
            writer_column = writers.index(system) if system in writers else None
            units = units_of(topic, peer.pyramid, writer_column)
            kind = collection.systems.get(system, "machine" if writer_column is None else "human")
            try:
                fields = (task, topic, system, kind, units, content_of_peer(peer), assessor)
            except NotFoundError as error:
                message = f"peer annotation of {address_name(*key)}: {error.what}"
                raise InputError(message, error.hint) from None
            yield Case(*fields, jackknifed=writer_column is not None, occasion=occasion)
    for (task, topic), pyramid in collection.pyramids.items():
        writers = reference_writers(pyramid) if references and pyramid.weights.any() else ()
        for column, writer in enumerate(writers):
            if not collection.annotations_of(task, topic, writer):
                kind = collection.systems.get(writer, "human")
                content = Content(pyramid.contributions[:, column])
                units = units_of(topic, pyramid, column)
                yield Case(task, topic, writer, kind, units, content, jackknifed=True)


def first_annotations(cases: Iterable[Case]) -> tuple[tuple[Case, ...], tuple[str, ...]]:
    """Return the first case of each summary, and note which summaries have several."""
    case_by_key = {case.key: case for case in cases}
    first_case_by_summary = {key[:3]: case for key, case in reversed(case_by_key.items())}
    first_cases = tuple(
        case for key, case in case_by_key.items() if first_case_by_summary[key[:3]] is case
    )
    return first_cases, tuple(note_several_annotations(case_by_key))


@dataclass(frozen=True, slots=True, eq=False)
class Hits:
    """Content units x systems: 1 (or the weight) where a system expresses a unit, else 0."""

    values: Floats
    topics: tuple[str, ...]
    uids: tuple[str, ...]
    labels: tuple[str, ...]
    systems: tuple[str, ...]
    human: Bools

    def by_topic(self) -> tuple[tuple[str, ...], Floats]:
        """Return the mean of each topic's units, topics x systems."""
        names = tuple(dict.fromkeys(self.topics))
        topic_of_row = np.array(self.topics, dtype=object)
        means = np.full((len(names), len(self.systems)), np.nan)
        for number, name in enumerate(names):
            topic_values = self.values[topic_of_row == name]
            counts = np.count_nonzero(~np.isnan(topic_values), axis=0)
            sums = np.nansum(topic_values, axis=0)
            np.divide(sums, counts, out=means[number], where=counts > 0)
        return names, means


def stack_hits(cases: Iterable[Case], *, by_weight: bool = False) -> Hits:
    """Stack the units that the summaries of one task express (thesis, section 3.2)."""
    case_list = list(cases)
    kinds = {case.system: case.kind for case in case_list}
    systems = sorted(kinds, key=lambda name: (kinds[name] == "human", natural_order(name)))
    column_by_system = {name: column for column, name in enumerate(systems)}
    # By topic, uid and label, since annotations may be made with different pyramids.
    row_by_unit: dict[tuple[str, str, str], int] = {}
    entries: list[tuple[list[int], int, Floats]] = []
    weights: dict[int, int] = {}
    for case in case_list:
        units = zip(case.units.uids, case.units.labels, strict=True)
        unit_rows = [
            row_by_unit.setdefault((case.topic, *unit), len(row_by_unit)) for unit in units
        ]
        has_positive_weight = case.units.weighing.weights > 0
        hits = np.where(has_positive_weight, case.content.expressed, np.nan)
        entries.append((unit_rows, column_by_system[case.system], hits))
        whole_weights = (
            case.units.weighing.weights if case.units.whole is None else case.units.whole
        )
        for row, weight in zip(unit_rows, whole_weights.tolist(), strict=True):
            weights[row] = max(weights.get(row, 0), weight)
    values = np.full((len(row_by_unit), len(systems)), np.nan)
    for unit_rows, column, hits in entries:
        values[unit_rows, column] = hits
    if by_weight:
        values *= np.array([weights[row] for row in range(len(row_by_unit))])[:, None]
    # A unit without weight for any summary is outside every pyramid.
    has_weight = ~np.isnan(values).all(axis=1)
    kept_units = [unit for unit, is_kept in zip(row_by_unit, has_weight, strict=True) if is_kept]
    topics, uids, labels = zip(*kept_units, strict=True) if kept_units else ((), (), ())
    human = np.array([kinds[name] == "human" for name in systems])
    return Hits(values[has_weight], topics, uids, labels, tuple(systems), human)


# Number of notes shown per file: if one offset is wrong, usually all are.
_MAX_NOTES = 3
#: Problems that questions about whole pyramids report themselves.
REPORTED_ELSEWHERE = ("other pyramid", "empty pyramid")

#: Content units of a task and a topic.
AddressedUnits = tuple[tuple[str, str], TopicUnits]


@dataclass(frozen=True, slots=True)
class PyramidSource(Options):
    """The source of content units, and the tasks and topics to include."""

    source: Source | Pyramid = argument(
        "Pyramids, annotated peers or answers about content units: a .pyr or .pan file, a "
        "folder of such files, or a collection in any format."
    )
    task: tuple[str, ...] = option((), "Tasks to include, comma-separated; all by default.")
    topic: tuple[str, ...] = option((), "Topics to include, comma-separated; all by default.")
    source_format: str | None = option(
        None, "Format of the source; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    weights: WeightPolicy = option(
        "contributors",
        "Weight of a content unit: contributors (their number, as in DUCView), references (the "
        "number of different ones, as in the thesis) or given (in the topic's own list of units).",
    )
    assessor: tuple[str, ...] = option(
        (), "Annotators to include, comma-separated; all by default, each separately."
    )

    def read(self) -> Collection:
        """Read the source as a collection; a pyramid becomes a collection of its own."""
        if isinstance(self.source, Pyramid):
            return Collection("", pyramids={("", "pyramid"): self.source})
        collection = read_source(self.source, format=self.source_format)
        if not self.assessor:
            return collection
        peers = collection.peer_annotations
        require_known("there is no annotator {}", self.assessor, (key[3] for key in peers))
        chosen_peers = {key: peer for key, peer in peers.items() if key[3] in self.assessor}
        return replace(collection, peer_annotations=chosen_peers)

    @property
    def where(self) -> Where | None:
        """The path, if the source is one."""
        return Where(self.source) if isinstance(self.source, str | Path) else None

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The options that differ from the defaults, for signatures."""
        return self.changed("task", "topic", "weights", "assessor")

    @property
    def other_weights(self) -> str:
        """The weights for signatures; empty for the default."""
        return "" if self.weights == "contributors" else self.weights

    def read_units(self) -> tuple[Collection, list[AddressedUnits]]:
        """Read the content units of each topic."""
        collection = self.read()
        units_by_topic = all_units(collection, self.weights)
        weighted_units = {
            key: units for key, units in units_by_topic.items() if units.weighing.units
        }
        if not weighted_units:
            raise _nothing_to_score(collection, self.where, ())
        self.require(weighted_units)
        ordered_keys = sorted(weighted_units, key=lambda key: (key[0], natural_order(key[1])))
        units = [(key, weighted_units[key]) for key in ordered_keys if self.takes(*key)]
        if not units:
            raise NotFoundError("no topic is left", hint="select fewer tasks or topics")
        return collection, units

    def takes(self, task: str, topic: str) -> bool:
        """Return whether a task and topic are included."""
        return (not self.task or task in self.task) and (not self.topic or topic in self.topic)

    def require(self, addresses: Iterable[tuple[str, ...]]) -> None:
        """Raise an error for a chosen name that does not occur."""
        names = ("task", "topic", "system")
        for name, available_names in zip(names, zip(*addresses, strict=True), strict=False):
            message = f"there is no {name} {{}} with content units"
            require_known(message, getattr(self, name), available_names)


@dataclass(frozen=True, slots=True)
class SummarySource(PyramidSource):
    """The source of summaries with known content units, and the systems to include."""

    system: tuple[str, ...] = option((), "Systems to include, comma-separated; all by default.")
    references: bool = option(
        True, "Also score the references of a pyramid, each by the pyramid of the others.",
        flags=("--references/--no-references",),
    )  # fmt: skip

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """The options that differ from the defaults, for signatures."""
        system = (("system", "+".join(self.system)),) if self.system else ()
        references = () if self.references else (("references", "no"),)
        changed_weights = self.changed("weights", "assessor")
        return (*self.changed("task", "topic"), *system, *references, *changed_weights)

    def read_cases(self, workers: Workers = "majority") -> tuple[Collection, AnnotatedSummaries]:
        """Read the chosen summaries, with notes on what was left out."""
        collection = self.read()
        try:
            gathered_cases = gather_cases(
                collection, references=self.references, workers=workers, weights=self.weights
            )
        except InputError as error:
            raise type(error)(error.what, error.hint, where=error.where or self.where) from None
        if not gathered_cases.cases:
            raise _nothing_to_score(collection, self.where, gathered_cases.left_out)
        self.require((case.task, case.topic, case.system) for case in gathered_cases.cases)
        cases = tuple(
            case
            for case in gathered_cases.cases
            if self.takes(case.task, case.topic) and case.system in (self.system or (case.system,))
        )
        if not cases:
            raise NotFoundError("no summary is left", hint="select fewer tasks, topics or systems")
        notes = (*source_notes(collection), *gathered_cases.left_out)
        return collection, AnnotatedSummaries(cases, notes)


def _nothing_to_score(
    collection: Collection, where: Where | None, notes: tuple[str, ...]
) -> InputError:
    for problem in pyramid_problems(collection):
        if problem.kind == "empty pyramid":
            return InputError(f"{problem.subject} is empty", where=where, hint=problem.message)
    message = "there are no pyramids, annotated peers or answers for content units in it"
    hint = "name .pyr or .pan files, or a collection that has them"
    if notes:
        message, hint = f"nothing can be scored: {notes[0]}", "fix that"
    elif collection.pyramids:
        message = "there are no annotated peers and no answers for content units in it"
        hint = "select the pyramids' own references with --references"
    return InputError(message, where=where, hint=hint)


def source_notes(collection: Collection, *, exclude: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the notes of readers, and problems with pyramids of other kinds than these."""
    notes = list(reader_notes(collection))
    kinds = (
        (problem.kind, problem)
        for problem in pyramid_problems(collection)
        if problem.kind not in exclude
    )
    for kind, problems in grouped(kinds).items():
        n_more = len(problems) - 1
        suffix = f" (and {n_more} more, which `pyramidion describe` lists)" if n_more else ""
        notes.append(f"{kind}: {problems[0].subject}: {problems[0].message}{suffix}")
    return tuple(notes)


def reader_notes(collection: Collection) -> Iterator[str]:
    """Return the readers' notes, but only the first few about content units of the same file."""
    counts: Counter[str] = Counter()
    for line in collection.left_out:
        file, unit, _ = line.partition(": SCU ")
        counts[file] += bool(unit)
        if not unit or counts[file] <= _MAX_NOTES:
            yield line
    for file, count in counts.items():
        if count > _MAX_NOTES:
            hidden_note = f"{count - _MAX_NOTES} more such notes about content units"
            yield f"{file}: {hidden_note}, which `pyramidion describe` lists"


def without_tasks(table: Table) -> Table:
    """Drop the first column of a table, the tasks, if all are empty."""
    if any(row[0] for row in table.rows):
        return table
    return replace(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows))
