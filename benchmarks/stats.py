"""Resampling of all pairs of systems at once, compared with the usual ways to write it.

Run by ``make bench AREA=stats``. Peers are a NumPy version that is vectorized over the resamples of
one pair, and a loop over resamples that calls SciPy; both are timed on a sample and multiplied.
That they compute the same is checked on the way. Figures are CPU time of one core.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from rich.console import Console
from rich.table import Table
from scipy import stats

from pyramidion.comparison import compare
from pyramidion.stats import permute_pairs, power_curve, required_topics, resample_pairs

Array = np.ndarray[Any, Any]

TOPICS, SYSTEMS, RESAMPLES = 48, 66, 2_000
PAIRS = SYSTEMS * (SYSTEMS - 1) // 2
SAMPLED_PAIRS, SAMPLED_CALLS = 20, 100
MOST_SECONDS, LEAST_BESIDE_NUMPY, LEAST_BESIDE_SCIPY = 2.0, 15, 3_000
LARGE_TOPICS, LARGE_SYSTEMS, PERMUTATIONS = 1_000, 200, 10_000
MOST_LARGE_SECONDS, MOST_GIB = 60.0, 2.0
# Systems, topics and measures of 100,000 rows; the last has 124,750 pairs and no bar.
SHAPES = ((100, 1_000, 1), (20, 1_000, 5), (200, 500, 1), (500, 200, 1))
MILLION, MOST_MILLION_SECONDS = ((100, 10_000, 1), (50, 2_000, 10), (20, 5_000, 10)), 12.0
RANKED, MOST_RANKED_SECONDS = (2_000, 500), {999: 60.0, 9_999: 150.0}
WITH_BAR, MOST_SECONDS_TO_START, STARTS = 3, 2.0, 2
# Systems, topics and measures on one page.
PAGE, MOST_PAGE_MB, MOST_PAGE_SECONDS = (14, 100, 12), 3.0, 15.0


@dataclass(frozen=True)
class Resamples:
    """The same for all versions."""

    swaps: Array
    indices: Array | None

    def of(self, x: Array, y: Array, some: slice = slice(None)) -> tuple[Array, Array]:
        """Return both systems' resampled scores."""
        swaps = self.swaps[some]
        indices = np.arange(TOPICS)[None] if self.indices is None else self.indices[some]
        return np.where(swaps, y[indices], x[indices]), np.where(swaps, x[indices], y[indices])

    def options(self) -> dict[str, Any]:
        """Return the arguments of `resample_pairs`."""
        if self.indices is None:
            return {"method": "mc", "swaps": self.swaps}
        return {"method": "hb", "swaps": self.swaps, "indices": self.indices}


def made_up_scores(*, likert: bool) -> Array:
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(TOPICS, 1)) + rng.normal(size=(TOPICS, SYSTEMS))
    scores += np.linspace(-0.5, 0.5, SYSTEMS)
    return np.clip(np.rint(scores + 3), 1, 5) if likert else np.round(0.1 + 0.02 * scores, 5)


def made_up_resamples() -> dict[str, Resamples]:
    rng = np.random.default_rng(1)
    shape = (RESAMPLES, TOPICS)
    return {
        "MC": Resamples(rng.integers(0, 2, shape), None),
        "HB": Resamples(rng.integers(0, 2, shape), rng.integers(0, TOPICS, shape)),
    }


def numpy_statistics(x: Array, y: Array) -> Array:
    """Statistics of all resamples of one pair: one a row."""
    z = np.round(x - y, 9)
    zeros = np.count_nonzero(z == 0, axis=1, keepdims=True)
    ranks = np.sign(z) * (stats.rankdata(np.abs(z), axis=1) - zeros)
    n = z.shape[1]
    mean = z.mean(axis=1)
    return np.abs(
        [
            ranks.sum(axis=1) / np.sqrt(np.sum(ranks**2, axis=1)),
            mean / (z.std(axis=1, ddof=1) / np.sqrt(n)),
            mean / np.sqrt((x.var(axis=1, ddof=1) + y.var(axis=1, ddof=1)) / n),
        ]
    )


def numpy_pair(x: Array, y: Array, resamples: Resamples) -> tuple[Array, Array]:
    observed = numpy_statistics(x[None], y[None])
    null = numpy_statistics(*resamples.of(x, y))
    p = (np.sum(null >= observed - 1e-9, axis=1) + 1) / (RESAMPLES + 1)
    return p, np.quantile(null, 0.95, axis=1, method="inverted_cdf")


def scipy_calls(x: Array, y: Array, resamples: Resamples) -> None:
    for first, second in zip(*resamples.of(x, y, slice(SAMPLED_CALLS)), strict=True):
        stats.wilcoxon(first, second, method="approx", correction=False)
        stats.ttest_rel(first, second)
        stats.ttest_ind(first, second)


def cpu_seconds(work: Callable[[], Any], *, repeats: int = 1) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def check_same(scores: Array, resamples: Resamples) -> None:
    results = resample_pairs(scores, **resamples.options())
    for row in range(SAMPLED_PAIRS):
        p, cutoffs = numpy_pair(*scores.T[results.pairs[row]], resamples)
        tests = list(results.tests.values())
        np.testing.assert_allclose([test.p[row] for test in tests], p)
        np.testing.assert_allclose([test.cutoff[row] for test in tests], cutoffs)


def seconds(scores: Array, resamples: Resamples) -> tuple[float, float, float]:
    """Seconds for all pairs: ours, NumPy a pair at a time, SciPy a resample at a time."""
    check_same(scores, resamples)
    pairs = resample_pairs(scores, n_resamples=19).pairs[:: PAIRS // SAMPLED_PAIRS]
    ours = cpu_seconds(lambda: resample_pairs(scores, **resamples.options()), repeats=3)
    numpy = cpu_seconds(
        lambda: [numpy_pair(*scores.T[pair], resamples) for pair in pairs], repeats=3
    )
    scipy = cpu_seconds(lambda: scipy_calls(*scores.T[pairs[0]], resamples), repeats=3)
    return ours, numpy * PAIRS / len(pairs), scipy * PAIRS * RESAMPLES / SAMPLED_CALLS


def all_pairs(console: Console, *, likert: bool) -> bool:
    table = Table("", "ours", "NumPy by pair", "ratio", "SciPy loop", "ratio")
    table.title = f"{SYSTEMS} systems x {TOPICS} topics, {'Likert' if likert else 'continuous'}"
    scores, total = made_up_scores(likert=likert), np.zeros(3)
    for name, resamples in made_up_resamples().items():
        timings = np.array(seconds(scores, resamples))
        total += timings
        table.add_row(name, *cells(timings))
    table.add_row("total", *cells(total))
    console.print(table)
    ours, numpy, scipy = total
    return bool(
        ours <= MOST_SECONDS
        and numpy >= LEAST_BESIDE_NUMPY * ours
        and scipy >= LEAST_BESIDE_SCIPY * ours
    )


def cells(timings: Array) -> list[str]:
    ours, numpy, scipy = timings
    ratios = f"{numpy / ours:.0f}", f"{scipy / ours:,.0f}"
    return [f"{ours:.2f} s", f"{numpy:.1f} s", ratios[0], f"{scipy:,.0f} s", ratios[1]]


def peak_gib() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 30 if sys.platform == "darwin" else 1 << 20)


def large(console: Console) -> bool:
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(LARGE_TOPICS, LARGE_SYSTEMS)) + np.linspace(0, 0.3, LARGE_SYSTEMS)
    cpu = cpu_seconds(lambda: permute_pairs(scores, n_resamples=PERMUTATIONS))
    console.print(
        f"{LARGE_SYSTEMS} systems x {LARGE_TOPICS:,} topics, {PERMUTATIONS:,} permutations with "
        f"both max-T: {cpu:.1f} s, peak {peak_gib():.2f} GiB"
    )
    return cpu < MOST_LARGE_SECONDS and peak_gib() < MOST_GIB


def write_scores(
    file: Path, systems: int, topics: int, measures: int, *, likert: bool = False
) -> None:
    rng = np.random.default_rng(3)
    rows = ["topic,system,kind,measure,value"]
    for measure in range(measures):
        scores = rng.normal(size=(topics, 1)) + rng.normal(size=(topics, systems))
        scores = np.round(0.3 + 0.1 * (scores + np.linspace(-0.3, 0.3, systems)), 5)
        # One to five, as people judge: such scores were written into every tile of a figure.
        scores = np.clip(np.round(10 * scores), 1, 5) if likert else scores
        rows += [
            f"D{topic:04},{system},machine,m{measure},{score!r}"
            for topic, row in enumerate(scores.tolist())
            for system, score in enumerate(row)
        ]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")


def seconds_to_start(file: Path, *, whole: bool = False) -> float:
    """CPU seconds of a process, with all its threads, until it has printed a byte, or ended."""
    command = [sys.executable, "-m", "pyramidion", "compare", file]
    usual = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=usual) as process:
        assert process.stdout is not None
        if not process.stdout.read(1):
            raise SystemExit(f"{file}: nothing was printed")
        if whole:
            process.stdout.read()
        else:
            process.kill()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
    return used.ru_utime + used.ru_stime


def starting(console: Console) -> bool:
    table = Table("systems", "topics", "measures", "pairs", "CPU time")
    table.title = "compare, 100,000 rows: until it starts printing"
    slowest = 0.0
    for number, shape in enumerate(SHAPES):
        systems, topics, measures = shape
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "scores.csv"
            write_scores(file, *shape)
            cpu = min(seconds_to_start(file) for _ in range(STARTS))
        pairs = measures * systems * (systems - 1) // 2
        table.add_row(str(systems), f"{topics:,}", str(measures), f"{pairs:,}", f"{cpu:.2f} s")
        slowest = max(slowest, cpu) if number < WITH_BAR else slowest
    console.print(table)
    return slowest <= MOST_SECONDS_TO_START


def signed_ranks(console: Console) -> bool:
    """Time the signed ranks of 124,750 pairs with step-down max-T."""
    rng = np.random.default_rng(4)
    topics, systems = RANKED
    scores = rng.normal(size=(topics, 1)) + rng.normal(size=RANKED) + np.linspace(0, 0.3, systems)
    frame = pd.DataFrame(np.round(scores, 3), columns=[str(i) for i in range(systems)])
    met = True
    for resamples, most in MOST_RANKED_SECONDS.items():
        cpu = cpu_seconds(partial(compare, frame, test="wilcoxon", n_resamples=resamples))
        held = cpu <= most and peak_gib() < MOST_GIB
        met &= held
        console.print(
            f"wilcoxon, {systems} systems x {topics:,} topics, max-T with {resamples:,} resamples: "
            f"{cpu:.1f} s, peak {peak_gib():.2f} GiB; bars {most:g} s and {MOST_GIB:g} GiB: "
            f"{'passed' if held else 'MISSED'}"
        )
    return met


def million(console: Console) -> bool:
    """Time whole runs of compare on a million rows, until everything is printed."""
    met = True
    for shape in MILLION:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "scores.csv"
            write_scores(file, *shape)
            cpu = min(seconds_to_start(file, whole=True) for _ in range(2))
        met &= cpu <= MOST_MILLION_SECONDS
        console.print(
            "compare, a million rows, {} systems x {:,} topics x {} measures: ".format(*shape)
            + f"{cpu:.1f} s; bar {MOST_MILLION_SECONDS:g} s: "
            + ("passed" if cpu <= MOST_MILLION_SECONDS else "MISSED")
        )
    return met


def report(console: Console) -> bool:
    """Size, CPU time of the whole process, and number of nodes of the page about a comparison."""
    table = Table("scores", "size", "CPU time", "tags")
    table.title = "report, {} systems x {} topics x {} measures".format(*PAGE)
    met = True
    for likert in (False, True):
        with tempfile.TemporaryDirectory() as folder:
            file, page = Path(folder) / "scores.csv", Path(folder) / "report.html"
            write_scores(file, *PAGE, likert=likert)
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            command = [sys.executable, "-m", "pyramidion", "report", file, "-o", page]
            subprocess.run(command, check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            html = page.read_text(encoding="utf-8")
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        size = len(html.encode()) / 1e6
        met &= size <= MOST_PAGE_MB and cpu <= MOST_PAGE_SECONDS
        name = "1 to 5" if likert else "continuous"
        table.add_row(name, f"{size:.2f} MB", f"{cpu:.1f} s", f"{html.count('<'):,}")
    console.print(table)
    bar = f"at most {MOST_PAGE_MB:g} MB and {MOST_PAGE_SECONDS:g} s"
    console.print(f"report, {bar}: {'passed' if met else 'MISSED'}")
    return met


def other_procedures(console: Console) -> None:
    machine, human = [0.14, 0.36, 0.31, 0.13, 0.06], [0.01, 0.03, 0.12, 0.34, 0.5]
    scores = made_up_scores(likert=True)
    works: dict[str, Callable[[], Any]] = {
        "power curve, settings of section 3.7": lambda: power_curve(machine, human),
        "topics needed, 2,145 pairs, permutation": lambda: required_topics(scores),
        "topics needed, 2,145 pairs, Wilcoxon": lambda: required_topics(scores, test="wilcoxon"),
        "all pairs, 42,899 permutations": lambda: permute_pairs(scores, n_resamples=42_899),
    }
    for name, work in works.items():
        console.print(f"{name}: {cpu_seconds(work):.2f} s")


def main() -> int:
    console = Console()
    met = [
        all_pairs(console, likert=False),
        all_pairs(console, likert=True),
        large(console),
        signed_ranks(console),
        starting(console),
        million(console),
        report(console),
    ]
    other_procedures(console)
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
