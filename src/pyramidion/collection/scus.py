"""Content units: what is expressed, and at which offsets of a text."""

from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["NOT_IN_PYRAMID", "SCU", "Contributor", "Part", "ReferenceText", "unexpressed"]

#: DUCView's uid for content of a peer that is not in the pyramid.
NOT_IN_PYRAMID = "0"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of text that expresses (a piece of) a content unit.

    Examples
    --------
    >>> Part(4, 8, "melt").label
    'melt'
    """

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Contributor:
    """How one summary expresses a content unit, in one or several parts.

    Parameters
    ----------
    parts
        The stretches, not always in the order of the text.
    label
        The parts' texts joined with ``...`` unless the file says otherwise.
    comment
        The annotator's remark.

    Examples
    --------
    >>> Contributor((Part(0, 3, "Ice"), Part(20, 24, "fast"))).label
    'Ice...fast'
    """

    parts: tuple[Part, ...]
    label: str = ""
    comment: str = ""

    def __post_init__(self) -> None:
        if not self.label:
            object.__setattr__(self, "label", "...".join(part.label for part in self.parts))

    @property
    def start(self) -> int:
        """The offset where it begins; -1 if it has no parts."""
        return min((part.start for part in self.parts), default=-1)


@dataclass(frozen=True, slots=True)
class SCU:
    """A summary content unit: one piece of information, and where it is expressed.

    Parameters
    ----------
    uid
        Its id in the pyramid.
    label
        The information, in the annotator's words.
    contributors
        Where it is expressed.
    comment
        The annotator's remark.

    Examples
    --------
    >>> SCU("13", "Ice melts", (Contributor((Part(0, 9, "Ice melts"),)),)).uid
    '13'
    """

    uid: str
    label: str
    contributors: tuple[Contributor, ...] = ()
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ReferenceText:
    """The stretch of a pyramid's text that is one reference, with its name.

    Examples
    --------
    >>> ReferenceText("D0736-C.M.100.H.G", 0, 120).name
    'D0736-C.M.100.H.G'
    """

    name: str
    start: int
    end: int


def unexpressed(scus: Iterable[SCU], weights: Iterable[int]) -> tuple[SCU, ...]:
    """Give the entries of an annotated peer in which nothing was found yet, as DUCView does.

    Parameters
    ----------
    scus
        The pyramid's content units.
    weights
        What they weigh, which stands before their labels.

    Returns
    -------
    tuple
        One entry a content unit, and one for what is not in the pyramid.

    Examples
    --------
    >>> [entry.label for entry in unexpressed([SCU("13", "Ice melts")], [4])]
    ['(4) Ice melts', 'All non-matching SCUs go here']
    """
    entries = (SCU(s.uid, f"({weight}) {s.label}") for s, weight in zip(scus, weights, strict=True))
    return (*entries, SCU(NOT_IN_PYRAMID, "All non-matching SCUs go here"))
