"""Read files up to a limit: bytes, texts, lines, and the JSON objects in them."""

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from pyramidion.errors import FormatError, InputError, Where
from pyramidion.files.inputs import MAX_WHOLE_BYTES, Opener, open_input

#: A longer line is refused: it is a damaged file or not the format it claims to be.
MAX_LINE_BYTES = 64 * 2**20

#: XML is parsed in memory, so a larger file is refused before it is parsed.
MAX_XML_BYTES = 256 * 2**20

#: The limits of models and settings, which are small, and of rubrics, which are a page of text.
MAX_MODEL_BYTES, MAX_RUBRIC_BYTES = 64 * 2**20, 2**20

_PIECE_BYTES = MAX_LINE_BYTES + 1

T = TypeVar("T")

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decode(data: bytes, where: Where, *, first_line: int = 1) -> str:
    """Decode UTF-8 strictly; an error names the line that is not UTF-8."""
    if first_line == 1 and data.startswith(UTF16_MARKS):
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
    """Read a file's first bytes, decompressed; those of standard input can be read again."""
    with open_input(path) as stream:
        return stream.peek(size)[:size] if str(path) == "-" else stream.read(size)


def read_bytes(path: str | Path, *, limit: int = MAX_WHOLE_BYTES) -> bytes:
    """Read a file's bytes, decompressed; refuse a file larger than `limit`."""
    with open_input(path) as stream:
        return b"".join(_read_pieces(stream, path, limit))


def _read_pieces(stream: BinaryIO, path: str | Path, limit: int) -> Iterator[bytes]:
    size = 0
    # At most one byte beyond the limit is read, since the stream may never end.
    while piece := stream.read(min(_PIECE_BYTES, limit - size + 1)):
        size += len(piece)
        if size > limit:
            del piece  # the error, which may be stored, would refer to it
            hint = "split it, or check that it is the right file"
            raise Where(path).error(f"the file is larger than {limit // 2**20} MiB", hint)
        yield piece


def read_text(path: str | Path, *, limit: int = MAX_WHOLE_BYTES) -> str:
    r"""Read a UTF-8 file up to a limit in bytes; line ends become ``\n``."""
    text = decode(read_bytes(path, limit=limit), Where(path))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Stream a UTF-8 file's lines with their numbers, without their line ends."""
    for number, line in raw_lines(path):
        yield number, decode_line(line, path, number)


def raw_lines(path: str | Path, opener: Opener | None = None) -> Iterator[tuple[int, bytes]]:
    """Stream a file's raw lines with their numbers; a line that is too long is cut."""
    with open_input(path, opener) as stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            yield number, line
            while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES + 1)


def line_blocks(path: str | Path, size: int, opener: Opener | None = None) -> Iterator[bytes]:
    """Stream a file's decompressed bytes in blocks of about `size` bytes that end with a line."""
    with open_input(path, opener) as stream:
        while block := stream.read(size):
            line = stream.readline(MAX_LINE_BYTES + 1) if block[-1:] != b"\n" else b""
            yield block + line
            while len(line) > MAX_LINE_BYTES and not line.endswith(b"\n"):
                line = stream.readline(MAX_LINE_BYTES + 1)


def decode_line(line: bytes, path: str | Path, number: int) -> str:
    """Decode a line; refuse one that is too long or not UTF-8."""
    if len(line) > MAX_LINE_BYTES:
        raise _line_too_long(path, number)
    try:
        text = line.decode("utf-8") if number > 1 else decode(line, Where(path, line=1))
    except UnicodeDecodeError:
        text = decode(line, Where(path, line=1), first_line=number)
    return text.rstrip("\r\n")


def read_all_lines(path: str | Path) -> list[str]:
    """Read a UTF-8 file's lines at once, as `read_lines` yields them."""
    pieces: list[bytes] = []
    with open_input(path) as stream:
        for piece in _read_pieces(stream, path, MAX_WHOLE_BYTES):
            pieces.append(piece)
            if len(piece) == _PIECE_BYTES and b"\n" not in piece:
                raise _line_too_long(path, 1 + sum(chunk.count(b"\n") for chunk in pieces))
    lines = decode(b"".join(pieces), Where(path, line=1)).split("\n")
    if not lines[-1]:
        lines.pop()
    if max(map(len, lines), default=0) > MAX_LINE_BYTES:
        long_line_numbers = (
            number for number, line in enumerate(lines, 1) if len(line) > MAX_LINE_BYTES
        )
        raise _line_too_long(path, next(long_line_numbers))
    if any(b"\r" in piece for piece in pieces):
        lines = [line.rstrip("\r") for line in lines]
    return lines


def _line_too_long(path: str | Path, number: int) -> FormatError:
    return Where(path, line=number).error(
        f"the line is longer than {MAX_LINE_BYTES // 2**20} MiB",
        "one record belongs on each line; check that this is the right file",
    )


_TYPE_NAMES = {
    str: "text",
    list: "a list",
    dict: "an object",
    bool: "true or false",
    type(None): "null",
}


class Record:
    """A JSON object and its location; fields are taken by name and type, `rest` has the others."""

    def __init__(self, data: Mapping[str, Any], where: Where) -> None:
        self.data = data
        self.where = where
        self._used: set[str] = set()

    def error(self, problem: str, hint: str) -> FormatError:
        """Return an error about this record."""
        return self.where.error(problem, hint)

    def convert(self, function: Callable[["Record"], T]) -> T:
        """Convert the record; errors about its values name its location."""
        try:
            return function(self)
        except FormatError:
            raise
        except InputError as error:
            raise self.error(error.what, error.hint or "fix it") from None

    def take(self, name: str) -> Any:
        """Take a field unchecked; None if it is absent or null."""
        self._used.add(name)
        return self.data.get(name)

    def text(self, name: str, default: str | None = None) -> str:
        """Take a text; without a default, the field must not be absent or empty."""
        value = self.take(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise self._type_error(name, value, "text")
        if default is None and not value:
            raise self.error(f"`{name}` is empty", f"give `{name}` a value")
        return value

    def identifier(self, name: str, default: str | None = None) -> str:
        """Take an id: a text, or a whole number, which becomes a text."""
        value = self.take(name)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        return self.text(name, default)

    def choice(self, name: str, choices: tuple[str, ...], default: str | None = None) -> str:
        """Take one of a few allowed texts."""
        value = self.text(name, default)
        if value not in choices and value != default:
            raise self.error(f"`{name}` is {value!r}", f"write one of: {', '.join(choices)}")
        return value

    def number(self, name: str) -> float:
        """Take a finite number."""
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self._type_error(name, value, "a number")
        if not abs(value) <= sys.float_info.max:
            description = value if isinstance(value, float) else "too large"
            raise self.error(f"`{name}` is {description}", "leave out records without a value")
        return float(value)

    def whole_number(self, name: str) -> int:
        """Take a whole number of at least 0."""
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._type_error(name, value, "a whole number")
        return value

    def flag(self, name: str) -> bool:
        """Take true or false; an absent field is false."""
        value = self.take(name)
        if value is not None and not isinstance(value, bool):
            raise self._type_error(name, value, "true or false")
        return bool(value)

    def texts(self, name: str) -> tuple[str, ...]:
        """Take a list of texts; an absent one is empty."""
        value = self.take(name)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self._type_error(name, value, "a list of texts")
        return tuple(value)

    def passages(self, name: str) -> tuple[str, ...]:
        """Take a list of texts; a list of sentences becomes a text with one sentence per line."""
        value = self.take(name)
        if not isinstance(value, list) or all(isinstance(item, str) for item in value):
            return self.texts(name)
        parts = [[item] if isinstance(item, str) else item for item in value]
        if not all(isinstance(part, list) for part in parts) or not all(
            isinstance(sentence, str) for part in parts for sentence in part
        ):
            raise self._type_error(name, value, "a list of texts")
        return tuple(map("\n".join, parts))

    def records(self, name: str) -> Iterator["Record"]:
        """Take a list of objects; an absent one is empty."""
        value = self.take(name)
        if value is None:
            return
        if not isinstance(value, list):
            raise self._type_error(name, value, "a list of objects")
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
            raise self._type_error(name, value, "an object of objects")
        for key, item in value.items():
            yield key, Record(item, Where(self.where.path, self.where.line, f"{name}.{key}"))

    def inner(self, name: str, hint: str, *, optional: bool = False) -> "Record":
        """Take an object as a record; if it is `optional`, an absent one is empty."""
        value = self.take(name)
        if value is None and optional:
            value = {}
        if not isinstance(value, dict):
            raise self.error(f"`{name}` is not an object", hint)
        return Record(value, Where(self.where.path, self.where.line, name))

    def rest(self) -> dict[str, Any]:
        """Return the fields that were not taken."""
        return {name: value for name, value in self.data.items() if name not in self._used}

    def _type_error(self, name: str, value: object, expected_type: str) -> FormatError:
        if name not in self.data:
            return self.error(f"`{name}` is missing", f"add it as {expected_type}")
        type_name = _TYPE_NAMES.get(type(value), str(value))
        return self.error(
            f"`{name}` is {type_name}, not {expected_type}", f"write it as {expected_type}"
        )


def read_records(path: str | Path) -> Iterator[Record]:
    """Stream the objects of a JSONL file; blank lines are skipped, an empty file is refused."""
    return convert_records(path, lambda record: record)


def convert_records(
    path: str | Path,
    convert: Callable[[Record], T],
    convert_raw: Callable[[bytes, Where], T | None] | None = None,
    lines: Iterable[tuple[int, bytes]] | None = None,
    *,
    allow_empty: bool = False,
) -> Iterator[T]:
    """Convert each object of a JSONL file; `convert_raw` may do so from the raw line.

    Lines that were already read are passed as `lines`; they may be only a part of the file.
    """
    has_line_numbers = lines is not None
    for number, raw_line in raw_lines(path) if lines is None else lines:
        where = Where(path, line=number)
        value = (
            None
            if convert_raw is None or len(raw_line) > MAX_LINE_BYTES
            else convert_raw(raw_line, where)
        )
        if value is None and (line := decode_line(raw_line, path, number)).strip():
            value = convert(Record(parse_record(line, where), where))
        if value is not None:
            has_line_numbers = True
            yield value
    if not (has_line_numbers or allow_empty):
        raise Where(path).error("the file is empty", "one JSON object per line")


def read_list(path: str | Path) -> Iterator[Record]:
    """Read the objects of a file that is a JSON list; they are numbered like lines."""
    data = parse_record(f'{{"records": {read_text(path)}}}', Where(path))
    for number, record in enumerate(Record(data, Where(path)).records("records"), start=1):
        yield Record(record.data, Where(path, line=number))


def read_object(path: str | Path, *, limit: int) -> dict[str, Any]:
    """Read a file that is one JSON object, such as a model, up to a limit in bytes."""
    return parse_record(read_text(path, limit=limit), Where(path))


def parse_record(line: str, where: Where) -> dict[str, Any]:
    """Parse a JSON object."""
    try:
        data = _DECODER.decode(line)
        if "\\ud" in line or "\\uD" in line:
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        hint = "one JSON object per line; the file may be cut off"
        raise where.error(f"this is not JSON ({error.msg} at column {error.colno})", hint) from None
    except _RepeatedName as error:
        raise where.error(f"`{error}` occurs twice", "keep one") from None
    except UnicodeEncodeError:
        message = "half of a surrogate pair is not valid text"
        raise where.error(message, "remove the \\u...") from None
    except (RecursionError, ValueError):
        message = "the JSON is nested too deeply or has too long a number"
        raise where.error(message, "fix it") from None
    if not isinstance(data, dict):
        raise where.error("this is not a JSON object", "write {...}")
    return data


class _RepeatedName(Exception):  # noqa: N818
    """An object names a field twice; the JSON module would drop the first one."""


def _unique_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _RepeatedName(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return data


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_fields)
_ENCODER = json.JSONEncoder(ensure_ascii=False)


def json_line(fields: Iterable[tuple[str, Any]], extra: Mapping[str, Any]) -> str:
    """Write a record as a line: fields that are not empty, then extra ones."""
    filled_fields = {name: value for name, value in fields if value not in ("", None, (), [])}
    # Most values are texts, for which the general encoder is slow.
    quote_text, encode_value = encode_basestring, _ENCODER.encode
    all_fields = {**filled_fields, **extra}.items()
    texts = (
        f"{quote_text(name)}: {quote_text(value) if type(value) is str else encode_value(value)}"
        for name, value in all_fields
    )
    return f"{{{', '.join(texts)}}}\n"
