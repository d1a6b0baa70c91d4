"""Uploaded files: unpacked safely, and read as `convert` reads them."""

import gzip
import re
import stat
import threading
import warnings
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from lzma import LZMAError
from operator import attrgetter
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Any, BinaryIO, TypeVar

from pyramidion.collection import Collection, Preferences, Scores
from pyramidion.collection.checking import require_consistent, with_findings
from pyramidion.collection.formats import detect
from pyramidion.collection.formats._folder import write_settings
from pyramidion.collection.formats.reading import FormatReading, read_as
from pyramidion.errors import InputError, PyramidionError, Where, visible
from pyramidion.files.inputs import max_unpacked

#: Maximum number of files of an upload, and of bytes after unpacking.
MAX_FILES, MAX_BYTES = 10_000, 256 * 2**20

_SETTINGS = "collection.toml"
_TABLES = (".csv", ".tsv", ".jsonl", ".parquet", ".csv.gz", ".tsv.gz", ".jsonl.gz")
# Files that operating systems add to folders.
_CLUTTER = ("__MACOSX", "Thumbs.db", "desktop.ini")
_PIECE = 2**20
# Options of the command line, and the fields of the page that have the same effect.
_FIELD_OF_FLAG = {
    "--from": "“Format”", "--columns": "“Columns of a table”",
    "--measures": "“Columns of measures”",
}  # fmt: skip
# Size of a ZIP directory of that many files with long names.
_MAX_DIRECTORY_BYTES = 512 * MAX_FILES


@dataclass(frozen=True)
class UploadReading:
    """The content of an upload, and notes of its reader."""

    reading: FormatReading
    notes: tuple[str, ...]

    @property
    def counts(self) -> dict[str, int]:
        """Counts of everything in the collection."""
        collection = self.reading.collection
        counts = {
            "topics": len(collection.topic_ids),
            "documents": sum(len(topic.documents) for topic in collection.topics),
            "systems": len({summary.system for summary in collection.summaries if summary.is_peer}),
            "summaries to judge": sum(summary.is_peer for summary in collection.summaries),
            "references": sum(summary.is_reference for summary in collection.summaries),
            "scores": len(collection.scores),
            "preferences": len(collection.preferences),
            "pyramids": len(collection.pyramids),
            "annotated summaries": len(collection.peer_annotations),
        }
        return {name: number for name, number in counts.items() if number}


def read_upload(
    files: Iterable[tuple[str, BinaryIO]],
    *,
    format: str = "",
    columns: str = "",
    measures: str = "",
) -> UploadReading:
    """Read uploaded files as one collection; messages use the names that were sent."""
    with TemporaryDirectory(prefix="pyramidion-") as parent:
        # Some formats name a collection after its folder.
        folder = Path(parent, "Evaluation")
        folder.mkdir()
        try:
            _take_in(folder, files)
            return _read(folder, format or None, _words(columns), _words(measures))
        except PyramidionError as error:
            raise _named_as_sent(error, Path(parent)) from None


def _words(text: str) -> tuple[str, ...]:
    return tuple(part for part in (piece.strip() for piece in text.split(",")) if part)


def _named_as_sent(error: PyramidionError, parent: Path) -> InputError:
    where = error.where and replace(error.where, path=_as_sent(str(error.where.path), parent))
    hint = _as_sent(error.hint or "", parent)
    return InputError(_as_sent(error.what, parent), hint, where=where)


def _as_sent(text: str, parent: Path) -> str:
    """Remove temporary folders and commands from a message; the page has fields for options."""
    text = re.sub(r"pyramidion convert .* mine (?=--)", "", text)
    for flag, field in _FIELD_OF_FLAG.items():
        text = re.sub(rf"{flag}(?![\w-])", field, text)
    for folder in (parent / "Evaluation", parent / "tables"):
        text = text.replace(f"{folder}/", "").replace(str(folder), "these files")
    return text


def _take_in(folder: Path, files: Iterable[tuple[str, BinaryIO]]) -> None:
    upload = _UploadFolder(folder)
    for name, stream in files:
        if _is_archive(stream):
            upload.unpack(name, stream)
        elif name:
            upload.add(name, stream)
    if not upload.files:
        raise InputError("the upload has no files", hint="choose at least one")


def _is_archive(stream: BinaryIO) -> bool:
    head = stream.read(4)
    stream.seek(0)
    return head in (b"PK\x03\x04", b"PK\x05\x06")


class _UploadFolder:
    """A folder for uploaded files, with limits."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = 0
        self.bytes = 0

    def add(self, name: str, stream: IO[bytes], *, limit: int = MAX_BYTES) -> int:
        """Write a file under its name; return its size."""
        path = self._target_path(name)
        if path is None:
            return 0
        self.files += 1
        if self.files > MAX_FILES:
            raise InputError(f"there are more than {MAX_FILES:,} files", hint="send fewer files")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as target:
                size = self._copy(name, stream, limit, target)
            with path.open("rb") as saved_file:
                if saved_file.read(2) == b"\x1f\x8b":
                    saved_file.seek(0)
                    # The file stays compressed; its unpacked size counts.
                    self._copy(name, gzip.GzipFile(fileobj=saved_file), max_unpacked(size), None)
        except (FileExistsError, NotADirectoryError):
            raise InputError("two files have this name", "keep one", where=Where(name)) from None
        except (OSError, EOFError, zlib.error) as error:
            raise _unpacking_error(name, error) from None
        return size

    def _copy(
        self, name: str, stream: IO[bytes] | gzip.GzipFile, limit: int, target: BinaryIO | None
    ) -> int:
        """Copy a stream, or only measure it, up to the limit."""
        size = 0
        while piece := stream.read(_PIECE):
            size += len(piece)
            self.bytes += len(piece)
            if size > limit or self.bytes > MAX_BYTES:
                raise InputError(
                    f"it unpacks to more than {min(limit, MAX_BYTES) >> 20} MB",
                    hint="send less", where=Where(name),
                )  # fmt: skip
            if target is not None:
                target.write(piece)
        return size

    def _target_path(self, name: str) -> Path | None:
        """Return the path of a file, which must be inside the folder; None for clutter."""
        sent_path = PurePosixPath(name.replace("\\", "/"))
        parts = sent_path.parts
        is_outside = (
            sent_path.is_absolute() or ".." in parts or ":" in name or not name.isprintable()
        )
        if not parts or is_outside or max(map(len, parts)) > 200 or len(parts) > 20:
            hint = "pack the folder again with plain file names"
            raise InputError(f"{visible(name)[:100]!r} is not a file name inside a folder", hint)
        clutter = any(part in _CLUTTER or part.startswith(".") for part in parts)
        return None if clutter else self.folder.joinpath(*parts)

    def unpack(self, name: str, stream: BinaryIO) -> None:
        """Add the files of a ZIP archive."""
        size = stream.seek(0, 2)
        try:
            _require_small_directory(stream, size)
            with zipfile.ZipFile(stream) as archive:
                entries = [entry for entry in archive.infolist() if not entry.is_dir()]
                bytes_left = max_unpacked(size)
                for entry in _check_files(entries, name):
                    with archive.open(entry) as packed_file:
                        bytes_left -= self.add(entry.filename, packed_file, limit=bytes_left)
        except (
            zipfile.BadZipFile, zlib.error, LZMAError, EOFError, NotImplementedError, RuntimeError,
            ValueError, OSError,
        ) as error:  # fmt: skip
            raise _unpacking_error(name, error) from None


def _unpacking_error(name: str, error: Exception) -> InputError:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return InputError(f"cannot be unpacked ({reason})", "pack it again", where=Where(name))


def _require_small_directory(stream: BinaryIO, size: int) -> None:
    """Refuse a ZIP directory that would fill the memory."""
    stream.seek(max(0, size - 65_557))
    tail = stream.read()
    stream.seek(0)
    end = tail.rfind(b"PK\x05\x06")
    if end >= 0 and int.from_bytes(tail[end + 12 : end + 16], "little") > _MAX_DIRECTORY_BYTES:
        raise InputError(f"there are more than {MAX_FILES:,} files", hint="send fewer files")


def _check_files(entries: list[zipfile.ZipInfo], name: str) -> list[zipfile.ZipInfo]:
    """Refuse workbooks, links and encrypted files."""
    if any(entry.filename == "[Content_Types].xml" for entry in entries):
        raise InputError("this is a workbook", "save the sheet as CSV (UTF-8)", where=Where(name))
    for entry in entries:
        mode = entry.external_attr >> 16
        if mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
            raise InputError(
                f"{visible(entry.filename)[:100]!r} is a link", "pack the files themselves",
                where=Where(name),
            )  # fmt: skip
        if entry.flag_bits & 1:
            raise InputError("it is encrypted", "send it without a password", where=Where(name))
    return entries


Value = TypeVar("Value")

# Catching warnings affects the whole process, so one upload is read at a time.
_READ_LOCK = threading.Lock()


def _read(
    folder: Path, format: str | None, columns: tuple[str, ...], measures: tuple[str, ...]
) -> UploadReading:
    root = _root(folder)
    if (root / "topics.jsonl").exists() and not (root / _SETTINGS).exists():
        write_settings(Collection(root.name), root / _SETTINGS)
    with _READ_LOCK, warnings.catch_warnings(record=True) as caught_warnings:
        warnings.simplefilter("always")
        parts = [root] if format or root.is_file() else _parts(root, are_separate=root == folder)
        options: dict[str, Any] = {
            "format": format,
            "requested_columns": columns,
            "measures": measures,
        }
        readings = [read_as(path, **options) for path in parts]
        reading = readings[0] if len(readings) == 1 else _join_collections(readings, root.name)
        collection = with_findings(reading.collection)
    warning_lines = [_as_sent(str(warning.message), folder.parent) for warning in caught_warnings]
    left_out = [f"left out: {line}" for line in collection.left_out]
    repair_lines = (f"repaired: {line}" for line in collection.repaired)
    return UploadReading(reading, (*left_out, *repair_lines, *warning_lines))


def _root(folder: Path) -> Path:
    """Descend into folders that contain a single file or folder."""
    entries = list(folder.iterdir())
    while folder.is_dir() and len(entries) == 1:
        folder = entries[0]
        entries = list(folder.iterdir()) if folder.is_dir() else []
    return folder


def _parts(root: Path, *, are_separate: bool) -> list[Path]:
    """Divide a folder into parts that are read separately; dropped files may be unrelated."""
    tables = [path for path in root.iterdir() if path.name.lower().endswith(_TABLES)]
    has_other_files = len(list(root.iterdir())) > len(tables)
    if are_separate and tables and has_other_files and not (root / _SETTINGS).exists():
        tables_folder = root.with_name("tables")
        tables_folder.mkdir()
        moved_paths = [path.rename(tables_folder / path.name) for path in sorted(tables)]
        top_path = _root(root)
        return [
            *moved_paths,
            *([top_path] if top_path.is_file() else _parts(top_path, are_separate=False)),
        ]
    if _is_known(root):
        return [root]
    return sorted(path for path in root.rglob("*") if path.is_file())


def _is_known(folder: Path) -> bool:
    try:
        detect(folder)
    except InputError:
        return False
    return True


def _join_collections(readings: Sequence[FormatReading], name: str) -> FormatReading:
    """Join separately read files into one collection."""
    parts = [reading.collection for reading in readings]

    def of_each(field: str) -> list[Any]:
        return [getattr(part, field) for part in parts]

    keys = {"tasks": "id", "categories": "id", "topics": "id", "summaries": "key"}
    fields: dict[str, Any] = {n: _distinct(of_each(n), attrgetter(key)) for n, key in keys.items()}
    for field in ("scales", "measures", "pyramids", "peer_annotations", "versions"):
        fields[field] = _merge_mappings(of_each(field))
    for field in ("left_out", "repaired", "doubts"):
        fields[field] = tuple(chain.from_iterable(of_each(field)))
    joined_collection = Collection(
        name=next((part.name for part in parts if part.topics), name),
        scores=Scores.concatenate(part.scores for part in parts),
        preferences=Preferences.concatenate(part.preferences for part in parts),
        **fields,
    )
    require_consistent(joined_collection)
    rows = tuple(row for reading in readings for row in reading.columns)
    return FormatReading(
        joined_collection, ", ".join(dict.fromkeys(reading.format for reading in readings)), rows
    )


def _distinct(
    parts: Iterable[tuple[Value, ...]], key: Callable[[Value], object]
) -> tuple[Value, ...]:
    """Concatenate lists without duplicates."""
    groups: dict[object, list[Value]] = {}
    for element in chain.from_iterable(parts):
        group = groups.setdefault(key(element), [])
        if element not in group:
            group.append(element)
    return tuple(chain.from_iterable(groups.values()))


def _merge_mappings(parts: Iterable[Mapping[Any, Value]]) -> dict[Any, Value]:
    merged_items: dict[Any, Value] = {}
    for part in parts:
        for key, value in part.items():
            if merged_items.setdefault(key, value) != value:
                name = key if isinstance(key, str) else ", ".join(filter(None, map(str, key)))
                message = f"two files have different entries for {name}"
                raise InputError(message, hint="send only one of them")
    return merged_items
