"""All sub-pyramids of ten references for twenty summaries, compared with a loop over combinations.

Run by ``python benchmarks/pyramid_stability.py``. The loop scores one summary by one sub-pyramid
at a time, as `score_content` does it, and is timed on a sample; that both compute the same is
checked on the way. Figures are CPU seconds of one core; the bar is 5 for the whole study.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.pyramid.content_units import Content, score_content
from pyramidion.studies._stability.growth import (
    GrowingScores,
    RankedSummaries,
    score_growth,
    spread_by_order,
)
from pyramidion.studies._stability.ranking import (
    divergence_points,
    rank_correlations,
    ranking_errors,
    resampled_correlations,
)

REFERENCES, PEERS, UNITS = 10, 10, 156
SAMPLED = 50
MOST_SECONDS = 5.0


def made_up_contenders() -> RankedSummaries:
    """Ten references and ten peers with the 156 content units of DUC 2005's mean pyramid."""
    rng = np.random.default_rng(0)
    shares = rng.beta(0.6, 3, size=(UNITS, 1))
    membership = rng.random((UNITS, REFERENCES)) < shares
    contents = [Content(column.astype(np.int64)) for column in membership.T]
    for _ in range(PEERS):
        expressed = (rng.random(UNITS) < 0.7 * shares[:, 0]).astype(np.int64)
        contents.append(Content(expressed, outside=int(rng.integers(8))))
    names = tuple(f"summary {number}" for number in range(REFERENCES + PEERS))
    owners = np.array([*range(REFERENCES), *[-1] * PEERS])
    return RankedSummaries(names, tuple(contents), owners, membership.astype(np.int64))


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least CPU seconds of three runs, and what the work gives."""
    seconds = []
    for _ in range(3):
        begin = time.process_time()
        result = work()
        seconds.append(time.process_time() - begin)
    return min(seconds), result


def by_loop(contenders: RankedSummaries, grown: GrowingScores) -> int:
    """Score some sub-pyramids one summary at a time, and count scores that are not the same."""
    different = 0
    for row in range(0, len(grown.values), len(grown.values) // SAMPLED):
        models = grown.included[row] > 0
        for column, content in enumerate(contenders.contents):
            if contenders.reference[column] < 0 or not models[contenders.reference[column]]:
                score = score_content(content, contenders.counted[:, models]).original
                different += score != grown.values[row, column]
    return different


def main() -> int:
    contenders = made_up_contenders()
    steps: dict[str, Callable[[], Any]] = {
        "scores by all 1,023 sub-pyramids": lambda: score_growth(contenders),
        "rank correlations, 252 splits": lambda: rank_correlations(contenders),
        "models drawn with replacement": lambda: resampled_correlations(contenders),
    }
    timings = {name: timed(work) for name, work in steps.items()}
    grown = timings["scores by all 1,023 sub-pyramids"][1]
    timings["spread, divergence, errors of 190 pairs"] = timed(
        lambda: (spread_by_order(grown), divergence_points(grown), ranking_errors(grown))
    )
    loop, different = timed(lambda: by_loop(contenders, grown))
    rows = len(range(0, len(grown.values), len(grown.values) // SAMPLED))
    table = Table(
        title=f"{len(contenders.names)} summaries, {REFERENCES} references, {UNITS} units"
    )
    table.add_column("work")
    table.add_column("CPU seconds", justify="right")
    for name, (seconds, _) in timings.items():
        table.add_row(name, f"{seconds:.3f}")
    total = sum(seconds for seconds, _ in timings.values())
    table.add_row("total", f"{total:.3f}")
    table.add_row("the scores in a loop (sampled)", f"{loop * len(grown.values) / rows:.3f}")
    Console().print(table)
    print(f"scores that differ from the loop's: {different}; the bar is {MOST_SECONDS:g} seconds")
    return int(different > 0 or total > MOST_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
