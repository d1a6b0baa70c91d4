"""How well metrics stand in for people: single ones, CLASSY, and the learners beyond the papers.

Run by ``make bench-prediction``; reads SummEval and REALSumm in ``../shared/data``. Topics are cut
into three parts that play the years of TAC: models learn from two and predict the third, so that
nothing is ever fitted or chosen on a topic it is tested on. 1, 2 -> 3 is the papers' order, 3, 2 ->
1 the other way round, and 1, 3 -> 2 completes the 100 topics. Intervals draw systems and topics
(BOOT-BOTH). ``--all`` prints all metrics, ``--csv FILE`` writes them.

Topics are never shared, systems are: all of them wrote for all topics, as those of TAC do not. The
last lines of the summary therefore let models predict systems that they have not learned from, and
compare these systems with each other only.
"""

import os

# A waiting thread of BLAS burns CPU time without doing anything.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import csv
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from prediction_sets import DATA, TARGETS, Array, Judged, classy, learned, single
from pyramidion.stats import (
    clustered_correlation,
    clustered_difference_interval,
    clustered_interval,
)

LEVELS, COEFFICIENTS = ("system", "input"), ("pearson", "spearman", "kendall")
RESAMPLES, SYSTEM_GROUPS, GROUPINGS = 1_000, 4, 3
MODELS = ("CLASSY", "ranking", "regularised")


def correlations(metric: Array, human: Array) -> dict[tuple[str, str], tuple[float, float, float]]:
    found = {}
    for level in LEVELS:
        for coefficient in COEFFICIENTS:
            result = clustered_interval(
                metric,
                human,
                level=level,
                coefficient=coefficient,
                n_resamples=RESAMPLES,
                rng=0,
            )
            low, high = result.interval.low, result.interval.high
            found[level, coefficient] = (result.value, low, high)
    return found


def shown(found: tuple[float, float, float]) -> str:
    value, low, high = found
    return f"{value:.3f} [{low:.2f}, {high:.2f}]"


def compared(judged: Judged, target: str, console: Console, *, everything: bool) -> Iterator[Any]:
    """Print the table of one target, and give its rows."""
    human = judged.matrix(judged.human(target))
    metrics = list(single(judged))
    made = {"CLASSY": classy(judged, target)}
    made |= {method: learned(judged, target, method) for method in ("ranking", "regularised")}
    metrics += [("model", name, values) for name, (values, _) in made.items()]
    rows = [
        (kind, name, values, correlations(judged.matrix(values), human))
        for kind, name, values in metrics
    ]
    rows.sort(key=lambda row: -np.nan_to_num(row[3]["input", "kendall"][0], nan=-1.0))
    table = Table(title=f"{judged.name}, {target}: 100 topics, each predicted by others")
    for column in ("kind", "metric", *(f"{a} {b}" for a in LEVELS for b in COEFFICIENTS)):
        table.add_column(column, overflow="fold")
    for kind, name, _, found in rows if everything else _few(rows):
        table.add_row(kind, name, *(shown(found[key]) for key in found))
    console.print(table)
    for name, (_, chosen) in made.items():
        console.print(f"{name}: {', '.join(chosen)}")
    for kind, name, values, found in rows:
        yield judged, target, kind, name, values, found


def _few(rows: list[Any]) -> list[Any]:
    """Take ROUGE and models, and the best five of the others."""
    best: dict[str, int] = {}
    few = []
    for row in rows:
        best[row[0]] = best.get(row[0], 0) + 1
        if row[0] in ("ROUGE", "model") or best[row[0]] <= 5:
            few.append(row)
    return few


def verdict(rows: list[Any]) -> tuple[bool, dict[str, str]]:
    """Compare the models with the best single metrics, in Kendall's correlation within topics."""
    judged, target = rows[0][:2]
    tau = {name: found["input", "kendall"] for *_, name, _, found in rows}
    values = {name: own for *_, name, own, _ in rows}
    best = {kind: _best(rows, kind) for kind in ("ROUGE", "family", "published")}
    rouge = best["ROUGE"]
    better = max(("CLASSY", "regularised"), key=lambda name: tau[name][0])
    difference = clustered_difference_interval(
        judged.matrix(values[better]),
        judged.matrix(values[rouge]),
        judged.matrix(judged.human(target)),
        level="input",
        n_resamples=RESAMPLES,
        rng=0,
    )
    names = (rouge, *MODELS)
    ways = [[_tau(judged, target, values[n], judged.parts[p]) for n in names] for p in (2, 0)]
    unknown = _unknown_systems(judged, target, values[rouge])
    above = {kind: tau[better][0] > tau[best[kind]][0] for kind in ("ROUGE", "published")}
    said = {True: "above", False: "NOT above"}
    cells = {f"best {kind}": f"{own}\n{shown(tau[own])}" for kind, own in best.items()}
    cells |= {name: shown(tau[name]) for name in MODELS}
    cells["better - best ROUGE"] = shown(
        (difference.value, difference.interval.low, difference.interval.high)
    )
    for name, way in zip(("1, 2 -> 3", "3, 2 -> 1"), ways, strict=True):
        cells[f"{name}: best ROUGE, {', '.join(MODELS)}"] = " ".join(f"{v:.3f}" for v in way)
    place = names.index(better)
    each = ["above" if way[place] > way[0] else "NOT above" for way in ways]
    cells["better model and best ROUGE, each way"] = ", ".join(each)
    cells["unknown systems: best ROUGE, regularised"] = " ".join(f"{v:.3f}" for v in unknown)
    cells["better model"] = f"{better}: {said[above['ROUGE']]} ROUGE, {said[above['published']]}"
    cells["better model"] += " published"
    return above["ROUGE"], cells


def _best(rows: list[Any], kind: str) -> str:
    return next(name for _, _, own, name, _, _ in rows if own == kind)


def _tau(judged: Judged, target: str, values: Array, on: Array) -> float:
    """Correlate some summaries only."""
    pair = [judged.matrix(np.where(on, own, np.nan)) for own in (values, judged.human(target))]
    return clustered_correlation(*pair, level="input", coefficient="kendall").value


def _unknown_systems(judged: Judged, target: str, rouge: Array) -> tuple[float, float]:
    """Compare systems with others that a model has not learned from either."""
    found = []
    for seed in range(GROUPINGS):
        shuffled = np.random.default_rng(seed).permutation(np.unique(judged.systems))
        groups = np.array_split(shuffled, SYSTEM_GROUPS)
        values, _ = learned(judged, target, "regularised", unknown=groups)
        for group in groups:
            on = np.isin(judged.systems, group)
            found.append([_tau(judged, target, own, on) for own in (rouge, values)])
    first, second = np.mean(found, axis=0).tolist()
    return first, second


def summary_table(summary: dict[str, dict[str, str]]) -> Table:
    table = Table(title="Kendall's correlation within topics [95% intervals, BOOT-BOTH]")
    for column in ("", *summary):
        table.add_column(column, overflow="fold")
    for line in next(iter(summary.values())):
        table.add_row(line, *(cells[line] for cells in summary.values()), end_section=True)
    return table


def write_csv(rows: list[Any], path: str) -> None:
    keys = [(level, coefficient) for level in LEVELS for coefficient in COEFFICIENTS]
    header = [f"{level} {c}{end}" for level, c in keys for end in ("", " low", " high")]
    with Path(path).open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(["set", "target", "kind", "metric", *header])
        for judged, target, kind, name, _, found in rows:
            numbers = [f"{number:.4f}" for key in keys for number in found[key]]
            writer.writerow([judged.name, target, kind, name, *numbers])


def main() -> int:
    console = Console(width=None if sys.stdout.isatty() else 200)
    missing = [name for name in TARGETS if not (DATA / f"{name}.jsonl.gz").exists()]
    if missing:
        console.print(f"{DATA} has no {' or '.join(missing)}: nothing to predict")
        return 2
    start = time.process_time()
    met, all_rows, summary = [], [], {}
    for name, targets in TARGETS.items():
        judged = Judged.read(name)
        for target in targets:
            rows = list(compared(judged, target, console, everything="--all" in sys.argv))
            above, summary[target] = verdict(rows)
            met.append(above)
            all_rows += rows
    console.print(summary_table(summary))
    if "--csv" in sys.argv:
        write_csv(all_rows, sys.argv[sys.argv.index("--csv") + 1])
    console.print(f"{time.process_time() - start:.0f} CPU seconds")
    console.print(f"above every ROUGE variant for each target: {'yes' if all(met) else 'NO'}")
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
