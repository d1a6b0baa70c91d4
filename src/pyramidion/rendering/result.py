"""The result of a question: it can be printed, plotted, converted and saved."""

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, Self, TypeVar, get_args, overload

from pyramidion.collection import Finding
from pyramidion.collection.ids import file_stem
from pyramidion.errors import InputError, MissingExtraError, visible
from pyramidion.questions import Signature
from pyramidion.rendering.labels import counted, escape
from pyramidion.rendering.saving import FIGURE_FILE, FIGURE_FOLDER, Savable
from pyramidion.rendering.table import Table, WideTable, markdown_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pyramidion.rendering.charts import Picture

Form = Literal["table", "json", "csv", "latex", "markdown"]

#: The output formats of a result.
FORMS: tuple[Form, ...] = get_args(Form)

#: The number of rows of a table that a notebook or prompt shows.
_GLANCE_ROWS = 30

#: The number of tables that a notebook or prompt shows.
_GLANCE_TABLES = 4

T = TypeVar("T")
V = TypeVar("V")


class LazySequence(Sequence[T]):
    """Items that are created on demand, since few output formats show them all.

    Examples
    --------
    >>> LazySequence([lambda: "one", lambda: "two"])[1]
    'two'
    """

    def __init__(self, makers: Iterable[Callable[[], T]]) -> None:
        self._makers = tuple(makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __iter__(self) -> Iterator[T]:
        # Without this method, an IndexError while an item is created would end the iteration.
        return (create() for create in self._makers)

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> "LazySequence[T]": ...
    def __getitem__(self, index: int | slice) -> "T | LazySequence[T]":
        if isinstance(index, slice):
            return LazySequence(self._makers[index])
        return self._makers[index]()


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart of a result, drawn on demand.

    Parameters
    ----------
    kind
        Its name in `Result.plot`, such as ``"ranking"``.
    draw
        Draws the figure.
    caption
        What it shows, in one line.
    about
        What distinguishes it from others of its kind (measure, task, ...), for its file name.
    name
        The name of its file, unless it is derived from `about` and `kind`.
    left_out
        Parts of the result that it does not show, one line each.
    """

    kind: str
    draw: "Callable[[], Figure | Picture]"
    caption: str = ""
    about: tuple[str, ...] = ()
    name: str = ""
    left_out: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """The name of its file, without the extension."""
        return self.name or file_stem(*self.about, self.kind)


def signed(subject: str, data: str = "", seed: int | None = None, **details: object) -> Signature:
    """Create the signature of a result; empty details are left out.

    Examples
    --------
    >>> str(signed("gap(ols)", "3f2a", over="both", task=""))
    'gap(ols)|over:both|v...|data:3f2a'
    """
    entries = tuple((name, str(value)) for name, value in details.items() if str(value))
    return Signature(subject, data=data, seed=seed, details=entries)


def _identity(value: Any) -> Any:
    return value


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result(Generic[T]):
    """The result of a question.

    Printing it and notebooks show it as a table.

    Parameters
    ----------
    command
        The command that it answers.
    signature
        What is needed to reproduce it.
    values
        The values, as objects; the result can be iterated and indexed and has a length.
    record
        Converts a value to the keys that scripts rely on.
    tables
        The answer for people.
    left_out, mended
        Counts of what was ignored, and of what was repaired while reading, one line each.
    charts
        Its charts.
    not_drawn
        What no chart shows, and why, one line each.
    in_parts
        Whether the details are in a folder of parts and only sums are here.
    page
        Creates a self-contained page of everything, for questions that have one.
    ok
        False if the result is negative (exit code 1).
    findings
        Suspicious findings in the data, the most severe first.
    library
        The library of the data frames that were given, for `to_frame`.

    Examples
    --------
    >>> result = Result(command="count", signature=Signature("count"), values=[{"topics": 1}],
    ...                 tables=[Table(("topics",), ((1,),), name="counts")])
    >>> result.to_dict()["results"]
    [{'topics': 1}]
    >>> result.to_frame("counts").shape
    (1, 1)
    >>> print(result)
     topics
     ──────
          1
    <BLANKLINE>
    count|v...
    """

    #: The table that `to_frame` returns by default; if empty, the first one.
    main: ClassVar[str] = ""
    #: The names of the tables in the order of CSV output, if that matters.
    csv_order: ClassVar[tuple[str, ...]] = ()
    #: Whether a terminal shows only the first of many lines about what was left out.
    brief: ClassVar[bool] = False
    #: The files that it can save besides the answer itself.
    saves: ClassVar[tuple[Savable, ...]] = ()

    command: str
    signature: Signature
    values: Sequence[T]
    tables: Sequence[Table]
    record: Callable[[T], Mapping[str, Any]] = _identity
    left_out: tuple[str, ...] = ()
    mended: tuple[str, ...] = ()
    charts: Sequence[Chart] = ()
    not_drawn: tuple[str, ...] = ()
    page: Callable[[], str] | None = None
    in_parts: bool = False
    ok: bool = True
    findings: tuple[Finding, ...] = ()
    library: str | None = None

    def __len__(self) -> int:
        return len(self.values)

    def __iter__(self) -> Iterator[T]:
        return iter(self.values)

    def __getitem__(self, index: int) -> T:
        return self.values[index]

    def of_type(self, kind: type[V]) -> tuple[V, ...]:
        """Return the values of one class."""
        return tuple(value for value in self.values if isinstance(value, kind))

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        return self.render("table").rstrip("\n")

    def __repr__(self) -> str:
        texts = (table.head(_GLANCE_ROWS).to_text() for table in self._shown_tables(_GLANCE_TABLES))
        lines = [f"{self._hidden_tables_note}\n"] * bool(self._hidden_tables_note)
        return "".join(_with_gaps(chain(texts, lines, [str(self.signature)])))

    def _shown_tables(self, limit: int | None = None) -> Iterator[Table]:
        """Return the first tables."""
        return (table for table in self.tables[:limit] if table.columns)

    @property
    def complete(self) -> Self:
        """The result with all rows of abbreviated tables, for files."""
        return replace(self, tables=[table.complete for table in self.tables])

    @property
    def _hidden_tables_note(self) -> str:
        """Report how many tables a prompt or a notebook does not show."""
        n_hidden = len(self.tables) - _GLANCE_TABLES
        return (
            f"... and {counted(n_hidden, 'more table')}; print() shows all." if n_hidden > 0 else ""
        )

    def _repr_html_(self) -> str:
        from pyramidion.rendering.page import glance_block

        tables = "".join(
            glance_block(table, _GLANCE_ROWS) for table in self._shown_tables(_GLANCE_TABLES)
        )
        signature = f"<code>{escape(str(self.signature))}</code>"
        return f"{tables}<p>{self._hidden_tables_note}</p><p>{signature}</p>"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as the object written to JSON; NaN and infinity become None."""
        return {
            "command": self.command,
            "signature": str(self.signature),
            "results": [to_json_value(self.record(value)) for value in self.values],
            "left_out": list(self.left_out),
            **({"mended": list(self.mended)} if self.mended else {}),
            **({"findings": [f.to_dict() for f in self.findings]} if self.findings else {}),
        }

    def to_json(self) -> str:
        """Write it as JSON."""
        return self.render("json")

    def to_csv(self, *, safe: bool = True) -> str:
        """Write its tables as CSV; `safe` marks cells that a spreadsheet would run."""
        return "".join(self._csv(safe))

    def to_latex(self) -> str:
        """Write its tables as LaTeX, with the rules of booktabs."""
        return self.render("latex")

    def to_markdown(self) -> str:
        """Write its tables as Markdown, for an issue or a pull request."""
        return self.render("markdown")

    def to_html(self) -> str:
        """Write its tables as HTML, to embed in a page."""
        from pyramidion.rendering.page import table_block

        return "".join(map(table_block, self._shown_tables()))

    def to_page(self) -> str:
        """Write it as a self-contained page, if it has one."""
        from pyramidion.rendering.page import with_findings

        if self.page is None:
            raise InputError(f"{self.command} has no page")
        return with_findings(self.page(), self.findings)

    @property
    def table_names(self) -> tuple[str, ...]:
        """The names for `to_frame`, the main table first."""
        return tuple(dict.fromkeys(table.name for table in self.tables))

    def to_frame(
        self, name: str | None = None, *, library: Literal["pandas", "polars"] | None = None
    ) -> Any:
        """Return a table as a data frame with full precision.

        Parameters
        ----------
        name
            Which table; the main one by default. See `table_names`. Or a list in the values, such
            as ``"systems"`` of `compare`: one row for each of its items.
        library
            ``"pandas"`` or ``"polars"``; by default that of the data frame that was given, or
            pandas if it is installed.
        """
        table_name = (self.main or self.table_names[0]) if name is None else name
        if table_name in self.table_names:
            matching_tables = (table for table in self.tables if table.name == table_name)
            records = [
                {**dict(table.key), **row}
                for table in matching_tables
                for row in table.to_records()
            ]
        else:
            records = self._records_of_list(table_name)
        rows = [
            {_frame_name(key): None if cell == "–" else cell for key, cell in record.items()}
            for record in records
        ]
        columns = dict.fromkeys(key for row in rows for key in row)
        columns_of_frame = {key: [row.get(key) for row in rows] for key in columns}
        return create_frame(columns_of_frame, library or self.library)

    def _records_of_list(self, name: str) -> list[dict[str, Any]]:
        """Return the items of a list in the values, each with the key of its value."""
        keys = dict.fromkeys(key for table in self.tables for key, _ in table.key)
        values = [self.record(value) for value in self.values]
        list_names = [
            field for field, items in (values[0] if values else {}).items()
            if isinstance(items, list | tuple) and items and isinstance(items[0], Mapping)
        ]  # fmt: skip
        if name not in list_names:
            available_names = ", ".join(dict.fromkeys((*self.table_names, *list_names)))
            raise InputError(f"there is no table {name!r}", hint=f"available: {available_names}")
        return [
            {key: value[key] for key in keys if key in value} | to_json_value(item)
            for value in values
            for item in value.get(name, ())
        ]

    def plot(self, kind: str | None = None, number: int = 0) -> "Figure | Picture":
        """Draw a chart; notebooks display it, and its `savefig` writes a file.

        Rows, tiles and bars are a `Picture`, which needs matplotlib only for `to_figure` and for
        PDF and PNG files. Other kinds are matplotlib figures.

        Parameters
        ----------
        kind
            Which chart; the first one by default. See `chart_kinds`.
        number
            Which of several charts of that kind, starting at 0.
        """
        if not self.charts:
            raise InputError(f"{self.command} has nothing to draw")
        if not (charts_of_kind := [chart for chart in self.charts if kind in (None, chart.kind)]):
            available_kinds = ", ".join(self.chart_kinds)
            raise InputError(f"there is no chart {kind!r}", hint=f"available: {available_kinds}")
        if not 0 <= number < len(charts_of_kind):
            hint = f"choose a number from 0 to {len(charts_of_kind) - 1}"
            raise InputError(f"there is no chart {number} of {kind or 'all'}", hint=hint)
        return charts_of_kind[number].draw()

    @property
    def chart_kinds(self) -> tuple[str, ...]:
        """The kinds for `plot`, the main one first."""
        return tuple(dict.fromkeys(chart.kind for chart in self.charts))

    def save(self, name: str, path: str | Path, **settings: Any) -> None:
        """Save a file as an option of the command does: ``save("figures", "new-folder")``.

        Parameters
        ----------
        name
            Which file, as in `saves`.
        path
            Where it goes.
        settings
            Related options, such as ``figure_format``.
        """
        names = [savable.name for savable in self.saves]
        if name not in names:
            hint = f"it can save: {', '.join(names) or 'nothing'}"
            raise InputError(f"{self.command} cannot save {name!r}", hint=hint)
        self.saves[names.index(name)].save(self, path, **settings)

    def markdown_remarks(self) -> list[str]:
        """Return lines below the tables in Markdown, for results that are posted somewhere."""
        return []

    def closing(self, form: Form) -> Iterator[str]:
        """Return the lines to print after the answer in this format."""
        yield from ()

    def render(self, form: Form, *, width: int | None = None, styled: bool = False) -> str:
        """Write the result in one of `FORMS`; for `width` and `styled` see `Table.to_text`."""
        return "".join(self.iter_render(form, width=width, styled=styled))

    def iter_render(
        self, form: Form, *, width: int | None = None, styled: bool = False
    ) -> Iterator[str]:
        """Write the result piece by piece, so that a long table appears at once."""
        if form == "json":
            text = json.dumps(self.to_dict(), ensure_ascii=False, indent=2, allow_nan=False)
            yield f"{visible(text, keep=chr(10))}\n"
        elif form == "latex":
            yield f"% {visible(str(self.signature))}\n"
            yield from _with_gaps(table.to_latex() for table in self._shown_tables())
        elif form == "csv":
            yield from self._csv()
        elif form == "markdown":
            signature = f"`{markdown_text(str(self.signature))}`\n"
            remarks = "".join(f"- {markdown_text(line)}\n" for line in self.markdown_remarks())
            notes = [f"**Notes**\n\n{remarks}"] if remarks else []
            tables = (table.to_markdown() for table in self._shown_tables())
            yield from _with_gaps(chain(tables, notes, [signature]))
        else:
            texts = (table.to_text(width=width, styled=styled) for table in self._shown_tables())
            yield from _with_gaps(chain(texts, [f"{visible(str(self.signature))}\n"]))

    def _csv(self, safe: bool = True) -> Iterator[str]:
        names = self.csv_order or ("",)
        groups = ([table for table in self.tables if name in ("", table.name)] for name in names)
        return _with_gaps(chain.from_iterable(_join_csv(tables, safe) for tables in groups))


class FigureResult(Result[T]):
    """A result with one main figure, which can be saved."""

    saves = (FIGURE_FILE,)


class FiguresResult(Result[T]):
    """A result with several figures, which can be saved."""

    saves: ClassVar[tuple[Savable, ...]] = (FIGURE_FOLDER,)


def _frame_name(heading: str) -> str:
    """Return a column's name as an identifier: ``p_adjusted`` for *p adjusted*."""
    return re.sub(r"\W+", "_", heading).strip("_").lower() or "mark"


def create_frame(content: dict[str, list[Any]], library: str | None) -> Any:
    """Create a data frame: pandas if it is installed, otherwise polars."""
    for name in ("pandas", "polars") if library is None else (library,):
        if find_spec(name) is not None:
            options = {} if name == "pandas" else {"strict": False}
            return import_module(name).DataFrame(content, **options)
    raise MissingExtraError("a data frame", extra="frames")


def _join_csv(tables: Iterable[Table], safe: bool) -> Iterator[str]:
    """Write tables with the same columns under one header."""
    for _, group in groupby(sorted(tables, key=_csv_header), key=_csv_header):
        first_csv, *other_csvs = (table.to_csv(safe=safe) for table in group)
        yield first_csv + "".join(text.split("\n", 1)[1] for text in other_csvs)


def _csv_header(table: Table) -> tuple[str, ...]:
    table = table.numbers if isinstance(table, WideTable) else table
    return (*(name for name, _ in table.key), *table.columns)


def _with_gaps(pieces: Iterable[str]) -> Iterator[str]:
    for number, piece in enumerate(pieces):
        yield f"\n{piece}" if number else piece


def to_json_value(value: Any) -> Any:
    """Convert mappings, sequences and NumPy numbers to JSON types; NaN becomes null."""
    if isinstance(value, Mapping):
        return {str(key): to_json_value(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json_value(item) for item in value]
    if hasattr(value, "tolist"):
        return to_json_value(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
