"""Reading and writing files, and the JSON objects in them."""

import errno
import gzip
import json
import os
import secrets
import shutil
import sys
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from json.encoder import encode_basestring
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from pyramidion.errors import FormatError, InputError, NotFoundError, Where

#: A longer line is refused: it is a damaged file or not the format it claims to be.
MAX_LINE_BYTES = 64 * 2**20

#: XML is parsed in memory, so a larger file is refused before it is parsed.
MAX_XML_BYTES = 256 * 2**20

_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file (``-`` is standard input) for reading bytes, unzipped; explain failures."""
    if str(path) == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(path).open("rb") as raw:
            zipped = raw.peek(2)[:2] == b"\x1f\x8b"
            yield cast("BinaryIO", gzip.GzipFile(fileobj=raw)) if zipped else raw
    except FileNotFoundError:
        raise NotFoundError("there is no such file", "check the path", where=Where(path)) from None
    except IsADirectoryError:
        raise Where(path).error(
            "this is a folder, a file is expected", "name a file in it"
        ) from None
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise Where(path).error(
            f"the gzipped data is damaged ({error})", "fetch the file again"
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"cannot be read ({reason})", "check path and permissions", where=Where(path)
        ) from None


def decode(data: bytes, where: Where, *, first_line: int = 1) -> str:
    """Decode UTF-8 strictly, and name the line that is not."""
    if first_line == 1 and data.startswith(_UTF16_MARKS):
        raise where.error("the text is UTF-16, not UTF-8", "save it as UTF-8")
    try:
        return data.decode("utf-8-sig" if first_line == 1 else "utf-8")
    except UnicodeDecodeError as error:
        line = first_line + data.count(b"\n", 0, error.start)
        raise Where(where.path, line=line).error(
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "save the file as UTF-8 (it may be Latin-1 or Windows-1252)",
        ) from None


def read_beginning(path: str | Path, size: int) -> bytes:
    """Read a file's first bytes, unzipped."""
    with _opened(path) as stream:
        return stream.read(size)


def read_bytes(path: str | Path, *, limit: int | None = None) -> bytes:
    """Read a file's bytes, unzipped; refuse one that is larger than `limit`."""
    with _opened(path) as stream:
        data = stream.read() if limit is None else stream.read(limit + 1)
    if limit is not None and len(data) > limit:
        raise Where(path).error(
            f"the file is larger than {limit // 2**20} MiB",
            "split it, or check that it is the right file",
        )
    return data


def read_text(path: str | Path) -> str:
    r"""Read a UTF-8 file whole; line ends become ``\n``."""
    text = decode(read_bytes(path), Where(path))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Stream a UTF-8 file's lines with their numbers, without their line ends."""
    where = Where(path, line=1)
    with _opened(path) as stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                raise _too_long(path, number)
            try:
                text = line.decode("utf-8") if number > 1 else decode(line, where)
            except UnicodeDecodeError:
                text = decode(line, where, first_line=number)
            yield number, text.rstrip("\r\n")


def read_all_lines(path: str | Path) -> list[str]:
    """Read a UTF-8 file's lines at once, as `read_lines` gives them."""
    pieces: list[bytes] = []
    with _opened(path) as stream:
        while piece := stream.read(MAX_LINE_BYTES + 1):
            pieces.append(piece)
            if len(piece) > MAX_LINE_BYTES and b"\n" not in piece:
                raise _too_long(path, 1 + sum(one.count(b"\n") for one in pieces))
    lines = decode(b"".join(pieces), Where(path, line=1)).split("\n")
    if not lines[-1]:
        lines.pop()
    if max(map(len, lines), default=0) > MAX_LINE_BYTES:
        long = (number for number, line in enumerate(lines, 1) if len(line) > MAX_LINE_BYTES)
        raise _too_long(path, next(long))
    if any(b"\r" in piece for piece in pieces):
        lines = [line.rstrip("\r") for line in lines]
    return lines


def _too_long(path: str | Path, number: int) -> FormatError:
    return Where(path, line=number).error(
        f"the line is longer than {MAX_LINE_BYTES // 2**20} MiB",
        "one record belongs on each line; check that this is the right file",
    )


@contextmanager
def writing(path: str | Path) -> Iterator[IO[bytes]]:
    """Write a file whole or not at all: it appears under its name when all is written.

    A file that is there already keeps its permissions; a device or a pipe is written directly.
    """
    with _explained(path):
        target = Path(path).resolve()
        if target.is_dir():
            raise InputError("this is a folder", "name a file to write", where=Where(path))
        if target.exists() and not target.is_file():
            with target.open("wb") as stream:
                yield stream
            return
        if target.exists() and not os.access(target, os.W_OK):
            # Replacing needs no permission on the file itself, but a protected one is to stay.
            raise PermissionError(errno.EACCES, "the file is write-protected")
        partial = _unused_name(target)
        try:
            with partial.open("xb") as stream:
                yield stream
            if target.exists():
                shutil.copymode(target, partial)
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write bytes whole or not at all (see `writing`)."""
    with writing(path) as stream:
        stream.write(data)


def write_text(path: str | Path, text: str) -> None:
    """Write text as UTF-8, whole or not at all (see `writing`)."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        around = text[max(0, error.start - 20) : error.start]
        raise InputError(
            f"half of a surrogate pair after {around!r} cannot be written as UTF-8",
            "take it out",
            where=Where(path),
        ) from None
    write_bytes(path, data)


@contextmanager
def writing_folder(path: str | Path, *, replace: bool = False) -> Iterator[Path]:
    """Fill a folder that appears under its name when it is complete."""
    with _explained(path):
        target = Path(path).resolve()
        if target.exists() and not target.is_dir():
            raise InputError("this is a file", "name a folder to write", where=Where(path))
        if target.exists() and not replace and any(target.iterdir()):
            raise InputError(
                "the folder exists already",
                "choose another name, or replace it with --force",
                where=Where(path),
            )
        partial = _unused_name(target)
        partial.mkdir()
        try:
            yield partial
            _put_in_place(partial, target)
        finally:
            shutil.rmtree(partial, ignore_errors=True)


def _put_in_place(partial: Path, target: Path) -> None:
    """Move a finished folder to its name; an old one is removed only when the new one stands."""
    if not target.exists():
        partial.replace(target)
        return
    shutil.copymode(target, partial)
    old = _unused_name(target)
    target.replace(old)
    try:
        partial.replace(target)
    except BaseException:
        old.replace(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _unused_name(target: Path) -> Path:
    """Name a hidden neighbor, on the same disk, that takes a file's place when it is complete."""
    return target.with_name(f".{target.name[:40]}.{secrets.token_hex(6)}.partial")


@contextmanager
def _explained(path: str | Path) -> Iterator[None]:
    """Turn what can go wrong while writing into one clear line."""
    parent = Path(path).parent
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        if parent.exists():
            raise
        raise NotFoundError(
            f"the folder {parent} does not exist", "create it first", where=Where(path)
        ) from error
    except OSError as error:
        long = error.errno == errno.ENAMETOOLONG
        raise InputError(
            f"cannot write here ({error.strerror})",
            "shorten the name" if long else "write elsewhere",
            where=Where(path),
        ) from error


_NAMES = {str: "text", list: "a list", dict: "an object", bool: "true or false", type(None): "null"}


class Record:
    """A JSON object with the place where it stands.

    Fields are taken out by name and type; `rest` gives those nobody asked for.
    """

    def __init__(self, data: Mapping[str, Any], where: Where) -> None:
        self.data = data
        self.where = where
        self._used: set[str] = set()

    def error(self, what: str, hint: str) -> FormatError:
        """Make the error to raise for this record."""
        return self.where.error(what, hint)

    def take(self, name: str) -> Any:
        """Take a field as it is, `None` if it is absent or null."""
        self._used.add(name)
        return self.data.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        """Take a text; without a default the field must be there and must not be empty."""
        value = self.take(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self._unlike(name, value, "text")
        if default is None and not value:
            raise self.error(f"`{name}` is empty", f"give `{name}` a value")
        return value

    def identifier(self, name: str, default: str | None = None) -> str:
        """Take an id: text, or a whole number that is read as text."""
        value = self.take(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(name, default)

    def choice(self, name: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """Take one of a few words."""
        value = self.text(name, default)
        if value not in allowed and value != default:
            raise self.error(f"`{name}` is {value!r}", f"write one of: {', '.join(allowed)}")
        return value

    def number(self, name: str) -> float:
        """Take a finite number."""
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._unlike(name, value, "a number")
        if not abs(value) <= sys.float_info.max:
            size = value if isinstance(value, float) else "too large"
            raise self.error(f"`{name}` is {size}", "leave the record out where nothing is known")
        return float(value)

    def whole_number(self, name: str) -> int:
        """Take a whole number of at least 0."""
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._unlike(name, value, "a whole number")
        return value

    def flag(self, name: str) -> bool:
        """Take true or false; an absent field is false."""
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            raise self._unlike(name, value, "true or false")
        return bool(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """Take a list of texts; an absent one is empty."""
        value = self.take(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._unlike(name, value, "a list of texts")
        return tuple(value)

    def records(self, name: str) -> Iterator["Record"]:
        """Take a list of objects; an absent one is empty."""
        value = self.take(name)
        if value is None:
            return
        if not isinstance(value, list):
            raise self._unlike(name, value, "a list of objects")
        for number, item in enumerate(value, start=1):
            if not isinstance(item, dict):
                raise self.error(f"`{name}` no. {number} is not an object", "write {...}")
            yield Record(item, Where(self.where.path, self.where.line, f"{name} no. {number}"))

    def named_records(self, name: str) -> Iterator[tuple[str, "Record"]]:
        """Take an object of objects; an absent one is empty."""
        value = self.take(name)
        if value is None:
            return
        if not isinstance(value, dict) or not all(isinstance(v, dict) for v in value.values()):
            raise self._unlike(name, value, "an object of objects")
        for key, item in value.items():
            yield key, Record(item, Where(self.where.path, self.where.line, f"{name}.{key}"))

    def rest(self) -> dict[str, Any]:
        """Give the fields that were not taken, so that they can be kept."""
        return {name: value for name, value in self.data.items() if name not in self._used}

    def _unlike(self, name: str, value: object, expected: str) -> FormatError:
        if name not in self.data:
            return self.error(f"`{name}` is missing", f"add it as {expected}")
        seen = _NAMES.get(type(value), str(value))
        return self.error(f"`{name}` is {seen}, not {expected}", f"write it as {expected}")


def read_records(path: str | Path) -> Iterator[Record]:
    """Stream the objects of a JSONL file; blank lines are passed over, an empty file is refused."""
    seen = False
    for number, line in read_lines(path):
        if line.strip():
            seen = True
            where = Where(path, line=number)
            yield Record(_parsed(line, where), where)
    if not seen:
        raise Where(path).error("the file is empty", "one JSON object a line")


def read_list(path: str | Path) -> Iterator[Record]:
    """Give the objects of a file that is one list in JSON; their numbers are those of lines."""
    found = _parsed(f'{{"records": {read_text(path)}}}', Where(path))
    for number, record in enumerate(Record(found, Where(path)).records("records"), start=1):
        yield Record(record.data, Where(path, line=number))


def _parsed(line: str, where: Where) -> dict[str, Any]:
    try:
        data = _DECODER.decode(line)
        if "\\ud" in line or "\\uD" in line:
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise where.error(
            f"this is not JSON ({error.msg} at column {error.colno})",
            "one JSON object a line; the file may be cut off",
        ) from None
    except _RepeatedName as error:
        raise where.error(f"`{error}` occurs twice", "keep one") from None
    except UnicodeEncodeError:
        raise where.error(
            "half of a surrogate pair is not valid text", "take the \\u... out"
        ) from None
    except (RecursionError, ValueError):
        raise where.error(
            "the JSON is nested too deeply or has too long a number", "fix it"
        ) from None
    if not isinstance(data, dict):
        raise where.error("this is not a JSON object", "write {...}")
    return data


class _RepeatedName(Exception):  # noqa: N818
    """An object names a field twice; JSON itself would drop the first."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _RepeatedName(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return data


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def json_line(fields: Iterable[tuple[str, Any]], extra: Mapping[str, Any]) -> str:
    """Write one record as a line; empty fields are left out, kept ones come last."""
    kept = {name: value for name, value in fields if value not in ("", None, (), [])}
    # Most values are texts, for which an encoder of everything takes its time.
    quoted, encoded = encode_basestring, _ENCODER.encode
    written = [
        f"{quoted(name)}: {quoted(value) if type(value) is str else encoded(value)}"
        for name, value in {**kept, **extra}.items()
    ]
    return f"{{{', '.join(written)}}}\n"
