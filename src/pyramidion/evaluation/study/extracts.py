"""Summaries made of sentences of the input: which sentences they are."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from pyramidion.collection import Document, Summary
from pyramidion.text import split_sentences, tokenize
from pyramidion.text.encoding import as_sentences

__all__ = ["Extract", "SentenceFinder", "first_sentences"]

Words = tuple[str, ...]

# A sentence that was cut at a word limit is known by so many words at least.
_LEAST = 5


@dataclass(frozen=True, slots=True)
class Extract:
    """The sentences of the input that a summary consists of.

    Parameters
    ----------
    units
        The sentences, ``document/number`` with the first as 1.
    foreign
        How many of the summary's sentences are none of the input's.

    Examples
    --------
    >>> Extract(("d/1",), 0).foreign
    0
    """

    units: tuple[str, ...]
    foreign: int


class SentenceFinder:
    """The sentences of documents, to be found again in summaries.

    Words are compared, whatever case and punctuation they have. Of sentences that stand in several
    documents the first is meant. A document's first sentence may lack its dateline, and a summary's
    last sentence may be cut.

    Parameters
    ----------
    documents
        The documents.

    Examples
    --------
    >>> finder = SentenceFinder([Document("d", "Rain fell all day. Roads were closed.")])
    >>> finder.find(Summary("T1", "7", "Roads were closed. Nobody knew."))
    Extract(units=('d/2',), foreign=1)
    """

    def __init__(self, documents: Iterable[Document]) -> None:
        self._units: dict[Words, str] = {}
        every = list(documents)
        for unit, sentence in _numbered(every):
            self._units.setdefault(_words(sentence), unit)
        for document in every:
            for bare in split_sentences(document.text, boilerplate="strip")[:1]:
                self._add_bare(document, _words(bare))

    def find(self, summary: Summary) -> Extract:
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
        return Extract(known, found.count(None))

    def _add_bare(self, document: Document, words: Words) -> None:
        """Know a first sentence without its dateline, if it is the first one's end."""
        whole = _words(split_sentences(document.text)[0])
        if words and whole[-len(words) :] == words:
            self._units.setdefault(words, f"{document.id}/1")

    def _sentences(self, summary: Summary) -> Iterator[Words]:
        """Give the sentences; a line that is none of the input's may hold several."""
        given = summary.text
        for line in given if isinstance(given, tuple) else as_sentences(given):
            words = _words(line)
            if words in self._units:
                yield words
            else:
                yield from map(_words, split_sentences(line))

    def _cut(self, words: Words) -> str | None:
        if len(words) < _LEAST:
            return None
        begun = (unit for own, unit in self._units.items() if own[: len(words)] == words)
        return next(begun, None)


def first_sentences(documents: Sequence[Document], number: int) -> tuple[str, ...]:
    """Take the first sentence of each document in turn, then the second ones, and so on.

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
    numbered = [list(_numbered([document])) for document in documents]
    longest = max(map(len, numbered), default=0)
    turns = (own[turn][0] for turn in range(longest) for own in numbered if turn < len(own))
    return tuple(turns)[:number]


def _numbered(documents: Iterable[Document]) -> Iterator[tuple[str, str]]:
    for document in documents:
        for number, sentence in enumerate(split_sentences(document.text), start=1):
            yield f"{document.id}/{number}", sentence


def _words(sentence: str) -> Words:
    return tuple(tokenize(sentence, "unicode"))
