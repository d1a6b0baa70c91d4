"""Annotate a summary with the words that annotators marked in others."""

from pyramidion.collection import Pyramid
from pyramidion.demo import load_demo
from pyramidion.pyramid import Matcher, MatchRules, match_topic, mean_differences

pyramid = Pyramid.from_references(
    {
        "A": "The ferry burned in the Ardel Strait. Ten people died.",
        "B": "In the Ardel Strait a ferry caught fire, and ten people died.",
    },
    [
        ("A ferry burned", {"A": ["The ferry burned"], "B": ["a ferry caught fire"]}),
        ("In the Ardel Strait", {"A": ["in the Ardel Strait"], "B": ["In the Ardel Strait"]}),
        ("Ten people died", {"A": ["Ten people died"], "B": ["ten people died"]}),
    ],
)

# Created once for all summaries of a topic; annotated peers would be the second argument.
matcher = Matcher(pyramid)
found = matcher.annotate("In the ‘Ardel Strait’ the ferry burned, say survivors.")
for scu in found.scus:
    for contributor in scu.contributors:
        print(scu.label, "<-", contributor.label, contributor.parts[0].start)
assert [scu.uid for scu in found.scus if scu.contributors] == ["1", "2"]

# "very" is inside the words that annotators marked.
text = "Ten very old people died."
assert not matcher.annotate(text).scus[2].contributors
loose = Matcher(pyramid, rules=MatchRules(skip=2))
print(loose.annotate(text).scus[2].contributors[0].label)

# Each reference of the demo, annotated from the others of its topic.
for (task, topic), own in load_demo().pyramids.items():
    mean = mean_differences(match_topic(own))
    assert mean is not None  # there are manual scores
    print(task, topic, f"{mean.manual:.3f} {mean.automatic:.3f} {mean.difference:+.3f}")
