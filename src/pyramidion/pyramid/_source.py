"""Summaries and their content units, from whatever holds them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pyramidion.collection import Collection, Problem, Pyramid
from pyramidion.collection.ids import natural_order
from pyramidion.collection.pyramid_checks import pyramid_problems
from pyramidion.collection.questions import Options, argument, option
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.pyramid._cases import Cases, gather_cases
from pyramidion.pyramid._units import TopicUnits, Workers, all_units
from pyramidion.report.table import Table

# Where a file's offsets are wrong, most often all of them are.
_FEW_NOTES = 3

#: Content units of a task and a topic.
AddressedUnits = tuple[tuple[str, str], TopicUnits]


@dataclass(frozen=True, slots=True)
class PyramidSource(Options):
    """What holds content units, and the tasks and topics that are wanted."""

    source: Source | Pyramid = argument(
        "What holds pyramids, annotated peers or answers for content units: a .pyr or .pan file, "
        "a folder of them, a collection in any format."
    )
    task: tuple[str, ...] = option((), "Tasks, with commas; all by default.")
    topic: tuple[str, ...] = option((), "Topics, with commas; all by default.")
    source_format: str | None = option(
        None, "Format of the source; guessed by default.", flags=("--from",), metavar="FORMAT"
    )

    def read(self) -> Collection:
        """Give the source as a collection, a pyramid as one with nothing else in it."""
        if isinstance(self.source, Pyramid):
            return Collection("", pyramids={("", "pyramid"): self.source})
        return read_source(self.source, format=self.source_format)

    @property
    def where(self) -> Where | None:
        """Where it was read from, if it is a file."""
        return Where(self.source) if isinstance(self.source, str | Path) else None

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """What was chosen, for signatures; nothing where all was."""
        return self.changed("task", "topic")

    def read_units(self) -> tuple[Collection, list[AddressedUnits]]:
        """Read the content units of topics, whoever expresses them."""
        collection = self.read()
        found = {key: units for key, units in all_units(collection).items() if units.weighing.units}
        if not found:
            raise _nothing(collection, self.where, ())
        self.require(found)
        order = sorted(found, key=lambda key: (key[0], natural_order(key[1])))
        units = [(key, found[key]) for key in order if self.takes(*key)]
        if not units:
            raise NotFoundError("no topic is left", hint="ask for fewer tasks or topics")
        return collection, units

    def takes(self, task: str, topic: str) -> bool:
        """Tell whether a task and topic are wanted."""
        return (not self.task or task in self.task) and (not self.topic or topic in self.topic)

    def require(self, addresses: Iterable[tuple[str, ...]]) -> None:
        """Refuse a name that is nowhere, and say which ones are there."""
        names = ("task", "topic", "system")
        for name, there in zip(names, zip(*addresses, strict=True), strict=False):
            for id in getattr(self, name):
                if id not in there:
                    known = ", ".join(sorted(filter(None, set(there)), key=natural_order))
                    raise NotFoundError(
                        f"there is no {name} {id!r} with content units",
                        hint=f"there are: {known or 'none with a name'}",
                    )


@dataclass(frozen=True, slots=True)
class SummarySource(PyramidSource):
    """What holds summaries whose content units are known, and which are wanted."""

    system: tuple[str, ...] = option((), "Systems, with commas; all by default.")
    references: bool = option(
        True, "Also measure the pyramids' own references, each by the others.",
        flags=("--references/--no-references",),
    )  # fmt: skip

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """What was chosen, for signatures; nothing where all was."""
        chosen = [*self.changed("task", "topic")]
        if self.system:
            chosen.append(("system", "+".join(self.system)))
        return (*chosen, *(() if self.references else (("references", "no"),)))

    def read_cases(self, workers: Workers = "majority") -> tuple[Collection, Cases]:
        """Read the summaries that are wanted, and what a reader should know about them."""
        collection = self.read()
        gathered = self._gathered(collection, workers)
        if not gathered.cases:
            raise _nothing(collection, self.where, gathered.left_out)
        self.require((case.task, case.topic, case.system) for case in gathered.cases)
        cases = tuple(
            case
            for case in gathered.cases
            if self.takes(case.task, case.topic) and case.system in (self.system or (case.system,))
        )
        if not cases:
            raise NotFoundError("no summary is left", hint="ask for fewer tasks, topics or systems")
        return collection, Cases(cases, (*source_notes(collection), *gathered.left_out))

    def _gathered(self, collection: Collection, workers: Workers) -> Cases:
        try:
            return gather_cases(collection, references=self.references, workers=workers)
        except InputError as error:
            where = error.where or self.where
            raise type(error)(error.what, where=where, hint=error.hint) from None


def _nothing(collection: Collection, where: Where | None, notes: tuple[str, ...]) -> InputError:
    for problem in pyramid_problems(collection):
        if problem.kind == "empty pyramid":
            return InputError(f"{problem.subject} is empty", where=where, hint=problem.message)
    if notes:
        return InputError(f"nothing can be scored: {notes[0]}", where=where, hint="mend that")
    if collection.pyramids:
        return InputError(
            "there are no annotated peers and no answers for content units in it",
            where=where,
            hint="ask for the pyramids' own references with --references",
        )
    return InputError(
        "there are no pyramids, annotated peers or answers for content units in it",
        where=where,
        hint="name .pyr or .pan files, or a collection that has them",
    )


def source_notes(collection: Collection, *, but: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Tell what readers mended, and each kind of problem with pyramids once but those in `but`."""
    return (*reader_notes(collection), *_described(collection, but))


def reader_notes(collection: Collection) -> Iterator[str]:
    """Give a file's notes about its content units a few times, then count them."""
    counts: Counter[str] = Counter()
    for line in collection.left_out:
        file, about, _ = line.partition(": SCU ")
        counts[file] += bool(about)
        if not about or counts[file] <= _FEW_NOTES:
            yield line
    for file, count in counts.items():
        if count > _FEW_NOTES:
            more = f"{count - _FEW_NOTES} more such notes about content units"
            yield f"{file}: {more}, which `pyramidion describe` lists"


def _described(collection: Collection, but: tuple[str, ...]) -> Iterator[str]:
    """Tell of each kind of problem once, with the first of them."""
    found: dict[str, list[Problem]] = {}
    for problem in (p for p in pyramid_problems(collection) if p.kind not in but):
        found.setdefault(problem.kind, []).append(problem)
    for kind, problems in found.items():
        more = len(problems) - 1
        others = f" (and {more} more, which `pyramidion describe` lists)" if more else ""
        yield f"{kind}: {problems[0].subject}: {problems[0].message}{others}"


def without_tasks(table: Table) -> Table:
    """Drop a table's first column, the tasks, where none has a name."""
    if any(row[0] for row in table.rows):
        return table
    return replace(table, columns=table.columns[1:], rows=tuple(row[1:] for row in table.rows))
