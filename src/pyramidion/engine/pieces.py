"""Pieces of a file: consecutive lines or rows, so that several workers can share a large file."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pyramidion.collection.files import (
    Record,
    decoded_line,
    line_blocks,
    parsed_record,
    raw_lines,
)
from pyramidion.collection.formats.table_files import parquet_frame, parquet_height
from pyramidion.engine.parts import absolute, is_remote, joined, opened, part_sizes, size_of
from pyramidion.errors import InputError, Where

#: The most bytes of a file that are worked on at a time, and the least if it is cut at all.
PIECE_BYTES, _LEAST = 64 * 2**20, 4 * 2**20

# Enough pieces that workers end at about the same time.
_PIECES = 64

# What is sent to workers, because they cannot begin in the middle of it, waits in memory.
_SENT_BYTES = 8 * 2**20

# Bytes that are kept of a line that is no record.
_SHOWN = 1000


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is no record: what is wrong with it, and how it begins."""

    error: InputError
    text: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive lines of a JSONL file, or rows of a Parquet file.

    Parameters
    ----------
    path
        The file, or its address.
    start, stop
        Where it begins and ends: bytes of JSONL, rows of Parquet; lines of data that is sent.
    data
        The lines themselves, of a file that cannot be read from the middle.
    called
        What messages call the file.
    """

    path: str
    start: int = 0
    stop: int | None = None
    data: bytes | None = field(default=None, repr=False)
    called: str = ""

    def __str__(self) -> str:
        return f"{self.where} (from {self.start:,} to {self.stop:,})" if self.stop else self.path

    @property
    def where(self) -> Where:
        """The file, for messages."""
        return Where(self.called or self.path)

    @property
    def is_parquet(self) -> bool:
        """Whether it has rows rather than lines."""
        return self.path.endswith(".parquet")

    @property
    def is_numbered(self) -> bool:
        """Whether it is known how many lines precede it, without reading them."""
        return not self.start or self.is_parquet or self.data is not None

    @property
    def first_line(self) -> int:
        """The number of the first line; 2 if it is not known how many precede it."""
        # Not 1: only the first line of a file may begin with a byte order mark.
        return self.start + 1 if self.is_numbered else 2

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Return the lines as they are, with their numbers; see `first_line`."""
        opener = None
        if self.data is not None:
            opener = partial(_sent, self.data)
        elif is_remote(self.path) or self.stop is not None:
            opener = partial(_range, self.path, self.start, self.stop)
        before = self.first_line - 1
        for number, line in raw_lines(self.where.path, opener):
            yield number + before, line

    def numbered(self) -> Iterator[tuple[int, Record | Unread | None]]:
        """Return each line's number and its record; None for a blank line."""
        if self.is_parquet:
            yield from self._rows()
            return
        path = self.where.path
        for number, raw in self.lines():
            where, record = Where(path, line=number), None
            try:
                if (line := decoded_line(raw, path, number)).strip():
                    record = Record(parsed_record(line, where), where)
                yield number, record
            except InputError as error:
                text = raw[:_SHOWN].decode(errors="backslashreplace").rstrip("\r\n")
                yield number, Unread(error, text)

    def records(self) -> Iterator[Record | Unread]:
        """Return the records in their order; lines that are no records keep their places."""
        return (record for _, record in self.numbered() if record is not None)

    def _rows(self) -> Iterator[tuple[int, Record]]:
        path = self.where.path
        for piece in cut(self.path) if self.stop is None else [self]:
            with opened(self.path) as stream:
                frame = parquet_frame(stream, self.where, (piece.start, piece.stop))
            for number, row in enumerate(frame.iter_rows(named=True), start=piece.start + 1):
                fields = {name: value for name, value in row.items() if value is not None}
                yield number, Record(fields, Where(path, number))

    def located(self, where: Where | None) -> Where | None:
        """Correct the line of a place in this piece, by counting the lines before it."""
        if where is None or where.line is None or self.is_numbered:
            return where
        before, left = 0, self.start
        with opened(self.path) as stream:
            while left and (block := stream.read(min(left, 2**20))):
                before, left = before + block.count(b"\n"), left - len(block)
        return replace(where, line=where.line + 1 - self.first_line + before)

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Correct the line that an error in this piece names."""
        try:
            yield
        except InputError as error:
            error.where = self.located(error.where)
            raise


def cut(path: str, *, called: str = "") -> Iterator[Piece]:
    """Cut a file into pieces of up to 64 MiB; ``-`` is standard input.

    JSONL is cut at line ends, Parquet into slices of rows. What cannot be read from the middle
    (gzipped files, pipes) is read here and sent in pieces.
    """
    called = called or path
    length = 0 if path == "-" else size_of(path) or 0
    size = min(PIECE_BYTES, max(_LEAST, length // _PIECES))
    if path.endswith(".parquet"):
        with opened(path) as stream:
            rows = parquet_height(stream, Where(called))
        # Packed bytes; an object that is elsewhere would be fetched again for every slice.
        share = 1 if is_remote(path) else min(1, size / 4 / max(1, length))
        step = max(1, int(rows * share))
        for start in range(0, max(1, rows), step):
            yield Piece(path, start, min(rows, start + step), called=called)
    elif _is_seekable(path):
        yield from _cut_at_line_ends(path, called, length, size)
    else:
        remote = partial(_range, path, 0, None) if is_remote(path) else None
        start = 0
        for block in line_blocks(called, _SENT_BYTES, remote):
            stop = start + max(1, block.count(b"\n"))
            yield Piece(path, start, stop, block, called)
            start = stop


def cut_for_workers(path: str) -> Iterator[Piece]:
    """Cut a file for workers that may run in another folder."""
    return cut(path if path == "-" else absolute(path), called=path)


def first_records(source: str, number: int) -> Iterator[Record | Unread]:
    """Read the first records of a folder, the same however they are cut into parts."""
    pieces = (Piece(joined(source, name)) for name in part_sizes(source))
    return islice(chain.from_iterable(piece.records() for piece in pieces), number)


def _is_seekable(path: str) -> bool:
    """Check whether reading can begin in the middle."""
    if path == "-" or not (is_remote(path) or Path(path).is_file()):
        return False
    with opened(path) as stream:
        return bool(stream.read(2) != b"\x1f\x8b")


def _cut_at_line_ends(path: str, called: str, length: int, size: int) -> Iterator[Piece]:
    start = 0
    with opened(path) as stream:
        while start < length:
            stream.seek(min(length, start + size) - 1)
            while (line := stream.readline(2**20)) and not line.endswith(b"\n"):
                pass
            stop = stream.tell()
            yield Piece(path, start, stop, called=called)
            start = stop


def _sent(data: bytes) -> tuple[io.BufferedReader, int]:
    return io.BufferedReader(io.BytesIO(data)), len(data)


def _range(path: str, start: int, stop: int | None) -> tuple[io.BufferedReader, int]:
    stream = opened(path)
    length = size_of(path) or 0
    stream.seek(start)
    return io.BufferedReader(_Limited(stream, (stop or length) - start), 2**20), length


class _Limited(io.RawIOBase):
    """The next so many bytes of a stream."""

    def __init__(self, stream: Any, left: int) -> None:
        self._stream, self._left = stream, left

    def readable(self) -> bool:
        """Say that it is read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer."""
        data = self._stream.read(min(len(buffer), self._left))
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)

    def close(self) -> None:
        """Close the stream, too."""
        self._stream.close()
        super().close()
