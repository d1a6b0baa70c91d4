"""Optimal summaries: the best that so many content units can make of a pyramid."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

from pyramidion.collection import Signature
from pyramidion.collection.problems import address_name
from pyramidion.collection.questions import Options, option, question
from pyramidion.errors import InputError
from pyramidion.pyramid._scores import Weighing
from pyramidion.pyramid._source import PyramidSource, source_notes, without_tasks
from pyramidion.pyramid._units import TopicUnits
from pyramidion.report.result import Result
from pyramidion.report.table import Table
from pyramidion.report.view import Column, View, data, shown

_NOTE = (
    "An optimal summary has every unit of the tiers above the last one it draws from, and any "
    "choice from that one."
)


@dataclass(frozen=True, slots=True)
class OptimalSummaries:
    """All summaries of a size that weigh as much as any of that size can.

    Parameters
    ----------
    size
        How many content units they have.
    max
        What they weigh.
    tier
        The weight of the lowest tier they draw from.
    fixed
        The units that all of them have: the tiers above it.
    free
        The units of that tier, of which each takes some.
    chosen
        How many.

    Examples
    --------
    >>> import numpy as np
    >>> found = optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), order=3), 4)
    >>> found.count, found.max, found.examples(2)
    (6, 10, [(0, 1, 2, 3), (0, 1, 3, 4)])
    """

    size: int
    max: int
    tier: int
    fixed: tuple[int, ...]
    free: tuple[int, ...]
    chosen: int

    @property
    def count(self) -> int:
        """How many there are."""
        return comb(len(self.free), self.chosen)

    def examples(self, number: int) -> list[tuple[int, ...]]:
        """Give some of them, spread evenly over all, as places of content units."""
        number = min(number, self.count)
        ranks = (self.count * index // number for index in range(number))
        return [(*self.fixed, *self._choice(rank)) for rank in ranks]

    def _choice(self, rank: int) -> tuple[int, ...]:
        """Give the choice with a certain rank in the order of the alphabet."""
        picked: list[int] = []
        for place, unit in enumerate(self.free):
            left = self.chosen - len(picked)
            if not left:
                break
            # So many choices take this unit and then any of those that follow.
            with_unit = comb(len(self.free) - place - 1, left - 1)
            if rank < with_unit:
                picked.append(unit)
            else:
                rank -= with_unit
        return tuple(picked)


def optimal_summaries(weighing: Weighing, size: int | None = None) -> OptimalSummaries:
    """Find the summaries of a size that score 1: whole tiers from the top, and some of the last.

    Parameters
    ----------
    weighing
        What the content units weigh.
    size
        How many units; a reference's mean, rounded half up, if it is not given. Beyond the
        pyramid's own there is one, with all of them.

    Examples
    --------
    >>> import numpy as np
    >>> optimal_summaries(Weighing(np.array([3, 3, 2, 2, 2, 2]), order=3), 1).free
    (0, 1)
    """
    wanted = weighing.size if size is None else size
    if wanted < 0:
        raise InputError(f"a summary cannot have {wanted} content units", hint="give 0 or more")
    weights = weighing.weights.tolist()
    tiers = sorted({weight for weight in weights if weight}, reverse=True)
    fixed: list[int] = []
    for tier in tiers:
        rows = tuple(row for row, weight in enumerate(weights) if weight == tier)
        if len(fixed) + len(rows) >= wanted or tier == tiers[-1]:
            chosen = min(wanted - len(fixed), len(rows))
            return OptimalSummaries(wanted, weighing.most(wanted), tier, tuple(fixed), rows, chosen)
        fixed += rows
    raise InputError(
        "the pyramid has no content unit that a reference expresses",
        hint="annotate its references first",
    )


@dataclass(frozen=True, slots=True)
class OptimalOptions(Options):
    """Which optimal summaries are shown."""

    size: int | None = option(
        None, "Number of content units; a reference's mean, rounded half up, by default.",
        metavar="X", least=0,
    )  # fmt: skip
    examples: int = option(2, "Number of optimal summaries shown.", least=0, most=1000)


@dataclass(frozen=True, slots=True)
class OptimalOfTopic:
    """The optimal summaries of a topic's pyramid, and some of them by their units' places."""

    task: str
    topic: str
    units: TopicUnits
    best: OptimalSummaries
    examples: tuple[tuple[int, ...], ...]

    @property
    def choice(self) -> str:
        """What can be chosen, in words."""
        every = self.units.weighing.units
        if not self.best.size:
            return "nothing to choose"
        if self.best.size > every:
            return f"all {every}: the pyramid has no more"
        return f"{self.best.chosen} of the {len(self.best.free)} of weight {self.best.tier}"

    @property
    def uids(self) -> list[list[str]]:
        """The units of the examples, by their ids."""
        return [[self.units.uids[row] for row in rows] for rows in self.examples]


OPTIMAL: View[OptimalOfTopic] = View(
    "optimal",
    (
        Column("task", "task"),
        Column("topic", "topic"),
        data("references", lambda one: one.units.weighing.order),
        Column("scus", "SCUs", lambda one: one.units.weighing.units),
        Column("size", "size", lambda one: one.best.size),
        Column("max", "Max", lambda one: one.best.max),
        Column("count", "optimal summaries", lambda one: one.best.count),
        shown("choice", lambda one: one.choice),
        data("lowest_tier", lambda one: one.best.tier),
        data("chosen", lambda one: one.best.chosen),
        data("of", lambda one: len(one.best.free)),
        data("examples", lambda one: one.uids),
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
    >>> [found] = optimal(pyramid, size=1)
    >>> found.best.count, found.uids
    (2, [['1'], ['2']])
    """
    collection, read = source.read_units()
    found = [_optimal_of(*address, units, options) for address, units in read]
    some = options.examples and options.size != 0
    return Result(
        command="pyramid optimal",
        signature=Signature(
            "pyramid-optimal",
            data=collection.data_hash,
            details=(*source.details, *options.changed("size")),
        ),
        values=found,
        record=OPTIMAL.record,
        tables=(_overview(found), *(map(_examples_table, found) if some else ())),
        left_out=source_notes(collection),
    )


def _optimal_of(
    task: str, topic: str, units: TopicUnits, options: OptimalOptions
) -> OptimalOfTopic:
    best = optimal_summaries(units.weighing, options.size)
    return OptimalOfTopic(task, topic, units, best, tuple(best.examples(options.examples)))


def _overview(found: Sequence[OptimalOfTopic]) -> Table:
    return without_tasks(OPTIMAL.table(found, "Optimal summaries", _NOTE))


def _examples_table(one: OptimalOfTopic) -> Table:
    """List the units of some optimal summaries, marked in a column for each."""
    units, weights = one.units, one.units.weighing.weights
    rows = tuple(
        (
            int(weights[row]), units.uids[row], units.labels[row],
            *("×" if row in example else "" for example in one.examples),
        )
        for row in units.heaviest({row for example in one.examples for row in example})
    )  # fmt: skip
    numbers = tuple(f"no. {number}" for number in range(1, len(one.examples) + 1))
    title = f"Examples for {address_name(one.task, one.topic)}"
    key = (("task", one.task), ("topic", one.topic))
    return Table(("weight", "SCU", "label", *numbers), rows, title, key=key, name="examples")
