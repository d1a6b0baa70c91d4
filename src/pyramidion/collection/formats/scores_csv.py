"""The columns of a CSV or TSV file, quickly where nothing in it is quoted."""

import csv
from itertools import repeat
from pathlib import Path
from typing import Any

from pyramidion.collection.files import read_lines
from pyramidion.collection.raw_scores import REQUIRED_COLUMNS
from pyramidion.errors import FormatError, Where

__all__ = ["read_columns"]

# The header, a list for each column, and the line each row begins in.
_Split = tuple[list[str], list[list[str]], list[int]]


def read_columns(path: Path) -> tuple[dict[str, list[Any]], list[int]]:
    r"""Read the columns by name, and the line each row begins in.

    The delimiter is the one that the header uses.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     _ = file.write_text("topic,value\nT1,4\n\nT2,5\n")
    ...     read_columns(file)
    ({'topic': ['T1', 'T2'], 'value': ['4', '5']}, [2, 4])
    """
    lines = [line for _, line in read_lines(path)]
    top = _place_of_header(path, lines)
    delimiter = "\t" if "\t" in lines[top] else ","
    split = _split_plain if _is_plain(lines) else _split_quoted
    header, columns, numbers = split(path, lines[top:], top + 1, delimiter)
    named: dict[str, list[Any]] = dict(zip(header, columns, strict=True))
    return named, numbers


def _place_of_header(path: Path, lines: list[str]) -> int:
    for place, line in enumerate(lines):
        if line.strip():
            return place
    raise FormatError(
        "the file is empty",
        where=Where(path),
        hint=f"the header has {', '.join(REQUIRED_COLUMNS)}",
    )


def _is_plain(lines: list[str]) -> bool:
    """Tell whether delimiters are all that the csv module would look for."""
    text = "\n".join(lines)
    short = max(map(len, lines)) <= csv.field_size_limit()
    return short and '"' not in text and "\r" not in text


def _split_plain(path: Path, lines: list[str], top: int, delimiter: str) -> _Split:
    header = _header(path, lines[0].split(delimiter))
    numbers = [top + place for place, line in enumerate(lines) if place and line]
    rows = list(filter(None, lines[1:]))
    delimiters = map(str.count, rows, repeat(delimiter))
    _require_rectangle(path, header, [count + 1 for count in delimiters], numbers)
    # Splitting all at once spares a list for each row.
    fields = delimiter.join(rows).split(delimiter) if rows else []
    return header, [fields[place :: len(header)] for place in range(len(header))], numbers


def _split_quoted(path: Path, lines: list[str], top: int, delimiter: str) -> _Split:
    number = top
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    found: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if row:
                found.append((number, row))
            number = top + reader.line_num
    except csv.Error as error:
        raise FormatError(
            f"this is not CSV ({str(error).split(' - ')[0]})",
            where=Where(path, line=number),
            hint="a quotation mark may be open, or the file is cut off",
        ) from None
    header = _header(path, found[0][1])
    numbers = [number for number, _ in found[1:]]
    rows = [row for _, row in found[1:]]
    _require_rectangle(path, header, list(map(len, rows)), numbers)
    columns = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in header]
    return header, columns, numbers


def _header(path: Path, names: list[str]) -> list[str]:
    header = [name.strip() for name in names]
    for name in header:
        if header.count(name) > 1:
            raise FormatError(
                f"column `{name}` stands there twice", where=Where(path), hint="rename one"
            )
    return header


def _require_rectangle(
    path: Path, header: list[str], widths: list[int], numbers: list[int]
) -> None:
    if widths.count(len(header)) == len(widths):
        return
    width, number = next(
        found for found in zip(widths, numbers, strict=True) if found[0] != len(header)
    )
    raise FormatError(
        f"{width} fields, the header has {len(header)}",
        where=Where(path, line=number),
        hint="the file may be cut off, or a field with a comma lacks quotation marks",
    )
