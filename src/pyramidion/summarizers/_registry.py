"""The methods there are, and summarizing with one of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from pyramidion.collection import Document, Task, Topic
from pyramidion.collection.sources import Source as GivenSource
from pyramidion.engine.jobs import refuse_unheeded
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
from pyramidion.summarizers._plugin import RewriterOptions
from pyramidion.summarizers._selection import Extract, Fit, Limit, Order
from pyramidion.summarizers._signature import LiteGistexter, SignatureSummarizer
from pyramidion.summarizers._source import Focus, Source, query_of, require_one_question
from pyramidion.summarizers._summarizer import Summarizer
from pyramidion.summarizers._trim import TrimKind, trimmed

#: The summarizers of this package.
BUILT_IN: tuple[type[Summarizer], ...] = (
    Auto, FrequencySummarizer, Lead, First, Random, SignatureSummarizer, LiteGistexter, HmmQr,
    Centroid, LexRank, SentenceClusters, MaximalMarginalRelevance, KLSum, ConceptCoverage, Occams,
    Submodular, DeterminantalPointProcess, Oracle,
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
    """Read a summarizer as it is typed.

    Examples
    --------
    >>> str(parse_summarizer("sum-prod(context=off)"))
    'sum-prod(context=off)'
    """
    return _REGISTRY.parse(text)


#: What a method may use in addition to the documents.
_HEEDED = {"query": "the question", "known": "known texts", "references": "references"}


def _heeds(kind: type[Summarizer]) -> list[str]:
    return [part for part in _HEEDED if part in kind.uses]


def _heeded(kind: type[Summarizer]) -> str:
    return ", ".join(("the documents", *(_HEEDED[part] for part in _heeds(kind))))


_VIEW = catalog_view(
    "method",
    "what it selects",
    (Column("heeds", "looks at", _heeds, _heeded),),
    shown("options", lambda kind: ", ".join(own["name"] for own in options_of(kind)) or "–"),
)


@dataclass(frozen=True, slots=True)
class MethodName(Options):
    """Which method."""

    name: str | None = argument(
        "Method to describe; all are listed by default.", None, metavar="[NAME]"
    )


@dataclass(frozen=True, slots=True)
class MethodTraining(HmmTraining):
    """What a method is trained on."""

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
        return _trained(method, training)
    refuse_unheeded(training, "model", "task", "source_format", by="methods without --train")
    one = method.name is not None
    return catalog(
        "methods",
        (type(parse_summarizer(method.name)),) if method.name is not None else all_summarizers(),
        _VIEW,
        title="Methods of summarizing",
        note="`pyramidion methods NAME` shows more; options go in parentheses: sum-avr(low=0).",
        wide=("title", "options", "source"),
        facts=(lambda kind: [("looks at", _heeded(kind))]) if one else None,
    )


def _trained(method: MethodName, training: MethodTraining) -> Result[SummaryHmm]:
    if method.name != HmmQr.name:
        hint = f"use `pyramidion methods {HmmQr.name} --train SRC`"
        raise InputError(f"only {HmmQr.name} can be trained", hint=hint)
    return train_hmm(
        training.train, model=training.model, task=training.task,
        source_format=training.source_format,
    )  # fmt: skip


_NO_CATEGORY = "the topic has no category: there are no aspects to ask for"


def summarize(
    given: Source | Topic | str | Iterable[str | Document],
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
    given
        One text, several texts, documents, or a topic with its documents.
    words
        How many words the summary may have.
    method
        A method as it is typed, such as ``lexrank(threshold=0.2)``, or as a value.
    fit
        What happens when the next sentence does not fit, see `Limit`.
    order
        The order in which the sentences are read, see `reading_order`.
    focus
        What a topic asks for, see `query_of`; texts ask for nothing but a ``query``.
    documents
        Which set of a topic's documents, or ``all``; for ``update`` the base documents are known.
    rewrite
        What an installed package rewrites in it, as ``summarize --rewrite`` takes it: ``people``,
        ``np`` or both with a comma between; or how in detail.
    trim
        Which parts of sentences are left out: ``ages``, ``adverbials``, ``relatives``,
        ``gerunds``, ``attributions``.
    options
        ``query``, ``known``, ``references``, ``language``, ``reading`` and ``rules``, see
        `Source.of_documents`.

    Returns
    -------
    Extract
        The sentences, in their order, with where each comes from and what it was worth; ``text``
        is the summary.

    Examples
    --------
    >>> texts = ["Heavy rain fell on Ardel. Rain flooded Ardel.", "Goats were sold."]
    >>> extract = summarize(texts, words=5)
    >>> extract.text, extract.sentences[0].document
    ('Heavy rain fell on Ardel.', '1')
    """
    chooser: object = parse_summarizer(method) if isinstance(method, str) else method
    if not isinstance(chooser, Summarizer):
        hint = "give a name such as auto, or a summarizer"
        raise InputError(f"the method is {method!r}", hint=hint)
    limit = Limit(words, fit)
    if not isinstance(given, Topic):
        if documents != "all" or focus != "query":
            hint = "leave focus and documents out, give a query or known texts, or give a topic"
            raise InputError("only a topic has a focus and sets of documents", hint=hint)
        source = trimmed(_source(given, options), trim)
    else:
        sets = dict.fromkeys(("all", "base", "update", *(own.set for own in given.documents)))
        if documents not in sets:
            raise InputError(f"documents is {documents!r}", hint=f"give {' or '.join(sets)}")
        if options.get("query"):
            require_one_question(focus)
        task = Task("", documents=documents)
        known = [own.text for own in given.documents if own.set in task.known]
        summarized = [own for own in given.documents if task.summarizes(own.set)]
        asked = {"query": query_of(given, focus), "known": known} | options
        source = trimmed(_source(summarized, asked), trim)
        if focus == "guided" and not given.category:
            source = replace(source, notes=(*source.notes, _NO_CATEGORY))
    if isinstance(rewrite, str):
        kinds, rewrite = rewrite, RewriterOptions.installed().of({"rewrite": rewrite})
        if kinds and not rewrite.applied:
            raise InputError("no installed package rewrites summaries", hint="leave rewrite out")
    return rewrite.maker(source).summarize(chooser, limit, order=order)


def _source(given: Any, options: dict[str, Any]) -> Source:
    if isinstance(given, Source):
        if options:
            hint = "give them when the source is made"
            raise InputError(f"a source takes no {', '.join(options)}", hint=hint)
        return given
    items: list[Any] = [given] if isinstance(given, str | Document) else list(given)
    if items and all(isinstance(item, Document) for item in items):
        return Source.of_documents(items, **options)
    if all(isinstance(item, str) for item in items):
        return Source.of_texts(items, **options)
    kinds = ", ".join(sorted({type(item).__name__ for item in items}))
    raise InputError(f"{kinds} cannot be summarized", hint="give texts or documents")
