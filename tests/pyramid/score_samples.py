"""Pyramids, peers and contents for the tests of scores."""

from pathlib import Path
from tempfile import TemporaryDirectory

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
    scus = [
        SCU(scu.uid, f"({pyramid.weight(scu)}) {scu.label}", (SAID,) * count)
        for scu, count in zip(pyramid.scus, counts, strict=True)
    ]
    unmatched = SCU("0", "All non-matching SCUs go here", (SAID,) * outside)
    return PeerAnnotation(pyramid, "Snow fell.", (*scus, unmatched))


def ducview_bytes(item):
    """Return the .pyr file of a pyramid, or the .pan file of a peer annotation."""
    is_pyramid = isinstance(item, Pyramid)
    files = (
        {"pyramids": {("", "T"): item}}
        if is_pyramid
        else {"peer_annotations": {("", "T", "7"): item}}
    )
    with TemporaryDirectory() as folder:
        Collection("", **files).save(Path(folder) / "files", format="ducview")
        [file] = (Path(folder) / "files").glob("*.pyr" if is_pyramid else "*.pan")
        return file.read_bytes()


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
