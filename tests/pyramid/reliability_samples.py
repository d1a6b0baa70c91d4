"""Small pyramids and annotations made of membership tables, for tests of reliability."""

import numpy as np

from pyramidion.collection import SCU, Contributor, Part, PeerAnnotation, Pyramid
from pyramidion.collection.pyramids import NOT_IN_PYRAMID


def pyramid_of(membership, names=None):
    """Return a pyramid whose references say word ``u3`` for the fourth content unit."""
    table = np.asarray(membership, dtype=bool)
    names = names or [f"R{column}" for column in range(table.shape[1])]
    texts = {
        name: " ".join(f"u{row}." for row in np.flatnonzero(table[:, column])) or "Nothing."
        for column, name in enumerate(names)
    }
    units = [
        (f"unit {row}", {names[column]: [f"u{row}."] for column in np.flatnonzero(table[row])})
        for row in range(len(table))
    ]
    return Pyramid.from_references(texts, units)


def peer_of(pyramid, expressed, *, outside=0, text="A peer."):
    """Return a peer that expresses content units by their rows, repeated rows several times."""
    mark = Contributor((Part(0, 1, text[0]),))
    rows = list(expressed)
    scus = [
        SCU(scu.uid, scu.label, (mark,) * rows.count(row)) for row, scu in enumerate(pyramid.scus)
    ]
    scus.append(SCU(NOT_IN_PYRAMID, "All non-matching SCUs go here", (mark,) * outside))
    return PeerAnnotation(pyramid, text, tuple(scus))


def random_membership(rng, units, references):
    """Draw a table in which few content units are in many references, and each in one at least."""
    shares = rng.beta(0.7, 2.0, size=(units, 1))
    table = rng.random((units, references)) < shares
    table[np.arange(units), rng.integers(references, size=units)] = True
    return table
