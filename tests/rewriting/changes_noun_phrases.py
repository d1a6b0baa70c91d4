"""All sentences that the rewriting of noun phrases changes on the demo collection."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from pyramidion.demo import load_demo
from pyramidion.rewriting.articles import Articles
from pyramidion.rewriting.noun_phrases import NounPhraseRewriter
from pyramidion.summarizers import parse_summarizer
from pyramidion.summarizers.extract import Extract, Limit
from pyramidion.summarizers.source import Source
from pyramidion.text.parsing import load_parser

GUARDED, RAW = FILES = ("noun_phrases.jsonl", "np_raw.jsonl")


@cache
def inputs() -> tuple[tuple[str, str, Source, Articles], ...]:
    """Read and parse both tasks of every topic."""
    collection, parser = load_demo(), load_parser()
    found = []
    for topic in collection.topics:
        for task in collection.task_ids:
            source = Source.of_topic(collection, topic, task)
            documents = [(own.id, []) for own in source.documents]
            for text, home in zip(source.texts, source.homes.tolist(), strict=True):
                documents[home][1].append(text)
            found.append((topic.id, task, source, Articles.of_sentences(documents, parser)))
    return tuple(found)


def summary(source: Source, articles: Articles, frw: str, *, guarded: bool) -> Extract:
    rewriter = NounPhraseRewriter(articles, frw, guarded=guarded)
    return parse_summarizer("sum-avr").summarize(source, Limit(100), rewriter=rewriter)


def changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each changed sentence, with the name of the file it belongs to."""
    for file in FILES:
        for frw in ("sum", "average"):
            for topic, task, source, articles in inputs():
                for own in summary(source, articles, frw, guarded=file == GUARDED).sentences:
                    if own.replacements:
                        yield (
                            file,
                            {
                                "topic": topic,
                                "task": task,
                                "frw": frw,
                                "document": own.document,
                                "index": own.index,
                                "before": own.before,
                                "after": own.text,
                                "phrases": [[one.before, one.after] for one in own.replacements],
                            },
                        )
