"""An index of the phrases that annotators marked, to find where they occur again."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from operator import attrgetter
from typing import Any, NamedTuple

from pyramidion.collection import Contributor
from pyramidion.collection.ids import grouped
from pyramidion.pyramid.topics import PlacedWord, locate_words
from pyramidion.text import is_stop_word

#: The words of a contributor, part by part.
Words = tuple[tuple[str, ...], ...]


class MarkedContributor(NamedTuple):
    """A contributor in an annotated summary, with the row of its content unit."""

    row: int
    owner: str
    contributor: Contributor


@dataclass(frozen=True, slots=True)
class MarkSource:
    """Where a phrase was marked."""

    owner: str
    gaps: tuple[int, ...] = ()
    companions: frozenset[int] = frozenset()


def read_marks(
    text: str, marked_contributors: Iterable[MarkedContributor]
) -> Iterator[tuple[int, Words, MarkSource]]:
    """Return the rows of content units, the words of their contributors, and their sources."""
    words = locate_words(text)
    located_marks = [(mark, _ranges(mark.contributor, text, words)) for mark in marked_contributors]
    rows_at: dict[int, set[int]] = {}
    for mark, ranges in located_marks:
        for index in chain.from_iterable(ranges or ()):
            rows_at.setdefault(index, set()).add(mark.row)
    for mark, ranges in located_marks:
        if ranges is None:
            # The offsets do not match the text (readers report this); use the labels.
            parts = sorted(mark.contributor.parts, key=attrgetter("start"))
            labels = (tuple(word.text for word in locate_words(part.label)) for part in parts)
            part_words = tuple(filter(None, labels))
            yield mark.row, part_words, MarkSource(mark.owner, (0,) * (len(part_words) - 1))
            continue
        # Other content units that were marked for the same words.
        shared_rows = {row for index in chain.from_iterable(ranges) for row in rows_at[index]}
        gaps = tuple(
            later_range.start - previous_range.stop
            for previous_range, later_range in pairwise(ranges)
        )
        part_words = tuple(tuple(words[index].text for index in part) for part in ranges)
        yield (
            mark.row,
            part_words,
            MarkSource(mark.owner, gaps, frozenset(shared_rows - {mark.row})),
        )


def _ranges(contributor: Contributor, text: str, words: list[PlacedWord]) -> list[range] | None:
    """Return the words of a contributor's parts; None if its offsets do not fit the text.

    A part includes the whole of each word that it touches; parts that share words are joined.
    """
    ranges: list[range] = []
    for part in sorted(contributor.parts, key=attrgetter("start")):
        span = text[max(part.start, 0) : max(part.end, 0)]
        if span != part.label and "".join(span.split()) != "".join(part.label.split()):
            return None
        first_word = bisect_right(words, part.start, key=attrgetter("end"))
        last_word = bisect_left(words, part.end, key=attrgetter("start"))
        if ranges and first_word < ranges[-1].stop:
            ranges[-1] = range(ranges[-1].start, max(ranges[-1].stop, last_word))
        elif first_word < last_word:
            ranges.append(range(first_word, last_word))
    return ranges


#: Word ranges of a text, ends exclusive; several if words were skipped.
Occurrence = tuple[tuple[int, int], ...]

_NO_PART = -1


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that express a content unit, and where they were marked."""

    row: int
    parts: tuple[int, ...]
    word_count: int
    content_word_count: int
    sources: list[MarkSource] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class _Node:
    """A node of the tree of words: the next nodes, and the part that ends here, if any."""

    next: dict[str, "_Node"] = field(default_factory=dict)
    part: int = _NO_PART


class PhraseIndex:
    """All phrases of the annotated summaries of a topic."""

    def __init__(self) -> None:
        self._tree = _Node()
        self._parts: dict[tuple[str, ...], int] = {}
        self._phrases: dict[tuple[int, tuple[int, ...]], Phrase] = {}
        self._by_first_part: dict[int, list[Phrase]] = {}
        self.wordless_count = 0

    def add(self, text: str, marked_contributors: Iterable[MarkedContributor]) -> None:
        """Add the marked phrases of a text."""
        for row, words, source in read_marks(text, marked_contributors):
            if words:
                self._find_or_add_phrase(row, words).sources.append(source)
            else:
                self.wordless_count += 1

    def _find_or_add_phrase(self, row: int, words: Words) -> Phrase:
        parts = tuple(map(self._part_number, words))
        if (row, parts) not in self._phrases:
            content = sum(not is_stop_word(word) for part in words for word in part)
            phrase = Phrase(row, parts, sum(map(len, words)), content)
            self._phrases[row, parts] = phrase
            self._by_first_part.setdefault(parts[0], []).append(phrase)
        return self._phrases[row, parts]

    def _part_number(self, words: tuple[str, ...]) -> int:
        if words not in self._parts:
            node = self._tree
            for word in words:
                node = node.next.setdefault(word, _Node())
            node.part = self._parts[words] = len(self._parts)
        return self._parts[words]

    def parts_in(self, words: Sequence[str], *, skip: int = 0) -> dict[int, list[Occurrence]]:
        """Find every part in a text, each from left to right."""
        parts_at = self._parts_with_gaps_at if skip else self._parts_at
        return grouped(
            occurrence for begin in range(len(words)) for occurrence in parts_at(words, begin, skip)
        )

    def _parts_at(
        self, words: Sequence[str], begin: int, _skip: int
    ) -> Iterator[tuple[int, Occurrence]]:
        node = self._tree
        for end in range(begin, len(words)):
            next_node = node.next.get(words[end])
            if next_node is None:
                return
            node = next_node
            if node.part != _NO_PART:
                yield node.part, ((begin, end + 1),)

    def _parts_with_gaps_at(
        self, words: Sequence[str], begin: int, skip: int
    ) -> Iterator[tuple[int, Occurrence]]:
        """Follow the tree, skipping other words; take the shorter of two matches."""
        first_state = self._tree.next.get(words[begin])
        states: _States = {} if first_state is None else {first_state: (0, ((begin, begin + 1),))}
        reached_states = {_NO_PART}
        for position in range(begin + 1, len(words) + 1):
            for node, (_, runs) in states.items():
                if runs[-1][1] == position and node.part not in reached_states:
                    reached_states.add(node.part)
                    yield node.part, runs
            if not states or position == len(words):
                return
            states = _next_states(states, words[position], position, skip)

    def phrases_in(self, occurrences: Mapping[int, list[Occurrence]]) -> Iterator[Phrase]:
        """Return the phrases all of whose parts occur, wherever they are."""
        for part in occurrences:
            for phrase in self._by_first_part.get(part, ()):
                if all(other in occurrences for other in phrase.parts):
                    yield phrase


_States = dict[_Node, tuple[int, Occurrence]]


def _next_states(states: _States, word: str, position: int, skip: int) -> _States:
    """Read one more word, or skip it."""
    next_states: _States = {}

    def keep(node: _Node, n_skipped: int, runs: Occurrence) -> None:
        if node not in next_states or n_skipped < next_states[node][0]:
            next_states[node] = (n_skipped, runs)

    for node, (n_skipped, runs) in states.items():
        if child := node.next.get(word):
            *earlier_runs, (begin, end) = runs
            extended_runs = (
                (*earlier_runs, (begin, position + 1))
                if end == position
                else (*runs, (position, position + 1))
            )
            keep(child, n_skipped, extended_runs)
        if n_skipped < skip:
            keep(node, n_skipped + 1, runs)
    return next_states


@dataclass(frozen=True, slots=True)
class Claim:
    """Parts of the text that seem to express a content unit."""

    row: int
    parts: tuple[Occurrence, ...]
    companions: frozenset[int] = frozenset()
    owner_count: int = 1
    words: frozenset[int] = field(init=False)

    def __post_init__(self) -> None:
        words = (word for runs in self.parts for run in runs for word in range(*run))
        object.__setattr__(self, "words", frozenset(words))

    @property
    def start(self) -> int:
        """The first word."""
        return self.parts[0][0][0]

    @property
    def end(self) -> int:
        """The word after the last."""
        return self.parts[-1][-1][1]


def placements(
    phrase: Phrase, occurrences: Mapping[int, list[Occurrence]], gaps: Sequence[int]
) -> Iterator[tuple[Occurrence, ...]]:
    """Combine the parts of a phrase, in one way for each possible beginning."""
    *earlier_parts, last = phrase.parts
    paths: list[_Path] = [(occurrence, None) for occurrence in occurrences[last]]
    # Backward from the last part, so that every combination can be completed.
    for part, gap in zip(reversed(earlier_parts), reversed(gaps), strict=True):
        paths = list(_join_occurrences(occurrences[part], paths, gap))
    yield from (tuple(_unroll(path)) for path in paths)


#: An occurrence of a part, and the parts that follow.
_Path = tuple[Occurrence, Any]


def _join_occurrences(part: Iterable[Occurrence], paths: list[_Path], gap: int) -> Iterator[_Path]:
    """Join each occurrence of a part with the nearest occurrence of the next."""
    starts = [path[0][0][0] for path in paths]
    for occurrence in part:
        end = occurrence[-1][1]
        nearest_index = bisect_left(starts, end)
        if nearest_index < len(paths) and starts[nearest_index] - end <= gap:
            yield occurrence, paths[nearest_index]


def _unroll(path: _Path | None) -> Iterator[Occurrence]:
    while path is not None:
        occurrence, path = path
        yield occurrence


def keep_longest(claims: Iterable[Claim], *, nested: bool = False) -> list[Claim]:
    """Take claims, the longest first, and drop those inside others.

    Of two equally long claims, prefer the tighter, then the one marked in more summaries.
    """
    accepted_claims: list[Claim] = []
    claims_by_word: dict[int, list[Claim]] = {}
    for claim in sorted(claims, key=_claim_order):
        claims_at_words = [claims_by_word.get(word, ()) for word in claim.words]
        is_repetition = any(
            other.row == claim.row for claims_here in claims_at_words for other in claims_here
        )
        # A word is explained by a unit that nobody marked together with this one.
        is_explained = all(
            any(claim.row not in other.companions for other in claims_here)
            for claims_here in claims_at_words
        )
        if not is_repetition and (nested or not is_explained):
            accepted_claims.append(claim)
            for word in claim.words:
                claims_by_word.setdefault(word, []).append(claim)
    return accepted_claims


def _claim_order(claim: Claim) -> tuple[int, ...]:
    return -len(claim.words), claim.end - claim.start, -claim.owner_count, claim.start, claim.row
