"""All studies that a collection has the data for, one after the other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pyramidion import studies
from pyramidion.collection import Collection
from pyramidion.errors import InputError
from pyramidion.questions import Question, question
from pyramidion.rendering.result import FiguresResult, Result
from pyramidion.studies._source import SourceAndPeers, StudyWords

# In the order of the thesis. The front declares them as functions, without their option groups.
_ORDER: tuple[Any, ...] = (
    studies.systems, studies.quality, studies.vocabulary, studies.utility, studies.tiling,
    studies.frequent_words, studies.word_classes, studies.likelihood, studies.content_units,
    studies.composition, studies.references, studies.lognormal,
)  # fmt: skip
#: The studies by the names of their commands.
STUDIES: dict[str, Question[Result[Any]]] = {
    study.__name__.replace("_", "-"): study for study in _ORDER
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class EveryStudy(FiguresResult[Mapping[str, Any]]):
    """What all studies found, as records; `studies` has the result of each by its name."""

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
    ran, lacking = _run(collection, source, words)
    return EveryStudy(
        command="study all",
        signature=source.sign(f"all({words.name})", collection, [("tok", words.tokenizer)], seed=0),
        values=[own.record(value) for own in ran.values() for value in own],
        tables=[table for own in ran.values() for table in own.tables],
        left_out=(*collection.left_out, *lacking, *_left_out(collection, ran)),
        charts=[
            replace(
                chart, kind=name, about=(), name="",
                left_out=tuple(f"{name}, {line}" for line in chart.left_out),
            )
            for name, own in ran.items()
            for chart in own.charts[:1]
        ],
        studies=ran,
    )  # fmt: skip


def _run(
    collection: Collection, source: SourceAndPeers, words: StudyWords
) -> tuple[dict[str, Result[Any]], list[str]]:
    """Ask each study what it has options for, and report why some cannot answer."""
    given = {
        "source": collection, "sources": (collection,), "topic": source.topic, "task": source.task,
        "all_words": words.all_words, "stem": words.stem, "tokenizer": words.tokenizer,
    }  # fmt: skip
    ran, lacking = {}, []
    for name, asked in STUDIES.items():
        options = {**given, "stem": False} if name == "vocabulary" else given
        try:
            ran[name] = asked.run(**{key: kind.of(options) for key, kind in asked.groups.items()})
        except InputError as error:
            lacking.append(f"{name}: {error}")
    if not ran:
        what = f"no study can be made of {collection.name}, not even {lacking[0]}"
        raise InputError(what, hint="`pyramidion describe` shows what is there")
    return ran, lacking


def _left_out(collection: Collection, ran: Mapping[str, Result[Any]]) -> Iterator[str]:
    """Return what single studies left out, but not what the collection itself lacks."""
    for name, own in ran.items():
        for line in own.left_out:
            if line not in collection.left_out:
                yield f"{name}, {line}"
