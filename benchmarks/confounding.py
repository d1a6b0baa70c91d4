"""How much each metric follows the length of a summary and what it copies, whoever judges it.

Run by ``make bench AREA=metrics``; reads SummEval, REALSumm and SummEval-OP in ``../shared/data``.
It prints Kendall's correlation within topics of every metric that needs no model with the number of
words, and, where a set has documents, with the share of 4-grams found in them. ``pyramidion
metrics`` must say of a metric that it confuses length or copying where two sets, or the only one,
agree on it: the same sign, and at least .3. It also says so where a definition leaves no doubt.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from metrics import installed, listed_metrics
from pyramidion.collection.formats import read_collection
from pyramidion.metrics import CollectionScores, parse_metric, score_collection
from pyramidion.stats import clustered_correlation

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SETS = ("summeval", "realsumm", "summeval_op")
RIVALS = ("length", "copied-4")
LEAST = 0.3


def matrix(scored: CollectionScores, values: Any) -> Any:
    """Topics down, systems across."""
    topics, row = np.unique([s.topic for s in scored.summaries], return_inverse=True)
    systems, column = np.unique([s.system for s in scored.summaries], return_inverse=True)
    table = np.full((len(topics), len(systems)), np.nan)
    table[row, column] = values
    return table


def correlations(name: str) -> dict[tuple[str, str], float]:
    """Return the correlation of each metric with each rival that can be computed."""
    metrics = [metric for metric in listed_metrics() if installed(metric)]
    scored = score_collection(read_collection(DATA / f"{name}.jsonl.gz"), metrics, skip=True)
    columns = {m: matrix(scored, v) for m, v in zip(scored.measures, scored.values.T, strict=True)}
    return {
        (metric, rival): clustered_correlation(
            metric_values, columns[rival], level="input", coefficient="kendall"
        ).value
        for metric, metric_values in columns.items()
        for rival in RIVALS
        if rival in columns
    }


def confused(values: list[float]) -> bool:
    """Return whether sets agree that a metric follows a rival."""
    defined = [value for value in values if not np.isnan(value)]
    strong = [value for value in defined if abs(value) >= LEAST]
    return len(strong) >= min(2, len(defined)) > 0 and len({value > 0 for value in strong}) == 1


def main() -> int:
    console = Console(width=None if sys.stdout.isatty() else 150)
    if not all((DATA / f"{name}.jsonl.gz").exists() for name in SETS):
        console.print(f"{DATA} lacks sets: nothing to correlate")
        return 2
    by_set = {name: correlations(name) for name in SETS}
    heads = [(rival, name) for rival in RIVALS for name in SETS if (rival, rival) in by_set[name]]
    table = Table("metric", *(f"{rival}\n{name}" for rival, name in heads), "confuses", "says")
    table.title = "Kendall's correlation within topics"
    wrong = 0
    for metric in dict.fromkeys(
        metric for set_correlations in by_set.values() for metric, _ in set_correlations
    ):
        values = {head: by_set[head[1]].get((metric, head[0]), np.nan) for head in heads}
        follows = [r for r in RIVALS if confused([v for h, v in values.items() if h[0] == r])]
        documented = parse_metric(metric).confuses
        words = {"length": "length", "copied-4": "copying"}
        agree = all(words[rival] in documented for rival in follows)
        wrong += not agree
        cells = ("" if np.isnan(value) else f"{value:.2f}" for value in values.values())
        table.add_row(
            metric, *cells, ", ".join(follows), documented if agree else f"{documented} NO"
        )
    console.print(table)
    console.print(f"said as measured: {'yes' if not wrong else f'NO, {wrong} metrics differ'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
