"""Read any source, and report its format and the use of its columns."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._collection import Collection
from pyramidion.collection.checking import require_consistent
from pyramidion.collection.formats._preferences import (
    asks_for_preferences,
    preference_flags,
    read_preferences_as,
)
from pyramidion.collection.formats._registry import detect, format_named, read_collection
from pyramidion.collection.formats._table import parse_pairs, read_table_as
from pyramidion.collection.formats.base import Format, LogSettings
from pyramidion.errors import FormatError, Where
from pyramidion.files.inputs import readable_path


@dataclass(frozen=True)
class FormatReading:
    """A collection, its format, and the columns of each part if it was a table."""

    collection: Collection
    format: str
    columns: tuple[tuple[str, str], ...] = ()
    flags: str = ""


def read_as(
    source: Path,
    *,
    format: str | None = None,
    requested_columns: Iterable[str] = (),
    measures: Iterable[str] = (),
    choices: Mapping[str, str] | None = None,
    logs: LogSettings | None = None,
) -> FormatReading:
    """Read a file or folder; if columns are named, it is a table or an export with fields."""
    requested_columns, measures = tuple(requested_columns), tuple(measures)
    source = readable_path(source)
    detected_format = _detect_format(source, format)
    if detected_format is not None and detected_format.read_columns:
        column_names = dict(parse_pairs(requested_columns, "--columns"))
        collection, parts = detected_format.read_columns(source, column_names)
        pairs = ",".join(f"{part}={name}" for part, name in parts if part != "not used")
        return FormatReading(collection, detected_format.name, parts, f"--columns {pairs}")
    if (
        detected_format is not None
        and detected_format.read_together
        and not (requested_columns or measures)
    ):
        collection = detected_format.read_together([source], logs or LogSettings())
        return FormatReading(collection, detected_format.name)
    format_name = format
    if format_name is None and (choices or asks_for_preferences(requested_columns)):
        format_name = "preferences"
    elif format_name is None:
        format_name = (
            "table" if requested_columns or measures else (detected_format or detect(source)).name
        )
    if format_name == "table":
        collection, mapping = read_table_as(source, requested_columns, measures)
        require_consistent(collection, Where(source))
        rows = [
            *mapping.pairs(),
            *((f"measure {name}", column) for name, column in mapping.measures.items()),
            *(("group of topics", name) for name in mapping.groups),
            *(("not used", name) for name in mapping.unused),
        ]
        return FormatReading(collection, format_name, tuple(rows), mapping.flags())
    if format_name == "preferences":
        collection, mapped_columns = read_preferences_as(source, requested_columns, choices)
        return FormatReading(
            collection, format_name, tuple(mapped_columns.items()), preference_flags(mapped_columns)
        )
    return FormatReading(read_collection(source, format=format_name), format_name)


def _detect_format(source: Path, format: str | None) -> Format | None:
    """Return the format of a source, unless only named columns make it readable."""
    if format is not None:
        return format_named(format)
    with suppress(FormatError):
        return detect(source)
    return None
