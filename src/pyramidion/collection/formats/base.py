"""Formats: how they are recognized, read and written."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from pyramidion.collection._collection import Collection
from pyramidion.collection.files import read_beginning
from pyramidion.collection.inputs import is_readable
from pyramidion.errors import FormatError, InputError


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


def first_bytes(path: Path, size: int = 4096) -> bytes:
    """Read the first bytes of a file, decompressed; none of a folder or a damaged file."""
    if not is_readable(path):
        return b""
    try:
        return read_beginning(path, size)
    except FormatError:
        return b""


def first_record(path: Path, size: int = 2**20) -> dict[str, Any]:
    """Read the object in a JSONL file's first line; empty if there is none or it is too long."""
    line = first_bytes(path, size).removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n", 1)[0]
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


# How many bytes of a file, and how many files and lines, are read to recognize records.
_HEAD, _LOOKED_AT = 2**20, 5


def has_records(parts: Iterable[Path], is_record: Callable[[bytes], bool]) -> bool:
    """Check the first lines of the first parts for records, some of which may be damaged."""
    first = islice(parts, _LOOKED_AT)
    heads = (first_bytes(part, _HEAD).removeprefix(b"\xef\xbb\xbf") for part in first)
    lines = (line for head in heads for line in head.lstrip().split(b"\n")[:_LOOKED_AT])
    return any(map(is_record, lines))


def require_part(collection: Collection, name: str) -> None:
    """Refuse to write a collection without the part that a format stores."""
    if not len(getattr(collection, name)):
        raise InputError(f"the collection has no {name}", "choose another format")


def counted(numbers: Mapping[str, int]) -> tuple[str, ...]:
    """List counts that are not zero, one line each."""
    return tuple(f"{number} {name}" for name, number in numbers.items() if number)


def part_sizes(collection: Collection, *names: str) -> dict[str, int]:
    """Count the items in parts of a collection."""
    fields = {"annotated peers": "peer_annotations"}
    return {name: len(getattr(collection, fields.get(name, name))) for name in names}
