"""Traps as functions that write damaged data to a folder and return the command that reads it.

They run by the rules of ``traps.py``: one line must match every pattern.
"""

import csv
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import traps
from traps import DATA, Row, Trap

__all__ = ["DATA", "Row", "control", "records", "trap", "write_csv", "write_jsonl"]

Build = Callable[[Path], Sequence[Any]]


def trap(*patterns: str) -> Callable[[Build], Build]:
    """Add a trap that is caught by one line with every pattern, the cause last."""
    names = "(?i)" + "".join(f"(?=.*(?:{pattern}))" for pattern in patterns[:-1] or patterns)

    def add(build: Build) -> Build:
        _add(build, "traps", names, patterns[-1])
        return build

    return add


def control(build: Build) -> Build:
    """Add sound data."""
    _add(build, "sound")
    return build


def _add(build: Build, area: str, names: str = "", causes: str = "") -> None:
    def make() -> list[str]:
        return [str(word) for word in build(traps.FOLDER[0])]

    traps.TRAPS.append(Trap(area, build.__name__.replace("_", " "), make, names, causes))


def records(name: str, *, systems: int = 0, topics: int = 0) -> list[Row]:
    """Read a real set, or its first systems and topics, as new records."""
    rows = [dict(row) for row in traps.records(name)]
    for key, count in (("system", systems), ("topic", topics)):
        if count:
            first = list(dict.fromkeys(row[key] for row in rows))[:count]
            rows = [row for row in rows if row[key] in first]
    return rows


def write_csv(path: Path, rows: Sequence[Mapping[str, Any]], **options: Any) -> Path:
    """Write a table with the columns of its first row."""
    with path.open("w", newline="", encoding=options.pop("encoding", "utf-8")) as file:
        writer = csv.DictWriter(file, list(rows[0]), restval="", **options)
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    """Write records, one per line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
