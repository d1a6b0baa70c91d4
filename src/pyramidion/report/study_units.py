"""How often the input expresses what people agree on, in content units: Figure 4.1."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.evaluation.study import UnitStudy, gather_units, study_units
from pyramidion.evaluation.study.frequent import TOPS, require_tops
from pyramidion.report.answer import Answer
from pyramidion.report.labels import counted
from pyramidion.report.signing import named
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest
from pyramidion.report.table import Cell, Table

__all__ = ["units_answer"]

_HOW = {
    "annotated": "The documents were annotated: how often they express a unit.",
    "similarity": (
        "Nobody annotated the documents: they were annotated by similarity with the units' "
        "labels, and what counts is in how many documents a unit was found."
    ),
}
_TOPS_NOTE = (
    "Percentage of the so many most frequent units of the input that at least one reference "
    "expresses, the mean over topics; units that tie for the last places share them."
)


def units_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    tops: Sequence[int] = TOPS,
    figure: str | Path | None = None,
) -> Answer:
    """Tell how often the input expresses the units that 0, 1, ... all references express.

    Parameters
    ----------
    source, request, figure
        See `begin_study`; a collection with pyramids and documents is needed.
    tops
        How many most frequent units are looked for in the references.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Document, Pyramid, Topic
    >>> pyramid = Pyramid.from_references(
    ...     {"A": "Ice melts.", "B": "Ice melts. It snows."},
    ...     [("Ice melts", {"A": ["Ice melts"], "B": ["Ice melts"]}),
    ...      ("It snows", {"B": ["It snows"]})])
    >>> topic = Topic("T1", documents=(Document("d1", "The ice melts."), Document("d2", "Rain.")))
    >>> mine = Collection("c", topics=(topic,), pyramids={("", "T1"): pyramid})
    >>> [found] = units_answer(mine).results
    >>> found["input"], [(own["references"], own["mean"]) for own in found["classes"]]
    ('similarity', [(1, 0.0), (2, 1.0)])
    """
    require_tops(tops)
    asked, collection = begin_study(source, request, figure)
    topics, left_out = gather_units(collection, topics=asked.topics, tasks=asked.tasks)
    study = study_units(topics, tops=tops)
    if figure is not None:
        _draw(study, figure)
    return study_answer(
        "content-units",
        collection,
        asked,
        subject=study.how,
        details=named("top", tops, TOPS),
        results=[_record(study)],
        tables=(_table(study), *_tops_tables(study)),
        left_out=(*left_out, *_unknown(study)),
    )


def _unknown(study: UnitStudy) -> list[str]:
    if not np.isnan(study.shares).all():
        return []
    return ["the most frequent units: nobody annotated units that only the input has"]


def _table(study: UnitStudy) -> Table:
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (own.references, own.units, own.mean, own.median, *own.quartiles) for own in study.classes
    )
    columns = ("references", "units", "mean", "median", "lower quartile", "upper quartile")
    title = f"How often the input expresses content units: {counted(study.topics, 'topic')}"
    note = f"{_HOW[study.how]} {_correlated(study)}"
    return Table(columns, rows, title=title, note=note, digits=2)


def _correlated(study: UnitStudy) -> str:
    found = study.correlation
    if found.undefined:
        return f"No correlation of input and references: {found.undefined}."
    p = "p < 0.0001" if found.p < 0.0001 else f"p = {found.p:.4f}"
    return (
        f"Pearson's correlation of input and references: {found.value:.2f} ({p}, {found.n} units)."
    )


def _tops_tables(study: UnitStudy) -> list[Table]:
    if np.isnan(study.shares).all():
        return []
    rows = tuple((top, 100 * share) for top, share in zip(study.tops, study.shares, strict=True))
    title = "The most frequent units of the input in references, per cent"
    return [
        Table(("most frequent", "in a reference"), rows, title=title, note=_TOPS_NOTE, digits=1)
    ]


def _record(study: UnitStudy) -> dict[str, Any]:
    return {
        "study": "content-units",
        "input": study.how,
        "topics": study.topics,
        "classes": [
            {
                "references": own.references,
                "units": own.units,
                "mean": own.mean,
                "median": own.median,
                "quartiles": own.quartiles,
            }
            for own in study.classes
        ],
        "pearson": study.correlation.value,
        "p": study.correlation.p,
        "n": study.correlation.n,
        "shares": dict(zip(study.tops, study.shares, strict=True)),
    }


def _draw(study: UnitStudy, file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_input import AgreedClass, input_figure

    how = "annotated by hand" if study.how == "annotated" else "annotated by similarity"
    figure = input_figure(
        [
            AgreedClass(own.references, own.units, own.mean, own.median, *own.quartiles)
            for own in study.classes
        ],
        title="How often the input expresses what people agree on",
        note=f"content units of {counted(study.topics, 'topic')}; documents {how}; "
        + _correlated(study).removesuffix("."),
        label="times in the input" if study.how == "annotated" else "documents that express it",
        bars="the middle half of the units",
    )
    save(figure, file)
