"""Tiers of pyramids: how many content units weigh how much, and which."""

from pathlib import Path
from typing import Any

from pyramidion.collection import Signature
from pyramidion.collection.problems import address_name
from pyramidion.errors import InputError
from pyramidion.pyramid._source import Selection, read_units
from pyramidion.pyramid.units import TopicUnits
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.table import Table, WideTable

__all__ = ["pyramid_tiers_answer"]

_WIDEST_BAR = 40
_LONGEST_LABEL, _LEAST_LABEL = 60, 15

# A terminal has as many columns as this, or more.
_NARROW = 80


def pyramid_tiers_answer(
    source: str | Path,
    selection: Selection,
    *,
    examples: int = 2,
    figure: str | Path | None = None,
) -> Answer:
    """Show the tiers of each topic's pyramid.

    Parameters
    ----------
    source
        Anything with pyramids or lists of content units.
    selection
        Which tasks and topics are wanted.
    examples
        How many labels of a tier are shown; files have all of them.
    figure
        Where the pyramid is drawn, if anywhere; one topic must be chosen.

    Examples
    --------
    >>> import tempfile
    >>> from pyramidion.collection import Collection, Pyramid
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts."}, [("Ice", {"A": ["Ice"], "B": ["Ice"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = pyramid_tiers_answer(f"{folder}/mine", Selection())
    >>> [(tier["weight"], tier["count"]) for tier in answer.results[0]["tiers"]]
    [(2, 1), (1, 0)]
    """
    read = read_units(source, selection)
    if figure is not None:
        _draw(read.units, figure)
    return Answer(
        command="pyramid tiers",
        signature=Signature("pyramid-tiers", data=read.data, details=selection.details),
        results=[_result(*address, units) for address, units in read.units],
        tables=tuple(_table(*address, units, examples) for address, units in read.units),
        left_out=read.left_out,
    )


def _draw(found: tuple[tuple[tuple[str, str], TopicUnits], ...], figure: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.pyramid import pyramid_figure

    if len(found) > 1:
        there = "; ".join(address_name(*address) for address, _ in found[:3])
        raise InputError(
            f"one pyramid can be drawn at a time, and {len(found)} are chosen ({there}, ...)",
            hint="choose one with --topic and --task",
        )
    (task, topic), units = found[0]
    save(pyramid_figure(units, topic=topic, task=task), figure)


def _result(task: str, topic: str, units: TopicUnits) -> dict[str, Any]:
    total = units.weighing.units
    return {
        "task": task,
        "topic": topic,
        "references": units.weighing.order,
        "scus": total,
        "average_scus": units.weighing.average,
        "tiers": [
            {
                "weight": tier,
                "count": len(rows),
                "share": len(rows) / total,
                "scus": [{"uid": units.uids[row], "label": units.labels[row]} for row in rows],
            }
            for tier, rows in units.tiers().items()
        ],
    }


def _table(task: str, topic: str, units: TopicUnits, examples: int) -> Table:
    tiers = list(units.tiers().items())
    most = max(len(rows) for _, rows in tiers)
    weighing = units.weighing
    about = (
        f"{counted(weighing.order, 'reference')}, {counted(weighing.units, 'SCU')}, "
        f"{weighing.average:.1f} a reference"
    )
    every = tuple(
        (tier, units.uids[row], units.labels[row]) for tier, rows in tiers for row in rows
    )
    key = (("task", task), ("topic", topic))
    shown = tuple(
        (tier, len(rows), _bar(len(rows), most), _shown(units, rows, examples))
        for tier, rows in tiers
    )
    title = f"Tiers of {address_name(task, topic)}: {about}"
    return _TiersTable(
        ("weight", "SCUs", "pyramid", "such as"),
        shown,
        title=title,
        numbers=Table(("weight", "uid", "label"), every, key=key),
        narrow=_narrow(units, title, min(examples, 1)),
    )


def _narrow(units: TopicUnits, title: str, examples: int) -> Table:
    """Show one label of a tier, as much of it as a narrow terminal has room for."""
    tiers = units.tiers()
    most = max(map(len, tiers.values()))
    columns = ("weight", "SCUs", "pyramid", "such as")
    bars = [_bar(len(rows), most) for rows in tiers.values()]
    room = _NARROW - sum(map(len, columns[:2])) - max(map(len, (*bars, columns[2]))) - 12
    rows = tuple(
        (tier, len(rows), bar, _shown(units, rows, examples, longest=room))
        for (tier, rows), bar in zip(tiers.items(), bars, strict=True)
    )
    if room < _LEAST_LABEL or not examples:
        return Table(columns[:3], tuple(row[:3] for row in rows), title=title)
    return Table(columns, rows, title=title)


class _TiersTable(WideTable):
    """Tiers with a drawing, which is for terminals only."""

    def to_latex(self) -> str:
        rows = tuple((*row[:2], row[3]) for row in self.rows)
        return Table(("weight", "SCUs", "such as"), rows, title=self.title).to_latex()


def _bar(count: int, most: int) -> str:
    """Draw a tier, centred; one with few units is seen all the same."""
    scale = min(1.0, _WIDEST_BAR / most)
    width = max(1, round(count * scale)) if count else 0
    return ("█" * width).center(round(most * scale)).rstrip()


def _shown(
    units: TopicUnits, rows: tuple[int, ...], examples: int, *, longest: int = _LONGEST_LABEL
) -> str:
    labels = [units.labels[row] or units.uids[row] for row in rows[:examples]]
    more = "; …" if len(rows) > examples and labels else ""
    room = longest - len(more) if longest < _LONGEST_LABEL else longest
    return "; ".join(_shortened(label, room) for label in labels) + more


def _shortened(label: str, longest: int) -> str:
    line = " ".join(label.split())
    return line if len(line) <= longest else f"{line[: max(longest - 1, 0)]}…"
