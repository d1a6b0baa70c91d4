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
        for own in extract.sentences:
            if own.replacements:
                change = {
                    "document": own.document,
                    "index": own.index,
                    "before": own.before,
                    "after": own.text,
                    "phrases": [[one.before, one.after] for one in own.replacements],
                }
                yield FILES[0], where | change
