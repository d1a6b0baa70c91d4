"""All sentences that the rewriting of references to people changes on the demo collection."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from pyramidion.demo import load_demo
from pyramidion.rewriting.articles import Articles
from pyramidion.rewriting.people.rewrite import PeopleRewriter
from pyramidion.summarizers import parse_summarizer
from pyramidion.summarizers.extract import Limit
from pyramidion.summarizers.source import Source
from pyramidion.text.parsing import load_parser

METHODS = (
    *("sum-avr", "lexrank", "lead", "first", "mmr", "kl-sum", "centroid"),
    *(f"random(seed={seed})" for seed in range(8)),
)
#: The files, and the parser of each.
PIPELINES = {"people.jsonl": "", "people_light.jsonl": "light"}
FILES = tuple(PIPELINES)


@cache
def inputs(pipeline: str) -> tuple[tuple[str, str, Source, Articles], ...]:
    """Read and parse both tasks of every topic."""
    collection, parser = load_demo(), load_parser(pipeline)
    found = []
    for topic in collection.topics:
        for task in collection.task_ids:
            source = Source.of_topic(collection, topic, task)
            documents: list[tuple[str, list[str]]] = [(own.id, []) for own in source.documents]
            for text, home in zip(source.texts, source.homes.tolist(), strict=True):
                documents[home][1].append(text)
            found.append((topic.id, task, source, Articles.of_sentences(documents, parser)))
    return tuple(found)


def summaries(pipeline: str) -> Iterator[tuple[dict[str, Any], list[tuple[Any, Any]]]]:
    """Give each summary as pairs of a chosen sentence and what became of it."""
    for topic, task, source, articles in inputs(pipeline):
        at = {(own.document, own.index): own for own in articles}
        rewriter = PeopleRewriter(articles)
        for method in METHODS:
            extract = parse_summarizer(method).summarize(source, Limit(100))
            chosen = [at[own.document, own.index] for own in extract.sentences]
            done = rewriter.rewrite(chosen)
            where = {"topic": topic, "task": task, "method": method}
            yield where, list(zip(chosen, done, strict=True))


def changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Give each changed sentence, with the name of the file it belongs to."""
    for file, pipeline in PIPELINES.items():
        for where, sentences in summaries(pipeline):
            for before, after in sentences:
                if after.replacements:
                    yield (
                        file,
                        where
                        | {
                            "document": before.document,
                            "index": before.index,
                            "before": before.text,
                            "after": after.text,
                        },
                    )
