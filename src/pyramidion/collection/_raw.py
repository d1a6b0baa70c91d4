"""Raw tables: the unparsed columns of a file or data frame, and the number of each row."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

from pyramidion.errors import FormatError, InputError, Where
from pyramidion.questions import report_library

if TYPE_CHECKING:
    from narwhals import Series

T = TypeVar("T")

_MISSING_TEXTS = {"", "na", "n/a", "nan", "null", "none", "<na>"}


@dataclass(frozen=True)
class RawTable:
    """Columns by name, with the number of each row in its file or data frame."""

    columns: Mapping[str, Sequence[Any]]
    row_numbers: Sequence[int]
    name: str = ""
    where: Where | None = None
    #: What a row is called in messages.
    row_noun: str = "line"
    _numbers: dict[str, list[float | None]] = field(default_factory=dict)

    def numbers(self, name: str) -> list[float | None]:
        """Return a column's numbers: NaN if one is missing, None if a cell is not a number."""
        if name not in self._numbers:
            self._numbers[name] = convert_each(self.columns[name], read_number)
        return self._numbers[name]

    def row_error(self, row: int, problem: str, hint: str) -> FormatError:
        """Return an error about a row."""
        number = self.row_numbers[row]
        if self.where is not None and self.row_noun == "line":
            return Where(self.where.path, line=number).error(problem, hint)
        return FormatError(f"{self.row_noun} {number}: {problem}", hint, where=self.where)

    def table_error(self, problem: str, hint: str) -> FormatError:
        """Return an error about the whole table."""
        return FormatError(problem, hint, where=self.where)


def table_from_frame(frame: Any, name: str = "", where: Where | None = None) -> RawTable:
    """Take the columns of a data frame, with a named index, or of a dictionary of lists.

    Missing values become None.
    """
    import narwhals as nw

    if isinstance(frame, Mapping):
        return _table_from_lists(frame, name, where)
    if any(name is not None for name in getattr(getattr(frame, "index", None), "names", ())):
        frame = frame.reset_index()
    is_from_pandas = hasattr(type(frame), "columns") and hasattr(type(frame), "index")
    if is_from_pandas and getattr(frame.columns, "nlevels", 1) > 1:
        hint = "flatten them, for instance with frame.stack().reset_index()"
        raise InputError("the data frame has several column levels", hint, where=where)
    if is_from_pandas and any(not isinstance(name, str) for name in frame.columns):
        frame = frame.rename(columns=str)
    try:
        table = nw.from_native(frame, eager_only=True)
    except (TypeError, ValueError) as error:
        reason = str(error).split("\n", 1)[0]
        hint = "pass a pandas or polars DataFrame, collected if it is lazy"
        raise InputError(f"this is not a data frame ({reason})", hint, where=where) from None
    if table.implementation.is_pandas() or table.implementation.is_polars():
        report_library(table.implementation.name.lower())
    columns = {column: list(_values(table[column])) for column in table.columns}
    return RawTable(columns, range(1, len(table) + 1), name, where, "row")


def _table_from_lists(
    columns_by_name: Mapping[str, Any], name: str, where: Where | None
) -> RawTable:
    """Take a dictionary of lists as columns; missing values become None."""
    hint = "give a dictionary of lists of the same length"
    for column, values in columns_by_name.items():
        if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
            raise InputError(f"column {column!r} is not a list", hint, where=where)
    columns = {
        str(column): [None if _is_nan(value) else value for value in values]
        for column, values in columns_by_name.items()
    }
    lengths = {column: len(values) for column, values in columns.items()}
    if len(set(lengths.values())) != 1:
        sizes = ", ".join(f"{column} {length}" for column, length in lengths.items())
        problem = (
            f"the columns have different lengths: {sizes}" if sizes else "there are no columns"
        )
        raise InputError(problem, hint, where=where)
    return RawTable(columns, range(1, next(iter(lengths.values())) + 1), name, where, "row")


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _values(series: "Series[Any]") -> Iterator[Any]:
    for value, is_missing in zip(series.to_list(), series.is_null().to_list(), strict=True):
        if is_missing or _is_nan(value):
            yield None
        else:
            yield value.isoformat() if isinstance(value, date) else value


def _is_missing(value: Any) -> bool:
    if isinstance(value, str):
        return value.strip().lower() in _MISSING_TEXTS
    return value is None or _is_nan(value)


def read_number(value: Any) -> float | None:
    """Parse a number: NaN if it is missing, None if the value is not a number."""
    if _is_missing(value):
        return math.nan
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        return None
    try:
        number = float(value.replace("\u2212", "-") if isinstance(value, str) else value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def convert_each(values: Sequence[Any], convert: Callable[[Any], T]) -> list[T]:
    """Convert each value of a column; equal texts and numbers are converted once."""
    if set(map(type, values)) <= {str, float, type(None)}:
        converted_values = {value: convert(value) for value in set(values)}
        return list(map(converted_values.__getitem__, values))
    return list(map(convert, values))


def id_text(value: Any) -> str:
    """Return an id as text; empty if it is missing."""
    if _is_missing(value):
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))  # pandas turns ids into floats if one is missing
    return str(value).strip()
