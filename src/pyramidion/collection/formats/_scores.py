"""The long table of scores as CSV, TSV, JSONL and Parquet."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import IO, Any, Literal

from pyramidion.collection._collection import Collection
from pyramidion.collection._files import (
    MAX_LINE_BYTES,
    most_unpacked,
    read_all_lines,
    read_bytes,
    read_records,
    write_text,
    writing,
)
from pyramidion.collection._scores import (
    REQUIRED_COLUMNS,
    TEXT_COLUMNS,
    Scores,
    scores_from_columns,
    scores_from_frame,
    scores_to_frame,
)
from pyramidion.collection.formats._base import (
    Format,
    counted,
    first_bytes,
    first_record,
    part_sizes,
    require_part,
)
from pyramidion.errors import InputError, MissingExtraError, Where

# Bytes that a cell of a table takes at least.
_CELL = 8

# The header, a list for each column, and the line each row begins in.
_Split = tuple[list[str], list[list[str]], list[int]]


def read_columns(path: Path) -> tuple[dict[str, list[Any]], list[int]]:
    """Read the columns by name, and the line each row begins in; the header tells the delimiter."""
    lines = read_all_lines(path)
    if len(lines) == 1:
        lines = lines[0].split("\r")  # as old spreadsheets end lines
    top = _place_of_header(path, lines)
    delimiter = max("\t,;", key=lambda mark: (lines[top].count(mark), mark == ","))
    if said := re.fullmatch("sep=([\t,;])", lines[top]):
        delimiter, top = said[1], top + 1 + _place_of_header(path, lines[top + 1 :])
    split = _split_plain if _is_plain(lines) else _split_quoted
    header, columns, numbers = split(path, lines[top:], top + 1, delimiter)
    named: dict[str, list[Any]] = dict(zip(header, columns, strict=True))
    for name in [name for name, cells in named.items() if _UNNAMED in name and not any(cells)]:
        del named[name]
    # Where a comma is the decimal mark, spreadsheets write semicolons between columns.
    return (named if delimiter == "," else {n: _with_points(c) for n, c in named.items()}), numbers


_UNNAMED = "Unnamed: "
_COMMA_NUMBER = re.compile(r"\s*(?:[+-]?\d*,?\d+(?:e[+-]?\d+)?|n/?a|nan)?\s*", re.IGNORECASE)


def _with_points(cells: list[str]) -> list[str]:
    """Write the decimal commas of a column of numbers as points."""
    if any("," in cell for cell in cells) and all(map(_COMMA_NUMBER.fullmatch, cells)):
        return [cell.replace(",", ".") for cell in cells]
    return cells


def _place_of_header(path: Path, lines: list[str]) -> int:
    for place, line in enumerate(lines):
        if line.strip():
            return place
    raise Where(path).error("the file is empty", f"the header has {', '.join(REQUIRED_COLUMNS)}")


def _is_plain(lines: list[str]) -> bool:
    """Return whether delimiters are all that the csv module would look for."""
    text = "".join(lines)
    return '"' not in text and "\r" not in text


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
    # Documents may be longer than the csv module expects.
    csv.field_size_limit(MAX_LINE_BYTES)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    ends = [0]
    rows: list[list[str]] = []
    try:
        for row in reader:
            rows.append(row)
            ends.append(reader.line_num)
    except csv.Error as error:
        raise Where(path, line=top + ends[-1]).error(
            f"this is not CSV ({str(error).split(' - ')[0]})",
            "a quotation mark may be open, or the file is cut off",
        ) from None
    numbers = [top + end for row, end in zip(rows, ends, strict=False) if row]
    header, *rows = filter(None, rows)
    names = _header(path, header)
    _require_rectangle(path, names, list(map(len, rows)), numbers[1:])
    columns = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in names]
    return names, columns, numbers[1:]


def _header(path: Path, names: list[str]) -> list[str]:
    # As pandas calls a column without a name.
    header = [name.strip() or f"{_UNNAMED}{place}" for place, name in enumerate(names)]
    for name in header:
        if header.count(name) > 1:
            raise Where(path).error(f"column `{name}` occurs twice", "rename one")
    return header


def _require_rectangle(
    path: Path, header: list[str], widths: list[int], numbers: list[int]
) -> None:
    hint = "the file may be cut off, or a field with a comma lacks quotation marks"
    for width, number in zip(widths, numbers, strict=True):
        if width != len(header):
            what = f"{width} fields, the header has {len(header)}"
            raise Where(path, line=number).error(what, hint)


_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_KNOWN_COLUMNS = (*TEXT_COLUMNS, "value")

_Table = tuple[Scores, Sequence[int], tuple[str, ...]]


def read_scores(path: str | Path) -> Scores:
    """Read a table of scores and refuse a repeated key.

    Parameters
    ----------
    path
        A CSV, TSV, JSONL (all may be gzipped) or Parquet file.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "scores.csv"
    ...     write_scores(Scores({"topic": ["T1"], "system": ["7"], "kind": ["machine"],
    ...                          "measure": ["readability"]}, [4]), file)
    ...     read_scores(file)
    <Scores: 1 rows, measures readability>
    """
    scores, lines, _ = read_table(Path(path))
    for earlier, row in scores.repeated_keys():
        raise Where(path, line=lines[row]).error(
            f"the same key stands in line {lines[earlier]}",
            "keep one, or distinguish them by assessor, run or occasion",
        )
    return scores


def require_scores_file(path: str | Path | None) -> None:
    """Refuse, before any work, a file that no table of scores can be written to."""
    if path is not None and Path(path).suffix not in _SUFFIXES:
        hint = f"use {', '.join(_SUFFIXES)}"
        raise InputError("scores cannot be written in this format", hint, where=Where(path))


def write_scores(scores: Scores, path: str | Path) -> None:
    """Write a table of scores in the form its file name asks for, whole or not at all.

    Examples
    --------
    >>> write_scores(Scores({}, []), "scores.xls")
    Traceback (most recent call last):
    pyramidion.errors.InputError: scores.xls: scores cannot be written in this format; use .csv, ...
    """
    path = Path(path)
    require_scores_file(path)
    _require_readable(scores)
    if path.suffix == ".parquet":
        frame = scores_to_frame(scores, backend="polars")
        with writing(path) as stream:
            frame.write_parquet(stream)
    else:
        write_text(path, scores_text(scores, path.suffix))


def scores_text(scores: Scores, suffix: str = ".csv") -> str:
    """Write a table of scores as CSV, TSV or JSONL, whichever an ending means."""
    values: list[Any] = scores.value.tolist()
    if suffix != ".jsonl":
        # The fewest digits that read back the same.
        values = [repr(value).removesuffix(".0") for value in values]
    names = scores.used_columns
    return as_text({n: values if n == "value" else scores.columns[n] for n in names}, suffix)


def as_text(columns: Mapping[str, Iterable[Any]], suffix: str) -> str:
    """Write columns as CSV, TSV or JSONL, whichever an ending means."""
    rows = zip(*columns.values(), strict=True)
    if suffix == ".jsonl":
        records = (dict(zip(columns, row, strict=True)) for row in rows)
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=_DELIMITERS.get(suffix, ","), lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def _require_readable(scores: Scores) -> None:
    """Refuse to write what could not be read again."""
    if not len(scores):
        raise InputError("there are no scores to write", "a table has at least one row")
    for row, name in scores.incomplete_rows():
        raise InputError(f"row {row + 1} of the scores has no {name}", "fill it in")
    for name, column in scores.columns.items():
        for value in set(column):
            if "\n" in value or "\r" in value:
                raise InputError(f"a {name} has a line break: {value!r}", "rename it")


def read_table(path: Path) -> _Table:
    """Read a table: the scores, the line of each row, and what was left out."""
    form = table_form(path)
    if form == "parquet":
        return _read_parquet(path)
    return _read_jsonl(path) if form == "lines" else _read_csv(path)


def table_form(path: Path) -> Literal["parquet", "lines", "list", "csv"]:
    """Return how a table is written, by its beginning: JSON has a record a line, or one list."""
    head = table_beginning(path)
    if head.startswith(b"PAR1") or path.suffix == ".parquet":
        return "parquet"
    return "lines" if head.startswith(b"{") else "list" if head.startswith(b"[") else "csv"


def table_beginning(path: Path) -> bytes:
    """Read the beginning of a table, without a byte-order mark."""
    return first_bytes(path, 2**16).removeprefix(b"\xef\xbb\xbf").lstrip()


def pivoted(
    rows: Sequence[Mapping[str, Any]], missing: Any = None, first: Iterable[str] = ()
) -> dict[str, list[Any]]:
    """Turn records into columns, in the order in which their names come."""
    names = dict.fromkeys((*first, *(name for row in rows for name in row)))
    return {name: [row.get(name, missing) for row in rows] for name in names}


def read_parquet(path: Path) -> Any:
    """Read a Parquet file as a data frame."""
    return parquet_frame(io.BytesIO(read_bytes(path)), Where(path))


def parquet_frame(data: IO[bytes], where: Where) -> Any:
    """Read Parquet as a data frame; refuse what unpacks to far more than a table of its size."""
    try:
        import polars
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", extra="frames") from None
    most = most_unpacked(data.seek(0, io.SEEK_END))
    try:
        data.seek(0)
        rows = polars.scan_parquet(data).select(polars.len()).collect().item()
        data.seek(0)
        columns = len(polars.read_parquet_schema(data))
        data.seek(0)
        if rows * columns * _CELL <= most:
            frame = polars.read_parquet(data)
            if _characters(frame) <= most:
                return frame
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        reason = str(error).split("\n", 1)[0]
        what = f"this is not a readable Parquet file ({reason})"
        raise where.error(what, "write it again") from None
    raise where.error(f"the table unpacks to more than {most // 2**20} MiB", "split it")


def _characters(frame: Any) -> int:
    """Count the bytes of all texts, which a file may hold once and refer to often."""
    import polars

    texts = frame.select(polars.col(polars.String, polars.List(polars.String)))
    every = (one.explode() if one.dtype == polars.List else one for one in texts)
    return sum(one.str.len_bytes().sum() or 0 for one in every)


def _read_parquet(path: Path) -> _Table:
    frame = read_parquet(path)
    require_rows(path, frame.height)
    scores = scores_from_frame(frame, where=Where(path))
    return scores, range(1, len(scores) + 1), _unknown(frame.columns)


def _read_jsonl(path: Path) -> _Table:
    records = list(read_records(path))
    lines = [record.where.line or 0 for record in records]
    for record in records:
        for name in REQUIRED_COLUMNS:
            if name not in record.data:
                raise record.error(f"`{name}` is missing", "add it")
    columns = pivoted([record.data for record in records], "", first=_KNOWN_COLUMNS)
    scores = scores_from_columns(columns, where=Where(path), lines=lines)
    return scores, lines, _unknown(columns)


def _read_csv(path: Path) -> _Table:
    columns, lines = read_columns(path)
    require_rows(path, len(lines))
    scores = scores_from_columns(columns, where=Where(path), lines=lines)
    return scores, lines, _unknown(columns)


def require_rows(path: Path, number: int) -> None:
    """Refuse a table that ends with its header."""
    if not number:
        raise Where(path).error("there are no rows under the header", "add some")


def _unknown(columns: Iterable[str]) -> tuple[str, ...]:
    names = [name for name in dict.fromkeys(columns) if name not in _KNOWN_COLUMNS]
    if not names:
        return ()
    return (f"{len(names)} unknown column{'s' * (len(names) > 1)}: {', '.join(names)}",)


def _matches(path: Path) -> bool:
    """Recognize a table by its columns, and one in UTF-16, to say what is wrong."""
    head = table_beginning(path)
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return path.suffix in _SUFFIXES
    return {*REQUIRED_COLUMNS} <= column_names(path, head)


def column_names(path: Path, head: bytes) -> set[str]:
    """Tell the columns of a table by its beginning."""
    if head.startswith(b"PAR1"):
        try:
            import polars

            return set(polars.read_parquet_schema(path))
        except Exception:  # damaged, or polars is missing: reading it says so
            return {*REQUIRED_COLUMNS}
    if head.startswith(b"{"):
        return set(first_record(path))
    line = head.decode("utf-8", "replace").split("\n", 1)[0]
    return {name.strip() for name in re.split("[\t,;]", line.replace('"', ""))}


def _read(path: Path) -> Collection:
    scores, _, left_out = read_table(path)
    return Collection(path.name.split(".")[0], scores=scores, left_out=left_out)


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    require_part(collection, "scores")
    write_scores(collection.scores, path)
    return counted(part_sizes(collection, "topics", "summaries", "pyramids", "annotated peers"))


@contextmanager
def writing_scores(path: str | Path) -> Iterator[Callable[[Scores], None]]:
    """Write a table that is handed over in pieces, whole or not at all.

    CSV and TSV are written as the pieces come; other forms are held until the end. All pieces
    must use the same columns.
    """
    path = Path(path)
    if path.suffix not in _DELIMITERS:
        pieces: list[Scores] = []
        yield pieces.append
        write_scores(Scores.concatenate(pieces), path)
        return
    with writing(path) as stream:
        started = False

        def write(scores: Scores) -> None:
            nonlocal started
            header, rows = scores_text(scores, path.suffix).split("\n", 1)
            stream.write((rows if started else f"{header}\n{rows}").encode())
            started = True

        yield write


FORMAT = Format(
    name="scores",
    title="the long table of scores: CSV, TSV, JSONL or Parquet",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=_SUFFIXES,
)
