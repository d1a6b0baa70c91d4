"""Annotate a summary by similarity, and build a pyramid from references alone."""

from pyramidion.demo import load_demo
from pyramidion.pyramid import Annotator, build_pyramid, score_peer

collection = load_demo()
pyramid = collection.pyramids["A", "P01"]
annotator = Annotator(pyramid)  # prepared once for all summaries of the topic

found = annotator.annotate("Ten died when the Maren Star, a ferry, burned in the Ardel Strait.")
for scu in found.annotation.scus[:-1]:
    if scu.contributors:
        print(f"{found.probabilities[scu.uid]:.2f}", scu.label, "<-", scu.contributors[0].label)
print(f"{score_peer(found.annotation).modified:.3f}", f"{found.expected_weight:.1f}")
assert all(0 <= probability <= 1 for probability in found.probabilities.values())

references = {s.system: s.plain for s in collection.references("P01", "A")}
built = build_pyramid(references)
for name, one in (("by hand", pyramid), ("built", built)):
    print(name, {weight: len(scus) for weight, scus in one.tiers().items()})
