"""Parsed articles: sentences and their words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from pyramidion.rewriting._rewriter import RewriteInput
from pyramidion.text import split_sentences
from pyramidion.text._parsing import ParsedWord, Parser

#: Tags of the Penn Treebank for verbs that make a clause.
FINITE: Final = frozenset({"VBD", "VBZ", "VBP", "MD"})

#: The document, place and text of a sentence.
Key = tuple[str, int, str]


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

    def text_at(self, place: int) -> str:
        """Return the text of a word; an empty string outside the sentence."""
        return self.words[place].text if 0 <= place < len(self.words) else ""

    def opens_at(self, place: int) -> bool:
        """Check whether no word comes before a place; marks may."""
        return not any(word.text[0].isalnum() for word in self.words[:place])

    def between(self, first: int, last: int) -> str:
        """Return the text from one word to another, both included."""
        return self.text[self.words[first].start : self.words[last].end]


@dataclass(frozen=True)
class Articles:
    """The parsed sentences of documents, in their order.

    Parameters
    ----------
    sentences
        Those of one document stand together.
    parser
        What parsed them, for signatures.

    Examples
    --------
    >>> from pyramidion.text._parsing import load_parser
    >>> articles = Articles.of_texts({"d1": "Rain fell. Roads flooded."}, load_parser("light"))
    >>> [sentence.index for sentence in articles.of("d1")]
    [0, 1]
    """

    sentences: tuple[ParsedSentence, ...]
    parser: str = ""

    @classmethod
    def of_sentences(
        cls, documents: Iterable[tuple[str, Sequence[str]]], parser: Parser
    ) -> "Articles":
        """Parse documents that were split into sentences.

        Parameters
        ----------
        documents
            Pairs of an id and the sentences.
        parser
            What parses them; see `load_parser`.
        """
        places = [(text, id, index) for id, texts in documents for index, text in enumerate(texts)]
        parsed = parser.parse([text for text, _, _ in places])
        sentences = tuple(
            ParsedSentence(text, tuple(words), id, index)
            for (text, id, index), words in zip(places, parsed, strict=True)
        )
        return cls(sentences, getattr(parser, "name", type(parser).__name__))

    @classmethod
    def of_input(cls, source: RewriteInput, parser: Parser) -> "Articles":
        """Parse what is summarized."""
        documents: list[tuple[str, list[str]]] = [(own.id, []) for own in source.documents]
        for text, home in zip(source.texts, source.homes, strict=True):
            documents[int(home)][1].append(text)
        return cls.of_sentences(documents, parser)

    @classmethod
    def of_texts(cls, texts: dict[str, str], parser: Parser) -> "Articles":
        """Split texts into sentences and parse them."""
        split = [(id, split_sentences(text, boilerplate="strip")) for id, text in texts.items()]
        return cls.of_sentences(split, parser)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[ParsedSentence]:
        return iter(self.sentences)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents, in their order."""
        return tuple(dict.fromkeys(sentence.document for sentence in self.sentences))

    def of(self, document: str) -> list[ParsedSentence]:
        """Return the sentences of a document."""
        return [sentence for sentence in self.sentences if sentence.document == document]


_BRACKETS = {")": "(", "]": "[", "}": "{"}


def balanced(text: str) -> bool:
    """Check whether the quotation marks and brackets of a text are closed."""
    open_: list[str] = []
    for character in text:
        if character in "([{":
            open_.append(character)
        elif character in _BRACKETS and (not open_ or open_.pop() != _BRACKETS[character]):
            return False
    paired = all(text.count(one) == text.count(other) for one, other in ("“”", "«»"))
    return paired and not open_ and text.count('"') % 2 == 0
