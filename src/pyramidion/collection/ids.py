"""How ids are ordered, listed, and put into names of files and cells of spreadsheets."""

import re
from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain, count
from typing import Any, TypeVar

from pyramidion.errors import visible

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_DIGITS = re.compile(r"([0-9]+)")
_NO_FILE = re.compile(r"[^\w .,+=@()\[\]%~'&!#-]")
_DEVICES = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
# What a spreadsheet takes for a formula or a command, unless it is a number; marks and white space
# before it do not count, and neither does the width of the signs. |x| is an absolute value.
_FORMULA = re.compile(
    r"'*[\t\r]"
    r"|[\s']*(?:[=@\uff1d\uff20]|\|(?!\w+\|\Z)|[+\-\uff0b\uff0d](?![0-9.]*(?:[eE][+-]?[0-9]+)?\s*\Z))"
)


def natural_order(identifier: str) -> tuple[tuple[int, int, str, str], ...]:
    """Return a sort key that puts numbers inside ids in the order of their values."""
    pieces = _DIGITS.split(identifier)
    return tuple(_piece_order(piece) for piece in pieces if piece)


def _piece_order(piece: str) -> tuple[int, int, str, str]:
    if "0" <= piece[0] <= "9":
        # Without leading zeros the longer number is the greater, however long it is.
        digits = piece.lstrip("0")
        return 0, len(digits), digits, piece
    return 1, 0, piece, ""


def natural_orders(names: Iterable[str]) -> tuple[object, ...]:
    """Order several names, such as a task and a topic, one after the other."""
    return tuple(map(natural_order, names))


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Collect the values of each key, both in the order in which they come."""
    groups: dict[K, list[V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def brief_list(names: Sequence[str]) -> str:
    """List the first three names, and say that there are more."""
    return ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")


def file_stem(*parts: str, taken: set[str] | None = None) -> str:
    """Join names into that of a file, without its ending, which any system can have.

    Names that are `taken`, in capitals or not, get a number, and new ones are added to them.
    """
    joined = "-".join(_NO_FILE.sub("_", part) for part in parts if part)
    # A leading dot hides a file, and a leading dash makes it an option; 255 bytes are too many.
    stem = joined.lstrip(".- ").encode()[:150].decode(errors="ignore").rstrip(". ") or "_"
    stem += "_" * (_DEVICES.fullmatch(stem) is not None)
    return stem if taken is None else unused_name(stem, taken)


def unused_name(name: str, taken: set[str], same: Callable[[str], str] = str.casefold) -> str:
    """Take a name, with a number if it is taken; on many machines `a` and `A` are one file."""
    names = chain([name], (f"{name}~{number}" for number in count(2)))
    chosen = next(candidate for candidate in names if same(candidate) not in taken)
    taken.add(same(chosen))
    return chosen


def to_spreadsheet(cell: Any) -> Any:
    """Mark what a spreadsheet would run with an apostrophe; write out what a terminal obeys."""
    if not isinstance(cell, str):
        return cell
    shown = visible(cell, keep="\n\r\t")
    return f"'{shown}" if _FORMULA.match(shown) else shown
