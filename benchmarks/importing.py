"""Importing a user's table: 100,000 rows of CSV with texts become a collection.

Run by ``make bench AREA=formats``. Two tables are made up: one row a summary, and one row a
judgment (two judges a summary, whose text stands there twice). The figures are those of a process
of its own, its start included: CPU time of user and system together, and the greatest memory.
"""

import csv
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

ROWS, SYSTEMS = 100_000, 20
MOST_SECONDS, MOST_MIB = 5.0, 1024.0

Row = list[str | int]


def made_up_text(rng: random.Random, words: list[str], length: int = 40) -> str:
    return " ".join(rng.choices(words, k=length)).capitalize() + ', "so to say".'


def rows(judges: int) -> Iterator[Row]:
    rng = random.Random(0)
    words = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 9))) for _ in range(5_000)]
    yield ["dialogue_id", "team", "output_text", "gold_summary", "annotator", "coh", "rel"]
    for topic in range(ROWS // SYSTEMS // judges):
        reference = made_up_text(rng, words)
        for system in range(SYSTEMS):
            text = made_up_text(rng, words)
            for judge in range(judges):
                ids: Row = [f"T{topic}", f"team{system}", text, reference, f"judge{judge}"]
                yield [*ids, rng.randint(1, 5), rng.randint(1, 5)]


def measured(table: Path, folder: Path) -> tuple[float, float]:
    """Import a table with a program of its own; give its CPU seconds and MiB."""
    command = [sys.executable, "-m", "pyramidion", "convert", str(table), str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} failed")
    return _seconds(used), used.ru_maxrss / 1024


def _seconds(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


def main() -> None:
    print(f"{ROWS:,} rows of CSV; bars: {MOST_SECONDS:g} CPU s, {MOST_MIB:,.0f} MiB")
    with tempfile.TemporaryDirectory() as parent:
        for judges in (1, 2):
            table = Path(parent) / f"judges{judges}.csv"
            with table.open("w", newline="", encoding="utf-8") as stream:
                csv.writer(stream).writerows(rows(judges))
            size = table.stat().st_size / 2**20
            seconds, mib = measured(table, Path(parent) / f"mine{judges}")
            verdict = "passed" if seconds <= MOST_SECONDS and mib <= MOST_MIB else "MISSED"
            print(
                f"{judges} judge{'s' * (judges > 1)} per summary, {size:.0f} MiB: "
                f"{seconds:.2f} CPU s, {mib:.0f} MiB: {verdict}"
            )


if __name__ == "__main__":
    main()
