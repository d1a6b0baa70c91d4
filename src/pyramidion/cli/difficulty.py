"""``pyramidion difficulty``."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from pyramidion.cli._old_options import MeasuresOption, SourceFormatOption, TaskOption
from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    listed,
    working,
)
from pyramidion.cli.judging import FigureFormOption, FiguresOption

__all__ = ["difficulty"]


def difficulty(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    collection: Annotated[Path, typer.Argument(help="A collection with documents and scores.")],
    measures: MeasuresOption = "",
    task: TaskOption = "",
    peers: Annotated[str, typer.Option(help="all, or machines to leave people out.")] = "all",
    coefficient: Annotated[
        str, typer.Option(help="pearson, spearman, kendall, with commas.")
    ] = "pearson,spearman",
    interval: Annotated[str, typer.Option(help="percentile, bca or fisher.")] = "percentile",
    resamples: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Draws of topics for the intervals.")
    ] = 9999,
    figures: FiguresOption = None,
    figure_form: FigureFormOption = "svg",
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell how difficult each input is, and whether the input alone can tell.

    Length, vocabulary, redundancy and the similarity of an input's documents are held against
    its mean scores, and each topic is predicted from the others.
    """
    from pyramidion.evaluation._difficulty.result import DifficultyOptions
    from pyramidion.report.difficulty import DifficultyRequest, difficulty_answer

    # The options check their words themselves.
    request = DifficultyRequest(
        measures=listed(measures),
        tasks=listed(task),
        peers=cast("Any", peers),
        options=DifficultyOptions(
            coefficients=cast("Any", listed(coefficient)),
            method=cast("Any", interval),
            n_resamples=resamples,
            seed=seed,
        ),
    )
    with working(f"measuring the inputs of {collection}"):
        answer = difficulty_answer(
            collection,
            request,
            source_format=source_format,
            figures=figures,
            figure_form=figure_form,
        )
    return emit(answer, format, output)
