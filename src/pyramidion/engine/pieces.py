"""Pieces of a file: consecutive lines or rows, so that several workers can share a large file."""

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from math import ceil
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.table_files import parquet_frame
from pyramidion.engine._row_groups import read_row_groups
from pyramidion.engine.parts import absolute, is_remote, join_path, open_part, part_sizes, size_of
from pyramidion.errors import InputError, Where
from pyramidion.files.reading import Record, decode_line, line_blocks, parse_record, raw_lines

#: The largest and the smallest size in bytes of the pieces a file is cut into.
PIECE_BYTES, _MIN_PIECE_BYTES = 64 * 2**20, 4 * 2**20

# Enough pieces for workers to finish at about the same time.
_MIN_PIECES = 64

# A row group is cut only if it has more than this many times the bytes of a piece.
_MIN_CUT_FACTOR = 4

# Pieces of files that cannot be read from the middle are sent to workers and wait in memory.
_SENT_PIECE_BYTES = 8 * 2**20

# Bytes to keep of a line that is not a record.
_MAX_LINE_BYTES = 1000


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is not a record: the error, and how the line begins."""

    error: InputError
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive lines of a JSONL file, or rows of a Parquet file."""

    path: str
    #: Bytes of JSONL, rows of Parquet, or lines of `data`.
    start: int = 0
    stop: int | None = None
    #: The lines themselves, of a file that cannot be read from the middle.
    data: bytes | None = field(default=None, repr=False)
    #: The file's name in messages.
    label: str = ""

    def __str__(self) -> str:
        return f"{self.where} (from {self.start:,} to {self.stop:,})" if self.stop else self.path

    @property
    def where(self) -> Where:
        """The file, for messages."""
        return Where(self.label or self.path)

    @property
    def is_parquet(self) -> bool:
        """Whether the file has rows rather than lines."""
        return self.path.endswith(".parquet")

    @property
    def is_numbered(self) -> bool:
        """Whether the number of preceding lines is known without reading them."""
        return not self.start or self.is_parquet or self.data is not None

    @property
    def first_line(self) -> int:
        """The number of the first line; 2 if unknown."""
        # Not 1: only the first line of a file may begin with a byte order mark.
        return self.start + 1 if self.is_numbered else 2

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Return the raw lines with their numbers; see `first_line`."""
        open_piece = None
        if self.data is not None:
            open_piece = partial(_open_data, self.data)
        elif is_remote(self.path) or self.stop is not None:
            open_piece = partial(_open_range, self.path, self.start, self.stop)
        lines_before = self.first_line - 1
        for number, line in raw_lines(self.where.path, open_piece):
            yield number + lines_before, line

    def numbered_records(self) -> Iterator[tuple[int, Record | Unread | None]]:
        """Return each line's number and its record; None for a blank line."""
        if self.is_parquet:
            yield from self._rows()
            return
        path = self.where.path
        for number, raw_line in self.lines():
            where, record = Where(path, line=number), None
            try:
                if (line := decode_line(raw_line, path, number)).strip():
                    record = Record(parse_record(line, where), where)
                yield number, record
            except InputError as error:
                text = raw_line[:_MAX_LINE_BYTES].decode(errors="backslashreplace").rstrip("\r\n")
                yield number, Unread(error, text)

    def records(self) -> Iterator[Record | Unread]:
        """Return the records in order, with `Unread` for lines that are not records."""
        return (record for _, record in self.numbered_records() if record is not None)

    def _rows(self) -> Iterator[tuple[int, Record]]:
        path = self.where.path
        for piece in cut_file(self.path) if self.stop is None else [self]:
            with open_part(self.path) as stream:
                frame = parquet_frame(stream, self.where, (piece.start, piece.stop))
            for number, row in enumerate(frame.iter_rows(named=True), start=piece.start + 1):
                fields = {name: value for name, value in row.items() if value is not None}
                yield number, Record(fields, Where(path, number))

    def locate(self, where: Where | None) -> Where | None:
        """Correct a line number in this piece by counting the lines before it."""
        if where is None or where.line is None or self.is_numbered:
            return where
        lines_before, remaining_bytes = 0, self.start
        with open_part(self.path) as stream:
            while remaining_bytes and (block := stream.read(min(remaining_bytes, 2**20))):
                lines_before, remaining_bytes = (
                    lines_before + block.count(b"\n"),
                    remaining_bytes - len(block),
                )
        return replace(where, line=where.line + 1 - self.first_line + lines_before)

    @contextmanager
    def fix_error_lines(self) -> Iterator[None]:
        """Correct the line number of an error in this piece."""
        try:
            yield
        except InputError as error:
            error.where = self.locate(error.where)
            raise


def cut_file(path: str, *, label: str = "") -> Iterator[Piece]:
    """Cut a file into pieces of up to 64 MiB; ``-`` is standard input.

    JSONL is cut at line ends, Parquet at row groups. Files that cannot be read from the
    middle (gzipped files, pipes) are read here and sent in pieces.
    """
    label = label or path
    file_size = 0 if path == "-" else size_of(path) or 0
    size = min(PIECE_BYTES, max(_MIN_PIECE_BYTES, file_size // _MIN_PIECES))
    if path.endswith(".parquet"):
        with open_part(path) as stream:
            groups = read_row_groups(stream, Where(label))
        # Compressed bytes; a remote object would be fetched again for every piece.
        compressed_share = 1 if is_remote(path) else min(1, size / 4 / max(1, file_size))
        for start, stop in _cut_at_row_groups(groups, compressed_share):
            yield Piece(path, start, stop, label=label)
    elif _is_seekable(path):
        yield from _cut_at_line_ends(path, label, file_size, size)
    else:
        read_remote = partial(_open_range, path, 0, None) if is_remote(path) else None
        start = 0
        for block in line_blocks(label, _SENT_PIECE_BYTES, read_remote):
            stop = start + max(1, block.count(b"\n"))
            yield Piece(path, start, stop, block, label)
            start = stop


def cut_for_workers(path: str) -> Iterator[Piece]:
    """Cut a file for workers that may run in another folder."""
    return cut_file(path if path == "-" else absolute(path), label=path)


def first_records(source: str, n_records: int) -> Iterator[Record | Unread]:
    """Read the first records of a folder, for any kind of parts."""
    pieces = (Piece(join_path(source, name)) for name in part_sizes(source))
    return islice(chain.from_iterable(piece.records() for piece in pieces), n_records)


def _is_seekable(path: str) -> bool:
    """Check whether a file can be read from the middle."""
    if path == "-" or not (is_remote(path) or Path(path).is_file()):
        return False
    with open_part(path) as stream:
        return bool(stream.read(2) != b"\x1f\x8b")


def _cut_at_line_ends(path: str, label: str, file_size: int, size: int) -> Iterator[Piece]:
    start = 0
    with open_part(path) as stream:
        while start < file_size:
            stream.seek(min(file_size, start + size) - 1)
            while (line := stream.readline(2**20)) and not line.endswith(b"\n"):
                pass
            stop = stream.tell()
            yield Piece(path, start, stop, label=label)
            start = stop


def _cut_at_row_groups(
    groups: Sequence[tuple[int, int]], share: float
) -> Iterator[tuple[int, int]]:
    """Return ranges of rows: join small row groups, and slice those that are far too large."""
    max_bytes = share * sum(size for _, size in groups)
    start = stop = 0
    piece_size = 0.0
    for rows, size in groups:
        n_slices = (
            max(1, min(rows, ceil(size / max_bytes))) if size > _MIN_CUT_FACTOR * max_bytes else 1
        )
        for number in range(1, n_slices + 1):
            if piece_size and piece_size + size / n_slices > max_bytes:
                yield start, stop
                start, piece_size = stop, 0
            stop += rows * number // n_slices - rows * (number - 1) // n_slices
            piece_size += size / n_slices
    yield start, stop


def _open_data(data: bytes) -> tuple[io.BufferedReader, int]:
    return io.BufferedReader(io.BytesIO(data)), len(data)


def _open_range(path: str, start: int, stop: int | None) -> tuple[io.BufferedReader, int]:
    stream = open_part(path)
    length = size_of(path) or 0
    stream.seek(start)
    return io.BufferedReader(_LimitedStream(stream, (stop or length) - start), 2**20), length


class _LimitedStream(io.RawIOBase):
    """A stream that ends after a number of bytes."""

    def __init__(self, stream: Any, n_bytes: int) -> None:
        self._stream, self._n_bytes_left = stream, n_bytes

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer."""
        data = self._stream.read(min(len(buffer), self._n_bytes_left))
        buffer[: len(data)] = data
        self._n_bytes_left -= len(data)
        return len(data)

    def close(self) -> None:
        """Close the underlying stream too."""
        self._stream.close()
        super().close()
