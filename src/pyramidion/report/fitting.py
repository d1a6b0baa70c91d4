"""A table that is another one where the terminal is narrow, or a program reads it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pyramidion.report.table import Table

__all__ = ["FittingTable"]


@dataclass(frozen=True, slots=True)
class FittingTable(Table):
    """A table for people, and what programs and narrow terminals get instead.

    Parameters
    ----------
    numbers
        What is written as CSV.
    narrow
        What is shown where the table itself is too wide.
    heads
        How many columns say what a row is about; where even the narrow table is too wide, it is
        shown in parts that all begin with them. It is never split if there are none.

    Examples
    --------
    >>> table = FittingTable(("a",), (("0.5 [0.4, 0.6]",),), narrow=Table(("a",), (("0.5",),)))
    >>> "0.6" in table.to_text(width=80), "0.6" in table.to_text(width=10)
    (True, False)
    """

    numbers: Table = field(default_factory=lambda: Table((), ()))
    narrow: Table = field(default_factory=lambda: Table((), ()))
    heads: int = 0

    def to_csv(self) -> str:
        """Write the numbers, in full."""
        return self.numbers.to_csv()

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the table for a terminal, or the narrow one where it would not fit."""
        if width is None or _width(self) <= width:
            return Table.to_text(self, width=width, styled=styled)
        parts = _parts(self.narrow, self.heads, width) if self.heads else [self.narrow]
        return "".join(part.to_text(width=width, styled=styled) for part in parts)


def _width(table: Table) -> int:
    return max(map(len, Table.to_text(table).removesuffix(f"{table.note}\n").splitlines()))


def _parts(table: Table, heads: int, width: int) -> list[Table]:
    """Split a table between columns, so that each part fits where that can be."""
    parts: list[list[int]] = []
    for column in range(heads, len(table.columns)):
        if parts and _width(_columns(table, [*parts[-1], column])) < width:
            parts[-1].append(column)
        else:
            parts.append([*range(heads), column])
    shown = [_columns(table, columns) for columns in parts]
    # What stands above and below is said once.
    return [
        replace(
            part,
            title=table.title if number == 0 else "",
            note=table.note if number == len(shown) - 1 else "",
        )
        for number, part in enumerate(shown)
    ]


def _columns(table: Table, columns: Sequence[int]) -> Table:
    rows = tuple(tuple(row[column] for column in columns) for row in table.rows)
    names = tuple(table.columns[column] for column in columns)
    return replace(table, columns=names, rows=rows)
