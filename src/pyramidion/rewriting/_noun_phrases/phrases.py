"""Noun phrases of parsed sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from pyramidion.rewriting._articles import ParsedSentence
from pyramidion.text._parsing import ParsedWord

_NOUNS = ("NOUN", "PROPN")
#: What stands at the edge of a phrase without being part of it.
_OUTER = ("case", "marker", "coordinator", "copula", "auxiliary", "punctuation", "cc", "discourse")
#: What depends on a noun that is a predicate as it would depend on a verb.
_CLAUSAL = ("subject", "clause", "copula", "auxiliary", "marker", "punctuation", "expl", "vocative")


class NounTree:
    """The words of a sentence with what depends on each, seen from the nouns."""

    def __init__(self, words: Sequence[ParsedWord]) -> None:
        self.words = words
        self.children: list[list[int]] = [[] for _ in words]
        for place, word in enumerate(words):
            if word.head != place:
                self.children[word.head].append(place)

    def heads(self) -> Iterator[tuple[int, bool]]:
        """Return the noun of each phrase, and whether it stands in another phrase."""
        waiting = [(place, False) for place, word in enumerate(self.words) if word.head == place]
        seen: set[int] = set()
        while waiting:
            place, inside = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            noun = self.words[place].tag in _NOUNS
            if noun and not self._belongs_to_a_name(place):
                yield place, inside
            own = set(self.own(place)) if noun else set()
            waiting += [(child, inside or child in own) for child in self.children[place]]

    def _belongs_to_a_name(self, place: int) -> bool:
        """Return whether a noun only premodifies one or goes on with a name."""
        word = self.words[place]
        if word.relation == "name":
            return True
        before = word.head > place and self.words[word.head].tag in _NOUNS
        bare = not any(
            self.words[child].relation in ("case", "determiner") for child in self.children[place]
        )
        return before and bare and word.relation in ("modifier", "title")

    def predicate(self, place: int) -> int:
        """Return the copula of a noun that is a predicate; -1 if it is none."""
        relations = {self.words[child].relation: child for child in self.children[place]}
        if "copula" in relations:
            return relations["copula"]
        return relations.get("subject", -1)

    def own(self, place: int) -> list[int]:
        """Return what depends on a noun within its phrase."""
        after = self.predicate(place)
        kept = []
        for child in self.children[place]:
            relation = self.words[child].relation
            outer = relation in _OUTER and (child < place or relation != "case")
            clausal = after >= 0 and (relation in _CLAUSAL or child < after)
            if not outer and not clausal:
                kept.append(child)
        return kept

    def subtree(self, place: int) -> list[int]:
        """Return the words of a noun's phrase."""
        found, waiting = {place}, self.own(place)
        while waiting:
            next_ = waiting.pop()
            if next_ not in found:
                found.add(next_)
                waiting += self.children[next_]
        return sorted(found)


#: ``definite`` has *the*, ``indefinite`` *a* or *some*, ``demonstrative`` *this*, ``possessive``
#: *its* or *the ship's*; ``name`` is a proper name and ``bare`` a common noun without any of these.
Definiteness = Literal["definite", "indefinite", "demonstrative", "possessive", "name", "bare"]

_DETERMINERS: dict[str, Definiteness] = {
    "the": "definite",
    **dict.fromkeys(("this", "that", "these", "those"), "demonstrative"),
}
_BEGINNINGS = ("NOUN", "PROPN", "DET", "ADJ", "NUM", "PRON", "ADV")
#: Beginnings of prepositions that are not tagged as such.
_PREPOSITIONS = frozenset(("according", "because", "due", "including", "instead", "such", "than"))
_BREAKS = frozenset('"“”„«»()[]{};:—–') | {"``", "''", "--", "-LRB-", "-RRB-"}


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase; places are numbers of words of its sentence."""

    sentence: ParsedSentence
    first: int
    last: int
    head: int  # the noun; of a name the first word
    core: int  # the last word before what modifies it
    definiteness: Definiteness
    plural: bool = False
    coordinated: bool = False
    predicate: bool = False  # says what something is: *the ship is a ferry*
    nested: bool = False  # in another noun phrase
    unsafe: str = ""  # why its limits cannot be trusted; nothing if they can

    @property
    def text(self) -> str:
        """The phrase as it stands there."""
        return self.sentence.between(self.first, self.last)

    @property
    def words(self) -> Sequence[ParsedWord]:
        """Its words."""
        return self.sentence.words[self.first : self.last + 1]

    @property
    def postmodified(self) -> bool:
        """Whether anything follows its noun or name."""
        return self.last > self.core

    @property
    def start(self) -> int:
        """Where it begins in the sentence."""
        return self.sentence.words[self.first].start

    @property
    def end(self) -> int:
        """Where it ends in the sentence."""
        return self.sentence.words[self.last].end


def maximum_phrases(sentence: ParsedSentence) -> list[NounPhrase]:
    """Find the noun phrases that no other holds, in order (Nenkova 2006, section 4.3.1)."""
    return [phrase for phrase in noun_phrases(sentence) if not phrase.nested]


def noun_phrases(sentence: ParsedSentence) -> list[NounPhrase]:
    """Find all noun phrases, those within others too, in the order of the sentence."""
    tree = NounTree(sentence.words)
    found = [_phrase(tree, sentence, head, nested=nested) for head, nested in tree.heads()]
    return sorted(found, key=lambda phrase: (phrase.first, -phrase.last))


def _phrase(tree: NounTree, sentence: ParsedSentence, head: int, *, nested: bool) -> NounPhrase:
    words, noun = sentence.words, sentence.words[head]
    places = tree.subtree(head)
    while places[0] != head and _outside(words[places[0]], before=True):
        del places[0]
    while places[-1] != head and _outside(words[places[-1]], before=False):
        del places[-1]
    if noun.fine:
        plural = noun.fine in ("NNS", "NNPS")
    else:
        changed = noun.text.lower() != noun.lemma
        plural = noun.tag == "NOUN" and changed and noun.text.endswith("s")
    others = [words[place] for place in places if place != head]
    return NounPhrase(
        sentence,
        places[0],
        places[-1],
        head,
        _core(words, head, set(places)),
        _definiteness(tree, head),
        plural=plural,
        coordinated=any(own.tag == "CCONJ" or own.relation == "conjunct" for own in others),
        predicate=tree.predicate(head) >= 0,
        nested=nested,
        unsafe=_unsafe(words, places),
    )


def _outside(word: ParsedWord, *, before: bool) -> bool:
    """Return whether a word at the edge of a phrase does not belong to it."""
    if word.tag == "PUNCT":
        return not word.text[-1].isalnum()
    if before:
        return word.tag in ("ADP", "CCONJ", "SCONJ", "PART") or word.text.lower() in _PREPOSITIONS
    return word.fine == "POS"


def _core(words: Sequence[ParsedWord], head: int, own: set[int]) -> int:
    """Go on from a noun through the words of a name: *the ferry Maren Star*, *Quarry No. 4*."""
    last = head
    while last + 1 in own:
        word = words[last + 1]
        joined = last + 2 in own and words[last].end == word.start
        joined = joined and word.end == words[last + 2].start
        # *Reyes-Lund*.
        if joined and word.text in ("-", "–") and words[last + 2].text[0].isupper():
            last += 2
            continue
        capital = word.text[:1].isupper() or not word.text[:1].isalpha()
        named = capital and (word.relation == "name" or word.tag == "PROPN")
        if not named and not (word.tag == "NUM" and words[last].text in ("No.", "Nos.")):
            break
        last += 1
    return last


def _definiteness(tree: NounTree, head: int) -> Definiteness:
    before = [child for child in tree.children[head] if child < head]
    for child in before:
        marks = {tree.words[mark].text for mark in tree.children[child]}
        if tree.words[child].fine in ("PRP$", "WP$") or marks & {"'s", "’s", "'", "’"}:
            return "possessive"
    for child in before:
        word = tree.words[child]
        if word.relation == "determiner" or word.tag == "DET":
            return _DETERMINERS.get(word.text.lower(), "indefinite")
    return "name" if tree.words[head].tag == "PROPN" else "bare"


def _unsafe(words: Sequence[ParsedWord], places: Sequence[int]) -> str:
    """Return why a phrase cannot be trusted; nothing if it can."""
    span = words[places[0] : places[-1] + 1]
    between = set(range(places[0], places[-1] + 1)) - set(places)
    if any(words[place].tag != "PUNCT" for place in between):
        return "its words do not stand together"
    if any(word.text in _BREAKS for word in span):
        return "quotation marks, brackets or dashes stand in it"
    if any(word.relation == "conjunct" and word.tag in ("VERB", "AUX") for word in span):
        return "a clause with two verbs stands in it"
    if span[0].tag == "ADV" and span[1:2] and span[1].tag in ("DET", "NOUN", "PROPN", "PRON"):
        return "the adverb before it belongs to the verb"
    if span[0].tag not in _BEGINNINGS and span[0].fine not in ("VBG", "VBN", "PRP$"):
        return "it begins with a word that no noun phrase begins with"
    first, last = places[0], places[-1]
    names = [word.tag == "PROPN" for word in words]
    of = first > 1 and words[first - 1].text == "of" and names[first - 2]
    before = first > 0 and (names[first - 1] or of) and names[first]
    after = last + 1 < len(words) and names[last + 1] and names[last]
    return "a name goes on beyond it" if before or after else ""
