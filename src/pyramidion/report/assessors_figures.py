"""The figures about assessors, as files and for the page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.collection.files import writing_folder
from pyramidion.evaluation.assessors.consistency import Consistency
from pyramidion.evaluation.assessors.study import AssessorStudy
from pyramidion.report.labels import figure_stem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["assessor_figures", "write_figures"]

#: Name, caption and figure.
Drawn = tuple[str, str, "Figure"]


def assessor_figures(study: AssessorStudy, collection: str | None) -> Iterator[Drawn]:
    """Draw what was found about the assessors of a year: name, caption and figure, one by one.

    What there is nothing to draw of is left out.

    Parameters
    ----------
    study
        What was found out.
    collection
        Which year; `None` for all together.
    """
    from pyramidion.report.figures import judges

    level = study.options.confidence_level
    found = [own for own in study.consistency if own.collection == collection]
    if any(own.pairs for own in found):
        caption = "How consistent assessors are: alpha of two judgments of the same words."
        yield "consistency", caption, judges.consistency_figure(found, confidence_level=level)
        yield from _contingencies(found)
    models = [own for own in study.severity if own.collection == collection and own.assessors]
    if models:
        caption = "How severe assessors are, beside what they judged."
        yield "severity", caption, judges.severity_figure(models, confidence_level=level)
    differences = [own for own in study.differences if own.collection == collection]
    if differences:
        caption = f"Manual minus automatic {study.manual}, by assessor."
        figure = judges.difference_figure(
            differences, study.topics, measure=study.manual, confidence_level=level
        )
        yield "manual-automatic", caption, figure


def _contingencies(found: Sequence[Consistency]) -> Iterator[Drawn]:
    from pyramidion.report.figures.contingency import contingency_figure

    for measures in _alike(found):
        named = " and ".join(measures)
        stem = figure_stem("pairs", *measures)
        caption = f"How often each two values were given to the same words: {named}."
        yield stem, caption, contingency_figure(found, measures)
        caption = f"The same; strong colours where the two values are far apart: {named}."
        yield f"{stem}-apart", caption, contingency_figure(found, measures, strength="distance")


def _alike(found: Sequence[Consistency]) -> Iterator[tuple[str, ...]]:
    """Put measures together by twos that have the same values and the same assessors."""
    groups: dict[tuple[object, ...], list[str]] = {}
    for measure in dict.fromkeys(own.measure for own in found):
        judged = [own for own in found if own.measure == measure and own.pairs]
        if judged and judged[0].table is not None:
            key = judged[0].table.values, tuple(own.assessor for own in judged)
            groups.setdefault(key, []).append(measure)
    for measures in groups.values():
        for start in range(0, len(measures), 2):
            yield tuple(measures[start : start + 2])


def write_figures(drawn: Iterator[Drawn], folder: str | Path, form: str = "svg") -> None:
    """Write figures into a folder, whole or not at all.

    Parameters
    ----------
    drawn
        Names, captions and figures.
    folder, form
        Where the files go, which must not exist yet, and svg, pdf or png.
    """
    from pyramidion.report.figures import save

    with writing_folder(folder) as new:
        for name, _, figure in drawn:
            save(figure, new / f"{name}.{form}")
