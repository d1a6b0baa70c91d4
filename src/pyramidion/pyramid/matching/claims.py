"""Which of the phrases that stand in a text are taken for what it says."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pyramidion.pyramid.matching.index import Occurrence, Phrase

__all__ = ["Claim", "longest_first", "placements"]


@dataclass(frozen=True, slots=True)
class Claim:
    """A place in the text where a content unit seems to be expressed.

    Parameters
    ----------
    row
        The content unit's place in the pyramid.
    parts
        Where the phrase's parts stand, as numbers of words.
    companions
        Rows of content units that annotators marked in the same words.
    owners
        In how many summaries the phrase was marked.

    Examples
    --------
    >>> sorted(Claim(0, (((2, 4),), ((7, 8),))).words)
    [2, 3, 7]
    """

    row: int
    parts: tuple[Occurrence, ...]
    companions: frozenset[int] = frozenset()
    owners: int = 1
    words: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        words = (word for runs in self.parts for run in runs for word in range(*run))
        object.__setattr__(self, "words", frozenset(words))

    @property
    def begin(self) -> int:
        """The first word."""
        return self.parts[0][0][0]

    @property
    def end(self) -> int:
        """The word after the last."""
        return self.parts[-1][-1][1]


def placements(
    phrase: Phrase, found: Mapping[int, list[Occurrence]], gaps: Sequence[int]
) -> Iterator[tuple[Occurrence, ...]]:
    """Put a phrase's parts together, one way for each place where it may begin.

    Parameters
    ----------
    phrase
        The phrase, all of whose parts were found.
    found
        Where they were found, each from left to right.
    gaps
        The most words that may stand between one part and the next.

    Examples
    --------
    >>> found = {0: [((0, 1),), ((5, 6),)], 1: [((7, 9),)]}
    >>> list(placements(Phrase(0, (0, 1), 3), found, [4]))
    [(((5, 6),), ((7, 9),))]
    """
    *before, last = phrase.parts
    ways: list[_Way] = [(occurrence, None) for occurrence in found[last]]
    # From the last part back, so that only what can be completed is gone on with.
    for part, gap in zip(reversed(before), reversed(gaps), strict=True):
        ways = list(_joined(found[part], ways, gap))
    yield from (tuple(_unrolled(way)) for way in ways)


#: A part's place and the way on from there.
_Way = tuple[Occurrence, Any]


def _joined(part: Iterable[Occurrence], ways: list[_Way], gap: int) -> Iterator[_Way]:
    """Go on from each place of a part to the nearest place of the next."""
    begins = [way[0][0][0] for way in ways]
    for occurrence in part:
        end = occurrence[-1][1]
        nearest = bisect_left(begins, end)
        if nearest < len(ways) and begins[nearest] - end <= gap:
            yield occurrence, ways[nearest]


def _unrolled(way: _Way | None) -> Iterator[Occurrence]:
    while way is not None:
        occurrence, way = way
        yield occurrence


def longest_first(claims: Iterable[Claim], *, nested: bool = False) -> list[Claim]:
    """Take claims, the longest first, and drop those that say nothing of their own.

    Of two as long the tighter is taken, then the one that more annotated summaries support.

    Parameters
    ----------
    claims
        What was found.
    nested
        Keep claims that lie in longer ones of other content units.

    Examples
    --------
    >>> long, inside = Claim(0, (((0, 5),),)), Claim(1, (((3, 5),),))
    >>> [claim.row for claim in longest_first([inside, long])]
    [0]
    >>> [claim.row for claim in longest_first([inside, long], nested=True)]
    [0, 1]
    """
    taken: list[Claim] = []
    at: dict[int, list[Claim]] = {}
    for claim in sorted(claims, key=_order):
        others = [at.get(word, ()) for word in claim.words]
        repeats = any(other.row == claim.row for here in others for other in here)
        if not repeats and (nested or not all(_explains(here, claim.row) for here in others)):
            taken.append(claim)
            for word in claim.words:
                at.setdefault(word, []).append(claim)
    return taken


def _order(claim: Claim) -> tuple[int, ...]:
    return -len(claim.words), claim.end - claim.begin, -claim.owners, claim.begin, claim.row


def _explains(claims: Sequence[Claim], row: int) -> bool:
    """Tell whether a word is taken by a unit beside which nobody marked this one."""
    return any(row not in claim.companions for claim in claims)
