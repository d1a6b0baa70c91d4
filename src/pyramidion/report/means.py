"""Means of systems as a table: for wide and narrow terminals, and for programs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyramidion.report.tables import Cell, Table

__all__ = ["MeansTable", "means_table"]

#: A system's mean of a measure: task, system, kind, measure, mean, low, high, n.
Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class MeansTable(Table):
    """A table for people, and what programs and narrow terminals get instead.

    Parameters
    ----------
    numbers
        What is written as CSV.
    narrow
        What is shown where the table itself is too wide.

    Examples
    --------
    >>> table = MeansTable(("a",), (("0.5 [0.4, 0.6]",),), narrow=Table(("a",), (("0.5",),)))
    >>> "0.6" in table.to_text(width=80), "0.6" in table.to_text(width=10)
    (True, False)
    """

    numbers: Table = field(default_factory=lambda: Table((), ()))
    narrow: Table = field(default_factory=lambda: Table((), ()))

    def to_csv(self) -> str:
        """Write the numbers, in full."""
        return self.numbers.to_csv()

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the table for a terminal, or the narrow one where it would not fit."""
        if width is not None and max(map(len, Table.to_text(self).splitlines())) > width:
            return self.narrow.to_text(width=width, styled=styled)
        return Table.to_text(self, width=width, styled=styled)


def means_table(results: Sequence[Result]) -> MeansTable:
    """Make a table of means: systems down, measures across, the best of a task first.

    Parameters
    ----------
    results
        One for each task, system and measure.

    Examples
    --------
    >>> result = {"task": "", "system": "7", "kind": "machine", "measure": "rouge-2-f",
    ...           "mean": 0.25, "low": 0.2, "high": 0.35, "n": 10}
    >>> print(means_table([result]).to_text())
    Means [95% intervals]
    <BLANKLINE>
     system   kind       n   rouge-2-f
     ───────────────────────────────────────────────
     7        machine   10   0.2500 [0.2000, 0.3500]
    <BLANKLINE>
    """
    groups: dict[tuple[str, ...], list[Result]] = {}
    for result in results:
        groups.setdefault(tuple(result[name] for name in _GROUP), []).append(result)
    rows = sorted(groups.values(), key=lambda row: (row[0]["task"], -row[0]["mean"]))
    about = (*(_GROUP if any(result["task"] for result in results) else _GROUP[1:]), "n")
    columns = (*about, *dict.fromkeys(result["measure"] for result in results))

    def cells(shown: Callable[[Result], str]) -> tuple[tuple[Cell, ...], ...]:
        return tuple((*(row[0][name] for name in about), *map(shown, row)) for row in rows)

    return MeansTable(
        columns,
        cells(_with_interval),
        title="Means [95% intervals]",
        numbers=Table(tuple(results[0]), tuple(tuple(result.values()) for result in results)),
        narrow=Table(columns, cells(_with_half_width), title="Means ±half of the 95% intervals"),
    )


_GROUP = ("task", "system", "kind")


def _with_interval(result: Result) -> str:
    return f"{result['mean']:.4f} [{result['low']:.4f}, {result['high']:.4f}]"


def _with_half_width(result: Result) -> str:
    return f"{result['mean']:.4f} ±{(result['high'] - result['low']) / 2:.3f}".replace("±0", "±")
