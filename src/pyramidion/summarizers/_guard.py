"""The guard of written summaries: sentences with facts that are not in the source.

A flag means that a name, number or quotation does not occur in the source, not that it is wrong.
"""

from calendar import month_name
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from pyramidion import support
from pyramidion.collection import Document
from pyramidion.errors import InputError
from pyramidion.language_models import NOTHING_SPENT, Spent
from pyramidion.rendering.labels import counted
from pyramidion.rendering.view import Column, View, data, shown
from pyramidion.summarizers._auto import Auto
from pyramidion.summarizers._dates import read_date
from pyramidion.summarizers._plugin import Appendix
from pyramidion.summarizers._selection import ChosenSentence, Extract, Limit
from pyramidion.summarizers._source import Source
from pyramidion.summarizers.sentences import cut_after, length_of
from pyramidion.text import split_sentences
from pyramidion.text.languages import UNKNOWN, language_name

#: What happens to a sentence with unsupported facts.
OnUnsupported = Literal["drop", "extract"]
Outcome = Literal["passed", "dropped", "rewritten", "replaced"]

_MONTH_NUMBERS = {f"{month:02}" for month in range(1, 13)}

#: Sentences that share at least this much of the content words of the shorter one are repetitions.
_MIN_REPEATED_SHARE = 0.7
#: Number of similar source sentences that may replace a sentence.
_N_SIMILAR = 3


@dataclass(frozen=True, slots=True)
class Written:
    """A written sentence, and the numbers of the source sentences that it cites.

    Examples
    --------
    >>> Written("Rain fell.", (3,)).cited
    (3,)
    """

    text: str
    cited: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence after the check.

    Parameters
    ----------
    written
        The sentence.
    spans
        Its parts that are not in the source.
    outcome
        What was done with it.
    used
        The sentence that the summary has instead; None if it was dropped.
    elsewhere
        Whether its facts are in the source, but not in the sentences that it cites.

    Examples
    --------
    >>> CheckedSentence(Written("Rain fell."), used=Written("Rain fell.")).outcome
    'passed'
    """

    written: Written
    spans: "tuple[support.UnsupportedSpan, ...]" = ()
    outcome: Outcome = "passed"
    used: Written | None = None
    elsewhere: bool = False

    @property
    def reasons(self) -> str:
        """What is not in the source, such as ``name 'Ode', number '12'``."""
        return ", ".join(f"{span.kind} {span.text!r}" for span in self.spans)


@dataclass(frozen=True, slots=True)
class GuardReport:
    """The sentences that were checked, and the cost of the model that wrote them.

    Examples
    --------
    >>> report = GuardReport((CheckedSentence(Written("Rain fell."), used=Written("Rain fell.")),))
    >>> report.lines()
    ['1 sentence was checked: all names, numbers and quotations are in the documents']
    """

    checked: tuple[CheckedSentence, ...] = ()
    spent: Spent = NOTHING_SPENT
    #: Languages of the documents that the checks do not read.
    unread_languages: tuple[str, ...] = ()

    @classmethod
    def merged(cls, reports: "Iterable[GuardReport]") -> "GuardReport":
        """Return one report about several summaries."""
        reports = list(reports)
        checked_sentences = tuple(item for report in reports for item in report.checked)
        languages = dict.fromkeys(name for report in reports for name in report.unread_languages)
        spent = Spent.total([report.spent for report in reports])
        return cls(checked_sentences, spent, tuple(languages))

    @property
    def failed(self) -> tuple[CheckedSentence, ...]:
        """The sentences with facts that are not in the source."""
        return tuple(item for item in self.checked if item.spans)

    def lines(self) -> list[str]:
        """Return how many sentences failed and why, and the cost, one line each."""
        checked_text, failed_sentences = counted(len(self.checked), "sentence"), self.failed
        was_or_were = "was" if len(self.checked) == 1 else "were"
        line = (
            f"{checked_text} {was_or_were} checked: all names, numbers and quotations are in the "
        )
        line += "documents"
        if failed_sentences:
            kinds = Counter(span.kind for item in failed_sentences for span in item.spans)
            reasons = ", ".join(counted(count, kind) for kind, count in kinds.most_common())
            outcomes = Counter(item.outcome for item in failed_sentences)
            outcomes_text = ", ".join(
                f"{count} {outcome}" for outcome, count in outcomes.most_common()
            )
            has_or_have = "has" if len(failed_sentences) == 1 else "have"
            line = f"{len(failed_sentences)} of {checked_text} {has_or_have} facts that are not in "
            line += f"the documents ({reasons}): {outcomes_text}"
        lines = [line]
        if n_elsewhere := sum(item.elsewhere for item in self.checked):
            line = counted(n_elsewhere, "sentence")
            lines.append(f"{line}: the facts are in the documents, but not where cited")
        lines += [
            f"the checks only support English, but the documents are {name}: the checks may "
            "miss errors or flag correct facts"
            for name in self.unread_languages
        ]
        if self.spent.answers:
            lines.append(self.spent.line)
        return lines

    @property
    def appendix(self) -> Appendix:
        """The table of the sentences that failed, to be shown below a summary."""
        return Appendix("failed", "sentences that failed the check", UNSUPPORTED, self.failed)

    def record(self) -> dict[str, Any]:
        """Return it as a JSON record."""
        counts = {"checked": len(self.checked), "failed": len(self.failed)}
        languages = {"unread_languages": list(self.unread_languages)}
        sentences = {"sentences": UNSUPPORTED.records(self.failed)}
        return {**counts, **languages, **self.spent.record(), **sentences}


def _span_records(item: CheckedSentence) -> list[dict[str, Any]]:
    return [
        {
            "text": span.text,
            "kind": span.kind,
            "start": span.start,
            "end": span.end,
            "evidence": span.evidence.text if span.evidence else "",
        }
        for span in item.spans
    ]


UNSUPPORTED: View[CheckedSentence] = View(
    "unsupported",
    (
        Column("text", "sentence", lambda item: item.written.text),
        shown("not in the documents", lambda item: item.reasons),
        data("spans", _span_records),
        Column("outcome", "outcome"),
        Column("used", "instead", lambda item: item.used.text if item.used else ""),
    ),
)


class Guard:
    """Checks sentences against the documents of an input, and the texts known before an update.

    Examples
    --------
    >>> guard = Guard(Source.of_texts(["Heavy rain fell in Ardel on Monday."]), allow=("Skov",))
    >>> guard.check(Written("Rain fell in Ardel, but not in Skov.")).outcome
    'passed'
    >>> guard.check(Written("Rain fell in Oslo.")).reasons
    "name 'Oslo'"
    """

    def __init__(self, source: Source, allow: Sequence[str] = ()) -> None:
        self.source, self.allow = source, tuple(allow)
        self._evidence = source.memo(
            "evidence", lambda: support.SourceIndex(_evidence_texts(source))
        )

    def check(self, written_sentence: Written) -> CheckedSentence:
        """Check a sentence; one with unsupported facts is dropped."""
        homes, positions = self.source.homes, self.source.positions
        cited_addresses = [
            (int(homes[number]), int(positions[number])) for number in written_sentence.cited
        ]
        spans = tuple(
            self._evidence.unsupported(written_sentence.text, cited_addresses, self.allow)
        )
        if spans:
            return CheckedSentence(written_sentence, spans, "dropped")
        return CheckedSentence(
            written_sentence, used=written_sentence, elsewhere=self._is_elsewhere(written_sentence)
        )

    def _is_elsewhere(self, sentence: Written) -> bool:
        """Return whether the cited sentences lack some of the names, numbers and quotations."""
        if not sentence.cited:
            return False
        cited_index = support.SourceIndex(
            [" ".join(self.source.texts[number] for number in sentence.cited)]
        )
        spans = cited_index.unsupported(sentence.text, allow=self.allow)
        return any(span.kind in ("name", "number", "quotation") for span in spans)

    def report(self, sentences: Sequence[str], on_unsupported: OnUnsupported) -> GuardReport:
        """Check the sentences of a summary that was written elsewhere."""
        checked_sentences = [self.check(Written(text)) for text in sentences]
        if on_unsupported == "extract":
            checked_sentences = self.replaced(checked_sentences)
        return self.reported(checked_sentences)

    def reported(
        self, checked_sentences: Iterable[CheckedSentence], spent: Spent = NOTHING_SPENT
    ) -> GuardReport:
        """Return a report on checked sentences."""
        language = self.source.reading.language
        unread_languages = () if language in ("en", UNKNOWN) else (language_name(language),)
        return GuardReport(tuple(checked_sentences), spent, unread_languages)

    def replaced(self, checked_sentences: Sequence[CheckedSentence]) -> list[CheckedSentence]:
        """Replace the dropped sentences by sentences of the documents, where there are good ones.

        These are cited sentences, then similar ones, then the best of an extract.
        """
        used_texts = [item.used.text for item in checked_sentences if item.used]
        numbers: list[int] = []
        replaced_sentences = list(checked_sentences)
        for index, item in enumerate(checked_sentences):
            number = (
                None if item.used else self._best_replacement(item.written, used_texts, numbers)
            )
            if number is not None:
                replacement = Written(self.source.texts[number], (number,))
                replaced_sentences[index] = replace(item, outcome="replaced", used=replacement)
                used_texts.append(replacement.text)
                numbers.append(number)
        return replaced_sentences

    def _best_replacement(
        self, sentence: Written, used_texts: Sequence[str], taken: Sequence[int]
    ) -> int | None:
        extract = self.source.memo("extract", lambda: Auto().choose(self.source, Limit(1000)))
        for number in (*sentence.cited, *self.similar(sentence.text), *extract.numbers):
            is_free = self.source.usable[number] and self.source.may_join(number, taken)
            if is_free and not self._is_repeated(self.source.texts[number], used_texts):
                return int(number)
        return None

    def _is_repeated(self, text: str, used_texts: Sequence[str]) -> bool:
        words = {*self.source.word_ids(text).tolist()}
        other_word_sets = ({*self.source.word_ids(other).tolist()} for other in used_texts)
        # A sentence without a word of the documents repeats nothing.
        return any(
            words & other
            and len(words & other) >= _MIN_REPEATED_SHARE * min(len(words), len(other))
            for other in other_word_sets
        )

    def similar(self, text: str, number: int = _N_SIMILAR) -> list[int]:
        """Return the sentences that share the most words with a text, by cosine."""
        rows = self.source.wording.presence
        n_shared = rows[:, np.unique(self.source.word_ids(text))].sum(axis=1)
        sizes = np.sqrt(np.asarray(rows.sum(axis=1)).clip(1.0))
        return np.argsort(-np.asarray(n_shared) / sizes, kind="stable")[:number].tolist()  # type: ignore[no-any-return]


def document_heading(document: Document) -> str:
    """Return the date of a document, in words if it can be parsed, and its headline."""
    date = read_date(document.date)
    if date and date[1] in _MONTH_NUMBERS:
        shown_date = f"{int(date[2])} {month_name[int(date[1])]} {date[0]}"
    else:
        shown_date = document.date
    return ": ".join(filter(None, (shown_date, document.headline)))


def _evidence_texts(source: Source) -> Iterator[Sequence[str]]:
    """Return the sentences of each document, then everything else that may be known from them."""
    texts = [
        source.trims[number].before if number in source.trims else text
        for number, text in enumerate(source.texts)
    ]
    context_texts = [*map(document_heading, source.documents), *source.known_texts]
    for home, document in enumerate(source.documents):
        sentences = [texts[number] for number in np.flatnonzero(source.homes == home)]
        yield sentences
        context_texts += _text_between(" ".join(document.text.split()), sentences)
    yield list(filter(None, context_texts))


def _text_between(text: str, sentences: Iterable[str]) -> Iterator[str]:
    """Return the text between sentences, such as datelines and bylines."""
    end = 0
    for sentence in sentences:
        start = text.find(" ".join(sentence.split()), end)
        if start >= 0:
            yield text[end:start].strip()
            end = start + len(sentence)
    yield text[end:].strip()


def guarded_extract(
    guard: Guard,
    checked_sentences: Sequence[CheckedSentence],
    limit: Limit,
    method: str,
    report: GuardReport,
) -> Extract:
    """Make a summary of the checked sentences, in their order, within a limit."""
    used_sentences = [item.used for item in checked_sentences if item.used]
    fitting_sentences = _select_fitting(used_sentences, limit) or used_sentences[:1]
    sentences, room = [], limit.words
    for rank, sentence in enumerate(fitting_sentences, start=1):
        sentences.append(_choose_sentence(guard, sentence, rank, room))
        room -= length_of(sentence.text)
    notes: tuple[str, ...] = ()
    if number := len(used_sentences) - len(fitting_sentences):
        notes = (f"left out to stay within {limit.words} words: {counted(number, 'sentence')}",)
    return Extract(tuple(sentences), method, notes=notes, guard=report)


def _select_fitting(sentences: Iterable[Written], limit: Limit) -> list[Written]:
    """Take the sentences that fit; unless the limit is filled, none after one that does not."""
    fitting_sentences: list[Written] = []
    length = 0
    for sentence in sentences:
        if limit.fits(length_of(sentence.text), length):
            fitting_sentences.append(sentence)
            length += length_of(sentence.text)
        elif limit.fit != "fill":
            break
    return fitting_sentences


def _choose_sentence(guard: Guard, sentence: Written, rank: int, room: int) -> ChosenSentence:
    """Make a sentence of a summary; without citations, it comes from the most similar sentence."""
    cited_numbers = sentence.cited or tuple(guard.similar(sentence.text, 1))
    origins = [(s.document, s.index) for s in map(guard.source.sentence, cited_numbers)]
    is_cut = length_of(sentence.text) > room
    text = cut_after(sentence.text, room) if is_cut else sentence.text
    return ChosenSentence(
        text, *origins[0], float("nan"), rank,
        rewritten=text != guard.source.texts[cited_numbers[0]],
        cut=is_cut, citations=tuple(origins) if sentence.cited else (),
    )  # fmt: skip


def guard_summary(
    summary: str | Sequence[str],
    documents: Sequence[str | Document],
    *,
    on_unsupported: OnUnsupported = "drop",
    allow: Sequence[str] = (),
) -> GuardReport:
    """Check a summary that was written elsewhere.

    Parameters
    ----------
    summary
        A text, or its sentences.
    documents
        What it summarizes.
    on_unsupported
        ``drop`` leaves sentences out whose names, numbers or quotations are not in the documents;
        ``extract`` replaces them by sentences of the documents.
    allow
        Names and numbers that are accepted although they are not in the documents.

    Examples
    --------
    >>> report = guard_summary(
    ...     "Rain fell in Ardel. Mayor Koskinen resigned.", ["Heavy rain fell in Ardel on Monday."]
    ... )
    >>> [(item.written.text, item.outcome) for item in report.failed]
    [('Mayor Koskinen resigned.', 'dropped')]
    """
    items = [
        item if isinstance(item, Document) else Document(str(number), item)
        for number, item in enumerate(documents, start=1)
    ]
    if not items:
        raise InputError("there are no documents to check against", hint="pass the source texts")
    sentences = split_sentences(summary) if isinstance(summary, str) else summary
    return Guard(Source.of_documents(items), allow).report(sentences, on_unsupported)
