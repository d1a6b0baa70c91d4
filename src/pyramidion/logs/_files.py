"""Find logs in files and folders by their content, and read them with limits."""

import csv
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.base import first_bytes, first_record
from pyramidion.errors import FormatError, PyramidionError, Where
from pyramidion.files.reading import read_text

# How many entries of a folder are examined to recognize logs.
_MAX_ENTRIES = 20_000

_LOG_SUFFIXES = (".eval", ".json", ".jsonl", ".csv")

_INSPECT_ZIP = re.compile(rb"PK\x03\x04.{26}(?:_journal/start|header|samples/)", re.DOTALL)
_PROMPTFOO_FIELDS = {"promptIdx", "testIdx", "vars"}
_LM_EVAL_FIELDS = {"doc_id", "doc_hash", "filter", "metrics"}
_RAGAS_FIELDS = {"user_input", "response"}


def recognize_log(path: Path) -> str:
    """Return which tool wrote a file, or an empty text."""
    name = path.name.lower()
    if name.endswith((".pyr", ".pan", ".xml", ".txt", ".py", ".html", ".md", ".yaml", ".parquet")):
        return ""
    if name == "per_instance_stats.json":
        return "helm"
    beginning = first_bytes(path, 2**14)
    if beginning[:2] == b"PK":
        return "inspect" if _INSPECT_ZIP.match(beginning) else ""
    text = beginning.lstrip(b"\xef\xbb\xbf \r\n\t")
    if text[:1] == b"{":
        return _kind_of_object(path, text)
    if name.endswith((".csv", ".csv.gz")):
        return _kind_of_table(text)
    return ""


def _kind_of_object(path: Path, beginning: bytes) -> str:
    """Recognize a JSON object, or the first of several lines."""
    if b'"eval"' in beginning and b'"status"' in beginning and b'"task"' in beginning:
        return "inspect"
    if b'"evalId"' in beginning[:300] and b'"results"' in beginning:
        return "promptfoo"
    if b'"testCases"' in beginning[:300] or b'"conversationalTestCases"' in beginning[:300]:
        return "deepeval"
    keys = first_record(path).keys()
    if keys >= _LM_EVAL_FIELDS:
        return "lm-eval"
    if keys >= _PROMPTFOO_FIELDS:
        return "promptfoo"
    return "ragas" if keys >= _RAGAS_FIELDS else ""


def table_header(beginning: bytes) -> list[str]:
    """Return the cells of the first line."""
    lines = beginning.decode("utf-8", "replace").splitlines()
    return next(csv.reader(lines[:1]), [])


def _kind_of_table(beginning: bytes) -> str:
    header = table_header(beginning)
    if header.count("Status") and header.count("Grader Reason"):
        return "promptfoo"
    return "ragas" if {*header} >= _RAGAS_FIELDS else ""


def find_logs(path: Path) -> Iterator[tuple[str, Path]]:
    """Return the logs in a file or folder with the tools that wrote them."""
    if not path.is_dir():
        if kind := recognize_log(path):
            yield kind, path
        return
    entries = sorted(islice(path.rglob("*"), _MAX_ENTRIES))
    for entry in entries:
        is_candidate = entry.name.removesuffix(".gz").endswith(_LOG_SUFFIXES) and entry.is_file()
        if is_candidate and (kind := recognize_log(entry)):
            yield kind, entry
    if len(entries) == _MAX_ENTRIES:
        hint = "name the folders of logs"
        raise Where(path).error(f"the folder has more than {_MAX_ENTRIES:,} files", hint)


def unrecognized_archives(path: Path) -> Iterator[Path]:
    """Return archives of inspect in a folder that cannot be recognized, such as empty ones."""
    if path.is_dir():
        yield from (file for file in sorted(path.rglob("*.eval")) if not recognize_log(file))


def has_logs(path: Path) -> bool:
    """Return whether a path is a log, or a folder that contains one."""
    try:
        return next(find_logs(path), None) is not None
    except FormatError:
        return False  # a large folder of something else


def first_item_fields(path: Path) -> list[str]:
    """Return the field names of the first object in a JSON list; empty if it is not one."""
    beginning = first_bytes(path, 2**16).lstrip(b"\xef\xbb\xbf \r\n\t")
    if beginning[:1] != b"[":
        return []
    try:
        first_item, _ = json.JSONDecoder().raw_decode(
            beginning[1:].decode("utf-8", "ignore").lstrip()
        )
    except (ValueError, RecursionError):
        # The object is longer than what was read: look for names alone.
        return re.findall(r'"([\w.]+)":', beginning.decode("utf-8", "ignore"))
    return list(first_item) if isinstance(first_item, dict) else []


def parse_json(text: str, where: Where) -> Any:
    """Parse JSON, in which NaN and Infinity are allowed."""
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"this is not JSON ({error.msg} at line {error.lineno})"
        raise where.error(problem, "the file may be cut off: copy it again") from None
    except (RecursionError, ValueError):
        problem = "the JSON is nested too deeply or has too long a number"
        raise where.error(problem, "check that it is a log") from None


def read_json(path: Path) -> Any:
    """Read a JSON file."""
    return parse_json(read_text(path), Where(path))


def read_json_lines(path: Path) -> list[dict[str, Any]]:
    """Read the objects of a JSONL file."""
    records = []
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if line.strip():
            record = parse_json(line, Where(path, line=number))
            if not isinstance(record, dict):
                raise Where(path, line=number).error("this is not a JSON object", "write {...}")
            records.append(record)
    return records


def read_objects(path: Path) -> list[dict[str, Any]]:
    """Read the objects of a JSON list, JSONL or CSV."""
    if path.name.endswith((".csv", ".csv.gz")):
        return _csv_rows(path)
    if first_bytes(path, 64).lstrip(b"\xef\xbb\xbf \r\n\t")[:1] != b"[":
        return read_json_lines(path)
    records = read_json(path)
    for number, record in enumerate(records, start=1):
        require(record, (), Where(path, element=f"record {number}"))
    return list(records)


def _csv_rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a CSV file; a row that is cut off is an error."""
    rows, reader = list[dict[str, Any]](), csv.DictReader(io.StringIO(read_text(path)), strict=True)
    try:
        for row in reader:
            if None in row or None in row.values():
                raise csv.Error("not as many cells as the header has")
            rows.append(row)
    except csv.Error as error:
        hint = "the file may be cut off: download or export it again"
        raise Where(path, line=reader.line_num).error(str(error), hint) from None
    return rows


@contextmanager
def expecting_format(format_title: str, path: Path) -> Iterator[None]:
    """Report fields of unexpected types as an error of the file."""
    try:
        yield
    except PyramidionError:
        raise
    except (
        ArithmeticError, AttributeError, LookupError, TypeError, ValueError, csv.Error,
    ) as error:  # fmt: skip
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        problem = f"the file does not have the form of {format_title} ({reason[:120]})"
        raise Where(path).error(problem, "export it again, or leave it out") from None


def require(record: Any, names: tuple[str, ...], where: Where) -> None:
    """Refuse an object that lacks a field that the format always has."""
    if not isinstance(record, dict):
        raise where.error("this is not a JSON object", "check that it is a log")
    for name in names:
        if name not in record:
            raise where.error(f"`{name}` is missing", "the log is incomplete: export it again")
