"""Columns, declared once for JSON, CSV, LaTeX, the terminal and pages."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Any, Generic, TypeVar

from pyramidion.rendering.table import Cell, Table

T = TypeVar("T")
Get = Callable[[T], Any]


@dataclass(frozen=True, slots=True)
class Column(Generic[T]):
    """A value that every row has.

    Parameters
    ----------
    key
        Its key in JSON, and the attribute it is read from; empty if only tables have it.
    title
        Its heading in tables; empty if only JSON has it.
    get, show
        How it is computed, and how tables show it, if that is not the attribute itself.
    """

    key: str
    title: str = ""
    get: Get[T] | None = None
    show: Get[T] | None = None

    def value(self, row: T) -> Any:
        """Return the value for programs."""
        return (self.get or attrgetter(self.key))(row)

    def cell(self, row: T) -> Cell:
        """Return the value for people."""
        cell: Cell = self.show(row) if self.show else self.value(row)
        return cell


def data(key: str, get: Get[Any] | None = None) -> Column[Any]:
    """Declare a column that appears only in JSON."""
    return Column(key, "", get)


def shown(title: str, get: Get[Any]) -> Column[Any]:
    """Declare a column that appears only in tables."""
    return Column("", title, show=get)


def columns(*names: str, of: str = "", **titles: str) -> tuple[Column[Any], ...]:
    """Declare columns that are plain attributes, with their titles.

    Names are their own titles by default; columns with an empty title are for JSON only. They may
    be attributes `of` an attribute.

    Examples
    --------
    >>> [column.title for column in columns("p", p_adjusted="p (Holm)", n_resamples="")]
    ['p', 'p (Holm)', '']
    """
    default_titles = {name: name.replace("_", " ") for name in names}
    return tuple(
        Column(key, title, attrgetter(f"{of}.{key}") if of else None)
        for key, title in (default_titles | titles).items()
    )


def field_columns(kind: type[Any], **titles: str) -> tuple[Column[Any], ...]:
    """Declare a column for each field of a dataclass; field names are the titles unless given."""
    default_titles = {field.name: field.name.replace("_", " ") for field in fields(kind)}
    return tuple(Column(key, title) for key, title in (default_titles | titles).items())


@dataclass(frozen=True, slots=True)
class View(Generic[T]):
    """The columns of a kind of row, in order.

    Parameters
    ----------
    name
        The table's name in `Result.to_frame`, such as ``"ranking"``.
    columns
        Declared with `Column`, `data` and `shown`.
    digits
        Decimals shown in tables.
    key
        Keys of columns that all rows of a table share: shown in its title, repeated in CSV.

    Examples
    --------
    >>> from fractions import Fraction
    >>> half = View("fractions", (Column("numerator", "over"), data("denominator")))
    >>> half.record(Fraction(1, 2)), half.table([Fraction(1, 2)], "Halves").columns
    ({'numerator': 1, 'denominator': 2}, ('over',))
    """

    name: str
    columns: tuple[Column[T], ...]
    digits: int = 4
    key: tuple[str, ...] = ()

    def record(self, row: T, exclude: Sequence[str] = ()) -> dict[str, Any]:
        """Return a row with the keys that scripts rely on, without those in `exclude`."""
        json_columns = (
            column for column in self.columns if column.key and column.key not in exclude
        )
        return {column.key: column.value(row) for column in json_columns}

    def records(self, rows: Iterable[T]) -> list[dict[str, Any]]:
        """Return every row as a record."""
        return [self.record(row) for row in rows]

    def table(
        self,
        rows: Sequence[T],
        title: str = "",
        note: str = "",
        *,
        exclude: Sequence[str] = (),
        extra_rows: Iterable[Sequence[Cell]] = (),
        key: tuple[tuple[str, str], ...] = (),
    ) -> Table:
        """Return rows as a table.

        Headings in `exclude` are left out, `extra_rows` follow the others, and `key` holds further
        values that all rows share.
        """
        columns = [
            column for column in self.columns if column.title and column.title not in exclude
        ]
        rows_of_cells = [tuple(column.cell(row) for column in columns) for row in rows]
        column_by_key = {column.key: column for column in self.columns}
        common_cells = tuple(
            (name, _key_text(column_by_key[name].value(rows[0]))) for name in self.key
        )
        headings = tuple(column.title for column in columns)
        all_rows = (*rows_of_cells, *map(tuple, extra_rows))
        return Table(
            headings, all_rows, title, note, self.digits, (*key, *common_cells), name=self.name
        )


def _key_text(value: Any) -> str:
    return "" if value is None else str(value)
