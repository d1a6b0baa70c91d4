"""Scores of people and machines for the tests of metrics."""

import numpy as np

from pyramidion.collection import ScoreMatrix, Scores
from pyramidion.comparison.measure_tables import MetaTables


def tables_of(manual, metrics, *, people=(), human="pyramid", task="A", collection=""):
    """Put arrays (topics x systems) side by side; `people` are columns."""
    manual = np.asarray(manual, dtype=float)
    topics, systems = manual.shape
    return MetaTables(
        human,
        task,
        tuple(f"T{i}" for i in range(topics)),
        tuple(f"s{i}" for i in range(systems)),
        np.isin(np.arange(systems), people),
        manual,
        {name: np.asarray(values, dtype=float) for name, values in metrics.items()},
        collection=collection,
    )


def judged(topics=30, machines=8, people=0, *, seed=0, noise=(0.5, 1.5), gap=2.0):
    """Make tables with a good and a poor metric; people are better than metrics can see."""
    rng = np.random.default_rng(seed)
    systems = machines + people
    quality = np.r_[np.linspace(0, 1.5, machines), np.full(people, 1.0)]
    lift = np.r_[np.zeros(machines), np.full(people, gap)]
    hard = rng.normal(0, 0.5, (topics, 1))
    manual = 2 + quality + lift + hard + rng.normal(0, 0.7, (topics, systems))
    metrics = {
        name: quality + hard + rng.normal(0, spread, (topics, systems))
        for name, spread in zip(("good", "poor"), noise, strict=True)
    }
    return tables_of(manual, metrics, people=range(machines, systems))


def as_scores(tables):
    """Write tables as the long table of scores."""
    parts = []
    for name, values in {tables.human: tables.truth, **tables.metrics}.items():
        matrix = ScoreMatrix(
            values, tables.topics, tables.systems, tables.people, measure=name, task=tables.task
        )
        table = matrix.to_scores()
        where = [tables.collection] * len(table)
        parts.append(Scores({**table.columns, "collection": where}, table.value))
    return Scores.concatenate(parts)
