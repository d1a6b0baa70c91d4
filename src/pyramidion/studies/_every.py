"""All studies for which a collection has the data."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pyramidion import studies
from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.questions import Question, question
from pyramidion.rendering.result import FiguresResult, Result
from pyramidion.studies._source import SourceAndPeers, StudyWords

# In the order of the thesis. The package front declares them as plain functions, hence Any.
_ORDERED_STUDIES: tuple[Any, ...] = (
    studies.systems, studies.quality, studies.vocabulary, studies.utility, studies.tiling,
    studies.frequent_words, studies.word_classes, studies.likelihood, studies.content_units,
    studies.composition, studies.references, studies.lognormal,
)  # fmt: skip
#: The studies by the names of their commands.
STUDIES: dict[str, Question[Result[Any]]] = {
    study.__name__.replace("_", "-"): study for study in _ORDERED_STUDIES
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EveryStudy(FiguresResult[Mapping[str, Any]]):
    """The records of all studies; `studies` holds the results by name."""

    studies: Mapping[str, Result[Any]]


@question
def every_study(source: SourceAndPeers, words: StudyWords) -> EveryStudy:
    """Run every study that the data allow, with default settings.

    The vocabulary is never stemmed.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Summary
    >>> two = [Summary("T1", name, "Ice melts.", kind="human") for name in "AB"]
    >>> result = every_study(Collection("mine", summaries=two))
    >>> list(result.studies), len(result.left_out)
    (['vocabulary'], 11)
    """
    collection = source.read()
    results, failures = _run(collection, source, words)
    return EveryStudy(
        command="study all",
        signature=source.sign(f"all({words.name})", collection, [("tok", words.tokenizer)], seed=0),
        values=[result.record(value) for result in results.values() for value in result],
        tables=[table for result in results.values() for table in result.tables],
        left_out=(*collection.left_out, *failures, *_left_out_notes(collection, results)),
        charts=[
            replace(
                chart, kind=name, about=(), name="",
                left_out=tuple(f"{name}, {line}" for line in chart.left_out),
            )
            for name, result in results.items()
            for chart in result.charts
        ],
        studies=results,
    )  # fmt: skip


def _run(
    collection: Collection, source: SourceAndPeers, words: StudyWords
) -> tuple[dict[str, Result[Any]], list[str]]:
    """Run each study with the options that it has, and report why some cannot run."""
    shared_options = {
        "source": collection, "sources": (collection,), "topic": source.topic, "task": source.task,
        "all_words": words.all_words, "stem": words.stem, "tokenizer": words.tokenizer,
    }  # fmt: skip
    results, failures = {}, []
    for name, study in STUDIES.items():
        options = {**shared_options, "stem": False} if name == "vocabulary" else shared_options
        try:
            results[name] = study.run(
                **{key: options_class.of(options) for key, options_class in study.groups.items()}
            )
        except InputError as error:
            failures.append(f"{name}: {error}")
    if not results:
        message = f"{collection.name} has too little data for any study; the first, {failures[0]}"
        raise InputError(message, hint="`pyramidion describe` lists what it has")
    return results, failures


def _left_out_notes(collection: Collection, results: Mapping[str, Result[Any]]) -> Iterator[str]:
    """Return what individual studies left out, except what reading the collection reported."""
    for name, result in results.items():
        for line in result.left_out:
            if line not in collection.left_out:
                yield f"{name}, {line}"
