"""Write files and folders completely or not at all."""

import ctypes
import errno
import io
import os
import platform
import secrets
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from glob import escape
from itertools import count
from pathlib import Path
from typing import IO

from pyramidion.errors import InputError, NotFoundError, Where


def resolve_links(path: str | Path) -> Path:
    """Return the path that a link leads to; refuse a link to itself."""
    try:
        return Path(path).resolve()
    except RuntimeError:
        hint = "remove it, or name another path"
        raise InputError("this link points to itself", hint, where=Where(path)) from None


@contextmanager
def writing(path: str | Path) -> Iterator[IO[bytes]]:
    """Write a file atomically: it appears under its name when all of it is on disk.

    An existing file keeps its permissions; a device or a pipe is written directly.
    """
    with _explain_errors(path):
        target = resolve_links(path)
        if target.is_dir():
            raise InputError("this is a folder", "name a file to write", where=Where(path))
        is_device = target.exists() and not target.is_file()
        if target.exists() and not is_device and not os.access(target, os.W_OK):
            # Replacing a file needs no permission on it, but a protected file must stay.
            raise PermissionError(errno.EACCES, "the file is write-protected")
        names = [parent.name for parent in target.parents]
        # A file in an unfinished folder is kept or removed together with the folder.
        if is_device or any(
            name[:1] == "." and name.endswith(_UNFINISHED_SUFFIX) for name in names
        ):
            with target.open("wb") as stream:
                yield stream
            completed_paths[:] = [target]
            return
        with _hidden_neighbor(target) as unfinished_path:
            with unfinished_path.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            if target.exists():
                shutil.copymode(target, unfinished_path)
            unfinished_path.replace(target)
            _sync(target.parent)
            completed_paths[:] = [target]


class FileBatch:
    """Many files that are synced to disk together before they get their names."""

    def __init__(self) -> None:
        self._complete_files: list[tuple[str, str]] = []
        self._file_numbers = count()
        self._token = secrets.token_hex(3)

    @contextmanager
    def writing(self, path: str) -> Iterator[IO[bytes]]:
        """Write a file that appears under its name with `commit`."""
        # Strings instead of paths, since there may be very many.
        folder, _, name = path.rpartition("/")
        token = f"{self._token}{next(self._file_numbers) % 16**6:06x}"
        unfinished_path = f"{folder or '.'}/{_neighbor_name(name, token, _UNFINISHED_SUFFIX)}"
        with _explain_errors(path):
            try:
                with io.BufferedWriter(io.FileIO(unfinished_path, "x")) as stream:
                    yield stream
            except BaseException:
                _remove(Path(unfinished_path))
                raise
        self._complete_files.append((unfinished_path, path))

    def commit(self) -> None:
        """Wait until all files are on disk, then give them their names."""
        complete_files, self._complete_files = self._complete_files, []
        folders = [
            Path(folder)
            for folder in {path.rpartition("/")[0] or "." for _, path in complete_files}
        ]
        try:
            for folder in folders[:1]:
                with _explain_errors(folder):
                    _sync_together(
                        [unfinished_path for unfinished_path, _ in complete_files], folders
                    )
            for unfinished_path, path in complete_files:
                with _explain_errors(path):
                    os.replace(unfinished_path, path)  # noqa: PTH105 - strings, see above
            for folder in folders:
                _sync(folder)
        except BaseException:
            for unfinished_path, _ in complete_files:
                _remove(Path(unfinished_path))
            raise


def sweep_unfinished(folder: Path) -> None:
    """Remove the unfinished files that killed processes left in a folder."""
    with suppress(OSError), os.scandir(folder) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(_UNFINISHED_SUFFIX)]
        for path in (folder / name for name in names if name.startswith(".")):
            if not _is_in_progress(path):
                _remove(path)


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write bytes atomically (see `writing`)."""
    with writing(path) as stream:
        stream.write(data)


def write_text(path: str | Path, text: str) -> None:
    """Write text as UTF-8, atomically (see `writing`)."""
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError as error:
        context = text[max(0, error.start - 20) : error.start]
        message = f"half of a surrogate pair after {context!r} cannot be written as UTF-8"
        raise InputError(message, "remove it", where=Where(path)) from None
    write_bytes(path, data)


@contextmanager
def writing_folder(path: str | Path, *, replace: bool = False) -> Iterator[Path]:
    """Fill a folder that appears under its name when it is complete and on disk."""
    with _explain_errors(path):
        target = resolve_links(path)
        restore_folder(target)
        if target.exists() and not target.is_dir():
            raise InputError("this is a file", "choose a folder to write to", where=Where(path))
        if target.exists() and not replace and any(target.iterdir()):
            hint = "choose another name, or replace it with --force"
            raise InputError("the folder already exists", hint, where=Where(path))
        with _hidden_neighbor(target) as unfinished_path:
            unfinished_path.mkdir()
            yield unfinished_path
            for folder, _, files in os.walk(unfinished_path, topdown=False):
                for name in files:
                    _sync(Path(folder, name))
                _sync(Path(folder))
            _move_into_place(unfinished_path, target)
            _sync(target.parent)
            completed_paths[:] = [target]


def _move_into_place(unfinished_path: Path, target: Path) -> None:
    """Move a finished folder to its name, so that the old or the new one exists at any time."""
    if not target.exists():
        unfinished_path.replace(target)
        return
    shutil.copymode(target, unfinished_path)
    if _exchange(unfinished_path, target):
        return
    # Without an exchange, both are missing for a moment; `restore_folder` repairs that.
    old_folder = _neighbor(target, _REPLACED_SUFFIX)
    target.replace(old_folder)
    try:
        unfinished_path.replace(target)
    except BaseException:
        old_folder.replace(target)
        raise
    shutil.rmtree(old_folder, ignore_errors=True)


def restore_folder(target: Path) -> None:
    """Restore a folder whose replacement was interrupted between two renames."""
    if not target.exists() and target.parent.is_dir():
        for old_folder in _find_neighbors(target, _REPLACED_SUFFIX):
            if not _is_in_progress(old_folder):
                old_folder.replace(target)
                return


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_AT_CURRENT_FOLDER, _SWAP_FLAG = -100, 2  # AT_FDCWD and RENAME_EXCHANGE of Linux


def _exchange(first: Path, second: Path) -> bool:
    """Swap the names of two folders in one step, if the system and the disk support it."""
    rename = getattr(_LIBC, "renameat2", None)
    return (
        rename is not None
        and rename(_AT_CURRENT_FOLDER, bytes(first), _AT_CURRENT_FOLDER, bytes(second), _SWAP_FLAG)
        == 0
    )


def _sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk, if the disk supports it."""
    if os.name != "posix":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EROFS):
            raise
    finally:
        os.close(descriptor)


# Up to this number of files, syncing each is cheaper than syncing the whole disk.
_MAX_SINGLE_SYNCS = 8


def _sync_together(files: list[str], folders: Iterable[Path]) -> None:
    """Wait until files are on disk; many files take one call for each folder's disk."""
    sync_disk = getattr(_LIBC, "syncfs", None) if len(files) > _MAX_SINGLE_SYNCS else None
    for path in folders if sync_disk else map(Path, files):
        if sync_disk is None:
            _sync(path)
            continue
        descriptor = os.open(path, os.O_RDONLY)
        try:
            if sync_disk(descriptor):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(path))
        finally:
            os.close(descriptor)


_UNFINISHED_SUFFIX, _REPLACED_SUFFIX = ".partial", ".replaced"

#: The path of the file or folder that this process last completed, if any.
completed_paths: list[Path] = []

#: Unfinished files that an interrupted call could not remove.
left_behind_paths: list[Path] = []


@contextmanager
def _hidden_neighbor(target: Path) -> Iterator[Path]:
    """Name a hidden neighbor on the same disk that replaces the target when it is complete."""
    # Remove the unfinished files of processes that were killed.
    for stale_file in _find_neighbors(target, _UNFINISHED_SUFFIX):
        if not _is_in_progress(stale_file):
            _remove(stale_file)
    unfinished_path = _neighbor(target, _UNFINISHED_SUFFIX)
    try:
        yield unfinished_path
    finally:
        _remove(unfinished_path)
        if os.path.lexists(unfinished_path):
            left_behind_paths.append(unfinished_path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _neighbor(target: Path, suffix: str) -> Path:
    return target.with_name(_neighbor_name(target.name, secrets.token_hex(6), suffix))


def _neighbor_name(name: str, token: str, suffix: str) -> str:
    # The name contains the process, so that others can check whether it is still running.
    return f".{name[:40]}.{platform.node()[:20]}-{os.getpid()}-{token}{suffix}"


def _find_neighbors(target: Path, suffix: str) -> list[Path]:
    """List the neighbors of a target; the folder may hold very many other files."""
    pattern = f".{escape(target.name[:40])}.*-*-????????????{suffix}"
    try:
        with os.scandir(target.parent) as entries:
            names = sorted(entry.name for entry in entries if entry.name.endswith(suffix))
    except OSError:
        return []
    return [target.with_name(name) for name in names if fnmatchcase(name, pattern)]


def _is_in_progress(neighbor: Path) -> bool:
    """Return whether the process in a neighbor's name may still be writing it."""
    owner, _, _ = neighbor.name.rpartition("-")
    host, _, process = owner.rpartition("-")
    is_local = host.endswith(f".{platform.node()[:20]}") and process.isdecimal()
    if not is_local or os.name != "posix":
        return True
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return not _has_ended(process)


def _has_ended(process: str) -> bool:
    """Check whether a process is a zombie."""
    try:
        state = Path("/proc", process, "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[:1] == ["Z"]


@contextmanager
def _explain_errors(path: str | Path) -> Iterator[None]:
    """Replace errors while writing by a clear message."""
    try:
        yield
    except BrokenPipeError:
        raise
    except FileNotFoundError as error:
        if (parent := Path(path).parent).exists():
            raise
        message = f"the folder {parent} does not exist"
        raise NotFoundError(message, "create it first", where=Where(path)) from error
    except OSError as error:
        is_too_long = error.errno == errno.ENAMETOOLONG
        message, hint = f"cannot write here ({error.strerror})", "write elsewhere"
        raise InputError(
            message, "shorten the name" if is_too_long else hint, where=Where(path)
        ) from error
