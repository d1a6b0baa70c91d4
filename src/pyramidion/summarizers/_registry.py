"""The registered methods, and summarizing with one of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pyramidion.collection import Document, Task, Topic
from pyramidion.collection.sources import Source as GivenSource
from pyramidion.engine.jobs import refuse_ineffective
from pyramidion.errors import InputError
from pyramidion.questions import Options, Registry, argument, option, question
from pyramidion.rendering.catalog import catalog, catalog_view, options_of
from pyramidion.rendering.result import Result
from pyramidion.rendering.view import Column, shown
from pyramidion.summarizers._auto import Auto
from pyramidion.summarizers._baselines import First, Lead, Random
from pyramidion.summarizers._coverage import ConceptCoverage, Occams, Oracle
from pyramidion.summarizers._frequency import FrequencySummarizer, KLSum
from pyramidion.summarizers._graphs import (
    Centroid,
    DeterminantalPointProcess,
    LexRank,
    MaximalMarginalRelevance,
    SentenceClusters,
    Submodular,
)
from pyramidion.summarizers._hmm import HmmQr, HmmTraining, SummaryHmm, train_hmm
from pyramidion.summarizers._llm import LanguageModelWriter
from pyramidion.summarizers._plugin import RewriterOptions
from pyramidion.summarizers._selection import Extract, Fit, Limit, Order
from pyramidion.summarizers._signature import LiteGistexter, SignatureSummarizer
from pyramidion.summarizers._source import Focus, Source, query_of, require_one_question
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.summarizers._trim import TrimKind, trim_source

#: The summarizers of this package.
BUILT_IN: tuple[type[Summarizer], ...] = (
    Auto, FrequencySummarizer, Lead, First, Random, SignatureSummarizer, LiteGistexter, HmmQr,
    Centroid, LexRank, SentenceClusters, MaximalMarginalRelevance, KLSum, ConceptCoverage, Occams,
    Submodular, DeterminantalPointProcess, LanguageModelWriter, Oracle,
)  # fmt: skip


_REGISTRY = Registry(Summarizer, BUILT_IN, noun="method", command="methods")


@cache
def all_summarizers() -> tuple[type[Summarizer], ...]:
    """Return the built-in summarizers and those of other packages.

    Examples
    --------
    >>> [kind.name for kind in all_summarizers()][:3]
    ['auto', 'sum-avr', 'lead']
    """
    return _REGISTRY.all()


def summarizer_names() -> tuple[str, ...]:
    """Return the name of every summarizer.

    Examples
    --------
    >>> summarizer_names()[:3]
    ('auto', 'sum-avr', 'sum-prod')
    """
    return tuple(name for kind in all_summarizers() for name in kind.names())


def parse_summarizer(text: str) -> Summarizer:
    """Parse a summarizer as typed by a user.

    Examples
    --------
    >>> str(parse_summarizer("sum-prod(context=off)"))
    'sum-prod(context=off)'
    """
    return _REGISTRY.parse(text)


#: What a method may use in addition to the documents.
_INPUT_NAMES = {"query": "the question", "known": "known texts", "references": "references",
           "model": "a language model"}  # fmt: skip


def _used_inputs(kind: type[Summarizer]) -> list[str]:
    return [part for part in _INPUT_NAMES if part in kind.uses]


def _input_names(kind: type[Summarizer]) -> str:
    return ", ".join(("the documents", *(_INPUT_NAMES[part] for part in _used_inputs(kind))))


_METHODS_VIEW = catalog_view(
    "method",
    "what it selects",
    (Column("uses", "uses", _used_inputs, _input_names),),
    shown("options", lambda kind: ", ".join(spec["name"] for spec in options_of(kind)) or "–"),
)


@dataclass(frozen=True, slots=True)
class MethodName(Options):
    """The method to describe."""

    name: str | None = argument(
        "Method to describe; all are listed by default.", None, metavar="[NAME]"
    )


@dataclass(frozen=True, slots=True)
class MethodTraining(HmmTraining):
    """The training data of a method."""

    train: GivenSource | None = option(
        None,
        "Train the models of hmm-qr on this collection with documents and summaries by people, "
        "instead of describing the method.",
        metavar="SRC",
    )


@question
def describe_methods(method: MethodName, training: MethodTraining) -> Result[Any]:
    """List the summarization methods and their options, describe one method, or train it.

    Examples
    --------
    >>> describe_methods("sum-prod")[0].names()[:2]
    ('sum-avr', 'sum-prod')
    """
    if training.train is not None:
        return _train_method(method, training)
    refuse_ineffective(training, "model", "task", "source_format", source="methods without --train")
    name = method.name
    return catalog(
        "methods",
        all_summarizers() if name is None else (type(parse_summarizer(name)),),
        _METHODS_VIEW,
        title="Summarization methods",
        note="`pyramidion methods NAME` shows more; options go in parentheses: sum-avr(low=0).",
        wide_columns=("title", "options", "source"),
        facts=None if name is None else lambda kind: [("uses", _input_names(kind))],
    )


def _train_method(method: MethodName, training: MethodTraining) -> Result[SummaryHmm]:
    if method.name != HmmQr.name:
        hint = f"use `pyramidion methods {HmmQr.name} --train SRC`"
        raise InputError(f"only {HmmQr.name} can be trained", hint=hint)
    return train_hmm(
        training.train, model=training.model, task=training.task,
        source_format=training.source_format,
    )  # fmt: skip


_NO_CATEGORY = "the topic has no category, so it has no aspects"


def summarize(
    source: Source | Topic | str | Iterable[str | Document],
    *,
    words: int = 100,
    method: str | Summarizer = "auto",
    fit: Fit = "fill",
    order: Order = "source",
    focus: Focus = "query",
    documents: str = "all",
    rewrite: str | RewriterOptions = "",
    trim: Sequence[TrimKind] = (),
    **options: Any,
) -> Extract:
    """Summarize texts, documents or a topic.

    Parameters
    ----------
    source
        A text, several texts, documents, or a topic with its documents.
    words
        Maximum number of words.
    method
        The name of a method, such as ``lexrank(threshold=0.2)``, or a summarizer.
    fit
        What happens when the next sentence does not fit; see `Limit`.
    order
        The order of the sentences; see `reading_order`.
    focus
        What a topic asks for; see `query_of`. For texts use ``query``.
    documents
        Which set of a topic's documents, or ``all``; for ``update`` the base documents are known.
    rewrite
        What to rewrite, as for ``summarize --rewrite``: ``people``, ``np`` or ``people,np``; or
        the options of an installed rewriter.
    trim
        Parts of sentences to leave out: ``ages``, ``adverbials``, ``relatives``, ``gerunds``,
        ``attributions``.
    options
        ``query``, ``known``, ``references``, ``language``, ``reading`` and ``rules``; see
        `Source.of_documents`.

    Returns
    -------
    Extract
        The sentences with their origin and score; ``text`` is the summary.

    Examples
    --------
    >>> texts = ["Heavy rain fell on Ardel. Rain flooded Ardel.", "Goats were sold."]
    >>> extract = summarize(texts, words=5)
    >>> extract.text, extract.sentences[0].document
    ('Heavy rain fell on Ardel.', '1')
    """
    summarizer: object = parse_summarizer(method) if isinstance(method, str) else method
    if not isinstance(summarizer, Summarizer):
        hint = "pass a name such as auto, or a summarizer"
        raise InputError(f"the method is {method!r}", hint=hint)
    limit = Limit(words, fit)
    if isinstance(source, Topic):
        prepared_source = trim_source(_topic_source(source, focus, documents, options), trim)
        if focus == "guided" and not source.category:
            prepared_source = replace(prepared_source, notes=(*prepared_source.notes, _NO_CATEGORY))
    else:
        if documents != "all" or focus != "query":
            hint = "drop focus and documents (use query or known), or pass a topic"
            raise InputError("only a topic has a focus and sets of documents", hint=hint)
        prepared_source = trim_source(_source(source, options), trim)
    if isinstance(rewrite, str):
        kinds, rewrite = rewrite, RewriterOptions.installed().of({"rewrite": rewrite})
        if kinds and not rewrite.applied:
            raise InputError("no installed package rewrites summaries", hint="drop rewrite")
    return rewrite.maker(prepared_source).summarize(summarizer, limit, order=order)


def _topic_source(topic: Topic, focus: Focus, documents: str, options: dict[str, Any]) -> Source:
    sets = dict.fromkeys(("all", "base", "update", *(document.set for document in topic.documents)))
    if documents not in sets:
        raise InputError(f"documents is {documents!r}", hint=f"use {' or '.join(sets)}")
    if options.get("query"):
        require_one_question(focus)
    task = Task("", documents=documents)
    known_texts = [document.text for document in topic.documents if document.set in task.known]
    summarized_documents = [
        document for document in topic.documents if task.summarizes(document.set)
    ]
    return _source(
        summarized_documents, {"query": query_of(topic, focus), "known": known_texts} | options
    )


def _source(content: Any, options: dict[str, Any]) -> Source:
    if isinstance(content, Source):
        if options:
            hint = "pass them when the source is created"
            raise InputError(f"a source takes no {', '.join(options)}", hint=hint)
        return content
    items: list[Any] = [content] if isinstance(content, str | Document) else list(content)
    if items and all(isinstance(item, Document) for item in items):
        return Source.of_documents(items, **options)
    if all(isinstance(item, str) for item in items):
        return Source.of_texts(items, **options)
    kinds = ", ".join(sorted({type(item).__name__ for item in items}))
    raise InputError(f"{kinds} cannot be summarized", hint="pass texts or documents")
