"""Preferences: which of two summaries of a topic an assessor finds better."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

from pyramidion._types import Bools, Floats, Ints
from pyramidion.collection._scores import Scores, TextColumn, codes_of
from pyramidion.collection.ids import natural_order
from pyramidion.collection.measures import LARGEST_SCORE
from pyramidion.errors import InputError, ShapeError

#: The possible choices, and their outcome for the first of the two.
CHOICES: Mapping[str, int] = {"first": 1, "tie": 0, "second": -1}
#: Which summary was shown first (or on the left): the second one if sides were swapped.
SIDES = ("", "swapped", "unknown")
#: All columns but the strength.
TEXT_COLUMNS = (
    "task", "topic", "measure", "first", "second", "choice", "assessor", "sides", "time",
)  # fmt: skip
COLUMNS = (*TEXT_COLUMNS, "strength")
_REQUIRED_COLUMNS = ("topic", "first", "second", "choice")

_MakeError = Callable[[int, str, str], Exception]


@dataclass(frozen=True, slots=True)
class Preference:
    """One choice between two summaries of a topic.

    Parameters
    ----------
    topic, task
        What was summarized.
    first, second
        The systems that wrote the two summaries.
    choice
        ``"first"``, ``"second"`` or ``"tie"``.
    measure
        The criterion, such as ``"fluency"``, if there were several.
    assessor
        Who chose.
    sides
        Empty if `first` was shown first (or on the left), ``"swapped"`` if `second` was, and
        ``"unknown"``.
    strength
        How much better, as a number above 0.

    Examples
    --------
    >>> Preference("T1", "x", "y", "first", assessor="K").strength
    1.0
    """

    topic: str
    first: str
    second: str
    choice: str
    task: str = ""
    measure: str = ""
    assessor: str = ""
    sides: str = ""
    strength: float = 1.0
    time: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class CodedPreferences:
    """Preferences as numbers: `first` and `second` are indices of `systems`, in display order.

    `outcome` is 1 if the one shown first is better, -1 if it is worse and 0 for a tie;
    `order_known` marks rows for which it is known which one was shown first.
    """

    systems: tuple[str, ...]
    first: Ints
    second: Ints
    outcome: Ints
    order_known: Bools

    @property
    def pair(self) -> Ints:
        """A number for each pair of systems, in either order."""
        low, high = np.minimum(self.first, self.second), np.maximum(self.first, self.second)
        pairs: Ints = low * len(self.systems) + high
        return pairs

    @property
    def oriented(self) -> Ints:
        """The outcome for the system with the lower index."""
        outcome: Ints = np.where(self.first < self.second, self.outcome, -self.outcome)
        return outcome


class Preferences:
    """The table of preferences, column by column.

    Invalid choices, a system compared with itself, and assessors who contradict themselves are
    refused. Repeated choices of an assessor count once (see `repeated`) unless the sides or the
    time differ.

    Parameters
    ----------
    columns
        Text columns by name; absent ones are empty.
    strength
        One number above 0 per row; 1 by default.

    Examples
    --------
    >>> table = Preferences.from_records([Preference("T1", "x", "y", "first"),
    ...                                   Preference("T1", "y", "z", "tie")])
    >>> len(table), table.coded.systems, table.coded.outcome.tolist()
    (2, ('x', 'y', 'z'), [1, 0])
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str] | TextColumn],
        strength: Sequence[float] | Floats | None = None,
        *,
        fail: _MakeError = lambda row, what, hint: InputError(f"row {row + 1}: {what}", hint),
    ) -> None:
        n_rows = len(columns.get("first", ()))
        self.columns: dict[str, TextColumn] = {
            name: np.fromiter(columns.get(name, [""] * n_rows), dtype=object, count=n_rows)
            for name in TEXT_COLUMNS
        }
        self.strength: Floats = np.ones(n_rows) if strength is None else np.array(strength, float)
        self.repeated = 0
        self._codes: dict[str, Ints] = {}
        if len(self.strength) != n_rows:
            raise ShapeError(f"{len(self.strength)} strengths of {n_rows} preferences")
        self._check(fail)

    def _check(self, fail: _MakeError) -> None:
        columns = self.columns
        for name in _REQUIRED_COLUMNS:
            for row in np.flatnonzero(columns[name] == "")[:1]:
                raise fail(int(row), f"`{name}` is empty", "fill it in")
        for name, choices in (("choice", tuple(CHOICES)), ("sides", SIDES)):
            for value in sorted(set(columns[name]) - {*choices}):
                row = int(np.flatnonzero(columns[name] == value)[0])
                hint = f"write {', '.join(filter(None, choices))}"
                raise fail(row, f"`{name}` is {value!r}", hint)
        for row in np.flatnonzero(columns["first"] == columns["second"])[:1]:
            message = f"{columns['first'][row]} is compared with itself"
            raise fail(int(row), message, "name two systems")
        for row in np.flatnonzero(~((self.strength > 0) & (self.strength <= LARGEST_SCORE)))[:1]:
            hint = f"give a number above 0 and up to {LARGEST_SCORE:g}"
            raise fail(int(row), f"`strength` is {self.strength[row]:g}", hint)
        self._require_once(fail)

    def _require_once(self, fail: _MakeError) -> None:
        """Refuse assessors who contradict themselves, and drop their repeated choices."""
        coded_choices = self.coded
        side = np.where(coded_choices.order_known, coded_choices.first < coded_choices.second, 2)
        names = ("task", "topic", "measure", "assessor", "time")
        keys = [coded_choices.pair, side, *map(self.codes, names)]
        order = np.lexsort((np.arange(len(self)), *keys))
        repeats_previous = np.logical_and.reduce(
            [key[order[1:]] == key[order[:-1]] for key in keys]
        )
        repeats_previous &= self.columns["assessor"][order[1:]] != ""
        repeated_rows, oriented_choices = order[1:][repeats_previous], coded_choices.oriented
        for index in np.flatnonzero(
            oriented_choices[repeated_rows] != oriented_choices[order[:-1][repeats_previous]]
        )[:1]:
            row = int(repeated_rows[index])
            values = {name: column[row] for name, column in self.columns.items()}
            message = (
                f"{values['assessor']} chose differently before between {values['first']} and "
            )
            message += f"{values['second']} on {values['topic']}"
            raise fail(row, message, "keep one, or distinguish them by time")
        if len(repeated_rows):
            self.repeated = len(repeated_rows)
            kept_rows = np.delete(np.arange(len(self)), repeated_rows)
            self.columns = {name: column[kept_rows] for name, column in self.columns.items()}
            self.strength = self.strength[kept_rows]
            self._codes = {}
            del self.__dict__["coded"]

    @classmethod
    def from_records(cls, records: Iterable[Preference]) -> "Preferences":
        """Create a table from single preferences."""
        rows = list(records)
        columns = {name: [getattr(row, name) for row in rows] for name in TEXT_COLUMNS}
        return cls(columns, [row.strength for row in rows])

    @classmethod
    def concatenate(cls, tables: Iterable["Preferences"]) -> "Preferences":
        """Concatenate tables."""
        parts = [table for table in tables if len(table)]
        if len(parts) < 2:
            return parts[0] if parts else cls({})
        columns = {
            name: np.concatenate([part.columns[name] for part in parts]) for name in TEXT_COLUMNS
        }
        return cls(columns, np.concatenate([part.strength for part in parts]))

    def __len__(self) -> int:
        return len(self.strength)

    def __iter__(self) -> Iterator[Preference]:
        for *texts, strength in self.tuples():
            yield Preference(strength=strength, **dict(zip(TEXT_COLUMNS, texts, strict=True)))

    def lines(self) -> Iterator[str]:
        """Return each row as a line of text."""
        columns = [column.tolist() for column in self.columns.values()]
        # Most tables have no strengths, and all are 1.
        strengths = self.strength.tolist() if (self.strength != 1).any() else ()
        strength_texts = map(repr, strengths) if strengths else repeat("1.0", len(self))
        return map("\x1f".join, zip(*columns, strength_texts, strict=True))

    def tuples(self) -> Iterator[tuple[Any, ...]]:
        """Return each row as a tuple: the text columns in their order, then the strength."""
        columns = (column.tolist() for column in self.columns.values())
        return zip(*columns, self.strength.tolist(), strict=True)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Preferences):
            return NotImplemented
        return len(self) == len(other) and Counter(self.tuples()) == Counter(other.tuples())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Preferences: {len(self)} of {len(self.coded.systems)} systems>"

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The columns to write: those that are not empty."""
        used_names = [
            name
            for name in TEXT_COLUMNS
            if name in _REQUIRED_COLUMNS or self.columns[name].astype(bool).any()
        ]
        return (*used_names, *(["strength"] if (self.strength != 1).any() else []))

    def rows(self, keep: Bools) -> "Preferences":
        """Return the rows of a mask."""
        return Preferences(
            {name: column[keep] for name, column in self.columns.items()}, self.strength[keep]
        )

    def codes(self, name: str) -> Ints:
        """Return a column's values as integer codes, numbered by first appearance."""
        if name not in self._codes:
            values = self.columns[name].tolist()
            self._codes[name] = codes_of(values, dict.fromkeys(values))
        return self._codes[name]

    @cached_property
    def coded(self) -> CodedPreferences:
        """The preferences as numbers, in the order in which the systems were shown."""
        columns = self.columns
        names = set(columns["first"].tolist()) | set(columns["second"].tolist())
        systems = tuple(sorted(names, key=natural_order))
        first, second = (codes_of(columns[name].tolist(), systems) for name in ("first", "second"))
        choices = map(CHOICES.__getitem__, columns["choice"].tolist())
        outcome = np.fromiter(choices, np.int64, len(self))
        is_swapped = columns["sides"] == "swapped"
        displayed_sides = np.where(is_swapped, second, first), np.where(is_swapped, first, second)
        displayed_outcome = np.where(is_swapped, -outcome, outcome)
        return CodedPreferences(
            systems, *displayed_sides, displayed_outcome, columns["sides"] != "unknown"
        )

    def to_scores(self) -> Scores:
        """Return a score for each system of each preference: 1 won, 0.5 tied, 0 lost.

        The measure is ``win-rate``; the unit is the other system.

        Examples
        --------
        >>> table = Preferences.from_records([Preference("T1", "x", "y", "first")])
        >>> [(row.system, row.measure, row.value) for row in table.to_scores()]
        [('x', 'win-rate', 1.0), ('y', 'win-rate', 0.0)]
        """
        preference_columns = self.columns
        columns = {
            name: np.tile(preference_columns[name], 2)
            for name in ("task", "topic", "assessor", "time")
        }
        columns["system"] = np.concatenate(
            [preference_columns["first"], preference_columns["second"]]
        )
        columns["unit"] = np.concatenate(
            [preference_columns["second"], preference_columns["first"]]
        )
        columns["kind"] = np.full(2 * len(self), "machine", dtype=object)
        measure_names = {
            m: f"win-rate-{m}" if m else "win-rate" for m in set(preference_columns["measure"])
        }
        measures = np.fromiter(
            map(measure_names.__getitem__, preference_columns["measure"]), object, len(self)
        )
        columns["measure"] = np.tile(measures, 2)
        columns["occasion"] = np.tile(preference_columns["sides"], 2)
        outcomes = np.fromiter(
            map(CHOICES.__getitem__, preference_columns["choice"]), np.float64, len(self)
        )
        return Scores(columns, np.concatenate([1 + outcomes, 1 - outcomes]) / 2)
