"""What a summary should have said, and what it said instead."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from pyramidion.collection import Signature
from pyramidion.collection.questions import Options, option, question
from pyramidion.pyramid._cases import Case
from pyramidion.pyramid._optimal import optimal_summaries
from pyramidion.pyramid._scores import Weighing
from pyramidion.pyramid._source import SummarySource, without_tasks
from pyramidion.report.labels import counted
from pyramidion.report.result import Result
from pyramidion.report.table import Table, WideTable
from pyramidion.report.view import View, data


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
    >>> from pyramidion.pyramid._cases import gather_cases
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
    >>> from pyramidion.pyramid._scores import Content
    >>> from pyramidion.pyramid._units import TopicUnits
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


@dataclass(frozen=True, slots=True)
class MissedOptions(Options):
    """Which units are heavy, and how many are shown."""

    least: int | None = option(
        None, "Weight from which a unit is heavy; by default the least that every optimal summary "
        "as long as a reference has.", metavar="WEIGHT", least=1,
    )  # fmt: skip
    top: int = option(10, "Number of units shown for a summary; --format csv has all.", least=1)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """A summary, and how it spent its content units."""

    case: Case
    missed: Missed

    def unit(self, row: int) -> dict[str, Any]:
        """Give a content unit by its place."""
        units = self.case.units
        weight = int(units.weighing.weights[row])
        return {"uid": units.uids[row], "weight": weight, "label": units.labels[row]}

    @property
    def missed_units(self) -> list[dict[str, Any]]:
        """The heavy units it does not express."""
        return list(map(self.unit, self.missed.missed))

    @property
    def lighter_units(self) -> list[dict[str, Any]]:
        """The lighter units it expresses."""
        return list(map(self.unit, self.missed.light))


def _if_complete(name: str) -> Callable[[Diagnosis], int | None]:
    return lambda one: getattr(one.missed, name) if one.case.content.complete else None


_ABOUT = ("task", "topic", "system", "kind", "assessor")

DIAGNOSIS: View[Diagnosis] = View(
    "missed",
    (
        *(data(name, attrgetter(f"case.{name}")) for name in _ABOUT),
        data("weight", lambda one: one.case.scores().weight),
        data("max", lambda one: one.case.scores().max),
        data("modified", lambda one: one.case.scores().modified),
        data("least_weight", attrgetter("missed.least")),
        data("heavy", attrgetter("missed.heavy")),
        data("missed", attrgetter("missed_units")),
        data("lighter", attrgetter("lighter_units")),
        data("outside", _if_complete("outside")),
        data("repeated", _if_complete("repeated")),
    ),
)


@question
def missed(source: SummarySource, options: MissedOptions) -> Result[Diagnosis]:
    """List the heaviest content units each summary missed, and what it says instead.

    Examples
    --------
    >>> from pyramidion.collection import Pyramid
    >>> texts = {"A": "Ice melts.", "B": "Ice melts.", "C": "It is old."}
    >>> pyramid = Pyramid.from_references(texts, [
    ...     ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...     ("It is old", {"C": ["It is old"]})])
    >>> [(one.case.system, one.missed_units[0]["label"]) for one in missed(pyramid)]
    [('A', 'It is old'), ('B', 'It is old'), ('C', 'Ice melts')]
    """
    collection, read = source.read_cases()
    found = [Diagnosis(case, missed_units(case, least=options.least)) for case in read.cases]
    # What is missed most can be told where summaries of one topic are compared.
    several = len({(one.case.task, one.case.topic) for one in found}) < len(found)
    return Result(
        command="pyramid missed",
        signature=Signature(
            "pyramid-missed",
            data=collection.data_hash,
            details=(*source.details, *options.changed("least")),
        ),
        values=found,
        record=DIAGNOSIS.record,
        tables=[
            *(_table(one, options.top) for one in found),
            *([_often(found, options.top)] if several else []),
        ],
        left_out=read.left_out,
    )


def _table(one: Diagnosis, top: int) -> Table:
    case = one.case
    rows = tuple((unit["weight"], unit["uid"], unit["label"]) for unit in one.missed_units)
    more = len(rows) - top
    by = f", as {case.assessor} answered" if case.assessor else ""
    names = ("task", "topic", "system", *(["assessor"] if by else []))
    table = Table(
        ("weight", "SCU", "label"),
        rows,
        title=f"{case.name}{by}: {_verdict(one.missed)}",
        note=(f"And {more} more. " if more > 0 else "") + _instead(one, top),
        key=tuple((name, getattr(case, name)) for name in names),
        name="missed",
    )
    return _first_rows(table, top)


def _first_rows(table: Table, top: int) -> Table:
    """Show people the first rows; files have all."""
    few = replace(table, rows=table.rows[:top])
    return WideTable(
        few.columns, few.rows, few.title, few.note, name=few.name, numbers=table, narrow=few
    )


def _verdict(missed: Missed) -> str:
    heavy = f"of weight {missed.least} or more"
    if not missed.heavy:
        return f"the pyramid has no unit {heavy}"
    return f"missed {len(missed.missed)} of the {missed.heavy} units {heavy}"


def _instead(one: Diagnosis, top: int) -> str:
    """Say in a sentence what else the summary spent its units on."""
    light, missed = one.lighter_units, one.missed
    labels = "; ".join(f"{unit['label'] or unit['uid']} ({unit['weight']})" for unit in light[:top])
    more = "; …" if len(light) > top else ""
    parts = [f"{counted(len(light), 'lighter unit')} ({labels}{more})"] if light else []
    if missed.outside:
        parts.append(f"{missed.outside} outside the pyramid")
    if missed.repeated:
        parts.append(f"{missed.repeated} repeated")
    has = "It has instead" if missed.missed else "It also has"
    return f"{has}: {', '.join(parts)}." if parts else ""


def _often(found: Sequence[Diagnosis], top: int) -> Table:
    """Count how many summaries missed each unit."""
    seen = Counter((one.case.task, one.case.topic) for one in found)
    counts: Counter[tuple[str, str, str, str]] = Counter()
    weights: dict[tuple[str, str, str, str], int] = {}
    for one in found:
        for unit in one.missed_units:
            key = (one.case.task, one.case.topic, unit["uid"], unit["label"])
            counts[key] += 1
            weights[key] = max(weights.get(key, 0), unit["weight"])
    order = sorted(counts, key=lambda key: -weights[key] * counts[key] / seen[key[:2]])
    rows = tuple((*key[:2], weights[key], *key[2:], counts[key], seen[key[:2]]) for key in order)
    columns = ("task", "topic", "weight", "SCU", "label", "missed by", "of")
    title = "Missed most: weight times the share of summaries"
    return _first_rows(without_tasks(Table(columns, rows, title, name="missed most")), top)
