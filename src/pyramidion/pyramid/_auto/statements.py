"""The statements of a text: predicates with their arguments, circumstances, appositions."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from pyramidion.text import is_stop_word, sentence_spans
from pyramidion.text.parsing import FINITE, ParsedWord, Parser

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
#: A statement of fewer content words is joined with its neighbor.
_LEAST_CONTENT: Final = 2
#: A subject of more words is an error of the parser, or too long to be repeated.
_MAX_WORDS: Final = 8
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

    A statement is a clause with its subject, wherever that is, or a circumstance or an
    apposition that makes sense by itself.
    """
    spans = sentence_spans(text)
    parsed = parser.parse([text[start:end] for start, end in spans])
    for (start, end), words in zip(spans, parsed, strict=True):
        yield from _Sentence(text[start:end], words, start).statements()


class _Sentence:
    """A parsed sentence, and which word depends on which."""

    def __init__(self, text: str, words: Sequence[ParsedWord], offset: int) -> None:
        self.text, self.words, self.offset = text, words, offset
        self.lower = [word.text.lower() for word in words]
        self.spoken = [any(map(str.isalnum, word.text)) for word in words]
        both = zip(self.spoken, self.lower, strict=True)
        self.content = [spoken and not is_stop_word(lower) for spoken, lower in both]
        self.children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)
        self.subtrees = [self._subtree(place) for place in range(len(words))]

    def statements(self) -> Iterator[Statement]:
        """Return the statements in their order."""
        sentence = self.offset, self.offset + len(self.text)
        for first, last in pairwise([*self._cuts(), len(self.words)]):
            own = self._trimmed(range(first, last))
            if any(self.content[place] for place in own):
                runs = _runs(sorted({*self._subject_elsewhere(own), *own}))
                ends = ((self.words[run[0]].start, self.words[run[-1]].end) for run in runs)
                parts = tuple((self.offset + start, self.offset + end) for start, end in ends)
                yield Statement(parts, self._label(own), sentence)

    def _subtree(self, head: int) -> frozenset[int]:
        """Return a word and what depends on it, also where a parser made a circle."""
        found, new = {head}, [head]
        while new:
            new = [child for place in new for child in self.children[place] if child not in found]
            found.update(new)
        return frozenset(found)

    def _related(self, place: int, *relations: str) -> list[int]:
        """Return the words that depend on a word in one of these relations."""
        return [child for child in self.children[place] if self.words[child].relation in relations]

    def _cuts(self) -> list[int]:
        """Return the places where statements begin."""
        firmness = self._borders()
        cuts = sorted(firmness)
        while cuts:
            few = []
            for first, last in pairwise([0, *cuts, len(self.words)]):
                content = sum(self.content[first:last])
                # One word is enough for when and where it was.
                named = any(word.tag in _NAMES for word in self.words[first:last])
                dated = content and named and firmness.get(first) == _CIRCUMSTANCE
                if content < _LEAST_CONTENT and not dated:
                    weakest = min((firmness[at], at) for at in (first, last) if at in firmness)
                    few.append((content, weakest))
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
        finite = [word.fine in FINITE for word in self.words]
        edges = [0, *sorted(at for at, firm in found.items() if firm >= _COMMA), len(self.words)]
        for first, last in pairwise(edges):
            for place in range(first + 1, last):
                # Two finite verbs are two clauses, whatever the parser says.
                coordinates = self.lower[place] in _COORDINATORS
                if coordinates and any(finite[first:place]) and any(finite[place:last]):
                    found[place] = _CLAUSE
        return found

    def _clauses(self) -> Iterator[tuple[int, int]]:
        for place, word in enumerate(self.words):
            first = min(self.subtrees[place])
            if word.relation in _CLAUSES and self._is_predicate(place):
                firmness = self._firmness(place, first)
                if firmness:
                    while first and self.lower[first - 1] in _TIES:
                        first -= 1
                    yield first, firmness
                    if place < word.head:
                        yield max(self.subtrees[place]) + 1, _COMMA
            elif word.relation == "apposition":
                yield first, _COMMA

    def _firmness(self, predicate: int, first: int) -> int:
        """Return how separate a clause is; 0 if it is part of another."""
        relation = self.words[predicate].relation
        if relation == "conjunct":
            return _SENTENCE if self._related(predicate, "subject") else _CLAUSE
        if relation == "relative clause" or self.lower[first] in _LINKS | _CONDITIONS:
            return _CLAUSE
        if first and self._divides(first - 1):
            return _CLAUSE
        said_of_noun = first == predicate and first and self.words[first - 1].tag in _NOUNS
        return _COMMA if said_of_noun and self._is_participle(predicate) else 0

    def _marks(self) -> Iterator[tuple[int, int]]:
        for place in range(len(self.words)):
            if self._divides(place):
                yield place + 1, _SENTENCE if self.words[place].text in ";:—–" else _COMMA
            if self.lower[place] in (_LINKS | _CONDITIONS) - _GOVERNED:
                yield place, _CLAUSE

    def _circumstances(self) -> Iterator[tuple[int, int]]:
        """Return when and where it was: *in March*, *near Oslo*."""
        for place, word in enumerate(self.words):
            case = [child for child in self._related(place, "case") if child < place]
            free = word.relation == "modifier" and case and self.lower[case[0]] not in _GOVERNED
            if free and any(self.words[own].tag in _NAMES for own in self.subtrees[place]):
                yield min(self.subtrees[place]), _CIRCUMSTANCE

    def _divides(self, place: int) -> bool:
        """Check whether it is a mark between clauses: not in *71-year-old*."""
        word = self.words[place]
        if not _DIVIDES.fullmatch(word.text):
            return False
        before, after = self.text[: word.start][-1:], self.text[word.end :][:1]
        glued = before.isalnum() and after.isalnum() and word.text in {",", ":", "–"}
        alone = before.isspace() and after.isspace()
        return alone if set(word.text) == {"-"} else not glued

    def _is_predicate(self, place: int) -> bool:
        return self.words[place].tag in _PREDICATES or bool(self._related(place, "copula"))

    def _is_participle(self, place: int) -> bool:
        """Check whether it is not finite; a past participle has no object: *they revised it*."""
        relations = ("auxiliary", "copula", "subject")
        if self.words[place].fine == "VBN":
            return not self._related(place, *relations, "object")
        return self.words[place].fine == "VBG" and not self._related(place, *relations)

    def _trimmed(self, own: range) -> range:
        """Leave out punctuation at both ends, and what ties it to the statement before."""
        while own and not self.spoken[own[0]]:
            own = own[1:]
        while own and not self.spoken[own[-1]]:
            own = own[:-1]
        if len(own) > 1 and self.words[own[0]].relation in ("coordinator", "marker"):
            return self._trimmed(own[1:]) if self.lower[own[0]] in _TIES else own
        return own

    def _predicate(self, own: range) -> int | None:
        """Return the first predicate of a stretch that heads a clause."""
        for place in own:
            word = self.words[place]
            heads = word.head == place or word.relation in _CLAUSES
            if heads and self._is_predicate(place):
                return place
        return None

    def _subject(self, predicate: int) -> list[int]:
        """Return who does it, perhaps named by what governs the clause; nobody if not known."""
        seen: set[int] = set()
        while predicate not in seen:
            seen.add(predicate)
            word = self.words[predicate]
            own = self._related(predicate, "subject")
            if word.fine == "VBN" and self._related(predicate, "auxiliary"):
                own += [child for child in self._related(predicate, "object") if child < predicate]
            if word.relation == "relative clause":
                own = [word.head]
            if own:
                return self._noun(own[0])
            predicate = word.head if word.relation in _CLAUSES else predicate
        return []

    def _noun(self, head: int) -> list[int]:
        """Return a noun phrase without what clauses and appositions say of it."""
        more = self._related(head, *_CLAUSES - {"conjunct"}, "apposition", "case")
        rest = self.subtrees[head] - frozenset().union(*(self.subtrees[child] for child in more))
        places = [place for place in sorted(rest) if self.spoken[place]]
        return places if len(places) <= _MAX_WORDS else [head]

    def _subject_elsewhere(self, own: range) -> list[int]:
        predicate = self._predicate(own)
        if predicate is None:
            return []
        # A noun may be before a verb that parsers gave another subject.
        before = [place for place in own if place < min(self._verb_group(predicate))]
        if before and self.words[before[-1]].tag in _NOUNS:
            return []
        subject = self._subject(predicate)
        return [] if set(subject) & set(own) else subject

    def _verb_group(self, predicate: int) -> list[int]:
        """Return a predicate with its auxiliaries and what negates it."""
        negations = (child for child in self.children[predicate] if self.lower[child] in _NEGATIONS)
        return sorted({predicate, *self._related(predicate, *_VERB_GROUP), *negations})

    def _label(self, own: range) -> str:
        """Say it in a sentence of its own, as far as the parser allows."""
        predicate = self._predicate(own)
        said = self._said(own, predicate)
        before, tie = self._told_before(predicate, own, said)
        if set(before) & set(own):
            before, tie = [], ""
        rest = self._words(said)
        if before and self.words[said[0]].tag != "PROPN":
            rest = rest[:1].lower() + rest[1:]
        label = " ".join(filter(None, [*map(self._words, _runs(before)), tie, rest]))
        label = label.replace(" , ", ", ")
        return label[:1].upper() + label[1:]

    def _told_before(self, predicate: int | None, own: range, said: range) -> tuple[list[int], str]:
        """Return what must be said before it, and what ties the two."""
        if predicate is None:
            # The word on which the others depend, the first of several.
            heads = ((place, self.words[place].head) for place in own)
            top = next((place for place, head in heads if head not in own or head == place), 0)
            relation = self.words[top].relation
            if relation == "apposition":
                tie = "is" if self._related(top, "determiner") else ""
                return self._noun(self.words[top].head), tie
            return (self._who_did_what(top) if relation == "modifier" else []), ""
        participle = self._is_participle(predicate)
        if participle and predicate == said[0]:
            noun = predicate - 1
            if predicate and self.words[noun].tag in _NOUNS:
                many = self.words[noun].fine in ("NNS", "NNPS")
                return self._nouns_up_to(noun), "were" if many else "was"
            return self._who_did_what(predicate), ","
        # What opens like this makes no sentence: *if it rains*.
        hangs = self.lower[said[0]] in _CONDITIONS | _LINKS | {"to", "for", "with"}
        if hangs or participle:
            return self._who_did_what(predicate), ""
        return self._subject_elsewhere(said), ""

    def _said(self, own: range, predicate: int | None) -> range:
        """Leave out what opens a clause that is a sentence without it."""
        while len(own) > 1 and self.lower[own[0]] in _TIES:
            own = own[1:]
        subject = [] if predicate is None else self._subject(predicate)
        if subject and set(subject) <= set(own[1:]) and self.lower[own[0]] in _LINKS:
            return own[1:]
        return own

    def _who_did_what(self, place: int) -> list[int]:
        """Return what a circumstance is said of: the nearest predicate it depends on, and who."""
        for _ in self.words:
            place = self.words[place].head
            if self._is_predicate(place) and not self._is_participle(place):
                objects = (child for child in self._related(place, "object") if child > place)
                nouns = (noun for child in objects for noun in self._nouns_up_to(child))
                whom = (noun for noun in nouns if noun > place)
                return sorted({*self._subject(place), *self._verb_group(place), *whom})
        return []

    def _nouns_up_to(self, head: int) -> list[int]:
        """Return a noun phrase that ends with its head."""
        return [place for place in self._noun(head) if place <= head]

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
