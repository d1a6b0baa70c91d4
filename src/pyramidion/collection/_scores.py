"""Judgments and metric scores in one long table.

Judgments by people and scores of metrics are both *measures* of a summary, and rows of the same
table: ``task, topic, system, kind, measure, assessor, value``.
"""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from pyramidion._types import Floats, Ints
from pyramidion.collection._raw import RawTable, table_from_frame
from pyramidion.collection.ids import natural_order
from pyramidion.collection.summaries import KINDS
from pyramidion.errors import (
    FormatError,
    InputError,
    MissingExtraError,
    NotFoundError,
    ShapeError,
    Where,
    known_names,
)

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrame

#: The columns every table of scores has.
COLUMNS = ("task", "topic", "system", "kind", "measure", "assessor", "value")

#: Columns that are written if they are not empty: the `collection` (a year), the `unit` that was
#: judged if it is less than the whole summary, the `occasion` (if a person judges the same summary
#: again), the `time`, the `run` of the system (a seed, a sample), and the `assessor_kind`:
#: `person`, which is the default, or `model`.
OPTIONAL_COLUMNS = ("collection", "unit", "occasion", "time", "run", "assessor_kind")

#: All columns but the value.
TEXT_COLUMNS = (*COLUMNS[:-1], *OPTIONAL_COLUMNS)

_NONEMPTY_COLUMNS = ("topic", "system", "kind", "measure")
_KEY_COLUMNS = tuple(column for column in TEXT_COLUMNS if column not in ("time", "assessor_kind"))

#: Columns with a fixed set of values, and the hint for other values.
_ALLOWED_WORDS = {
    "kind": (("", *KINDS), "write human or machine"),
    "assessor_kind": (("", "person", "model"), "write person or model"),
}

TextColumn = npt.NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class Judgment:
    """One row: the value of a measure for a summary, and who gave it.

    Parameters
    ----------
    topic, system, task
        The summary.
    measure
        What was measured, such as ``responsiveness`` or ``rouge-2-r``.
    value
        A finite number.
    kind
        Whether the *system* is a person or a machine.
    assessor
        Who judged; empty for a metric.
    collection, unit, occasion, time, run, assessor_kind
        See `OPTIONAL_COLUMNS`. Units are judged parts of a summary: sentences of the input by
        relative utility (``system`` is then ``input``, the unit ``document/sentence``), units
        of a model by coverage (``model/unit``), or single SCUs.

    Examples
    --------
    >>> Judgment("T1", "17", "responsiveness", 4.0, assessor="K").value
    4.0
    """

    topic: str
    system: str
    measure: str
    value: float
    task: str = ""
    kind: str = "machine"
    assessor: str = ""
    collection: str = ""
    unit: str = ""
    occasion: str = ""
    time: str = ""
    run: str = ""
    assessor_kind: str = ""


class Addressed(Protocol):
    """Anything that is identified by task, topic and system."""

    @property
    def task(self) -> str: ...
    @property
    def topic(self) -> str: ...
    @property
    def system(self) -> str: ...
    @property
    def kind(self) -> str: ...


#: The extra column with the probability with which a topic was chosen for people to judge.
INCLUSION = "inclusion"


class Scores:
    """The long table of scores, column by column.

    Parameters
    ----------
    columns
        Text columns by name; absent ones are empty.
    value
        One finite number per row.
    extra
        Further columns, which are neither compared nor written.

    Examples
    --------
    >>> scores = Scores.from_judgments([Judgment("T1", "17", "responsiveness", 4.0)])
    >>> len(scores), scores.measures
    (1, ('responsiveness',))
    """

    def __init__(
        self,
        columns: Mapping[str, Sequence[str] | TextColumn],
        value: npt.ArrayLike,
        *,
        extra: Mapping[str, Sequence[Any] | TextColumn] | None = None,
    ) -> None:
        self.value: Floats = _freeze(np.array(value, dtype=np.float64))
        if self.value.ndim != 1:
            raise ShapeError(f"the values have {self.value.ndim} dimensions", "give a list")
        for row in np.flatnonzero(~np.isfinite(self.value)):
            hint = "leave out rows without a value"
            raise InputError(f"the value in row {row + 1} is {self.value[row]}", hint)
        n_rows = len(self.value)
        self._coded: dict[str, tuple[list[str], Ints]] = {}
        self.columns: dict[str, TextColumn] = {
            name: _text_column(columns.get(name), n_rows, name) for name in TEXT_COLUMNS
        }
        self.extra: dict[str, TextColumn] = {
            name: _freeze(np.fromiter(column, dtype=object, count=n_rows))
            for name, column in (extra or {}).items()
        }
        for name, (words, hint) in _ALLOWED_WORDS.items():
            for word in sorted(set(self.columns[name]) - {*words}):
                raise InputError(f"`{name}` is {word!r}", hint)
        for name in sorted(set(columns) - set(TEXT_COLUMNS)):
            hint = f"the columns are {', '.join(TEXT_COLUMNS)}"
            raise FormatError(f"unknown column `{name}`", hint)

    def coded(self, column: str) -> tuple[list[str], Ints]:
        """Return the different names in a column, in order of the rows, and the code of each row.

        Examples
        --------
        >>> Scores({"topic": ["T1", "T2", "T1"]}, [1, 2, 3]).coded("topic")[0]
        ['T1', 'T2']
        """
        if column not in self._coded:
            values = self.columns[column].tolist()
            is_constant = bool(values) and values.count(values[0]) == len(values)
            names = values[:1] if is_constant else list(dict.fromkeys(values))
            codes = np.zeros(len(values), np.int64) if is_constant else codes_of(values, names)
            self._coded[column] = names, codes
        return self._coded[column]

    @classmethod
    def from_judgments(cls, judgments: Iterable[Judgment]) -> "Scores":
        """Create a table from rows."""
        rows = list(judgments)
        columns = {name: [getattr(row, name) for row in rows] for name in TEXT_COLUMNS}
        return cls(columns, [row.value for row in rows])

    @classmethod
    def of_items(
        cls, scored: Sequence[Addressed], measures: Sequence[str], values: Floats
    ) -> "Scores":
        """Create rows from a matrix, item by item; a NaN is left out.

        Parameters
        ----------
        scored
            The items that were scored.
        measures
            The columns of the values.
        values
            One row per item.

        Examples
        --------
        >>> from pyramidion.collection import Summary
        >>> table = Scores.of_items([Summary("T1", "7", "Rain.")], ["bleu"], np.array([[0.5]]))
        >>> [(row.topic, row.measure, row.value) for row in table]
        [('T1', 'bleu', 0.5)]
        """
        rows, columns = np.nonzero(~np.isnan(values))
        items = [scored[row] for row in rows.tolist()]
        address_fields = ("task", "topic", "system", "kind")
        texts = {name: [str(getattr(item, name)) for item in items] for name in address_fields}
        texts["measure"] = [measures[column] for column in columns.tolist()]
        return cls(texts, values[rows, columns])

    @classmethod
    def concatenate(cls, tables: Iterable["Scores"]) -> "Scores":
        """Concatenate tables; extra columns that all of them have and `INCLUSION` are kept."""
        parts = list(tables) or [cls({}, [])]
        columns = {
            column: np.concatenate([part.columns[column] for part in parts])
            for column in TEXT_COLUMNS
        }
        shared_extra = [
            name for name in parts[0].extra if all(name in part.extra for part in parts)
        ]
        if any(INCLUSION in part.extra for part in parts):
            shared_extra = list(dict.fromkeys([*shared_extra, INCLUSION]))
        extra = {
            name: np.concatenate([part.extra.get(name, [None] * len(part)) for part in parts])
            for name in shared_extra
        }
        return cls(columns, np.concatenate([part.value for part in parts]), extra=extra)

    def __len__(self) -> int:
        return len(self.value)

    def __iter__(self) -> Iterator[Judgment]:
        for *texts, value in self.tuples():
            yield Judgment(value=value, **dict(zip(TEXT_COLUMNS, texts, strict=True)))

    def tuples(self) -> Iterator[tuple[Any, ...]]:
        """Return each row as a tuple: the text columns in their order, then the value."""
        columns = (self.columns[name].tolist() for name in TEXT_COLUMNS)
        yield from zip(*columns, self.value.tolist(), strict=True)

    def texts(self) -> Iterator[tuple[str, ...]]:
        """Return each row as texts; runs and models are added only if there are any."""
        *columns, runs, kinds = (self.columns[name].tolist() for name in TEXT_COLUMNS)
        values = map(repr, self.value.tolist())
        if not (any(runs) or "model" in kinds):
            return zip(*columns, values, strict=True)
        model_marks = ("by a model" * (kind == "model") for kind in kinds)
        rows = zip(*columns, runs, model_marks, values, strict=True)
        return (
            (*row, *filter(None, (run, model_mark)), value) for *row, run, model_mark, value in rows
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        return len(self) == len(other) and Counter(self.tuples()) == Counter(other.tuples())

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"<Scores: {len(self)} rows, measures {', '.join(self.measures) or 'none'}>"

    def distinct(self, column: str) -> tuple[str, ...]:
        """Return a column's different values in natural order.

        Examples
        --------
        >>> Scores({"topic": ["T10", "T2"]}, [1, 2]).distinct("topic")
        ('T2', 'T10')
        """
        return tuple(sorted(set(self.columns[column]), key=natural_order))

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures in the table."""
        return self.distinct("measure")

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The columns to write: all but the optional ones that are empty."""
        optional_names = (
            name for name in OPTIONAL_COLUMNS if self.columns[name].astype(bool).any()
        )
        return (*COLUMNS, *optional_names)

    def select(self, **values: str) -> "Scores":
        """Keep the rows with the given values, for instance ``measure="readability"``.

        Examples
        --------
        >>> table = Scores({"topic": ["T1", "T2"], "measure": ["a", "b"]}, [1, 2])
        >>> table.select(measure="b").distinct("topic")
        ('T2',)
        """
        is_kept = np.ones(len(self), dtype=bool)
        for name, value in values.items():
            # As an object, since NumPy's text type would drop trailing null characters.
            is_kept &= self.columns[name] == np.array(value, dtype=object)
        return self if is_kept.all() else self.rows(is_kept)

    def rows(self, keep: npt.NDArray[Any]) -> "Scores":
        """Return the rows of a mask or of indices."""
        selected_scores = Scores.__new__(Scores)  # without checking the values again
        selected_scores._coded = {}
        selected_scores.value = _freeze(self.value[keep])
        selected_scores.columns = {name: _freeze(self.columns[name][keep]) for name in TEXT_COLUMNS}
        selected_scores.extra = {name: _freeze(column[keep]) for name, column in self.extra.items()}
        return selected_scores

    @property
    def by_model(self) -> npt.NDArray[np.bool_]:
        """Which rows are judgments of a language model."""
        return np.asarray(self.columns["assessor_kind"] == "model", dtype=bool)

    def judges_apart(self) -> "Scores":
        """Rename a model's measure to ``measure@assessor`` if people judged it, too.

        People and models are then not averaged, and a model can be evaluated like a metric.

        Examples
        --------
        >>> columns = {"topic": ["T1", "T1"], "measure": ["fluency", "fluency"],
        ...            "assessor": ["K", "gpt"], "assessor_kind": ["person", "model"]}
        >>> Scores(columns, [3, 5]).judges_apart().measures
        ('fluency', 'fluency@gpt')
        """
        models = self.by_model
        if not models.any():
            return self
        is_shared = np.isin(self.columns["measure"], list({*self.columns["measure"][~models]}))
        names = self.columns["measure"].copy()
        for row in np.flatnonzero(models & is_shared):
            names[row] = f"{names[row]}@{self.columns['assessor'][row]}"
        return Scores({**self.columns, "measure": names}, self.value, extra=self.extra)

    def require(self, column: str, value: str) -> None:
        """Refuse a value that is not in a column, and list those that are.

        Examples
        --------
        >>> Scores({"measure": ["fluency"]}, [4]).require("measure", "fluence")
        Traceback (most recent call last):
        pyramidion.errors.NotFoundError: there is no measure 'fluence'; did you mean fluency? ...
        """
        if value not in set(self.columns[column]):
            hint = known_names(value, self.distinct(column))
            raise NotFoundError(f"there is no {column} {value!r}", hint)

    def repeated_keys(self) -> list[tuple[int, int]]:
        """Find rows whose key occurs earlier: pairs of (earlier row, later row), from 0."""
        columns = [self.columns[name].tolist() for name in _KEY_COLUMNS if len(self)]
        # A column with one value distinguishes no rows.
        varying_columns = [
            column for column in columns if column.count(column[0]) < len(column)
        ] or columns
        if not _has_repeats(varying_columns):
            return []
        first_rows: dict[tuple[str, ...], int] = {}
        keys = enumerate(zip(*varying_columns, strict=True))
        pairs = ((first_rows.setdefault(key, row), row) for row, key in keys)
        return [(first_row, row) for first_row, row in pairs if first_row != row]

    def incomplete_rows(self) -> list[tuple[int, str]]:
        """Find rows without a topic, system, kind or measure: pairs of (row from 0, column)."""
        empty_rows = {
            column: np.flatnonzero(~self.columns[column].astype(bool))
            for column in _NONEMPTY_COLUMNS
        }
        return [(int(row), name) for name, rows in empty_rows.items() for row in rows]


def codes_of(values: Sequence[str] | TextColumn, names: Iterable[str]) -> Ints:
    """Return the index of each value among the names."""
    codes = {name: number for number, name in enumerate(names)}
    return np.fromiter(map(codes.__getitem__, values), np.int64, len(values))


def _has_repeats(columns: Sequence[Sequence[str]]) -> bool:
    """Check whether two rows are equal: each is encoded as a number with one digit per column."""
    codes = np.zeros(len(columns[0]) if columns else 0, np.int64)
    n_combinations = 1
    for column in columns:
        names = dict.fromkeys(column)
        n_combinations *= len(names)
        if n_combinations >= 1 << 62:
            return True
        codes *= len(names)
        codes += codes_of(column, names)
    codes.sort()
    return bool((codes[1:] == codes[:-1]).any())


def _text_column(values: Sequence[str] | TextColumn | None, rows: int, name: str) -> TextColumn:
    if values is None:
        return _freeze(np.full(rows, "", dtype=object))
    if len(values) != rows:
        hint = "give one for each value"
        raise ShapeError(f"column `{name}` has {len(values)} rows, the values have {rows}", hint)
    column = np.fromiter(values, dtype=object, count=rows)
    if set(map(type, column.tolist())) - {str}:
        # NumPy has its own text type, which is printed differently.
        column[:] = [str(value) if isinstance(value, str) else value for value in column]
        for value in column:
            if not isinstance(value, str):
                raise InputError(f"column `{name}` holds {value!r}, not text", "use text")
    return _freeze(column)


def _freeze(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array.setflags(write=False)
    return array


#: Columns that a table of scores must have.
REQUIRED_COLUMNS = ("topic", "system", "measure", "value")


def scores_from_raw(raw_table: RawTable) -> Scores:
    """Check raw columns and create a table from them."""
    columns: Mapping[str, Any] = (
        _restore_ids(raw_table.columns) if raw_table.row_noun == "row" else raw_table.columns
    )
    for name in REQUIRED_COLUMNS:
        if name not in columns:
            hint = f"add it; available: {', '.join(columns) or 'none'}"
            raise raw_table.table_error(f"column `{name}` is missing", hint)
    texts = {
        name: _read_texts(columns[name], name, raw_table)
        for name in TEXT_COLUMNS
        if name in columns
    }
    # Without a column of kinds, all systems are machines.
    texts.setdefault("kind", ["machine"] * len(texts["topic"]))
    for name in texts.keys() & _ALLOWED_WORDS.keys():
        words, hint = _ALLOWED_WORDS[name]
        for word in dict.fromkeys(texts[name]):
            if word not in words or (name == "kind" and not word):
                raise raw_table.row_error(texts[name].index(word), f"`{name}` is {word!r}", hint)
    standard_names = (*TEXT_COLUMNS, "value")
    extra = {name: column for name, column in columns.items() if name not in standard_names}
    return Scores(texts, _read_values(columns["value"], raw_table), extra=extra)


def _read_values(values: list[Any], raw_table: RawTable) -> Floats:
    """Read numbers, all at once if they are valid."""
    if set(map(type, values)) <= {str} and "_" not in "".join(values):
        try:
            numbers = np.fromiter(map(float, values), np.float64, len(values))
        except (ValueError, OverflowError):
            numbers = np.full(1, np.nan)
        if np.isfinite(numbers).all():
            return numbers
    return np.array([_read_value(value, row, raw_table) for row, value in enumerate(values)])


def _read_texts(values: list[Any], name: str, raw_table: RawTable) -> list[str]:
    texts = values
    if set(map(type, values)) - {str}:
        texts = [_read_text(value, name, row, raw_table) for row, value in enumerate(values)]
    for text in dict.fromkeys(texts):
        if not text and name in REQUIRED_COLUMNS:
            raise raw_table.row_error(texts.index(text), f"`{name}` is empty", "fill it in")
        if "\n" in text or "\r" in text:
            hint = "remove it; a quotation mark may be open"
            raise raw_table.row_error(texts.index(text), f"`{name}` has a line break", hint)
    return texts


def _read_text(value: Any, name: str, row: int, raw_table: RawTable) -> str:
    if isinstance(value, str):
        return str(value)
    if value is None:
        return ""
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return str(value)
    raise raw_table.row_error(row, f"`{name}` is {value!r}, not text", "write it as text")


def _read_value(value: Any, row: int, raw_table: RawTable) -> float:
    try:
        # Python would read 1_0 as ten and true as one.
        if isinstance(value, bool | np.bool_) or (isinstance(value, str) and "_" in value):
            raise TypeError
        number = float(value)
    except (TypeError, ValueError):
        value_text = "empty" if value in ("", None) else f"{value!r}, not a number"
        raise raw_table.row_error(
            row, f"`value` is {value_text}", "write a number, or leave the row out"
        ) from None
    except OverflowError:
        raise raw_table.row_error(
            row, "`value` is too large", "write a number below 1e308"
        ) from None
    if not math.isfinite(number):
        is_overflow = math.isinf(number) and "inf" not in str(value).lower()
        hint = "write a number below 1e308" if is_overflow else "leave out rows without a value"
        raise raw_table.row_error(row, f"`value` is {value!r}", hint)
    return number


def scores_from_frame(frame: "IntoDataFrame", *, where: Where | None = None) -> Scores:
    """Read the scores in a data frame.

    A long frame has the columns ``measure`` and ``value``. In a wide frame, every other numeric
    column is a measure if there is a column ``system``, and a system otherwise. Without names, the
    measure is called *score*. Systems are machines unless a column ``kind`` says otherwise. Other
    usual column names are recognized, as by `Collection.from_frame`.

    Parameters
    ----------
    frame
        A pandas, polars or other data frame; other columns are ignored. In text columns,
        missing values are empty and whole numbers are ids.
    where
        The file it came from, for messages.

    Examples
    --------
    >>> import polars
    >>> frame = polars.DataFrame({"topic": ["T1"], "system": ["7"], "kind": ["machine"],
    ...                           "measure": ["readability"], "value": [4]})
    >>> scores_from_frame(frame).value.tolist()
    [4.0]
    """
    raw_table = table_from_frame(frame, where=where)
    if where is not None:
        return scores_from_raw(raw_table)
    try:
        return _scores_in_memory(raw_table)
    except FormatError as error:
        raise InputError(error.what, error.hint) from None


def _scores_in_memory(raw_table: RawTable) -> Scores:
    """Read scores from a data frame, in which columns that a file must have may be missing."""
    if not {"topic", "system", "value"} <= raw_table.columns.keys():
        from pyramidion.collection.formats._table import collection_of, find_columns

        return collection_of(raw_table, find_columns(raw_table)).scores
    has_value = [value is not None for value in raw_table.columns["value"]]
    columns = {
        name: list(compress(values, has_value)) for name, values in raw_table.columns.items()
    }
    columns.setdefault("measure", ["score"] * sum(has_value))
    return scores_from_raw(
        replace(raw_table, columns=columns, row_numbers=range(1, sum(has_value) + 1))
    )


def _restore_ids(columns: Mapping[str, Sequence[Any]]) -> dict[str, Sequence[Any]]:
    """Convert ids back: data frames turn 7 into 7.0 if another one is missing."""

    def id_of(value: Any) -> Any:
        return int(value) if isinstance(value, float) and value.is_integer() else value

    return {
        name: values if name == "value" else [*map(id_of, values)]
        for name, values in columns.items()
    }


def scores_to_frame(
    scores: Scores, *, backend: Literal["pandas", "polars", "pyarrow"] = "polars"
) -> Any:
    """Return a table of scores as a data frame.

    Examples
    --------
    >>> scores = Scores({"topic": ["T1"], "measure": ["readability"]}, [4])
    >>> scores_to_frame(scores, backend="pandas").shape
    (1, 7)
    """
    import narwhals as nw

    all_columns: dict[str, Any] = {**scores.columns, "value": scores.value}
    columns = {name: all_columns[name].tolist() for name in scores.used_columns}
    types = {name: nw.Float64() if name == "value" else nw.String() for name in columns}
    try:
        return nw.from_dict(columns, schema=types, backend=backend).to_native()
    except ModuleNotFoundError:
        if backend == "polars":
            raise MissingExtraError("a data frame", extra="frames") from None
        raise InputError(f"{backend} is not installed", f"run: pip install {backend}") from None
