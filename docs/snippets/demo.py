"""Explore the demonstration."""

from pyramidion import compare
from pyramidion.demo import load_demo, load_evaluation

demo = load_demo()
topic = demo.topic("P01")
print(topic.title, "-", len(topic.documents_of("update")), "update articles")

pyramid = demo.pyramids["A", "P01"]
for weight, scus in pyramid.tiers().items():
    print(weight, len(scus), scus[0].label)

assert {summary.kind for summary in demo.references("P01", "A")} == {"human"}

# Who wins among the twelve machines, and who judges them?
evaluation = load_evaluation()
result = compare(evaluation, measures="responsiveness", tasks="A", peers="machines")
print(result.only.systems[0].system, sorted(evaluation.scores.distinct("assessor")))
