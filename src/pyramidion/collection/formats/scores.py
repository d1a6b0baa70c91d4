"""The long table of scores as CSV, TSV, JSONL and Parquet."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from pyramidion.collection.collection import Collection
from pyramidion.collection.files import MAX_LINE_BYTES, read_lines, write_text, writing
from pyramidion.collection.formats.base import Format, counted, first_bytes
from pyramidion.collection.frames import scores_from_frame, scores_to_frame
from pyramidion.collection.raw_scores import REQUIRED_COLUMNS, scores_from_columns
from pyramidion.collection.records import read_records
from pyramidion.collection.scores import TEXT_COLUMNS, Scores
from pyramidion.errors import FormatError, InputError, MissingExtraError, Where

__all__ = ["FORMAT", "as_csv", "read_scores", "read_table", "write_scores"]

_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")


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
        raise FormatError(
            f"the same key stands in line {lines[earlier]}",
            where=Where(path, line=lines[row]),
            hint="keep one, or tell them apart by assessor or occasion",
        )
    return scores


def write_scores(scores: Scores, path: str | Path) -> None:
    """Write a table of scores in the form its file name asks for, whole or not at all.

    Examples
    --------
    >>> write_scores(Scores({}, []), "scores.xls")
    Traceback (most recent call last):
    pyramidion.errors.InputError: scores.xls: no table of scores ends so; use .csv, .tsv, ...
    """
    path = Path(path)
    _require_plain_ids(scores)
    if path.suffix == ".parquet":
        _write_parquet(scores, path)
    elif path.suffix == ".jsonl":
        write_text(path, _as_jsonl(scores))
    elif path.suffix in (".csv", ".tsv"):
        write_text(path, as_csv(scores, delimiter="\t" if path.suffix == ".tsv" else ","))
    else:
        raise InputError(
            "no table of scores ends so", where=Where(path), hint=f"use {', '.join(_SUFFIXES)}"
        )


def as_csv(scores: Scores, *, delimiter: str = ",") -> str:
    r"""Write the table as CSV text.

    Examples
    --------
    >>> as_csv(Scores({"topic": ["T1"], "measure": ["m"]}, [4.5])).splitlines()[1]
    ',T1,,,m,,4.5'
    """
    names = scores.used_columns
    columns = [_numbers(scores) if name == "value" else scores.columns[name] for name in names]
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*columns, strict=True))
    return stream.getvalue()


def _numbers(scores: Scores) -> list[str]:
    """Write values with the fewest digits that read back the same."""
    return [str(int(v)) if v.is_integer() else repr(v) for v in scores.value.tolist()]


def _as_jsonl(scores: Scores) -> str:
    names = scores.used_columns
    columns = [scores.value.tolist() if n == "value" else scores.columns[n] for n in names]
    rows = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _write_parquet(scores: Scores, path: Path) -> None:
    frame = scores_to_frame(scores, backend="polars")
    with writing(path) as stream:
        frame.write_parquet(stream)


def _require_plain_ids(scores: Scores) -> None:
    for name, column in scores.columns.items():
        for value in set(column):
            if "\n" in value or "\r" in value:
                raise InputError(f"a {name} has a line break: {value!r}", hint="rename it")


def read_table(path: Path) -> tuple[Scores, Sequence[int], tuple[str, ...]]:
    """Read a table: the scores, the line of each row, and what was left out."""
    head = first_bytes(path, 4)
    if head == b"PAR1":
        scores = _read_parquet(path)
        return scores, range(1, len(scores) + 1), ()
    if head.lstrip().startswith(b"{"):
        return _read_jsonl(path)
    return _read_csv(path)


def _read_parquet(path: Path) -> Scores:
    try:
        import polars
    except ModuleNotFoundError:
        raise MissingExtraError("reading Parquet", extra="frames") from None
    try:
        frame = polars.read_parquet(path)
    except (polars.exceptions.PolarsError, OSError) as error:
        reason = str(error).splitlines()[0]
        raise FormatError(
            f"this is not a readable Parquet file ({reason})",
            where=Where(path),
            hint="write it anew",
        ) from None
    return scores_from_frame(frame, where=Where(path))


def _read_jsonl(path: Path) -> tuple[Scores, Sequence[int], tuple[str, ...]]:
    rows = [(record.data, record.where.line or 0) for record in read_records(path)]
    lines = [line for _, line in rows]
    for data, line in rows:
        for name in REQUIRED_COLUMNS:
            if name not in data:
                raise FormatError(
                    f"`{name}` is missing", where=Where(path, line=line), hint="add it"
                )
    known = (*TEXT_COLUMNS, "value")
    columns = {name: [data.get(name, "") for data, _ in rows] for name in known}
    unknown = sorted({name for data, _ in rows for name in data if name not in known})
    scores = scores_from_columns(columns, where=Where(path), lines=lines)
    return scores, lines, tuple(f"column `{name}`" for name in unknown)


def _read_csv(path: Path) -> tuple[Scores, Sequence[int], tuple[str, ...]]:
    header, rows, lines = _csv_rows(path)
    if not rows:
        raise FormatError("there are no rows under the header", where=Where(path), hint="add some")
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    scores = scores_from_columns(columns, where=Where(path), lines=lines)
    unknown = [name for name in header if name not in (*TEXT_COLUMNS, "value")]
    return scores, lines, tuple(f"column `{name}`" for name in unknown)


def _csv_rows(path: Path) -> tuple[list[str], list[list[str]], list[int]]:
    """Read header and rows; the delimiter is the one the header uses."""
    stream = (f"{line}\n" for _, line in read_lines(path))
    first = next(stream, "")
    if not first.strip():
        raise FormatError(
            "the file is empty",
            where=Where(path),
            hint=f"the header has {', '.join(REQUIRED_COLUMNS)}",
        )
    delimiter = "\t" if "\t" in first else ","
    csv.field_size_limit(MAX_LINE_BYTES)
    reader = csv.reader(_chain(first, stream), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        header = [name.strip() for name in next(reader)]
        for row in reader:
            if row:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        where = Where(path, line=reader.line_num)
        raise FormatError(f"{error}", where=where, hint="a quotation mark may be open") from None
    _require_rectangle(path, header, rows, lines)
    return header, rows, lines


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _require_rectangle(
    path: Path, header: list[str], rows: list[list[str]], lines: list[int]
) -> None:
    repeated = [name for name in header if header.count(name) > 1]
    if repeated:
        where = Where(path, line=1)
        raise FormatError(
            f"column `{repeated[0]}` stands there twice", where=where, hint="rename one"
        )
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise FormatError(
                f"{len(row)} fields, the header has {len(header)}",
                where=Where(path, line=line),
                hint="the file may be cut off, or a field with a comma lacks quotation marks",
            )


def _matches(path: Path) -> bool:
    head = first_bytes(path)
    if head.startswith(b"PAR1"):
        return True
    if not head.lstrip().startswith(b"{"):
        line = head.decode("utf-8", "replace").lstrip("\ufeff").split("\n", 1)[0]
        names = line.replace("\t", ",").replace('"', "").strip().split(",")
        return {"topic", "system", "measure", "value"} <= set(names)
    try:
        record = json.loads(head.lstrip().split(b"\n", 1)[0])
    except ValueError:
        return False
    return isinstance(record, dict) and {"topic", "system", "measure", "value"} <= record.keys()


def _read(path: Path) -> Collection:
    scores, _, left_out = read_table(path)
    return Collection(path.name.split(".")[0], scores=scores, left_out=left_out)


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    if not len(collection.scores):
        raise InputError("the collection has no scores", hint="choose another format")
    write_scores(collection.scores, path)
    return counted(
        topics=len(collection.topics),
        summaries=len(collection.summaries),
        pyramids=len(collection.pyramids),
        **{"annotated peers": len(collection.peer_annotations)},
    )


FORMAT = Format(
    name="scores",
    title="the long table of scores: CSV, TSV, JSONL or Parquet",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=_SUFFIXES,
)
