"""Sets of judged summaries, and models that predict one part of their topics from the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.classy._features import FeatureTable, feature_set, feature_table
from pyramidion.classy._fits import METHODS
from pyramidion.classy._models import LinearModel, predict_summaries, published_models
from pyramidion.classy._training import (
    Recipe,
    Version,
    Years,
    YearTable,
    learned_model,
    mostly_defined,
    search_table,
    searched_model,
    topic_parts,
)
from pyramidion.collection import Collection
from pyramidion.collection.formats import read_collection
from pyramidion.metrics import parse_metric

Array = np.ndarray[Any, Any]

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
TARGETS = {
    "summeval": ("expert-coherence", "expert-consistency", "expert-fluency", "expert-relevance"),
    "realsumm": ("litepyramid-recall",),
}
# The two parts to learn from, the part to predict.
YEARS = ((0, 1, 2), (2, 1, 0), (0, 2, 1))
ROUGE = {
    "rouge-1-ns",
    *(
        f"rouge-{variant}-{part}{stem}"
        for variant in ("1", "2", "l", "su4")
        for part in "rf"
        for stem in ("", "(stem)")
    ),
}


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

    def year(self, table: FeatureTable, recipe: Recipe | None = None) -> YearTable:
        """All topics, with their judgments."""
        task = table.summaries[0].task
        return YearTable(
            self.name, self.collection, task, "no-models", recipe or Recipe(), features=table
        )

    def human(self, target: str) -> Array:
        """Give the value of a measure for each summary."""
        return self.year(self.family).values(target)

    def years(self, table: FeatureTable, recipe: Recipe, rows: tuple[Array, Array]) -> Years:
        """Take some rows as a first and a second year."""
        first, second = (self.year(table.only(own), recipe) for own in rows)
        return first, second

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
        years = judged.years(judged.classy, Recipe(), rows)
        table = search_table(years, target, METHODS, others=others)
        trained = searched_model(years, Version(target, target), METHODS, table, others=others)
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
            years, _ = mostly_defined(judged.years(judged.family, Recipe(method=method), rows))
            trained = learned_model(years, Version(target, target))
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
            yield "family", name, predict_summaries(model, judged.collection).values
    for name in judged.collection.scores.measures:
        if name.startswith("auto-"):
            yield "published", name, published(judged, name)


def published(judged: Judged, name: str) -> Array:
    return judged.human(name) * (-1 if name == "auto-js-2" else 1)
