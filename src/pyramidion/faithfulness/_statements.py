"""Whether a source supports the statements of a summary: checkers, and the built-in one."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar, Final, Literal, NamedTuple

import numpy as np

from pyramidion.collection import Judgment, Summary
from pyramidion.language_models import NOTHING_SPENT, Spent
from pyramidion.pyramid import statements_of
from pyramidion.questions import Parsable, Progress
from pyramidion.support import EvidenceSentence, SourceIndex, UnsupportedSpan
from pyramidion.text import load_parser, sentence_spans

#: The measure of verdicts, and of people's labels, in tables of scores.
MEASURE: Final = "supported"

#: The name that takes the place of a parser: a statement is a sentence.
SENTENCES_FIELD: Final = "sentences"

#: What a checker says about a statement.
Answer = Literal["supported", "unsupported", "cannot tell"]

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class SummaryStatement:
    """A statement of a summary.

    Parameters
    ----------
    text
        The statement as a sentence of its own, as far as the parser allows.
    parts
        Its parts in the summary, as offsets.
    sentence
        The sentence that contains it, as offsets.
    summary
        The whole summary.

    Examples
    --------
    >>> for statement in summary_statements("Rain fell, and roads in Ardel were closed."):
    ...     print(statement.text)
    Rain fell
    Roads in Ardel were closed
    """

    text: str
    parts: tuple[Span, ...]
    sentence: Span
    summary: str


def summary_statements(summary: str, parser: str = "light") -> list[SummaryStatement]:
    """Divide a summary into statements, as for automatic pyramids; or into ``sentences``.

    Examples
    --------
    >>> [statement.parts for statement in summary_statements("Rain fell. Roads were closed.")]
    [((0, 9),), ((11, 28),)]
    """
    if parser == SENTENCES_FIELD:
        return [
            SummaryStatement(summary[begin:end], ((begin, end),), (begin, end), summary)
            for begin, end in sentence_spans(summary)
        ]
    return [
        SummaryStatement(statement.label, statement.parts, statement.sentence, summary)
        for statement in statements_of(summary, load_parser(parser))
    ]


@dataclass(frozen=True, slots=True)
class StatementVerdict:
    """What a checker says about a statement, and why.

    Parameters
    ----------
    answer
        ``supported``, ``unsupported`` or ``cannot tell``.
    evidence
        The source sentences that it is based on, the best first.
    spans
        What is not in the source; offsets are those of the summary.
    score
        How well it is supported, from 0 to 1.
    reason
        The reason that a language model gives.

    Examples
    --------
    >>> StatementVerdict("cannot tell").evidence
    ()
    """

    answer: Answer
    evidence: tuple[EvidenceSentence, ...] = ()
    spans: tuple[UnsupportedSpan, ...] = ()
    score: float = 0.5
    reason: str = ""

    @classmethod
    def of(
        cls,
        statement: SummaryStatement,
        answer: Answer,
        evidence: Sequence[EvidenceSentence],
        score: float | None = None,
        reason: str = "",
    ) -> "StatementVerdict":
        """Return the verdict on a statement; an unsupported one is marked as a whole."""
        parts = statement.parts if answer == "unsupported" else ()
        nearest_sentence = evidence[0] if evidence else None
        spans = tuple(
            UnsupportedSpan(start, end, statement.summary[start:end], "statement", nearest_sentence)
            for start, end in parts
        )
        return cls(
            answer, tuple(evidence), spans, SCORES[answer] if score is None else score, reason
        )


#: Scores of answers; a checker that has probabilities uses them instead.
SCORES: Final[dict[Answer, float]] = {"supported": 1.0, "cannot tell": 0.5, "unsupported": 0.0}

#: The statements of a summary, and the source that must support them.
Case = tuple[Sequence[SummaryStatement], SourceIndex]


class CheckedBatch(NamedTuple):
    """The verdicts on the statements of each summary, the checker, its failures, and the cost."""

    verdicts: Sequence[Sequence[StatementVerdict]]
    checker: str
    failures: Sequence[str] = ()
    spent: Spent = NOTHING_SPENT


class StatementChecker(Parsable):
    """A checker that decides whether a source supports statements, as in ``judge(model=tiny)``.

    A subclass is a frozen dataclass whose options are declared with `option`.

    Examples
    --------
    >>> from pyramidion.faithfulness import parse_checker
    >>> str(parse_checker("entailment(model=nli,by=mean)"))
    'entailment(model=nli,by=mean)'
    """

    #: Whether it only supports English.
    needs_english: ClassVar[bool] = False
    #: What its users must know.
    limits: ClassVar[str] = (
        "Unsupported means that the model does not find it in the source, which is not the same as "
        "false; models err in both directions: compare them with people (--labels)."
    )

    @abstractmethod
    def check(
        self, statements: Sequence[SummaryStatement], source: SourceIndex
    ) -> list[StatementVerdict]:
        """Check the statements of one summary; one verdict each."""

    def check_all(self, cases: Sequence[Case], progress: Progress) -> CheckedBatch:
        """Check the statements of several summaries."""
        verdicts = []
        for number, case in enumerate(cases, start=1):
            verdicts.append(self.check(*case))
            progress.advance(number, len(cases))
        return CheckedBatch(verdicts, self.full_name())

    def full_name(self) -> str:
        """Return its name in signatures and tables of scores."""
        return str(self)


@dataclass(frozen=True, slots=True)
class CheckedSummary:
    """A summary, its statements, and a verdict for each."""

    summary: Summary
    source: SourceIndex
    statements: Sequence[SummaryStatement]
    verdicts: Sequence[StatementVerdict]

    def share(self, answer: Answer) -> float:
        """Return the share of statements with this verdict; NaN without statements."""
        answers = [verdict.answer for verdict in self.verdicts]
        return answers.count(answer) / len(answers) if answers else np.nan

    def judgment(self, value: float, assessor: str, kind: str, unit: str) -> Judgment:
        """Return a row of a table of scores."""
        return Judgment(
            self.summary.topic, self.summary.system, MEASURE, value, task=self.summary.task,
            kind=str(self.summary.kind), assessor=assessor, assessor_kind=kind, unit=unit,
        )  # fmt: skip

    def judgments(
        self, checker: str, without: Collection[int] = (), *, whole: bool = False
    ) -> Iterator[Judgment]:
        """Return the scores of all other statements, or the lowest one as that of the summary."""
        scores = [verdict.score for verdict in self.verdicts]
        units = {"": min(scores)} if whole and scores else {}
        if not whole:
            units = {str(n + 1): score for n, score in enumerate(scores) if n not in without}
        for unit, score in units.items():
            yield self.judgment(score, checker, "model", unit)

    def to_dict(self) -> dict[str, Any]:
        """Return it as written to JSON."""
        pairs = zip(self.statements, self.verdicts, strict=True)
        statements = [
            {"text": statement.text, "parts": [list(part) for part in statement.parts],
             **asdict(verdict)}
            for statement, verdict in pairs
        ]  # fmt: skip
        return {"topic": self.summary.topic, "statements": statements}


#: The share of a statement's weight that its evidence must have to support it.
_MIN_SUPPORTED: Final = 0.6


@dataclass(frozen=True, slots=True)
class BuiltInChecker(StatementChecker):
    """Checks names, numbers, quotations, opposites and negation, without a model.

    A statement with a span that is not in the source is unsupported. Otherwise it is supported if
    source sentences have most of its words, weighted by how rare they are; if they do not, it may
    be a paraphrase or an invention, and the answer is *cannot tell*.

    Examples
    --------
    >>> source = SourceIndex(["Ada Lee left Oslo on Monday."])
    >>> checker = BuiltInChecker()
    >>> statements = summary_statements("Lee left Oslo. She left on Friday. Nobody was pleased.")
    >>> [verdict.answer for verdict in checker.check(statements, source)]
    ['supported', 'unsupported', 'cannot tell']
    """

    name: ClassVar[str] = "built-in"
    title: ClassVar[str] = "built-in checks"
    summary: ClassVar[str] = "names, numbers, quotations, opposites and negation; no model"
    needs_english: ClassVar[bool] = True
    limits: ClassVar[str] = (
        "Unsupported means not in the source, which is not the same as false. Rearranged facts, "
        "such as swapped names, are invisible; supported only means that nothing unsupported was "
        "found."
    )

    allow: tuple[str, ...] = field(default=())

    def check(
        self, statements: Sequence[SummaryStatement], source: SourceIndex
    ) -> list[StatementVerdict]:
        """Check the statements of one summary; one verdict each."""
        sentences = list(dict.fromkeys(statement.sentence for statement in statements))
        summary = statements[0].summary if statements else ""
        texts = [summary[start:end] for start, end in sentences]
        unsupported_spans = source.unsupported_in(texts, allow=self.allow)
        spans_of = {
            sentence: [_move_span(span, sentence[0]) for span in spans]
            for sentence, spans in zip(sentences, unsupported_spans, strict=True)
        }
        return [self._verdict(statement, spans_of, source) for statement in statements]

    def _verdict(
        self,
        statement: SummaryStatement,
        spans_of: dict[Span, list[UnsupportedSpan]],
        source: SourceIndex,
    ) -> StatementVerdict:
        spans = tuple(_inside(spans_of[statement.sentence], statement.parts))
        share, evidence = source.evidence(statement.text)
        if spans:
            nearest_sentences = (span.evidence for span in spans if span.evidence)
            return StatementVerdict("unsupported", (*dict.fromkeys(nearest_sentences),), spans, 0.0)
        return StatementVerdict.of(
            statement, "supported" if share >= _MIN_SUPPORTED else "cannot tell", evidence
        )


def _move_span(span: UnsupportedSpan, offset: int) -> UnsupportedSpan:
    return replace(span, start=span.start + offset, end=span.end + offset)


def _inside(spans: Iterable[UnsupportedSpan], parts: Iterable[Span]) -> Iterable[UnsupportedSpan]:
    locations = tuple(parts)
    return (s for s in spans if any(s.start < end and start < s.end for start, end in locations))
