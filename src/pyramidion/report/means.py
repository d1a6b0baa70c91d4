"""Means of systems as a table: for wide and narrow terminals, and for programs."""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyramidion.report.fitting import FittingTable
from pyramidion.report.table import Cell, Table

__all__ = ["means_table"]

#: A system's mean of a measure: task, system, kind, measure, mean, low, high, n, and whether
#: higher is better.
Result = Mapping[str, Any]


def means_table(results: Sequence[Result]) -> FittingTable:
    """Make a table of means: systems down, measures across, the best of a task first.

    Parameters
    ----------
    results
        One for each task, system and measure.

    Examples
    --------
    >>> result = {"task": "", "system": "7", "kind": "machine", "measure": "rouge-2-f",
    ...           "mean": 0.25, "low": 0.2, "high": 0.35, "n": 10, "higher_is_better": True}
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
    rows = sorted(groups.values(), key=_place)
    about = _GROUP if any(result["task"] for result in results) else _GROUP[1:]
    columns = (*about, "n", *dict.fromkeys(map(_heading, results)))

    def cells(shown: Callable[[Result], Cell]) -> tuple[tuple[Cell, ...], ...]:
        return tuple(
            (*(row[0][name] for name in about), max(own["n"] for own in row), *map(shown, row))
            for row in rows
        )

    note = "" if all(own["higher_is_better"] for own in results) else f"{_LESS}: less is better."
    numbers = tuple(tuple(result[name] for name in _NUMBERS) for result in results)
    narrow = "Means ±half of the 95% intervals"
    return FittingTable(
        columns,
        cells(_with_interval),
        title="Means [95% intervals]",
        note=note,
        numbers=Table(_NUMBERS, numbers),
        narrow=Table(columns, cells(_with_half_width), title=narrow, note=note),
        heads=len(about) + 1,
    )


_GROUP = ("task", "system", "kind")
_NUMBERS = (*_GROUP, "measure", "mean", "low", "high", "n")
_LESS = "↓"


def _place(row: Sequence[Result]) -> tuple[str, bool, float]:
    """Order systems by their first measure, the best first, those without it last."""
    first = row[0]
    mean = -first["mean"] if first["higher_is_better"] else first["mean"]
    return first["task"], math.isnan(mean), mean


def _heading(result: Result) -> str:
    return result["measure"] if result["higher_is_better"] else f"{result['measure']} {_LESS}"


def _with_interval(result: Result) -> str | None:
    if not result["n"]:
        return None
    return f"{result['mean']:.4f} [{result['low']:.4f}, {result['high']:.4f}]"


def _with_half_width(result: Result) -> str | None:
    if not result["n"]:
        return None
    return f"{result['mean']:.4f} ±{(result['high'] - result['low']) / 2:.3f}".replace("±0", "±")
