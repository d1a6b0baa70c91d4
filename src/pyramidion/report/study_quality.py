"""How people judged the quality of summaries, category by category: Tables 2.3 and 2.4."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyramidion.evaluation.study import QualityCategories, quality_categories, quality_scales
from pyramidion.evaluation.study._places import commonest
from pyramidion.evaluation.study.quality import FIVE
from pyramidion.report.answer import Answer
from pyramidion.report.signing import named
from pyramidion.report.study_answer import begin_study, study_answer
from pyramidion.report.study_source import Source, StudyRequest, chosen_scores
from pyramidion.report.table import Cell, Table

__all__ = ["quality_answer"]

_WRITERS = {"human": "people", "machine": "machines"}
_NOTE = "Fractions of summaries; one with several judgments counts in parts."


def quality_answer(
    source: Source,
    request: StudyRequest | None = None,
    *,
    measures: Sequence[str] = (),
    figure: str | Path | None = None,
) -> Answer:
    """Tell which fraction of summaries people judged very poor, poor, ... very good.

    Parameters
    ----------
    source, request, figure
        See `begin_study`; a table of scores or a collection with judgments is needed.
    measures
        Which judgments; all that are judged in categories if none is named.

    Examples
    --------
    >>> from pyramidion.collection import Collection, Scores
    >>> table = Scores({"topic": ["T1"] * 2, "system": ["7", "8"], "kind": ["machine"] * 2,
    ...                 "measure": ["focus"] * 2}, [4, 5])
    >>> quality_answer(Collection("mine", scores=table)).results[0]["fractions"]
    {'very poor': 0.0, 'poor': 0.0, 'barely adequate': 0.0, 'good': 0.5, 'very good': 0.5}
    """
    asked, collection = begin_study(source, request, figure)
    scores = chosen_scores(collection, asked)
    scales, left_out = quality_scales(scores, collection.scales, measures)
    found = [
        row
        for measure, scale in scales.items()
        for row in quality_categories(scores, measure, scale)
    ]
    if figure is not None:
        _draw(found, figure)
    return study_answer(
        "quality",
        collection,
        asked,
        details=named("measures", measures),
        results=[_record(row) for row in found],
        tables=_tables(found),
        left_out=(*left_out, *(() if figure is None else _not_drawn(found))),
    )


def _tables(found: Sequence[QualityCategories]) -> tuple[Table, ...]:
    """Make a table for each task, kind and scale, machines first."""
    groups: dict[tuple[str, str, tuple[str, ...]], list[QualityCategories]] = {}
    for row in found:
        groups.setdefault((row.task, row.kind, row.categories), []).append(row)
    order = sorted(groups, key=lambda key: (key[1] == "human", key[0], key[2] != FIVE))
    return tuple(_table(*key, groups[key]) for key in order)


def _table(
    task: str, kind: str, categories: tuple[str, ...], rows: Sequence[QualityCategories]
) -> Table:
    five = categories == FIVE
    cells: list[tuple[Cell, ...]] = [
        (row.measure, row.summaries, *row.fractions, *((row.below_good,) if five else ()))
        for row in rows
    ]
    columns = ("measure", "summaries", *categories, *(("below good",) if five else ()))
    title = f"Quality of summaries by {_WRITERS[kind]}{f', task {task}' if task else ''}"
    key = (("task", task), ("kind", kind))
    return Table(columns, tuple(cells), title=title, note=_NOTE, key=key)


def _record(row: QualityCategories) -> dict[str, Any]:
    return {
        "study": "quality",
        "measure": row.measure,
        "task": row.task,
        "kind": row.kind,
        "summaries": row.summaries,
        "judgments": row.judgments,
        "fractions": dict(zip(row.categories, row.fractions, strict=True)),
        "below_good": row.below_good,
    }


def _not_drawn(found: Sequence[QualityCategories]) -> list[str]:
    common = commonest(len(row.categories) for row in found)
    others = dict.fromkeys(row.measure for row in found if len(row.categories) != common)
    return [f"the figure: {', '.join(others)}, on another scale"] if others else []


def _draw(found: Sequence[QualityCategories], file: str | Path) -> None:
    from pyramidion.report.charts.style import save
    from pyramidion.report.figures.study_quality import quality_figure

    save(quality_figure(found), file)
