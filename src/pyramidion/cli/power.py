"""``pyramidion power``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli._old_options import (
    AlphaOption,
    MeasuresOption,
    ScoresArgument,
    SourceFormatOption,
    TaskOption,
)
from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    listed,
    working,
)

__all__ = ["power"]


def power(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    measures: MeasuresOption = "",
    task: TaskOption = "",
    wanted: Annotated[float, typer.Option("--power", help="The power that is wanted.")] = 0.8,
    alpha: AlphaOption = 0.05,
    test: Annotated[str, typer.Option(help="paired-t, wilcoxon or unpaired-t.")] = "paired-t",
    most: Annotated[int, typer.Option(max=100_000, help="The most topics to think of.")] = 1000,
    resamples: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Draws for each number of topics.")
    ] = 1000,
    figures: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Draw power curves of people's against machines' scores."
        ),
    ] = None,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Plan an evaluation: given a pilot's scores, how many topics are needed."""
    from pyramidion.report.planning import PlanRequest, plan_answer

    request = PlanRequest(
        measures=listed(measures),
        tasks=listed(task),
        test=test,
        power=wanted,
        alpha=alpha,
        most=most,
        n_resamples=resamples,
        seed=seed,
    )
    with working(f"planning from {scores}"):
        answer = plan_answer(scores, request, source_format=source_format, figures=figures)
    return emit(answer, format, output)
