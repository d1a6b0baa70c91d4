"""Reading whatever somebody has: its format, its columns, and which column was taken for what."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pyramidion.collection._checks import require_consistent
from pyramidion.collection._collection import Collection
from pyramidion.collection.formats._preferences import (
    asks_for_preferences,
    preference_flags,
    read_preferences_as,
)
from pyramidion.collection.formats._registry import detect, read_collection
from pyramidion.collection.formats._table import Columns, read_table_as
from pyramidion.errors import Where


@dataclass(frozen=True)
class Reading:
    """A collection, the format it was in, and the column of each part where it was a table."""

    collection: Collection
    format: str
    columns: tuple[tuple[str, str], ...] = ()
    flags: str = ""


def read_as(
    source: Path,
    *,
    format: str | None = None,
    columns: Iterable[str] = (),
    measures: Iterable[str] = (),
) -> Reading:
    """Read a file or folder; who names columns has a table."""
    columns, measures = tuple(columns), tuple(measures)
    chosen = format or _format_of(source, columns, measures)
    if chosen == "table":
        collection, mapping = read_table_as(source, columns, measures)
        require_consistent(collection, Where(source))
        return Reading(collection, chosen, tuple(_rows(mapping)), mapping.flags())
    if chosen == "preferences":
        collection, parts = read_preferences_as(source, columns)
        return Reading(collection, chosen, tuple(parts.items()), preference_flags(parts))
    return Reading(read_collection(source, format=chosen), chosen)


def _format_of(source: Path, columns: tuple[str, ...], measures: tuple[str, ...]) -> str:
    if asks_for_preferences(columns):
        return "preferences"
    return "table" if columns or measures else detect(source).name


def _rows(columns: Columns) -> Iterable[tuple[str, str]]:
    yield from columns.pairs()
    yield from ((f"measure {name}", column) for name, column in columns.measures.items())
    yield from (("group of topics", name) for name in columns.groups)
    yield from (("not used", name) for name in columns.unused)
