"""Whether the intervals of `meta` cover what they should, by simulation, and how long they take.

Run by ``make bench AREA=stats``. Systems and topics are drawn from a population in which the
correlations are known: Kendall's tau is 2/pi asin(r). At system level the truth is the correlation
of the systems' means over as many topics as were drawn, which carry their noise; corrected for
noise, that of their means over all topics there could be.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import math
import sys
import time
from itertools import product
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.comparison.measure_tables import MetaTables
from pyramidion.meta_evaluation import _measure as measure
from pyramidion.meta_evaluation._measure import correlations_of_metrics
from pyramidion.meta_evaluation._result import MetaOptions
from pyramidion.stats import corrected_correlation

Array = np.ndarray[Any, Any]

# Set before the results were seen: the standard error of a rate of .95 is .01.
RUNS, LEAST = 500, 0.92
# Systems, topics, correlation of the systems' qualities and of what is left in a summary, and the
# spread of the qualities (that of the rest is 1).
POPULATIONS = (
    *((systems, 50, r, 0.5, 1.0) for systems in (10, 30, 60) for r in (0.5, 0.8, 0.92, 0.95, 0.99)),
    (16, 40, 0.0, 0.0, 0.5),
    (30, 20, 0.95, 0.3, 0.5),
    (60, 30, 0.99, 0.95, 1.0),
)
# The previous default, for comparison, where correlations are high.
BCA, BCA_RUNS, RESAMPLES = (((30, 20, 0.95, 0.3, 0.5), (60, 50, 0.99, 0.5, 1.0))), 100, 400
SHOWN = tuple(product(("system", "input"), ("pearson", "kendall")))
CORRECTED = ("corrected", "pearson")
LARGE_SYSTEMS, LARGE_TOPICS, MOST_SECONDS = 500, 2_000, 60.0


def side_by_side(human: Array, metric: Array) -> MetaTables:
    topics, systems = human.shape
    return MetaTables(
        human="human",
        task="",
        topics=tuple(map(str, range(topics))),
        systems=tuple(map(str, range(systems))),
        people=np.zeros(systems, dtype=bool),
        truth=human,
        metrics={"metric": metric},
    )


def draw_tables(
    rng: np.random.Generator, population: tuple[int, int, float, float, float]
) -> MetaTables:
    systems, topics, between, within, spread = population
    quality = rng.multivariate_normal([0, 0], [[1, between], [between, 1]], size=systems)
    rest = rng.multivariate_normal([0, 0], [[1, within], [within, 1]], size=(topics, systems))
    both = spread * quality + rest
    return side_by_side(both[..., 0], both[..., 1])


def truth(population: tuple[int, int, float, float, float], level: str, coefficient: str) -> float:
    """Return what an interval should cover: of means over the drawn topics, or over all."""
    _, topics, between, within, spread = population
    noise = {"system": 1 / topics, "input": 1.0, "corrected": 0.0}[level]
    part = spread**2 / (spread**2 + noise)
    r = part * between + (1 - part) * within
    return r if coefficient == "pearson" else 2 / math.pi * math.asin(r)


def covered(
    population: tuple[int, int, float, float, float], method: Any, runs: int
) -> dict[Any, float]:
    """Count how often intervals cover the truth."""
    rng = np.random.default_rng(16)
    inside = dict.fromkeys((*SHOWN, CORRECTED), 0.0)
    for run in range(runs):
        options = MetaOptions(
            peers=("all",), levels=("system", "input"), coefficients=("pearson", "kendall"),
            test=(), method=method, n_resamples=RESAMPLES, seed=run,
        )  # fmt: skip
        tables = draw_tables(rng, population)
        for row in correlations_of_metrics(tables, options)["metric"]:
            if (row.level, row.coefficient) in SHOWN:
                expected = truth(population, row.level, row.coefficient)
                inside[row.level, row.coefficient] += (row.low <= expected <= row.high) / runs
        interval = corrected_correlation(tables.metrics["metric"], tables.truth).interval
        # Without an interval, which the output says, nothing is claimed.
        missed = interval.low > population[2] or interval.high < population[2]
        inside[CORRECTED] += (not missed) / runs
    return inside


def coverage(console: Console) -> bool:
    table = Table(
        "systems x topics", "r of quality", "interval", *map(" ".join, SHOWN), "corrected"
    )
    table.title = f"Coverage of 95% intervals of correlations, {RUNS} runs each (BCa {BCA_RUNS})"
    table.caption = (
        "system and input: of means over the drawn topics; corrected: Pearson's r of all "
        f"topics. Bar: jackknife and corrected at least {LEAST}"
    )
    least = 1.0
    every = [*((p, "jackknife", RUNS) for p in POPULATIONS), *((p, "bca", BCA_RUNS) for p in BCA)]
    for population, method, runs in every:
        shares = list(covered(population, method, runs).values())
        least = min(least, *shares) if method == "jackknife" else least
        name = f"{population[0]} x {population[1]}"
        table.add_row(name, f"{population[2]}", method, *(f"{share:.3f}" for share in shares))
    console.print(table)
    met = least >= LEAST
    console.print(f"least {least:.3f}: {'passed' if met else 'MISSED'}")
    return met


def large(console: Console) -> bool:
    """Time all that `meta` computes of one metric at input level with Kendall's tau."""
    rng = np.random.default_rng(0)
    quality, shape = rng.normal(size=LARGE_SYSTEMS), (LARGE_TOPICS, LARGE_SYSTEMS)
    human = np.clip(np.rint(3 + quality / 2 + rng.normal(size=shape)), 1, 5)
    metric = np.round(quality + human / 3 + 1.5 * rng.normal(size=shape), 4)
    options = MetaOptions(levels="input", coefficients="kendall", test=())
    start = time.process_time()
    rows = correlations_of_metrics(side_by_side(human, metric), options)["metric"]
    seconds = time.process_time() - start
    row = next(row for row in rows if (row.level, row.coefficient) == ("input", "kendall"))
    met = seconds <= MOST_SECONDS and row.low < row.value < row.high
    console.print(
        f"Kendall at input level, {LARGE_SYSTEMS} systems x {LARGE_TOPICS:,} topics, "
        f"{options.n_resamples:,} resamples: {seconds:.1f} CPU s (at most {MOST_SECONDS:.0f}): "
        f"{'passed' if met else 'MISSED'}"
    )
    return met


def main() -> int:
    console = Console(width=130)
    met = [large(console)]
    # Only what is shown is resampled.
    measure._MOST_RESAMPLED = 0
    met.append(coverage(console))
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
