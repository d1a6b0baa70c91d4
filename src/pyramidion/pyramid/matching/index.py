"""The phrases that annotators marked, in a form in which all are looked up at once.

Every part of a contributor is a path in one tree of words. A text is followed through the tree
from each of its words, so that the work does not depend on how many phrases there are.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pyramidion.pyramid.matching.marks import Marked, Source, Words, read_marks

__all__ = ["Occurrence", "Phrase", "PhraseIndex"]

#: Stretches of a text as numbers of words, ends exclusive; several where words were skipped.
Occurrence = tuple[tuple[int, int], ...]

_NO_PART = -1


@dataclass(frozen=True, slots=True)
class Phrase:
    """The words by which a content unit was expressed, and where.

    Parameters
    ----------
    row
        The content unit's place in the pyramid.
    parts
        Which parts it has, as the index numbers them, in the order of the text.
    size
        The number of its words.
    sources
        Where it was marked.

    Examples
    --------
    >>> Phrase(0, (4, 7), 5).parts
    (4, 7)
    """

    row: int
    parts: tuple[int, ...]
    size: int
    sources: list[Source] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class _Node:
    """Where the next words lead, and which part ends here, if any."""

    next: dict[str, "_Node"] = field(default_factory=dict)
    part: int = _NO_PART


class PhraseIndex:
    """All phrases of the annotated summaries of a topic.

    Examples
    --------
    >>> from pyramidion.collection import Contributor, Part
    >>> index = PhraseIndex()
    >>> index.add("Ice melts fast.", [Marked(0, "A", Contributor((Part(0, 9, "Ice melts"),)))])
    >>> found = index.parts_in(["the", "ice", "melts"])
    >>> found, [phrase.row for phrase in index.phrases_in(found)]
    ({0: [((1, 3),)]}, [0])
    """

    def __init__(self) -> None:
        self._tree = _Node()
        self._parts: dict[tuple[str, ...], int] = {}
        self._phrases: dict[tuple[int, tuple[int, ...]], Phrase] = {}
        self._by_first_part: dict[int, list[Phrase]] = {}
        self.wordless = 0

    def __len__(self) -> int:
        return len(self._phrases)

    def add(self, text: str, marked: Iterable[Marked]) -> None:
        """Take over what was marked in a text.

        Parameters
        ----------
        text
            The text that the contributors' offsets count in.
        marked
            The contributors.
        """
        for row, words, source in read_marks(text, marked):
            if words:
                self._phrase(row, words).sources.append(source)
            else:
                self.wordless += 1

    def _phrase(self, row: int, words: Words) -> Phrase:
        parts = tuple(map(self._part, words))
        if (row, parts) not in self._phrases:
            phrase = Phrase(row, parts, sum(map(len, words)))
            self._phrases[row, parts] = phrase
            self._by_first_part.setdefault(parts[0], []).append(phrase)
        return self._phrases[row, parts]

    def _part(self, words: tuple[str, ...]) -> int:
        if words not in self._parts:
            node = self._tree
            for word in words:
                node = node.next.setdefault(word, _Node())
            node.part = self._parts[words] = len(self._parts)
        return self._parts[words]

    def parts_in(self, words: Sequence[str], *, skip: int = 0) -> dict[int, list[Occurrence]]:
        """Find every part in a text, each from left to right.

        Parameters
        ----------
        words
            The text's words.
        skip
            How many words of the text may stand inside a part without belonging to it.
        """
        found: dict[int, list[Occurrence]] = {}
        starting = self._starting_with_gaps if skip else self._starting
        for begin in range(len(words)):
            for part, occurrence in starting(words, begin, skip):
                found.setdefault(part, []).append(occurrence)
        return found

    def _starting(
        self, words: Sequence[str], begin: int, _skip: int
    ) -> Iterator[tuple[int, Occurrence]]:
        node = self._tree
        for end in range(begin, len(words)):
            following = node.next.get(words[end])
            if following is None:
                return
            node = following
            if node.part != _NO_PART:
                yield node.part, ((begin, end + 1),)

    def _starting_with_gaps(
        self, words: Sequence[str], begin: int, skip: int
    ) -> Iterator[tuple[int, Occurrence]]:
        """Follow the tree past words that do not belong; of two ways the shorter is taken."""
        first = self._tree.next.get(words[begin])
        states: _States = {} if first is None else {first: (0, ((begin, begin + 1),))}
        seen = {_NO_PART}
        for place in range(begin + 1, len(words) + 1):
            for node, (_, runs) in states.items():
                if runs[-1][1] == place and node.part not in seen:
                    seen.add(node.part)
                    yield node.part, runs
            if not states or place == len(words):
                return
            states = _next_states(states, words[place], place, skip)

    def phrases_in(self, found: Mapping[int, list[Occurrence]]) -> Iterator[Phrase]:
        """Give the phrases all of whose parts were found, wherever they stand."""
        for part in found:
            for phrase in self._by_first_part.get(part, ()):
                if all(other in found for other in phrase.parts):
                    yield phrase


_States = dict[_Node, tuple[int, Occurrence]]


def _next_states(states: _States, word: str, place: int, skip: int) -> _States:
    """Read one more word, or step over it."""
    following: _States = {}
    for node, (skipped, runs) in states.items():
        if child := node.next.get(word):
            _keep(following, child, skipped, _extended(runs, place))
        if skipped < skip:
            _keep(following, node, skipped + 1, runs)
    return following


def _keep(states: _States, node: _Node, skipped: int, runs: Occurrence) -> None:
    if node not in states or skipped < states[node][0]:
        states[node] = (skipped, runs)


def _extended(runs: Occurrence, place: int) -> Occurrence:
    *before, (begin, end) = runs
    return (*before, (begin, place + 1)) if end == place else (*runs, (place, place + 1))
