"""Checkpoints: the finished part of an interrupted run, in a file next to its table.

The first line identifies the data and the version, each other line has one column::

    {"unfinished": "v0.1.0|data:3f2a0c11"}
    {"metric": "rouge-2-f(stem)", "values": [0.25, null]}
    {"metric": "slow@5e884898da28", "item": 0, "value": 0.5}

A metric that scores one summary at a time has a line for each finished summary.
"""

import json
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion._types import Floats
from pyramidion.files.writing import write_text

_HEADER_KEY = "unfinished"


class Checkpoint:
    """Columns of a run, each written as soon as it is computed."""

    def __init__(self, path: str | Path, signature: str, n_summaries: int) -> None:
        self._path, self._header = Path(path), {_HEADER_KEY: signature}
        self.columns: dict[str, Floats] = {}
        self.items: dict[str, dict[int, float]] = {}
        lines = self._path.read_bytes().split(b"\n") if self._path.is_file() else []
        header, *records = map(_parse_line, lines) if lines else [{}]
        self.is_unwritable = self._path.exists() and not isinstance(header.get(_HEADER_KEY), str)
        self.is_stale = bool(header) and not self.is_unwritable and header[_HEADER_KEY] != signature
        if not (self.is_unwritable or self.is_stale):
            for line in records:
                self._read(line, n_summaries)
        self._is_started = False

    def _read(self, line: Mapping[str, Any], n_summaries: int) -> None:
        """Read a line; ignore one that was cut off or has another length."""
        metric, item, values = line.get("metric"), line.get("item"), line.get("values")
        if not isinstance(metric, str):
            return
        with suppress(TypeError, ValueError):
            if isinstance(values, list) and len(values) == n_summaries:
                self.columns[metric] = np.array([_read_number(value) for value in values])
            elif type(item) is int and 0 <= item < n_summaries:
                self.items.setdefault(metric, {})[item] = _read_number(line.get("value"))

    def add(self, metric: str, column: Floats) -> None:
        """Store a column."""
        self.columns[metric] = column
        self._write(_column_line(metric, column))

    def add_item(self, metric: str, item: int, value: float) -> None:
        """Store the score of one summary."""
        self.items.setdefault(metric, {})[item] = value
        self._write(_item_line(metric, item, value))

    def _write(self, line: str) -> None:
        if self.is_unwritable:
            return
        if not self._is_started:
            # Rewrite the file: the old one may end in half a line or belong to another run.
            lines = [
                _json_line(**self._header),
                *(_column_line(*column) for column in self.columns.items()),
            ]
            for name, values in self.items.items():
                lines += [_item_line(name, item, value) for item, value in values.items()]
            write_text(self._path, "".join(lines))
            self._is_started = True
            return
        # One call per line, so that an interruption cannot split it.
        with self._path.open("ab", buffering=0) as stream:
            stream.write(line.encode())
            os.fsync(stream.fileno())

    def remove(self) -> None:
        """Delete the file once the table is written."""
        if not self.is_unwritable and (self._is_started or self.columns or self.items):
            self._path.unlink(missing_ok=True)


def _read_number(value: Any) -> float:
    """Read a score, null as NaN; raise a `TypeError` if it is not a number."""
    if value is not None and not isinstance(value, int | float):
        raise TypeError("not a number")
    return math.nan if value is None else float(value)


def _column_line(metric: str, column: Floats) -> str:
    return _json_line(metric=metric, values=[_write_number(value) for value in column.tolist()])


def _item_line(metric: str, item: int, value: float) -> str:
    return _json_line(metric=metric, item=item, value=_write_number(value))


def _write_number(value: float) -> float | None:
    return None if math.isnan(value) else value


def _json_line(**data: Any) -> str:
    return json.dumps(data, ensure_ascii=False) + "\n"


def _parse_line(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}
