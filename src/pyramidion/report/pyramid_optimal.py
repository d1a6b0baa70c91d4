"""Optimal summaries of pyramids: how many there are, and some of them."""

from pathlib import Path
from typing import Any

from pyramidion.collection import Signature
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError
from pyramidion.pyramid._source import Selection, read_units, without_tasks
from pyramidion.pyramid.optimal import OptimalSummaries, optimal_summaries
from pyramidion.pyramid.units import TopicUnits
from pyramidion.report.answer import Answer
from pyramidion.report.table import Cell, Table

__all__ = ["pyramid_optimal_answer"]

_NOTE = (
    "An optimal summary has every unit of the tiers above the last one it draws from, and any "
    "choice from that one."
)


def pyramid_optimal_answer(
    source: str | Path, selection: Selection, *, size: int | None = None, examples: int = 2
) -> Answer:
    """Count the summaries of a size that score 1, and show some.

    Parameters
    ----------
    source
        Anything with pyramids or lists of content units.
    selection
        Which tasks and topics are wanted.
    size
        How many content units; a reference's mean, rounded half up, if it is not given.
    examples
        How many are shown.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Pyramid
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [
    ...     ("Ice", {"A": ["Ice"]}), ("It melts", {"A": ["melts"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = pyramid_optimal_answer(f"{folder}/mine", Selection(), size=1)
    >>> answer.results[0]["count"], answer.results[0]["examples"]
    (2, [['1'], ['2']])
    """
    if examples < 0:
        raise InputError(f"{examples} examples cannot be shown", hint="give 0 or more")
    read = read_units(source, selection)
    found = [
        (address, units, optimal_summaries(units.weighing, size)) for address, units in read.units
    ]
    tables = [_overview(found)]
    tables += [_table(address, units, best, examples) for address, units, best in found]
    details = (*selection.details, *([("size", str(size))] if size is not None else []))
    return Answer(
        command="pyramid optimal",
        signature=Signature("pyramid-optimal", data=read.data, details=details),
        results=[_result(*address, units, best, examples) for address, units, best in found],
        tables=tuple(tables) if examples and size != 0 else tuple(tables[:1]),
        left_out=read.left_out,
    )


def _result(
    task: str, topic: str, units: TopicUnits, best: OptimalSummaries, examples: int
) -> dict[str, Any]:
    return {
        "task": task,
        "topic": topic,
        "references": units.weighing.order,
        "scus": units.weighing.units,
        "size": best.size,
        "max": best.max,
        "count": best.count,
        "lowest_tier": best.tier,
        "chosen": best.chosen,
        "of": len(best.free),
        "examples": [[units.uids[row] for row in rows] for rows in best.examples(examples)],
    }


def _overview(found: list[tuple[tuple[str, str], TopicUnits, OptimalSummaries]]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            task,
            topic,
            units.weighing.units,
            best.size,
            best.max,
            best.count,
            _choice(units, best),
        )
        for (task, topic), units, best in found
    )
    columns = ("task", "topic", "SCUs", "size", "Max", "optimal summaries", "choice")
    return without_tasks(Table(columns, rows, title="Optimal summaries", note=_NOTE))


def _choice(units: TopicUnits, best: OptimalSummaries) -> str:
    if not best.size:
        return "nothing to choose"
    if best.size > units.weighing.units:
        return f"all {units.weighing.units}: the pyramid has no more"
    return f"{best.chosen} of the {len(best.free)} of weight {best.tier}"


def _table(
    address: tuple[str, str], units: TopicUnits, best: OptimalSummaries, examples: int
) -> Table:
    """List the units of some optimal summaries, marked in a column for each."""
    shown = best.examples(examples)
    rows = tuple(
        (
            int(units.weighing.weights[row]),
            units.uids[row],
            units.labels[row],
            *("×" if row in example else "" for example in shown),
        )
        for row in units.heaviest({row for example in shown for row in example})
    )
    numbers = tuple(f"no. {number}" for number in range(1, len(shown) + 1))
    title = f"Examples for {address_name(*address)}"
    key = (("task", address[0]), ("topic", address[1]))
    return Table(("weight", "SCU", "label", *numbers), rows, title=title, key=key)
