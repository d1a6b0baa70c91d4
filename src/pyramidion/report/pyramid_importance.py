"""How importance is distributed over content units, words and sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pyramidion.collection import Collection, Pyramid, Signature
from pyramidion.collection.formats import read_collection
from pyramidion.errors import InputError
from pyramidion.pyramid._source import source_notes
from pyramidion.pyramid.importance import (
    ImportanceClasses,
    WordChoice,
    sentence_classes,
    unit_classes,
    word_classes,
)
from pyramidion.pyramid.topics import TopicSummaries, gather_topics
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.pyramid_figure_files import require_figure_file
from pyramidion.report.table import Cell, Table
from pyramidion.stats.inputs import choice
from pyramidion.text import Tokenizer

__all__ = ["ImportanceRequest", "importance_answer"]

_UTILITY = "relative-utility"

_FITS_NOTE = (
    "Sets: pyramids, or topics with judged sentences. Class w has about C w^-s units. Slope and "
    "R²: least squares on logarithms; a high R² alone proves no law. Exponent: maximum likelihood, "
    "with its standard error; p: a chi-square test that the sizes follow the law with it."
)


@dataclass(frozen=True, slots=True)
class ImportanceRequest:
    """What to count.

    Parameters
    ----------
    choose, stem, tokenizer
        Which words, see `word_classes`.
    topics, tasks
        Take these only; all if none is named.
    source_format
        The source's format; guessed if it is not given.

    Examples
    --------
    >>> ImportanceRequest(stem=True).choose
    'content'
    """

    choose: WordChoice = "content"
    stem: bool = False
    tokenizer: Tokenizer = "unicode"
    topics: tuple[str, ...] = ()
    tasks: tuple[str, ...] = ()
    source_format: str | None = None

    def __post_init__(self) -> None:
        choice(self.choose, "choose", WordChoice)
        choice(self.tokenizer, "tokenizer", Tokenizer)


@dataclass(frozen=True, slots=True)
class _Counted:
    """Classes, and how many references the pyramids have; none for sentences."""

    references: int | None
    classes: ImportanceClasses


def importance_answer(
    source: str | Path,
    request: ImportanceRequest | None = None,
    *,
    figure: str | Path | None = None,
) -> Answer:
    """Count importance classes and fit Zipf's law (thesis, 3.3.1).

    Parameters
    ----------
    source
        A collection with pyramids, in any format.
    request
        What to count.
    figure
        A file for a figure.

    Examples
    --------
    >>> import tempfile
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It is old."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It is old", {"B": ["It is old"]})])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Collection("mine", pyramids={("", "T1"): pyramid}).save(f"{folder}/mine")
    ...     answer = importance_answer(f"{folder}/mine")
    >>> [(result["granularity"], result["sizes"]) for result in answer.results]
    [('content units', [1, 1]), ('words', [0, 2])]
    """
    asked = request or ImportanceRequest()
    if figure is not None:
        require_figure_file(figure)
    collection = read_collection(source, format=asked.source_format)
    places = gather_topics(collection, topics=asked.topics, tasks=asked.tasks)
    found = [*_of_pyramids(places, asked), *_of_sentences(collection, places)]
    if figure is not None:
        _draw(found, figure)
    return Answer(
        command="pyramid importance",
        signature=Signature(
            f"pyramid-importance({asked.choose} words{', stem' if asked.stem else ''})",
            data=collection.data_hash,
            details=(("tok", asked.tokenizer),),
        ),
        results=[_record(item) for item in found],
        tables=(*_class_tables(found), _fits_table(found)),
        left_out=(
            *source_notes(collection, but=("other pyramid", "empty pyramid")),
            *_left_out(places, found),
            *(() if figure is None else _not_drawn(found)),
        ),
    )


def _of_pyramids(
    places: Sequence[TopicSummaries], request: ImportanceRequest
) -> Iterator[_Counted]:
    by_references: dict[int, list[Pyramid]] = {}
    for place in places:
        if place.pyramid.membership.any():
            by_references.setdefault(len(place.pyramid.references), []).append(place.pyramid)
    if not by_references:
        raise InputError(
            "no pyramid has a content unit that a reference expresses",
            hint="annotate the references first",
        )
    for references, pyramids in sorted(by_references.items()):
        yield _Counted(references, unit_classes(pyramids))
        words = word_classes(
            pyramids, choose=request.choose, stem=request.stem, tokenizer=request.tokenizer
        )
        yield _Counted(references, words)


def _of_sentences(collection: Collection, places: Sequence[TopicSummaries]) -> Iterator[_Counted]:
    topics = {place.topic for place in places}
    scores = collection.scores.select(measure=_UTILITY)
    columns = scores.columns
    judged = [
        row
        for row, (topic, unit) in enumerate(zip(columns["topic"], columns["unit"], strict=True))
        if unit and topic in topics
    ]
    if judged:
        import numpy as np

        yield _Counted(None, sentence_classes(scores.rows(np.array(judged)), measure=_UTILITY))


def _left_out(places: Sequence[TopicSummaries], found: Sequence[_Counted]) -> Iterator[str]:
    for place in places:
        if not place.pyramid.membership.any():
            yield f"{place.name}: the pyramid has no content unit that a reference expresses"
        loose = int((place.pyramid.weights == 0).sum())
        if loose and place.pyramid.membership.any():
            yield f"{place.name}: content units that no reference expresses: {loose}"
    if all(item.references is not None for item in found):
        yield f"sentences: none of these topics has judgments of {_UTILITY}"
    for item in found:
        undefined = item.classes.fit().undefined
        if undefined:
            yield f"{item.classes.granularity}{_of_references(item)}: no law: {undefined}"


def _not_drawn(found: Sequence[_Counted]) -> Iterator[str]:
    fewer = {item.references for item in found} - {_most_references(found), None}
    if fewer:
        counts = ", ".join(map(str, sorted(filter(None, fewer))))
        yield f"the figure: pyramids of {counts} references"


def _of_references(item: _Counted) -> str:
    return "" if item.references is None else f" of {counted(item.references, 'reference')}"


def _where(item: _Counted) -> str:
    """Say what was counted in: topics of judged sentences, or pyramids."""
    if item.references is None:
        return counted(item.classes.topics, "topic")
    return f"{counted(item.classes.topics, 'pyramid')}{_of_references(item)}"


def _class_tables(found: Sequence[_Counted]) -> Iterator[Table]:
    for item in found:
        classes, total = item.classes, max(1, int(item.classes.sizes.sum()))
        rows = tuple(
            (label, int(size), float(100 * size / total))
            for label, size in zip(classes.labels, classes.sizes, strict=True)
        )
        title = f"{classes.granularity}, {_where(item)}"
        head = "judgment" if item.references is None else "weight"
        yield Table(
            ("class", "units", "percent"),
            rows,
            title=f"{title.capitalize()}, by {head}",
            digits=1,
            key=(("granularity", classes.granularity), ("references", _cell(item.references))),
        )


def _cell(references: int | None) -> str:
    return "" if references is None else str(references)


def _fits_table(found: Sequence[_Counted]) -> Table:
    rows = tuple(
        (
            item.classes.granularity,
            item.references,
            item.classes.topics,
            int(item.classes.sizes.sum()),
            item.classes.mean_weight,
            *_fit_cells(item.classes),
        )
        for item in found
    )
    columns = (
        "of", "references", "sets", "units", "mean weight", "slope", "R²", "exponent", "±", "p",
    )  # fmt: skip
    return Table(columns, rows, title="Zipf's law", note=_FITS_NOTE, digits=3)


def _fit_cells(classes: ImportanceClasses) -> tuple[Cell, ...]:
    fit = classes.fit()
    return fit.slope, fit.r_squared, fit.exponent, fit.error, fit.p


def _record(item: _Counted) -> dict[str, Any]:
    classes = item.classes
    return {
        "granularity": classes.granularity,
        "references": item.references,
        "topics": classes.topics,
        "labels": list(classes.labels),
        "sizes": classes.sizes.tolist(),
        "mean_weight": classes.mean_weight,
        "fit": asdict(classes.fit()),
    }


def _draw(found: Sequence[_Counted], file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.importance import importance_figure

    shown = [item for item in found if item.references in (_most_references(found), None)]
    note = "; ".join(dict.fromkeys(_drawn_from(item) for item in shown))
    save(importance_figure([item.classes for item in shown], note=note), file)


def _drawn_from(item: _Counted) -> str:
    return f"sentences of {_where(item)}" if item.references is None else _where(item)


def _most_references(found: Sequence[_Counted]) -> int:
    return max(item.references or 0 for item in found)
