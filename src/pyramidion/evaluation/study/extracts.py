"""Summaries made of sentences of the input: which sentences they are.

Sentences are numbered as `pyramidion.summarizers.Source` numbers them: datelines are cut off, and
bylines, cues and contacts are no sentences. The number of a summarizer's sentence is its `index`
and 1.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyramidion.collection import Document, Summary
from pyramidion.summarizers.documents import sentences_of
from pyramidion.summarizers.ordering import by_date
from pyramidion.text import split_sentences, tokenize
from pyramidion.text.encoding import as_sentences

__all__ = ["FoundSentences", "SentenceFinder", "first_sentences", "numbered_sentences"]

Words = tuple[str, ...]

# A sentence that was cut at a word limit is known by so many words at least.
_LEAST = 5


@dataclass(frozen=True, slots=True)
class FoundSentences:
    """The sentences of the input that a summary consists of.

    Parameters
    ----------
    units
        The sentences, ``document/number`` with the first as 1.
    foreign
        How many of the summary's sentences are none of the input's.

    Examples
    --------
    >>> FoundSentences(("d/1",), 0).foreign
    0
    """

    units: tuple[str, ...]
    foreign: int


class SentenceFinder:
    """The sentences of documents, to be found again in summaries.

    Words are compared, whatever case and punctuation they have. Of sentences that stand in several
    documents the first is meant. A summary's sentence may have the dateline that it had in its
    document, and the last one may be cut; a byline is no sentence.

    Parameters
    ----------
    documents
        The documents.

    Examples
    --------
    >>> finder = SentenceFinder([Document("d", "Rain fell all day. Roads were closed.")])
    >>> finder.find(Summary("T1", "7", "Roads were closed. Nobody knew."))
    FoundSentences(units=('d/2',), foreign=1)
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._units: dict[Words, str] = {}
        for unit, sentence in numbered_sentences(documents):
            self._units.setdefault(_words(sentence), unit)

    def find(self, summary: Summary) -> FoundSentences:
        """Tell which sentences of the input a summary consists of.

        Parameters
        ----------
        summary
            The summary; a text is split into sentences.
        """
        worded = [words for words in self._sentences(summary) if words]
        found = [self._units.get(words) for words in worded]
        if found and found[-1] is None:
            found[-1] = self._cut(worded[-1])
        known = tuple(dict.fromkeys(unit for unit in found if unit is not None))
        return FoundSentences(known, found.count(None))

    def _sentences(self, summary: Summary) -> Iterator[Words]:
        """Give the sentences; a line that is none of the input's may hold several."""
        given = summary.text
        for line in given if isinstance(given, tuple) else as_sentences(given):
            words = _words(line)
            if words in self._units:
                yield words
            else:
                for sentence in split_sentences(line):
                    yield from self._bare(sentence)

    def _bare(self, sentence: str) -> Iterator[Words]:
        """Give a sentence, without its dateline where it is none of the input's with it."""
        words = _words(sentence)
        if words in self._units:
            yield words
        else:
            yield from map(_words, sentences_of(sentence))

    def _cut(self, words: Words) -> str | None:
        if len(words) < _LEAST:
            return None
        begun = (unit for own, unit in self._units.items() if own[: len(words)] == words)
        return next(begun, None)


def first_sentences(documents: Sequence[Document], number: int) -> tuple[str, ...]:
    """Take the first sentence of each document in turn, then the second ones, and so on.

    The earliest document comes first, as in the method ``first``.

    Parameters
    ----------
    documents
        The documents.
    number
        How many sentences.

    Examples
    --------
    >>> first_sentences([Document("a", "Rain. Hail."), Document("b", "Snow.")], 3)
    ('a/1', 'b/1', 'a/2')
    """
    ordered = [documents[place] for place in by_date(documents)]
    numbered = [list(numbered_sentences([document])) for document in ordered]
    longest = max(map(len, numbered), default=0)
    turns = (own[turn][0] for turn in range(longest) for own in numbered if turn < len(own))
    return tuple(turns)[:number]


def numbered_sentences(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    r"""Give the sentences of documents with their numbers, ``document/number``.

    Parameters
    ----------
    documents
        The documents.

    Examples
    --------
    >>> list(numbered_sentences([Document("d", "By INES FALK\n\nRain fell. Roads were closed.")]))
    [('d/1', 'Rain fell.'), ('d/2', 'Roads were closed.')]
    """
    for document in documents:
        for number, sentence in enumerate(sentences_of(document.text), start=1):
            yield f"{document.id}/{number}", sentence


def _words(sentence: str) -> Words:
    return tuple(tokenize(sentence, "unicode"))
