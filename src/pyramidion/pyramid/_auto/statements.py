"""The statements of a text: predicates with their arguments, circumstances, appositions."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pyramidion.collection._ids import grouped
from pyramidion.text import is_stop_word, sentence_spans
from pyramidion.text._parsing import ParsedWord, Parser

#: Begin and end of a part in the text.
Span = tuple[int, int]


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


#: Opens a statement, and says nothing in it.
_TIES: Final = _listed("and but or so that which who whom yet")
#: Opens a clause that makes a sentence of its own without it: *because it rained*.
_LINKS: Final = _listed(
    "after although as because once since though when whereas where while even what whose"
)
#: Opens a clause that says nothing by itself: *if it rains*.
_CONDITIONS: Final = _listed("before despite if including unless until whether without")
#: Belongs to its predicate, whatever follows: *sold to a bank*.
_GOVERNED: Final = _listed("as by for into of to with")
_DIVIDES: Final = re.compile(r"[,;:()\[\]{}“”\"«»—–]|-+|\.\.+|…")
_COORDINATORS: Final = _listed("and but or yet")
_FINITE: Final = _listed("MD VBD VBP VBZ")
#: A statement of fewer content words is told with its neighbor.
_LEAST_CONTENT: Final = 2
#: A subject of more words is an error of the parser, or too long to be told again.
_MOST_WORDS: Final = 8
_PREDICATES: Final = frozenset({"VERB", "AUX"})
_NOUNS: Final = frozenset({"NOUN", "NUM", "PRON", "PROPN"})
_NAMES: Final = frozenset({"NUM", "PROPN"})
_NEGATIONS: Final = frozenset({"never", "not", "n't", "n’t"})
_VERB_GROUP: Final = frozenset({"auxiliary", "copula", "compound:prt", "expl"})
_CLAUSES: Final = frozenset({"clause", "relative clause", "conjunct", "parataxis"})

# How firm a border is: the weakest one beside a statement that says too little gives way.
_CIRCUMSTANCE, _COMMA, _CLAUSE, _SENTENCE = 1, 2, 3, 4


class Statement(NamedTuple):
    """A statement: its parts in the text, in order, and a sentence that says it."""

    parts: tuple[Span, ...]
    label: str
    #: The sentence of the text that it is taken from.
    sentence: Span


def statements_of(text: str, parser: Parser) -> Iterator[Statement]:
    """Take a text apart: every content word is in a statement.

    A statement is a clause with its subject, wherever that stands, or a circumstance or an
    apposition that can be told for itself.
    """
    spans = sentence_spans(text)
    parsed = parser.parse([text[start:end] for start, end in spans])
    for (start, end), words in zip(spans, parsed, strict=True):
        yield from _Sentence(text[start:end], words, start).statements()


class _Sentence:
    """A parsed sentence, and which word depends on which."""

    def __init__(self, text: str, words: Sequence[ParsedWord], offset: int) -> None:
        self.text, self.words, self.offset = text, words, offset
        places = enumerate(words)
        self.children = grouped((word.head, place) for place, word in places if word.head != place)
        self.subtrees = [self._subtree(place) for place in range(len(words))]

    def statements(self) -> Iterator[Statement]:
        """Return the statements in their order."""
        sentence = self.offset, self.offset + len(self.text)
        for first, last in pairwise([*self._cuts(), len(self.words)]):
            own = self._trimmed(range(first, last))
            if any(map(self._has_content, own)):
                told = self._subject_elsewhere(own)
                parts = (self._span(run) for run in _runs(sorted({*told, *own})))
                yield Statement(tuple(parts), self._label(own), sentence)

    def _subtree(self, head: int) -> frozenset[int]:
        """Return what depends on a word, which also stands where parsers made a circle."""
        found, new = {head}, [head]
        while new:
            new = [c for place in new for c in self.children.get(place, ()) if c not in found]
            found.update(new)
        return frozenset(found)

    def _cuts(self) -> list[int]:
        """Return the places where statements begin."""
        firmness = self._borders()
        cuts = sorted(firmness)
        while cuts:
            edges = pairwise([0, *cuts, len(self.words)])
            few = [
                (content, min((firmness[at], at) for at in (first, last) if at in firmness))
                for first, last in edges
                if (content := sum(map(self._has_content, range(first, last)))) < _LEAST_CONTENT
                and not (content and self._is_dated(range(first, last), firmness.get(first)))
            ]
            if not few:
                break
            cuts.remove(min(few)[1][1])
        return [0, *cuts]

    def _borders(self) -> dict[int, int]:
        """Return where a statement could begin, and how firm that is."""
        found: dict[int, int] = {}
        for place, firmness in (*self._clauses(), *self._marks(), *self._circumstances()):
            if 0 < place < len(self.words):
                found[place] = max(firmness, found.get(place, 0))
        edges = [0, *sorted(at for at, firm in found.items() if firm >= _COMMA), len(self.words)]
        for first, last in pairwise(edges):
            for place in range(first + 1, last):
                # Two finite verbs are two clauses, whatever the parser says.
                if self._lower(place) in _COORDINATORS and (
                    self._is_finite(range(first, place)) and self._is_finite(range(place, last))
                ):
                    found[place] = _CLAUSE
        return found

    def _clauses(self) -> Iterator[tuple[int, int]]:
        for place, word in enumerate(self.words):
            first = min(self.subtrees[place])
            if word.relation in _CLAUSES and self._is_predicate(place):
                firmness = self._firmness(place, first)
                if firmness:
                    while first and self._lower(first - 1) in _TIES:
                        first -= 1
                    yield first, firmness
                    if place < word.head:
                        yield max(self.subtrees[place]) + 1, _COMMA
            elif word.relation == "apposition":
                yield first, _COMMA

    def _firmness(self, predicate: int, first: int) -> int:
        """Return how firmly a clause stands by itself; 0 if it is part of another."""
        relation = self.words[predicate].relation
        if relation == "conjunct":
            return _SENTENCE if self._has(predicate, "subject") else _CLAUSE
        if relation == "relative clause" or self._lower(first) in _LINKS | _CONDITIONS:
            return _CLAUSE
        if first and self._divides(first - 1):
            return _CLAUSE
        said_of_noun = first == predicate and first and self.words[first - 1].tag in _NOUNS
        return _COMMA if said_of_noun and self._is_participle(predicate) else 0

    def _marks(self) -> Iterator[tuple[int, int]]:
        for place in range(len(self.words)):
            if self._divides(place):
                yield place + 1, _SENTENCE if self.words[place].text in ";:—–" else _COMMA
            if self._lower(place) in (_LINKS | _CONDITIONS) - _GOVERNED:
                yield place, _CLAUSE

    def _circumstances(self) -> Iterator[tuple[int, int]]:
        """Return when and where it was: *in March*, *near Oslo*."""
        for place, word in enumerate(self.words):
            case = [c for c in self._of(place) if self.words[c].relation == "case" and c < place]
            if (
                word.relation == "modifier"
                and case
                and self._lower(case[0]) not in _GOVERNED
                and any(self.words[own].tag in _NAMES for own in self.subtrees[place])
            ):
                yield min(self.subtrees[place]), _CIRCUMSTANCE

    def _is_dated(self, own: range, firmness: int | None) -> bool:
        """Whether it is a circumstance that one word is enough for."""
        return firmness == _CIRCUMSTANCE and any(self.words[place].tag in _NAMES for place in own)

    def _divides(self, place: int) -> bool:
        """Whether it is a mark that stands between clauses: not in *71-year-old*."""
        word = self.words[place]
        if not _DIVIDES.fullmatch(word.text):
            return False
        before, after = self.text[: word.start][-1:], self.text[word.end :][:1]
        glued = before.isalnum() and after.isalnum() and word.text in {",", ":", "–"}
        alone = before.isspace() and after.isspace()
        return alone if set(word.text) == {"-"} else not glued

    def _is_finite(self, places: range) -> bool:
        return any(self.words[place].fine in _FINITE for place in places)

    def _lower(self, place: int) -> str:
        return self.words[place].text.lower()

    def _count(self, places: Iterable[int]) -> int:
        return sum(any(map(str.isalnum, self.words[place].text)) for place in places)

    def _has_content(self, place: int) -> bool:
        return bool(self._count([place])) and not is_stop_word(self._lower(place))

    def _has(self, place: int, *relations: str) -> bool:
        return any(self.words[child].relation in relations for child in self._of(place))

    def _of(self, place: int) -> list[int]:
        return self.children.get(place, [])

    def _is_predicate(self, place: int) -> bool:
        return self.words[place].tag in _PREDICATES or self._has(place, "copula")

    def _trimmed(self, own: range) -> range:
        """Leave out punctuation at both ends, and what ties it to the statement before."""
        while own and not self._count(own[:1]):
            own = own[1:]
        while own and not self._count(own[-1:]):
            own = own[:-1]
        if len(own) > 1 and self.words[own[0]].relation in ("coordinator", "marker"):
            return self._trimmed(own[1:]) if self._lower(own[0]) in _TIES else own
        return own

    def _top(self, own: range) -> int:
        """Return the word of a stretch on which the others depend, the first of several."""
        return next((p for p in own if self.words[p].head not in own or self.words[p].head == p), 0)

    def _predicate(self, own: range) -> int | None:
        """Return the first predicate of a stretch that heads a clause."""
        for place in own:
            word = self.words[place]
            heads = word.head == place or word.relation in _CLAUSES
            if heads and self._is_predicate(place):
                return place
        return None

    def _subject(self, predicate: int) -> list[int]:
        """Return who does it, who may be named by what governs the clause; nobody if not known."""
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
        """Return a noun phrase without what clauses and appositions say of it."""
        told = (*_CLAUSES - {"conjunct"}, "apposition", "case")
        more = (c for c in self._of(head) if self.words[c].relation in told)
        rest = self.subtrees[head] - frozenset().union(*(self.subtrees[c] for c in more))
        places = [p for p in sorted(rest) if self._count([p])]
        return places if len(places) <= _MOST_WORDS else [head]

    def _subject_elsewhere(self, own: range) -> list[int]:
        predicate = self._predicate(own)
        if predicate is None or self._follows_noun(predicate, own):
            return []
        subject = self._subject(predicate)
        return [] if set(subject) & set(own) else subject

    def _follows_noun(self, predicate: int, own: range) -> bool:
        """Whether a noun stands before a verb that parsers gave another subject."""
        before = [place for place in own if place < min(self._verb_group(predicate))]
        return bool(before) and self.words[before[-1]].tag in _NOUNS

    def _verb_group(self, predicate: int) -> list[int]:
        """Return a predicate with its auxiliaries and what negates it."""
        group = {predicate}
        for child in self._of(predicate):
            if self.words[child].relation in _VERB_GROUP or self._lower(child) in _NEGATIONS:
                group.add(child)
        return sorted(group)

    def _label(self, own: range) -> str:
        """Say it in a sentence of its own, as far as the parser allows."""
        predicate, top = self._predicate(own), self._top(own)
        said = self._said(own, predicate)
        before, tie = self._told_before(predicate, top, said)
        if set(before) & set(own):
            before, tie = [], ""
        rest = self._words(said)
        if before and self.words[said[0]].tag != "PROPN":
            rest = rest[:1].lower() + rest[1:]
        label = " ".join(filter(None, [*map(self._words, _runs(before)), tie, rest]))
        label = label.replace(" , ", ", ")
        return label[:1].upper() + label[1:]

    def _told_before(self, predicate: int | None, top: int, said: range) -> tuple[list[int], str]:
        """Return what must be said before it, and what ties the two."""
        if predicate is None:
            relation = self.words[top].relation
            if relation == "apposition":
                return self._noun(self.words[top].head), "is" if self._has(
                    top, "determiner"
                ) else ""
            return (self._who_did_what(top) if relation == "modifier" else []), ""
        if self._is_participle(predicate) and predicate == said[0]:
            noun = predicate - 1
            if predicate and self.words[noun].tag in _NOUNS:
                many = self.words[noun].fine in ("NNS", "NNPS")
                return self._nouns_up_to(noun), "were" if many else "was"
            return self._who_did_what(predicate), ","
        if self._hangs(said) or self._is_participle(predicate):
            return self._who_did_what(predicate), ""
        return self._subject_elsewhere(said), ""

    def _said(self, own: range, predicate: int | None) -> range:
        """Leave out what opens a clause that is a sentence without it."""
        while len(own) > 1 and self._lower(own[0]) in _TIES:
            own = own[1:]
        subject = [] if predicate is None else self._subject(predicate)
        if subject and set(subject) <= set(own[1:]) and self._lower(own[0]) in _LINKS:
            return own[1:]
        return own

    def _who_did_what(self, place: int) -> list[int]:
        """Return what a circumstance is said of."""
        governing = self._governing(place)
        if governing is None:
            return []
        objects = (
            c for c in self._of(governing) if self.words[c].relation == "object" and c > governing
        )
        whom = [noun for c in objects for noun in self._nouns_up_to(c) if noun > governing]
        return sorted({*self._subject(governing), *self._verb_group(governing), *whom})

    def _nouns_up_to(self, head: int) -> list[int]:
        """Return a noun phrase that ends with its head."""
        return [place for place in self._noun(head) if place <= head]

    def _hangs(self, said: range) -> bool:
        """Whether it opens with what makes no sentence: *if it rains*."""
        return self._lower(said[0]) in _CONDITIONS | _LINKS | {"to", "for", "with"}

    def _is_participle(self, place: int) -> bool:
        """Whether it is no finite verb; a past participle has no object: *they revised it*."""
        relations = ("auxiliary", "copula", "subject")
        if self.words[place].fine == "VBN":
            return not self._has(place, *relations, "object")
        return self.words[place].fine == "VBG" and not self._has(place, *relations)

    def _governing(self, place: int) -> int | None:
        """Return the nearest predicate on which a word depends."""
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
