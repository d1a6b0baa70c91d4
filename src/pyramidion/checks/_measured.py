"""The scores of each measure and task, prepared for the checks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.checks._kinds import new_finding
from pyramidion.collection import Collection
from pyramidion.collection.findings import Finding
from pyramidion.collection.measures import LARGEST_SCORE


@dataclass(frozen=True)
class MeasuredPart:
    """The scores of a measure and task, with names coded as numbers.

    `rows` are the indices of its scores in the collection's table.
    """

    task: str
    measure: str
    value: Floats
    rows: Ints
    codes: dict[str, Ints]
    names: dict[str, list[str]]

    @property
    def title(self) -> str:
        """The measure and the task, in words."""
        return f"{self.measure}, task {self.task}" if self.task else self.measure

    @cached_property
    def is_large(self) -> bool:
        """Whether a value is so large that medians and ranges may overflow."""
        return bool((np.abs(self.value) > LARGEST_SCORE).any())

    @cached_property
    def counts(self) -> tuple[Floats, Ints]:
        """The different values, in order, and how often each occurs."""
        return np.unique(self.value, return_counts=True)

    @cached_property
    def judges(self) -> list[tuple[str, Floats]]:
        """The scores of each named assessor."""
        return [(name, values) for name, values in self.values_by("assessor") if name]

    def rows_of(self, column: str, *names: str) -> Ints:
        """Return the rows of the collection's table that have one of the names in a column."""
        codes = [self.names[column].index(name) for name in names]
        rows: Ints = self.rows[np.isin(self.codes[column], codes)]
        return rows

    def finding(self, kind: str, message: str, **more: Any) -> Finding:
        """Make a finding about the measure."""
        return new_finding(kind, self.title, message, self.measure, **more)

    def about(self, kind: str, column: str, name: str, message: str, **more: Any) -> Finding:
        """Make a finding about a system, topic or assessor; all of its scores are affected."""
        rows = self.rows_of(column, name)
        return new_finding(kind, f"{column} {name}", message, name, **{"rows": rows, **more})

    def without(self, rows: Ints) -> "MeasuredPart":
        """Leave out rows of the collection's table."""
        return self._rows(~np.isin(self.rows, rows))

    def sampled(self, max_rows: int) -> "MeasuredPart":
        """Take every second topic, every third and so on, until at most this many rows are left."""
        step = -(-len(self.value) // max_rows)
        return self if step < 2 else self._rows(self.codes["topic"] % step == 0)

    def _rows(self, mask: Bools) -> "MeasuredPart":
        codes = {name: column[mask] for name, column in self.codes.items()}
        return replace(self, value=self.value[mask], rows=self.rows[mask], codes=codes)

    @cached_property
    def table(self) -> Floats:
        """The mean scores of topics by systems, NaN if there is none; empty if it is too sparse."""
        shape = len(self.names["topic"]), len(self.names["system"])
        if shape[0] * shape[1] > 1_000_000 + 20 * len(self.value):
            return np.empty((0, shape[1]))
        cells = self.codes["topic"] * shape[1] + self.codes["system"]
        counts = np.bincount(cells, minlength=shape[0] * shape[1])
        means = np.full(len(counts), np.nan)
        totals = np.bincount(cells, self.value, len(counts))
        np.divide(totals, counts, out=means, where=counts > 0)
        return means.reshape(shape)

    def values_by(self, column: str) -> list[tuple[str, Floats]]:
        """Return each name in a column with its values."""
        if column not in self._values:
            codes = self.codes[column]
            order = np.argsort(codes, kind="stable")
            part_ends = np.cumsum(np.bincount(codes, minlength=len(self.names[column])))
            parts = zip(
                self.names[column], np.split(self.value[order], part_ends[:-1]), strict=True
            )
            self._values[column] = [pair for pair in parts if len(pair[1])]
        return self._values[column]

    @cached_property
    def _values(self) -> dict[str, list[tuple[str, Floats]]]:
        return {}


#: Common scales of judgments and metrics.
_COMMON_SCALES = ((0, 1), (-1, 1), (1, 5), (0, 5), (1, 7), (0, 10), (0, 100))


def likely_scale(low: float, high: float) -> tuple[float, float]:
    """Return the ends of the narrowest common scale of scores, or twice their range."""
    for low_end, high_end in _COMMON_SCALES:
        if low_end <= low and high <= high_end:
            return low_end, high_end
    return low - (high - low) / 2, high + (high - low) / 2


#: Columns of the score table that hold names.
_CODED_COLUMNS = ("task", "measure", "topic", "system", "assessor", "unit")
CodedNames = dict[str, tuple[list[str], Ints]]


def code_names(collection: Collection) -> CodedNames:
    """Code the columns of names as numbers."""
    return {name: collection.scores.coded(name) for name in _CODED_COLUMNS}


def measured_units(collection: Collection, coded_names: CodedNames) -> Iterator[MeasuredPart]:
    """Group the answers about units by task and measure; each unit counts as a topic."""
    units, unit_codes = coded_names["unit"]
    has_unit = np.array([bool(name) for name in units], dtype=bool)[unit_codes]
    if not has_unit.any():
        return
    topics, topic_codes = coded_names["topic"]
    pairs, codes = np.unique(topic_codes * len(units) + unit_codes, return_inverse=True)
    addresses = (divmod(pair, len(units)) for pair in pairs.tolist())
    names = [f"{topics[topic]}, unit {units[unit]}" for topic, unit in addresses]
    yield from _group_rows(collection, {**coded_names, "topic": (names, codes)}, has_unit)


def measured_parts(collection: Collection, coded_names: CodedNames) -> Iterator[MeasuredPart]:
    """Group the scores of whole summaries by task and measure."""
    has_unit = np.array([bool(name) for name in coded_names["unit"][0]], dtype=bool)
    has_rows = len(collection.scores) > 0
    is_summary = ~has_unit[coded_names["unit"][1]] if has_rows else np.zeros(0, dtype=bool)
    yield from _group_rows(collection, coded_names, is_summary)


def _group_rows(
    collection: Collection, coded_names: CodedNames, row_mask: Bools
) -> Iterator[MeasuredPart]:
    """Group the scores of some rows by task and measure."""
    scores = collection.scores
    tasks, measures = coded_names["task"][0], coded_names["measure"][0]
    part_codes = coded_names["task"][1] * len(measures) + coded_names["measure"][1]
    for part_code in np.unique(part_codes[row_mask]).tolist():
        rows = row_mask & (part_codes == part_code)
        columns = ("topic", "system", "assessor")
        yield MeasuredPart(
            tasks[part_code // len(measures)],
            measures[part_code % len(measures)],
            scores.value[rows],
            np.flatnonzero(rows),
            {name: coded_names[name][1][rows] for name in columns},
            {name: coded_names[name][0] for name in columns},
        )
