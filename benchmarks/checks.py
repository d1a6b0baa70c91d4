"""CPU time of the checks: all of `check`, and what `score` and `compare` cost more with them.

Run by ``make bench AREA=checks``. The texts are made up: 25 systems, two references a topic, 60
words a text, each topic with words of its own. The scores are those of two of twelve assessors for
each summary, so that their mix differs: `compare` also adjusts for them, which counts as a check.
The runs with and without the checks alternate, so that both meet the same load: the ratio is the
median of those of the pairs, and each time is the best of its runs. BLAS uses one thread.
"""

import os

os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from unittest import mock

from rich.console import Console
from rich.table import Table

from pyramidion import compare, score
from pyramidion.checks import find_problems
from pyramidion.collection.formats import read_collection

SYSTEMS, WORDS = 25, 60
MOST_SECONDS, MOST_OVER = 10.0, 1.15
ROUGE = ["rouge-1", "rouge-2", "rouge-l"]


def made_up(path: Path, summaries: int) -> None:
    """Write a stream of summaries, the same at each run."""
    rng = random.Random(0)
    common = ["".join(rng.choices("abcdefghijklmnop", k=rng.randint(2, 6))) for _ in range(500)]

    def text(words: list[str]) -> str:
        return " ".join(rng.choices(common, k=WORDS // 2) + rng.choices(words, k=WORDS // 2)) + "."

    with path.open("w") as stream:
        for topic in range(summaries // SYSTEMS):
            words = [f"{rng.choice(common)}{rng.choice(common)}" for _ in range(40)]
            references = [text(words), text(words)]
            for system in range(SYSTEMS):
                record = {"topic": f"T{topic}", "system": f"s{system}", "peer": text(words)}
                stream.write(json.dumps(record | {"references": references}) + "\n")


def judged(path: Path, rows: int) -> None:
    """Write marks from 1 to 5 by assessors of different severity."""
    rng = random.Random(1)
    severity, quality = ([rng.gauss(0, 0.5) for _ in range(n)] for n in (12, SYSTEMS))
    with path.open("w") as table:
        table.write("topic,system,assessor,quality\n")
        for topic in range(rows // SYSTEMS // 2):
            level = rng.gauss(0, 0.6)
            for system in range(SYSTEMS):
                summary = 3 + level + quality[system] + rng.gauss(0, 0.6)
                for judge in rng.sample(range(12), 2):
                    mark = min(5, max(1, round(summary + severity[judge] + rng.gauss(0, 0.5))))
                    table.write(f"T{topic},s{system},A{judge},{mark}\n")


@contextmanager
def unchecked() -> Iterator[None]:
    """Leave the checks and the adjustment for assessors out."""
    with (
        mock.patch("pyramidion.checks.streams.TextSample.add", return_value=None),
        mock.patch("pyramidion.checks.streams.findings_of_texts", return_value=()),
        mock.patch("pyramidion.checks.plausibility.implausible", return_value=()),
        mock.patch("pyramidion.checks.structure.doubtful", return_value=()),
        mock.patch("pyramidion.comparison._compare.adjusted_for_assessors", lambda matrix: matrix),
    ):
        yield


def cpu_seconds(work: Callable[[], Any]) -> float:
    """Return the CPU time of a run."""
    start = time.process_time()
    work()
    return time.process_time() - start


def cpu_pair(work: Callable[[], Any]) -> tuple[float, float]:
    """Return the CPU times of a run with the checks, and of one without them."""
    more = cpu_seconds(work)
    with unchecked():
        return more, cpu_seconds(work)


def main(arguments: list[str]) -> int:
    """Print the figures; fail if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--summaries", type=int, default=100_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args(arguments)
    table = Table("work", "CPU s", "bar", title=f"{options.summaries:,} summaries")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        made_up(path, options.summaries)
        seconds = cpu_seconds(lambda: find_problems(read_collection(path)))
        table.add_row("check, with reading", f"{seconds:.2f}", f"{MOST_SECONDS:.0f}")
        scores = Path(folder) / "scores.csv"
        judged(scores, options.summaries)
        ratios = []
        for name, work in (
            ("score rouge-2", lambda: score(path, metrics=["rouge-2"], threads=1)),
            ("score rouge-1, rouge-2, rouge-l", lambda: score(path, metrics=ROUGE, threads=1)),
            ("compare, adjusted for assessors", lambda: compare(scores)),
        ):
            work()
            pairs = [cpu_pair(work) for _ in range(options.repeats)]
            ratios.append(median(more / less for more, less in pairs))
            more, less = map(min, zip(*pairs, strict=True))
            shown = f"{more:.2f} / {less:.2f} = {ratios[-1]:.2f}"
            table.add_row(name, shown, f"{MOST_OVER:.2f}")
    Console().print(table)
    return int(seconds > MOST_SECONDS or max(ratios) > MOST_OVER)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
