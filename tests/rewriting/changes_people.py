"""All sentences that the rewriting of references to people changes on the demo collection."""

from collections.abc import Iterator
from typing import Any

from pyramidion.rewriting import PeopleRewriter
from pyramidion.summarizers import Limit, parse_summarizer
from rewriting.demo_inputs import METHODS, inputs

#: The files, and the parser of each.
PIPELINES = {"people.jsonl": "", "people_light.jsonl": "light"}
FILES = tuple(PIPELINES)


def summaries(pipeline: str) -> Iterator[tuple[dict[str, Any], list[tuple[Any, Any]]]]:
    """Return each summary as pairs of a chosen sentence and what became of it."""
    for topic, task, source, articles in inputs(pipeline):
        at = {(sentence.document, sentence.index): sentence for sentence in articles}
        rewriter = PeopleRewriter(articles)
        for method in METHODS:
            extract = parse_summarizer(method).summarize(source, Limit(100))
            chosen = [at[sentence.document, sentence.index] for sentence in extract.sentences]
            done = rewriter.rewrite(chosen)
            where = {"topic": topic, "task": task, "method": method}
            yield where, list(zip(chosen, done, strict=True))


def changes() -> Iterator[tuple[str, dict[str, Any]]]:
    """Return each changed sentence, with the name of the file it belongs to."""
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
