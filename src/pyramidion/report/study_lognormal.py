"""A lognormal model of the input's words beside relative frequencies: section 6.1."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.evaluation.study import ModelledTopic, TopicWords, compare_models, gather_places
from pyramidion.evaluation.study.frequency_models import ABSENT
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest, words_named
from pyramidion.report.table import Cell, Table
from pyramidion.stats.t_tests import TTest, paired_t

__all__ = ["lognormal_answer"]

_FITS_NOTE = (
    "Logarithms of expected frequencies are normal with mean mu and standard deviation sigma. "
    "Vocabulary: words there are by the model, seen or not. p: chi-square test of how many words "
    "occur once, twice, ...; small means that the model does not fit."
)
_MODELS_NOTE = (
    "Mean log-probability of a word of a reference, mean over references: the higher, the better "
    "foretold. Seen: of words that the input has. Absent: per cent of words it has not."
)


def lognormal_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    absent: float = ABSENT,
    figure: str | Path | None = None,
) -> Answer:
    """Fit a lognormal model to the words of each input, and hold it against relative frequencies.

    Parameters
    ----------
    source, request, figure
        See `begin_study`; a collection with documents and summaries is needed.
    absent
        Occurrences that are added to every word for relative frequencies.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice, ice and snow. Snow, rain, hail."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> lognormal_answer(mine).results[0]["words"]
    4
    """
    asked, collection = begin_study(source, request, figure)
    places, left_out = gather_places(collection, topics=asked.topics, tasks=asked.tasks)
    words = ((place.name, TopicWords.of(place, asked.reading)) for place in places)
    found, unmodelled = compare_models(words, absent=absent)
    if figure is not None:
        _draw(found, figure)
    return study_answer(
        "lognormal",
        collection,
        asked,
        subject=words_named(asked),
        details=(("absent", f"{absent:g}"), ("tok", asked.tokenizer)),
        results=[_record(own) for own in found],
        tables=(_fits_table(found), _models_table(found)),
        left_out=(*left_out, *unmodelled, *_unbounded(found)),
    )


def _unbounded(found: Sequence[ModelledTopic]) -> Iterator[str]:
    for own in found:
        if own.fit.at_bound:
            yield f"{own.name}, vocabulary: the frequencies do not tell its size"


def _fits_table(found: Sequence[ModelledTopic]) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            own.name,
            own.fit.tokens,
            own.fit.seen,
            int(own.spectrum[0]),
            own.fit.mu,
            own.fit.sigma,
            None if own.fit.at_bound else round(own.fit.vocabulary),
            own.fit.chi_square,
            own.fit.df or None,
            own.fit.p,
        )
        for own in found
    )
    columns = (
        "topic", "tokens", "words", "once", "mu", "sigma", "vocabulary", "chi²", "df", "p",
    )  # fmt: skip
    title = "Lognormal models of the input's words"
    return Table(columns, rows, title=title, note=_FITS_NOTE, digits=2)


def _models_table(found: Sequence[ModelledTopic]) -> Table:
    numbers = [
        [own.relative, own.lognormal, own.relative_seen, own.lognormal_seen, 100 * own.absent]
        for own in found
    ]
    rows: list[tuple[Cell, ...]] = [
        (own.name, *values) for own, values in zip(found, numbers, strict=True)
    ]
    if len(rows) > 1:
        rows.append(("all", *np.mean(numbers, axis=0).tolist()))
    columns = (
        "topic", "relative", "lognormal", "relative, seen", "lognormal, seen", "absent",
    )  # fmt: skip
    title = "Which model foretells what people write"
    note = f"{_MODELS_NOTE} {_verdict(found)}".strip()
    return Table(columns, tuple(rows), title=title, note=note, digits=3)


def _test(found: Sequence[ModelledTopic]) -> TTest | None:
    if len(found) < 2:
        return None
    return paired_t([own.lognormal for own in found], [own.relative for own in found])


def _verdict(found: Sequence[ModelledTopic]) -> str:
    test = _test(found)
    if test is None or np.isnan(test.p):
        return ""
    p = "p < 0.0001" if test.p < 0.0001 else f"p = {test.p:.4f}"
    return f"Lognormal less relative: {test.difference:.3f} (paired t test, {p})."


def _record(own: ModelledTopic) -> dict[str, Any]:
    fit = own.fit
    return {
        "study": "lognormal",
        "topic": own.name,
        "tokens": fit.tokens,
        "words": fit.seen,
        "spectrum": own.spectrum,
        "mu": fit.mu,
        "sigma": fit.sigma,
        "vocabulary": float("nan") if fit.at_bound else fit.vocabulary,
        "chi_square": fit.chi_square,
        "df": fit.df,
        "p": fit.p,
        "relative": own.relative,
        "lognormal": own.lognormal,
        "relative_seen": own.relative_seen,
        "lognormal_seen": own.lognormal_seen,
        "absent": own.absent,
    }


def _draw(found: Sequence[ModelledTopic], file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_lognormal import lognormal_figure

    note = f"words of {counted(len(found), 'input')}; right: a line for each"
    save(lognormal_figure([(own.spectrum, own.fit) for own in found], note=note), file)
