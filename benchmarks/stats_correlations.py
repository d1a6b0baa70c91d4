"""Whether the intervals of `meta` cover what they should, by simulation, and how long they take.

Run by ``make bench AREA=stats``. Systems and topics are drawn from a population in which the
correlations are known: Kendall's tau is 2/pi asin(r). At system level the truth is the correlation
of the systems' means over all topics there could be.
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

Array = np.ndarray[Any, Any]

RUNS, RESAMPLES, LEAST = 300, 400, 0.90
# Systems, topics, correlation of the systems' qualities and of what is left in a summary, and the
# spread of the qualities (that of the rest is 1).
POPULATIONS = (
    (8, 20, 0.6, 0.3, 0.5),
    (16, 40, 0.0, 0.0, 0.5),
    (16, 40, 0.6, 0.3, 0.5),
    (16, 40, 0.95, 0.6, 1.0),
    (30, 50, 0.9, 0.5, 1.0),
)
# Means of so few topics are so noisy that no interval of resamples covers; it has no bar.
NOISY = (30, 20, 0.95, 0.3, 0.5)
SHOWN = tuple(product(("system", "input"), ("pearson", "kendall")))
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
    _, _, between, within, spread = population
    part = 1 if level == "system" else spread**2 / (spread**2 + 1)
    r = part * between + (1 - part) * within
    return r if coefficient == "pearson" else 2 / math.pi * math.asin(r)


def covered(population: tuple[int, int, float, float, float], method: Any) -> dict[Any, float]:
    """Count how often intervals cover the truth, and (under no name) contain their estimate."""
    rng = np.random.default_rng(16)
    inside: dict[Any, float] = dict.fromkeys((*SHOWN, ""), 0.0)
    for run in range(RUNS):
        options = MetaOptions(
            peers=("all",), levels=("system", "input"), coefficients=("pearson", "kendall"),
            test=(), method=method, n_resamples=RESAMPLES, seed=run,
        )  # fmt: skip
        rows = correlations_of_metrics(draw_tables(rng, population), options)["metric"]
        for row in rows:
            if (row.level, row.coefficient) in SHOWN:
                expected = truth(population, row.level, row.coefficient)
                inside[row.level, row.coefficient] += (row.low <= expected <= row.high) / RUNS
                inside[""] += (row.low <= row.value <= row.high) / RUNS / len(SHOWN)
    return inside


def coverage(console: Console) -> bool:
    table = Table("systems x topics", "r of quality", "interval", *map(" ".join, SHOWN), "estimate")
    table.title = f"Coverage of 95% intervals over systems and topics, {RUNS:,} runs each"
    table.caption = f"bar: bca at least {LEAST} and the estimate always inside; the last has none"
    least, contained = 1.0, 1.0
    for population, method in product((*POPULATIONS, NOISY), ("percentile", "bca")):
        rates = covered(population, method)
        shares = [rates[what] for what in SHOWN]
        if method == "bca":
            contained = min(contained, rates[""])
            least = min(least, *shares) if population != NOISY else least
        name = f"{population[0]} x {population[1]}"
        cells = (f"{share:.3f}" for share in (*shares, rates[""]))
        table.add_row(name, f"{population[2]}", method, *cells)
    console.print(table)
    met = least >= LEAST and contained > 1 - 1e-9
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
