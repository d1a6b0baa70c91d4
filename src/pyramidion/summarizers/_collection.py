"""Summaries of articles, or of every topic of a collection."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyramidion
import pyramidion.language_models as models
from pyramidion.collection import Collection, Summary, Task, Topic
from pyramidion.collection.ids import grouped
from pyramidion.collection.summaries import documents_of
from pyramidion.engine.engines import map_topics
from pyramidion.engine.jobs import PartsOptions, refuse_ineffective
from pyramidion.engine.parts import in_parts, is_topic_line
from pyramidion.errors import InputError, Where
from pyramidion.files.reading import MAX_MODEL_BYTES, Record, read_bytes
from pyramidion.questions import Options, Progress, Signature, argument, option, question
from pyramidion.questions.options import option_specs
from pyramidion.rendering.dry_run import dry_run_tables
from pyramidion.rendering.labels import counted
from pyramidion.rendering.prose import Prose
from pyramidion.rendering.table import Table
from pyramidion.summarizers._evidence import Evidence, evidence_of
from pyramidion.summarizers._explanation import Explanation
from pyramidion.summarizers._guard import GuardReport
from pyramidion.summarizers._llm import LanguageModelWriter, WriterOptions
from pyramidion.summarizers._page import Sourced, sourced
from pyramidion.summarizers._plugin import Appendix, RewriterOptions, SummaryMaker
from pyramidion.summarizers._registry import all_summarizers, parse_summarizer
from pyramidion.summarizers._result import SummaryResult, require_writable
from pyramidion.summarizers._selection import Extract, Fit, Limit, Order
from pyramidion.summarizers._source import Focus, Source, query_of
from pyramidion.summarizers._stories import Story, by_story, story_note
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.summarizers._trim import TrimKind, trimmed
from pyramidion.summarizers.articles import ArticleSource, read_articles
from pyramidion.summarizers.sentences import CandidateRules
from pyramidion.text import Tokenizer
from pyramidion.text.encoding import Reading
from pyramidion.text.languages import UNKNOWN

#: Default length of a summary, in words.
_WORDS = 100

_COLUMNS = ("sentence", "document", "index", "rank", "score", "rewritten", "text")
_SENTENCE_KEYS = ("text", "document", "index", "score", "rank", "rewritten", "cut", "before")


@dataclass(frozen=True, slots=True)
class ArticleOptions(Options):
    """The input to summarize."""

    source: tuple[ArticleSource, ...] = argument(
        "Articles to summarize as one topic: text files, web pages (HTML), NIST SGML, JSONL or "
        "folders of these; or a collection, all of whose topics are summarized; - for standard "
        "input.",
        metavar="SRC",
    )
    update_of: tuple[ArticleSource, ...] = option(
        (),
        "Articles that the reader already knows, for an update summary; can be repeated.",
        metavar="SRC",
    )
    source_format: str | None = option(
        None, "Format of the collection; detected by default.", flags=("--from",), metavar="FORMAT"
    )

    @property
    def in_parts(self) -> bool:
        """Whether it is a folder of parts."""
        is_single = len(self.source) == 1 and not self.update_of and self.source_format is None
        return is_single and in_parts(self.source[0], is_topic_line)

    def read(self) -> Collection:
        """Read the whole input."""
        return read_articles(self.source, known_sources=self.update_of, format=self.source_format)

    @property
    def where(self) -> Where | None:
        """Its name in messages."""
        paths = [str(article) for article in self.source if not isinstance(article, Collection)]
        return Where(", ".join(paths)) if paths else None


@dataclass(frozen=True, slots=True)
class SummarizeOptions(Options):
    """How it is summarized."""

    words: int | None = option(
        None,
        "Maximum number of words of a summary; by default the limit of the task, or 100.",
        min=1,
    )
    method: tuple[str, ...] = option(
        ("auto",),
        "Summarization methods, comma-separated, such as sum-avr,lexrank(continuous): auto (the "
        "best for the kind of input), or all that need neither references nor a language model "
        "(all); `pyramidion methods` lists them.",
        flags=("--method", "-m"),
    )
    no_context: bool = option(
        False,
        "Do not lower the weight of content that is already in the summary.",
        flags=("--no-context",),
    )
    fit: Fit = option(
        "fill",
        "What to do if the next sentence is too long: fill (take the best one that fits), stop "
        "(end the summary) or truncate (cut it off).",
    )
    order: Order = option(
        "source",
        "Order of the sentences: source (by date and position), cohesive (related sentences "
        "together) or chosen (as selected).",
    )
    topic: tuple[str, ...] = option((), "Topics to summarize, comma-separated; all by default.")
    task: tuple[str, ...] = option((), "Tasks to summarize for, comma-separated; all by default.")
    focus: Focus | None = option(
        None,
        "What the summary is about: generic (anything), query (the topic's title and "
        "narrative) or guided (also the aspects of its category); query by default.",
    )
    query: str = option(
        "", "Question the summary should answer, instead of the topic's own (--focus)."
    )
    language: str = option(
        "auto",
        "Language of the articles: a code such as de, or auto (by script and frequent words).",
        metavar="CODE",
    )
    tokenizer: Tokenizer | None = option(
        None,
        "Tokenizer: rouge (with English stems and stop words) or unicode (any script, without "
        "them); by default, the one that the language needs.",
    )
    all_sentences: bool = option(
        False,
        "Allow short sentences, questions, quotations without a speaker, headlines, repeated "
        "sentences and dangling sentences in the summary.",
        flags=("--all-sentences",),
    )
    dangling: bool = option(
        False,
        "Allow sentences that open with a pronoun or connective without the sentence before them.",
        flags=("--dangling",),
    )
    trim: tuple[TrimKind, ...] = option(
        (),
        "Parts of sentences to leave out, comma-separated: ages, adverbials (at the beginning), "
        "relatives and gerunds (clauses after a comma), attributions (at the end; without them, "
        "claims read like facts).",
        metavar="KINDS",
    )
    system: str = option(
        "", "System name given to the summaries; the name of the method by default.", metavar="NAME"
    )
    explain: bool = option(
        False,
        "Explain word weights, the choice of sentences, changes by rewriting, and which "
        "sentences of a language model were not used.",
        flags=("--explain",),
    )
    citations: bool = option(
        False,
        "Show which sentences of the documents each sentence is based on, as in [d3:12]; JSON "
        "also lists the articles that report it, and numbers on which they disagree.",
        flags=("--citations",),
    )
    stories: bool = option(
        False,
        "Write a summary for each story that the articles cover, with a headline and sources.",
        flags=("--stories",),
    )
    peers: str | Path | None = option(
        None,
        "Write the summaries as peers: to this .jsonl file, or with the collection to this "
        "new folder.",
        on_command_line=False,
    )
    progress: Progress = option(Progress(), "Receives progress updates.", on_command_line=False)

    def check(self) -> None:
        """Raise an error for a focus together with a query, and for two systems of one name."""
        if self.focus is not None and self.query:
            raise InputError(
                f"the focus {self.focus} and a query cannot be combined", hint="drop one of them"
            )
        names = [self.system or str(method) for method in self.summarizers]
        if not names:
            raise InputError("no methods were named", hint="`pyramidion methods` lists them")
        if len(names) > len(set(names)):
            most_common = max(names, key=names.count)
            hint = "name each method once, and use --system with one method only"
            raise InputError(f"two systems would have the same name: {most_common!r}", hint=hint)

    @property
    def summarizers(self) -> tuple[Summarizer, ...]:
        """The methods."""
        names: list[str] = []
        for name in self.method:
            # Neither references nor a model are always available.
            needs = {"references", "model"}
            kinds = [kind for kind in all_summarizers() if needs.isdisjoint(kind.uses)]
            all_names = [method for kind in kinds for method in kind.names()]
            names += all_names if name == "all" else [name]
        methods = tuple(map(parse_summarizer, names))
        return tuple(map(_without_context, methods)) if self.no_context else methods

    def limit(self, task: Task) -> Limit:
        """Return the limit of a task."""
        return Limit(self.words if self.words is not None else task.word_limit or _WORDS, self.fit)

    @property
    def reading(self) -> dict[str, Any]:
        """How topics are read, as `Source.of_topic` takes it."""
        options: dict[str, Any] = {"focus": self.focus or "query", "language": self.language}
        if self.query:
            options["query"] = self.query
        if self.tokenizer is not None:
            english = self.tokenizer == "rouge"
            language = "en" if english else UNKNOWN
            options["reading"] = Reading(english, english, self.tokenizer, language)
        if self.all_sentences:
            options["rules"] = CandidateRules.nothing_left_out()
        elif self.dangling:
            options["rules"] = CandidateRules(dangling=True)
        return options

    @property
    def details(self) -> Iterator[tuple[str, str]]:
        """The options that a signature lists: those that are not the default."""
        yield from self.changed("focus")
        if self.query:
            yield "query", " ".join(self.query.split())
        yield from self.changed("language")
        if self.all_sentences or self.dangling:
            yield "sentences", "all" if self.all_sentences else "dangling"
        if self.trim:
            yield "trim", "+".join(self.trim)
        if self.stories:
            yield "by", "story"
        yield from self.changed("topic", "task")

    def addresses(self, collection: Collection) -> list[tuple[str, str]]:
        """List the tasks and topics to summarize; raise an error for an unknown name."""
        for id in self.topic:
            collection.topic(id)
        topics = [t.id for t in collection.topics if not self.topic or t.id in self.topic]
        tasks = collection.task_ids or ("",)
        for task in self.task:
            if task not in tasks:
                names = ", ".join(filter(None, tasks)) or "none"
                raise InputError(f"there is no task {task!r}", hint=f"tasks: {names}")
        task_ids = {task.id for task in collection.tasks}
        with_summaries = {(summary.task, summary.topic) for summary in collection.summaries}
        return [
            (task, topic)
            for task in self.task or tasks
            for topic in topics
            # An undeclared task is done for the topics that have summaries for it.
            if task in task_ids or not with_summaries or (task, topic) in with_summaries
        ]


def _without_context(method: Summarizer) -> Summarizer:
    if "context" not in {spec.name for spec in fields(method)}:
        raise InputError(
            f"{method} has no context to switch off", hint="leave out --no-context, or use sum-avr"
        )
    return replace(method, context="off")  # type: ignore[call-arg]


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """A summary, with its task, topic and system."""

    task: str
    topic: Topic
    system: str
    extract: Extract
    explanation: Explanation | None = None
    appendices: tuple[Appendix, ...] = ()
    #: What tables show in addition: ``citations``, sentences that ``failed`` the check.
    shown: frozenset[str] = frozenset()
    #: The story that it summarizes, if topics are split into stories.
    story: Story | None = None
    #: What the articles say about each sentence, if citations are shown.
    evidence: tuple[Evidence, ...] = ()
    language: str = "auto"

    @property
    def text(self) -> str:
        """The summary."""
        return self.extract.text

    @property
    def address(self) -> dict[str, str]:
        """Task, topic and system."""
        return {"task": self.task, "topic": self.topic.id, "system": self.system}

    @property
    def peer(self) -> Summary:
        """The summary as a peer of a collection."""
        text = tuple(sentence.text for sentence in self.extract.sentences)
        method = self.extract.method
        extra_fields = {} if method == self.system else {"method": method}
        return Summary(self.topic.id, self.system, text, task=self.task, extra=extra_fields)

    def record(self) -> dict[str, Any]:
        """Return the summary as a JSON record."""
        explanation = self.explanation
        sentences = []
        for number, sentence_choice in enumerate(self.extract.sentences):
            sentence = {name: getattr(sentence_choice, name) for name in _SENTENCE_KEYS}
            sentence["replacements"] = [asdict(change) for change in sentence_choice.replacements]
            if self.extract.guard is not None:
                citations = sentence_choice.citations
                sentence["citations"] = [{"document": d, "index": index} for d, index in citations]
            if self.evidence:
                sentence["evidence"] = self.evidence[number].record()
            if explanation is not None:
                terms = explanation.terms[sentence_choice.rank]
                sentence["terms"] = [{"term": term, "weight": weight} for term, weight in terms]
            sentences.append(sentence)
        record: dict[str, Any] = {
            **self.address,
            "title": self.topic.title,
            "method": self.extract.method,
            "words": self.extract.words,
            "sentences": sentences,
            "text": self.extract.text,
            "notes": list(self.extract.notes),
        }
        if self.story is not None:
            record["story"] = asdict(self.story)
        if self.extract.novelty is not None:
            record["novelty"] = self.extract.novelty
        record |= {appendix.key: appendix.records() for appendix in self.appendices}
        if self.extract.guard is not None:
            record["guard"] = self.extract.guard.record()
        if explanation is not None:
            record["weights"] = [
                {"word": word, "weight": weight} for word, weight in explanation.weights
            ]
        return record

    def tables(self, title: str) -> Iterator[Table]:
        """Return the table of the summary, its explanation and appendices."""
        key = tuple(self.address.items())
        # A key distinguishes tables in one file.
        appendices = self.appendices
        if "failed" in self.shown and self.extract.guard is not None:
            appendices += (self.extract.guard.appendix,)
        is_plain = self.explanation is None and not appendices
        rows = tuple(
            (number, s.document, s.index, s.rank, s.score, "yes" if s.rewritten else "no", s.text)
            for number, s in enumerate(self.extract.sentences, start=1)
        )
        summary_key = key if is_plain else (("table", "summary"), *key)
        stem = ""
        if "citations" in self.shown:
            is_written = self.extract.guard is not None
            labels = (s.citation_label(is_written=is_written) for s in self.extract.sentences)
            texts = (s.text for s in self.extract.sentences)
            stem = "\n".join(
                " ".join(filter(None, pair)) for pair in zip(texts, labels, strict=True)
            )
        closing = self.story.sources if self.story else ""
        yield Prose(
            _COLUMNS, rows, title, key=summary_key, name="summary", whole=stem, closing=closing
        )
        if self.explanation is not None:
            yield from self.explanation.tables(title, key)
        for appendix in appendices:
            yield from appendix.tables(title, key)


def _sent(
    options: SummarizeOptions, rewriting: RewriterOptions, *ignored_names: str
) -> dict[str, Any]:
    """Return options for workers, which may have been started in another folder."""
    values = {
        field.name: getattr(group, field.name)
        for group in (options, rewriting)
        for field in option_specs(type(group))
        if field.name not in ("progress", "peers", *ignored_names)
    }
    paths = {name: path.absolute() for name, path in values.items() if isinstance(path, Path)}
    return values | paths


@dataclass(frozen=True)
class SummarizeJob:
    """Summarizes records, each a topic with its documents."""

    settings: Mapping[str, Any]

    @classmethod
    def of(cls, options: SummarizeOptions, rewriting: RewriterOptions) -> "SummarizeJob":
        """Collect the options that the summaries depend on."""
        return cls(_sent(options, rewriting, "topic", "task", "explain", *rewriting.not_in_parts))

    @property
    def label(self) -> str:
        """The options and the contents of files that the summaries depend on."""
        parts = {name: _content(value) for name, value in self.settings.items()}
        return f"{sorted(parts.items())}|v{pyramidion.__version__}"

    @property
    def measures(self) -> tuple[str]:
        """What is averaged."""
        return ("words",)

    def __call__(self, records: Sequence[Record]) -> list[dict[str, Any]]:
        """Summarize each record by every method."""
        options = SummarizeOptions.of(self.settings)
        rewriting = RewriterOptions.installed().of(self.settings)
        summarized_records = (_summarize_record(record, options, rewriting) for record in records)
        return [summary for summaries in summarized_records for summary in summaries]


def _content(value: Any) -> Any:
    """Return the hash of a file instead of its path."""
    if not isinstance(value, Path):
        return value
    return hashlib.sha256(read_bytes(value, limit=MAX_MODEL_BYTES)).hexdigest()


def _summarize_record(
    record: Record, options: SummarizeOptions, rewriting: RewriterOptions
) -> Iterator[dict[str, Any]]:
    """Summarize one topic; pass its references on, so that the summaries can be scored."""
    topic = Topic(
        record.identifier("topic"),
        record.text("title", ""),
        record.text("narrative", ""),
        record.identifier("category", ""),
        documents=tuple(documents_of(record)),
    )
    if not topic.documents:
        raise record.error("there are no documents", "add a list of texts")
    run = _Run(Collection(topic.id, topics=(topic,)), options, rewriting)
    run.add("", topic)
    run.require_any(record.where)
    references = record.take("references")
    for summary in run.result():
        peer = [sentence.text for sentence in summary.extract.sentences]
        fields = summary.address | {"peer": peer, "words": summary.extract.words}
        fields.pop("task")
        yield fields if references is None else fields | {"references": references}


def _summarize_parts(
    folder: str, options: SummarizeOptions, rewriting: RewriterOptions, engine: PartsOptions
) -> SummaryResult[Any]:
    """Summarize the records of a folder of parts, each into a part of the same name."""
    job = SummarizeJob.of(options, rewriting)
    report = engine.run(job, folder)
    records = [
        {"system": mean["system"], "n": mean["n"], "words": mean["mean"]}
        for mean in report.means(job.measures)
    ]
    rows = tuple(tuple(record.values()) for record in records)
    methods, data = ",".join(map(str, options.summarizers)), f"{report.digest:016x}"
    limit = options.limit(Task(""))
    settings = ("words", str(limit.words)), ("fit", options.fit), ("order", options.order)
    details = (*settings, *options.details, *rewriting.details)
    return SummaryResult(
        command="summarize",
        signature=Signature(methods, data=data, seed=rewriting.seed_used, details=details),
        values=records,
        record=dict,
        tables=[Table(("system", "n", "words"), rows, title="Summaries", name="systems")],
        left_out=engine.left_out(report),
        collection=Collection(folder),
        in_parts=True,
    )


@question
def summarize_collection(
    articles: ArticleOptions,
    options: SummarizeOptions,
    writing: WriterOptions,
    rewriting: RewriterOptions,
    engine: PartsOptions,
) -> SummaryResult[TopicSummary]:
    """Summarize articles, or every topic of a collection.

    A folder of parts (JSONL or Parquet files of {topic, documents}) is summarized part by part into
    the folder that --output names. With --engine, workers share the parts of a folder, or the
    topics of a file or collection.

    Examples
    --------
    >>> from pyramidion.demo import load_demo
    >>> result = summarize_collection(load_demo(), method="lead", topic="P01", task="A", words=20)
    >>> result[0].peer.words, result.collection.name
    (20, 'The Pyramidion demonstration collection')
    """
    _require_writer(articles, options, writing, engine)
    if articles.in_parts:
        refuse_ineffective(options, "topic", "task", "explain", "citations", "stories")
        refuse_ineffective(rewriting, *rewriting.not_in_parts)
        if options.peers is not None:
            engine = replace(engine, parts_to=str(options.peers))
        if str(engine.parts_to).endswith((".html", ".htm")):
            message = "a page cannot be written for a folder of parts"
            raise InputError(message, hint="name a folder with --output")
        return _summarize_parts(str(articles.source[0]), options, rewriting, engine)
    collection = articles.read()
    addresses, stories = options.addresses(collection), dict[str, Story]()
    if options.stories:
        topics = [topic for _, topic in addresses]
        collection, stories = by_story(collection, topics, options.language)
        addresses = _story_addresses(addresses, stories)
    run = _Run(collection, options, rewriting, writing, stories)
    if writing.dry_run:
        return run.dry_run(addresses)
    if (path := options.peers or engine.parts_to) is not None:
        require_writable(path, collection, map(run.system_of, options.summarizers))
    for n_done, _ in enumerate(run.add_all(addresses, engine), start=1):
        options.progress.advance(n_done, len(addresses))
    run.require_any(articles.where)
    result = run.result()
    if options.peers is not None:
        result.save_peers(options.peers)
    for line in run.notes():
        options.progress.message(line)
    return result


def _story_addresses(addresses: "Addresses", stories: Mapping[str, Story]) -> list[tuple[str, str]]:
    """Replace topics by their stories."""
    parts = grouped((story.topic, id) for id, story in stories.items())
    return [(task, id) for task, topic in addresses for id in parts.get(topic, [topic])]


def _require_writer(
    articles: ArticleOptions,
    options: SummarizeOptions,
    writing: WriterOptions,
    engine: PartsOptions,
) -> None:
    """Refuse options that only apply to a language model, and a model where it cannot be used."""
    if not any(method.writes for method in options.summarizers):
        names = (spec.name for spec in option_specs(WriterOptions))
        refuse_ineffective(writing, *names, source="methods other than llm")
    elif articles.in_parts or engine.engine != "in-process":
        hint = "summarize a collection or articles in this process; --parallel asks several at once"
        raise InputError("llm works neither on a folder of parts nor with --engine", hint=hint)
    elif writing.dry_run and (options.peers or engine.parts_to) is not None:
        raise InputError("a dry run has no summaries to write", hint="drop --output or --dry-run")


@dataclass(frozen=True)
class _SummarizeTopic:
    """Summarizes a topic for a task, on a worker."""

    values: Mapping[str, Any]

    def __call__(self, part: tuple[str, Collection]) -> tuple[list[Any] | set[Any], ...]:
        """Return the state of the run without the documents, which the main process has."""
        task, collection = part
        rewriting = RewriterOptions.installed().of(self.values)
        run = _Run(collection, SummarizeOptions.of(self.values), rewriting)
        run.add(task, collection.topics[0])
        summaries, *notes = run.state
        return [replace(s, topic=replace(s.topic, documents=())) for s in summaries], *notes


#: Tasks and topics.
Addresses = Sequence[tuple[str, str]]


class _Run:
    """Summarizes one topic after the other, and collects notes."""

    def __init__(
        self,
        collection: Collection,
        options: SummarizeOptions,
        rewriting: RewriterOptions,
        writing: WriterOptions | None = None,
        stories: Mapping[str, Story] | None = None,
    ) -> None:
        self.collection = collection
        self.options = options
        self.rewriting = rewriting
        self.writing = writing or WriterOptions()
        self.stories = stories or {}
        self._methods = tuple(map(self._opened, options.summarizers))
        self._summaries: list[TopicSummary] = []
        self._failed: list[tuple[str, InputError]] = []
        self._empty: list[str] = []
        self._unfit: list[tuple[int, tuple[str, ...]]] = []
        self._tokenizers: set[str] = set()
        self._details: set[tuple[str, str]] = set()

    def _opened(self, method: Summarizer) -> Summarizer:
        if isinstance(method, LanguageModelWriter) and not self.writing.dry_run:
            return method.opened(self.writing)
        return method

    @property
    def _writers(self) -> list[LanguageModelWriter]:
        return [method for method in self._methods if isinstance(method, LanguageModelWriter)]

    def _prompts(
        self, writer: LanguageModelWriter, addresses: Addresses
    ) -> Iterator["models.Prompt"]:
        """Return the prompt for each topic that can be summarized."""
        for task, topic in addresses:
            # Others are reported when they are summarized.
            with suppress(InputError, MemoryError):
                limit = self.options.limit(self.collection.task(task))
                yield writer.prompt(self._source(task, self.collection.topic(topic)), limit)[0]

    def dry_run(self, addresses: Addresses) -> SummaryResult[Any]:
        """Return the prompts instead of summaries, with their estimated cost."""
        questions = [
            (str(writer), list(self._prompts(writer, addresses)), writer.max_tokens)
            for writer in self._writers
        ]
        records = [
            {"system": name, "messages": prompt.messages()}
            for name, prompts, _ in questions
            for prompt in prompts
        ]
        if not records:
            raise InputError("there is nothing to summarize", hint="pass topics with documents")
        return SummaryResult(
            command="summarize",
            signature=self._signature({task for task, _ in addresses}),
            values=records,
            record=dict,
            tables=dry_run_tables(questions, self.writing.cost),
            collection=self.collection,
        )

    def system_of(self, method: Summarizer) -> str:
        """Return the name of a method's peers."""
        return self.options.system or "+".join((str(method), *self.rewriting.applied))

    def add_all(self, addresses: Addresses, engine: PartsOptions) -> Iterator[None]:
        """Summarize topics one by one, in this process or on the engine's workers."""
        if engine.engine == "in-process":
            for writer in self._writers:
                writer.ask(list(self._prompts(writer, addresses)), self.options.progress)
            for task, topic in addresses:
                self.add(task, self.collection.topic(topic))
                yield
            return
        topics = self.collection.by_topic()
        named_topics = ((f"topic {topic}", (task, topics[topic])) for task, topic in addresses)
        summarize = _SummarizeTopic(_sent(self.options, self.rewriting))
        with engine.opened() as workers:
            for state in map_topics(workers, summarize, named_topics, len(addresses)):
                self._join(state)
                yield

    @property
    def state(self) -> tuple[list[Any] | set[Any], ...]:
        """The summaries and notes so far."""
        return (
            self._summaries, self._failed, self._empty, self._unfit, self._tokenizers, self._details
        )  # fmt: skip

    def _join(self, state: tuple[list[Any] | set[Any], ...]) -> None:
        """Add the state of a worker's run."""
        summaries, *notes = state
        self._summaries += [
            replace(s, topic=self.collection.topic(s.topic.id), story=self.stories.get(s.topic.id))
            for s in summaries
        ]
        for collected_notes, new_items in zip(self.state[1:], notes, strict=True):
            collected_notes.extend(new_items) if isinstance(
                collected_notes, list
            ) else collected_notes.update(new_items)

    def _source(self, task: str, topic: Topic) -> Source:
        source = Source.of_topic(self.collection, topic, task, **self.options.reading)
        return trimmed(source, self.options.trim)

    def add(self, task: str, topic: Topic) -> None:
        """Summarize a topic by every method; a topic that fails is left out."""
        documents = self.collection.documents(topic.id, task)
        empty_ids = [document.id for document in documents if not document.text.strip()]
        self._empty += [f"{topic.id}: document {id} has no text" for id in empty_ids]
        try:
            source = self._source(task, topic)
            maker = generic_rewriter = self.rewriting.maker(source)
            # Methods that ignore queries get none, unless the user passed one.
            if source.question and not (self.options.query or self.options.focus):
                generic_rewriter = maker.of(replace(source, question=""))
            extracts = []
            for method in self._methods:
                uses_query = "query" in method.suited_to(generic_rewriter.source).uses
                summarizer = maker if uses_query else generic_rewriter
                extracts.append(self._summarized(method, summarizer, task, topic))
        except (InputError, MemoryError) as error:
            name = f"{topic.id}, task {task}" if task else topic.id
            self._failed.append((name, _as_input_error(error)))
            return
        self._summaries += extracts
        if not all(method.writes for method in self._methods):
            self._unfit.append((int((~source.usable).sum()), source.passed_over))
        self._tokenizers.add(source.reading.tokenizer)

    def _summarized(
        self, method: Summarizer, maker: SummaryMaker, task: str, topic: Topic
    ) -> TopicSummary:
        source, limit = maker.source, self.options.limit(self.collection.task(task))
        focus = self.options.focus
        extract = maker.summarize(method, limit, order=self.options.order)
        notes = list(extract.notes)
        if focus == "guided" and source.question == query_of(topic):
            notes.append("the topic has no category, or its category has no aspects")
        if not self.options.stories:
            notes += story_note(source)
        if focus in ("query", "guided") and not source.question:
            notes.append("the topic has no title or narrative: the summary has no focus")
        appendices = maker.appendices(extract.text)
        self._details.update(maker.details)
        extract, explanation = replace(extract, notes=tuple(notes)), None
        if self.options.explain and not method.writes:
            explanation = Explanation(method.suited_to(source), source, extract)
        else:
            # Weights of thousands of topics would fill the memory.
            extract = replace(extract, weights=())
        shown_when = {"citations": self.options.citations, "failed": self.options.explain}
        shown_fields = frozenset(name for name, is_shown in shown_when.items() if is_shown)
        system = self.system_of(method)
        story = self.stories.get(topic.id)
        evidence: tuple[Evidence, ...] = ()
        if self.options.citations:
            evidence = evidence_of(source, extract.sentences)
        return TopicSummary(
            task, topic, system, extract, explanation, appendices, shown_fields, story, evidence,
            self.options.language,
        )  # fmt: skip

    def require_any(self, where: Where | None) -> None:
        """Raise an error if nothing could be summarized."""
        if self._summaries:
            return
        if not self._failed:
            hint = "pass articles, or topics with documents"
            raise InputError("there is nothing to summarize", where=where, hint=hint)
        error = self._failed[0][1]
        raise InputError(error.what, where=error.where or where, hint=error.hint)

    def notes(self) -> list[str]:
        """Return the notes about the summaries, each once."""
        counts = Counter(note for summary in self._summaries for note in summary.extract.notes)
        total = len(self._summaries)
        notes = [f"{note} ({n} of {total})" if total > 1 else note for note, n in counts.items()]
        if self.options.stories:
            topics = {s.topic.id: s.story.topic if s.story else s.topic.id for s in self._summaries}
            for topic, number in Counter(topics.values()).items():
                start = f"{topic}: " if len({*topics.values()}) > 1 else ""
                notes.append(f"{start}these articles cover {counted(number, 'story', 'stories')}")
        guards = grouped((s.system, s.extract.guard) for s in self._summaries if s.extract.guard)
        for system, reports in guards.items():
            start = f"{system}: " if len(self._methods) > 1 else ""
            notes += [f"{start}{line}" for line in GuardReport.merged(reports).lines()]
        values = [s.extract.novelty for s in self._summaries if s.extract.novelty is not None]
        if values:
            share = f"{sum(values) / len(values):.0%} of the content words are new to the reader"
            notes.append(f"novelty: {share}{' (mean)' if len(values) > 1 else ''}")
        return notes

    def result(self) -> SummaryResult[TopicSummary]:
        """Return all summaries, each with a title if there are several."""
        tables = [table for s in self._summaries for table in s.tables(self._title(s))]
        return SummaryResult(
            command="summarize",
            signature=self._signature({summary.task for summary in self._summaries}),
            values=tuple(self._summaries),
            record=TopicSummary.record,
            tables=tables,
            left_out=self._left_out(),
            collection=self.collection,
            sourced=self._sourced,
        )

    def _sourced(self) -> list[tuple[str, Sourced]]:
        """Return the summaries with their titles, articles and evidence."""
        summaries = []
        for s in self._summaries:
            documents = self.collection.documents(s.topic.id, s.task)
            read_input = partial(self._source, s.task, self.collection.topic(s.topic.id))
            summaries.append((self._title(s), sourced(s, documents, read_input)))
        return summaries

    def _title(self, summary: TopicSummary) -> str:
        if len(self._summaries) == 1:
            return summary.story.title if summary.story else ""
        task = f"task {summary.task}" if summary.task else ""
        system = summary.system if len(self._methods) > 1 else ""
        topic = " ".join(filter(None, (summary.topic.id, summary.topic.title)))
        if summary.story is not None:
            topic = summary.story.title
            if len({s.story.topic for s in self._summaries if s.story}) > 1:
                topic = f"{summary.story.topic}, {topic}"
        return ", ".join(filter(None, (topic, task, system)))

    def _left_out(self) -> tuple[str, ...]:
        """List what was left out; sentences by reason, or in one line for several topics."""
        if len(self._unfit) == 1:
            sentences = self._unfit[0][1]
        else:
            number = sum(is_unfit for is_unfit, _ in self._unfit)
            kinds = "short, questions, bare quotations, headlines"
            if number == 1:
                kinds = "short, a question, a bare quotation, a headline"
            line = f"{counted(number, 'sentence')}: {kinds}, repeated or dependent on another"
            sentences = (line,) if number else ()
        failure_notes = (f"{name}: {error}" for name, error in self._failed)
        return (*self.collection.left_out, *dict.fromkeys(self._empty), *failure_notes, *sentences)

    def _signature(self, tasks: set[str]) -> Signature:
        limits = {self.options.limit(self.collection.task(task)).words for task in tasks}
        chosen_methods = {s.extract.method for s in self._summaries} - {*map(str, self._methods)}
        details = (
            *((("chose", "+".join(sorted(chosen_methods))),) if chosen_methods else ()),
            ("words", "+".join(map(str, sorted(limits)))),
            ("fit", self.options.fit),
            ("order", self.options.order),
            *((("tok", "+".join(sorted(self._tokenizers))),) if self._tokenizers else ()),
            *self.options.details,
            *self.writing.changed("on_unsupported", "allow"),
            *self.rewriting.details,
            *sorted(self._details),
        )
        subject, seed = ",".join(map(str, self._methods)), self.rewriting.seed_used
        return Signature(subject, data=self.collection.data_hash, seed=seed, details=details)


def _as_input_error(error: InputError | MemoryError) -> InputError:
    """Turn a `MemoryError` into an error with advice."""
    if isinstance(error, InputError):
        return error
    hint = "summarize less text at once, or use sum-avr, which needs little memory"
    return InputError("there is not enough memory for this method and input", hint=hint)
