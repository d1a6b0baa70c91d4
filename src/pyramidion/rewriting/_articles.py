"""Parsed articles: sentences and their words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyramidion.summarizers import Source
from pyramidion.text import ParsedSentence, split_sentences
from pyramidion.text.parsing import Parser


@dataclass(frozen=True)
class Articles:
    """The parsed sentences of documents, document by document.

    Parameters
    ----------
    sentences
        The sentences; those of a document follow each other.
    parser
        The parser's name, for signatures.

    Examples
    --------
    >>> from pyramidion.text import load_parser
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
        """Parse documents, given as pairs of an id and its sentences."""
        rows = [(text, id, index) for id, texts in documents for index, text in enumerate(texts)]
        parsed_sentences = parser.parse([text for text, _, _ in rows])
        sentences = tuple(
            ParsedSentence(text, tuple(words), id, index)
            for (text, id, index), words in zip(rows, parsed_sentences, strict=True)
        )
        return cls(sentences, getattr(parser, "name", type(parser).__name__))

    @classmethod
    def of_input(cls, source: Source, parser: Parser) -> "Articles":
        """Parse the input of a summarizer."""
        texts: list[list[str]] = [[] for _ in source.documents]
        for text, home in zip(source.texts, source.homes, strict=True):
            texts[int(home)].append(text)
        ids = (document.id for document in source.documents)
        return cls.of_sentences(zip(ids, texts, strict=True), parser)

    @classmethod
    def of_texts(cls, texts: dict[str, str], parser: Parser) -> "Articles":
        """Split texts into sentences and parse them."""
        split_documents = [
            (id, split_sentences(text, boilerplate="strip")) for id, text in texts.items()
        ]
        return cls.of_sentences(split_documents, parser)

    def __len__(self) -> int:
        return len(self.sentences)

    def __iter__(self) -> Iterator[ParsedSentence]:
        return iter(self.sentences)

    @cached_property
    def documents(self) -> tuple[str, ...]:
        """The ids of the documents, in order."""
        return tuple(dict.fromkeys(sentence.document for sentence in self.sentences))

    def of(self, document: str) -> list[ParsedSentence]:
        """Return the sentences of a document."""
        return [sentence for sentence in self.sentences if sentence.document == document]


_OPENING_BRACKETS = {")": "(", "]": "[", "}": "{"}


def is_balanced(text: str) -> bool:
    """Check whether all quotation marks and brackets of a text are closed."""
    open_brackets: list[str] = []
    for character in text:
        if character in "([{":
            open_brackets.append(character)
        elif character in _OPENING_BRACKETS and (
            not open_brackets or open_brackets.pop() != _OPENING_BRACKETS[character]
        ):
            return False
    has_paired_quotes = all(
        text.count(opening) == text.count(closing) for opening, closing in ("“”", "«»")
    )
    return has_paired_quotes and not open_brackets and text.count('"') % 2 == 0
