"""Rewriting summaries after they were made, by these methods or by anyone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

from pyramidion.collection import Document
from pyramidion.rewriting._articles import Articles, ParsedSentence
from pyramidion.rewriting._options import RewriteOptions
from pyramidion.rewriting._people.rewrite import PeopleRewriter, RewrittenPeople
from pyramidion.rewriting._rewriter import Rewritten
from pyramidion.rewriting._status.who import WhoIs, named_in, who_is_who
from pyramidion.summarizers._rewriter import WordReader, say, shares
from pyramidion.summarizers._selection import ChosenSentence, Extract, Limit, Order
from pyramidion.summarizers._sentences import length_of, reading_for
from pyramidion.summarizers._source import Source
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.text import tokenize
from pyramidion.text._parsing import Parser, fallback_remark, load_parser

_SUMMARY = "the summary"

#: By how many words a sentence may grow where the summary has no limit.
_GROWTH = 20


class _View(NamedTuple):
    """An input and a summary of it, as a rewriter takes them."""

    texts: Sequence[str]
    homes: Sequence[int]
    documents: Sequence[Document]


@dataclass(frozen=True, slots=True)
class ExternalSummary:
    """A summary whose sentences need not be the input's.

    It is rewritten as if it were one of the documents; what words weigh is told by the documents
    alone, as where a method has no weights of words.
    """

    source: Source
    articles: Articles
    sentences: tuple[str, ...]

    def rewritten(
        self, options: RewriteOptions, parser: Parser, words: int | None
    ) -> tuple[Rewritten, ...]:
        """Rewrite the noun phrases of one sentence after the other."""
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


_ENGLISH_ONLY = "only English is rewritten: the summary stays as it is"
_NOBODY = "nobody is named in the summary"

#: Shares of the limit that may be kept for descriptions of people, the first that is enough.
_RESERVES = (0.0, 0.04, 0.08, 0.12, 0.16, 0.2)

#: The share of a sentence's words that the document it comes from has, at least.
_FROM = 0.6


@dataclass(frozen=True, slots=True)
class RewrittenSummary:
    """Anybody's summary after rewriting.

    Parameters
    ----------
    before
        Its sentences.
    sentences
        What they became.
    notes
        What there is to say about it.

    Examples
    --------
    >>> RewrittenSummary(("Rain fell.",), (Rewritten("Rain fell."),)).changed
    0
    """

    before: tuple[str, ...]
    sentences: tuple[Rewritten, ...]
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> int:
        """How many sentences are not what they were."""
        return sum(bool(own.replacements) for own in self.sentences)


@dataclass(frozen=True)
class SummaryRewriter:
    """Rewrites summaries of an input, which is parsed once.

    Parameters
    ----------
    source
        The input.
    options
        What is to be rewritten, and how.

    Examples
    --------
    >>> from pyramidion.summarizers import parse_summarizer
    >>> texts = ["Gov. Ada Ode of Ardel resigned on Monday. Ode said that she was ill."]
    >>> options = RewriteOptions(("people",), pipeline="light")
    >>> rewriter = SummaryRewriter(Source.of_texts(texts), options)
    >>> rewriter.rewrite(["Ode said that she was ill."]).sentences[0].text
    'Gov. Ada Ode said that she was ill.'
    """

    source: Source
    options: RewriteOptions
    _parsed: dict[str, Articles] = field(default_factory=dict, repr=False, compare=False)

    def of(self, source: Source) -> "SummaryRewriter":
        """Return one for another view of the same sentences, which are not parsed again.

        Parameters
        ----------
        source
            The same documents, with another question, for instance.
        """
        same = source.texts == self.source.texts
        return replace(self, source=source, _parsed=self._parsed if same else {})

    @property
    def parser_names(self) -> tuple[str, ...]:
        """What a signature calls the parser, if it was used."""
        return tuple(articles.parser for articles in self._parsed.values())

    @property
    def remarks(self) -> tuple[str, ...]:
        """What there is to say about the parser."""
        return tuple(filter(None, [fallback_remark(self.options.pipeline)]))

    @cached_property
    def parser(self) -> Parser:
        """What parses."""
        return load_parser(self.options.pipeline)

    @property
    def articles(self) -> Articles:
        """The input, parsed."""
        if not self._parsed:
            self._parsed["input"] = Articles.of_input(self.source, self.parser)
        return self._parsed["input"]

    @cached_property
    def _people_rewriter(self) -> PeopleRewriter:
        return self.options.people_rewriter(self.articles)

    def summarize(self, method: Summarizer, limit: Limit, *, order: Order = "source") -> Extract:
        """Make a summary and rewrite it.

        Parameters
        ----------
        method, limit, order
            See `Summarizer.summarize`.
        """
        if not self.options.rewrite:
            return method.summarize(self.source, limit, order=order)
        if not self._is_english:
            extract = method.summarize(self.source, limit, order=order)
            return _with_notes(extract, (_ENGLISH_ONLY,))
        if not self.options.people:
            return _with_notes(self._extract(method, limit, order), self.remarks)
        return self._introduced(method, limit, order)

    def _introduced(self, method: Summarizer, limit: Limit, order: Order) -> Extract:
        """Make a summary that leaves as much room as the descriptions of people need."""
        best: Extract | None = None
        fewest = 0
        for share in _RESERVES:
            words = max(round(limit.words * (1 - share)), 1)
            extract = self._extract(method, Limit(words, limit.fit), order)
            made, short = self._with_people(extract, limit)
            if best is None or short < fewest:
                best, fewest = made, short
            if not short:
                break
        assert best is not None
        return _with_notes(best, self.remarks)

    def _extract(self, method: Summarizer, limit: Limit, order: Order) -> Extract:
        options = self.options
        phrases = options.noun_phrase_rewriter(self.articles) if options.noun_phrases else None
        return method.summarize(self.source, limit, order=order, rewriter=phrases)

    def rewrite(self, sentences: Sequence[str], *, words: int | None = None) -> RewrittenSummary:
        """Rewrite anybody's summary of the input.

        Parameters
        ----------
        sentences
            The summary, in the order of reading.
        words
            How many words it may have then; as many as it takes if it is not given.
        """
        before = tuple(sentences)
        own, _ = reading_for([" ".join(before)])
        if not self._is_english or own.language != "en":
            unchanged = tuple(map(Rewritten, before))
            return RewrittenSummary(before, unchanged, (_ENGLISH_ONLY,))
        made = tuple(map(Rewritten, before))
        if self.options.noun_phrases:
            summary = ExternalSummary(self.source, self.articles, before)
            made = summary.rewritten(self.options, self.parser, words)
        notes = self.remarks
        if self.options.people:
            done = self._people_of(made, [self._origin(text) for text in before], words)
            made, notes = done.sentences, (*notes, *done.notes)
        return RewrittenSummary(before, made, (*notes, *_too_long(made, words)))

    def who(self, text: str) -> list[WhoIs]:
        """Return who those people in a summary are that matter and are new to the reader.

        Parameters
        ----------
        text
            The summary.
        """
        table = self._people_rewriter.table
        return who_is_who(named_in(table.people, [text]), table)

    @property
    def _is_english(self) -> bool:
        return self.source.reading.language == "en"

    def _with_people(self, extract: Extract, limit: Limit) -> tuple[Extract, int]:
        """Rewrite references to people; count first mentions that had to stay short."""
        before = tuple(Rewritten(own.text, own.replacements) for own in extract.sentences)
        origins = [own.document for own in extract.sentences]
        done = self._people_of(before, origins, limit.words)
        sentences = tuple(map(_changed, extract.sentences, done.sentences))
        return _with_notes(replace(extract, sentences=sentences), done.notes), done.short

    def _people_of(
        self, sentences: Sequence[Rewritten], origins: Sequence[str], words: int | None
    ) -> RewrittenPeople:
        """Rewrite references to people in sentences that come from these documents."""
        texts = [own.text for own in sentences]
        given = [
            self._places.get((origin, text)) or ParsedSentence(text, tuple(words), origin, -1)
            for text, origin, words in zip(texts, origins, self.parser.parse(texts), strict=True)
        ]
        room = None if words is None else words - sum(map(length_of, texts))
        done = self._people_rewriter.summary(given, room=room)
        made = tuple(
            Rewritten(new.text, (*old.replacements, *new.replacements))
            for old, new in zip(sentences, done.sentences, strict=True)
        )
        somebody = any(word.entity == "person" for own in given for word in own.words)
        if somebody or done.notes or any(own.replacements for own in done.sentences):
            return replace(done, sentences=made)
        return replace(done, sentences=made, notes=(_NOBODY,))

    @cached_property
    def _places(self) -> dict[tuple[str, str], ParsedSentence]:
        return {(own.document, own.text): own for own in reversed(self.articles.sentences)}

    def _origin(self, text: str) -> str:
        """Find the document that a sentence was made of, if there is one that is likely."""
        words = set(tokenize(text))
        if not words:
            return ""
        shares = {
            document: len(words & found) / len(words) for document, found in self._words.items()
        }
        best = max(shares, key=lambda document: shares[document], default="")
        return best if best and shares[best] >= _FROM else ""

    @cached_property
    def _words(self) -> dict[str, set[str]]:
        return {own.id: set(tokenize(own.text)) for own in self.source.documents}


def _too_long(sentences: Sequence[Rewritten], words: int | None) -> Iterator[str]:
    used = sum(length_of(own.text) for own in sentences)
    if words is not None and used > words:
        yield f"the summary has {used} words, more than {words}: rewriting leaves nothing out"


def _changed(sentence: ChosenSentence, made: Rewritten) -> ChosenSentence:
    if made.text == sentence.text:
        return sentence
    before, changes = sentence.before or sentence.text, made.replacements
    return replace(sentence, text=made.text, rewritten=True, replacements=changes, before=before)


def _with_notes(extract: Extract, notes: Sequence[str]) -> Extract:
    return replace(extract, notes=(*extract.notes, *notes))
