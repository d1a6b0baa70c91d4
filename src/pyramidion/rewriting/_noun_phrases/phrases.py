"""Noun phrases of parsed sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pyramidion.text import ParsedSentence
from pyramidion.text.parsing import ParsedWord

_NOUN_TAGS = ("NOUN", "PROPN")
#: Relations of words at the edge of a phrase that are not part of it.
_OUTER_RELATIONS = (
    "case",
    "marker",
    "coordinator",
    "copula",
    "auxiliary",
    "punctuation",
    "cc",
    "discourse",
)
#: Relations of dependents of a predicate noun that belong to the clause.
_CLAUSAL_RELATIONS = (
    "subject",
    "clause",
    "copula",
    "auxiliary",
    "marker",
    "punctuation",
    "expl",
    "vocative",
)


class NounTree:
    """The dependency tree of a sentence, and the noun phrases in it."""

    def __init__(self, words: Sequence[ParsedWord]) -> None:
        self.words = words
        self.children: list[list[int]] = [[] for _ in words]
        for index, word in enumerate(words):
            if word.head != index:
                self.children[word.head].append(index)

    def heads(self) -> Iterator[tuple[int, bool]]:
        """Yield the noun of each phrase, and whether the phrase is inside another one."""
        waiting_words = [
            (index, False) for index, word in enumerate(self.words) if word.head == index
        ]
        seen_heads: set[int] = set()
        while waiting_words:
            index, is_dependent = waiting_words.pop()
            if index in seen_heads:
                continue
            seen_heads.add(index)
            is_noun = self.words[index].tag in _NOUN_TAGS
            if is_noun and not self._belongs_to_a_name(index):
                yield index, is_dependent
            dependents = set(self.dependents(index)) if is_noun else set()
            waiting_words += [
                (child, is_dependent or child in dependents) for child in self.children[index]
            ]

    def _belongs_to_a_name(self, index: int) -> bool:
        """Return whether a noun premodifies another or continues a name."""
        word = self.words[index]
        if word.relation == "name":
            return True
        is_before_head = word.head > index and self.words[word.head].tag in _NOUN_TAGS
        is_bare = not any(
            self.words[child].relation in ("case", "determiner") for child in self.children[index]
        )
        return is_before_head and is_bare and word.relation in ("modifier", "title")

    def predicate(self, index: int) -> int:
        """Return the copula (or subject) of a predicate noun; -1 for other nouns."""
        relations = {self.words[child].relation: child for child in self.children[index]}
        if "copula" in relations:
            return relations["copula"]
        return relations.get("subject", -1)

    def dependents(self, noun: int) -> list[int]:
        """Return the dependents of a noun within its phrase."""
        predicate = self.predicate(noun)
        dependents = []
        for child in self.children[noun]:
            relation = self.words[child].relation
            is_outside = relation in _OUTER_RELATIONS and (child < noun or relation != "case")
            is_clausal = predicate >= 0 and (relation in _CLAUSAL_RELATIONS or child < predicate)
            if not is_outside and not is_clausal:
                dependents.append(child)
        return dependents

    def subtree(self, noun: int) -> list[int]:
        """Return the words of a noun's phrase."""
        subtree, waiting_words = {noun}, self.dependents(noun)
        while waiting_words:
            index = waiting_words.pop()
            if index not in subtree:
                subtree.add(index)
                waiting_words += self.children[index]
        return sorted(subtree)


#: First words of prepositions that are not tagged as such.
_PREPOSITIONS = frozenset(("according", "because", "due", "including", "instead", "such", "than"))


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A noun phrase; the fields are indices of words in its sentence."""

    sentence: ParsedSentence
    first: int
    last: int
    head: int  # the noun; the first word of a name
    core: int  # the last word before postmodifiers

    @property
    def text(self) -> str:
        """The text of the phrase."""
        return self.sentence.between(self.first, self.last)

    @property
    def words(self) -> Sequence[ParsedWord]:
        """Its words."""
        return self.sentence.words[self.first : self.last + 1]

    @property
    def start(self) -> int:
        """The character offset of its start in the sentence."""
        return self.sentence.words[self.first].start

    @property
    def end(self) -> int:
        """The character offset of its end in the sentence."""
        return self.sentence.words[self.last].end


def maximum_phrases(sentence: ParsedSentence) -> list[NounPhrase]:
    """Find the noun phrases that no other phrase contains (Nenkova 2006, section 4.3.1)."""
    tree = NounTree(sentence.words)
    phrases = [_phrase(tree, sentence, head) for head, is_nested in tree.heads() if not is_nested]
    return sorted(phrases, key=lambda phrase: (phrase.first, -phrase.last))


def _phrase(tree: NounTree, sentence: ParsedSentence, head: int) -> NounPhrase:
    words, indices = sentence.words, tree.subtree(head)
    while indices[0] != head and _is_outside(words[indices[0]], at_start=True):
        del indices[0]
    while indices[-1] != head and _is_outside(words[indices[-1]], at_start=False):
        del indices[-1]
    core = _core(words, head, set(indices))
    return NounPhrase(sentence, indices[0], indices[-1], head, core)


def _is_outside(word: ParsedWord, *, at_start: bool) -> bool:
    """Return whether a word at the edge of a phrase does not belong to it."""
    if word.tag == "PUNCT":
        return not word.text[-1].isalnum()
    if at_start:
        return word.tag in ("ADP", "CCONJ", "SCONJ", "PART") or word.text.lower() in _PREPOSITIONS
    return word.fine == "POS"


def _core(words: Sequence[ParsedWord], head: int, members: set[int]) -> int:
    """Return the last word of a name after a noun: *the ferry Maren Star*, *Quarry No. 4*."""
    last_index = head
    while last_index + 1 in members:
        word = words[last_index + 1]
        is_hyphenated = last_index + 2 in members and words[last_index].end == word.start
        is_hyphenated = is_hyphenated and word.end == words[last_index + 2].start
        # *Reyes-Lund*.
        if is_hyphenated and word.text in ("-", "–") and words[last_index + 2].text[0].isupper():
            last_index += 2
            continue
        is_capitalized = word.text[:1].isupper() or not word.text[:1].isalpha()
        is_name = is_capitalized and (word.relation == "name" or word.tag == "PROPN")
        if not is_name and not (word.tag == "NUM" and words[last_index].text in ("No.", "Nos.")):
            break
        last_index += 1
    return last_index
