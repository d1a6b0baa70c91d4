"""The question `rewrite`: rewrite existing summaries with the help of their documents."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Summary
from pyramidion.collection.formats import read_summaries
from pyramidion.engine.jobs import refuse_ineffective
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.questions import Options, Progress, Signature, argument, option, question
from pyramidion.rendering.labels import counted
from pyramidion.rendering.prose import Prose
from pyramidion.rendering.table import Table
from pyramidion.rewriting._options import WHAT_TO_REWRITE, RewriteKind, RewriteOptions
from pyramidion.rewriting._status.who import WhoIs
from pyramidion.rewriting._summary_rewriter import (
    WHO,
    RewrittenSummary,
    SummaryRewriter,
    who_appendix,
)
from pyramidion.summarizers import (
    Guard,
    GuardReport,
    OnUnsupported,
    Rewritten,
    Source,
    SummaryResult,
    Written,
    replacements_table,
)
from pyramidion.summarizers.articles import ArticleSource, read_articles, read_file
from pyramidion.text import split_sentences

_NOTHING_PASSED = "every sentence has facts that are not in the documents"

#: Maximum number of topics listed in a message.
_MAX_LISTED = 5

Key = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SummaryOptions(Options):
    """The summaries to rewrite, and their documents."""

    summary: str | Path = argument(
        "Summary to rewrite: a text file, - for standard input, or JSONL with many summaries "
        "and their topics."
    )
    documents: tuple[ArticleSource, ...] = option(
        (),
        "Source documents of the summary: text files, NIST SGML, JSONL, folders of these, or "
        "a collection; can be repeated.",
        flags=("--documents", "-d"),
        metavar="SRC",
    )
    words: int | None = option(
        None, "Maximum number of words of the rewritten summary; no limit by default.", min=1
    )
    topic: str = option("", "Topic of the summary, if the documents cover several.")
    explain: bool = option(
        False, "List every replacement, with its source and the reason.", flags=("--explain",)
    )
    source_format: str | None = option(
        None, "Format of the collection; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def check(self) -> None:
        """Raise an error if no documents are given."""
        if not self.documents:
            hint = "give them with --documents"
            raise InputError("the source documents are missing", hint=hint)


@dataclass(frozen=True, slots=True)
class PeopleRewriteOptions(RewriteOptions):
    """Rewriting options whose default is to rewrite references to people."""

    rewrite: tuple[RewriteKind, ...] = option(("people",), WHAT_TO_REWRITE, metavar="KINDS")
    guard: bool = option(
        False, "First check the names, numbers and quotations of every sentence: all must be in "
        "the documents.", flags=("--guard",),
    )  # fmt: skip
    on_unsupported: OnUnsupported = option(
        "drop", "With --guard, what to do with a sentence that fails: drop, or extract (replace "
        "it with a sentence of the documents).", metavar="drop|extract",
    )  # fmt: skip
    allow: tuple[str, ...] = option(
        (), "With --guard, a name or number that is accepted although it is not in the "
        "documents; can be repeated.",
        metavar="NAME",
    )  # fmt: skip

    def check(self) -> None:
        """Raise an error if there is nothing to rewrite or check."""
        if not self.rewrite and not self.guard:
            hint = "give --rewrite np or people, or --guard"
            raise InputError("there is nothing to rewrite", hint=hint)
        if not self.guard:
            refuse_ineffective(self, "on_unsupported", "allow", source="rewriting without --guard")
        RewriteOptions.check(self)

    @property
    def guard_details(self) -> tuple[tuple[str, str], ...]:
        """What happens to unsupported sentences, for the signature."""
        return (("guard", self.on_unsupported), *self.changed("allow")) if self.guard else ()


@dataclass(frozen=True, slots=True)
class SummaryRewrite:
    """A summary before and after rewriting."""

    summary: Summary
    rewritten: RewrittenSummary
    who: tuple[WhoIs, ...] = ()
    guard: GuardReport | None = None

    @property
    def text(self) -> str:
        """The rewritten summary, with its original white space between sentences."""
        sentences = [sentence.text for sentence in self.rewritten.sentences]
        if not isinstance(self.summary.text, str):
            return "\n".join(sentences)
        return replace_sentences(self.summary.text, self.rewritten.before, sentences)

    @property
    def peer(self) -> Summary:
        """The summary as a peer of a collection, as a text or as sentences."""
        text = tuple(sentence.text for sentence in self.rewritten.sentences)
        is_one_text = isinstance(self.summary.text, str)
        return _with_text(self.summary, self.text if is_one_text else text)

    @property
    def key(self) -> Key:
        """Task, topic and system."""
        return tuple((name, getattr(self.summary, name)) for name in ("task", "topic", "system"))

    def record(self) -> dict[str, Any]:
        """Return the summary as a JSON record."""
        sentences = [
            {
                "text": sentence.text,
                "before": before,
                "rewritten": sentence.text != before,
                "replacements": [asdict(change) for change in sentence.replacements],
            }
            for before, sentence in self.rewritten.pairs
        ]
        return {
            **dict(self.key),
            "changed": self.rewritten.changed,
            "sentences": sentences,
            "text": self.text,
            "people": WHO.records(self.who),
            "notes": list(self.rewritten.notes),
            **({} if self.guard is None else {"guard": self.guard.record()}),
        }

    def remarks(self, *, who: bool) -> Iterator[str]:
        """Return notes for the user."""
        yield from self.rewritten.notes
        if not self.rewritten.changed:
            yield "nothing was replaced"
        if who and not self.who:
            yield "the documents do not say clearly who the people in the summary are"

    def tables(self, title: str, *, who: bool, explain: bool) -> Iterator[Table]:
        """Show the summary and, on request, the replacements and who people are."""
        rows, changes = [], []
        for number, (before, sentence) in enumerate(self.rewritten.pairs, start=1):
            rows.append((number, "yes" if sentence.text != before else "no", sentence.text))
            changes += [(number, change) for change in sentence.replacements]
        key = (("table", "summary"), *self.key) if explain or who else self.key
        columns = ("sentence", "rewritten", "text")
        yield Prose(columns, tuple(rows), title, key=key, name="summary", whole=self.text)
        if explain and self.guard:
            yield from self.guard.appendix.tables(title, self.key)
        if explain and changes:
            key = (("table", "rewritten"), *self.key)
            yield replacements_table(changes, "sentence", title, key)
        if who:
            yield from who_appendix(self.who).tables(title, self.key)


def replace_sentences(text: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Replace or drop the sentences of a text, and keep the white space between them."""
    pieces, position = [], 0
    for old_sentence, new_sentence in zip(before, after, strict=True):
        start = text.find(old_sentence, position)
        if start < 0:
            # The lines of a sentence were joined, so the text does not contain it.
            return "\n".join(filter(None, after))
        pieces += [text[position:start], new_sentence]
        position = start + len(old_sentence)
        if not new_sentence:
            position = len(text) - len(text[position:].lstrip())
    return "".join([*pieces, text[position:]])


class RewriteResult(SummaryResult[SummaryRewrite]):
    """Rewritten summaries."""

    saves = (
        replace(
            SummaryResult.saves[0], help="Where to write: FILE.jsonl for the summaries as peers, "
            "any other file for the printed output.", metavar="FILE", for_parts=False,
            instead_of_answer=lambda name: name.endswith(".jsonl"),
        ),
    )  # fmt: skip


@question
def rewrite(source: SummaryOptions, options: PeopleRewriteOptions) -> RewriteResult:
    """Rewrite a summary so that it introduces people where they are first mentioned.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     article, summary = Path(folder) / "a.txt", Path(folder) / "s.txt"
    ...     _ = article.write_text("Gov. Ada Ode resigned on Monday. Ode was ill, doctors said.")
    ...     _ = summary.write_text("Ode was ill, doctors said.")
    ...     result = rewrite(summary, documents=article, pipeline="light")
    >>> print(result)
    Gov. Ada Ode was ill, doctors said.
    """
    collection = read_articles(source.documents, format=source.source_format)
    summaries = _summaries(source, collection)
    rewrites: list[SummaryRewrite] = []
    positions: list[int] = []
    failed_summaries: list[str] = []
    task_and_topic = attrgetter("task", "topic")
    # Parsed documents are large, so summaries of one topic are rewritten together.
    for (task, id), topic_summaries in groupby(
        sorted(summaries, key=task_and_topic), task_and_topic
    ):
        topic = collection.topic(id)
        documents = collection.documents(id, task) if task else topic.documents
        rewriter = SummaryRewriter(Source.of_documents(documents), options)
        known_documents = collection.known_documents(id, task) if task else ()
        texts = tuple(
            text for document in known_documents for text in split_sentences(document.text)
        )
        checked_source = replace(rewriter.source, known_texts=texts)
        guard = Guard(checked_source, options.allow) if options.guard else None
        for original_summary in topic_summaries:
            summary, report = original_summary, None
            if guard is not None:
                summary, report = _guard_sentences(original_summary, guard, options.on_unsupported)
            sentences = _sentences(summary)
            if report is not None and not sentences:
                failed_summaries.append(
                    f"{original_summary.topic}, {original_summary.system}: {_NOTHING_PASSED}"
                )
                continue
            rewritten_summary = rewriter.rewrite(sentences, words=source.words)
            if guard is not None:
                rewritten_summary = replace(
                    rewritten_summary, sentences=tuple(_undo_unsupported(guard, rewritten_summary))
                )
            new_text = " ".join(sentence.text for sentence in rewritten_summary.sentences)
            mentioned_people = tuple(rewriter.who(new_text)) if options.who else ()
            positions.append(summaries.index(original_summary))
            rewrites.append(SummaryRewrite(summary, rewritten_summary, mentioned_people, report))
            source.progress.advance(len(rewrites), len(summaries))
    if not rewrites:
        raise InputError(_NOTHING_PASSED, hint="use --on-unsupported extract, or --allow names")
    rewrites = [rewrites[k] for k in sorted(range(len(rewrites)), key=positions.__getitem__)]
    remarks = [line for entry in rewrites for line in entry.remarks(who=options.who)]
    if options.guard:
        remarks += GuardReport.merged(entry.guard for entry in rewrites if entry.guard).lines()
    for line in dict.fromkeys(remarks):
        source.progress.message(line)
    tables: list[Table] = []
    for entry in rewrites:
        title = ", ".join(value for _, value in entry.key if value) if len(rewrites) > 1 else ""
        tables += entry.tables(title, who=options.who, explain=source.explain)
    n_marked = sum(bool(summaries[k].aspects) for k in positions)
    n_lost = n_marked - sum(bool(entry.peer.aspects) for entry in rewrites)
    lost_text = f"marks of aspects in {counted(n_lost, 'summary', 'summaries')} that changed"
    data, seed = collection.data_hash, options.seed_used
    parser = ("parser", rewriter.parser.name)
    details = (*options.details, *options.guard_details, *source.changed("words"), parser)
    return RewriteResult(
        command="rewrite",
        signature=Signature("rewrite", data=data, seed=seed, details=details),
        values=rewrites,
        record=SummaryRewrite.record,
        tables=tables,
        left_out=(*collection.left_out, *failed_summaries, *[lost_text] * (n_lost > 0)),
        collection=collection,
    )


def _sentences(summary: Summary) -> list[str]:
    text = summary.text
    return split_sentences(text) if isinstance(text, str) else list(text)


def _guard_sentences(
    summary: Summary, guard: Guard, on_unsupported: OnUnsupported
) -> tuple[Summary, GuardReport]:
    """Drop or replace the sentences of a summary that its documents do not support."""
    texts_before = _sentences(summary)
    report = guard.report(texts_before, on_unsupported)
    texts_after = [item.used.text if item.used else "" for item in report.checked]
    if isinstance(summary.text, str):
        text = replace_sentences(summary.text, texts_before, texts_after)
        return _with_text(summary, text.rstrip() if text != summary.text else text), report
    return _with_text(summary, tuple(filter(None, texts_after))), report


def _with_text(summary: Summary, text: str | tuple[str, ...]) -> Summary:
    """Replace the text; the marks of aspects in a text do not fit another one."""
    return replace(summary, text=text, aspects=summary.aspects if text == summary.text else ())


def _undo_unsupported(guard: Guard, summary: RewrittenSummary) -> Iterator[Rewritten]:
    """Undo the rewriting of sentences that the guard would then reject."""
    for text_before, sentence in summary.pairs:
        has_failed = sentence.text != text_before and guard.check(Written(sentence.text)).spans
        yield Rewritten(text_before) if has_failed else sentence


def _summaries(source: SummaryOptions, collection: Collection) -> list[Summary]:
    """Read the summaries to rewrite."""
    path = source.summary
    if str(path) != "-" and Path(path).name.removesuffix(".gz").endswith(".jsonl"):
        summaries = list(read_summaries(path))
        if not summaries:
            hint = "give one per line"
            raise InputError("there are no summaries", where=Where(path), hint=hint)
        topics = [topic.id for topic in collection.topics]
        missing_topic = next(
            (id for summary in summaries if (id := summary.topic) not in topics), None
        )
        if missing_topic is not None:
            topics_text = ", ".join(topics[:_MAX_LISTED]) + (
                ", ..." if len(topics) > _MAX_LISTED else ""
            )
            problem = f"there are no documents of topic {missing_topic!r}"
            raise NotFoundError(
                problem, where=Where(path), hint=f"topics with documents: {topics_text}"
            )
        return summaries
    [summary_file] = read_file(path, "summary")
    text = "\n".join(document.text for document in summary_file.documents)
    if not text.strip():
        raise InputError("there is no text", where=Where(path), hint="give a summary")
    if not source.topic and len(collection.topics) != 1:
        hint = "name the topic of the summary with --topic"
        raise InputError(f"the documents cover {len(collection.topics)} topics", hint=hint)
    topic = collection.topic(source.topic) if source.topic else collection.topics[0]
    # If there are several tasks, the summary belongs to none of them.
    task = collection.task_ids[0] if len(collection.task_ids) == 1 else ""
    return [Summary(topic.id, "summary", text, task=task)]
