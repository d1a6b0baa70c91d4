"""All studies that a collection has the data for, one after the other."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection
from pyramidion.collection.files import writing_folder
from pyramidion.collection.questions import Question
from pyramidion.errors import InputError
from pyramidion.evaluation import study
from pyramidion.report.answer import Answer
from pyramidion.report.charts import save
from pyramidion.report.old_figures import require_figures
from pyramidion.report.result import Result
from pyramidion.report.study_answer import study_answer
from pyramidion.report.study_source import Source, StudyRequest, read_study, words_named

__all__ = ["STUDIES", "study_all_answer"]

Study = Callable[[Collection, StudyRequest, Path | None], Answer]


def _asked(study: Question[Result[Any]], **usual: Any) -> Study:
    """Ask a question that gives a result."""

    def answer(collection: Collection, request: StudyRequest, figure: Path | None) -> Answer:
        given = {
            "topic": request.topics, "task": request.tasks, "all_words": request.all_words,
            "stem": request.stem, "tokenizer": request.tokenizer, **usual,
        }  # fmt: skip
        known = signature(study).parameters
        result = study(collection, **{name: given[name] for name in given if name in known})
        left_out = result.left_out
        if figure is not None:
            save(result.charts[0].draw(), figure)
            left_out += result.charts[0].left_out
        records = [result.record(value) for value in result]
        return Answer(result.command, result.signature, records, result.tables, left_out)

    return answer


#: The studies by name, in the order of the thesis.
STUDIES: dict[str, Study] = {
    "systems": _asked(study.systems),
    "quality": _asked(study.quality),
    "vocabulary": _asked(study.vocabulary, stem=False),
    "utility": _asked(study.utility),
    "frequent-words": _asked(study.frequent_words),
    "word-classes": _asked(study.word_classes),
    "likelihood": _asked(study.likelihood),
    "content-units": _asked(study.content_units),
    "references": _asked(study.references),
    "lognormal": _asked(study.lognormal),
}


def study_all_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    figures: str | Path | None = None,
    form: str = "svg",
) -> Answer:
    """Run every study that the data allow, with its usual settings.

    Parameters
    ----------
    source
        A collection, or where it is.
    request
        What to look at, and which words; the vocabulary is never stemmed.
    figures
        A folder for a figure of each study.
    form
        ``svg``, ``pdf`` or ``png``.

    Examples
    --------
    >>> from pyramidion.collection import Summary
    >>> two = [Summary("T1", name, "Ice melts.", kind="human") for name in "AB"]
    >>> answer = study_all_answer(Collection("mine", summaries=two))
    >>> [result["study"] for result in answer.results], len(answer.left_out)
    (['vocabulary'], 9)
    """
    asked = request or StudyRequest()
    if figures is not None:
        require_figures(figures, form)
    collection = read_study(source, asked)
    with nullcontext() if figures is None else writing_folder(figures) as folder:
        ran, left_out = _run(collection, replace(asked, peers=None), folder, form)
    return study_answer(
        "all",
        collection,
        asked,
        subject=words_named(asked),
        seed=0,
        details=(("tok", asked.tokenizer),),
        results=[result for answer in ran.values() for result in answer.results],
        tables=tuple(table for answer in ran.values() for table in answer.tables),
        left_out=(*left_out, *_left_out(collection, ran)),
    )


def _run(
    collection: Collection, request: StudyRequest, folder: Path | None, form: str
) -> tuple[dict[str, Answer], list[str]]:
    ran: dict[str, Answer] = {}
    left_out: list[str] = []
    for name, asked in STUDIES.items():
        try:
            ran[name] = asked(collection, request, folder and folder / f"{name}.{form}")
        except InputError as error:
            left_out.append(f"{name}: {error}")
    if not ran:
        raise InputError(
            f"no study can be made of {collection.name}, not even {left_out[0]}",
            hint="`pyramidion describe` shows what is there",
        )
    return ran, left_out


def _left_out(collection: Collection, ran: dict[str, Answer]) -> Iterator[str]:
    """Give what single studies left out, but not what the collection itself lacks."""
    for name, answer in ran.items():
        for line in answer.left_out:
            if line not in collection.left_out:
                yield f"{name}, {line}"
