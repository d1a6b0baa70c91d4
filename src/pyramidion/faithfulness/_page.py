"""The page of `faithful`: summaries and their source side by side."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pyramidion.collection.ids import grouped
from pyramidion.rendering.labels import counted, escape
from pyramidion.rendering.page import Section, paragraph, render_page, table_block
from pyramidion.rendering.table import Table
from pyramidion.support import EvidenceSentence, UnsupportedSpan

if TYPE_CHECKING:
    from pyramidion.faithfulness._statements import CheckedSummary

#: Topics that the page shows.
_MAX_TOPICS: Final = 60
_ANSWER_MARKS: Final = {"supported": "✓", "unsupported": "✗", "cannot tell": "?"}


def faithful_page(
    name: str,
    checked_summaries: Sequence["CheckedSummary"],
    tables: Sequence[Table],
    signature: str,
    limits: str,
) -> str:
    """Make the page: one section per topic, with its summaries next to its documents."""
    topics = grouped(
        ((checked_summary.summary.task, checked_summary.summary.topic), checked_summary)
        for checked_summary in checked_summaries
    )
    sections = [
        Section(
            f"Topic {topic}" + (f", task {task}" if task else ""), (_topic_html(number, group),)
        )
        for number, ((task, topic), group) in enumerate(list(topics.items())[:_MAX_TOPICS])
    ]
    n_flagged = sum(
        any(verdict.spans for verdict in checked_summary.verdicts)
        for checked_summary in checked_summaries
    )
    lead = (
        f"{n_flagged:,} of {counted(len(checked_summaries), 'summary', 'summaries')} say something "
        f"that is not in their documents. {limits}"
    )
    n_hidden = len(topics) - len(sections)
    note = (
        [paragraph(f"{counted(n_hidden, 'more topic')}: see JSON.", soft=True)] if n_hidden else []
    )
    systems_section = Section("Systems", (*map(table_block, tables), *note))
    title = f"Is it faithful? {name}"
    return render_page(title, [systems_section, *sections], lead=lead, signature=signature)


def _topic_html(number: int, checked_summaries: Sequence["CheckedSummary"]) -> str:
    summaries = "".join(_summary_html(number, c) for c in checked_summaries)
    source = "".join(_source_html(number, checked_summaries[0]))
    return (
        f"<div class=sides><div>{summaries}</div><div class=source tabindex=0>{source}</div></div>"
    )


def _source_html(number: int, checked_summary: "CheckedSummary") -> Iterator[str]:
    """Write the documents, each sentence with an address that evidence links to."""
    document = None
    for sentence in checked_summary.source.sentences:
        if sentence.document != document:
            document = sentence.document
            yield f"<h4>Document {document + 1}</h4>"
        yield f'<span id="{_sentence_address(number, sentence)}">{escape(sentence.text)}</span> '


def _sentence_address(number: int, sentence: EvidenceSentence) -> str:
    return f"t{number}d{sentence.document}s{sentence.position}"


def _summary_html(number: int, checked_summary: "CheckedSummary") -> str:
    spans = dict.fromkeys(span for verdict in checked_summary.verdicts for span in verdict.spans)
    text = "".join(_underline_spans(number, checked_summary.summary.plain, list(spans)))
    items = "".join(
        f'<li class="{verdict.answer.split()[0]}"><span title="{verdict.answer}, score '
        f'{verdict.score:.2f}">{_ANSWER_MARKS[verdict.answer]}</span> {escape(statement.text)}'
        f"{_evidence_links(number, verdict.evidence)}{_reason_html(verdict.reason)}"
        for statement, verdict in zip(
            checked_summary.statements, checked_summary.verdicts, strict=True
        )
    )
    return (
        f"<h3>{escape(checked_summary.summary.system)}</h3><p class=text>{text}</p>"
        f"<details><summary>{counted(len(checked_summary.statements), 'statement')}</summary>"
        f"<ul class=statements>{items}</ul></details>"
    )


def _reason_html(reason: str) -> str:
    return f"<br><small>{escape(reason)}</small>" if reason else ""


def _underline_spans(number: int, text: str, spans: Sequence[UnsupportedSpan]) -> Iterator[str]:
    """Write a text with its unsupported spans underlined; a click shows the evidence."""
    position = 0
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if span.start < position:
            continue
        yield escape(text[position : span.start])
        link = f' href="#{_sentence_address(number, span.evidence)}"' if span.evidence else ""
        title = f"{span.kind} not in the source"
        yield f'<a class=missing title="{title}"{link}>{escape(text[span.start : span.end])}</a>'
        position = span.end
    yield escape(text[position:])


def _evidence_links(number: int, evidence: Sequence[EvidenceSentence]) -> str:
    links = (
        f' <a href="#{_sentence_address(number, sentence)}" title="{escape(sentence.text)}">'
        f"[d{sentence.document + 1}:{sentence.position + 1}]</a>"
        for sentence in evidence
    )
    return "".join(links)
