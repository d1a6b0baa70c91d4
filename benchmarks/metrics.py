"""CPU seconds for every metric that needs neither a parser nor a model, on REALSumm.

Run by ``make bench AREA=metrics``; reads ``../shared/data/realsumm.jsonl.gz``: 2,500 summaries with
one reference each and no documents, so that metrics of the documents are left out, with a note. All
metrics of a run share what they read of the texts; the first to need it pays. Reading the file is
not counted, nor are metrics that other packages compute.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection.formats import read_collection
from pyramidion.metrics import Metric, all_metrics, parse_metric, score_collection

FILE = Path(__file__).resolve().parents[2] / "shared" / "data" / "realsumm.jsonl.gz"
MOST_SECONDS = 3.0


def listed_metrics() -> list[Metric]:
    """Return all metrics; of ROUGE recall, precision and F."""
    names = [name for kind in all_metrics() for name in kind.names()]
    parts = [f"{name}-{part}" for name in names if is_rouge(name) for part in "rpf"]
    return [parse_metric(name) for name in (*parts, *(n for n in names if not is_rouge(n)))]


def is_rouge(name: str) -> bool:
    """Return whether recall, precision and F go by this name."""
    return name.startswith("rouge-") and not name.startswith(("rouge-max", "rouge-1-ns"))


def installed(metric: Metric) -> bool:
    """Return whether a metric needs nothing but texts."""
    return "parser" not in metric.requirements and not metric.extra


def main() -> int:
    console = Console()
    if not FILE.exists():
        console.print(f"{FILE} is not there: nothing to score")
        return 2
    collection = read_collection(FILE)
    metrics = [metric for metric in listed_metrics() if installed(metric)]
    times: list[tuple[str, float, float]] = []
    start = last = time.process_time()

    def timed(name: str, column: np.ndarray, left: int) -> None:
        nonlocal last
        now = time.process_time()
        times.append((name, now - last, float(np.nanmean(column))))
        last = now

    scored = score_collection(collection, metrics, skip=True, progress=timed)
    seconds = time.process_time() - start
    table = Table("metric", "CPU seconds", "mean")
    table.title = f"{len(scored.summaries):,} summaries of REALSumm, {len(times)} metrics"
    for name, taken, mean in sorted(times, key=lambda row: -row[1]):
        table.add_row(name, f"{taken:.2f}", f"{mean:.3f}")
    table.add_section()
    table.add_row("total", f"{seconds:.2f}", "")
    console.print(table)
    for line in scored.left_out:
        console.print(f"left out: {line}")
    met = seconds < MOST_SECONDS
    console.print(f"bar met (under {MOST_SECONDS:.0f} s): {'yes' if met else 'NO'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
