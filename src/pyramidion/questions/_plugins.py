"""Plug-ins: what other packages add through entry points."""

import os
import sys
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from pyramidion.errors import InputError


def plugin_entries(kind: str) -> list[EntryPoint]:
    """List the plug-ins of a kind that installed packages declare, without loading them.

    Examples
    --------
    >>> [entry.name for entry in plugin_entries("metrics")]
    ['classy']
    """
    return list(_entries(f"pyramidion.{kind}", _state_of_path(), entry_points))


@lru_cache(maxsize=64)
def _entries(
    group: str, _state: Hashable, read_entries: Callable[..., Iterable[EntryPoint]]
) -> tuple[EntryPoint, ...]:
    """List the entry points of a group; reading them opens a file of every installed package."""
    return tuple(sorted(read_entries(group=group), key=lambda entry: entry.name))


def _state_of_path() -> Hashable:
    """Return a value that changes when a package is installed or removed at run time."""
    return tuple((path, _changed_at(path or os.curdir)) for path in sys.path)


def _changed_at(path: str) -> tuple[int, int] | None:
    """Return a folder's modification time and inode, or None if it does not exist."""
    try:
        state = os.stat(path)  # noqa: PTH116 -- called often, and many times quicker than a Path
    except OSError:
        return None
    return state.st_mtime_ns, state.st_ino


def load_plugins(
    kind: str, *, skip_broken: bool = False, exclude: Collection[str] = ()
) -> Iterator[tuple[EntryPoint, Any]]:
    """Load the plug-ins of a kind that installed packages declare, in order of name.

    Parameters
    ----------
    kind
        The last part of the entry-point group: ``metrics`` for ``pyramidion.metrics``.
    skip_broken
        Whether to skip plug-ins that cannot be loaded instead of raising an error.
    exclude
        Names of entry points not to load.

    Examples
    --------
    >>> [entry.name for entry, _ in load_plugins("report_sections")]
    ['10-metrics', '20-assessors']
    """
    for entry in plugin_entries(kind):
        if entry.name in exclude:
            continue
        try:
            yield entry, entry.load()
        except Exception as error:
            # Third-party code may fail in any way; the error names it.
            if skip_broken:
                continue
            reason = f"{type(error).__name__}: {error}"
            message = f"entry point {entry.value} cannot be loaded ({reason})"
            raise InputError(message, fix_plugin(kind)) from error


def fix_plugin(kind: str) -> str:
    """Explain how to fix a plug-in that cannot be loaded.

    Examples
    --------
    >>> fix_plugin("metrics")
    'fix or uninstall the package that declares it in pyramidion.metrics'
    """
    return f"fix or uninstall the package that declares it in pyramidion.{kind}"
