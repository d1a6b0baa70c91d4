"""Combine measures, and estimate how difficult the demonstration's inputs are."""

from pyramidion.demo import load_demo
from pyramidion.studies import composite, difficulty

collection = load_demo()
composed = composite(collection, measures="responsiveness,readability", tasks="A")
for component in composed[0].components:
    weights = ", ".join(f"{weight:.2f}" for weight in component.weights)
    print(f"{component.name}: {component.share:.0%} of the variance, weights {weights}")

(found,) = difficulty(collection, measures="responsiveness", tasks="A")
features = {topic.topic: topic.features for topic in found.topics}
print({name: round(value, 2) for name, value in list(features["P01"].items())[:8]})
print([topic.topic for topic in found.topics], "from hard to easy")
best = max(found.predictions, key=lambda one: one.explained)
print(f"best alone: {best.by}, explains {best.explained:.0%} of six topics' variance")
