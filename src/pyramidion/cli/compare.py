"""``pyramidion compare``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli._old_options import (
    AlphaOption,
    AssessorOption,
    BaselineOption,
    CorrectionOption,
    MeasuresOption,
    ResamplesOption,
    ScoresArgument,
    SourceFormatOption,
    StatisticOption,
    TaskOption,
    TestOption,
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

__all__ = ["compare"]


def compare(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    measures: MeasuresOption = "",
    task: TaskOption = "",
    test: TestOption = "permutation",
    statistic: StatisticOption = "w",
    correction: CorrectionOption = "maxt",
    alpha: AlphaOption = 0.05,
    baseline: BaselineOption = None,
    resamples: ResamplesOption = 9999,
    assessor: AssessorOption = None,
    figures: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Draw the ranking and the pairs into this folder."),
    ] = None,
    figure_form: Annotated[str, typer.Option("--figure-format", help="svg, pdf or png.")] = "svg",
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell which systems really differ: every pair tested, corrected and ranked.

    The defaults are a permutation test of mean differences over topics and max-T correction. The
    dissertation's Tables 4.1 and 4.2: --test unpaired-t,paired-t,wilcoxon --correction none.
    """
    from pyramidion.report.comparing import CompareRequest, compare_answer

    request = CompareRequest(
        measures=listed(measures),
        tasks=listed(task),
        tests=listed(test),
        assessor=assessor,
        statistic=statistic,
        correction=correction,
        alpha=alpha,
        baseline=baseline,
        n_resamples=resamples,
        seed=seed,
    )
    with working(f"comparing {scores}"):
        answer = compare_answer(
            scores,
            request,
            source_format=source_format,
            figures=figures,
            figure_form=figure_form,
        )
    return emit(answer, format, output)
