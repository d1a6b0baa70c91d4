"""What a summary says, in a pyramid's content units."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pyramidion.collection.pyramids import NOT_IN_PYRAMID, PeerAnnotation, Pyramid
from pyramidion.errors import NotFoundError

__all__ = ["Content", "content_of_peer", "content_of_reference"]


@dataclass(frozen=True, slots=True)
class Content:
    """How often a summary expresses each content unit of a pyramid.

    Parameters
    ----------
    counts
        One number a content unit, in the pyramid's order.
    outside
        How many units of content it has that are not in the pyramid.
    complete
        Whether these were looked for; answers to a list of content units do not tell.

    Examples
    --------
    >>> content = Content(np.array([2, 0, 1]), outside=1)
    >>> content.expressed.tolist(), content.units, content.repeated
    ([True, False, True], 3, 1)
    """

    counts: NDArray[np.int64]
    outside: int = 0
    complete: bool = True

    @property
    def expressed(self) -> NDArray[np.bool_]:
        """Which content units it expresses at least once."""
        return self.counts > 0

    @property
    def units(self) -> int:
        """How many different units it has, those outside the pyramid included."""
        return int(np.count_nonzero(self.counts)) + self.outside

    @property
    def repeated(self) -> int:
        """How often it says again what it has said."""
        return int(self.counts.sum()) - int(np.count_nonzero(self.counts))


def content_of_peer(annotation: PeerAnnotation) -> Content:
    """Count what an annotated peer expresses.

    Parameters
    ----------
    annotation
        The peer, with the content units of its pyramid.

    Examples
    --------
    >>> from pyramidion.collection import SCU, Contributor, Part
    >>> pyramid = Pyramid.from_references({"A": "Ice melts."}, [("Ice melts", {"A": ["Ice"]})])
    >>> said = Contributor((Part(0, 3, "Ice"),))
    >>> peer = PeerAnnotation(pyramid, "Ice is ice.", (SCU("1", "", (said, said)), SCU("0", "")))
    >>> content_of_peer(peer).counts
    array([2])
    """
    counts = [0] * len(annotation.pyramid.scus)
    outside = 0
    for scu in annotation.scus:
        if scu.uid == NOT_IN_PYRAMID:
            outside += len(scu.contributors)
        elif scu.contributors:
            counts[annotation.pyramid.row(scu.uid)] += len(scu.contributors)
    return Content(np.array(counts, dtype=np.int64), outside)


def content_of_reference(pyramid: Pyramid, name: str) -> Content:
    """Count what one of a pyramid's own references expresses.

    Parameters
    ----------
    pyramid
        The pyramid.
    name
        The reference.

    Examples
    --------
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"]}), ("It is old", {"B": ["It is old"]})])
    >>> content_of_reference(pyramid, "B").counts
    array([0, 1])
    """
    names = [reference.name for reference in pyramid.references]
    if name not in names:
        raise NotFoundError(
            f"the pyramid has no reference {name}", hint=f"there are: {', '.join(names)}"
        )
    return Content(pyramid.contributions[:, names.index(name)])
