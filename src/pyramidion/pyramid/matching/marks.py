"""What annotators marked in a summary, as words."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pyramidion.collection.pyramids import Contributor, Part
from pyramidion.pyramid._topics import PlacedWord, placed_words

__all__ = ["Marked", "Source", "Words", "read_marks"]

#: The words of a contributor, part by part.
Words = tuple[tuple[str, ...], ...]


class Marked(NamedTuple):
    """A contributor in an annotated summary, with the row of its content unit.

    Examples
    --------
    >>> Marked(3, "17", Contributor((Part(0, 3, "Ice"),))).row
    3
    """

    row: int
    owner: str
    contributor: Contributor


@dataclass(frozen=True, slots=True)
class Source:
    """Where a phrase was marked.

    Parameters
    ----------
    owner
        Whose summary it is.
    gaps
        The number of words between the phrase's parts there.
    companions
        Rows of other content units that were marked in the same words there.

    Examples
    --------
    >>> Source("A", gaps=(4,)).gaps
    (4,)
    """

    owner: str
    gaps: tuple[int, ...] = ()
    companions: frozenset[int] = frozenset()


def read_marks(text: str, marked: Iterable[Marked]) -> Iterator[tuple[int, Words, Source]]:
    """Give the words of contributors, with the content units' rows and where they come from.

    Parameters
    ----------
    text
        The text that the contributors' offsets count in.
    marked
        The contributors.

    Examples
    --------
    >>> said = Contributor((Part(0, 3, "Ice"), Part(13, 17, "fast")))
    >>> list(read_marks("Ice may melt fast.", [Marked(0, "A", said)]))
    [(0, (('ice',), ('fast',)), Source(owner='A', gaps=(2,), companions=frozenset()))]
    """
    words = placed_words(text)
    located = [(mark, _located(mark.contributor, text, words)) for mark in marked]
    shared = _companions([(mark, place.ranges) for mark, place in located])
    for (mark, place), companions in zip(located, shared, strict=True):
        yield mark.row, place.words, Source(mark.owner, place.gaps, companions)


@dataclass(frozen=True, slots=True)
class _Place:
    """A contributor's words by parts, the gaps between them, and their places in the text."""

    words: Words
    gaps: tuple[int, ...]
    ranges: tuple[range, ...] = ()


def _located(contributor: Contributor, text: str, words: list[PlacedWord]) -> _Place:
    parts = sorted(contributor.parts, key=lambda part: part.start)
    if not all(_fits(part, text) for part in parts):
        # Offsets that do not fit, of which readers tell, leave only what the labels say.
        labels = [tuple(word.text for word in placed_words(part.label)) for part in parts]
        spoken = tuple(filter(None, labels))
        return _Place(spoken, (0,) * (len(spoken) - 1))
    ranges = _apart(found for part in parts if (found := _range(part, words)))
    return _Place(
        tuple(tuple(words[place].text for place in found) for found in ranges),
        tuple(later.start - earlier.stop for earlier, later in pairwise(ranges)),
        ranges,
    )


def _apart(ranges: Iterable[range]) -> tuple[range, ...]:
    """Join parts that share words."""
    joined: list[range] = []
    for found in ranges:
        if joined and found.start < joined[-1].stop:
            joined[-1] = range(joined[-1].start, max(joined[-1].stop, found.stop))
        else:
            joined.append(found)
    return tuple(joined)


def _fits(part: Part, text: str) -> bool:
    span = text[max(part.start, 0) : max(part.end, 0)]
    return span == part.label or "".join(span.split()) == "".join(part.label.split())


def _range(part: Part, words: list[PlacedWord]) -> range:
    """Give the words a part touches; a word that it cuts belongs to it whole."""
    first = bisect_right(words, part.start, key=lambda word: word.end)
    last = bisect_left(words, part.end, key=lambda word: word.start)
    return range(first, last)


def _companions(located: list[tuple[Marked, tuple[range, ...]]]) -> Iterator[frozenset[int]]:
    """Give for each contributor the other content units that were marked in its words."""
    rows_at: dict[int, set[int]] = {}
    for mark, ranges in located:
        for found in ranges:
            for place in found:
                rows_at.setdefault(place, set()).add(mark.row)
    for mark, ranges in located:
        shared = {row for found in ranges for place in found for row in rows_at[place]}
        yield frozenset(shared - {mark.row})
