"""The figures of judged metrics, as files and for the page."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pyramidion.collection.files import writing_folder
from pyramidion.evaluation._meta.labels import PEER_NAMES, correlation_name, shown_peers
from pyramidion.evaluation._meta.result import MetaResult
from pyramidion.report.labels import figure_stem
from pyramidion.report.meta_parts import MetaPart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["meta_figures", "write_meta_figures"]


def meta_figures(result: MetaResult) -> Iterator[tuple[str, str, "Figure"]]:
    """Draw judged metrics: a name, a caption and a figure, one after the other.

    Parameters
    ----------
    result
        Metrics judged against a human measure.
    """
    from pyramidion.report.figures.metric_bars import metric_bars_figure
    from pyramidion.report.figures.metric_matrix import metric_matrix_figure
    from pyramidion.report.figures.metric_scatter import metric_scatter_figure

    for level, coefficient in result.options.shown:
        yield (
            f"{level}-{coefficient}-bars",
            f"{correlation_name(level, coefficient)}: the best metrics, with intervals.",
            metric_bars_figure(result, level=level, coefficient=coefficient),
        )
    yield (
        "scatter",
        "Each system's means by the metrics that correlate best; people are marked.",
        metric_scatter_figure(result),
    )
    for matrix in result.matrices:
        if matrix.peers in shown_peers(result):
            yield (
                f"{matrix.level}-{matrix.coefficient}-{matrix.peers}-{matrix.test}",
                f"{correlation_name(matrix.level, matrix.coefficient)}, "
                f"{PEER_NAMES[matrix.peers]}: which metrics differ, and how surely.",
                metric_matrix_figure(result, matrix),
            )


def write_meta_figures(
    results: Sequence[MetaResult],
    parts: Sequence[Sequence[MetaPart]],
    folder: str | Path,
    form: str = "svg",
) -> None:
    """Write the figures of all results into a folder, whole or not at all.

    Parameters
    ----------
    results
        Metrics judged against human measures.
    parts
        For each result, what other studies add.
    folder, form
        Where the files go, which must not exist yet, and svg, pdf or png.
    """
    from pyramidion.report.charts import save

    with writing_folder(folder) as new:
        for result, own in zip(results, parts, strict=True):
            stem = figure_stem(result.human, result.tables.collection, result.task)
            for name, _, figure in meta_figures(result):
                save(figure, new / f"{stem}-{name}.{form}")
            for name, _, draw in (figure for part in own for figure in part.figures):
                save(draw(), new / f"{stem}-{name}.{form}")
