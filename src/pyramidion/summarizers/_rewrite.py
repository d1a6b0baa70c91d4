"""Anybody's summaries, rewritten by what the documents say: the question and what it shows."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Signature, Summary, Topic
from pyramidion.collection._articles import ArticleSource, read_articles, read_file
from pyramidion.collection._options import argument, option
from pyramidion.collection._questions import Options, Progress, question
from pyramidion.collection.formats._summaries import read_summaries
from pyramidion.errors import InputError, NotFoundError, Where
from pyramidion.report.prose import Prose
from pyramidion.report.table import Table
from pyramidion.rewriting._options import WHAT_TO_REWRITE, RewriteKind, RewriteOptions
from pyramidion.rewriting._status.who import WhoIs
from pyramidion.summarizers._result import WHO, Key, SummaryResult, replacements_table, who_table
from pyramidion.summarizers._rewrites import RewrittenSummary, SummaryRewriter
from pyramidion.summarizers._source import Source
from pyramidion.text import split_sentences

#: How many topics a message lists.
_LISTED = 5


@dataclass(frozen=True, slots=True)
class SummaryOptions(Options):
    """What is rewritten."""

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
    who: bool = option(
        False,
        "Say who the people in the summary are, where the documents leave no doubt.",
        flags=("--who",),
    )
    explain: bool = option(
        False, "List every replacement, with its source and the reason.", flags=("--explain",)
    )
    source_format: str | None = option(
        None, "Format of the collection; detected by default.", flags=("--from",), metavar="FORMAT"
    )
    progress: Progress = option(Progress(), "Receives progress updates.", typed=False)

    def check(self) -> None:
        """Refuse to rewrite by nothing."""
        if not self.documents:
            hint = "say with --documents what it is a summary of"
            raise InputError("no documents are named", hint=hint)


@dataclass(frozen=True, slots=True)
class PeopleFirst(RewriteOptions):
    """What is rewritten where nothing is said: references to people."""

    rewrite: tuple[RewriteKind, ...] = option(("people",), WHAT_TO_REWRITE, metavar="KINDS")

    def check(self) -> None:
        """Refuse to rewrite nothing."""
        if not self.rewrite:
            raise InputError("nothing is to be rewritten", hint="give np, np-raw or people")
        RewriteOptions.check(self)


@dataclass(frozen=True, slots=True)
class SummaryRewrite:
    """A summary before and after."""

    summary: Summary
    made: RewrittenSummary
    who: tuple[WhoIs, ...] = ()

    @property
    def text(self) -> str:
        """The summary, with the white space it had between sentences."""
        sentences = [own.text for own in self.made.sentences]
        if not isinstance(self.summary.text, str):
            return "\n".join(sentences)
        return respaced(self.summary.text, self.made.before, sentences)

    @property
    def peer(self) -> Summary:
        """The summary as a collection has it: a text stays a text."""
        if isinstance(self.summary.text, str):
            return replace(self.summary, text=self.text)
        return replace(self.summary, text=tuple(own.text for own in self.made.sentences))

    @property
    def key(self) -> Key:
        """Task, topic and system."""
        own = self.summary
        return (("task", own.task), ("topic", own.topic), ("system", own.system))

    def record(self) -> dict[str, Any]:
        """Return the summary as JSON has it."""
        pairs = zip(self.made.before, self.made.sentences, strict=True)
        sentences = [
            {
                "text": own.text,
                "before": before,
                "rewritten": own.text != before,
                "replacements": [asdict(change) for change in own.replacements],
            }
            for before, own in pairs
        ]
        return {
            **dict(self.key),
            "changed": self.made.changed,
            "sentences": sentences,
            "text": self.text,
            "people": WHO.records(self.who),
            "notes": list(self.made.notes),
        }

    def remarks(self, *, who: bool) -> Iterator[str]:
        """Say what a person should know."""
        yield from self.made.notes
        if not self.made.changed:
            yield "nothing was replaced"
        if who and not self.who:
            yield "the documents do not say without doubt who anybody in the summary is"

    def tables(self, title: str, *, who: bool, explain: bool) -> Iterator[Table]:
        """Show the summary and what was asked about it."""
        pairs = zip(self.made.before, self.made.sentences, strict=True)
        rows = tuple(
            (place, "yes" if own.text != before else "no", own.text)
            for place, (before, own) in enumerate(pairs, start=1)
        )
        key = (("table", "summary"), *self.key) if explain or who else self.key
        columns = ("sentence", "rewritten", "text")
        yield Prose(columns, rows, title, key=key, name="summary", whole=self.text)
        changes = [
            (place, change)
            for place, own in enumerate(self.made.sentences, start=1)
            for change in own.replacements
        ]
        if explain and changes:
            yield replacements_table(
                changes, "sentence", title, (("table", "rewritten"), *self.key)
            )
        if who and self.who:
            yield who_table(self.who, title, (("table", "who"), *self.key))


def respaced(text: str, before: Sequence[str], after: Sequence[str]) -> str:
    """Put sentences into the places of others in a text."""
    pieces, done = [], 0
    for old, new in zip(before, after, strict=True):
        start = text.find(old, done)
        if start < 0:
            # Lines that were joined are not in the text as they are.
            return "\n".join(after)
        pieces += [text[done:start], new]
        done = start + len(old)
    return "".join([*pieces, text[done:]])


@question
def rewrite(source: SummaryOptions, options: PeopleFirst) -> SummaryResult[SummaryRewrite]:
    """Rewrite a summary so that readers know who people are and what things are called.

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
    options.check_who(who=source.who)
    collection = read_articles(source.documents, format=source.source_format)
    summaries = _summaries(source, collection)
    made: list[SummaryRewrite] = []
    rewriters: dict[tuple[str, str], SummaryRewriter] = {}
    for done, own in enumerate(sorted(summaries, key=_address), start=1):
        if _address(own) not in rewriters:
            # Summaries of one topic stand together, and parsed documents are large.
            rewriters = {_address(own): _rewriter(own, collection, options)}
        made.append(_rewritten(own, rewriters[_address(own)], source))
        source.progress.advance(done, len(summaries))
    made.sort(key=lambda one: summaries.index(one.summary))
    for line in dict.fromkeys(line for one in made for line in one.remarks(who=source.who)):
        source.progress.message(line)
    parser = next(iter(rewriters.values())).parser.name
    return _result(made, source, options, collection, parser)


def _address(summary: Summary) -> tuple[str, str]:
    return summary.task, summary.topic


def _summaries(source: SummaryOptions, collection: Collection) -> list[Summary]:
    """Read what is to be rewritten."""
    path = source.summary
    if str(path) != "-" and Path(path).name.removesuffix(".gz").endswith(".jsonl"):
        found = list(read_summaries(path))
        if not found:
            hint = "give one a line"
            raise InputError("there are no summaries", where=Where(path), hint=hint)
        for own in found:
            _require_topic(own.topic, collection, Where(path))
        return found
    [loose] = read_file(path, "summary")
    text = "\n".join(document.text for document in loose.documents)
    if not text.strip():
        hint = "give a summary"
        raise InputError("there is no text", where=Where(path), hint=hint)
    topic = _only_topic(collection, source.topic)
    # All of a topic's documents are meant where there are several tasks.
    task = collection.task_ids[0] if len(collection.task_ids) == 1 else ""
    return [Summary(topic.id, "summary", text, task=task)]


def _require_topic(id: str, collection: Collection, where: Where) -> None:
    if id not in {topic.id for topic in collection.topics}:
        more = ", ..." if len(collection.topics) > _LISTED else ""
        there = ", ".join(topic.id for topic in collection.topics[:_LISTED]) + more
        hint = f"the documents are of {there}"
        raise NotFoundError(f"there are no documents of topic {id!r}", where=where, hint=hint)


def _only_topic(collection: Collection, id: str) -> Topic:
    if id:
        return collection.topic(id)
    if len(collection.topics) != 1:
        hint = "say with --topic which one the summary is about"
        raise InputError(f"there are documents of {len(collection.topics)} topics", hint=hint)
    return collection.topics[0]


def _rewriter(summary: Summary, collection: Collection, options: RewriteOptions) -> SummaryRewriter:
    topic = collection.topic(summary.topic)
    documents = collection.documents(topic.id, summary.task) if summary.task else topic.documents
    return SummaryRewriter(Source.of_documents(documents), options)


def _rewritten(
    summary: Summary, rewriter: SummaryRewriter, source: SummaryOptions
) -> SummaryRewrite:
    text = summary.text
    sentences = split_sentences(text) if isinstance(text, str) else list(text)
    made = rewriter.rewrite(sentences, words=source.words)
    after = " ".join(own.text for own in made.sentences)
    return SummaryRewrite(summary, made, tuple(rewriter.who(after)) if source.who else ())


def _result(
    made: Sequence[SummaryRewrite],
    source: SummaryOptions,
    options: RewriteOptions,
    collection: Collection,
    parser: str,
) -> SummaryResult[SummaryRewrite]:
    details = (*options.details, *source.changed("words"), ("parser", parser))
    titles = [", ".join(value for _, value in one.key if value) for one in made]
    tables = [
        table
        for one, title in zip(made, titles, strict=True)
        for table in one.tables(
            title if len(made) > 1 else "", who=source.who, explain=source.explain
        )
    ]
    return SummaryResult(
        command="rewrite",
        signature=Signature(
            "rewrite", data=collection.data_hash, seed=options.seed_used, details=details
        ),
        values=made,
        record=SummaryRewrite.record,
        tables=tables,
        left_out=collection.left_out,
        collection=collection,
    )
