"""Noun phrases of summaries that somebody else wrote."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pyramidion.collection import Document
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._options import RewriteOptions
from pyramidion.rewriting._rewriter import Rewritten
from pyramidion.summarizers.lengths import length_of
from pyramidion.summarizers.rewriter import WordReader, say, shares
from pyramidion.summarizers.source import Source
from pyramidion.text._parsing import Parser

__all__ = ["ForeignSummary"]

_SUMMARY = "the summary"

#: By how many words a sentence may grow where the summary has no limit.
_GROWTH = 20


class _View(NamedTuple):
    """An input and a summary of it, as a rewriter takes them."""

    texts: Sequence[str]
    homes: Sequence[int]
    documents: Sequence[Document]


@dataclass(frozen=True, slots=True)
class ForeignSummary:
    """A summary whose sentences need not be the input's.

    It is rewritten as if it were one of the documents; what words weigh is told by the documents
    alone, as where a method has no weights of words.

    Parameters
    ----------
    source, articles
        The input, and the same parsed.
    sentences
        The summary, in the order of reading.

    Examples
    --------
    >>> ForeignSummary(Source.of_texts(["Rain fell."]), Articles(()), ()).sentences
    ()
    """

    source: Source
    articles: Articles
    sentences: tuple[str, ...]

    def rewritten(
        self, options: RewriteOptions, parser: Parser, words: int | None
    ) -> tuple[Rewritten, ...]:
        """Rewrite the noun phrases of one sentence after the other.

        Parameters
        ----------
        options
            How.
        parser
            What parses the summary.
        words
            How many words it may have then; no limit if it is not given.
        """
        reader, first = WordReader(self.source), shares(self.source.counts)
        weights = first.copy()

        def weigh(text: str) -> Sequence[float]:
            return [float(weight) for weight in weights[reader.ids(text)]]

        rewriter = options.noun_phrase_rewriter(self._with_the_summary(parser))
        session = rewriter.begin(
            self._view,
            lambda text: [float(weight) for weight in first[reader.ids(text)]],
            lambda one, other: one < other,
        )
        made: list[Rewritten] = []
        used = sum(map(length_of, self.sentences))
        for number, text in enumerate(self.sentences, start=len(self.source)):
            before = length_of(text)
            room = before + _GROWTH if words is None else max(words - used + before, 0)
            own = session.rewrite(number, weigh, room)
            fits = length_of(own.text) <= max(room, before)
            made.append(own if fits else Rewritten(text))
            used += length_of(made[-1].text) - before
            say(weights, reader.ids(made[-1].text))
        return tuple(made)

    @property
    def _view(self) -> _View:
        homes = [*self.source.homes.tolist(), *[len(self.source.documents)] * len(self.sentences)]
        documents = (*self.source.documents, Document(_SUMMARY, " ".join(self.sentences)))
        return _View((*self.source.texts, *self.sentences), homes, documents)

    def _with_the_summary(self, parser: Parser) -> Articles:
        own = Articles.of_sentences([(_SUMMARY, self.sentences)], parser)
        return Articles((*self.articles.sentences, *own.sentences), self.articles.parser)
