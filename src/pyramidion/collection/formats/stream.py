"""Scoring streams as JSONL or Parquet: ``{topic, system, task?, kind?, peer, references}``."""

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar, cast

from pyramidion import kernels
from pyramidion.collection._collection import Collection
from pyramidion.collection.formats.base import Format, first_bytes, fresh_names, has_records
from pyramidion.collection.formats.table_files import column_names, parquet_records, parts_of
from pyramidion.collection.stream import StreamItem, StreamText
from pyramidion.collection.summaries import Document, Kind, Summary, Topic, documents_of
from pyramidion.errors import Where
from pyramidion.files.reading import Record, convert_records

T = TypeVar("T")

# Fields of a summary that a field of a stream must not overwrite.
_RESERVED_FIELDS = {"text", "role", "aspects"}

_ALL_KEPT_NOTE = "its records have different ones; all are kept"


def read_stream(
    path: str | Path, lines: Iterable[tuple[int, bytes]] | None = None
) -> Iterator[StreamItem]:
    """Stream the items of a file (or ``-``), of some of its lines, or of a folder of parts."""
    read_quickly = _read_fast if kernels.json_item else None
    if lines is not None:
        return convert_records(path, StreamItem.from_record, read_quickly, lines)
    return _read_each(path, StreamItem.from_record, read_quickly)


def _read_each(
    path: str | Path,
    convert: Callable[[Record], T],
    read_quickly: Callable[[bytes, Where], T | None] | None = None,
) -> Iterator[T]:
    if not Path(path).is_dir():
        yield from _read_file(path, convert, read_quickly)
        return
    is_empty = True
    for part in parts_of(Path(path)):
        # A part may be empty, all of them may not.
        for record in _read_file(part, convert, read_quickly, allow_empty=True):
            is_empty = False
            yield record
    if is_empty:
        raise Where(path).error("there are no records in this folder", "one JSON object per line")


def _read_file(
    path: str | Path,
    convert: Callable[[Record], T],
    read_quickly: Callable[[bytes, Where], T | None] | None,
    *,
    allow_empty: bool = False,
) -> Iterator[T]:
    if _is_parquet(path):
        return map(convert, parquet_records(Path(path)))
    return convert_records(path, convert, read_quickly, allow_empty=allow_empty)


def _read_fast(line: bytes, where: Where) -> StreamItem | None:
    """Read an item that has only the required fields; None for others."""
    assert kernels.json_item is not None
    fields = kernels.json_item(line)
    if fields is None or not (fields[0] and fields[1]):
        return None
    topic, system, peer, references = fields
    return StreamItem("", topic, system, "machine", peer, references, where)


def _is_parquet(path: str | Path) -> bool:
    return Path(path).suffix == ".parquet"


def is_stream(path: str | Path) -> bool:
    """Check by its first lines or columns whether a file or folder is a stream."""
    if str(path) == "-":
        return True
    path = Path(path)
    parts = parts_of(path) if path.is_dir() else [path]
    if parts and _is_parquet(parts[0]):
        columns = column_names(parts[0], first_bytes(parts[0], 4))
        return _are_fields(columns.__contains__)
    return has_records(parts, is_stream_line)


def is_stream_line(line: bytes) -> bool:
    """Check whether a line is a summary with references, one of which may be missing."""
    return line.startswith(b"{") and _are_fields(lambda name: has_field(line, name))


def has_field(line: bytes, name: str) -> bool:
    """Check whether a line of JSON names a field."""
    return re.search(rb'"%s"\s*:' % name.encode(), line) is not None


def _are_fields(has_field: Callable[[str], bool]) -> bool:
    """Check for the fields of a stream; in a table, a column `peer` would name the system."""
    if has_field("peer") and has_field("system"):
        return True
    if not (has_field("references") and (has_field("peer") or has_field("system"))):
        return False
    from pyramidion.collection.formats._table import PARTS

    return not any(map(has_field, PARTS["text"]))


def _read(path: Path) -> Collection:
    """Read peers as summaries, and the references of each topic as ref1, ref2, ..."""
    summaries: list[Summary] = []
    references: dict[tuple[str, str], dict[StreamText, None]] = {}
    documents: dict[str, dict[tuple[str, str], Document]] = {}
    dropped_fields = Counter[str]()

    def items() -> Iterator[StreamItem]:
        for record in _read_each(path, lambda record: record):
            item = StreamItem.from_record(record)
            topic_texts = documents.setdefault(item.topic, {})
            topic_texts.update({(text.id, text.text): text for text in documents_of(record)})
            address, kind = (item.task, item.topic), cast("Kind", item.kind)
            extra = {
                name: value for name, value in record.rest().items() if name not in _RESERVED_FIELDS
            }
            dropped_fields.update(record.rest().keys() - extra.keys())
            peer = Summary(item.topic, item.system, item.peer, item.task, kind, "peer", extra=extra)
            summaries.append(peer)
            references.setdefault(address, {}).update(dict.fromkeys(item.references))
            yield item

    from pyramidion.checks.streams import StreamChecks

    checks = StreamChecks()
    deque(checks.passed(items()), maxlen=0)
    systems = {summary.system for summary in summaries}
    summaries += [
        Summary(topic, name, text, task, "human", "reference")
        for (task, topic), texts in references.items()
        for name, text in zip(fresh_names(systems), texts, strict=False)
    ]
    lines = (
        f"field {name} of {count} record{'s' * (count > 1)}"
        for name, count in sorted(dropped_fields.items())
    )
    return Collection(
        stream_name(path),
        topics=tuple(
            Topic(id, documents=tuple(texts.values())) for id, texts in documents.items() if texts
        ),
        summaries=tuple(summaries),
        left_out=tuple(lines),
        doubts=tuple(checks.differing(_ALL_KEPT_NOTE)),
    )


def stream_name(path: Path) -> str:
    """Name a stream after its file or folder."""
    return path.name.split(".")[0]


FORMAT = Format(
    name="stream",
    title="a scoring stream, one summary with its references per record (topic, system, task, "
    "kind, peer, references): JSONL, Parquet, or a folder of such parts",
    matches=is_stream,
    read=_read,
)
