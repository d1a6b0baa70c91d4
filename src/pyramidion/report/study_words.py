"""The input's frequent words in summaries, and how frequent what people agree on is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.evaluation.study import (
    FrequentShares,
    InputClasses,
    StudyPlace,
    count_words_of,
    frequent_words,
    gather_places,
    input_classes,
)
from pyramidion.evaluation.study._places import commonest
from pyramidion.evaluation.study.frequent import TOPS, require_tops
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.signing import named
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest, words_named
from pyramidion.report.table import Cell, Table

__all__ = ["frequent_words_answer", "word_classes_answer"]

_SHARES_NOTE = (
    "Percentage of the so many most frequent words of the input that a summary has, the mean over "
    "topics. People together: that at least one reference has. Words that tie for the last places "
    "share them."
)
_CLASSES_NOTE = (
    "C_n: words of the input that exactly n references have. Size and frequency are means over "
    "topics; pooled: over all words of the class. Not in the input: words that n references have "
    "and no document."
)
_MACHINES_NOTE = (
    "Percentage of the words of each class that a summary has, the mean over topics; own words: "
    "how many of its words no reference has."
)


def frequent_words_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    tops: Sequence[int] = TOPS,
    figure: str | Path | None = None,
) -> Answer:
    """Tell how many of the input's most frequent words people and machines use.

    Parameters
    ----------
    source, request, figure
        See `begin_study`; a collection with documents and summaries is needed.
    tops
        How many most frequent words.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> frequent_words_answer(mine, tops=[2]).results[0]["shares"]
    {2: 0.5}
    """
    require_tops(tops)
    asked, collection = begin_study(source, request, figure)
    places, left_out = gather_places(collection, topics=asked.topics, tasks=asked.tasks)
    topics, wordless = count_words_of(places, asked.reading)
    rows = frequent_words(topics, tops=tops)
    if figure is not None:
        _draw_shares(rows, tops, len(topics), figure)
    few = len([1 for topic in topics if np.count_nonzero(topic.input) < max(tops)])
    short = [f"{counted(few, 'topic')} with fewer than {max(tops)} words: all are taken"]
    return study_answer(
        "frequent-words",
        collection,
        asked,
        subject=words_named(asked),
        details=(*named("top", tops, TOPS), ("tok", asked.tokenizer)),
        results=[_share_record(row, tops) for row in rows],
        tables=(_share_table(rows, tops),),
        left_out=(*left_out, *wordless, *(short if few else ())),
    )


def word_classes_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    figure: str | Path | None = None,
) -> Answer:
    """Tell how frequent in the input the words are that 0, 1, ... all references have.

    Parameters
    ----------
    source, request, figure
        See `begin_study`; a collection with documents and summaries is needed.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Summary, Topic
    >>> topic = Topic("T1", documents=(Document("d", "Ice, ice and snow. Snow, rain."),))
    >>> person = Summary("T1", "A", "Ice.", kind="human")
    >>> mine = Collection("c", topics=(topic,), summaries=(person,))
    >>> [(own["class"], own["size"], own["frequency"])
    ...  for own in word_classes_answer(mine).results[0]["classes"]]
    [(0, 2.0, 1.5), (1, 1.0, 2.0)]
    """
    asked, collection = begin_study(source, request, figure)
    places, left_out = gather_places(collection, topics=asked.topics, tasks=asked.tasks)
    alike, others = _with_as_many_references(places)
    topics, wordless = count_words_of(alike, asked.reading)
    found = input_classes(topics)
    if figure is not None:
        _draw_classes(found, figure)
    return study_answer(
        "word-classes",
        collection,
        asked,
        subject=words_named(asked),
        details=(("tok", asked.tokenizer),),
        results=[_classes_record(found)],
        tables=(_classes_table(found), *_machines_tables(found)),
        left_out=(*left_out, *others, *wordless),
    )


def _with_as_many_references(places: Sequence[StudyPlace]) -> tuple[list[StudyPlace], list[str]]:
    number = commonest(len(place.references) for place in places)
    alike = [place for place in places if len(place.references) == number]
    others = [
        f"{place.name}: {counted(len(place.references), 'reference')}, most topics have {number}"
        for place in places
        if len(place.references) != number
    ]
    return alike, others


def _share_table(rows: Sequence[FrequentShares], tops: Sequence[int]) -> Table:
    cells: list[tuple[Cell, ...]] = [
        (row.summarizer, row.kind, row.topics, *(100 * share for share in row.shares))
        for row in rows
    ]
    columns = ("summarizer", "kind", "topics", *(f"{top} most frequent" for top in tops))
    title = "The most frequent words of the input in summaries, per cent"
    return Table(columns, tuple(cells), title=title, note=_SHARES_NOTE, digits=2)


def _share_record(row: FrequentShares, tops: Sequence[int]) -> dict[str, Any]:
    return {
        "study": "frequent-words",
        "summarizer": row.summarizer,
        "kind": row.kind,
        "topics": row.topics,
        "shares": dict(zip(tops, row.shares, strict=True)),
    }


def _classes_table(found: InputClasses) -> Table:
    columns = ("class", "size", "frequency", "pooled", "not in the input")
    absent = found.absent.mean(axis=0)
    rows: list[tuple[Cell, ...]] = [
        (
            f"C{number}",
            float(found.mean_sizes[number]),
            float(found.mean_frequencies[number]),
            float(found.pooled_frequencies[number]),
            float(absent[number]) if number else None,
        )
        for number in range(found.references, -1, -1)
    ]
    topics = counted(len(found.sizes), "topic")
    title = f"Frequency in the input of what people agree on: {topics}"
    note = f"{_CLASSES_NOTE} {_correlated(found)}".strip()
    return Table(columns, tuple(rows), title=title, note=note, digits=2)


def _spearman(found: InputClasses) -> float | None:
    defined = [own.value for own in found.correlations if not own.undefined]
    return float(np.mean(defined)) if defined else None


def _correlated(found: InputClasses) -> str:
    mean = _spearman(found)
    if mean is None:
        return ""
    return (
        f"Spearman's correlation of a word's frequency and its class: {mean:.2f}, mean over topics."
    )


def _machines_tables(found: InputClasses) -> list[Table]:
    if not found.machines:
        return []
    numbers = range(found.references, -1, -1)
    rows: list[tuple[Cell, ...]] = [
        (own.system, own.topics, *(100 * own.shares[number] for number in numbers), own.own)
        for own in found.machines
    ]
    columns = ("system", "topics", *(f"C{number}" for number in numbers), "own words")
    title = "What machines have of the words people agree on, per cent"
    return [Table(columns, tuple(rows), title=title, note=_MACHINES_NOTE, digits=1)]


def _classes_record(found: InputClasses) -> dict[str, Any]:
    return {
        "study": "word-classes",
        "topics": len(found.sizes),
        "references": found.references,
        "classes": [
            {
                "class": number,
                "size": float(found.mean_sizes[number]),
                "frequency": float(found.mean_frequencies[number]),
                "pooled_frequency": float(found.pooled_frequencies[number]),
                "absent": float(found.absent[:, number].mean()),
            }
            for number in range(found.references + 1)
        ],
        "spearman": _spearman(found),
        "machines": [
            {"system": own.system, "topics": own.topics, "shares": own.shares, "own": own.own}
            for own in found.machines
        ],
    }


def _draw_shares(
    rows: Sequence[FrequentShares], tops: Sequence[int], topics: int, file: str | Path
) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_rows import MarkedRow, rows_figure

    figure = rows_figure(
        [MarkedRow(row.summarizer, row.kind, row.shares) for row in rows],
        title="The most frequent words of the input in summaries",
        note=f"mean over {counted(topics, 'topic')}; together: words that at least one person has",
        label="share of the most frequent words that a summary has",
        series=[f"{top} most frequent" for top in tops],
        percent=True,
    )
    save(figure, file)


def _draw_classes(found: InputClasses, file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_input import AgreedClass, input_figure

    classes = []
    for number in range(found.references + 1):
        own = found.frequencies[:, number]
        there = own[~np.isnan(own)]
        low, high = (there.min(), there.max()) if len(there) else (np.nan, np.nan)
        mean = float(found.mean_frequencies[number])
        size = float(found.mean_sizes[number])
        classes.append(AgreedClass(number, size, mean, np.nan, float(low), float(high)))
    figure = input_figure(
        classes,
        title="How frequent the words are that people agree on",
        note=f"mean over {counted(len(found.sizes), 'topic')} of a word's frequency in the input",
        label="frequency in the input",
        bars="from the topic with the least mean to that with the greatest",
    )
    save(figure, file)
