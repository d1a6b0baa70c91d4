"""Grammar behind one small interface: words with their heads, whatever program found them.

A parser is the English pipeline that comes with the package (the extra ``nlp``), any other spaCy
pipeline, or the light parser, which needs nothing else and knows less. Labels of both schemes in
use (Universal Dependencies, and ClearNLP's of many pipelines) become one small vocabulary, see
`RELATIONS`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Final, Protocol

from pyramidion.errors import MissingExtraError

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

#: What labels of parsers become; all others keep their name.
RELATIONS: Mapping[str, str] = {
    label: relation for relation, labels in _LABELS.items() for label in labels.split()
}


#: Tags of the Penn Treebank for verbs that make a clause.
FINITE: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})

#: The document, place and text of a sentence.
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
        """Where it ends in its sentence."""
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class ParsedSentence:
    """A sentence of a document, parsed.

    Parameters
    ----------
    text
        The sentence.
    words
        Its words; ``words[k].start`` is a place in ``text``.
    document, index
        Where it stands: the document's id, and its place there, from 0.

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
        """Return the text of a word; an empty string outside the sentence."""
        return self.words[index].text if 0 <= index < len(self.words) else ""

    def opens_at(self, index: int) -> bool:
        """Check whether no word comes before a place; marks may."""
        return not any(word.text[0].isalnum() for word in self.words[:index])

    def between(self, first: int, last: int) -> str:
        """Return the text from one word to another, both included."""
        return self.text[self.words[first].start : self.words[last].end]


class Parser(Protocol):
    """Anything that parses sentences."""

    @property
    def name(self) -> str:
        """What a signature calls it."""

    def parse(self, sentences: Sequence[str]) -> list[list[ParsedWord]]:
        """Parse sentences one by one."""


@cache
def load_parser(pipeline: str = "") -> Parser:
    """Load a parser; the same one is given each time.

    Parameters
    ----------
    pipeline
        ``light``, or the name or folder of a spaCy pipeline; by default the one that is installed,
        or else ``light``.

    Examples
    --------
    >>> [word.lemma for word in load_parser("light").parse(["Rain fell."])[0]]
    ['rain', 'fall', '.']
    """
    if pipeline == "light" or (not pipeline and not spacy_is_installed()):
        from pyramidion.text._light.parsing import LightParser

        return LightParser()
    if not spacy_is_installed():
        raise MissingExtraError(f"parsing with {pipeline!r}", extra="nlp")
    from pyramidion.text._spacy import SpacyParser

    return SpacyParser.load(pipeline)


def fallback_remark(pipeline: str) -> str:
    """Return a remark if the light parser replaces one that is not installed, else nothing."""
    if pipeline or spacy_is_installed():
        return ""
    return "spaCy is not installed (extra nlp): the light parser is used, which finds less"


def spacy_is_installed() -> bool:
    """Return whether spaCy is installed."""
    try:
        return find_spec("spacy") is not None
    except ValueError:
        # It was imported but has no specification, since it was hidden on purpose.
        return False
