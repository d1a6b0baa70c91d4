"""All sentences that the rewriting of noun phrases changes on the demo collection."""

from collections.abc import Iterator
from typing import Any

from pyramidion.rewriting import NounPhraseRewriter
from pyramidion.summarizers import Extract, Limit, parse_summarizer
from rewriting.demo_inputs import inputs

FILES = ("np.jsonl",)


def summaries() -> Iterator[tuple[dict[str, Any], Extract]]:
    """Return each rewritten summary."""
    for frw in ("sum", "average"):
        for topic, task, source, articles in inputs():
            rewriter = NounPhraseRewriter(articles, frw)
            where = {"topic": topic, "task": task, "frw": frw, "method": "sum-avr"}
            chooser = parse_summarizer("sum-avr")
            yield where, chooser.summarize(source, Limit(100), rewriter=rewriter)


def changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return each changed sentence, with the name of the file it belongs to."""
    for where, extract in summaries():
        for sentence in extract.sentences:
            if sentence.replacements:
                change = {
                    "document": sentence.document,
                    "index": sentence.index,
                    "before": sentence.before,
                    "after": sentence.text,
                    "phrases": [[change.before, change.after] for change in sentence.replacements],
                }
                yield FILES[0], where | change
