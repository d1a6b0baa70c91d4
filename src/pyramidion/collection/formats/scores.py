"""The long table of scores as CSV, TSV, JSONL and Parquet."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import compress
from pathlib import Path
from typing import Any

from pyramidion.collection._collection import Collection
from pyramidion.collection._raw import RawTable
from pyramidion.collection._scores import (
    COLUMNS,
    INCLUSION,
    REQUIRED_COLUMNS,
    TEXT_COLUMNS,
    Scores,
    scores_from_raw,
    scores_to_frame,
)
from pyramidion.collection.formats.base import Format, nonzero_counts, part_sizes, require_part
from pyramidion.collection.formats.table_files import (
    column_names,
    read_raw,
    table_beginning,
    table_text,
)
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text, writing

_SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
_KNOWN_COLUMNS = (*TEXT_COLUMNS, "value")


def read_scores(path: str | Path) -> Scores:
    """Read a table of scores (CSV, TSV, JSONL or Parquet), and refuse a repeated key.

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
    for earlier_row, row in scores.repeated_keys():
        raise Where(path, line=lines[row]).error(
            f"line {lines[earlier_row]} has the same key",
            "keep one, or distinguish them by assessor, run or occasion",
        )
    return scores


def require_scores_file(path: str | Path | None) -> None:
    """Refuse a file name that scores cannot be written to."""
    if path is not None and Path(path).suffix not in _SUFFIXES:
        hint = f"use {', '.join(_SUFFIXES)}"
        raise InputError("scores cannot be written in this format", hint, where=Where(path))


def write_scores(scores: Scores, path: str | Path) -> None:
    """Write a table of scores atomically, in the format of its file name.

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
    """Write a table of scores as CSV, TSV or JSONL, depending on the ending."""
    values: list[Any] = scores.value.tolist()
    if suffix != ".jsonl":
        # The fewest digits that read back the same.
        values = [repr(value).removesuffix(".0") for value in values]
    names = scores.used_columns
    return table_text(
        {name: values if name == "value" else scores.columns[name] for name in names}, suffix
    )


def _require_readable(scores: Scores) -> None:
    """Refuse to write a table that could not be read back."""
    if not len(scores):
        raise InputError("there are no scores to write", "a table needs at least one row")
    for row, name in scores.incomplete_rows():
        raise InputError(f"row {row + 1} of the scores has no {name}", "fill it in")
    for name, column in scores.columns.items():
        for value in set(column):
            if "\n" in value or "\r" in value:
                raise InputError(f"a {name} has a line break: {value!r}", "rename it")


def read_table(path: Path) -> tuple[Scores, Sequence[int], tuple[str, ...]]:
    """Return the scores, the line of each row, and what was left out."""
    raw_table, unlabeled_note = _without_unlabeled(read_raw(path))
    names = [name for name in raw_table.columns if name not in _KNOWN_COLUMNS]
    plural_suffix = "s" * (len(names) > 1)
    unknown_columns = (
        (f"{len(names)} unknown column{plural_suffix}: {', '.join(names)}",) if names else ()
    )
    return scores_from_raw(raw_table), raw_table.row_numbers, (*unknown_columns, *unlabeled_note)


def _without_unlabeled(raw_table: RawTable) -> tuple[RawTable, tuple[str, ...]]:
    """Leave out rows of a sheet of chosen topics that people have not filled in yet."""
    values = raw_table.columns.get("value", [])
    has_value = [value not in ("", None) for value in values]
    if INCLUSION not in raw_table.columns or all(has_value):
        return raw_table, ()
    if not any(has_value):
        raise raw_table.table_error("no summary has a label yet", "fill in the column `value`")
    columns = {
        name: list(compress(column, has_value)) for name, column in raw_table.columns.items()
    }
    row_numbers = list(compress(raw_table.row_numbers, has_value))
    line = f"{len(values) - len(row_numbers)} of {len(values)} summaries without a label"
    return replace(raw_table, columns=columns, row_numbers=row_numbers), (line,)


def _matches(path: Path) -> bool:
    """Recognize a table by its columns, or one in UTF-16, in order to report that."""
    beginning = table_beginning(path)
    if beginning.startswith((b"\xff\xfe", b"\xfe\xff")):
        return path.suffix in _SUFFIXES
    return {*REQUIRED_COLUMNS} <= column_names(path, beginning)


def _read(path: Path) -> Collection:
    scores, _, left_out = read_table(path)
    return Collection(path.name.split(".")[0], scores=scores, left_out=left_out)


def _write(collection: Collection, path: Path, replace: bool) -> tuple[str, ...]:
    require_part(collection, "scores")
    write_scores(collection.scores, path)
    return nonzero_counts(
        part_sizes(collection, "topics", "summaries", "pyramids", "annotated peers")
    )


def encode_scores(scores: Scores, suffix: str) -> bytes | Scores:
    """Write a piece of a table for `writing_scores`: lines without a header, except Parquet."""
    if suffix == ".parquet" or not len(scores):
        return scores
    if suffix == ".jsonl":
        _require_readable(scores)
        return scores_text(scores, suffix).encode()
    return scores_text(scores, suffix).split("\n", 1)[1].encode()


@contextmanager
def writing_scores(path: str | Path) -> Iterator[Callable[[bytes | Scores], None]]:
    """Write a table atomically from pieces, encoded or not; Parquet is written at the end."""
    path = Path(path)
    if path.suffix == ".parquet":
        pieces: list[Any] = []
        yield pieces.append
        write_scores(Scores.concatenate(pieces), path)
        return
    with writing(path) as stream:
        if path.suffix != ".jsonl":
            stream.write(table_text(dict.fromkeys(COLUMNS, ()), path.suffix).encode())

        def write(piece: bytes | Scores) -> None:
            encoded_lines = (
                encode_scores(piece, path.suffix) if isinstance(piece, Scores) else piece
            )
            stream.write(encoded_lines if isinstance(encoded_lines, bytes) else b"")

        yield write


FORMAT = Format(
    name="scores",
    title="the long table of scores: CSV, TSV, JSONL or Parquet",
    matches=_matches,
    read=_read,
    write=_write,
    suffixes=_SUFFIXES,
)
