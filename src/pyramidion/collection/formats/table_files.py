"""Read and write tables: CSV, TSV, JSONL, a JSON list, Parquet, and folders of parts."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, repeat
from pathlib import Path
from typing import IO, Any, Literal

from pyramidion.collection._raw import RawTable, table_from_frame
from pyramidion.collection._scores import REQUIRED_COLUMNS
from pyramidion.collection.formats.base import first_bytes, first_record
from pyramidion.errors import InputError, MissingExtraError, Where
from pyramidion.files.inputs import max_unpacked
from pyramidion.files.reading import (
    MAX_LINE_BYTES,
    Record,
    read_all_lines,
    read_bytes,
    read_list,
    read_records,
)

# Fields of the answers that `judge` stores.
_ANSWER_FILE_COLUMNS = {"asked", "rubric", "sample", "outcome", "tokens_in", "tokens_out"}
_PART_ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")


def read_raw(path: Path) -> RawTable:
    """Read the columns of a file, or of a folder of parts."""
    if path.is_dir() and (parts := parts_of(path)):
        return _join_parts(path, [read_raw(part) for part in parts])
    file_form, name = table_form(path), path.name.split(".")[0]
    if file_form == "parquet":
        frame = parquet_frame(io.BytesIO(read_bytes(path)), Where(path))
        require_rows(path, frame.height)
        return table_from_frame(frame, name, Where(path))
    if file_form == "csv":
        columns, row_numbers = read_columns(path)
        require_rows(path, len(row_numbers))
        return RawTable(columns, row_numbers, name, Where(path))
    records = list((read_records if file_form == "lines" else read_list)(path))
    rows = [flatten(record.data) for record in records]
    names = dict.fromkeys(chain.from_iterable(rows))
    columns = {name: [row.get(name) for row in rows] for name in names}
    if columns.keys() >= _ANSWER_FILE_COLUMNS:
        # A choice in it refers to the order that was shown, and some answers have no judgment.
        raise InputError(
            "these are the raw answers that `judge` stores", where=Where(path),
            hint="run the same `judge` again with -o FILE or --preferences FILE and read that; no "
            "question is repeated",
        )  # fmt: skip
    row_numbers = [record.where.line or 0 for record in records]
    return RawTable(
        columns, row_numbers, name, Where(path), "line" if file_form == "lines" else "record"
    )


def parts_of(path: Path) -> list[Path]:
    """List the parts in a folder; empty if it has other files, except hidden ones."""
    entries = sorted(entry for entry in path.iterdir() if entry.name[0] not in "._")
    are_parts = all(entry.is_file() and entry.name.endswith(_PART_ENDINGS) for entry in entries)
    return entries if are_parts else []


def _join_parts(path: Path, parts: Sequence[RawTable]) -> RawTable:
    first_part = parts[0]
    for part in parts[1:]:
        if differing_columns := first_part.columns.keys() ^ part.columns.keys():
            message = (
                f"the fields differ from {first_part.name}: {', '.join(sorted(differing_columns))}"
            )
            hint = "the parts of a table must have the same fields; read these one by one"
            raise InputError(message, hint, where=part.where)
    columns = {
        name: list(chain.from_iterable(part.columns[name] for part in parts))
        for name in first_part.columns
    }
    n_rows = sum(len(part.row_numbers) for part in parts)
    return RawTable(columns, range(1, n_rows + 1), path.name, Where(path), "record")


def flatten(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Flatten inner objects into columns such as ``scores.coherence``."""
    if dict not in map(type, data.values()):
        return data
    fields: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict):
            fields.update(
                {f"{name}.{inner_name}": cell for inner_name, cell in flatten(value).items()}
            )
        else:
            fields[name] = value
    return fields


# The minimum size of a cell in bytes.
_MIN_CELL_BYTES = 8

# The header, the columns, and the first line of each row.
_Split = tuple[list[str], list[list[str]], list[int]]


def read_columns(path: Path) -> tuple[dict[str, list[Any]], list[int]]:
    """Read the columns by name, and the first line of each row; detect the delimiter."""
    lines = read_all_lines(path)
    if len(lines) == 1:
        lines = lines[0].split("\r")  # line ends of old spreadsheets
    header_index = _header_index(path, lines)
    for beginning, message in _DESCRIPTION_OF_BEGINNING.items():
        if lines[header_index].lower().startswith(beginning):
            raise Where(path).error(f"this is {message}", "download the file again")
    delimiter = max(
        "\t,;", key=lambda candidate: (lines[header_index].count(candidate), candidate == ",")
    )
    if separator_match := re.fullmatch("sep=([\t,;])", lines[header_index]):
        delimiter, header_index = (
            separator_match[1],
            header_index + 1 + _header_index(path, lines[header_index + 1 :]),
        )
    split = _split_plain if _is_plain(lines) else _split_quoted
    header, columns, row_numbers = split(path, lines[header_index:], header_index + 1, delimiter)
    columns_by_name: dict[str, list[Any]] = dict(zip(header, columns, strict=True))
    for name in [
        name
        for name, cells in columns_by_name.items()
        if _UNNAMED_PREFIX in name and not any(cells)
    ]:
        del columns_by_name[name]
    # Spreadsheets separate columns by semicolons if the comma is the decimal mark.
    return (
        columns_by_name
        if delimiter == ","
        else {
            column_name: _with_decimal_points(column_cells)
            for column_name, column_cells in columns_by_name.items()
        }
    ), row_numbers


#: Beginnings of files that were downloaded in place of a table, and what they are.
_DESCRIPTION_OF_BEGINNING = {
    **dict.fromkeys(("<!doctype html", "<html"), "a web page, not a table"),
    "pk\x03\x04": "a workbook of a spreadsheet or another ZIP archive; save the sheet as CSV",
    "%pdf": "a PDF file, not a table",
    "version https://git-lfs": "a pointer of Git LFS, not the file (`git lfs pull` gets it)",
}
_UNNAMED_PREFIX = "Unnamed: "
_COMMA_NUMBER = re.compile(r"\s*(?:[+-]?\d*,?\d+(?:e[+-]?\d+)?|n/?a|nan)?\s*", re.IGNORECASE)


def _with_decimal_points(cells: list[str]) -> list[str]:
    """Write the decimal commas of a column of numbers as points."""
    if any("," in cell for cell in cells) and all(map(_COMMA_NUMBER.fullmatch, cells)):
        return [cell.replace(",", ".") for cell in cells]
    return cells


def _header_index(path: Path, lines: list[str]) -> int:
    for index, line in enumerate(lines):
        if line.strip():
            return index
    raise Where(path).error("the file is empty", f"the header has {', '.join(REQUIRED_COLUMNS)}")


def _is_plain(lines: list[str]) -> bool:
    """Return whether lines can be split at delimiters, without the csv module."""
    text = "".join(lines)
    return '"' not in text and "\r" not in text


def _split_plain(path: Path, lines: list[str], header_index: int, delimiter: str) -> _Split:
    header = _header(path, lines[0].split(delimiter))
    row_numbers = [header_index + index for index, line in enumerate(lines) if index and line]
    rows = list(filter(None, lines[1:]))
    delimiters = map(str.count, rows, repeat(delimiter))
    _require_rectangle(path, header, [count + 1 for count in delimiters], row_numbers, lines)
    # Splitting all rows at once avoids a list for each row.
    fields = delimiter.join(rows).split(delimiter) if rows else []
    return header, [fields[column :: len(header)] for column in range(len(header))], row_numbers


def _split_quoted(path: Path, lines: list[str], header_index: int, delimiter: str) -> _Split:
    # Documents may be longer than the limit of the csv module.
    csv.field_size_limit(MAX_LINE_BYTES)
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    row_ends = [0]
    rows: list[list[str]] = []
    try:
        for row in reader:
            rows.append(row)
            row_ends.append(reader.line_num)
    except csv.Error as error:
        raise Where(path, line=header_index + row_ends[-1]).error(
            f"this is not CSV ({str(error).split(' - ')[0]})",
            "a quotation mark may be open, or the file is cut off",
        ) from None
    row_numbers = [header_index + end for row, end in zip(rows, row_ends, strict=False) if row]
    header, *rows = filter(None, rows)
    names = _header(path, header)
    _require_rectangle(path, names, list(map(len, rows)), row_numbers[1:], lines)
    columns = list(map(list, zip(*rows, strict=True))) if rows else [[] for _ in names]
    return names, columns, row_numbers[1:]


def _header(path: Path, names: list[str]) -> list[str]:
    # pandas uses the same name for a column without one.
    header = [name.strip() or f"{_UNNAMED_PREFIX}{index}" for index, name in enumerate(names)]
    for name in header:
        if header.count(name) > 1:
            raise Where(path).error(f"column `{name}` occurs twice", "rename one")
    return header


def _require_rectangle(
    path: Path, header: list[str], widths: list[int], row_numbers: list[int], lines: list[str]
) -> None:
    hint = "the file may be cut off, or a field with a comma lacks quotation marks"
    for width, row_number in zip(widths, row_numbers, strict=True):
        if width != len(header):
            if any(line.startswith("<<<<<<< ") for line in lines):
                hint = "the file has marks of a merge conflict (<<<<<<<); resolve it"
            elif lines[0].startswith("#") or len(header) == 1:
                hint = "remove comments and titles above the header"
            elif width < len(header) and row_number == row_numbers[-1] and row_number > 2:
                hint = "the file may be cut off; if the last line is a footer, remove it"
            message = f"{width} fields, the header has {len(header)}"
            raise Where(path, line=row_number).error(message, hint)


def table_form(path: Path) -> Literal["parquet", "lines", "list", "csv"]:
    """Detect the form of a table by its first bytes; JSON is lines of records or one list."""
    beginning = table_beginning(path)
    if beginning.startswith(b"PAR1") or path.suffix == ".parquet":
        return "parquet"
    return (
        "lines" if beginning.startswith(b"{") else "list" if beginning.startswith(b"[") else "csv"
    )


def table_beginning(path: Path) -> bytes:
    """Read the first bytes of a table, without a byte-order mark."""
    return first_bytes(path, 2**16).removeprefix(b"\xef\xbb\xbf").lstrip()


def parquet_frame(data: IO[bytes], where: Where, rows: tuple[int, int | None] = (0, None)) -> Any:
    """Read rows of a Parquet file as a frame; refuse one that unpacks to far more than its size."""
    with _explain_errors(where):
        max_bytes, n_columns, n_rows = _parquet_size(data, where)
        if n_rows * n_columns * _MIN_CELL_BYTES <= max_bytes:
            import polars

            start, stop = rows
            if stop is None:
                frame = polars.read_parquet(data)
            else:
                frame = polars.scan_parquet(data).slice(start, stop - start).collect()
            if _text_bytes(frame) <= max_bytes:
                return frame
    raise where.error(f"the table unpacks to more than {max_bytes // 2**20} MiB", "split it")


def parquet_records(path: Path) -> Iterator[Record]:
    """Read the rows of a Parquet file as records, without empty cells."""
    frame = parquet_frame(io.BytesIO(read_bytes(path)), Where(path))
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        fields = {name: value for name, value in row.items() if value is not None}
        yield Record(fields, Where(path, number))


def parquet_height(data: IO[bytes], where: Where) -> int:
    """Count the rows of a Parquet file."""
    with _explain_errors(where):
        return _parquet_size(data, where)[2]


def _parquet_size(data: IO[bytes], where: Where) -> tuple[int, int, int]:
    """Return how many bytes a file may unpack to, and its numbers of columns and rows."""
    import polars

    file_size = data.seek(0, io.SEEK_END)
    data.seek(max(0, file_size - 4))
    if data.read() == b"PARE":
        raise where.error("this Parquet file is encrypted", "write it without encryption")
    data.seek(0)
    n_rows = polars.scan_parquet(data).select(polars.len()).collect().item()
    data.seek(0)
    n_columns = len(polars.read_parquet_schema(data))
    data.seek(0)
    return max_unpacked(file_size), n_columns, n_rows


@contextmanager
def _explain_errors(where: Where) -> Iterator[None]:
    """Replace errors of polars by a clear message."""
    try:
        import polars
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", extra="frames") from None
    try:
        yield
    except (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError) as error:
        reason = str(error).split("\n", 1)[0]
        message = f"this is not a readable Parquet file ({reason})"
        raise where.error(message, "write it again") from None


def _text_bytes(frame: Any) -> int:
    """Count the bytes of all texts, which a file may store once and refer to often."""
    import polars

    texts = frame.select(polars.col(polars.String, polars.List(polars.String)))
    text_columns = (series.explode() if series.dtype == polars.List else series for series in texts)
    return sum(series.str.len_bytes().sum() or 0 for series in text_columns)


def column_names(path: Path, beginning: bytes) -> set[str]:
    """Return the columns of a table, read from its first bytes."""
    if beginning.startswith(b"PAR1"):
        try:
            import polars

            source = path if path.is_file() else io.BytesIO(read_bytes(path))
            return set(polars.read_parquet_schema(source))
        except Exception:  # damaged, or polars is missing: reading it reports that
            return {*REQUIRED_COLUMNS}
    if beginning.startswith(b"{"):
        return set(first_record(path))
    line = beginning.decode("utf-8", "replace").split("\n", 1)[0]
    return {name.strip() for name in re.split("[\t,;]", line.replace('"', ""))}


def table_text(columns: Mapping[str, Iterable[Any]], suffix: str) -> str:
    """Write columns as CSV, TSV or JSONL, depending on the ending."""
    rows = zip(*columns.values(), strict=True)
    if suffix == ".jsonl":
        records = (dict(zip(columns, row, strict=True)) for row in rows)
        return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    stream = io.StringIO()
    delimiter = "\t" if suffix == ".tsv" else ","
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return stream.getvalue()


def require_rows(path: Path, n_rows: int) -> None:
    """Refuse a table without rows."""
    if not n_rows:
        raise Where(path).error("there are no rows under the header", "add some")
