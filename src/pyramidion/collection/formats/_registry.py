"""The list of formats, and reading and writing in the one that is meant."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from pyramidion.collection._checks import require_consistent
from pyramidion.collection._collection import Collection
from pyramidion.collection._files import read_beginning, restore_folder
from pyramidion.collection.formats._base import Format, first_bytes, first_record
from pyramidion.errors import InputError, NotFoundError, Where, known_names


class _Formats(Sequence[Format]):
    """Formats whose modules are loaded on demand: most data is in one of the first."""

    def __init__(self, *modules: str) -> None:
        self._modules = modules

    def __len__(self) -> int:
        return len(self._modules)

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(map(self.__getitem__, range(len(self))[at]))
        module, _, name = self._modules[at].partition(":")
        return getattr(import_module(f"{__package__}.{module}"), name or "FORMAT")


#: All formats; when one is guessed, the first that matches is taken.
FORMATS: Sequence[Format] = _Formats(
    "_folder", "_scores", "_preferences", "_pyramid_json", "_summaries", "_judged.summeval",
    "_judged.format", "_judged.units:ROSE", "_judged.units:LITE23", "_judged.units:LITEPYRAMIDS",
    "_judged.units:PYREVAL", "_judged.units:NUGGETS", "_judged.realsumm", "_ducview.format",
    "_rouge", "_duc.format", "_table",
)  # fmt: skip


def format_named(name: str) -> Format:
    """Return a format by its name.

    Examples
    --------
    >>> format_named("scores").title
    'the long table of scores: CSV, TSV, JSONL or Parquet'
    """
    for format in FORMATS:
        if format.name == name:
            return format
    hint = known_names(name, (format.name for format in FORMATS))
    raise NotFoundError(f"there is no format {name!r}", hint)


def detect(path: str | Path) -> Format:
    """Guess the format of a file or folder from its name and beginning.

    Examples
    --------
    >>> detect("nowhere")
    Traceback (most recent call last):
    pyramidion.errors.NotFoundError: nowhere: there is no such file or folder; check the path
    """
    path = Path(path)
    if not path.exists():
        raise NotFoundError("there is no such file or folder", "check the path", where=Where(path))
    if path.is_file() and path.stat().st_size == 0:
        raise Where(path).error("the file is empty", "download or create it again")
    for format in FORMATS:
        if format.matches(path):
            return format
    if path.is_file():
        # A damaged file looks like no format; reading it says what is wrong with it.
        read_beginning(path, 2**20)
    hint = f"name it with --from: {', '.join(format.name for format in FORMATS)}"
    if first_bytes(path, 4) == b"PK\x03\x04":
        hint = "it is a workbook or an archive; save the sheet as CSV (UTF-8), or unpack it"
    if fields := first_record(path):
        example = f"pyramidion convert {path} mine --columns topic=...,system=...,text=..."
        hint = f"its fields are {', '.join(fields)}; name those that matter: {example}"
    raise Where(path).error("the format is not recognized", hint)


def read_collection(
    path: str | Path, *, format: str | None = None, strict: bool = True
) -> Collection:
    """Read a collection in any format.

    Parameters
    ----------
    path
        A file or folder.
    format
        The format's name; guessed if it is not given.
    strict
        Refuse a collection in which an address stands for two things.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     write_collection(Collection("mine"), Path(parent) / "mine")
    ...     read_collection(Path(parent) / "mine").name
    ()
    'mine'
    """
    restore_folder(Path(path))
    chosen = format_named(format) if format else detect(path)
    collection = chosen.read(Path(path))
    if strict:
        require_consistent(collection, Where(path))
    return collection


def write_collection(
    collection: Collection, path: str | Path, *, format: str | None = None, replace: bool = False
) -> tuple[str, ...]:
    """Write a collection, whole or not at all.

    Parameters
    ----------
    collection
        What to write.
    path
        The file or folder.
    format
        The format's name; guessed from the file name, a folder being a collection.
    replace
        Allow an existing folder to be replaced.

    Returns
    -------
    tuple
        What the format has no place for, one line each.

    Examples
    --------
    >>> write_collection(Collection("mine"), "mine.xls")
    Traceback (most recent call last):
    pyramidion.errors.InputError: mine.xls: unknown file extension; name one with --to: ...
    """
    chosen = format_named(format) if format else _meant_by(Path(path))
    if chosen.write is None:
        raise InputError(f"{chosen.name} can be read but not written", "choose another format")
    lost = chosen.write(collection, Path(path), replace)
    if len(collection.preferences) and chosen.name not in ("collection", "preferences"):
        lost += (f"{len(collection.preferences)} preferences",)
    return lost


def _meant_by(path: Path) -> Format:
    """Guess the format a file name asks for; no ending means a folder."""
    for format in FORMATS:
        # The longest endings are asked first: summaries.jsonl before .jsonl.
        if any(path.name.endswith(suffix) for suffix in format.suffixes if suffix[0] != "."):
            return format
    for format in FORMATS:
        if path.suffix in format.suffixes:
            return format
    if path.suffix:
        hint = f"name one with --to: {', '.join(one.name for one in FORMATS if one.write)}"
        raise InputError("unknown file extension", hint, where=Where(path))
    return format_named("collection")
