"""Two people annotate the same peer with the same pyramid."""

from pyramidion.collection import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.pyramid import (
    AnnotatedTwice,
    agreement_of_annotations,
    agreement_on_units,
    score_twice,
)

pyramid = Pyramid.from_references(
    {"A": "Ice melts. It is old.", "B": "Ice melts. Rain fell."},
    [
        ("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
        ("The ice is old", {"A": ["It is old"]}),
        ("Rain fell", {"B": ["Rain fell"]}),
    ],
)


def annotation(*found):
    said = Contributor((Part(0, 9, "Ice melts"),))
    scus = (SCU(scu.uid, scu.label, (said,) * (scu.uid in found)) for scu in pyramid.scus)
    return PeerAnnotation(pyramid, "Ice melts in the rain.", tuple(scus))


pair = AnnotatedTwice(annotation("1", "3"), annotation("1"))
every, shared = (agreement_on_units([pair], least_weight=weight) for weight in (1, 2))
print(every.both, every.only_first, every.only_second, every.neither, round(every.pi, 2))

assert round(every.percent, 3) == 0.667
assert shared.percent == 1.0
scores = agreement_of_annotations(score_twice([pair])).modified
assert round(scores.difference, 3) == 0.333
