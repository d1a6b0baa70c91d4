"""The figures of agreement on significance, as files and for a page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.collection.files import writing_folder
from pyramidion.report.labels import figure_stem
from pyramidion.report.verdict_group import VerdictGroup
from pyramidion.report.verdict_tables import by_balanced_accuracy

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["VERDICTS_CAPTION", "kinds_figure", "verdict_figures", "write_verdict_figures"]


VERDICTS_CAPTION = "Pairs of systems by what the metric says and what people say."


def verdict_figures(group: VerdictGroup) -> Iterator[tuple[str, str, "Figure"]]:
    """Draw the verdicts of a group: a name, a caption and a figure, one after the other.

    Parameters
    ----------
    group
        A manual measure and a choice of systems.
    """
    from pyramidion.report.figures.combinations import combination_figure

    yield "verdicts", VERDICTS_CAPTION, kinds_figure(group)
    if any(one.agreement.tp for one in group.combined):
        yield (
            "combinations",
            "Precision and recall when several metrics must find a difference.",
            combination_figure(group.combined, human=group.human, note=_note(group)),
        )


def kinds_figure(group: VerdictGroup) -> "Figure":
    """Draw the kinds of verdicts of each metric.

    Parameters
    ----------
    group
        A manual measure and a choice of systems.
    """
    from pyramidion.report.figures.verdicts import verdict_kinds_figure

    ordered = by_balanced_accuracy(group.agreements)
    return verdict_kinds_figure(ordered, human=group.human, note=_note(group))


def _note(group: VerdictGroup) -> str:
    options = group.studies[0].options
    note = f"{group.part}; {options.label}, α = {options.alpha:g}"
    if options.effective_correction != "none":
        note += f", corrected by {options.effective_correction}"
    return note


def write_verdict_figures(
    groups: Sequence[VerdictGroup], folder: str | Path, form: str = "svg"
) -> None:
    """Write all figures into a folder, whole or not at all.

    Parameters
    ----------
    groups
        For each manual measure and choice of systems.
    folder, form
        Where the files go, which must not exist yet, and svg, pdf or png.
    """
    from pyramidion.report import figures

    with writing_folder(folder) as new:
        for group in groups:
            top = "all" if group.top is None else f"top{group.top}"
            for name, _, figure in verdict_figures(group):
                figures.save(figure, new / f"{figure_stem(group.human, top, name)}.{form}")
