"""The list of formats, and their detection."""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pyramidion.collection._collection import Collection
from pyramidion.collection.checking import require_consistent
from pyramidion.collection.formats.base import Format, first_bytes, first_record
from pyramidion.errors import FormatError, InputError, NotFoundError, Where, known_names
from pyramidion.files.inputs import is_readable, readable_path
from pyramidion.files.reading import UTF16_MARKS, decode, read_beginning
from pyramidion.files.writing import restore_folder
from pyramidion.questions import fix_plugin, load_plugins

#: The modules of the core's formats, in the order in which they are tried. They are loaded on
#: demand, since most data is in one of the first.
_MODULES = {
    "collection": "_folder", "scores": "scores", "preferences": "_preferences",
    "pyramids": "_pyramid_json", "stream": "stream", "summaries": "_summaries",
    "ducview": "ducview.format", "rouge": "_rouge", "table": "_table",
}  # fmt: skip

#: Formats of tables of rows and columns; the others need not be loaded for such a file.
_TABLE_FORMATS = {"scores", "preferences", "table"}


def all_formats(*, tables: bool = False) -> Iterator[Format]:
    """Return the formats in the order in which they are tried, including those of plug-ins.

    Parameters
    ----------
    tables
        Only formats that can be tables of rows and columns.

    Examples
    --------
    >>> names = [format.name for format in all_formats()]
    >>> names[0], names[-1]
    ('collection', 'table')
    """
    plugins: list[Format] = []
    for name, module in _MODULES.items():
        if name == "ducview":
            plugins = [format for format in _plugin_formats() if format.tables or not tables]
            yield from (format for format in plugins if format.before == "ducview")
        elif name == "table":
            yield from (format for format in plugins if format.before != "ducview")
        if not tables or name in _TABLE_FORMATS:
            yield import_module(f"{__package__}.{module}").FORMAT


def _plugin_formats() -> Iterator[Format]:
    """Load the formats of plug-ins, in the order of their entry points' names."""
    for entry, format in load_plugins("formats"):
        if not isinstance(format, Format):
            message = f"entry point {entry.value} is not a Format"
            raise InputError(message, fix_plugin("formats"))
        yield format


def format_named(name: str) -> Format:
    """Return a format by its name.

    Examples
    --------
    >>> format_named("scores").title
    'the long table of scores: CSV, TSV, JSONL or Parquet'
    """
    for format in all_formats():
        if format.name == name:
            return format
    hint = known_names(name, (format.name for format in all_formats()))
    raise NotFoundError(f"there is no format {name!r}", hint)


def detect(path: str | Path) -> Format:
    """Detect the format of a file or folder by its name and first bytes.

    Examples
    --------
    >>> detect("nowhere")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: nowhere: there is no such file or folder; check the path
    """
    path = Path(path)
    if not path.exists():
        raise NotFoundError("there is no such file or folder", "check the path", where=Where(path))
    if not path.is_dir() and not read_beginning(path, 1):
        raise Where(path).error("the file is empty", "download or create it again")
    for format in all_formats(tables=_is_table(path)):
        if format.matches(path):
            return format
    if is_readable(path):
        # A damaged file has no format; reading it reports the damage.
        beginning = read_beginning(path, 2**20)
        # The name of a pipe does not show whether it is a table.
        if not path.is_file() and re.search(rb"[\t,;]", beginning.split(b"\n", 1)[0]):
            return format_named("table")
    raise _unrecognized_error(path)


def _unrecognized_error(path: Path) -> FormatError:
    """Return an error that says how to name the format, or why it cannot be recognized."""
    if (mark := first_bytes(path, 2)) in UTF16_MARKS:
        decode(mark, Where(path))  # raises an error that names the encoding
    hint = f"name it with --from: {', '.join(format.name for format in all_formats())}"
    if first_bytes(path, 4) == b"PK\x03\x04":
        hint = "it is a workbook or an archive; save the sheet as CSV (UTF-8), or unpack it"
    if path.name.lower().removesuffix(".gz").endswith(".txt"):
        hint = f"if it has one text per line: pyramidion score {path} --references gold.txt"
    if fields := first_record(path):
        example = f"pyramidion convert {path} mine --columns topic=...,system=...,text=..."
        hint = f"its fields are {', '.join(fields)}; name the relevant ones: {example}"
    return Where(path).error("the format is not recognized", hint)


def _is_table(path: Path) -> bool:
    """Return whether a file is named like a table and does not begin with markup or JSON."""
    is_named_table = path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv", ".parquet"))
    return is_named_table and b"<" not in first_bytes(path) and not first_record(path)


def read_collection(
    path: str | Path, *, format: str | None = None, strict: bool = True
) -> Collection:
    """Read a collection in any format.

    Parameters
    ----------
    path
        A file or folder; ``-`` is standard input.
    format
        The format's name; detected by default.
    strict
        Refuse a collection with ambiguous addresses.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     write_collection(Collection("mine"), Path(parent) / "mine")
    ...     read_collection(Path(parent) / "mine").name
    ()
    'mine'
    """
    path = readable_path(path)
    restore_folder(path)
    file_format = format_named(format) if format else detect(path)
    collection = file_format.read(path)
    if strict:
        require_consistent(collection, Where(path))
    return collection


def write_collection(
    collection: Collection, path: str | Path, *, format: str | None = None, replace: bool = False
) -> tuple[str, ...]:
    """Write a collection atomically.

    Parameters
    ----------
    path
        The file or folder.
    format
        The format's name; by default that of the file name, or a collection folder.
    replace
        Allow an existing folder to be replaced.

    Returns
    -------
    tuple
        What the format cannot store, one line each.

    Examples
    --------
    >>> write_collection(Collection("mine"), "mine.xls")
    Traceback (most recent call last):
    pyramidion.errors.InputError: mine.xls: unknown file extension; name one with --to: ...
    """
    file_format = format_named(format) if format else _format_for(Path(path))
    if file_format.write is None:
        raise InputError(f"{file_format.name} can be read but not written", "choose another format")
    omitted_lines = file_format.write(collection, Path(path), replace)
    if len(collection.preferences) and file_format.name not in ("collection", "preferences"):
        omitted_lines += (f"{len(collection.preferences)} preferences",)
    return omitted_lines


def _format_for(path: Path) -> Format:
    """Return the format for a file name; a name without an ending is a folder."""
    for format in all_formats():
        # Long endings come first: summaries.jsonl before .jsonl.
        if any(path.name.endswith(suffix) for suffix in format.suffixes if suffix[0] != "."):
            return format
    for format in all_formats():
        if path.suffix in format.suffixes:
            return format
    if path.suffix:
        names = (format.name for format in all_formats() if format.write)
        hint = f"name one with --to: {', '.join(names)}"
        raise InputError("unknown file extension", hint, where=Where(path))
    return format_named("collection")
