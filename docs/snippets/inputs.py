"""Compose scores, and ask how difficult the demonstration's inputs are."""

from pyramidion.report.difficulty import features_of

from pyramidion.collection import ScoreMatrix
from pyramidion.demo import load_demo
from pyramidion.evaluation._composite.compose import compose
from pyramidion.evaluation._difficulty.measure import difficulty
from pyramidion.evaluation._judged import meta_tables

collection = load_demo()
first, _ = meta_tables(collection.scores, "responsiveness", metrics=["readability"])
for component in compose(first).components:
    weights = ", ".join(f"{weight:.2f}" for weight in component.weights)
    print(f"{component.name}: {component.share:.0%} of the variance, weights {weights}")

features = features_of(collection, "A")
print({name: round(value, 2) for name, value in list(features["P01"].items())[:8]})
matrix = ScoreMatrix.from_scores(collection.scores, "responsiveness", task="A")
found = difficulty(matrix, features)
print([topic.topic for topic in found.topics], "from hard to easy")
best = max(found.predictions, key=lambda one: one.explained)
print(f"best alone: {best.by}, explains {best.explained:.0%} of six topics' variance")
