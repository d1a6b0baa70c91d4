"""Optimal summaries, and the heavy content units that summaries missed."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb
from operator import attrgetter
from typing import Any

from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import grouped
from pyramidion.pyramid.cases import PyramidSource, SummarySource, source_notes, without_tasks
from pyramidion.pyramid.content_units import Case, TopicUnits, Weighing
from pyramidion.questions import Options, Signature, option, question
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Result
from pyramidion.rendering.table import Cell, Table, WideTable
from pyramidion.rendering.view import Column, View, columns, data, shown

_NOTE = (
    "An optimal summary has every unit of the upper tiers, and any choice from the last tier it "
    "draws from."
)


@dataclass(frozen=True, slots=True)
class OptimalSummaries:
    """All summaries of a size with the highest possible weight."""

    size: int
    max: int
    tier: int
    fixed_rows: tuple[int, ...]
    free_rows: tuple[int, ...]
    n_chosen: int

    @property
    def count(self) -> int:
        """The number of these summaries."""
        return comb(len(self.free_rows), self.n_chosen)

    def examples(self, number: int) -> list[tuple[int, ...]]:
        """Return some of them, evenly spread, as rows of content units."""
        number = min(number, self.count)
        return [self._example(self.count * index // number) for index in range(number)]

    def _example(self, rank: int) -> tuple[int, ...]:
        """Return the summary with this rank in lexicographic order."""
        n_remaining, picked_rows = self.n_chosen, list(self.fixed_rows)
        for index, unit in enumerate(self.free_rows):
            # The number of choices with this unit and any that follow.
            n_with_unit = (
                comb(len(self.free_rows) - index - 1, n_remaining - 1) if n_remaining else 0
            )
            if rank < n_with_unit:
                picked_rows.append(unit)
                n_remaining -= 1
            else:
                rank -= n_with_unit
        return tuple(picked_rows)


def optimal_summaries(weighing: Weighing, size: int | None = None) -> OptimalSummaries:
    """Find the summaries of a size that score 1: whole tiers from the top, and some of the last."""
    size = weighing.size if size is None else size
    weights = weighing.weights.tolist()
    weighted_rows = (row for row, weight in enumerate(weights) if weight)
    heaviest_rows = sorted(weighted_rows, key=lambda row: -weights[row])
    n_units = min(size, len(heaviest_rows))
    tier = weights[heaviest_rows[max(n_units, 1) - 1]]
    fixed_rows = tuple(row for row in heaviest_rows if weights[row] > tier)
    free_rows = tuple(row for row in heaviest_rows if weights[row] == tier)
    return OptimalSummaries(
        size, weighing.most(size), tier, fixed_rows, free_rows, n_units - len(fixed_rows)
    )


@dataclass(frozen=True, slots=True)
class OptimalOptions(Options):
    """The size of optimal summaries, and how many to show."""

    size: int | None = option(
        None, "Number of content units in a summary; by default the mean of the references, "
        "rounded half up.", metavar="X", min=0,
    )  # fmt: skip
    examples: int = option(2, "Number of optimal summaries to show.", min=0, max=1000)


@dataclass(frozen=True, slots=True)
class OptimalOfTopic:
    """The optimal summaries of a topic's pyramid, with examples by the rows of their units."""

    task: str
    topic: str
    units: TopicUnits
    best: OptimalSummaries
    examples: tuple[tuple[int, ...], ...]

    @property
    def choice(self) -> str:
        """Which units can be chosen freely, in words."""
        units = self.units.weighing.units
        if not self.best.size:
            return "nothing to choose"
        if self.best.size > units:
            return f"all {units}: the pyramid has no more"
        return f"{self.best.n_chosen} of the {len(self.best.free_rows)} of weight {self.best.tier}"

    @property
    def uids(self) -> list[list[str]]:
        """The units of the examples, by their ids."""
        return [[self.units.uids[row] for row in rows] for rows in self.examples]


OPTIMAL: View[OptimalOfTopic] = View(
    "optimal",
    (
        *columns("task", "topic"),
        data("references", lambda topic: topic.units.weighing.order),
        Column("scus", "SCUs", lambda topic: topic.units.weighing.units),
        *columns("size", of="best", max="Max", count="optimal summaries"),
        shown("choice", lambda topic: topic.choice),
        data("lowest_tier", lambda topic: topic.best.tier),
        data("chosen", lambda topic: topic.best.n_chosen),
        data("of", lambda topic: len(topic.best.free_rows)),
        data("examples", lambda topic: topic.uids),
    ),
)


@question
def optimal(source: PyramidSource, options: OptimalOptions) -> Result[OptimalOfTopic]:
    """Count the optimal summaries of a given number of content units, and show some.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [
    ...     ("Ice", {"A": ["Ice"]}), ("It melts", {"A": ["melts"]})])
    >>> [topic] = optimal(pyramid, size=1)
    >>> topic.best.count, topic.uids
    (2, [['1'], ['2']])
    """
    collection, topic_units = source.read_units()
    topics = []
    for address, units in topic_units:
        optimum = optimal_summaries(units.weighing, options.size)
        examples = tuple(optimum.examples(options.examples))
        topics.append(OptimalOfTopic(*address, units, optimum, examples))
    details = (*source.details, *options.changed("size"))
    return Result(
        command="pyramid optimal",
        signature=Signature("pyramid-optimal", data=collection.data_hash, details=details),
        values=topics,
        record=OPTIMAL.record,
        tables=[
            without_tasks(OPTIMAL.table(topics, "Optimal summaries", _NOTE)),
            *(map(_examples_table, topics) if options.examples and options.size != 0 else ()),
        ],
        left_out=source_notes(collection),
    )


def _examples_table(topic: OptimalOfTopic) -> Table:
    """List the units of the examples, with a column of marks for each."""
    units, weights = topic.units, topic.units.weighing.weights
    rows: list[tuple[Cell, ...]] = []
    for row in units.heaviest({row for example in topic.examples for row in example}):
        marks = ("×" if row in example else "" for example in topic.examples)
        rows.append((int(weights[row]), units.uids[row], units.labels[row], *marks))
    example_headings = tuple(f"no. {number}" for number in range(1, len(topic.examples) + 1))
    title = f"Examples for {address_name(topic.task, topic.topic)}"
    key = (("task", topic.task), ("topic", topic.topic))
    headings = ("weight", "SCU", "label", *example_headings)
    return Table(headings, tuple(rows), title, key=key, name="examples")


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A summary, the heavy units that it misses, and the light ones that it has.

    `heavy` is the number of units of weight `least` or more, `missed` are the rows of those that
    it does not express, and `light` the rows of lighter ones that it expresses.
    """

    case: Case
    least: int
    heavy: int
    missed: tuple[int, ...]
    light: tuple[int, ...]

    def unit(self, row: int) -> dict[str, Any]:
        """Return a content unit by its row."""
        units = self.case.units
        weight = int(units.weighing.weights[row])
        return {"uid": units.uids[row], "weight": weight, "label": units.labels[row]}

    @property
    def missed_units(self) -> list[dict[str, Any]]:
        """The heavy units that it does not express."""
        return list(map(self.unit, self.missed))

    @property
    def lighter_units(self) -> list[dict[str, Any]]:
        """The lighter units that it expresses."""
        return list(map(self.unit, self.light))


def missed_units(case: Case, *, min_weight: int | None = None) -> Diagnosis:
    """Find the heavy content units that a summary misses."""
    units = case.units
    if min_weight is None:
        optimum = optimal_summaries(units.weighing, max(1, units.weighing.size))
        min_weight = optimum.tier
        if optimum.n_chosen < len(optimum.free_rows) and optimum.fixed_rows:
            min_weight = int(units.weighing.weights[list(optimum.fixed_rows)].min())
    weights, is_expressed = units.weighing.weights, case.content.expressed
    is_heavy = weights >= max(1, min_weight)
    missed_rows = (is_heavy & ~is_expressed).nonzero()[0].tolist()
    light_rows = (~is_heavy & is_expressed & (weights > 0)).nonzero()[0].tolist()
    unit_lists = (tuple(units.heaviest(rows)) for rows in (missed_rows, light_rows))
    return Diagnosis(case, min_weight, int(is_heavy.sum()), *unit_lists)


@dataclass(frozen=True, slots=True)
class MissedOptions(Options):
    """Which units are heavy, and how many are shown."""

    min_weight: int | None = option(
        None, "Minimum weight of the content units listed; by default, the smallest weight whose "
        "units are all in every optimal summary of the length of a reference.",
        metavar="WEIGHT", min=1,
    )  # fmt: skip
    top: int = option(
        10, "Number of content units shown per summary; --format csv lists all.", min=1
    )


def _if_complete(name: str) -> Callable[[Diagnosis], int | None]:
    return lambda diagnosis: (
        getattr(diagnosis.case.scores(), name) if diagnosis.case.content.complete else None
    )


_CASE_FIELDS = ("task", "topic", "system", "kind", "assessor")

DIAGNOSIS: View[Diagnosis] = View(
    "missed",
    (
        *(data(name, attrgetter(f"case.{name}")) for name in _CASE_FIELDS),
        data("weight", lambda diagnosis: diagnosis.case.scores().weight),
        data("max", lambda diagnosis: diagnosis.case.scores().max),
        data("modified", lambda diagnosis: diagnosis.case.scores().modified),
        data("least_weight", attrgetter("least")),
        data("heavy"),
        data("missed", attrgetter("missed_units")),
        data("lighter", attrgetter("lighter_units")),
        data("outside", _if_complete("outside")),
        data("repeated", _if_complete("repeated")),
    ),
)


@question
def missed(source: SummarySource, options: MissedOptions) -> Result[Diagnosis]:
    """List the heaviest content units that each summary missed, and what it says instead.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    >>> pyramid = Pyramid.from_references(texts, [
    ...     ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...     ("It is old", {"C": ["It is old"]})])
    >>> [(row.case.system, row.missed_units[0]["label"]) for row in missed(pyramid)]
    [('A', 'It is old'), ('B', 'It is old'), ('C', 'Ice melts')]
    """
    collection, cases_read = source.read_cases()
    diagnoses = [missed_units(case, min_weight=options.min_weight) for case in cases_read.cases]
    # The units missed most often are shown if a topic has several summaries.
    topics = {(diagnosis.case.task, diagnosis.case.topic) for diagnosis in diagnoses}
    details = (*source.details, *options.changed("min_weight"))
    return Result(
        command="pyramid missed",
        signature=Signature("pyramid-missed", data=collection.data_hash, details=details),
        values=diagnoses,
        record=DIAGNOSIS.record,
        tables=[
            *(_table(diagnosis, options.top) for diagnosis in diagnoses),
            *([_most_missed(diagnoses, options.top)] if len(topics) < len(diagnoses) else []),
        ],
        left_out=cases_read.left_out,
    )


def _table(diagnosis: Diagnosis, n_rows: int) -> Table:
    case = diagnosis.case
    rows = tuple((unit["weight"], unit["uid"], unit["label"]) for unit in diagnosis.missed_units)
    n_hidden = len(rows) - n_rows
    suffix = f", as {case.assessor} answered" if case.assessor else ""
    names = ("task", "topic", "system", *(["assessor"] if suffix else []))
    weight_phrase = f"of weight {diagnosis.least} or more"
    verdict = f"missed {len(diagnosis.missed)} of the {diagnosis.heavy} units {weight_phrase}"
    if not diagnosis.heavy:
        verdict = f"the pyramid has no unit {weight_phrase}"
    table = Table(
        ("weight", "SCU", "label"),
        rows,
        title=f"{case.name}{suffix}: {verdict}",
        note=(f"And {n_hidden} more. " if n_hidden > 0 else "")
        + _describe_expressed(diagnosis, n_rows),
        key=tuple((name, getattr(case, name)) for name in names),
        name="missed",
    )
    return _first_rows(table, n_rows)


def _first_rows(table: Table, n_rows: int) -> Table:
    """Show only the first rows; output files have all of them."""
    shortened_table = replace(table, rows=table.rows[:n_rows])
    return WideTable(
        shortened_table.columns,
        shortened_table.rows,
        shortened_table.title,
        shortened_table.note,
        name=shortened_table.name,
        numbers=table,
        narrow=shortened_table,
    )


def _describe_expressed(diagnosis: Diagnosis, n_rows: int) -> str:
    """Describe what the summary expresses instead."""
    lighter_units, scores = diagnosis.lighter_units, diagnosis.case.scores()
    labels = "; ".join(
        f"{unit['label'] or unit['uid']} ({unit['weight']})" for unit in lighter_units[:n_rows]
    )
    ellipsis = "; …" if len(lighter_units) > n_rows else ""
    parts = (
        [f"{counted(len(lighter_units), 'lighter unit')} ({labels}{ellipsis})"]
        if lighter_units
        else []
    )
    if scores.outside:
        parts.append(f"{scores.outside} outside the pyramid")
    if scores.repeated:
        parts.append(f"{scores.repeated} repeated")
    opening = "It has instead" if diagnosis.missed else "It also has"
    return f"{opening}: {', '.join(parts)}." if parts else ""


def _most_missed(diagnoses: Sequence[Diagnosis], n_rows: int) -> Table:
    """Count how many summaries missed each unit."""
    n_summaries = Counter((diagnosis.case.task, diagnosis.case.topic) for diagnosis in diagnoses)
    weights = grouped(
        ((diagnosis.case.task, diagnosis.case.topic, unit["uid"], unit["label"]), unit["weight"])
        for diagnosis in diagnoses
        for unit in diagnosis.missed_units
    )
    missed_counts = [
        (key, max(unit_weights), len(unit_weights), n_summaries[key[:2]])
        for key, unit_weights in weights.items()
    ]
    missed_counts.sort(key=lambda row: -row[1] * row[2] / row[3])
    rows = tuple((*key[:2], weight, *key[2:], *counts) for key, weight, *counts in missed_counts)
    columns = ("task", "topic", "weight", "SCU", "label", "missed by", "of")
    title = "Missed most: weight times the share of summaries"
    return _first_rows(without_tasks(Table(columns, rows, title, name="missed most")), n_rows)
