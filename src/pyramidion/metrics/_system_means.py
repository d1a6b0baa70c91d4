"""Each system's means over its summaries."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats
from pyramidion.collection._ids import grouped
from pyramidion.collection._scores import Addressed
from pyramidion.engine._jobs import Group, group_order
from pyramidion.errors import InputError
from pyramidion.metrics._metric import Metric
from pyramidion.metrics._rouge import RougeMeasure
from pyramidion.report.table import Cell, Table, WideTable
from pyramidion.rouge._results import Mean, perl_means, sample_means

#: Bytes of a name.
_LONG = 100
_NO_MEAN = Mean(np.nan, np.nan, np.nan, 0)


@dataclass
class SystemMeans:
    """The scores of each system's summaries, as they come."""

    #: In UTF-8, whose order is that of the characters: arrays take much less memory than lists.
    _names: dict[Group, list[npt.NDArray[Any]]] = field(default_factory=dict)
    _values: dict[Group, list[Floats]] = field(default_factory=dict)

    def add(self, scored: Sequence[Addressed], values: Floats) -> None:
        """Take summaries and their scores, one row each."""
        rows = grouped(((i.task, i.system, str(i.kind)), row) for row, i in enumerate(scored))
        for group, own in rows.items():
            self._values.setdefault(group, []).append(values[own])
            names = [_evaluation(scored[row]) for row in own]
            # A long name would make all as long.
            kind = object if max(map(len, names)) > _LONG else np.bytes_
            self._names.setdefault(group, []).append(np.array(names, kind))

    def require_any(self) -> None:
        """Refuse to go on if no summary has a score."""
        values = (own for parts in self._values.values() for own in parts)
        if all(np.isnan(own).all() for own in values):
            raise InputError(
                "no metric of the run is defined for any summary",
                hint="look for texts without words, name other metrics, or let your own return "
                "a number",
            )

    def results(self, metrics: Mapping[str, Metric], *, seed: int = 0) -> Iterator[dict[str, Any]]:
        """Average, systems in the order of their names, people last."""
        exact = [isinstance(own, RougeMeasure) and own.exact for own in metrics.values()]
        for task, system, kind in sorted(self._names, key=group_order):
            values = self._ordered((task, system, kind))
            if np.isnan(values).all():
                continue
            means = _means(values, np.array(exact), seed)
            for (measure, metric), found in zip(metrics.items(), means, strict=True):
                named = {"task": task, "system": system, "kind": kind, "measure": measure}
                yield {**named, **asdict(found), "higher_is_better": metric.higher_is_better}

    def _ordered(self, group: Group) -> Floats:
        """Put summaries in the order of their names, so that the order they came in is no matter.

        It is the order in which ROUGE-1.5.5 draws from them.
        """
        order = np.argsort(np.concatenate(self._names[group]), kind="stable")
        return np.concatenate(self._values[group])[order]


def _evaluation(item: Addressed) -> bytes:
    topic = f"{item.topic}-{item.task}" if item.task else item.topic
    return f"{topic}.{item.system}".encode("utf-8", "surrogatepass")


def _means(values: Floats, exact: npt.NDArray[np.bool_], seed: int) -> list[Mean]:
    """Average each column over the rows that have a score; columns that are alike together."""
    there = ~np.isnan(values)
    found = [_NO_MEAN] * values.shape[1]
    ways = enumerate(zip(there.T, exact, strict=True))
    alike = grouped(((own.tobytes(), way), column) for column, (own, way) in ways)
    for (_, in_exact_mode), columns in alike.items():
        rows = there[:, columns[0]]
        if not rows.any():
            continue
        own = values[rows][:, columns]
        means = perl_means(own) if in_exact_mode else sample_means(own, rng=seed)
        for column, mean in zip(columns, means, strict=True):
            found[column] = mean
    return found


#: A system's mean of a measure: task, system, kind, measure, mean, low, high, n, and whether
#: higher is better.
Record = Mapping[str, Any]


def means_table(results: Sequence[Record]) -> WideTable:
    """Make a table of means: systems down, measures across, the best of a task first."""
    groups = grouped((tuple(result[name] for name in _GROUP), result) for result in results)
    rows = sorted(groups.values(), key=_best_first)
    about = _GROUP if any(result["task"] for result in results) else _GROUP[1:]
    columns = (*about, "n", *dict.fromkeys(map(_heading, results)))

    def cells(shown: Callable[[Record], Cell]) -> tuple[tuple[Cell, ...], ...]:
        named = (([row[0][name] for name in about], row) for row in rows)
        return tuple((*own, max(one["n"] for one in row), *map(shown, row)) for own, row in named)

    note = "" if all(own["higher_is_better"] for own in results) else f"{_LESS}: less is better."
    numbers = tuple(tuple(result[name] for name in _NUMBERS) for result in results)
    narrow = "Means ±half of the 95% intervals"
    return WideTable(
        columns,
        cells(_with_interval),
        title="Means [95% intervals]",
        note=note,
        numbers=Table(_NUMBERS, numbers, name="means"),
        narrow=Table(columns, cells(_with_half_width), title=narrow, note=note),
        heads=len(about) + 1,
        name="means",
    )


_GROUP = ("task", "system", "kind")
_NUMBERS = (*_GROUP, "measure", "mean", "low", "high", "n")
_LESS = "↓"


def _best_first(row: Sequence[Record]) -> tuple[str, bool, float]:
    """Order systems by their first measure, the best first, those without it last."""
    first = row[0]
    mean = -first["mean"] if first["higher_is_better"] else first["mean"]
    return first["task"], math.isnan(mean), mean


def _heading(result: Record) -> str:
    return result["measure"] if result["higher_is_better"] else f"{result['measure']} {_LESS}"


def _with_interval(result: Record) -> str | None:
    if not result["n"]:
        return None
    if math.isnan(result["low"]):  # of one summary alone
        return f"{result['mean']:.4f}"
    return f"{result['mean']:.4f} [{result['low']:.4f}, {result['high']:.4f}]"


def _with_half_width(result: Record) -> str | None:
    if not result["n"]:
        return None
    if math.isnan(result["low"]):
        return f"{result['mean']:.4f}"
    return f"{result['mean']:.4f} ±{(result['high'] - result['low']) / 2:.3f}".replace("±0", "±")
