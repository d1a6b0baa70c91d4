"""Formats: how they are recognized, read and written."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from itertools import count, islice
from pathlib import Path
from typing import Any, Literal

from pyramidion.collection._collection import Collection
from pyramidion.collection._scores import Scores
from pyramidion.collection.summaries import Summary
from pyramidion.errors import FormatError, InputError
from pyramidion.files.inputs import is_readable
from pyramidion.files.reading import read_beginning

#: The kind of finding about runs that failed on different numbers of items.
ERRORS_DIFFER = "different numbers of errors"


@dataclass(frozen=True, slots=True)
class LogSettings:
    """How logs of other tools are read.

    Parameters
    ----------
    errors
        ``missing``: an item whose run failed has no score; ``zero``: its score is 0.
    partial
        Read logs of evaluations that did not succeed, too.
    shared
        Use the items that all systems share even if these are fewer than half.
    grades
        Numbers for textual grades, as ``good=1``.
    directed
        Measures whose direction the user states.

    Examples
    --------
    >>> LogSettings(grades=("good=1", "bad=0")).grade_values
    {'good': 1.0, 'bad': 0.0}
    """

    errors: Literal["missing", "zero"] = "missing"
    partial: bool = False
    shared: bool = False
    grades: tuple[str, ...] = ()
    directed: tuple[str, ...] = ()

    @property
    def grade_values(self) -> dict[str, float]:
        """The number of each grade."""
        values = {}
        for pair in self.grades:
            name, _, number_text = pair.rpartition("=")
            try:
                values[name] = float(number_text)
            except ValueError:
                values[name] = math.nan
            if not math.isfinite(values[name]):
                hint = "write grade=number, such as good=1,bad=0"
                raise InputError(f"--grades has {pair!r}", hint)
        return values


@dataclass(frozen=True, slots=True)
class Format:
    """A way to store (parts of) a collection.

    Parameters
    ----------
    name
        The value of ``--from`` and ``--to``.
    title
        A description in one line.
    matches
        Recognizes the format by a path and the first bytes of the file.
    read
        Reads a file or folder. Data that is skipped is counted in `Collection.left_out`.
    write
        Writes a file or folder atomically and returns what the format cannot store, one line
        each; None if it can only be read. The third argument allows an existing folder to be
        replaced.
    suffixes
        File name endings that select this format when writing.
    before
        Before which built-in format a plug-in's format is tried: ``ducview``, the first that is
        recognized by file name endings, or ``table``, which reads any table.
    tables
        Whether a file named ``.csv``, ``.tsv`` or ``.parquet`` can have this format.
    read_together
        Reads several files or folders whose items have to be matched, such as logs of runs;
        by default, each is read alone, and the results are joined.
    read_columns
        Reads a file with fields that users name, by part; also returns what each field was read
        as. By default, a file whose columns are named is a table.

    Examples
    --------
    >>> Format("none", "an example", lambda path: False, lambda path: Collection("")).write is None
    True
    """

    name: str
    title: str
    matches: Callable[[Path], bool]
    read: Callable[[Path], Collection]
    write: Callable[[Collection, Path, bool], tuple[str, ...]] | None = None
    suffixes: tuple[str, ...] = ()
    before: Literal["ducview", "table"] = "table"
    tables: bool = True
    read_together: Callable[[Sequence[Path], LogSettings], Collection] | None = None
    read_columns: (
        Callable[[Path, Mapping[str, str]], tuple[Collection, tuple[tuple[str, str], ...]]] | None
    ) = None


def load_on_call(package: str, module: str, name: str) -> Callable[..., Any]:
    """Return a function whose module is imported at its first call."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"{package}.{module}"), name)(*arguments)

    return call


def first_bytes(path: Path, size: int = 4096) -> bytes:
    """Read the first bytes of a file, decompressed; empty for a folder or a damaged file."""
    if str(path) != "-" and not is_readable(path):
        return b""
    try:
        return read_beginning(path, size)
    except FormatError:
        return b""


def first_record(path: Path) -> dict[str, Any]:
    """Read the object in a JSONL file's first line; empty if there is none or it is too long."""
    return _parse_record(_beginning(path).lstrip().split(b"\n", 1)[0])


@lru_cache(maxsize=1)
def _parse_record(line: bytes) -> dict[str, Any]:
    """Parse a line; cached, since every format asks for the first line of a file."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


# How many bytes of a file, and how many files and lines, are read to recognize records.
_HEAD_BYTES, _FILES_INSPECTED = 2**20, 5

# How many bytes are read if a line of records is longer.
_MAX_LINE_BYTES = 2**25


def _beginning(path: Path) -> bytes:
    """Read the beginning of a file, up to the end of its first line if that holds a record."""
    beginning = first_bytes(path, _HEAD_BYTES).removeprefix(b"\xef\xbb\xbf")
    is_incomplete = (
        len(beginning) >= _HEAD_BYTES - 3
        and b"\n" not in beginning
        and beginning.lstrip()[:1] == b"{"
    )
    return (
        _long_first_line(path, path.stat().st_mtime_ns)
        if is_incomplete and path.is_file()
        else beginning
    )


@lru_cache(maxsize=1)
def _long_first_line(path: Path, modified_at: int) -> bytes:
    """Read a long first line; cached, since every format asks for it."""
    beginning = first_bytes(path, _MAX_LINE_BYTES).removeprefix(b"\xef\xbb\xbf")
    return beginning.split(b"\n", 1)[0]


def has_records(parts: Iterable[Path], is_record: Callable[[bytes], bool]) -> bool:
    """Check the first lines of the first parts for records, some of which may be damaged."""
    first_parts = islice(parts, _FILES_INSPECTED)
    beginnings = (_beginning(part) for part in first_parts)
    lines = (
        line
        for beginning in beginnings
        for line in beginning.lstrip().split(b"\n")[:_FILES_INSPECTED]
    )
    return any(map(is_record, lines))


def require_part(collection: Collection, name: str) -> None:
    """Refuse to write a collection without the part that a format stores."""
    if not len(getattr(collection, name)):
        raise InputError(f"the collection has no {name}", "choose another format")


def nonzero_counts(counts: Mapping[str, int]) -> tuple[str, ...]:
    """List counts that are not zero, one line each."""
    return tuple(f"{count} {name}" for name, count in counts.items() if count)


def part_sizes(collection: Collection, *names: str) -> dict[str, int]:
    """Count the items in parts of a collection."""
    attributes = {"annotated peers": "peer_annotations"}
    return {name: len(getattr(collection, attributes.get(name, name))) for name in names}


def fresh_names(used_names: set[str]) -> Iterator[str]:
    """Yield unused names for references."""
    return (name for index in count(1) if (name := f"ref{index}") not in used_names)


_SCORE_COLUMNS = ("task", "topic", "system", "kind", "measure", "assessor", "unit", "assessor_kind")


class ScoreRows:
    """Rows of scores, collected column by column."""

    def __init__(self) -> None:
        self._columns: dict[str, list[str]] = {name: [] for name in _SCORE_COLUMNS}
        self._values: list[float] = []

    def add(
        self,
        summary: Summary,
        measures: Sequence[str],
        values: Sequence[float],
        assessors: Sequence[str] | None = None,
        units: Sequence[str] | None = None,
        assessor_kinds: Sequence[str] | None = None,
    ) -> None:
        """Add values of a summary; assessors and units are empty by default."""
        blank_cells = [""] * len(values)
        for name in ("task", "topic", "system", "kind"):
            self._columns[name] += [getattr(summary, name)] * len(values)
        self._columns["measure"] += measures
        self._columns["assessor"] += assessors or blank_cells
        self._columns["unit"] += units or blank_cells
        self._columns["assessor_kind"] += assessor_kinds or blank_cells
        self._values += values

    def scores(self) -> Scores:
        """Return the table."""
        return Scores(self._columns, self._values)
