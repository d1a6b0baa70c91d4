"""``pyramidion gap``."""

from typing import Annotated, Any, cast

import typer

from pyramidion.cli.compare import (
    AlphaOption,
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
    working,
)
from pyramidion.cli.judging import (
    FigureFormOption,
    FiguresOption,
    JudgedOption,
    LowerOption,
    MetricsOption,
    OneTestOption,
    PairCorrectionOption,
    named,
    verdict_options,
)

__all__ = ["gap"]


def gap(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    human: JudgedOption = "",
    metric: MetricsOption = None,
    task: TaskOption = "",
    fit: Annotated[str, typer.Option(help="The line: ols or robust.")] = "ols",
    plain: Annotated[
        bool,
        typer.Option(
            "--plain", help="Plain means, as in the dissertation, though people miss topics."
        ),
    ] = False,
    over: Annotated[
        str, typer.Option(help="What is drawn for the interval: systems, inputs (topics), both.")
    ] = "both",
    interval: Annotated[str, typer.Option(help="bca or percentile.")] = "bca",
    draws: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="How many draws for the interval.")
    ] = 1000,
    test: OneTestOption = "wilcoxon",
    statistic: StatisticOption = "w",
    correction: PairCorrectionOption = "none",
    alpha: AlphaOption = 0.05,
    resamples: ResamplesOption = 9999,
    lower: LowerOption = "",
    figures: FiguresOption = None,
    figure_form: FigureFormOption = "svg",
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell how far people are above what a metric predicts from machines.

    A line is fitted to the machines' means and compared with people's, as in the dissertation's
    Figures 5.1 and 5.6. Pairs of a person and a machine that differ significantly are counted.
    """
    from pyramidion.evaluation.gap_result import GapOptions
    from pyramidion.report.gap import GapRequest, gap_answer

    request = GapRequest(
        humans=listed(human),
        metrics=named(metric),
        tasks=listed(task),
        lower_is_better=listed(lower),
        # The options check their words themselves.
        options=GapOptions(
            fit=cast("Any", fit),
            plain=plain,
            over=cast("Any", over),
            method=cast("Any", interval),
            n_resamples=draws,
            seed=seed,
        ),
        test=verdict_options(test, correction, alpha, statistic, resamples, seed),
    )
    with working(f"measuring the gap in {scores}"):
        answer = gap_answer(
            scores, request, source_format=source_format, figures=figures, figure_form=figure_form
        )
    return emit(answer, format, output)
