"""Look into the demonstration collection."""

from pyramidion.demo import load_demo

demo = load_demo()
topic = demo.topic("P01")
print(topic.title, "-", len(topic.documents_of("update")), "update articles")

pyramid = demo.pyramids["A", "P01"]
for weight, scus in pyramid.tiers().items():
    print(weight, len(scus), scus[0].label)

assert {summary.kind for summary in demo.references("P01", "A")} == {"human"}
