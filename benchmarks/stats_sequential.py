"""Whether intervals of pairs hold at the same time, and sequential comparisons at every time.

Run by ``make bench AREA=stats``. Sizes, seed and bars were set before the results were seen: 1,000
runs of two systems (the standard error of .05 is .007) and 300 of five, which have ten pairs each.
Intervals of pairs must all hold in .92 of the runs. Sequential comparisons are looked at after
every topic and stopped at the worst moment; the promised error is .05, and the bar allows three
standard errors above it. Plans must state the mean number of topics within a tenth; a single
pilot of 200 topics missed it (109 instead of 125), so that plans are now the mean of 20 pilots.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.collection import ScoreMatrix
from pyramidion.comparison import compare, power
from pyramidion.comparison.procedures import StatisticName, TestName
from pyramidion.stats import confidence_sequence

Array = np.ndarray[Any, Any]

SEED, RUNS, FEW_RUNS, SYSTEMS, TOPICS = 20261118, 1_000, 300, 5, 150
LEAST_COVERAGE, ERROR = 0.92, 0.05
PILOTS, MIDDLE = 20, (0.1, 0.2, 0.4, 0.2, 0.1)
NAMES = [str(system) for system in range(SYSTEMS)]


def verdict(*, met: bool) -> str:
    return "passed" if met else "MISSED"


def normal(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    means = np.linspace(0, 1, SYSTEMS)
    return rng.normal(size=(n, 1)) + rng.normal(size=(n, SYSTEMS)) + means, means


def binary(rng: np.random.Generator, n: int) -> tuple[Array, Array]:
    means = np.linspace(0.3, 0.7, SYSTEMS)
    return (rng.random((n, SYSTEMS)) < means).astype(float), means


CASES: tuple[tuple[str, Callable[..., tuple[Array, Array]], TestName, StatisticName], ...] = (
    ("normal", normal, "permutation", "w"), ("normal", normal, "paired-t", "w"),
    ("normal", normal, "wilcoxon", "w"), ("normal", normal, "hb", "t"),
    ("0/1", binary, "permutation", "w"),
)  # fmt: skip


def together(console: Console) -> bool:
    """Count how often the intervals of all ten pairs hold."""
    sizes = (6, 10, 20, 48)
    table = Table("scores", "test", *(f"{n} topics" for n in sizes), "bar", "")
    table.title = f"All ten intervals of pairs hold (95%, max-T), {FEW_RUNS} runs of five systems"
    every = True
    for name, draw, test, statistic in CASES:
        shares = []
        for n in sizes:
            rng, held = np.random.default_rng([SEED, 1, n]), 0
            for run in range(FEW_RUNS):
                values, means = draw(rng, n)
                matrix = ScoreMatrix(values, [f"T{i}" for i in range(n)], NAMES, measure="m")
                how: dict[str, Any] = {"test": test, "statistic": statistic}
                pairs = compare(matrix, n_resamples=499, seed=run, **how)[0].comparisons
                # A pair without an interval claims nothing.
                held += not any(
                    means[int(p.a)] - means[int(p.b)] < p.low
                    or means[int(p.a)] - means[int(p.b)] > p.high
                    for p in pairs
                )
            shares.append(held / FEW_RUNS)
        met = min(shares) >= LEAST_COVERAGE
        cells = (f"{share:.3f}" for share in shares)
        table.add_row(name, test, *cells, f"{LEAST_COVERAGE}", verdict(met=met))
        every &= met
    console.print(table)
    return every


def rare(rng: np.random.Generator, size: tuple[int, ...]) -> Array:
    """Draw differences that are mostly 0, and rarely large: mean zero, skewed."""
    return np.where(rng.random(size) < 0.05, 0.95, -0.05)


DIFFERENCES: dict[str, tuple[Callable[..., Array], float]] = {
    "five points": (lambda rng, n: rng.integers(-2, 3, n).astype(float), 4.0),
    "five points, mostly equal": (lambda rng, n: rng.choice([-1.0, 0, 0, 0, 0, 1], n), 4.0),
    "0/1": (lambda rng, n: rng.choice([-1.0, 0, 1], n), 1.0),
    "shares": (lambda rng, n: rng.normal(0, 0.08, n).clip(-1, 1), 1.0),
    "rare and skewed": (rare, 1.0),
}


def at_any_time(console: Console) -> bool:
    """Stop two equal systems at the worst moment, and count intervals that ever miss."""
    table = Table("differences", "stopped wrongly", "at 0.3 sd: mean stop", "bar", "")
    table.title = f"compare --sequential, {TOPICS} topics, {RUNS:,} runs of two equal systems"
    every, bar = True, ERROR + 3 * np.sqrt(ERROR * (1 - ERROR) / RUNS)
    for name, (draw, reach) in DIFFERENCES.items():
        rng, wrong, stops = np.random.default_rng([SEED, 2]), 0, []
        for run in range(RUNS):
            values = draw(rng, (TOPICS,))
            ends = {"bounds": (-reach, reach)}
            wrong += confidence_sequence(values, **ends).stop is not None
            if run < FEW_RUNS:
                moved = np.clip(values + 0.3 * values.std(), -reach, reach)
                stops.append(confidence_sequence(moved, **ends).stop or TOPICS)
        met = wrong / RUNS <= bar
        table.add_row(
            name, f"{wrong / RUNS:.3f}", f"{np.mean(stops):.0f}", f"{bar:.3f}", verdict(met=met)
        )
        every &= met
    console.print(table)
    return every


def several(console: Console) -> bool:
    """Stop five equal systems when any pair is decided."""
    bar = ERROR + 3 * np.sqrt(ERROR * (1 - ERROR) / FEW_RUNS)
    rng, topics, met = np.random.default_rng([SEED, 3]), [f"T{i}" for i in range(60)], True
    for correction in ("holm", "bh"):
        wrong = 0
        for _ in range(FEW_RUNS):
            values = rng.integers(1, 6, (60, SYSTEMS)).astype(float)
            matrix = ScoreMatrix(values, topics, NAMES, measure="m")
            how: dict[str, Any] = {"correction": correction, "scale": (1, 5)}
            result = compare(matrix, sequential=True, **how)[0]
            # Holm's decisions stay; with e-BH what is found after the last topic counts.
            wrong += any(pair.decided_after for pair in result.sequence)
        share = wrong / FEW_RUNS
        met &= share <= bar
        console.print(
            f"five equal systems, {correction}: some pair decided in {share:.3f} of {FEW_RUNS} "
            f"runs; bar {bar:.3f}: {verdict(met=share <= bar)}"
        )
    return met


def plans(console: Console) -> bool:
    """Compare the mean number of topics of plans with that of new evaluations."""
    rng, met = np.random.default_rng([SEED, 4]), True
    topics = [f"T{i}" for i in range(200)]
    for difference in (0.3, 0.6):
        planned, fixed, stops = [], [], []
        for _ in range(PILOTS):
            pilot = rng.choice(np.arange(1.0, 6.0), (200, 2), p=MIDDLE)
            matrix = ScoreMatrix(pilot, topics, ["x", "y"], measure="m")
            how: dict[str, Any] = {"scale": (1, 5), "difference": difference}
            plan = power(matrix.to_scores(), sequential=True, **how)[0]
            assert plan.sequential
            planned.append(plan.sequential.expected)
            fixed.append(plan.sequential.fixed)
        for _ in range(FEW_RUNS):
            a, b = rng.choice(np.arange(1.0, 6.0), (2, 1000), p=MIDDLE)
            # Shares of the next higher score, so that no difference leaves the scale.
            b = np.where(rng.random(1000) < difference / 0.9, np.minimum(b + 1, 5), b)
            stops.append(confidence_sequence(b - a, bounds=(-4, 4)).stop or 1000)
        ratio = float(np.mean(planned) / np.mean(stops))
        held = abs(ratio - 1) <= 0.1
        met &= held
        console.print(
            f"difference {difference}: planned {np.mean(planned):.0f} topics on average over "
            f"{PILOTS} pilots, took {np.mean(stops):.0f} (fixed in advance: {np.mean(fixed):.0f}); "
            f"bar 10%: {verdict(met=held)}"
        )
    return met


def main() -> int:
    console = Console(width=120)
    met = [at_any_time(console), several(console), plans(console), together(console)]
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
