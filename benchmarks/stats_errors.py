"""Whether what `compare` says holds as often as it should, by simulation.

Run by ``make bench-stats``: how often intervals of means cover the mean.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.stats._mean_intervals import matched_share_interval, mean_intervals

Array = np.ndarray[Any, Any]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]

RUNS, SIZES = 6_000, (5, 6, 7, 8, 10, 20, 50)
MIDDLE, HIGH, END = (0.1, 0.2, 0.4, 0.2, 0.1), (0.05, 0.1, 0.2, 0.35, 0.3), (0, 0, 0.02, 0.08, 0.9)


def five_points(shares: tuple[float, ...]) -> Draw:
    return lambda rng, size: rng.choice(np.arange(1.0, 6.0), size, p=shares)


def binary(share: float) -> Draw:
    return lambda rng, size: (rng.random(size) < share).astype(float)


#: How scores are drawn, their mean, the scale that is known, the bar, and from which size on.
DRAWS: dict[str, tuple[Draw, float, tuple[float, float] | None, float | None, int]] = {
    "normal": (lambda rng, size: rng.normal(size=size), 0.0, None, 0.93, 5),
    "five points, middle": (five_points(MIDDLE), 3.0, None, 0.93, 5),
    "five points, high": (five_points(HIGH), 3.75, None, 0.93, 5),
    "the same, scale known": (five_points(HIGH), 3.75, (1, 5), 0.93, 5),
    "exponential": (lambda rng, size: rng.exponential(size=size), 1.0, None, 0.88, 5),
    "10% binary": (binary(0.1), 0.1, None, 0.92, 10),
    "90% at the end, scale known": (five_points(END), 4.88, (1, 5), 0.93, 5),
    "90% at the end (has a note)": (five_points(END), 4.88, None, None, 5),
}


def verdict(*, met: bool) -> str:
    return "passed" if met else "MISSED"


def covered(draw: Draw, mean: float, scale: tuple[float, float] | None, n: int) -> float:
    """Simulate two systems of n topics each time."""
    rng = np.random.default_rng([n, 16])
    inside = 0
    for _ in range(RUNS):
        found = mean_intervals(draw(rng, (n, 2)), scale=scale)
        inside += int(((found.low <= mean) & (mean <= found.high)).sum())
    return inside / (2 * RUNS)


def means(console: Console) -> bool:
    table = Table("scores", *map(str, SIZES), "bar", "")
    table.title = f"Coverage of 95% intervals of means, {RUNS:,} runs of two systems"
    every = True
    for name, (draw, mean, scale, bar, least) in DRAWS.items():
        found = {n: covered(draw, mean, scale, n) for n in SIZES}
        met = bar is None or all(share >= bar for n, share in found.items() if n >= least)
        told = ("none", "") if bar is None else (f"{bar:.2f} from {least}", verdict(met=met))
        table.add_row(name, *(f"{share:.3f}" for share in found.values()), *told)
        every &= met
    console.print(table)
    return every


def missing_scores(console: Console) -> bool:
    """Cover least-squares means: easy topics are judged twice as often."""
    rng, found = np.random.default_rng(17), {}
    for n in (10, 20, 50):
        inside = []
        for _ in range(RUNS // 3):
            topics = rng.normal(size=(n, 1))
            values = topics + rng.normal(size=(n, 4))
            values[rng.random(values.shape) < np.where(topics > 0, 0.2, 0.4)] = np.nan
            one = mean_intervals(values)
            there = (~np.isnan(values)).sum(axis=0) > 2
            inside += ((one.low <= 0) & (one.high >= 0))[there].tolist()
        found[n] = float(np.mean(inside))
    met = min(found.values()) >= 0.93
    told = ", ".join(f"n = {n}: {share:.3f}" for n, share in found.items())
    console.print(f"least-squares means, 30% missing: {told}; bar 0.93: {verdict(met=met)}")
    return met


def differences(console: Console) -> bool:
    """Cover the difference of one pair: five-point scores by t, 0/1 scores by Bonett and Price."""
    rng, found = np.random.default_rng(18), {}
    for n in (5, 10, 20, 50):
        inside = {"five points": 0, "0/1": 0}
        for _ in range(RUNS):
            x, y = five_points(HIGH)(rng, (2, n))
            one = mean_intervals((x - y)[:, None], skewed=False)
            # Without any difference there is no interval, and nothing is claimed.
            inside["five points"] += not (one.low[0] > 0 or one.high[0] < 0)
            x, y = binary(0.1)(rng, (1, n))[0], binary(0.3)(rng, (1, n))[0]
            low, high = matched_share_interval(y - x)
            inside["0/1"] += low <= 0.2 <= high
        found[n] = {name: count / RUNS for name, count in inside.items()}
    met = min(min(shares.values()) for shares in found.values()) >= 0.93
    told = "; ".join(f"n = {n}: {', '.join(f'{k} {v:.3f}' for k, v in s.items())}"
                     for n, s in found.items())  # fmt: skip
    console.print(f"differences of a pair: {told}; bar 0.93: {verdict(met=met)}")
    return met


def main() -> int:
    console = Console(width=120)
    met = [means(console), missing_scores(console), differences(console)]
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
