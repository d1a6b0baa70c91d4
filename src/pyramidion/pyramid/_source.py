"""Summaries and their content units, from whatever holds them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from pyramidion.collection import Collection, Problem, Pyramid
from pyramidion.collection.formats import read_collection
from pyramidion.collection.ids import natural_order
from pyramidion.collection.pyramid_checks import pyramid_problems
from pyramidion.collection.questions import Options, argument, option
from pyramidion.collection.sources import Source, read_source
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.pyramid.answers import Workers
from pyramidion.pyramid.cases import Case, Cases, gather_cases
from pyramidion.pyramid.units import TopicUnits, all_units
from pyramidion.report.table import Table
from pyramidion.stats.inputs import choice


@dataclass(frozen=True, slots=True)
class PyramidSource(Options):
    """What holds content units, and the tasks and topics that are wanted."""

    source: Source | Pyramid = argument(
        "What holds pyramids, annotated peers or answers for content units: a .pyr or .pan file, "
        "a folder of them, a collection in any format."
    )
    task: tuple[str, ...] = option((), "Which tasks, with commas; all by default.")
    topic: tuple[str, ...] = option((), "Which topics, with commas; all by default.")
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


# Where a file's offsets are wrong, most often all of them are.
_FEW_NOTES = 3


@dataclass(frozen=True, slots=True)
class Selection:
    """Which summaries are asked about.

    Parameters
    ----------
    tasks, topics, systems
        Take these only; all if none is named.
    references
        Whether the pyramids' own references are wanted.
    workers
        How the answers of several people are taken: ``majority`` or ``each``.
    source_format
        The source's format; guessed if it is not given.

    Examples
    --------
    >>> Selection(topics=("T1",)).takes("A", "T2")
    False
    """

    tasks: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    references: bool = True
    workers: Workers = "majority"
    source_format: str | None = None

    def __post_init__(self) -> None:
        choice(self.workers, "workers", Workers)

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """What was chosen, for signatures; nothing where all was."""
        chosen = {
            "task": "+".join(self.tasks),
            "topic": "+".join(self.topics),
            "system": "+".join(self.systems),
            "references": "" if self.references else "no",
            "workers": "" if self.workers == "majority" else self.workers,
        }
        return tuple((name, value) for name, value in chosen.items() if value)

    def takes(self, task: str, topic: str, system: str | None = None) -> bool:
        """Tell whether an address is wanted."""
        pairs = ((self.tasks, task), (self.topics, topic), (self.systems, system))
        return all(not wanted or id is None or id in wanted for wanted, id in pairs)

    def require(self, addresses: Iterable[tuple[str, ...]]) -> None:
        """Refuse a name that is nowhere, and say which ones are there."""
        columns = list(zip(*addresses, strict=True))
        for name, wanted, there in zip(
            ("task", "topic", "system"), (self.tasks, self.topics, self.systems), columns,
            strict=False,
        ):  # fmt: skip
            for id in wanted:
                if id not in there:
                    known = ", ".join(sorted(filter(None, set(there)), key=natural_order))
                    raise NotFoundError(
                        f"there is no {name} {id!r} with content units",
                        hint=f"there are: {known or 'none with a name'}",
                    )


@dataclass(frozen=True, slots=True)
class ReadPyramids:
    """What was read for a command.

    Parameters
    ----------
    cases
        Summaries with what they express.
    units
        Content units by task and topic.
    data
        The hash of the data.
    left_out
        What a reader should know, one line each.

    Examples
    --------
    >>> ReadPyramids().cases
    ()
    """

    cases: tuple[Case, ...] = ()
    units: tuple[tuple[tuple[str, str], TopicUnits], ...] = ()
    data: str = ""
    left_out: tuple[str, ...] = ()


def read_cases(source: str | Path, selection: Selection) -> ReadPyramids:
    """Read the summaries whose content units are known.

    Parameters
    ----------
    source
        Anything with pyramids, annotated peers or answers for content units.
    selection
        Which of them are wanted.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     [case.system for case in read_cases(f"{folder}/mine", Selection()).cases]
    ['A', 'B']
    """
    collection = read_collection(source, format=selection.source_format)
    gathered = _gathered(collection, source, selection)
    if not gathered.cases:
        raise _nothing(collection, source, gathered.left_out)
    selection.require((case.task, case.topic, case.system) for case in gathered.cases)
    cases = [case for case in gathered.cases if selection.takes(case.task, case.topic, case.system)]
    if not cases:
        raise NotFoundError("no summary is left", hint="ask for fewer tasks, topics or systems")
    notes = (*source_notes(collection), *gathered.left_out)
    return ReadPyramids(tuple(cases), data=collection.data_hash, left_out=notes)


def read_units(source: str | Path, selection: Selection) -> ReadPyramids:
    """Read the content units of topics, whoever expresses them.

    Parameters
    ----------
    source
        Anything with pyramids or lists of content units.
    selection
        Which tasks and topics are wanted.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice", {"A": ["Ice"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     [(address, units.labels) for address, units in
    ...      read_units(f"{folder}/mine", Selection()).units]
    [(('', 'T1'), ('Ice',))]
    """
    collection = read_collection(source, format=selection.source_format)
    found = {key: units for key, units in all_units(collection).items() if units.weighing.units}
    if not found:
        raise _nothing(collection, source, ())
    selection.require(found)
    order = sorted(found, key=lambda key: (key[0], natural_order(key[1])))
    units = tuple((key, found[key]) for key in order if selection.takes(*key))
    if not units:
        raise NotFoundError("no topic is left", hint="ask for fewer tasks or topics")
    notes = source_notes(collection)
    return ReadPyramids(units=units, data=collection.data_hash, left_out=notes)


def _gathered(collection: Collection, source: str | Path, selection: Selection) -> Cases:
    try:
        return gather_cases(collection, references=selection.references, workers=selection.workers)
    except InputError as error:
        raise type(error)(error.what, where=error.where or Where(source), hint=error.hint) from None


def _nothing(collection: Collection, source: str | Path, notes: tuple[str, ...]) -> InputError:
    where = Where(source)
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
    """Tell what readers mended, and each kind of problem with pyramids once.

    Parameters
    ----------
    collection
        What was read.
    but
        Kinds of problems that a command tells in its own words.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> source_notes(Collection("", pyramids={("", "T1"): Pyramid("Ice melts.")}))
    ('empty pyramid: pyramid of T1: its text has no references: ...',)
    """
    return (*reader_notes(collection), *_described(collection, but))


def reader_notes(collection: Collection) -> Iterator[str]:
    """Give a file's notes about its content units a few times, then count them.

    Examples
    --------
    >>> lines = tuple(f"T1.pyr: SCU {uid}: ..." for uid in range(5))
    >>> list(reader_notes(Collection("", left_out=lines)))[-1]
    'T1.pyr: 2 more such notes about content units, which `pyramidion describe` lists'
    """
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
