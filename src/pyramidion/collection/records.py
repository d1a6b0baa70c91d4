"""One JSON object a line, each field checked, nothing dropped."""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pyramidion.collection.files import read_lines
from pyramidion.errors import FormatError, Where

__all__ = ["Record", "json_line", "read_records"]

_NAMES = {str: "text", list: "a list", dict: "an object", bool: "true or false", type(None): "null"}


class Record:
    """A JSON object with the place where it stands.

    Fields are taken out by name and type; `rest` gives those nobody asked for.

    Parameters
    ----------
    data
        The object.
    where
        Its file and line, for messages.

    Examples
    --------
    >>> record = Record({"topic": "T1", "text": "Rain fell.", "note": 1}, Where("a.jsonl", line=2))
    >>> record.text("topic"), record.text("task", "")
    ('T1', '')
    >>> record.rest()
    {'text': 'Rain fell.', 'note': 1}
    """

    def __init__(self, data: Mapping[str, Any], where: Where) -> None:
        self.data = data
        self.where = where
        self._used: set[str] = set()

    def error(self, what: str, hint: str) -> FormatError:
        """Make the error to raise for this record."""
        return FormatError(what, where=self.where, hint=hint)

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
    """Stream the objects of a JSONL file; blank lines are passed over, an empty file is refused.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "a.jsonl"
    ...     _ = file.write_text('{"topic": "T1"}')
    ...     [record.text("topic") for record in read_records(file)]
    ['T1']
    """
    seen = False
    for number, line in read_lines(path):
        if line.strip():
            seen = True
            yield Record(_parsed(line, Where(path, line=number)), Where(path, line=number))
    if not seen:
        raise FormatError("the file is empty", where=Where(path), hint="one JSON object a line")


def _parsed(line: str, where: Where) -> dict[str, Any]:
    try:
        data = _DECODER.decode(line)
        if "\\ud" in line or "\\uD" in line:
            json.dumps(data, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise FormatError(
            f"this is not JSON ({error.msg} at column {error.colno})",
            where=where,
            hint="one JSON object a line; the file may be cut off",
        ) from None
    except _RepeatedName as error:
        raise FormatError(f"`{error}` stands there twice", where=where, hint="keep one") from None
    except UnicodeEncodeError:
        raise FormatError(
            "half of a surrogate pair is no text", where=where, hint="take the \\u... out"
        ) from None
    except (RecursionError, ValueError):
        raise FormatError(
            "the JSON is nested too deeply or has too long a number", where=where, hint="mend it"
        ) from None
    if not isinstance(data, dict):
        raise FormatError("this is not a JSON object", where=where, hint="write {...}")
    return data


class _RepeatedName(Exception):  # noqa: N818
    """An object names a field twice; JSON itself would drop the first."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _RepeatedName(Counter(name for name, _ in pairs).most_common(1)[0][0])
    return data


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def json_line(fields: Iterable[tuple[str, Any]], extra: Mapping[str, Any]) -> str:
    r"""Write one record as a line; empty fields are left out, kept ones come last.

    Examples
    --------
    >>> json_line([("topic", "T1"), ("task", "")], {"note": 1})
    '{"topic": "T1", "note": 1}\n'
    """
    kept = {name: value for name, value in fields if value not in ("", None, (), [])}
    return json.dumps({**kept, **extra}, ensure_ascii=False) + "\n"
