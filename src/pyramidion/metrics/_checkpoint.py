"""What an interrupted run has finished, kept in a file beside its table.

The first line says which data and version it belongs to, each other line has one column::

    {"unfinished": "v0.1.0|data:3f2a0c11"}
    {"metric": "rouge-2-f(stem)", "values": [0.25, null]}
    {"metric": "slow@5e884898da28", "item": 0, "value": 0.5}

A metric that scores one summary at a time has a line for each summary that is finished.
"""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.collection._files import write_text

_HEADER = "unfinished"


class KeptColumns:
    """Columns of a run, each written as soon as it is there."""

    def __init__(self, path: str | Path, signature: str, size: int) -> None:
        self._path = Path(path)
        self._signature = signature
        self.columns: dict[str, Floats] = {}
        self.items: dict[str, dict[int, float]] = {}
        header, lines = _read(self._path)
        self.blocked = self._path.exists() and header is None
        self.stranger = header is not None and header != signature
        if not (self.blocked or self.stranger):
            self.columns = dict(entry for line in lines for entry in _column(line, size))
            for line in lines:
                for metric, item, value in _item(line, size):
                    self.items.setdefault(metric, {})[item] = value
        self._begun = False

    def add(self, metric: str, column: Floats) -> None:
        """Keep a column."""
        self.columns[metric] = column
        self._write(_written(metric, column))

    def add_item(self, metric: str, item: int, value: float) -> None:
        """Keep the score of one summary."""
        self.items.setdefault(metric, {})[item] = value
        self._write(_written_item(metric, item, value))

    def _write(self, line: str) -> None:
        if self.blocked:
            return
        if not self._begun:
            # The whole file anew: the old one may end in half a line, or be another run's.
            lines = [_written(name, own) for name, own in self.columns.items()]
            for name, found in self.items.items():
                lines += [_written_item(name, item, value) for item, value in found.items()]
            write_text(self._path, _line({_HEADER: self._signature}) + "".join(lines))
            self._begun = True
            return
        # One call for one line, so that an interruption finds it whole or not there.
        with self._path.open("ab", buffering=0) as stream:
            stream.write(line.encode())
            os.fsync(stream.fileno())

    def remove(self) -> None:
        """Forget everything: the table is written."""
        if not self.blocked and (self._begun or self.columns or self.items):
            self._path.unlink(missing_ok=True)


def _written(metric: str, column: Floats) -> str:
    values = [None if math.isnan(value) else value for value in column.tolist()]
    return _line({"metric": metric, "values": values})


def _written_item(metric: str, item: int, value: float) -> str:
    return _line({"metric": metric, "item": item, "value": None if math.isnan(value) else value})


def _line(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _read(path: Path) -> tuple[str | None, list[bytes]]:
    """Give the signature, `None` if there is none, and the lines below it."""
    if not path.is_file():
        return None, []
    first, *lines = path.read_bytes().split(b"\n")
    header = _parsed(first).get(_HEADER)
    return (header, lines) if isinstance(header, str) else (None, [])


def _column(line: bytes, size: int) -> list[tuple[str, Floats]]:
    """Read a line; one that was cut off, or is no column of this length, gives nothing."""
    data = _parsed(line)
    metric, values = data.get("metric"), data.get("values")
    if not isinstance(metric, str) or not isinstance(values, list) or len(values) != size:
        return []
    try:
        column = np.array([np.nan if value is None else value for value in values], np.float64)
    except (TypeError, ValueError):
        return []
    return [(metric, column)]


def _item(line: bytes, size: int) -> list[tuple[str, int, float]]:
    """Read the line of one summary; one that was cut off gives nothing."""
    data = _parsed(line)
    metric, item, value = (data.get(name) for name in ("metric", "item", "value"))
    if not isinstance(metric, str) or type(item) is not int or not 0 <= item < size:
        return []
    number = math.nan if value is None else value
    return [(metric, item, float(number))] if isinstance(number, int | float) else []


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
