"""Judging metrics: bootstrapping an input-level correlation, compared with nlpstats.

Run by ``make bench AREA=meta``. nlpstats draws and correlates one resample after the other; it is
timed on some resamples and multiplied, and given our draws, so that its values can be compared with
ours. Figures are CPU time, of all threads together.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from nlpstats.correlations import bootstrap
from rich.console import Console
from rich.table import Table

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.collection.formats.scores import write_scores
from pyramidion.stats import clustered_interval

Array = np.ndarray[Any, Any]

TOPICS, SYSTEMS, PEOPLE, METRICS = 44, 50, 8, 30
RESAMPLES, SAMPLED, REPEATS = 9_999, 40, 3
LEAST_RATIO, MOST_SECONDS = 25, 60.0


def made_up_tables() -> dict[str, Array]:
    """Pyramid scores and metrics of which some see more of the quality than others."""
    rng = np.random.default_rng(0)
    quality = rng.normal(size=SYSTEMS)
    quality[-PEOPLE:] += 2
    topics = rng.normal(size=(TOPICS, 1))
    deviations = rng.normal(size=(TOPICS, SYSTEMS))
    tables = {"pyramid": 0.4 + 0.1 * (quality + topics + deviations)}
    for number, noise in enumerate(np.linspace(0.3, 2.5, METRICS)):
        heard = quality * rng.uniform(0.5, 1) + 0.5 * deviations + topics
        tables[f"metric-{number}"] = 0.1 + 0.02 * (
            heard + noise * rng.normal(size=deviations.shape)
        )
    # As printed by a program: four digits, so that there are ties.
    return {name: np.round(table, 4) for name, table in tables.items()}


def cpu_seconds(work: Callable[[], Any], *, repeats: int = 1) -> float:
    times = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def given_draws(systems: Array, inputs: Array) -> Callable[..., list[Array]]:
    """Make nlpstats use the given draws, row by row."""
    rows = iter(zip(systems, inputs, strict=True))

    def resample(matrices: list[Array], **_: Any) -> list[Array]:
        chosen = np.ix_(*next(rows))
        return [matrix[chosen] for matrix in matrices]

    return resample


def beside_nlpstats(console: Console, tables: dict[str, Array]) -> bool:
    rng = np.random.default_rng(1)
    systems = rng.integers(SYSTEMS, size=(RESAMPLES, SYSTEMS))
    inputs = rng.integers(TOPICS, size=(RESAMPLES, TOPICS))
    metric, human = tables["metric-3"], tables["pyramid"]

    def ours() -> Array:
        return clustered_interval(
            metric, human, level="input", system_indices=systems, input_indices=inputs
        ).samples

    def theirs() -> Array:
        draws = given_draws(systems[:SAMPLED], inputs[:SAMPLED])
        correlations = bootstrap(metric.T, human.T, "input", "kendall", draws, n_resamples=SAMPLED)
        return np.array(correlations.samples)

    np.testing.assert_allclose(ours()[:SAMPLED], theirs(), rtol=1e-12)
    our_seconds = cpu_seconds(ours, repeats=REPEATS)
    other = cpu_seconds(theirs, repeats=REPEATS) * RESAMPLES / SAMPLED
    table = Table("", "CPU time", "ratio")
    table.title = (
        f"Kendall at input level, {SYSTEMS} systems x {TOPICS} topics, {RESAMPLES:,} resamples"
    )
    table.add_row("ours", f"{our_seconds:.2f} s", "")
    table.add_row(
        f"nlpstats, extrapolated from {SAMPLED}", f"{other:.0f} s", f"{other / our_seconds:.0f}"
    )
    console.print(table)
    console.print(f"the first {SAMPLED} values are equal")
    return other >= LEAST_RATIO * our_seconds


def write_table(tables: dict[str, Array], file: Path) -> None:
    topics = [f"D{number:02}" for number in range(TOPICS)]
    systems = [str(number) for number in range(SYSTEMS - PEOPLE)]
    systems += [chr(ord("A") + number) for number in range(PEOPLE)]
    people = np.arange(SYSTEMS) >= SYSTEMS - PEOPLE
    parts = (
        ScoreMatrix(table, topics, systems, people, measure=name).to_scores()
        for name, table in tables.items()
    )
    write_scores(Scores.concatenate(parts), file)


def command_seconds(file: Path, *options: str) -> float:
    """CPU seconds of a whole process, with all its threads."""
    program = Path(sys.executable).with_name("pyramidion")
    command = [program, "meta", file, "--human", "pyramid", "--format", "json", *options]
    usual = {name: value for name, value in os.environ.items() if "NUM_THREADS" not in name}
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, env=usual) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"pyramidion meta ended with {process.returncode}")
    return used.ru_utime + used.ru_stime


def all_at_once(console: Console, tables: dict[str, Array]) -> bool:
    table = Table("pyramidion meta", "CPU time")
    pairs = METRICS * (METRICS - 1) // 2
    table.title = f"{METRICS} metrics, {SYSTEMS} systems, {TOPICS} topics, 1,000 resamples"
    table.caption = (
        f"3 levels x 4 coefficients, with and without {PEOPLE} people, bootstrap; "
        f"{pairs} pairs at 2 levels, with and without people, permutations"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scores.csv"
        write_table(tables, file)
        whole = command_seconds(file)
        table.add_row("complete command", f"{whole:.1f} s")
        table.add_row("without tests", f"{command_seconds(file, '--test', 'none'):.1f} s")
    console.print(table)
    return whole < MOST_SECONDS


def main() -> int:
    console = Console()
    tables = made_up_tables()
    met = [beside_nlpstats(console, tables), all_at_once(console, tables)]
    console.print(f"bars met: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
