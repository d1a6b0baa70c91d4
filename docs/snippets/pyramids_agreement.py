"""Two people annotate the same peer with the same pyramid."""

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.pyramid import GroupAgreement, agreement

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


anna, bert = (
    Collection(name, peer_annotations={("", "T1", "7"): annotation(*found)})
    for name, found in (("anna", ("1", "3")), ("bert", ("1",)))
)
found = agreement(anna, bert).of_type(GroupAgreement)[0].agreement
every = found.units
print(every.both, every.only_first, every.only_second, every.neither, round(every.pi, 2))

assert round(every.percent, 3) == 0.667
assert found.shared_units.percent == 1.0
assert round(found.modified.difference, 3) == 0.333
