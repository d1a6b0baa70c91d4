"""Order, group and list ids, and make them safe for file names and spreadsheets."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain, count
from typing import Any, TypeVar

from pyramidion.errors import visible

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_DIGITS = re.compile(r"([0-9]+)")
_UNSAFE_CHARACTER = re.compile(r"[^\w .,+=@()\[\]%~'&!#-]")
_DEVICE_NAME = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
# Text that a spreadsheet would run as a formula or command: after any apostrophes and white space,
# an ASCII or full-width sign that does not begin a number. |x| is an absolute value.
_FORMULA_START = re.compile(
    r"'*[\t\r]"
    r"|[\s']*(?:[=@\uff1d\uff20]|\|(?!\w+\|\Z)|[+\-\uff0b\uff0d](?![0-9.]*(?:[eE][+-]?[0-9]+)?\s*\Z))"
)


def natural_order(identifier: str) -> tuple[tuple[int, int, str, str], ...]:
    """Return a sort key that compares the numbers inside ids by value."""
    pieces = _DIGITS.split(identifier)
    return tuple(_piece_order(piece) for piece in pieces if piece)


def _piece_order(piece: str) -> tuple[int, int, str, str]:
    if "0" <= piece[0] <= "9":
        # Without leading zeros, the longer of two numbers is greater.
        digits = piece.lstrip("0")
        return 0, len(digits), digits, piece
    return 1, 0, piece, ""


def natural_orders(names: Iterable[str]) -> tuple[object, ...]:
    """Return a sort key for several names, such as a task and a topic."""
    return tuple(map(natural_order, names))


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Collect the values of each key, in order of appearance."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def brief_list(names: Sequence[str]) -> str:
    """List at most three names, followed by an ellipsis if there are more."""
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def file_stem(*parts: str, used_names: set[str] | None = None) -> str:
    """Join names into a file name, without its ending, that is valid on every system.

    A name in `used_names`, compared without case, gets a number; the result is added to it.
    """
    joined_names = "-".join(_UNSAFE_CHARACTER.sub("_", part) for part in parts if part)
    # A leading dot hides a file, and a leading dash looks like an option; names have 255 bytes.
    stem = joined_names.lstrip(".- ").encode()[:150].decode(errors="ignore").rstrip(". ") or "_"
    stem += "_" * (_DEVICE_NAME.fullmatch(stem) is not None)
    return stem if used_names is None else unused_name(stem, used_names)


def unused_name(name: str, used_names: set[str], key: Callable[[str], str] = str.casefold) -> str:
    """Return a name, numbered if it is taken: on many systems `a` and `A` are the same file."""
    names = chain([name], (f"{name}~{number}" for number in count(2)))
    free_name = next(candidate for candidate in names if key(candidate) not in used_names)
    used_names.add(key(free_name))
    return free_name


def to_spreadsheet(cell: Any) -> Any:
    """Escape cells that a spreadsheet would run, and control characters."""
    if not isinstance(cell, str):
        return cell
    visible_text = visible(cell, keep="\n\r\t")
    return f"'{visible_text}" if _FORMULA_START.match(visible_text) else visible_text
