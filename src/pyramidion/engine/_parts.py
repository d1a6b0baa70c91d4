"""Parts of large data: JSONL or Parquet files of a folder, here or where fsspec reaches."""

import gzip
import hashlib
import io
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain, islice
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from pyramidion.collection._files import (
    Record,
    decoded_line,
    followed,
    parsed_record,
    raw_lines,
    writing,
)
from pyramidion.collection.formats._base import first_bytes
from pyramidion.collection.formats._raw import parquet_frame
from pyramidion.errors import InputError, MissingExtraError, NotFoundError, Where

# Records that are worked on at a time.
_BATCH = 1024

# Bytes that are kept of a line that is no record.
_SHOWN = 1000

# How many bytes of a file, files and lines are read to recognize parts.
_HEAD, _LOOKED_AT = 2**20, 5

# What stores call the version of an object, the surest first.
_VERSIONS = ("ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified", "last_modified",
             "updated", "created")  # fmt: skip

_ENDINGS = (".jsonl", ".jsonl.gz", ".parquet")


@dataclass(frozen=True, slots=True)
class Unread:
    """A line that is no record: what is wrong with it, and how it begins."""

    error: InputError
    text: str


def is_remote(path: str) -> bool:
    """Check whether this is an address such as s3://bucket/folder rather than a path."""
    return "://" in path


def address_of(path: str) -> str:
    """Fix an address that was taken for a path, which has no empty folders."""
    # Files of this computer have no host: their third slash was lost, too.
    path = re.sub(r"^(file|local):/(?!/)", r"\1:///", path)
    return re.sub(r"^([a-z][a-z0-9+.]+):/(?!/)", r"\1://", path)


def lies_in(folder: str, other: str) -> bool:
    """Return whether a folder is another one, however that is written, or lies in it."""
    one, two = _place(folder), _place(other)
    return one == two or one.startswith(f"{two}/")


def _place(folder: str) -> str:
    if is_remote(folder):
        system, path = _remote(folder)
        if "file" not in system.protocol:
            return f"{system.protocol}:{path.rstrip('/')}"
        folder = path
    return str(followed(folder))


def absolute(path: str) -> str:
    """Return a path that means the same in every folder; an address does already."""
    return path if is_remote(path) else str(Path(path).absolute())


def part_names(source: str) -> list[str]:
    """List the parts of a folder in the order of their names."""
    if is_remote(source):
        system, folder = _remote(source)
        if system.isfile(folder):
            raise InputError("this is a file", "name the folder it is in", where=Where(source))
    elif not Path(source).is_dir():
        raise NotFoundError("there is no such folder of parts", "check it", where=Where(source))
    parts = sorted(
        name for name in files_of(source) if name.endswith(_ENDINGS) and name[0] not in "._"
    )
    for name in parts:
        if not (is_remote(source) or Path(source, name).is_file()):
            raise InputError(
                "this part is no file, nor a link to one", "remove it, or fetch what is meant",
                where=Where(joined(source, name)),
            )  # fmt: skip
    if not parts:
        raise InputError(
            "there are no parts in this folder", f"their names end in {', '.join(_ENDINGS)}",
            where=Where(source),
        )  # fmt: skip
    return parts


def is_parts(source: str) -> bool:
    """Check whether this is a folder of parts, or an address, and no other format."""
    if is_remote(source):
        return True
    folder = Path(source)
    if not folder.is_dir():
        return False
    names = sorted(path.name for path in folder.iterdir() if path.name[0] not in "._")
    return bool(names) and all(name.endswith(_ENDINGS) for name in names)


def in_parts(source: object, is_record: Callable[[bytes], bool] | None = None) -> bool:
    """Check whether a folder holds parts by their lines, of which the first may be damaged."""
    if not isinstance(source, str | Path) or not is_parts(str(source)):
        return False
    if is_remote(str(source)):
        return True
    names = part_names(str(source))
    heads = (first_bytes(Path(source, name), _HEAD) for name in names[:_LOOKED_AT])
    is_known = is_record or is_stream_line
    return names[0].endswith(".parquet") or any(
        is_known(line) for head in heads for line in head.split(b"\n")[:_LOOKED_AT]
    )


def is_stream(path: str) -> bool:
    """Check whether a file is a stream by its first line, which may be cut off."""
    if path == "-":
        return True
    start = first_bytes(Path(path), _HEAD).removeprefix(b"\xef\xbb\xbf")
    return is_stream_line(start.lstrip().split(b"\n", 1)[0])


def is_stream_line(line: bytes) -> bool:
    """Check whether a line is a summary with its references."""
    # Sets that people judged have systems and references, too, and a `summary`.
    nearly = _has(line, "references") and _has(line, "system") and not _has(line, "summary")
    return line.startswith(b"{") and (_has(line, "peer") or nearly)


def is_topic_line(line: bytes) -> bool:
    """Check whether a line holds documents to be summarized."""
    other = any(_has(line, name) for name in ("system", "systems", "summary", "peer", "scus"))
    known = _has(line, "topic") and _has(line, "documents")
    return line.startswith(b"{") and known and not other


def _has(line: bytes, name: str) -> bool:
    return re.search(rb'"%s"\s*:' % name.encode(), line) is not None


def stamp_of(source: str, name: str) -> list[Any] | None:
    """Return what changes when a part is rewritten, without reading it; `None` if unknown."""
    if not is_remote(source):
        found = Path(source, name).stat()
        # A copy may keep the time of writing, but not that of the last change.
        return [found.st_size, found.st_mtime_ns, found.st_ctime_ns]
    system, folder = _remote(source)
    known = system.info(f"{folder}/{name}")
    version = next((known[key] for key in _VERSIONS if known.get(key)), None)
    return None if version is None else [known.get("size"), str(version)]


def digest_of(source: str, name: str) -> str:
    """Return a hash of the content of a part."""
    path = joined(source, name)
    with _opened(path) as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def read_batches(source: str, name: str) -> Iterator[list[Record | Unread]]:
    """Read a part, so many records at a time; lines that are no records keep their places."""
    path = joined(source, name)
    reader = _parquet_records if name.endswith(".parquet") else _json_records
    records = reader(path)
    while batch := list(islice(records, _BATCH)):
        yield batch


def first_records(source: str, number: int) -> Iterator[Record | Unread]:
    """Read the first records of a folder, the same however they are cut into parts."""
    batches = (batch for name in part_names(source) for batch in read_batches(source, name))
    return islice(chain.from_iterable(batches), number)


def joined(folder: str, name: str) -> str:
    """Return the path of a file in a folder."""
    return f"{folder.rstrip('/')}/{name}" if is_remote(folder) else str(Path(folder, name))


def _json_records(path: str) -> Iterator[Record | Unread]:
    for number, raw in raw_lines(path, partial(_sized, path) if is_remote(path) else None):
        where = Where(path, line=number)
        try:
            if (line := decoded_line(raw, path, number)).strip():
                yield Record(parsed_record(line, where), where)
        except InputError as error:
            yield Unread(error, raw[:_SHOWN].decode(errors="backslashreplace").rstrip("\r\n"))


def _sized(url: str) -> tuple[io.BufferedReader, int]:
    system, path = _remote(url)
    return io.BufferedReader(system.open(path, "rb")), system.size(path) or 0


def _parquet_records(path: str) -> Iterator[Record | Unread]:
    with _opened(path) as stream:
        frame = parquet_frame(stream, Where(path))
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        yield Record({key: one for key, one in row.items() if one is not None}, Where(path, number))


def write_records(folder: str, name: str, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a part whole or not at all, in the format that its name says."""
    with _writing(joined(folder, name)) as stream:
        if name.endswith(".parquet"):
            import polars as pl

            pl.DataFrame(list(records), strict=False).write_parquet(stream)
            return
        lines = (json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)
        if name.endswith(".gz"):
            # The time would make every file another one.
            with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0, filename="") as packed:
                packed.writelines(lines)
        else:
            stream.writelines(lines)


def write_json(folder: str, name: str, data: Any) -> None:
    """Write a file of JSON whole or not at all."""
    with _writing(joined(folder, name)) as stream:
        stream.write(json.dumps(data, ensure_ascii=False, sort_keys=True).encode() + b"\n")


def read_json(folder: str, name: str) -> Any:
    """Read a file that `write_json` wrote; `None` if there is none that can be read."""
    path = joined(folder, name)
    try:
        with _opened(path) as stream:
            return json.loads(stream.read())
    except (OSError, ValueError):
        return None


def make_folder(path: str) -> None:
    """Make a folder, and those it lies in."""
    if is_remote(path):
        system, folder = _remote(path)
        system.makedirs(folder, exist_ok=True)
        return
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"the folder cannot be made ({error.strerror})"
        raise InputError(what, "choose another", where=Where(path)) from None


@contextmanager
def _writing(path: str) -> Iterator[IO[bytes]]:
    if is_remote(path):
        # An object that is written directly would be there, cut off, after an error.
        with tempfile.NamedTemporaryFile() as stream:
            yield cast("IO[bytes]", stream)
            stream.flush()
            system, place = _remote(path)
            system.put_file(stream.name, place)
    else:
        with writing(path) as stream:
            yield stream


def _remote(url: str) -> tuple[Any, str]:
    try:
        files: Any = import_module("fsspec.core")
    except ImportError:
        raise MissingExtraError(f"reading {url}", extra="cluster") from None
    try:
        system, path = files.url_to_fs(url)
    except (ImportError, ValueError, OSError) as error:
        raise InputError(f"cannot be reached ({error})", "check it", where=Where(url)) from None
    return system, str(path)


def _opened(path: str) -> Any:
    if not is_remote(path):
        return Path(path).open("rb")
    system, place = _remote(path)
    return system.open(place, "rb")


def files_of(folder: str) -> set[str]:
    """Name the files in a folder, which need not be there."""
    if is_remote(folder):
        system, path = _remote(folder)
        return {PurePosixPath(one).name for one in system.find(path, maxdepth=1)}
    place = Path(folder)
    return {one.name for one in place.iterdir() if not one.is_dir()} if place.is_dir() else set()


def size_of(folder: str, name: str) -> int | None:
    """Return the size of a file; `None` if there is none."""
    path = joined(folder, name)
    try:
        if is_remote(path):
            system, place = _remote(path)
            return int(system.size(place))
        return Path(path).stat().st_size
    except FileNotFoundError:
        return None


def remove_file(folder: str, name: str) -> None:
    """Remove a file that may not be there."""
    path = joined(folder, name)
    if not is_remote(path):
        Path(path).unlink(missing_ok=True)
        return
    system, place = _remote(path)
    with suppress(FileNotFoundError):
        system.rm_file(place)
