"""Parts of large data: JSONL or Parquet files in a folder, local or on any fsspec file system."""

import gzip
import hashlib
import json
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from pyramidion.collection.formats.base import has_records
from pyramidion.collection.formats.stream import has_field, is_stream_line
from pyramidion.errors import InputError, MissingExtraError, NotFoundError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES
from pyramidion.files.writing import FileBatch, resolve_links, writing

# The report on a part has about ten bytes per summary.
_MAX_STATE_BYTES = 16 * MAX_MODEL_BYTES

# The names that stores give an object's version, the most reliable first.
_VERSION_FIELDS = (
    "ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified", "last_modified",
    "updated", "created",
)  # fmt: skip

_PART_SUFFIXES = (".jsonl", ".jsonl.gz", ".parquet")


def is_remote(path: str) -> bool:
    """Check whether this is an address such as s3://bucket/folder, not a path."""
    return "://" in path


def address_of(path: str) -> str:
    """Restore the slashes of an address that was normalized as a path."""
    # Local files have no host: their third slash was lost too.
    path = re.sub(r"^(file|local):/(?!/)", r"\1:///", path)
    return re.sub(r"^([a-z][a-z0-9+.]+):/(?!/)", r"\1://", path)


def is_inside(folder: str, other: str) -> bool:
    """Return whether a folder is the same as another, or inside it."""
    path, parent = _canonical_address(folder), _canonical_address(other)
    return path == parent or path.startswith(f"{parent}/")


def _canonical_address(folder: str) -> str:
    if is_remote(folder):
        system, path = _open_remote(folder)
        if "file" not in system.protocol:
            return f"{system.protocol}:{path.rstrip('/')}"
        folder = path
    return str(resolve_links(folder))


def absolute(path: str) -> str:
    """Return an absolute path; addresses are already absolute."""
    return path if is_remote(path) else str(Path(path).absolute())


def part_sizes(source: str) -> dict[str, int]:
    """Return the sizes of the parts of a folder by name, sorted."""
    if is_remote(source):
        system, folder = _open_remote(source)
        if system.isfile(folder):
            raise InputError("this is a file", "name the folder it is in", where=Where(source))
    elif not Path(source).is_dir():
        raise NotFoundError("this folder of parts does not exist", "check it", where=Where(source))
    files = sorted(_file_sizes(source).items())
    parts = {
        name: size for name, size in files if name.endswith(_PART_SUFFIXES) and name[0] not in "._"
    }
    for name, size in parts.items():
        if size is None:
            hint, where = "remove or replace it", Where(join_path(source, name))
            raise InputError("this part is neither a file nor a link to one", hint, where=where)
    if not parts:
        hint = f"their names end in {', '.join(_PART_SUFFIXES)}"
        raise InputError("this folder has no parts", hint, where=Where(source))
    return cast("dict[str, int]", parts)


def part_names(source: str) -> list[str]:
    """List the parts of a folder, sorted."""
    return list(part_sizes(source))


def is_parts(source: str) -> bool:
    """Check whether this is an address or a folder of nothing but parts."""
    if is_remote(source):
        return True
    if not Path(source).is_dir():
        return False
    with os.scandir(source) as entries:
        names = [entry.name for entry in entries if entry.name[0] not in "._"]
    return bool(names) and all(name.endswith(_PART_SUFFIXES) for name in names)


def in_parts(source: object, is_record: Callable[[bytes], bool] | None = None) -> bool:
    """Check whether a folder holds parts, by their first lines, some of which may be damaged."""
    if not isinstance(source, str | Path) or not is_parts(str(source)):
        return False
    if is_remote(str(source)):
        return True
    names = part_names(str(source))
    parts = (Path(source, name) for name in names)
    return names[0].endswith(".parquet") or has_records(parts, is_record or is_stream_line)


def is_topic_line(line: bytes) -> bool:
    """Check whether a line holds documents to summarize."""
    has_system_field = any(
        has_field(line, name) for name in ("system", "systems", "summary", "peer", "scus")
    )
    has_topic = has_field(line, "topic") and has_field(line, "documents")
    return line.startswith(b"{") and has_topic and not has_system_field


def change_stamp(source: str, name: str) -> list[Any] | None:
    """Return metadata that change when a part is rewritten; `None` if there are none."""
    if not is_remote(source):
        status = os.stat(join_path(source, name))  # noqa: PTH116 - there may be very many
        # A copy may keep the modification time, but not the change time.
        return [status.st_size, status.st_mtime_ns, status.st_ctime_ns]
    system, folder = _open_remote(source)
    info = system.info(f"{folder}/{name}")
    version = next((info[key] for key in _VERSION_FIELDS if info.get(key)), None)
    return None if version is None else [info.get("size"), str(version)]


def digest_of(source: str, name: str, data: bytes | None = None) -> str:
    """Return a hash of the content of a part, which may already have been read."""
    if data is not None:
        return hashlib.blake2b(data, digest_size=16).hexdigest()
    with open_part(join_path(source, name)) as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=16)).hexdigest()


def join_path(folder: str, name: str) -> str:
    """Return the path of a file in a folder."""
    return f"{folder.rstrip('/')}/{name}"


_ENCODER = json.JSONEncoder(ensure_ascii=False)
_SORTING_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True)


def encode_records(name: str, records: Iterable[Mapping[str, Any]]) -> Iterable[Any]:
    """Encode records as lines; rows of Parquet are left as they are."""
    if name.endswith(".parquet"):
        return records
    return (_ENCODER.encode(record).encode() + b"\n" for record in records)


def write_part(
    folder: str, name: str, content: Iterable[Any], batch: FileBatch | None = None
) -> None:
    """Write what `encode_records` returns into a part, completely or not at all."""
    with _writing(join_path(folder, name), batch) as stream:
        if name.endswith(".parquet"):
            import polars as pl

            pl.DataFrame(list(content), strict=False).write_parquet(stream)
        elif name.endswith(".gz"):
            # With a time stamp, equal content would give different files.
            with gzip.GzipFile(fileobj=stream, mode="wb", mtime=0, filename="") as packed_stream:
                packed_stream.writelines(content)
        else:
            stream.writelines(content)


def write_json(folder: str, name: str, data: Any, batch: FileBatch | None = None) -> None:
    """Write a JSON file, completely or not at all."""
    with _writing(join_path(folder, name), batch) as stream:
        stream.write(_SORTING_ENCODER.encode(data).encode() + b"\n")


def read_json(folder: str, name: str) -> dict[str, Any] | None:
    """Read a file that `write_json` wrote; `None` if it is missing or unreadable."""
    try:
        with open_part(join_path(folder, name)) as stream:
            data = json.loads(stream.read(_MAX_STATE_BYTES + 1))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def make_folder(path: str) -> None:
    """Create a folder and its parents."""
    if is_remote(path):
        system, folder = _open_remote(path)
        system.makedirs(folder, exist_ok=True)
        return
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot create this folder ({error.strerror})"
        raise InputError(message, "choose another", where=Where(path)) from None


@contextmanager
def _writing(path: str, batch: FileBatch | None) -> Iterator[IO[bytes]]:
    if is_remote(path):
        # An object that is written directly would be left truncated by an error.
        with tempfile.NamedTemporaryFile() as stream:
            yield cast("IO[bytes]", stream)
            stream.flush()
            system, remote_path = _open_remote(path)
            system.put_file(stream.name, remote_path)
    else:
        with writing(path) if batch is None else batch.writing(path) as stream:
            yield stream


def _open_remote(url: str) -> tuple[Any, str]:
    try:
        files: Any = import_module("fsspec.core")
    except ImportError:
        raise MissingExtraError(f"reading {url}", extra="cluster") from None
    try:
        system, path = files.url_to_fs(url)
    except (ImportError, ValueError, OSError) as error:
        raise InputError(
            f"cannot open this address ({error})", "check it", where=Where(url)
        ) from None
    return system, str(path)


def open_part(path: str) -> Any:
    """Open a file or a remote object for reading bytes."""
    if not is_remote(path):
        return open(path, "rb")  # noqa: PTH123 - see above
    system, remote_path = _open_remote(path)
    return system.open(remote_path, "rb")


def files_of(folder: str) -> set[str]:
    """Return the names of the files in a folder, which need not exist."""
    return set(_file_sizes(folder))


def _file_sizes(folder: str) -> dict[str, int | None]:
    """Return the sizes of the files in a folder; `None` for other entries, such as dead links."""
    if is_remote(folder):
        system, path = _open_remote(folder)
        files = system.find(path, maxdepth=1, detail=True)
        return {PurePosixPath(name).name: info["size"] or 0 for name, info in files.items()}
    sizes: dict[str, int | None] = {}
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_dir():
                sizes[entry.name] = None
                with suppress(OSError):
                    file_status = entry.stat()
                    sizes[entry.name] = (
                        file_status.st_size if stat.S_ISREG(file_status.st_mode) else None
                    )
    return sizes


def size_of(path: str) -> int | None:
    """Return the size of a file; `None` if it does not exist."""
    try:
        if is_remote(path):
            system, remote_path = _open_remote(path)
            return int(system.size(remote_path))
        return os.stat(path).st_size  # noqa: PTH116 - see above
    except FileNotFoundError:
        return None


def remove_file(folder: str, name: str) -> None:
    """Remove a file that may not exist."""
    path = join_path(folder, name)
    with suppress(FileNotFoundError):
        if not is_remote(path):
            Path(path).unlink()
            return
        system, remote_path = _open_remote(path)
        system.rm_file(remote_path)
