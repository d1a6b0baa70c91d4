"""Whether a source supports the statements of a summary: the built-in checker."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, Protocol

from pyramidion.pyramid import statements_of
from pyramidion.support import EvidenceSentence, Source, UnsupportedSpan
from pyramidion.text import load_parser

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
    """Divide a summary into statements, as for automatic pyramids.

    Examples
    --------
    >>> [statement.parts for statement in summary_statements("Rain fell. Roads were closed.")]
    [((0, 9),), ((11, 28),)]
    """
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

    Examples
    --------
    >>> StatementVerdict("cannot tell").evidence
    ()
    """

    answer: Answer
    evidence: tuple[EvidenceSentence, ...] = ()
    spans: tuple[UnsupportedSpan, ...] = ()


class StatementChecker(Protocol):
    """What decides whether a source supports statements: built-in checks, a model, a judge."""

    @property
    def name(self) -> str:
        """Its name in signatures."""

    def check(
        self, statements: Sequence[SummaryStatement], source: Source
    ) -> list[StatementVerdict]:
        """Check the statements of one summary; one verdict each."""


#: The share of a statement's weight that its evidence must have to support it.
_SUPPORTED: Final = 0.6


@dataclass(frozen=True, slots=True)
class BuiltInChecker:
    """Checks names, numbers, quotations, opposites and negation, without a model.

    A statement with a span that is not in the source is unsupported. Otherwise it is supported if
    source sentences have most of its words, weighted by how rare they are; if they do not, it may
    be a paraphrase or an invention, and the answer is *cannot tell*.

    Examples
    --------
    >>> source = Source(["Ada Lee left Oslo on Monday."])
    >>> checker = BuiltInChecker()
    >>> statements = summary_statements("Lee left Oslo. She left on Friday. Nobody was pleased.")
    >>> [verdict.answer for verdict in checker.check(statements, source)]
    ['supported', 'unsupported', 'cannot tell']
    """

    allow: tuple[str, ...] = ()
    name: str = "built-in"

    def check(
        self, statements: Sequence[SummaryStatement], source: Source
    ) -> list[StatementVerdict]:
        """Check the statements of one summary; one verdict each."""
        sentences = list(dict.fromkeys(statement.sentence for statement in statements))
        summary = statements[0].summary if statements else ""
        texts = [summary[start:end] for start, end in sentences]
        unsupported = source.unsupported_in(texts, allow=self.allow)
        spans_of = {
            sentence: [_moved(span, sentence[0]) for span in spans]
            for sentence, spans in zip(sentences, unsupported, strict=True)
        }
        return [self._verdict(statement, spans_of, source) for statement in statements]

    def _verdict(
        self,
        statement: SummaryStatement,
        spans_of: dict[Span, list[UnsupportedSpan]],
        source: Source,
    ) -> StatementVerdict:
        spans = tuple(_inside(spans_of[statement.sentence], statement.parts))
        share, evidence = source.evidence(statement.text)
        if spans:
            nearest = (span.evidence for span in spans if span.evidence)
            return StatementVerdict("unsupported", (*dict.fromkeys(nearest),), spans)
        return StatementVerdict("supported" if share >= _SUPPORTED else "cannot tell", evidence)


def _moved(span: UnsupportedSpan, offset: int) -> UnsupportedSpan:
    return replace(span, start=span.start + offset, end=span.end + offset)


def _inside(spans: Iterable[UnsupportedSpan], parts: Iterable[Span]) -> Iterable[UnsupportedSpan]:
    places = tuple(parts)
    return (s for s in spans if any(s.start < end and start < s.end for start, end in places))
