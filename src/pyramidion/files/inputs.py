"""Open inputs: files, gzipped or not, pipes, devices and standard input."""

import atexit
import gzip
import io
import os
import stat
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, BinaryIO

from pyramidion.errors import InputError, NotFoundError, Where

#: Larger files are refused where a file is read at once; also the limit of a pipe.
MAX_WHOLE_BYTES = 4 * 2**30

# Text compresses by a factor of 10, and repeated lines by 100; a higher factor is an attack.
_MAX_EXPANSION, _MIN_CHECKED_BYTES = 400, 64 * 2**20

# A pipe is buffered in memory up to this size, and in a temporary file beyond it.
_MAX_BYTES_IN_MEMORY = 64 * 2**20

_PIECE_BYTES = 2**16

#: A function that opens a remote file and returns the stream and its size in bytes.
Opener = Callable[[], tuple[io.BufferedReader, int]]


def max_unpacked(size: int) -> int:
    """Return how many bytes a compressed file of a given size may expand to."""
    return max(_MIN_CHECKED_BYTES, _MAX_EXPANSION * size)


def is_readable(path: Path) -> bool:
    """Return whether a path is a file, a pipe or a device."""
    return path.is_file() or _is_pipe(path)


def readable_path(path: str | Path) -> Path:
    """Return a path that can be read twice; standard input (``-``) is buffered like a pipe."""
    standard_input = Path("/dev/stdin")
    return standard_input if str(path) == "-" and standard_input.exists() else Path(path)


@contextmanager
def open_input(path: str | Path, opener: Opener | None = None) -> Iterator[io.BufferedReader]:
    """Open a file (``-`` is standard input) for reading decompressed bytes; explain failures."""
    try:
        if str(path) == "-" and opener is None:
            if sys.stdin is None:
                raise InputError("standard input is closed", "redirect a file or a pipe to it")
            yield _buffered_input(sys.stdin.buffer)
            return
        packed_file, size = _open_with_size(path) if opener is None else opener()
        with packed_file:
            yield _unzip(packed_file, size)
    except FileNotFoundError:
        raise NotFoundError("there is no such file", "check the path", where=Where(path)) from None
    except IsADirectoryError:
        message = "this is a folder, not a file"
        raise Where(path).error(message, "name a file in it") from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        message = f"the gzipped data is damaged ({error})"
        raise Where(path).error(message, "fetch the file again") from None
    except (OSError, ValueError) as error:
        message = f"cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InputError(message, "check path and permissions", where=Where(path)) from None


def _open_with_size(path: str | Path) -> tuple[io.BufferedReader, int]:
    if _is_pipe(path):
        return _from_pipe(Path(path)), 0
    packed_file = Path(path).open("rb")  # noqa: SIM115 - the caller closes it
    return packed_file, os.fstat(packed_file.fileno()).st_size


def _unzip(packed_file: io.BufferedReader, size: int) -> io.BufferedReader:
    is_zipped = packed_file.peek(2)[:2] == b"\x1f\x8b"
    return (
        io.BufferedReader(_UnzippedStream(packed_file, size), 2**20) if is_zipped else packed_file
    )


class _CountingReader:
    """Counts the bytes that are read, since the size of a pipe is not known beforehand."""

    def __init__(self, packed_file: BinaryIO) -> None:
        self._raw = packed_file
        self.size = 0

    def read(self, size: int) -> bytes:
        data = self._raw.read(size)
        self.size += len(data)
        return data


class _UnzippedStream(io.RawIOBase):
    """A gzipped file that is refused if it expands to far more than a text of its size could."""

    def __init__(self, packed_file: BinaryIO, size: int) -> None:
        self._packed_size, self._counting_reader = size, _CountingReader(packed_file)
        self._stream = gzip.GzipFile(fileobj=self._counting_reader, mode="rb")  # type: ignore[call-overload]
        self._unpacked_size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        # Only decompressed data is returned, so that the data before a damaged part can be read.
        data = self._stream.read1(len(buffer))
        buffer[: len(data)] = data
        self._unpacked_size += len(data)
        limit = max_unpacked(max(self._packed_size, self._counting_reader.size))
        if self._unpacked_size > limit:
            raise gzip.BadGzipFile(f"it unpacks to more than {limit // 2**20} MiB")
        return len(data)


@lru_cache(maxsize=1)
def _buffered_input(stream: BinaryIO) -> io.BufferedReader:
    """Return the same object at every call, so that peeked bytes are not lost."""
    # This buffer is filled before it is peeked at, even if bytes arrive slowly.
    return _unzip(io.BufferedReader(stream, _PIECE_BYTES), 0)  # type: ignore[arg-type]


def _is_pipe(path: str | Path) -> bool:
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


class _Spool:
    """Buffers a pipe so that it can be read again; reads on when more is needed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._source = path.open("rb", buffering=0)
        self._buffer: IO[bytes] = tempfile.SpooledTemporaryFile(_MAX_BYTES_IN_MEMORY)  # noqa: SIM115
        self._spooled_size = 0
        atexit.register(self._buffer.close)
        atexit.register(self._source.close)

    def read(self, start: int, size: int) -> bytes:
        """Return bytes from a position; fewer than `size` only at the end."""
        self._buffer.seek(0, io.SEEK_END)
        while self._spooled_size < start + size and not self._source.closed:
            piece = self._source.read(_PIECE_BYTES)
            if not piece:
                # A later writer of a named pipe would continue the stream.
                self._source.close()
            self._buffer.write(piece)
            self._spooled_size += len(piece)
            if self._spooled_size > MAX_WHOLE_BYTES:
                message = f"the pipe holds more than {MAX_WHOLE_BYTES // 2**20} MiB"
                raise Where(self._path).error(message, "save it as a file and read that")
        self._buffer.seek(start)
        return self._buffer.read(size)


class _SpoolReader(io.RawIOBase):
    """Reads a spool from the start."""

    def __init__(self, spool: _Spool) -> None:
        self._spool, self._position = spool, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._spool.read(self._position, min(len(buffer), _PIECE_BYTES))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)


# Keyed by device and inode, since several paths may lead to the same pipe.
_spool_by_pipe: dict[tuple[int, int], _Spool] = {}


def _from_pipe(path: Path) -> io.BufferedReader:
    """Open a pipe or a device at its start, any number of times."""
    status = path.stat()
    key = status.st_dev, status.st_ino
    if key not in _spool_by_pipe:
        _spool_by_pipe[key] = _Spool(path)
    return io.BufferedReader(_SpoolReader(_spool_by_pipe[key]), _PIECE_BYTES)
