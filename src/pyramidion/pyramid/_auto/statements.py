"""The statements of a text: predicates with their arguments, modifiers, appositions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pyramidion.text import is_stop_word, sentence_spans
from pyramidion.text._parsing import ParsedWord, Parser

#: Begin and end of a part in the text.
Span = tuple[int, int]

_OPENERS: Final = frozenset(
    re.findall(
        r"\w+",
        "after although and as because before but despite even for if including once or since so"
        " that though to unless until what when where whereas whether which while who whom whose"
        " with without yet",
    )
)
#: Opens a statement, and says nothing in it.
_TIES: Final = frozenset({"and", "but", "or", "so", "that", "which", "who", "whom", "yet"})
_DIVIDES: Final = re.compile(r"[,;:()\[\]{}“”\"«»—–]|-+|\.\.+|…")
_LEAST_WORDS: Final = 3
#: A subject of more words is an error of the parser, or too long to be told again.
_MOST_WORDS: Final = 8
_PREDICATES: Final = frozenset({"VERB", "AUX"})
_VERB_GROUP: Final = frozenset({"auxiliary", "copula", "compound:prt", "expl"})
_CLAUSES: Final = frozenset({"clause", "relative clause", "conjunct", "parataxis"})


class Statement(NamedTuple):
    """A statement: its parts in the text, in order, and a sentence that says it."""

    parts: tuple[Span, ...]
    label: str


def statements_of(text: str, parser: Parser) -> Iterator[Statement]:
    """Take a text apart: every content word is in a statement.

    A statement is a clause with its subject, wherever that stands, or a modifier or an apposition
    that is long enough to be told for itself.
    """
    spans = sentence_spans(text)
    parsed = parser.parse([text[start:end] for start, end in spans])
    for (start, end), words in zip(spans, parsed, strict=True):
        yield from _Sentence(text[start:end], words, start).statements()


class _Sentence:
    """A parsed sentence, and which word depends on which."""

    def __init__(self, text: str, words: Sequence[ParsedWord], offset: int) -> None:
        self.text, self.words, self.offset = text, words, offset
        self.children: dict[int, list[int]] = {}
        for place, word in enumerate(words):
            if word.head != place:
                self.children.setdefault(word.head, []).append(place)
        self.subtrees = [self._subtree(place) for place in range(len(words))]

    def statements(self) -> Iterator[Statement]:
        """Give the statements in their order."""
        for first, last in pairwise([*self._cuts(), len(self.words)]):
            own = self._trimmed(range(first, last))
            if any(map(self._has_content, own)):
                told = self._subject_elsewhere(own)
                parts = (self._span(run) for run in _runs(sorted({*told, *own})))
                yield Statement(tuple(parts), self._label(own))

    def _subtree(self, head: int) -> frozenset[int]:
        """Give what depends on a word, which also stands where parsers made a circle."""
        found, new = {head}, [head]
        while new:
            new = [c for place in new for c in self.children.get(place, ()) if c not in found]
            found.update(new)
        return frozenset(found)

    def _cuts(self) -> list[int]:
        """Give the places where statements begin."""
        cuts, told = [0], self._told_apart()
        for place in range(1, len(self.words)):
            divided = _DIVIDES.fullmatch(self.words[place - 1].text)
            opens = divided or place in told or self._opens(place)
            if opens and self._count(range(cuts[-1], place)) >= _LEAST_WORDS:
                cuts.append(place)
        if len(cuts) > 1 and self._count(range(cuts[-1], len(self.words))) < _LEAST_WORDS:
            cuts.pop()
        return cuts

    def _opens(self, place: int) -> bool:
        """Whether a word opens a clause: not *bread and butter*."""
        word = self.words[place]
        if word.relation == "coordinator":
            return self._is_predicate(word.head)
        return word.text.lower() in _OPENERS

    def _told_apart(self) -> set[int]:
        """Give where modifiers of predicates, and appositions, begin."""
        return {
            min(self.subtrees[place])
            for place, word in enumerate(self.words)
            if word.relation == "apposition"
            or (
                word.relation == "modifier"
                and self._is_predicate(word.head)
                and self._has(place, "case")
                and self._count(self.subtrees[place]) >= _LEAST_WORDS
            )
        }

    def _count(self, places: Iterable[int]) -> int:
        return sum(any(map(str.isalnum, self.words[place].text)) for place in places)

    def _has_content(self, place: int) -> bool:
        word = self.words[place].text
        return any(map(str.isalnum, word)) and not is_stop_word(word.lower())

    def _has(self, place: int, *relations: str) -> bool:
        return any(self.words[child].relation in relations for child in self._of(place))

    def _of(self, place: int) -> list[int]:
        return self.children.get(place, [])

    def _is_predicate(self, place: int) -> bool:
        return self.words[place].tag in _PREDICATES or self._has(place, "copula")

    def _trimmed(self, own: range) -> range:
        """Leave out punctuation at both ends."""
        while own and not self._count(own[:1]):
            own = own[1:]
        while own and not self._count(own[-1:]):
            own = own[:-1]
        return own

    def _top(self, own: range) -> int:
        """Give the word of a stretch on which the others depend, the first of several."""
        return next((p for p in own if self.words[p].head not in own or self.words[p].head == p), 0)

    def _predicate(self, own: range) -> int | None:
        """Give the first predicate of a stretch that heads a clause."""
        for place in own:
            word = self.words[place]
            heads = word.head == place or word.relation in _CLAUSES
            if heads and self._is_predicate(place):
                return place
        return None

    def _subject(self, predicate: int) -> list[int]:
        """Give who does it, who may be named by what governs the clause; nobody if not known."""
        seen: set[int] = set()
        while predicate not in seen:
            seen.add(predicate)
            word = self.words[predicate]
            own = [c for c in self._of(predicate) if self.words[c].relation == "subject"]
            passive = word.fine == "VBN" and self._has(predicate, "auxiliary")
            own += [
                c for c in self._of(predicate)
                if passive and self.words[c].relation == "object" and c < predicate
            ]  # fmt: skip
            if word.relation == "relative clause":
                own = [word.head]
            if own:
                return self._noun(own[0])
            predicate = word.head if word.relation in _CLAUSES else predicate
        return []

    def _noun(self, head: int) -> list[int]:
        """Give a noun phrase without what clauses and appositions say of it."""
        told = (*_CLAUSES - {"conjunct"}, "apposition", "case")
        more = (c for c in self._of(head) if self.words[c].relation in told)
        rest = self.subtrees[head] - frozenset().union(*(self.subtrees[c] for c in more))
        places = [p for p in sorted(rest) if self._count([p])]
        return places if len(places) <= _MOST_WORDS else [head]

    def _subject_elsewhere(self, own: range) -> list[int]:
        predicate = self._predicate(own)
        subject = [] if predicate is None else self._subject(predicate)
        return [] if set(subject) & set(own) else subject

    def _label(self, own: range) -> str:
        """Say it in a sentence of its own, as far as the parser allows."""
        predicate, top = self._predicate(own), self._top(own)
        said = list(own)
        while len(said) > 1 and self.words[said[0]].text.lower() in _TIES:
            said = said[1:]
        before: list[int] = []
        tie = ""
        if self.words[top].relation == "apposition" and predicate is None:
            before = self._noun(self.words[top].head)
            tie = "is" if self._has(top, "determiner") else ""
        elif predicate is None or self._is_participle(predicate) or self._hangs(own):
            governing = self._governing(top if predicate is None else predicate)
            if governing is not None:
                group = [c for c in self._of(governing) if self.words[c].relation in _VERB_GROUP]
                before = [*self._subject(governing), *sorted({governing, *group})]
        else:
            before = self._subject_elsewhere(own)
        if set(before) & set(own):
            before, tie = [], ""
        runs = [self._words(run) for run in (*_runs(before), said)]
        label = " ".join(filter(None, [*runs[:-1], tie, runs[-1]]))
        return label[:1].upper() + label[1:]

    def _hangs(self, own: range) -> bool:
        """Whether it opens with what makes no sentence: *because it rained*."""
        first = self.words[own[0]].text.lower()
        return first in _OPENERS and first not in _TIES

    def _is_participle(self, place: int) -> bool:
        return self.words[place].fine in ("VBG", "VBN") and not self._has(
            place, "auxiliary", "copula", "subject"
        )

    def _governing(self, place: int) -> int | None:
        """Give the nearest predicate on which a word depends."""
        for _ in self.words:
            place = self.words[place].head
            if self._is_predicate(place) and not self._is_participle(place):
                return place
        return None

    def _span(self, run: Sequence[int]) -> Span:
        first, last = self.words[run[0]], self.words[run[-1]]
        return self.offset + first.start, self.offset + last.end

    def _words(self, run: Sequence[int]) -> str:
        if not run:
            return ""
        text = self.text[self.words[run[0]].start : self.words[run[-1]].end]
        return " ".join(text.split())


def _runs(places: Sequence[int]) -> list[list[int]]:
    """Put neighbors together."""
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    return runs
