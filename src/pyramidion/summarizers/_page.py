"""Summaries with their sources: a page, and Markdown with links."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from pyramidion.collection import Document
from pyramidion.rendering.labels import escape
from pyramidion.rendering.page import Section, paragraph, render_page
from pyramidion.rendering.table import markdown_text
from pyramidion.summarizers._evidence import Evidence, evidence_of
from pyramidion.summarizers._selection import ChosenSentence
from pyramidion.summarizers._source import Source

if TYPE_CHECKING:
    from pyramidion.summarizers._collection import TopicSummary

#: Beginnings of Markdown lines that are not paragraphs: *1.*, *#*, *-*.
_MARKDOWN_START = re.compile(r"^(?:(\d{1,9})(?=[.)]\s)|(?=[-#>+*=~]))")

Sourced = tuple["TopicSummary", Source, tuple[Evidence, ...]]


def with_articles(
    summary: "TopicSummary", documents: Sequence[Document], read_input: Callable[[], Source]
) -> Sourced:
    """Return a summary with its articles as they are, and what they say about each sentence."""
    source = Source.of_documents(documents, language=summary.language)
    # Sentences are compared as they were read for the summary.
    return summary, source, summary.evidence or evidence_of(read_input(), summary.extract.sentences)


def summary_page(title: str, summaries: Sequence[tuple[str, Sourced]], signature: str) -> str:
    """Make a page: each summary next to its articles; a click shows the cited sentence."""
    sections = [
        Section(name or title, (_summary_html(number, sourced_summary),), listed=len(summaries) > 1)
        for number, (name, sourced_summary) in enumerate(summaries)
    ]
    lead = "A number after a sentence links to the sentence of the article that it comes from."
    return render_page(f"Summary: {title}", sections, lead=lead, signature=signature)


def _summary_html(number: int, sourced_summary: Sourced) -> str:
    summary, source, evidence = sourced_summary
    sentences = zip(summary.extract.sentences, evidence, strict=True)
    items = "".join(_sentence_html(number, source, s, e) for s, e in sentences)
    closing = paragraph(summary.story.sources, soft=True) if summary.story else ""
    return (
        f"<div class=sides><div><ol class=statements>{items}</ol>{closing}</div>"
        f"<div class=source tabindex=0>{''.join(_articles_html(number, source))}</div></div>"
    )


def _sentence_html(
    number: int, source: Source, sentence: ChosenSentence, evidence: Evidence
) -> str:
    links = "".join(_sentence_link(number, source, *origin) for origin in _origins(sentence))
    other_origins = [origin for origin in evidence.reported if origin not in _origins(sentence)]
    more_links = "".join(_sentence_link(number, source, *origin) for origin in other_origins)
    lines = [f"{escape(evidence.label)}{':' if more_links else ''}{more_links}"]
    if evidence.opposite:
        contrary_links = "".join(
            _sentence_link(number, source, *origin) for origin in evidence.opposite
        )
        lines.append(f"the opposite:{contrary_links}")
    lines += [f"Articles disagree: {escape(line)}" for line in evidence.differences]
    notes = "<br>".join(lines)
    return f"<li>{escape(sentence.text)}{links}<br><small class=soft>{notes}</small>"


def _origins(sentence: ChosenSentence) -> tuple[tuple[str, int], ...]:
    return sentence.citations or ((sentence.document, sentence.index),)


def _sentence_link(number: int, source: Source, document: str, index: int) -> str:
    label = f"[{document}:{index + 1}]"
    return f' <a href="#{_sentence_address(number, source, document, index)}">{escape(label)}</a>'


def _sentence_address(number: int, source: Source, document: str, index: int) -> str:
    document_numbers = source.memo(
        "homes", lambda: {document.id: k for k, document in enumerate(source.documents)}
    )
    return f"t{number}d{document_numbers[document]}s{index}"


def _articles_html(number: int, source: Source) -> Iterator[str]:
    for sentence in source.sentences:
        if not sentence.index:
            yield f"<h4>{escape(_article_heading(source, sentence.document))}</h4>"
        address = _sentence_address(number, source, sentence.document, sentence.index)
        yield f'<span id="{address}">{escape(sentence.text)}</span> '


def _article_heading(source: Source, id: str) -> str:
    document = next(document for document in source.documents if document.id == id)
    return ", ".join(filter(None, (document.id, document.headline, document.date)))


def summary_markdown(summaries: Sequence[tuple[str, Sourced]]) -> Iterator[str]:
    """Write summaries with footnotes that quote the sentences of the articles."""
    n_footnotes = 0
    for name, (summary, source, evidence) in summaries:
        if name:
            yield f"## {markdown_text(name)}\n\n"
        footnotes = []
        for sentence, item in zip(summary.extract.sentences, evidence, strict=True):
            n_footnotes += 1
            yield f"{_markdown_line(sentence.text)}[^{n_footnotes}]\n"
            footnotes.append(f"[^{n_footnotes}]: {_footnote_text(source, sentence, item)}\n")
        if summary.story:
            yield f"\n{markdown_text(summary.story.sources)}\n"
        yield "\n" + "".join(footnotes) + "\n"


def _footnote_text(source: Source, sentence: ChosenSentence, evidence: Evidence) -> str:
    """Quote the sentences that a sentence comes from, and count the articles that have it."""
    quotes = (
        f"{document}, sentence {index + 1}: “{source.texts[source.starts[document] + index]}”"
        for document, index in _origins(sentence)
    )
    differences = (f"Articles disagree: {line}" for line in evidence.differences)
    label = f"{evidence.label[0].upper()}{evidence.label[1:]}"
    return _markdown_line(" ".join(f"{part}." for part in ("; ".join(quotes), label, *differences)))


def _markdown_line(text: str) -> str:
    """Escape a text as a line of a paragraph."""
    return _MARKDOWN_START.sub(r"\1\\", markdown_text(" ".join(text.split())))
