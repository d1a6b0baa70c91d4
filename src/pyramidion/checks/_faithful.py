"""What summaries say that their documents do not: the question `faithful` and its tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, get_args

import numpy as np

from pyramidion.checks._faithful_page import faithful_page
from pyramidion.checks._statements import (
    Answer,
    BuiltInChecker,
    StatementChecker,
    StatementVerdict,
    SummaryStatement,
    summary_statements,
)
from pyramidion.collection import Collection, Summary
from pyramidion.collection.checks import address_name
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.sources import Source as CollectionSource
from pyramidion.collection.sources import SourceReading
from pyramidion.errors import InputError, Where
from pyramidion.questions import Options, Progress, argument, option, question
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Result, signed
from pyramidion.rendering.saving import PAGE_FILE
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, data
from pyramidion.stats.mean_intervals import mean_intervals
from pyramidion.support import Source
from pyramidion.text.languages import detect_language, language_name

#: Unsupported spans that a terminal lists.
_LISTED: Final = 20
_LIMITS: Final = (
    "Unsupported means not in the source, which is not the same as false. Rearranged facts, such "
    "as swapped names, are invisible; supported only means that nothing missing was found."
)


@dataclass(frozen=True, slots=True)
class FaithfulInput(SourceReading):
    """The summaries to check."""

    source: CollectionSource = argument("Collection of summaries with their documents.")


@dataclass(frozen=True, slots=True)
class FaithfulOptions(Options):
    """How summaries are checked."""

    allow: tuple[str, ...] = option(
        (), "Names and numbers that need no support, such as well-known facts, comma-separated.",
        metavar="NAMES",
    )  # fmt: skip
    parser: str = option(
        "light",
        "Parser that takes summaries apart: light, or the name or folder of a spaCy pipeline.",
    )
    progress: Progress = option(
        Progress(), "Receives how many summaries are done.", on_command_line=False
    )

    @property
    def checker(self) -> StatementChecker:
        """What decides whether a source supports a statement."""
        return BuiltInChecker(self.allow)


@dataclass(frozen=True, slots=True)
class CheckedSummary:
    """A summary, its statements, and a verdict for each."""

    summary: Summary
    source: Source
    statements: Sequence[SummaryStatement]
    verdicts: Sequence[StatementVerdict]

    def share(self, answer: Answer) -> float:
        """Return the share of statements with this verdict; NaN without statements."""
        answers = [verdict.answer for verdict in self.verdicts]
        return answers.count(answer) / len(answers) if answers else np.nan

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        pairs = zip(self.statements, self.verdicts, strict=True)
        statements = [
            {"text": statement.text, "parts": [list(part) for part in statement.parts],
             **asdict(verdict)}
            for statement, verdict in pairs
        ]  # fmt: skip
        return {"topic": self.summary.topic, "statements": statements}


@dataclass(frozen=True, slots=True)
class SystemFaithfulness:
    """How far the documents support the statements of one system.

    Parameters
    ----------
    task, system, kind
        The system, and whether it is a person or a machine.
    summaries, flagged
        The number of its summaries, and of those with an unsupported statement.
    statements
        The number of statements by verdict.
    unsupported, low, high
        The mean share of unsupported statements per summary, with its interval over topics.
    spans
        The number of unsupported spans by kind.
    checked
        Each summary with its statements.
    """

    task: str
    system: str
    kind: str
    summaries: int
    flagged: int
    statements: Mapping[str, int]
    unsupported: float
    low: float
    high: float
    spans: Mapping[str, int]
    checked: Sequence[CheckedSummary]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FaithfulResult(Result[SystemFaithfulness]):
    """What summaries say that their documents do not, by system."""

    saves = (PAGE_FILE,)


@question
def faithful(data: FaithfulInput, options: FaithfulOptions) -> FaithfulResult:
    """Show what summaries say that their documents do not, with the evidence.

    Each statement is supported, unsupported (it has a name, number, quotation, opposite or negation
    that is not in the documents), or too freely worded to tell. Facts that were only rearranged,
    such as swapped names, are not found. English only.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d1", "Ada Lee left Oslo on Monday."),))
    >>> summary = Summary("T1", "7", "Lee left Oslo. She left on Friday.")
    >>> result = faithful(Collection("mine", topics=(topic,), summaries=(summary,)))
    >>> dict(result[0].statements), result[0].unsupported
    ({'supported': 1, 'unsupported': 1}, 0.5)
    >>> result[0].checked[0].verdicts[1].spans[0].text
    'Friday'
    """
    collection = data.read_source(data.source)
    summaries, left_out = _checkable(collection, data.source)
    checked = list(_checked(collection, summaries, options))
    systems = [
        _system(group)
        for group in grouped(((c.summary.task, c.summary.system), c) for c in checked).values()
    ]
    systems.sort(key=lambda s: (s.task, s.kind, s.unsupported, natural_order(s.system)))
    signature = signed(
        f"faithful({options.checker.name})", collection.data_hash,
        parser=options.parser, allow="+".join(options.allow),
    )  # fmt: skip
    tables = [_VIEW.table(systems, "Unsupported statements", _LIMITS), _span_table(systems)]
    name = collection.name or "summaries"
    return FaithfulResult(
        command="faithful", signature=signature, values=systems, record=_VIEW.record,
        tables=[table for table in tables if table.rows],
        left_out=(*collection.left_out, *left_out), mended=collection.repaired,
        page=partial(faithful_page, name, checked, tables[0], str(signature), _LIMITS),
        findings=collection.findings or (),
    )  # fmt: skip


def _checkable(collection: Collection, source: Any) -> tuple[list[Summary], list[str]]:
    """Return the summaries that can be checked, and what is left out."""
    where = Where(source) if isinstance(source, str) else None
    peers = [summary for summary in collection.summaries if summary.is_peer]
    if not peers:
        raise InputError("there are no summaries to check", "add summaries to it", where=where)
    reasons: dict[str, list[Summary]] = {}
    for summary in peers:
        reasons.setdefault(_obstacle(collection, summary), []).append(summary)
    checkable = reasons.pop("", [])
    if not checkable:
        (reason, _), *_ = reasons.items()
        hint = "add the documents of each topic" if "no documents" in reason else "use English data"
        raise InputError(f"no summary can be checked: {reason}", hint, where=where)
    lines = [
        f"{counted(len(group), 'summary', 'summaries')}: {reason}"
        f" ({brief_list([address_name(s.task, s.topic, s.system) for s in group])})"
        for reason, group in reasons.items()
    ]
    return checkable, lines


def _obstacle(collection: Collection, summary: Summary) -> str:
    """Return why a summary cannot be checked, if so."""
    documents = [document.text for document in collection.documents(summary.topic, summary.task)]
    if not any(map(str.strip, documents)):
        return "there are no documents to compare with"
    for texts, name in ((documents, "documents"), ([summary.plain], "summaries")):
        code = detect_language(texts)
        if code != "en":
            return f"the built-in checks read English, and these {name} are {language_name(code)}"
    return ""


def _checked(
    collection: Collection, summaries: Sequence[Summary], options: FaithfulOptions
) -> Iterator[CheckedSummary]:
    checker = options.checker
    sources: dict[tuple[str, ...], Source] = {}
    for number, summary in enumerate(summaries):
        documents = collection.documents(summary.topic, summary.task)
        texts = tuple(document.text for document in documents)
        if texts not in sources:
            sources[texts] = Source(texts, facts=[f"{d.date} {d.headline}" for d in documents])
        statements = summary_statements(summary.plain, options.parser)
        verdicts = checker.check(statements, sources[texts])
        yield CheckedSummary(summary, sources[texts], statements, verdicts)
        options.progress.advance(number + 1, len(summaries))


def _system(checked: Sequence[CheckedSummary]) -> SystemFaithfulness:
    """Average a system's summaries; the interval is one over topics."""
    first = checked[0].summary
    topics = grouped((c.summary.topic, c.share("unsupported")) for c in checked)
    shares = [float(np.nanmean(s)) for s in topics.values() if not np.isnan(s).all()]
    low, high, mean = np.nan, np.nan, float(np.mean(shares)) if shares else np.nan
    if len(shares) > 1:  # one topic does not show how much others vary
        column = np.array(shares)[:, None]
        interval = mean_intervals(column, scale=(0.0, 1.0), ratings=False)
        low, high = float(interval.low[0]), float(interval.high[0])
    verdicts = [verdict for c in checked for verdict in c.verdicts]
    return SystemFaithfulness(
        first.task, first.system, str(first.kind), len(checked),
        sum(any(v.spans for v in c.verdicts) for c in checked),
        Counter(verdict.answer for verdict in verdicts), mean, low, high,
        Counter(span.kind for verdict in verdicts for span in verdict.spans), checked,
    )  # fmt: skip


def _answer_column(answer: Answer) -> Column[SystemFaithfulness]:
    return Column("", answer, show=lambda system: system.statements.get(answer, 0))


def _interval(system: SystemFaithfulness) -> str:
    if np.isnan(system.low):
        return f"{system.unsupported:.3f} [cannot be estimated]"
    return f"{system.unsupported:.3f} [{system.low:.3f}, {system.high:.3f}]"


_VIEW: Final[View[SystemFaithfulness]] = View(
    "systems",
    (
        Column("task", "task", show=lambda system: system.task or "–"),
        Column("system", "system"),
        Column("kind", "kind"),
        Column("summaries", "summaries"),
        Column("flagged", "flagged"),
        data("statements", lambda system: dict(system.statements)),
        *map(_answer_column, get_args(Answer)),
        Column("unsupported", "share unsupported [95%]", show=_interval),
        data("low"),
        data("high"),
        data("spans", lambda system: dict(system.spans)),
        data("checked", lambda system: [checked.to_dict() for checked in system.checked]),
    ),
)


def _span_table(systems: Sequence[SystemFaithfulness]) -> Table:
    """List what is not in the source, with the source sentence to compare it with."""
    rows = [
        (c.summary.task or "–", c.summary.topic, c.summary.system, span.kind, span.text,
         span.evidence.text if span.evidence else "–")
        for system in systems
        for c in system.checked
        for span in dict.fromkeys(span for verdict in c.verdicts for span in verdict.spans)
    ]  # fmt: skip
    more = len(rows) - _LISTED
    note = f"{more:,} more are listed in JSON and on the page (--html)." if more > 0 else ""
    columns = ("task", "topic", "system", "kind", "not in the source", "nearest source sentence")
    return Table(columns, tuple(rows[:_LISTED]), title="Spans", note=note, name="spans")
