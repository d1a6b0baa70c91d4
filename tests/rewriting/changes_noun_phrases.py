"""All sentences that the rewriting of noun phrases changes on the demo collection."""

from collections.abc import Iterator, Sequence
from typing import Any

from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseRewriter
from pyramidion.summarizers import Extract, Limit, parse_summarizer
from rewriting.demo_inputs import METHODS, inputs

RAW = "np_raw.jsonl"
#: With guards nothing is changed on the demo, which a test tells.
FILES = (RAW,)


def summaries(
    methods: Sequence[str] = METHODS, *, guarded: bool = True
) -> Iterator[tuple[dict[str, Any], Extract]]:
    """Return each rewritten summary."""
    for frw in ("sum", "average"):
        for topic, task, source, articles in inputs():
            rewriter = NounPhraseRewriter(articles, frw, guarded=guarded)
            for method in methods:
                where = {"topic": topic, "task": task, "frw": frw, "method": method}
                chooser = parse_summarizer(method)
                yield where, chooser.summarize(source, Limit(100), rewriter=rewriter)


def changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return each changed sentence, with the name of the file it belongs to."""
    for where, extract in summaries(("sum-avr",), guarded=False):
        for own in extract.sentences:
            if own.replacements:
                change = {
                    "document": own.document,
                    "index": own.index,
                    "before": own.before,
                    "after": own.text,
                    "phrases": [[one.before, one.after] for one in own.replacements],
                }
                yield RAW, where | change
