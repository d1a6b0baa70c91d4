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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from pyramidion.classy.feature_sets import feature_set
from pyramidion.classy.features import FeatureTable, feature_table
from pyramidion.classy.fits import METHODS
from pyramidion.classy.lessons import Lessons, Syllabus
from pyramidion.classy.making import learned_model, search_table, searched_model
from pyramidion.classy.model import LinearModel
from pyramidion.classy.predictor import predict
from pyramidion.classy.published import published_models
from pyramidion.classy.recipe import Recipe
from pyramidion.classy.versions import Version
from pyramidion.classy.years import Year, topic_parts
from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection
from pyramidion.metrics import parse_metric
from pyramidion.stats import (
    clustered_correlation,
    clustered_difference_interval,
    clustered_interval,
)

Array = np.ndarray[Any, Any]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TARGETS = {
    "summeval": ("expert-coherence", "expert-consistency", "expert-fluency", "expert-relevance"),
    "realsumm": ("litepyramid-recall",),
}
# The two parts to learn from, the part to predict.
YEARS = ((0, 1, 2), (2, 1, 0), (0, 2, 1))
ROUGE = {
    f"rouge-{variant}-{part}{stem}"
    for variant in ("1", "2", "l", "su4")
    for part in "rf"
    for stem in ("", "(stem)")
}
LEVELS, COEFFICIENTS = ("system", "input"), ("pearson", "spearman", "kendall")
RESAMPLES, SYSTEM_GROUPS, GROUPINGS = 1_000, 4, 3
MODELS = ("CLASSY", "ranking", "regularised")


@dataclass(frozen=True)
class Judged:
    """A set of judged summaries with all its metrics."""

    name: str
    collection: Collection
    family: FeatureTable
    classy: FeatureTable

    @classmethod
    def read(cls, name: str) -> "Judged":
        """Read it, and compute all metrics."""
        collection = read_collection(DATA / f"{name}.jsonl.gz")
        tables = (
            feature_table(collection, peers="no-models", groups=feature_set(which))
            for which in ("family", "classy")
        )
        return cls(name, collection, *tables)

    @cached_property
    def topics(self) -> Array:
        """The topic of each summary."""
        return np.array([summary.topic for summary in self.family.summaries])

    @cached_property
    def systems(self) -> Array:
        """The system of each summary."""
        return np.array([summary.system for summary in self.family.summaries])

    @cached_property
    def parts(self) -> list[Array]:
        """Which summaries are in each part."""
        parts = topic_parts(self.collection, 3)
        return [np.isin(self.topics, [s.topic for s in part.summaries]) for part in parts]

    @cached_property
    def year(self) -> Year:
        """All topics, with their judgments."""
        return Year(self.name, self.collection)

    def human(self, target: str) -> Array:
        """Give the value of a measure for each summary."""
        return self.year.values(self.family.summaries, target)

    def lessons(self, table: FeatureTable, recipe: Recipe, rows: tuple[Array, Array]) -> Lessons:
        """Take some rows as a first and a second year."""
        syllabus = Syllabus((self.year, self.year), table.summaries[0].task, "no-models", recipe)
        first, second = (table.only(own) for own in rows)
        return Lessons(syllabus, (first, second))

    def matrix(self, values: Array) -> Array:
        """Topics down, systems across."""
        topics, row = np.unique(self.topics, return_inverse=True)
        systems, column = np.unique(self.systems, return_inverse=True)
        found = np.full((len(topics), len(systems)), np.nan)
        found[row, column] = values
        return found


def predicted(model: LinearModel, table: FeatureTable, rows: Array) -> Array:
    places = [table.columns.index(column) for column in model.columns]
    return model.predict(table.values[rows][:, places])


def in_units(values: Array, seen: Array, human: Array) -> Array:
    """Stretch predictions to the human scale by rows that were learned from.

    Parts are predicted by three models, and canonical correlation has no scale of its own.
    """
    slope, constant = np.polyfit(seen, human, 1)
    return (slope if slope > 0 else 1.0) * values + constant


def classy(judged: Judged, target: str) -> tuple[Array, list[str]]:
    values, chosen = np.full(len(judged.topics), np.nan), []
    human = judged.human(target)
    others = TARGETS[judged.name]
    for first, second, test in YEARS:
        rows = judged.parts[first], judged.parts[second]
        lessons = judged.lessons(judged.classy, Recipe(), rows)
        table = search_table(lessons, target, METHODS, others=others)
        trained = searched_model(lessons, Version(target, target), METHODS, table, others=others)
        model, on = trained.model, judged.parts[test]
        seen = predicted(model, judged.classy, rows[1])
        values[on] = in_units(predicted(model, judged.classy, on), seen, human[rows[1]])
        chosen.append(f"{model.method} of {len(model.columns)}")
    return values, chosen


def learned(
    judged: Judged, target: str, method: Any, *, unknown: Sequence[Array] = ()
) -> tuple[Array, list[str]]:
    """Predict each part from the others; groups of unknown systems from other systems only."""
    values, chosen = np.full(len(judged.topics), np.nan), []
    for first, second, test in YEARS:
        for group in unknown or [np.array([], dtype=str)]:
            known = ~np.isin(judged.systems, group)
            rows = judged.parts[first] & known, judged.parts[second] & known
            lessons = judged.lessons(judged.family, Recipe(method=method), rows).mostly_defined()
            trained = learned_model(lessons, Version(target, target))
            on = judged.parts[test] & (~known if len(unknown) else known)
            values[on] = predicted(trained.model, judged.family, on)
            chosen.append(trained.model.training["chosen"])
    return values, chosen


def single(judged: Judged) -> Iterator[tuple[str, str, Array]]:
    """Give kind, name and values of every metric, turned so that more is better."""
    for name, values in zip(judged.family.columns, judged.family.values.T, strict=True):
        kind = "ROUGE" if name in ROUGE else "family"
        better = 1 if parse_metric(name).higher_is_better else -1
        yield kind, name if better > 0 else f"-{name}", better * values
    for name, model in published_models().items():
        if model.task == "A" and model.peers == "no-models":
            yield "family", name, predict(model, judged.collection).values
    for name in judged.collection.scores.measures:
        if name.startswith("auto-"):
            yield "published", name, published(judged, name)


def published(judged: Judged, name: str) -> Array:
    return judged.human(name) * (-1 if name == "auto-js-2" else 1)


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
