"""Printed numbers: entries, cells, and how a computed value compares with a printed one."""

import gzip
import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

if TYPE_CHECKING:
    from pyramidion.studies._reproduce.data_folder import DataFolder

#: Rows and columns of cells, counted from 0.
Position = tuple[int, int]
#: Computed values: numbers (percentages as printed, such as 63.1), or words.
Values = Mapping[Position, float | str]
Match = Literal["exact", "cut off", "off"]

_NUMBER_WORDS = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
)
_NUMBER_BY_WORD = {**{word: number for number, word in enumerate(_NUMBER_WORDS)}, "sixteen": 16}
_POWER_PATTERN = re.compile(r"(\d+)\^\{(-?\d+)\}(?: ?- ?(\d+))?")
_NUMBER_PATTERN = re.compile(r"-?\d*\.?\d+(?:e[+-]\d+)?")


@dataclass(frozen=True, slots=True)
class PrintedEntry:
    """A table, figure or statement of a document, with its cells as they are printed."""

    id: str
    kind: str
    document: str
    section: str
    caption: str
    measures: str
    needs: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Any, ...], ...]
    number: str = ""
    role: str = ""
    same_as: str = ""
    misprints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    readings: tuple[int, ...] = ()

    @property
    def source(self) -> str:
        """Where it is printed, such as ``rankel, Table 4.1``."""
        return f"{self.document}, {self.number or f'section {self.section}'}"

    @property
    def positions(self) -> Iterator[tuple[Position, str]]:
        """All cells that are not empty; one with two coefficients is joined by a slash."""
        for row, cells in enumerate(self.cells):
            for column, cell in enumerate(cells):
                if cell:
                    yield (row, column), " / ".join(cell) if isinstance(cell, list) else cell

    def value(self, row: int | str, column: int | str = 0) -> float:
        """Return a printed number, by index or name; percentages as printed."""
        i = row if isinstance(row, int) else self.rows.index(row)
        j = column if isinstance(column, int) else self.columns.index(column)
        number = printed_number(self.cells[i][j])
        assert number is not None
        return number

    def column(self, column: int | str) -> list[float]:
        """Return the numbers of a column."""
        return [self.value(row, column) for row in range(len(self.rows))]


Basis = Literal["data", "documents", "fitted", "other"]


@dataclass(frozen=True, slots=True)
class ComputedEntry:
    """What was computed for an entry.

    `how` says from what it was computed, `why` explains values that differ from print. `basis` is
    the data, other printed numbers, a search for numbers that fit the entry itself, which
    reproduces nothing, or other data than those of the paper, which can only illustrate.
    """

    values: Values
    how: str = "from the documents"
    why: str = ""
    missing: str = ""
    basis: Basis = "documents"


@dataclass(frozen=True, slots=True)
class DocumentEntries:
    """All entries by id, and the data sets that they need."""

    entries: Mapping[str, PrintedEntry]
    data_sets: Mapping[str, str]

    def __getitem__(self, name: str) -> PrintedEntry:
        return self.entries[name]


@cache
def documents() -> DocumentEntries:
    """Load the printed numbers, which come with the package."""
    packed_bytes = (files(__package__) / "data" / "printed.json.gz").read_bytes()
    content = json.loads(gzip.decompress(packed_bytes))
    tuple_fields = ("needs", "rows", "columns", "misprints", "notes", "readings")
    entries = {}
    for record in content["entries"]:
        record |= {name: tuple(record.get(name, ())) for name in tuple_fields}
        record["cells"] = tuple(map(tuple, record["cells"]))
        entries[record["id"]] = PrintedEntry(**record)
    return DocumentEntries(entries, content["data_sets"])


def printed_number(text: str | None) -> float | None:
    """Return the number that a cell shows, as printed; None for words and lists."""
    digits_text = (text or "").strip().replace(",", "").removesuffix("%").removesuffix("+")
    if digits_text.lower() in _NUMBER_BY_WORD:
        return float(_NUMBER_BY_WORD[digits_text.lower()])
    if power_match := _POWER_PATTERN.fullmatch(digits_text):
        return float(power_match[1]) ** int(power_match[2]) - int(power_match[3] or 0)
    return float(digits_text) if _NUMBER_PATTERN.fullmatch(digits_text) else None


def count_decimals(text: str) -> int:
    """Count the decimals of a printed number; 1.2e-05 has six."""
    mantissa_text, _, power = text.removesuffix("%").partition("e-")
    return len(mantissa_text.partition(".")[2]) + int(power or 0)


def _truncate(value: float, digits: int) -> float:
    """Cut a number off after some decimals, without errors of binary fractions."""
    decimal_value = Decimal(repr(round(value, max(9, digits + 3))))
    return float(decimal_value.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_DOWN))


def compare_with_print(text: str, value: float | str, label: str = "") -> Match:
    """Compare a computed value with a printed one, up to its last digit.

    Labels such as "p below" and "about" make the printed number a bound, or a round number.
    """
    number = printed_number(text)
    if number is None or isinstance(value, str):
        return "exact" if str(value) == text else "off"
    if math.isnan(value):
        return "off"
    label_words = label.replace(",", "").split()
    if label_words and label_words[-1] in ("below", "under"):
        return "exact" if value < number else "off"
    if any(label.endswith(ending) for ending in ("above", "at least", "more than")):
        return "exact" if value >= number else "off"
    if label_words and label_words[-1] == "about":
        return "exact" if abs(value - number) <= 0.15 * abs(number) else "off"
    unit = 10.0 ** -count_decimals(text)
    if abs(value - number) <= unit / 2 + 1e-5 * unit:
        return "exact"
    # .2 is not what remains of .254.
    is_cut = _truncate(value, count_decimals(text)) == number and abs(value - number) <= 0.1 * abs(
        value
    )
    return "cut off" if is_cut else "off"


#: Values by row and column, each by name or number: numbers, words, or None where they are missing.
#: Rows and columns that are not printed are ignored.
Grid = Sequence[Any] | Mapping[Any, Any]


def place_values(entry: PrintedEntry, grid: Grid) -> Values:
    """Return the values of a grid by position, without those that are missing."""
    values: dict[Position, float | str] = {}
    for row, row_cells in _positions(grid, entry.rows):
        is_single = row_cells is None or isinstance(row_cells, float | int | str | np.generic)
        for column, value in _positions([row_cells] if is_single else row_cells, entry.columns):
            if isinstance(value, str) or (value is not None and not math.isnan(value)):
                values[row, column] = value if isinstance(value, str) else float(value)
    return values


def _positions(cells: Any, names: Sequence[str]) -> Iterator[tuple[int, Any]]:
    pairs = cells.items() if isinstance(cells, Mapping) else enumerate(cells)
    for key, value in pairs:
        if isinstance(key, int) and key < len(names):
            yield key, value
        elif key in names:
            yield names.index(key), value


@dataclass(frozen=True, slots=True)
class ComputationRule:
    """How an entry is computed, from what, and why the printed values differ."""

    compute: Callable[..., Grid]
    how: "str | Callable[[DataFolder], str]"
    why: str | Callable[[Values], str] = ""

    def describe(self, data: "DataFolder") -> str:
        """Return how the entry is computed from these data."""
        return self.how if isinstance(self.how, str) else self.how(data)

    def explain(self, values: Values) -> str:
        """Return the reason that fits the computed values."""
        return self.why if isinstance(self.why, str) else self.why(values)


#: Computations from other printed numbers, and from data.
FROM_DOCUMENTS: dict[str, ComputationRule] = {}
FROM_DATA: dict[str, ComputationRule] = {}


def from_data(
    *names: str,
    how: "str | Callable[[DataFolder], str]",
    why: str | Callable[[Values], str] = "",
) -> Callable[[Callable[["PrintedEntry", "DataFolder"], Grid]], Callable[..., Grid]]:
    """Register a function that computes entries from data."""

    def register(function: Callable[..., Grid]) -> Callable[..., Grid]:
        FROM_DATA.update(dict.fromkeys(names, ComputationRule(function, how, why)))
        return function

    return register
