"""Pyramids, peers and contents for the tests of scores."""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from pyramidion.collection import SCU, Collection, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.pyramid import Content

TEXTS = {
    "T1.M.100.K.A": "Ice melts fast. It is old. Ships sank.",
    "T1.M.100.K.B": "The ice is melting. It rained.",
    "T1.M.100.K.C": "The ice melts, and it rained. Bears swim.",
}
A, B, C = TEXTS

#: Weights 3, 2, 1, 1, 1; the references have 3, 2 and 3 units.
PYRAMID = Pyramid.from_references(
    TEXTS,
    [
        ("Ice melts", {A: ["Ice melts"], B: ["ice is melting"], C: ["ice melts"]}),
        ("It rained", {B: ["It rained"], C: ["it rained"]}),
        ("Ice is old", {A: ["It is old"]}),
        ("Ships sank", {A: ["Ships sank"]}),
        ("Bears swim", {C: ["Bears swim"]}),
    ],
)
SAID = Contributor((Part(0, 4, "Snow"),))


def peer(counts, outside=0, pyramid=PYRAMID):
    """Annotate a peer that expresses each unit so many times."""
    found = [
        SCU(scu.uid, f"({pyramid.weight(scu)}) {scu.label}", (SAID,) * count)
        for scu, count in zip(pyramid.scus, counts, strict=True)
    ]
    others = SCU("0", "All non-matching SCUs go here", (SAID,) * outside)
    return PeerAnnotation(pyramid, "Snow fell.", (*found, others))


#: Two topics with two peers each.
MINE = Collection(
    "mine",
    pyramids={("A", "T1"): PYRAMID, ("A", "T2"): PYRAMID},
    peer_annotations={
        ("A", topic, system): peer(hits)
        for topic in ("T1", "T2")
        for system, hits in (("7", [1, 0, 2, 0, 0]), ("8", [0, 1, 0, 0, 0]))
    },
)


@st.composite
def tables(draw):
    """Which units which references express, at least one unit by at least one."""
    shape = (draw(st.integers(1, 12)), draw(st.integers(1, 6)))
    table = draw(arrays(np.bool_, shape))
    table[draw(st.integers(0, shape[0] - 1)), draw(st.integers(0, shape[1] - 1))] = True
    return table


@st.composite
def contents(draw, size):
    counts = draw(arrays(np.int64, size, elements=st.integers(0, 3)))
    return Content(counts, draw(st.integers(0, 8)))


@st.composite
def measured(draw):
    """A content and the references it is measured by."""
    table = draw(tables())
    return draw(contents(len(table))), table
