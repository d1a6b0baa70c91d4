r"""Tables and their output formats.

>>> table = Table(("system", "mean"), (("7", 0.5), ("A & B", None)), title="Ranking")
>>> print(table.to_csv(), end="")
system,mean
7,0.5
A & B,
>>> print(table.to_latex(), end="")
% Ranking
\begin{tabular}{lr}
\toprule
system & mean \\
\midrule
7 & 0.5000 \\
A \& B & -- \\
\bottomrule
\end{tabular}
"""

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

from pyramidion.collection.ids import to_spreadsheet
from pyramidion.errors import visible

Cell = str | int | float | None

#: Characters with a meaning in Markdown text, and in cells.
_TEXT_ENTITIES = {"<": "&lt;", "](": "]&#40;"}
CELL_ENTITIES = {**_TEXT_ENTITIES, "|": "&#124;"}

_LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "α": r"$\alpha$",
    "−": r"$-$",
}

# A table with at most this many rows is transposed if it is too wide for the terminal.
_MAX_TRANSPOSED_ROWS = 4

# Larger numbers are written with an exponent, since not all their digits are exact.
_MAX_PLAIN_NUMBER = 1e15

# Texts are wrapped, but not narrower than this, in characters.
_MIN_READABLE_WIDTH = 14


def markdown_text(text: str, entities: Mapping[str, str] = _TEXT_ENTITIES) -> str:
    """Escape a text for Markdown, so that it adds no tags or links and does not end a cell."""
    for mark, entity in entities.items():
        text = text.replace(mark, entity)
    return visible(text, keep="\n")


def latex_text(text: str) -> str:
    r"""Escape a text for LaTeX.

    Examples
    --------
    >>> print(latex_text("gpt_4 & 50%"))
    gpt\_4 \& 50\%
    """
    return "".join(_LATEX_ESCAPES.get(character, character) for character in visible(text))


def latex_row(cells: Iterable[str]) -> str:
    """Join the escaped cells of a row of a LaTeX table."""
    row = " & ".join(cells)
    # After the end of a row, LaTeX would read [ and * as its argument.
    return ("{}" if row.startswith(("[", "*")) else "") + row + r" \\"


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns.

    Parameters
    ----------
    columns
        The header.
    rows
        Cells are text, numbers, or `None` or NaN where there is no value.
    title, note
        The text above and below it.
    digits
        Decimals shown for numbers that are not whole; files keep full precision.
    key
        Values that all rows share: in the title for people, further columns in CSV.
    name
        Its name in `Result.to_frame`.

    Examples
    --------
    >>> Table(("topic",), (("T1",), ("T2",))).to_records()
    [{'topic': 'T1'}, {'topic': 'T2'}]
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    title: str = ""
    note: str = ""
    digits: int = 4
    key: tuple[tuple[str, str], ...] = ()
    name: str = ""

    @property
    def complete(self) -> "Table":
        """The table with all rows, if it is abbreviated."""
        return self

    def to_records(self) -> list[dict[str, Cell]]:
        """Return each row as a dictionary, including the values that all rows share."""
        return [
            {**dict(self.key), **dict(zip(self.columns, row, strict=True))} for row in self.rows
        ]

    def head(self, rows: int) -> "Table":
        """Return the first rows, with a note on how many more there are."""
        if len(self.rows) <= rows:
            return self
        note = f"... and {len(self.rows) - rows:,} more rows. {self.note}".strip()
        return replace(self, rows=self.rows[:rows], note=note)

    def take(self, columns: Sequence[int]) -> "Table":
        """Return some of the columns, or all in another order."""
        rows = tuple(tuple(row[column] for column in columns) for row in self.rows)
        return replace(self, columns=tuple(self.columns[column] for column in columns), rows=rows)

    def with_variants(self, **variants: Any) -> "WideTable":
        """Return the table with other variants for programs and narrow terminals."""
        values = {column.name: getattr(self, column.name) for column in fields(Table)}
        return WideTable(**values | {"numbers": self} | variants)

    def to_csv(self, *, safe: bool = True) -> str:
        """Write the table as CSV; `safe` marks cells that a spreadsheet would run."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        cell_text = to_spreadsheet if safe else (lambda cell: cell)
        writer.writerow(map(cell_text, [*(name for name, _ in self.key), *self.columns]))
        key_values = [value for _, value in self.key]
        writer.writerows(
            ["" if _is_missing(cell) else cell_text(cell) for cell in (*key_values, *row)]
            for row in self.rows
        )
        return stream.getvalue()

    def to_latex(self) -> str:
        """Write the table as a LaTeX tabular with the rules of booktabs."""
        align = "".join(
            "r" if self.is_number_column(index) else "l" for index in range(len(self.columns))
        )
        title = [f"% {visible(self.title)}"] if self.title else []
        lines = [*title, rf"\begin{{tabular}}{{{align}}}", r"\toprule"]
        lines += [latex_row(map(latex_text, self._headings)), r"\midrule"]
        lines += [
            latex_row(map(latex_text, self._shown_cells(row, missing_text="--")))
            for row in self.rows
        ]
        lines += [r"\bottomrule", r"\end{tabular}"]
        return "\n".join(lines) + "\n"

    def to_markdown(self) -> str:
        """Write the table in GitHub's Markdown."""
        is_number_column = [self.is_number_column(index) for index in range(len(self.columns))]
        displayed_rows = ([self.shown_cell(cell) or "–" for cell in row] for row in self.rows)
        rows = [
            self.columns,
            ["---:" if is_number else "---" for is_number in is_number_column],
            *displayed_rows,
        ]
        escaped_rows = (
            (markdown_text(" ".join(cell.split()), CELL_ENTITIES) for cell in row) for row in rows
        )
        lines = [f"| {' | '.join(cells)} |" for cells in escaped_rows]
        title, note = markdown_text(self.title), markdown_text(self.note)
        parts = (f"**{title}**" if title else "", "\n".join(lines), note)
        return "\n\n".join(part for part in parts if part) + "\n"

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the table for a terminal.

        Parameters
        ----------
        width
            Characters per line; long cells are wrapped to fit. Unlimited by default.
        styled
            Use the terminal's colors.
        """
        if width is None and not styled:
            lines = [
                *([self._visible_text(self.title), ""] if self.title else []),
                *self._plain_lines(),
            ]
            lines += ["", self._visible_text(self.note)] if self.note else []
            return "\n".join(line.rstrip() for line in lines) + "\n"
        if (
            width is not None
            and len(self.rows) <= _MAX_TRANSPOSED_ROWS
            and self._min_width() > width
        ):
            return self._transpose()._rich_text(width, styled=styled)
        return self._rich_text(width, styled=styled)

    def _min_width(self) -> int:
        """Return the width of all columns when texts are wrapped as far as is readable."""
        displayed_rows = [
            self._headings,
            *(self._shown_cells(row, missing_text="–") for row in self.rows),
        ]
        widths = (max(map(len, column)) for column in zip(*displayed_rows, strict=True))
        word_widths = (
            width if self.is_number_column(index) else min(width, _MIN_READABLE_WIDTH)
            for index, width in enumerate(widths)
        )
        return sum(word_widths) + 3 * len(self.columns)

    def _transpose(self) -> "Table":
        """Transpose the table for a narrow terminal."""
        displayed_rows = [self._shown_cells(row, missing_text="–") for row in self.rows]
        headings, *rows = zip(self.columns, *displayed_rows, strict=True)
        return replace(self, columns=headings, rows=tuple(rows))

    def _plain_lines(self) -> Iterator[str]:
        """Lay out a table that needs no wrapping, quickly, since it may have many thousand rows."""
        rows = [self._shown_cells(row, missing_text="–") for row in self.rows]
        columns = list(zip(self._headings, *rows, strict=True))
        widths = [max(map(len, column)) for column in columns]
        are_right_aligned = [self.is_number_column(index) for index in range(len(columns))]

        def line(cells: tuple[str, ...]) -> str:
            padded_cells = (
                cell.rjust(width) if is_right_aligned else cell.ljust(width)
                for cell, width, is_right_aligned in zip(
                    cells, widths, are_right_aligned, strict=True
                )
            )
            return f" {'   '.join(padded_cells)}"

        yield line(self._headings)
        yield " " + "─" * (sum(widths) + 3 * (len(widths) - 1))
        yield from map(line, rows)

    def _rich_text(self, width: int | None, *, styled: bool) -> str:
        from rich.console import Console

        stream = io.StringIO()
        # A table that does not fit overflows rather than losing a column.
        target_width = max(width or 10_000, self._min_width())
        console = Console(
            file=stream, width=target_width, force_terminal=styled, no_color=not styled,
            color_system="auto" if styled else None, highlight=False, markup=False, emoji=False,
        )  # fmt: skip
        if self.title:
            console.print(self._visible_text(self.title), style="bold")
        console.print(self._to_rich())
        if self.note:
            console.print(self._visible_text(self.note), style="dim")
        lines = [line.rstrip() for line in stream.getvalue().strip("\n").splitlines()]
        return "\n".join(lines).rstrip("\n") + "\n"

    def _to_rich(self) -> Any:
        from rich import box
        from rich.table import Table as RichTable
        from rich.text import Text

        table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, header_style="bold")
        for index, column in enumerate(self._headings):
            is_number = self.is_number_column(index)
            table.add_column(
                Text(column),
                justify="right" if is_number else "left",
                overflow="fold",
                no_wrap=is_number,
            )
        for row in self.rows:
            table.add_row(*(Text(cell) for cell in self._shown_cells(row, missing_text="–")))
        return table

    def is_number_column(self, index: int) -> bool:
        """Return whether a column holds only numbers, and is aligned right."""
        return not any(isinstance(row[index], str) for row in self.rows)

    @property
    def _headings(self) -> tuple[str, ...]:
        return tuple(map(visible, self.columns))

    @staticmethod
    def _visible_text(text: str) -> str:
        return visible(text, keep="\n")

    def _shown_cells(self, row: tuple[Cell, ...], *, missing_text: str) -> tuple[str, ...]:
        return tuple(missing_text if _is_missing(cell) else self.shown_cell(cell) for cell in row)

    def shown_cell(self, cell: Cell) -> str:
        """Format a cell for people: few decimals, and nothing for a missing value."""
        if isinstance(cell, str):
            # A line break would start a new row.
            return visible(" ".join(cell.splitlines()) if "\n" in cell else cell)
        if cell is None or math.isnan(cell):
            return ""
        if isinstance(cell, int):
            return f"{cell:,}"
        return f"{cell:z.{self.digits}{'f' if abs(cell) < _MAX_PLAIN_NUMBER else 'g'}}"


def _is_missing(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


@dataclass(frozen=True, slots=True)
class WideTable(Table):
    """A table for people, with variants for programs and narrow terminals.

    Parameters
    ----------
    numbers
        The table to write as CSV.
    narrow
        The table to show if the table itself is too wide.
    heads
        The number of leading columns that identify a row. If even the narrow table is too wide, it
        is shown in parts that all start with them; with 0, it is never split.
    whole
        The table with all rows, for files, if this one is abbreviated. One without columns is not
        shown at all.

    Examples
    --------
    >>> table = WideTable(("a",), (("0.5 [0.4, 0.6]",),), narrow=Table(("a",), (("0.5",),)))
    >>> "0.6" in table.to_text(width=80), "0.6" in table.to_text(width=10)
    (True, False)
    """

    numbers: Table = field(default_factory=lambda: Table((), ()))
    narrow: Table | None = None
    heads: int = 0
    whole: Table | None = None

    @property
    def complete(self) -> Table:
        """The table with all rows, if it is abbreviated."""
        return self.whole or self

    def to_records(self) -> list[dict[str, Cell]]:
        """Return the numbers, each row as a dictionary."""
        return self.numbers.to_records()

    def to_csv(self, *, safe: bool = True) -> str:
        """Write the numbers with full precision."""
        return self.numbers.to_csv(safe=safe)

    def to_latex(self) -> str:
        """Write the table as a LaTeX tabular; an abbreviated one says so in a comment."""
        return Table.to_latex(self) + (f"% {visible(self.note)}\n" if self.whole else "")

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write the table for a terminal, or the narrow one if it does not fit."""
        if width is None or _width(self) <= width:
            return Table.to_text(self, width=width, styled=styled)
        narrow_table = self.narrow or Table(
            self.columns, self.rows, self.title, self.note, self.digits
        )
        parts = _split_columns(narrow_table, self.heads, width) if self.heads else [narrow_table]
        return "".join(part.to_text(width=width, styled=styled) for part in parts)


def _width(table: Table) -> int:
    return max(map(len, Table.to_text(table).removesuffix(f"{table.note}\n").splitlines()))


def _split_columns(table: Table, n_leading: int, width: int) -> list[Table]:
    """Split a table between columns so that each part fits if possible."""
    parts: list[list[int]] = []
    for column in range(n_leading, len(table.columns)):
        if parts and _width(table.take([*parts[-1], column])) < width:
            parts[-1].append(column)
        else:
            parts.append([*range(n_leading), column])
    # The title and the note appear once.
    part_tables = [replace(table.take(columns), title="", note="") for columns in parts]
    part_tables[0] = replace(part_tables[0], title=table.title)
    part_tables[-1] = replace(part_tables[-1], note=table.note)
    return part_tables
