"""All sentences that the rewriting of noun phrases changes on the demo collection."""

from collections.abc import Iterator
from typing import Any

from pyramidion.rewriting._noun_phrases.rewrite import NounPhraseRewriter
from pyramidion.summarizers import Extract, Limit, parse_summarizer
from rewriting.demo_inputs import METHODS, inputs

GUARDED, RAW = FILES = ("noun_phrases.jsonl", "np_raw.jsonl")
#: With guards little is changed, so that many summaries are read.
METHODS_OF = {GUARDED: METHODS, RAW: ("sum-avr",)}


def summaries(file: str) -> Iterator[tuple[dict[str, Any], Extract]]:
    """Give each rewritten summary."""
    for frw in ("sum", "average"):
        for topic, task, source, articles in inputs():
            rewriter = NounPhraseRewriter(articles, frw, guarded=file == GUARDED)
            for method in METHODS_OF[file]:
                where = {"topic": topic, "task": task, "frw": frw, "method": method}
                chooser = parse_summarizer(method)
                yield where, chooser.summarize(source, Limit(100), rewriter=rewriter)


def changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each changed sentence, with the name of the file it belongs to."""
    for file in FILES:
        for where, extract in summaries(file):
            for own in extract.sentences:
                if own.replacements:
                    change = {
                        "document": own.document,
                        "index": own.index,
                        "before": own.before,
                        "after": own.text,
                        "phrases": [[one.before, one.after] for one in own.replacements],
                    }
                    yield file, where | change
