"""What summaries say that their documents do not: the question `faithful` and its tables."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, Final, get_args

import numpy as np

from pyramidion.collection import Collection, Scores, Summary
from pyramidion.collection.findings import address_name
from pyramidion.collection.ids import brief_list, grouped, natural_order
from pyramidion.collection.sources import Source, SourceReading
from pyramidion.engine.jobs import refuse_ineffective
from pyramidion.errors import InputError, Where
from pyramidion.faithfulness._models import JudgeChecker, parse_checker
from pyramidion.faithfulness._page import faithful_page
from pyramidion.faithfulness._people import (
    LabeledItem,
    PeopleCheck,
    are_whole,
    check_with_people,
    match_labels,
    read_labels,
)
from pyramidion.faithfulness._statements import (
    SENTENCES_FIELD,
    Answer,
    BuiltInChecker,
    Case,
    CheckedSummary,
    StatementChecker,
    summary_statements,
)
from pyramidion.language_models import NOTHING_SPENT, AskingOptions, Spent
from pyramidion.questions import Options, Progress, argument, option, question
from pyramidion.questions.options import option_specs
from pyramidion.rendering.dry_run import dry_run_tables
from pyramidion.rendering.labels import counted
from pyramidion.rendering.result import Result, signed, to_json_value
from pyramidion.rendering.saving import PAGE_FILE, SCORE_FILE
from pyramidion.rendering.table import Table
from pyramidion.rendering.view import Column, View, data
from pyramidion.stats.mean_intervals import mean_intervals
from pyramidion.support import SourceIndex
from pyramidion.text import english_is_installed
from pyramidion.text.languages import detect_language, language_name

#: Unsupported spans that a terminal lists.
_MAX_LISTED: Final = 20


@dataclass(frozen=True, slots=True)
class FaithfulInput(SourceReading):
    """The summaries to check."""

    source: Source = argument("Collection of summaries with their documents.")


@dataclass(frozen=True, slots=True)
class FaithfulOptions(Options):
    """How summaries are checked."""

    checker: str = option(
        "built-in", "Checker: built-in (names, numbers, quotations, opposites, negation), "
        "entailment(model=FOLDER) (an entailment model, extra `lm`; its options are by=maximum or "
        "mean, and threshold) or judge(model=NAME,url=ADDRESS) (a language model, statement by "
        "statement).", metavar="built-in|entailment(...)|judge(...)",
    )  # fmt: skip
    labels: Path | None = option(
        None, "Table with people's labels, with which the checker is compared: columns topic, "
        "system, statement (its number or text; empty for the whole summary), annotator, and "
        "label (supported, unsupported or cannot tell).", metavar="FILE",
    )  # fmt: skip
    allow: tuple[str, ...] = option(
        (), "Names and numbers that need no support, such as well-known facts, comma-separated.",
        metavar="NAMES",
    )  # fmt: skip
    parser: str | None = option(
        None,
        "Parser that divides summaries into statements: light, the name or folder of a spaCy "
        "pipeline, or sentences (no parser). By default light, or sentences if the package "
        "pyramidion-english is not installed (only the built-in checker always needs it).",
    )
    seed: int = option(0, "Random seed of the intervals that --labels adds.", min=0)
    progress: Progress = option(
        Progress(), "Receives the number of summaries done.", on_command_line=False
    )

    @property
    def statement_parser(self) -> str:
        """The parser, or the default for what is installed."""
        return self.parser or ("light" if english_is_installed() else SENTENCES_FIELD)

    def chosen(self, asking: "CheckerOptions") -> StatementChecker:
        """Return the checker with the options it takes; refuse those without effect."""
        checker = parse_checker(self.checker)
        if isinstance(checker, BuiltInChecker):
            checker = replace(checker, allow=self.allow)
        else:
            refuse_ineffective(self, "allow", source=f"the checker {checker.name}")
        if isinstance(checker, JudgeChecker):
            return replace(checker, asking=asking)
        names = (spec.name for spec in option_specs(CheckerOptions))
        refuse_ineffective(asking, *names, source=f"the checker {checker.name}")
        return checker


@dataclass(frozen=True, slots=True)
class CheckerOptions(AskingOptions):
    """How to ask a language model about statements."""

    panel: ClassVar[str] = "Asking a language model (checker judge)"


@dataclass(frozen=True, slots=True)
class SystemFaithfulness:
    """How well the documents support the statements of one system.

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
    """Statements of summaries that their documents do not support, by system.

    Parameters
    ----------
    checker
        The name of the checker.
    people
        The checker compared with people's labels, if there are any.
    items
        What people labeled.
    spent
        What a language model as the checker cost.
    """

    saves = (SCORE_FILE, PAGE_FILE)

    checker: str = ""
    people: PeopleCheck | None = None
    items: Sequence[LabeledItem] = ()
    spent: Spent = NOTHING_SPENT

    def to_scores(self) -> Scores:
        """Return verdicts (and labels) as a table, with the checker as an assessor.

        If people labeled whole summaries, the checker has one score for each, the lowest.
        """
        if not self.values:
            _refuse_to_write()
        label_numbers = grouped(
            (id(i.checked), number) for i in self.items for number in i.statements
        )
        is_whole = are_whole(self.items)
        rows = [row for item in self.items for row in item.judgments(self.checker)]
        for checked_summary in chain.from_iterable(system.checked for system in self.values):
            other_scores = checked_summary.judgments(
                self.checker, label_numbers.get(id(checked_summary), ()), whole=is_whole
            )
            rows += [] if is_whole and id(checked_summary) in label_numbers else other_scores
        return Scores.from_judgments(rows)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as the object written to JSON."""
        people = {"people": to_json_value(asdict(self.people))} if self.people else {}
        spent_field = {"spent": self.spent.record()} if self.spent.answers else {}
        return Result.to_dict(self) | people | spent_field


@question
def faithful(
    data: FaithfulInput, options: FaithfulOptions, asking: CheckerOptions
) -> FaithfulResult:
    """Show statements of summaries that their documents do not support, with the evidence.

    Each statement is supported, unsupported (it has a name, number, quotation, opposite or negation
    that is not in the documents), or worded too freely to decide. Facts that were only rearranged,
    such as swapped names, are not found. English only. An entailment model or a language model
    decides instead with --checker, and --labels compares any of them with people.

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
    checker = options.chosen(asking)
    labels, no_labels = read_labels(options.labels) if options.labels else ([], [])
    collection = data.read_source(data.source)
    summaries, left_out = _checkable_summaries(
        collection, data.source, checker, options.statement_parser
    )
    cases = list(_cases(collection, summaries, options))
    if asking.dry_run and isinstance(checker, JudgeChecker):
        return _dry_run_result(collection, checker, cases)
    verdicts, checker_name, failures, tokens_spent = checker.check_all(cases, options.progress)
    checked_summaries = [
        CheckedSummary(summary, source, statements, answers)
        for summary, (statements, source), answers in zip(summaries, cases, verdicts, strict=True)
    ]
    items, unmatched_labels = match_labels(labels, checked_summaries)
    if options.labels and not items:
        hint = "use the topics, systems and statements that --format json shows"
        problem = "no label refers to a statement of these summaries"
        raise InputError(problem, hint, where=Where(options.labels))
    people = check_with_people(items, checked_summaries, options.seed) if items else None
    systems = [
        _system(group)
        for group in grouped(
            ((c.summary.task, c.summary.system), c) for c in checked_summaries
        ).values()
    ]
    systems.sort(key=_rank)
    if options.statement_parser == SENTENCES_FIELD and options.parser is None:
        left_out.append("sentences are not divided into statements: that needs pyramidion-english")
    signature = signed(
        f"faithful({checker_name})", collection.data_hash, options.seed if people else None,
        parser=options.statement_parser, allow="+".join(options.allow),
    )  # fmt: skip
    limits = checker.limits
    note = f"{limits} {tokens_spent.line}." if tokens_spent.answers else limits
    tables = [
        _VIEW.table(systems, "Unsupported statements", note),
        *(people.tables() if people else ()), _span_table(systems),
    ]  # fmt: skip
    name = collection.name or "summaries"
    return FaithfulResult(
        command="faithful", signature=signature, values=systems, record=_VIEW.record,
        tables=[table for table in tables if table.rows],
        left_out=(*collection.left_out, *left_out, *failures, *no_labels, *unmatched_labels),
        mended=collection.repaired,
        page=partial(faithful_page, name, checked_summaries, tables[:-1], str(signature), limits),
        findings=collection.findings or (), checker=checker_name, people=people, items=items,
        spent=tokens_spent,
    )  # fmt: skip


def _checkable_summaries(
    collection: Collection, source: Any, checker: StatementChecker, parser: str
) -> tuple[list[Summary], list[str]]:
    """Return the summaries that can be checked, and what is left out."""
    where = Where(source) if isinstance(source, str) else None
    peers = [summary for summary in collection.summaries if summary.is_peer]
    if not peers:
        raise InputError("there are no summaries to check", "add summaries to it", where=where)
    reasons: dict[str, list[Summary]] = {}
    for summary in peers:
        reasons.setdefault(_obstacle(collection, summary, checker, parser), []).append(summary)
    checkable_summaries = reasons.pop("", [])
    if not checkable_summaries:
        (reason, _), *_ = reasons.items()
        hint = "use English data, or --checker entailment(...) or judge(...) with --parser PIPELINE"
        hint = "add the documents of each topic" if "no documents" in reason else hint
        raise InputError(f"no summary can be checked: {reason}", hint, where=where)
    lines = [
        f"{counted(len(group), 'summary', 'summaries')}: {reason}"
        f" ({brief_list([address_name(s.task, s.topic, s.system) for s in group])})"
        for reason, group in reasons.items()
    ]
    return checkable_summaries, lines


def _obstacle(
    collection: Collection, summary: Summary, checker: StatementChecker, parser: str
) -> str:
    """Return why a summary cannot be checked, if so."""
    documents = [document.text for document in collection.documents(summary.topic, summary.task)]
    if not any(map(str.strip, documents)):
        return "there are no documents to compare with"
    reader = (
        "built-in checks only support" if checker.needs_english else "light parser only supports"
    )
    if checker.needs_english or parser == "light":
        for texts, name in ((documents, "documents"), ([summary.plain], "summaries")):
            if (code := detect_language(texts)) != "en":
                return f"the {reader} English, but these {name} are {language_name(code)}"
    return ""


def _cases(
    collection: Collection, summaries: Sequence[Summary], options: FaithfulOptions
) -> Iterator[Case]:
    """Return the statements of each summary, and the source that must support them."""
    sources: dict[tuple[str, ...], SourceIndex] = {}
    for summary in summaries:
        documents = collection.documents(summary.topic, summary.task)
        texts = tuple(document.text for document in documents)
        if texts not in sources:
            sources[texts] = SourceIndex(texts, facts=[f"{d.date} {d.headline}" for d in documents])
        yield summary_statements(summary.plain, options.statement_parser), sources[texts]


def _dry_run_result(
    collection: Collection, checker: JudgeChecker, cases: Sequence[Case]
) -> FaithfulResult:
    """Return the first prompt and the estimated cost."""
    prompts = [prompt for case in cases for prompt in checker.prompts(*case)]
    tables = dry_run_tables([(str(checker), prompts, checker.max_tokens)], checker.asking.cost)
    return FaithfulResult(
        command="faithful", signature=signed(f"faithful({checker})", collection.data_hash),
        values=(), record=_VIEW.record, tables=tables, checker=checker.name,
        page=_refuse_to_write,
    )  # fmt: skip


def _refuse_to_write() -> str:
    hint = "drop --dry-run, or --output and --html"
    raise InputError("a dry run has no verdicts to write", hint)


def _system(checked_summaries: Sequence[CheckedSummary]) -> SystemFaithfulness:
    """Average a system's summaries; the interval is one over topics."""
    first_check = checked_summaries[0].summary
    topics = grouped((c.summary.topic, c.share("unsupported")) for c in checked_summaries)
    shares = [float(np.nanmean(s)) for s in topics.values() if not np.isnan(s).all()]
    low, high, mean = np.nan, np.nan, float(np.mean(shares)) if shares else np.nan
    if len(shares) > 1:  # one topic does not show how much others vary
        column = np.array(shares)[:, None]
        interval = mean_intervals(column, scale=(0.0, 1.0), ratings=False)
        low, high = float(interval.low[0]), float(interval.high[0])
    verdicts = [verdict for c in checked_summaries for verdict in c.verdicts]
    return SystemFaithfulness(
        first_check.task, first_check.system, str(first_check.kind), len(checked_summaries),
        sum(any(v.spans for v in c.verdicts) for c in checked_summaries),
        Counter(verdict.answer for verdict in verdicts), mean, low, high,
        Counter(span.kind for verdict in verdicts for span in verdict.spans), checked_summaries,
    )  # fmt: skip


def _rank(system: SystemFaithfulness) -> tuple[Any, ...]:
    """Return the key that sorts systems; those without statements are last."""
    has_none = bool(np.isnan(system.unsupported))
    share = 0.0 if has_none else system.unsupported
    return system.task, system.kind, has_none, share, natural_order(system.system)


def _answer_column(answer: Answer) -> Column[SystemFaithfulness]:
    return Column("", answer, show=lambda system: system.statements.get(answer, 0))


def _interval(system: SystemFaithfulness) -> str:
    if np.isnan(system.unsupported):
        return "–"
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
        data(
            "checked",
            lambda system: [checked_summary.to_dict() for checked_summary in system.checked],
        ),
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
    n_more = len(rows) - _MAX_LISTED
    note = f"{n_more:,} more are listed in JSON and on the page (--html)." if n_more > 0 else ""
    columns = ("task", "topic", "system", "kind", "not in the source", "nearest source sentence")
    return Table(columns, tuple(rows[:_MAX_LISTED]), title="Spans", note=note, name="spans")
