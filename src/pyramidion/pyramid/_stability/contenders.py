"""Summaries that are to be scored by parts of a pyramid: its own references, peers, or both."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.pyramids import PeerAnnotation, Pyramid
from pyramidion.errors import InputError
from pyramidion.pyramid.content import Content, content_of_peer
from pyramidion.pyramid.units import reference_writers
from pyramidion.stats._inputs import choice

__all__ = ["Contenders", "Which", "gather_contenders"]

Which = Literal["all", "references", "peers"]


@dataclass(frozen=True, slots=True, eq=False)
class Contenders:
    """Summaries of one topic, and the references they are scored by.

    Parameters
    ----------
    names
        What the summaries are called.
    contents
        What they say, in the pyramid's content units.
    own
        The column of each summary among the references; -1 if it is not one of them.
    membership
        Which content units (rows) which references (columns) express.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("It is old", {"B": ["It is old"]})])
    >>> gather_contenders(pyramid).own.tolist()
    [0, 1]
    """

    names: tuple[str, ...]
    contents: tuple[Content, ...]
    own: NDArray[np.int64]
    membership: NDArray[np.bool_]

    @property
    def references(self) -> int:
        """How many references there are."""
        return int(self.membership.shape[1])

    @property
    def are_references(self) -> bool:
        """Whether the references themselves are among the summaries."""
        return bool((self.own >= 0).any())


def gather_contenders(
    pyramid: Pyramid, peers: Mapping[str, PeerAnnotation] | None = None, *, which: Which = "all"
) -> Contenders:
    """Gather what the references of a pyramid and its annotated peers say.

    Parameters
    ----------
    pyramid
        The pyramid; two references at least.
    peers
        Annotated peers by name, annotated with this pyramid.
    which
        ``all``, the ``references`` only, or the ``peers`` only.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("It is old", {"B": ["It is old"]})])
    >>> gather_contenders(pyramid, {"7": PeerAnnotation(pyramid, "Rain.")}).names
    ('A', 'B', '7')
    """
    choice(which, "which", Which)
    _require_growth(pyramid)
    writers = reference_writers(pyramid)
    references = () if which == "peers" else writers
    others = {} if which == "references" else dict(peers or {})
    _require_some(others, which)
    _require_distinct(writers, others)
    columns = pyramid.membership.T.astype(np.int64)
    said = {name: Content(column) for name, column in zip(references, columns, strict=False)}
    said |= {name: _content_by(pyramid, name, peer) for name, peer in others.items()}
    own = np.array([*range(len(references)), *(-1 for _ in others)], dtype=np.int64)
    return Contenders(tuple(said), tuple(said.values()), own, pyramid.membership)


def _content_by(pyramid: Pyramid, name: str, peer: PeerAnnotation) -> Content:
    """Give a peer's content in the order of this pyramid's units."""
    content = content_of_peer(peer)
    if peer.pyramid is pyramid or peer.pyramid == pyramid:
        return content
    uids = [scu.uid for scu in peer.pyramid.scus]
    if sorted(uids) != sorted(scu.uid for scu in pyramid.scus):
        raise InputError(
            f"{name} was annotated with another pyramid: its content units are not the same",
            hint="annotate it again, or give each pyramid its own peers",
        )
    rows = [peer.pyramid.row(scu.uid) for scu in pyramid.scus]
    return Content(content.counts[rows], content.outside)


def _require_growth(pyramid: Pyramid) -> None:
    count = len(pyramid.references)
    if count < 2:
        raise InputError(
            f"the pyramid has {count or 'no'} reference{'' if count == 1 else 's'}",
            hint="how it grows can be studied from two on",
        )
    if not pyramid.membership.any():
        raise InputError(
            "the pyramid has no content unit that a reference expresses",
            hint="annotate its references first",
        )


def _require_some(peers: Mapping[str, PeerAnnotation], which: Which) -> None:
    if which == "peers" and not peers:
        raise InputError(
            "no annotated peer is there", hint="annotate some, or study the references"
        )


def _require_distinct(references: tuple[str, ...], peers: Mapping[str, PeerAnnotation]) -> None:
    for name in references:
        if references.count(name) > 1:
            raise InputError(f"two references are called {name}", hint="rename one of them")
        if name in peers:
            raise InputError(
                f"{name} is a reference of the pyramid and cannot be its peer",
                hint="leave it out, or rename the peer if it is another",
            )
