"""Summaries from Python in one call."""

from collections.abc import Iterable
from typing import Any, Literal

from pyramidion.collection import Document, Topic
from pyramidion.errors import InputError
from pyramidion.summarizers.extract import Extract, Fit, Limit
from pyramidion.summarizers.ordering import Order
from pyramidion.summarizers.registry import parse_summarizer
from pyramidion.summarizers.source import Source
from pyramidion.summarizers.summarizer import Summarizer
from pyramidion.summarizers.tasks import Focus, query_of

__all__ = ["summarize"]


def summarize(
    given: Source | Topic | str | Iterable[str | Document],
    *,
    words: int = 100,
    method: str | Summarizer = "sum-avr",
    fit: Fit = "fill",
    order: Order = "source",
    focus: Focus = "query",
    documents: Literal["all", "base", "update"] = "all",
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
        Which of a topic's documents; for an update the base documents are known.
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
    chooser = parse_summarizer(method) if isinstance(method, str) else method
    limit = Limit(words, fit)
    if isinstance(given, Topic):
        options = _asked(given, focus, update=documents == "update") | options
        given = given.documents if documents == "all" else given.documents_of(documents)
    return chooser.summarize(_source(given, options), limit, order=order)


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


def _asked(topic: Topic, focus: Focus, *, update: bool) -> dict[str, Any]:
    known = [document.text for document in topic.documents_of("base")] if update else []
    return {"query": query_of(topic, focus), "known": known}
