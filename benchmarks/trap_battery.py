"""What the batteries of traps share: real data to damage, the commands, and the strict rule.

A trap counts as caught only if one warning, or a refusal, matches every pattern that names its
cause. A control raises an alarm if a warning or a refusal appears.
"""

import csv
import gzip
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO, Any, TextIO

import pyramidion
from pyramidion.cli import main
from pyramidion.errors import PyramidionError

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
Row = dict[str, Any]
Build = Callable[[Path], Sequence[Any]]


@dataclass
class Battery:
    """Traps with the patterns that name their causes, and sound controls."""

    traps: list[tuple[str, Build, tuple[str, ...]]] = field(default_factory=list)
    controls: list[tuple[str, Build]] = field(default_factory=list)
    noted: int = 0

    def trap(self, *patterns: str) -> Callable[[Build], Build]:
        """Add a function that writes wrong data and returns the command that reads it."""

        def add(build: Build) -> Build:
            self.traps.append((build.__name__, build, patterns))
            return build

        return add

    def control(self, build: Build) -> Build:
        """Add a function that writes sound data and returns the command that reads it."""
        self.controls.append((build.__name__, build))
        return build

    def run(self, wanted: Sequence[str] = ()) -> None:
        """Print which traps pass silently and which controls raise an alarm."""
        silent = list(self._silent(wanted))
        alarmed = list(self._alarmed(wanted))
        print(f"traps caught: {len(self.traps) - len(silent)} of {len(self.traps)}", end="")
        print(f", {self.noted} of them by notes only")
        print(f"controls with alarms: {len(alarmed)} of {len(self.controls)}")

    def _silent(self, wanted: Sequence[str]) -> Iterable[str]:
        for name, build, patterns in self.traps:
            if wanted and not any(part in name for part in wanted):
                continue
            messages = answered(build)
            named = [message for message in messages if names_cause(message, patterns)]
            self.noted += bool(named) and not any(map(is_alarm, named))
            if not named:
                print(f"silent: {name} {patterns}")
                print(*(f"    {message[:300]}" for message in messages), sep="\n")
                yield name

    def _alarmed(self, wanted: Sequence[str]) -> Iterable[str]:
        for name, build in self.controls:
            if wanted and not any(part in name for part in wanted):
                continue
            alarms = [message for message in answered(build) if is_alarm(message)]
            if alarms:
                print(f"ALARM: {name}")
                print(*(f"    {message[:300]}" for message in alarms), sep="\n")
                yield name


def is_alarm(message: str) -> bool:
    """Tell warnings and refusals from notes."""
    return not message.startswith(("note:", "left out:", "assumed:"))


def names_cause(message: str, patterns: Sequence[str]) -> bool:
    """Test whether one message matches every pattern."""
    if "read as --columns" in message:
        return False
    return all(re.search(pattern, message, re.IGNORECASE) for pattern in patterns)


def answered(build: Build) -> list[str]:
    """Run a command, or a Python call, on new files, and return its messages."""
    with tempfile.TemporaryDirectory() as folder:
        command = build(Path(folder))
        if callable(command[0]):
            return _called(*command)
        return _messages([str(word) for word in command])


def _messages(arguments: Sequence[str]) -> list[str]:
    with _streams() as (out, err):
        try:
            main(arguments)
            code: Any = 0
        except SystemExit as end:
            code = end.code
        answer, said_lines = out(), err()
    messages = [line for line in said_lines.splitlines() if line.strip()]
    if arguments[0] == "check":
        messages += _findings(answer)
    elif code and not any(map(is_alarm, messages)):
        messages.append(f"exit code {code}")
    return messages


@contextmanager
def _streams() -> Iterator[tuple[Callable[[], str], Callable[[], str]]]:
    """Write what the command prints to files, whatever stream it holds."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        before = [(number, os.dup(number)) for number in (1, 2)]
        sys.stdout.flush()
        os.dup2(out.fileno(), 1)
        os.dup2(err.fileno(), 2)

        def read(file: IO[str], stream: TextIO) -> str:
            stream.flush()
            file.seek(0)
            return file.read()

        try:
            yield lambda: read(out, sys.stdout), lambda: read(err, sys.stderr)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            for number, copy in before:
                os.dup2(copy, number)
                os.close(copy)


def _findings(answer: str) -> Iterable[str]:
    if answer.startswith("{"):
        for row in json.loads(answer)["results"]:
            kind = "note" if row["severity"] in ("note", "minor", "worth knowing") else "warning"
            yield f"{kind}: {row['code']}: {row['subject']}: {row['message']} {row['fix'] or ''}"


def _called(function: Callable[..., Any], *arguments: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            function(*arguments)
        except PyramidionError as error:
            return [f"error: {error}"]
    return [f"warning: {warning.message}" for warning in caught]


@cache
def _loaded(name: str) -> tuple[str, ...]:
    with gzip.open(DATA / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return tuple(file)


def records(name: str, *, systems: int = 0, topics: int = 0) -> list[Row]:
    """Read a real set, or its first systems and topics, as new records."""
    rows = [json.loads(line) for line in _loaded(name)]
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


def run_battery(battery: Battery) -> None:
    """Run a battery from its script; names limit it to some."""
    print(pyramidion.__version__)
    battery.run(sys.argv[1:])
