"""The figures of a comparison, as files and for the page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from pyramidion.collection import ScoreMatrix
from pyramidion.collection.files import writing_folder
from pyramidion.evaluation import ComparisonResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["comparison_figures", "write_comparison_figures"]


def comparison_figures(
    result: ComparisonResult, matrix: ScoreMatrix
) -> Iterator[tuple[str, str, "Figure"]]:
    """Draw a comparison: a name, a caption and a figure, one after the other.

    Parameters
    ----------
    result
        The comparison.
    matrix
        The scores it compared.
    """
    from pyramidion.report import figures
    from pyramidion.stats import mean_rank_tukey

    yield (
        "ranking",
        "Means with intervals; a letter is shared by systems that do not differ.",
        figures.ranking_figure(result),
    )
    yield (
        "pairs",
        "Every pair: which system is better, and how sure that is.",
        figures.significance_figure(result),
    )
    yield (
        "wins",
        "How many other systems each one beats, ties with and loses to.",
        figures.win_tie_loss_figure(result),
    )
    yield (
        "scores",
        "All scores, topics down by difficulty, people apart, missing ones black.",
        figures.score_matrix_figure(matrix),
    )
    if _can_rank_topics(matrix):
        ranked = mean_rank_tukey([row[~np.isnan(row)] for row in matrix.values])
        yield (
            "topics",
            "How hard each topic is: mean ranks with comparison intervals.",
            figures.tukey_figure(ranked, matrix.topics, measure=matrix.measure, task=matrix.task),
        )


def _can_rank_topics(matrix: ScoreMatrix) -> bool:
    """Tell whether topics can be ranked: each has a score, and not all are the same."""
    counts = (~np.isnan(matrix.values)).sum(axis=1)
    return bool(counts.min() > 0 and np.nanmin(matrix.values) < np.nanmax(matrix.values))


def write_comparison_figures(
    results: Sequence[ComparisonResult],
    matrices: Sequence[ScoreMatrix],
    folder: str | Path,
    form: str = "svg",
) -> None:
    """Write the figures of all comparisons into a folder, whole or not at all.

    Parameters
    ----------
    results, matrices
        The comparisons and what they compared, in the same order.
    folder, form
        Where the files go, which must not exist yet, and svg, pdf or png.
    """
    from pyramidion.report import figures

    with writing_folder(folder) as new:
        for result, matrix in zip(results, matrices, strict=True):
            parts = (result.measure, result.task, result.test)
            stem = "-".join(part.replace("/", "_") for part in parts if part)
            for name, _, figure in comparison_figures(result, matrix):
                figures.save(figure, new / f"{stem}-{name}.{form}")
