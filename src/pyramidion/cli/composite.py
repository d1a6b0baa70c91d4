"""``pyramidion composite``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli._old_options import (
    AlphaOption,
    MeasuresOption,
    ResamplesOption,
    ScoresArgument,
    SourceFormatOption,
    StatisticOption,
    TaskOption,
)
from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    listed,
    say,
    working,
)
from pyramidion.cli.judging import (
    FigureFormOption,
    FiguresOption,
    LowerOption,
    OneTestOption,
    PairCorrectionOption,
    verdict_options,
)

__all__ = ["composite"]


def composite(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    measures: MeasuresOption = "",
    task: TaskOption = "",
    components: Annotated[
        int | None, typer.Option(min=1, help="How many components to keep; all by default.")
    ] = None,
    within_topics: Annotated[
        bool,
        typer.Option("--within-topics", help="Take each topic's mean out of the measures first."),
    ] = False,
    test: OneTestOption = "wilcoxon",
    statistic: StatisticOption = "w",
    correction: PairCorrectionOption = "none",
    alpha: AlphaOption = 0.05,
    resamples: ResamplesOption = 9999,
    lower: LowerOption = "",
    write: Annotated[
        Path | None,
        typer.Option(
            "--scores", metavar="FILE", help="Write the components' scores of every summary, too."
        ),
    ] = None,
    figures: FiguresOption = None,
    figure_form: FigureFormOption = "svg",
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Make composite scores: principal components of all measures, and how well they separate.

    The measures are standardised over all summaries that have every one of them. Components and
    single measures are compared by how many pairs of systems they tell apart.
    """
    from pyramidion.report.composite import CompositeRequest, composite_answer

    request = CompositeRequest(
        measures=listed(measures),
        tasks=listed(task),
        components=components,
        within_topics=within_topics,
        lower_is_better=listed(lower),
        options=verdict_options(test, correction, alpha, statistic, resamples, seed),
    )
    with working(f"composing the measures of {scores}"):
        answer = composite_answer(
            scores,
            request,
            source_format=source_format,
            scores=write,
            figures=figures,
            figure_form=figure_form,
        )
    if write is not None:
        say(f"wrote {write}")
    return emit(answer, format, output)
