"""Rewriting of summaries, by our methods or from elsewhere."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter

import numpy as np

from pyramidion.collection import Document
from pyramidion.rendering.view import Column, View, data, shown
from pyramidion.rewriting._articles import Articles
from pyramidion.rewriting._options import RewriteOptions
from pyramidion.rewriting._people.rewrite import PeopleRewriter, RewrittenPeople
from pyramidion.rewriting._status.who import WhoIs, named_in, who_is_who
from pyramidion.summarizers import (
    Appendix,
    ChosenSentence,
    Extract,
    Limit,
    Order,
    Rewritten,
    Source,
    Summarizer,
    SummaryMaker,
    mark_said,
    sentence_label,
    word_shares,
)
from pyramidion.summarizers.sentences import length_of
from pyramidion.text import ParsedSentence, load_parser, tokenize
from pyramidion.text.languages import detect_language
from pyramidion.text.parsing import Parser, fallback_remark

_SUMMARY = "the summary"

#: Number of words a sentence may grow by if the summary has no limit.
_MAX_GROWTH_WORDS = 20

_ENGLISH_ONLY = "the summary was not rewritten: only English is supported"
_NO_PEOPLE = "the summary names no people"

#: Shares of the limit reserved for descriptions of people, tried until one suffices.
_RESERVES = (0.0, 0.04, 0.08, 0.12, 0.16, 0.2)

#: The smallest share of a sentence's words that its source document contains.
_MIN_SOURCE_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class RewrittenSummary:
    """A summary after rewriting.

    Parameters
    ----------
    before
        Its original sentences.
    sentences
        The rewritten sentences.
    notes
        Remarks for the user.

    Examples
    --------
    >>> RewrittenSummary(("Rain fell.",), (Rewritten("Rain fell."),)).changed
    0
    """

    before: tuple[str, ...]
    sentences: tuple[Rewritten, ...]
    notes: tuple[str, ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, Rewritten], ...]:
        """Each original sentence and what became of it."""
        return tuple(zip(self.before, self.sentences, strict=True))

    @property
    def changed(self) -> int:
        """The number of sentences that changed."""
        return sum(bool(sentence.replacements) for sentence in self.sentences)


@dataclass(frozen=True)
class SummaryRewriter(SummaryMaker):
    """Rewrites summaries of an input; the input is parsed only once.

    Parameters
    ----------
    source
        The input.
    options
        What to rewrite, and how.

    Examples
    --------
    >>> from pyramidion.summarizers import parse_summarizer
    >>> texts = ["Gov. Ada Ode of Ardel resigned on Monday. Ode said that she was ill."]
    >>> options = RewriteOptions(("people",), pipeline="light")
    >>> rewriter = SummaryRewriter(Source.of_texts(texts), options)
    >>> rewriter.rewrite(["Ode said that she was ill."]).sentences[0].text
    'Gov. Ada Ode said that she was ill.'
    """

    options: RewriteOptions = field(default_factory=RewriteOptions)
    _parsed: dict[str, Articles] = field(default_factory=dict, repr=False, compare=False)

    def of(self, source: Source) -> "SummaryRewriter":
        """Return a rewriter for another source; the same sentences are not parsed again."""
        is_same_source = source.texts == self.source.texts
        return replace(self, source=source, _parsed=self._parsed if is_same_source else {})

    @property
    def details(self) -> Iterator[tuple[str, str]]:
        """The parser, for the signature, if it was used."""
        return (("parser", articles.parser) for articles in self._parsed.values())

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks about the parser."""
        remark = fallback_remark(self.options.pipeline)
        return (remark,) if remark else ()

    @cached_property
    def parser(self) -> Parser:
        """The parser of documents and summaries, loaded when it is first used."""
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
        """Make a summary and rewrite it; see `Summarizer.summarize`."""
        options = self.options
        if not options.rewrite:
            extract = super().summarize(method, limit, order=order)
            return _with_notes(extract, self.remarks) if options.who else extract
        if not self._is_english:
            extract = super().summarize(method, limit, order=order)
            return _with_notes(extract, (_ENGLISH_ONLY,))
        if method.writes:
            return self._rewrite_extract(super().summarize(method, limit, order=order), limit)
        phrases = options.noun_phrase_rewriter(self.articles) if options.noun_phrases else None
        if not options.people:
            extract = method.summarize(self.source, limit, order=order, rewriter=phrases)
            return _with_notes(extract, self.remarks)
        attempts: list[tuple[int, Extract]] = []
        for share in _RESERVES:
            shorter_limit = Limit(max(round(limit.words * (1 - share)), 1), limit.fit)
            extract = method.summarize(self.source, shorter_limit, order=order, rewriter=phrases)
            attempts.append(self._with_people(extract, limit))
            if not attempts[-1][0]:
                break
        _, best_attempt = min(attempts, key=itemgetter(0))
        return _with_notes(best_attempt, self.remarks)

    def _rewrite_extract(self, extract: Extract, limit: Limit) -> Extract:
        """Rewrite sentences that a method wrote."""
        rewritten_summary = self.rewrite(
            [sentence.text for sentence in extract.sentences], words=limit.words
        )
        sentences = _replace_sentences(extract.sentences, rewritten_summary.sentences)
        return _with_notes(replace(extract, sentences=sentences), rewritten_summary.notes)

    def rewrite(self, sentences: Sequence[str], *, words: int | None = None) -> RewrittenSummary:
        """Rewrite any summary of the input, given as sentences, within a number of words."""
        original_sentences = tuple(sentences)
        rewritten_sentences = tuple(map(Rewritten, original_sentences))
        if not self._is_english or detect_language([" ".join(original_sentences)]) != "en":
            return RewrittenSummary(original_sentences, rewritten_sentences, (_ENGLISH_ONLY,))
        if self.options.noun_phrases:
            rewritten_sentences = self._with_new_noun_phrases(original_sentences, words)
        notes = list(self.remarks)
        if self.options.people:
            rewritten_summary = self._rewrite_people(
                rewritten_sentences, [self._origin(text) for text in original_sentences], words
            )
            rewritten_sentences = rewritten_summary.sentences
            notes += rewritten_summary.notes
        length = sum(length_of(sentence.text) for sentence in rewritten_sentences)
        if words is not None and length > words:
            notes.append(
                f"the summary has {length} words, more than {words}: rewriting does not cut "
                "sentences"
            )
        return RewrittenSummary(original_sentences, rewritten_sentences, tuple(notes))

    def _with_new_noun_phrases(
        self, sentences: Sequence[str], words: int | None
    ) -> tuple[Rewritten, ...]:
        """Rewrite noun phrases as if the summary were a document; weights ignore the summary."""
        source, inputs = self.source, self.articles
        summary = Articles.of_sentences([(_SUMMARY, sentences)], self.parser)
        articles = Articles((*inputs.sentences, *summary.sentences), inputs.parser)
        extended_source = replace(
            source,
            texts=(*source.texts, *sentences),
            homes=np.append(source.homes, [len(source.documents)] * len(sentences)),
            documents=(*source.documents, Document(_SUMMARY, " ".join(sentences))),
        )
        weights = word_shares(source.counts)
        weigh = source.weigher(weights)
        session = self.options.noun_phrase_rewriter(articles).begin(extended_source)
        rewritten_sentences: list[Rewritten] = []
        length = sum(map(length_of, sentences))
        for number, text in enumerate(sentences, start=len(source)):
            length_before = length_of(text)
            room = (
                length_before + _MAX_GROWTH_WORDS
                if words is None
                else max(words - length + length_before, 0)
            )
            rewritten_sentence = session.rewrite(number, weigh, room)
            fits = length_of(rewritten_sentence.text) <= max(room, length_before)
            rewritten_sentences.append(rewritten_sentence if fits else Rewritten(text))
            length += length_of(rewritten_sentences[-1].text) - length_before
            mark_said(weights, source.word_ids(rewritten_sentences[-1].text))
        return tuple(rewritten_sentences)

    def appendices(self, text: str) -> tuple[Appendix, ...]:
        """Return who the people in a summary are, on request."""
        return (who_appendix(self.who(text)),) if self.options.who else ()

    def who(self, text: str) -> list[WhoIs]:
        """Return descriptions of the people named in a summary, if the documents leave no doubt."""
        table = self._people_rewriter.table
        return who_is_who(named_in(table.people, [text]), table)

    @property
    def _is_english(self) -> bool:
        return self.source.reading.language == "en"

    def _with_people(self, extract: Extract, limit: Limit) -> tuple[int, Extract]:
        """Rewrite references to people; return also how many first mentions stayed short."""
        sentences_before = tuple(
            Rewritten(old_sentence.text, old_sentence.replacements)
            for old_sentence in extract.sentences
        )
        origins = [sentence.document for sentence in extract.sentences]
        rewritten_summary = self._rewrite_people(sentences_before, origins, limit.words)
        sentences = _replace_sentences(extract.sentences, rewritten_summary.sentences)
        return rewritten_summary.short, _with_notes(
            replace(extract, sentences=sentences), rewritten_summary.notes
        )

    def _rewrite_people(
        self, sentences: Sequence[Rewritten], origins: Sequence[str], words: int | None
    ) -> RewrittenPeople:
        """Rewrite references to people in sentences that come from these documents."""
        texts = [sentence.text for sentence in sentences]
        parsed_sentences = [
            self._parsed_sentences.get((origin, text))
            or ParsedSentence(text, tuple(words), origin, -1)
            for text, origin, words in zip(texts, origins, self.parser.parse(texts), strict=True)
        ]
        room = None if words is None else words - sum(map(length_of, texts))
        rewritten_summary = self._people_rewriter.summary(parsed_sentences, room=room)
        rewritten_sentences = tuple(
            Rewritten(new_sentence.text, (*old_sentence.replacements, *new_sentence.replacements))
            for old_sentence, new_sentence in zip(
                sentences, rewritten_summary.sentences, strict=True
            )
        )
        names_somebody = any(
            word.entity == "person" for sentence in parsed_sentences for word in sentence.words
        )
        if (
            names_somebody
            or rewritten_summary.notes
            or any(sentence.replacements for sentence in rewritten_summary.sentences)
        ):
            return replace(rewritten_summary, sentences=rewritten_sentences)
        return replace(rewritten_summary, sentences=rewritten_sentences, notes=(_NO_PEOPLE,))

    @cached_property
    def _parsed_sentences(self) -> dict[tuple[str, str], ParsedSentence]:
        # The first of equal sentences is kept.
        sentences = reversed(self.articles.sentences)
        return {(sentence.document, sentence.text): sentence for sentence in sentences}

    def _origin(self, text: str) -> str:
        """Return the document that a sentence probably comes from, or an empty string."""
        words = set(tokenize(text))
        shared_words = {id: len(words & other) for id, other in self._document_words.items()}
        document_id = max(shared_words, key=shared_words.__getitem__, default="")
        return (
            document_id
            if words and document_id and shared_words[document_id] / len(words) >= _MIN_SOURCE_SHARE
            else ""
        )

    @cached_property
    def _document_words(self) -> dict[str, set[str]]:
        return {document.id: set(tokenize(document.text)) for document in self.source.documents}


WHO: View[WhoIs] = View(
    "who",
    (
        Column("name", "name"),
        Column("text", "who"),
        data(
            "sources",
            lambda person: [
                {"text": source.text, "document": source.document, "index": source.index}
                for source in person.sources
            ],
        ),
        shown(
            "from",
            lambda person: "; ".join(
                sentence_label(source.document, source.index) for source in person.sources
            ),
        ),
    ),
)


def who_appendix(people: Sequence[WhoIs]) -> Appendix:
    """List who people are, with sources."""
    return Appendix("people", "who is who", WHO, tuple(people))


def _replace_sentences(
    sentences: Sequence[ChosenSentence], rewritten_sentences: Sequence[Rewritten]
) -> tuple[ChosenSentence, ...]:
    """Return the sentences of a summary after rewriting."""
    return tuple(
        sentence
        if new_sentence.text == sentence.text
        else replace(
            sentence,
            text=new_sentence.text,
            rewritten=True,
            replacements=new_sentence.replacements,
            before=sentence.before or sentence.text,
        )
        for sentence, new_sentence in zip(sentences, rewritten_sentences, strict=True)
    )


def _with_notes(extract: Extract, notes: Sequence[str]) -> Extract:
    return replace(extract, notes=(*extract.notes, *notes))
