"""Parsers behind one small interface.

A parser is the built-in English spaCy pipeline (the extra ``nlp``), any other spaCy pipeline, or
the light parser, which has no dependencies and is less accurate. Labels of Universal Dependencies
and of ClearNLP are mapped to one small vocabulary, see `RELATIONS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Final, Protocol

from pyramidion.errors import MissingExtraError
from pyramidion.text._english import english_file

_LABELS = {
    "subject": "nsubj nsubj:outer nsubj:xsubj",
    "object": "obj dobj iobj dative nsubj:pass nsubjpass",
    "modifier": (
        "amod nmod nmod:poss nmod:unmarked nmod:npmod nmod:tmod poss nummod compound advmod "
        "advmod:emph obl obl:agent obl:unmarked obl:npmod obl:tmod pobj prep agent npadvmod "
        "quantmod nn num number neg"
    ),
    "apposition": "appos",
    "relative clause": "acl:relcl relcl",
    "title": "nmod:desc",
    "name": "flat flat:name flat:foreign",
    "determiner": "det det:predet predet",
    "case": "case",
    "conjunct": "conj",
    "coordinator": "cc cc:preconj preconj",
    "copula": "cop",
    "auxiliary": "aux aux:pass auxpass",
    "marker": "mark complm",
    "clause": (
        "ccomp xcomp advcl advcl:relcl acl csubj csubj:pass csubj:outer csubjpass parataxis pcomp "
        "acomp attr oprd"
    ),
    "punctuation": "punct",
    "compound:prt": "compound:prt prt",
    "discourse": "discourse intj",
}

#: Relations by label; other labels are kept.
RELATIONS: Mapping[str, str] = {
    label: relation for relation, labels in _LABELS.items() for label in labels.split()
}


#: Penn Treebank tags of finite verbs.
FINITE_TAGS: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})

#: The document, index and text of a sentence.
Key = tuple[str, int, str]


@dataclass(frozen=True, slots=True)
class ParsedWord:
    """A word of a parsed sentence."""

    text: str
    lemma: str
    tag: str
    head: int
    relation: str
    start: int = 0
    fine: str = ""
    entity: str = ""
    opens: bool = False

    @property
    def end(self) -> int:
        """The offset of its end in the sentence."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A parsed sentence of a document.

    Parameters
    ----------
    text
        The sentence.
    words
        Its words; ``words[k].start`` is an offset in ``text``.
    document, index
        The document's id, and the position of the sentence in it, from 0.

    Examples
    --------
    >>> fell = ParsedWord("fell", "fall", "VERB", 1, "root", 5)
    >>> rain = ParsedWord("Rain", "rain", "NOUN", 1, "subject", 0)
    >>> ParsedSentence("Rain fell", (rain, fell), "d1", 0).between(0, 1)
    'Rain fell'
    """

    text: str
    words: tuple[ParsedWord, ...]
    document: str = ""
    index: int = 0

    @property
    def key(self) -> Key:
        """Identifies the sentence among all."""
        return self.document, self.index, self.text

    def text_at(self, index: int) -> str:
        """Return the text of a word, or an empty string outside the sentence."""
        return self.words[index].text if 0 <= index < len(self.words) else ""

    def opens_at(self, index: int) -> bool:
        """Check whether only punctuation precedes a word."""
        return not any(word.text[0].isalnum() for word in self.words[:index])

    def between(self, first: int, last: int) -> str:
        """Return the text from one word to another, inclusive."""
        return self.text[self.words[first].start : self.words[last].end]


class Parser(Protocol):
    """The interface of parsers."""

    @property
    def name(self) -> str:
        """Its name in signatures."""

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one."""


@cache
def load_parser(pipeline: str = "") -> Parser:
    """Load a parser, and keep it for later calls.

    Parameters
    ----------
    pipeline
        ``light``, or the name or folder of a spaCy pipeline; by default the built-in pipeline if
        spaCy is installed, otherwise ``light``.

    Examples
    --------
    >>> [word.lemma for word in load_parser("light").parse(["Rain fell."])[0]]
    ['rain', 'fall', '.']
    """
    if pipeline == "light" or (not pipeline and not spacy_is_installed()):
        from pyramidion.text._light.parsing import LightParser

        english_file("tagger.model", "parsing")
        return LightParser()
    if not spacy_is_installed():
        raise MissingExtraError(f"parsing with {pipeline!r}", extra="nlp")
    from pyramidion.text._spacy import SpacyParser

    return SpacyParser.load(pipeline)


def fallback_remark(pipeline: str) -> str:
    """Return a remark if the light parser is used because spaCy is not installed."""
    if pipeline or spacy_is_installed():
        return ""
    return "spaCy is not installed (extra nlp): using the light parser, which is less accurate"


def spacy_is_installed() -> bool:
    """Return whether spaCy is installed."""
    try:
        return find_spec("spacy") is not None
    except ValueError:
        # A module without a specification: spaCy was hidden on purpose.
        return False
