"""How likely people's and machines' summaries are under their input: Table 4.3."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.errors import InputError
from pyramidion.evaluation.study import LikelihoodStudy, gather_places, study_likelihood
from pyramidion.evaluation.study.likelihood import WORDS
from pyramidion.metrics.likelihood import MultinomialLikelihood
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest
from pyramidion.report.table import Cell, Table

__all__ = ["likelihood_answer"]


def likelihood_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    limit: int = WORDS,
    absent: float = 0.0005,
    figure: str | Path | None = None,
) -> Answer:
    """Tell how likely each summarizer's summaries are, were their words drawn from the input.

    Parameters
    ----------
    source, request, figure
        See `begin_study`; a collection with documents and summaries is needed. The tokenizer is
        always ``rouge``.
    limit
        Cut summaries to so many words; 0 leaves them whole.
    absent
        Occurrences that are added to every word, so that absent ones are possible.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> round(likelihood_answer(mine).results[0]["log_likelihood"], 3)
    -0.916
    """
    if limit < 0:
        raise InputError(f"a limit of {limit} words", hint="give a number from 0 on")
    asked, collection = begin_study(source, request, figure)
    metric = MultinomialLikelihood(absent, asked.stem, not asked.all_words)
    places, left_out = gather_places(collection, topics=asked.topics, tasks=asked.tasks)
    study = study_likelihood(places, limit=limit, metric=metric)
    if figure is not None:
        _draw(study, len(places), figure)
    return study_answer(
        "likelihood",
        collection,
        asked,
        subject=str(metric),
        details=(("words", str(limit)), ("tok", "rouge")),
        results=_records(study),
        tables=(_table(study),),
        left_out=(*left_out, *_warnings(study)),
    )


def _warnings(study: LikelihoodStudy) -> Iterator[str]:
    if study.undefined:
        yield f"{counted(study.undefined, 'summary', 'summaries')} without a word that counts"
    if any(np.isnan(row.adjusted) for row in study.summarizers) and len(study.summarizers) > 1:
        yield "adjusted means: some summarizers share no topic with others, not even through others"


def _table(study: LikelihoodStudy) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            row.summarizer,
            row.kind,
            row.topics,
            row.mean,
            row.adjusted,
            row.words,
            row.per_word,
        )
        for row in study.summarizers
    )
    columns = (
        "summarizer", "kind", "topics", "log-likelihood", "adjusted", "words", "per word",
    )  # fmt: skip
    note = (
        f"{_cut(study)}Means over topics. Adjusted: as if everybody had summarized every topic. "
        "Words: how many of a summary count. Per word: the mean log-probability. A word that the "
        f"input lacks is as likely as one that is there {study.metric.absent:g} times."
    )
    title = "Log-likelihood of summaries under their input"
    return Table(columns, rows, title=title, note=note, digits=2)


def _cut(study: LikelihoodStudy) -> str:
    if not study.limit:
        return ""
    short = counted(study.short, "summary has", "summaries have")
    less = f" ({short} fewer, which makes them likelier)" if study.short else ""
    return f"Summaries were cut to {study.limit} words{less}. "


def _records(study: LikelihoodStudy) -> list[dict[str, Any]]:
    return [
        {
            "study": "likelihood",
            "summarizer": row.summarizer,
            "kind": row.kind,
            "topics": row.topics,
            "log_likelihood": row.mean,
            "adjusted": row.adjusted,
            "words": row.words,
            "per_word": row.per_word,
        }
        for row in study.summarizers
    ]


def _draw(study: LikelihoodStudy, topics: int, file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_rows import MarkedRow, rows_figure

    cut = f"; summaries cut to {study.limit} words" if study.limit else ""
    figure = rows_figure(
        [MarkedRow(row.summarizer, row.kind, (row.mean,)) for row in study.summarizers],
        title="Log-likelihood of summaries under their input",
        note=f"multinomial model, mean over each one's topics ({topics} in all){cut}",
        label="log-likelihood",
    )
    save(figure, file)
