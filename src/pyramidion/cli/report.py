"""``pyramidion report``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.compare import (
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
from pyramidion.cli.house import SeedOption, listed, say, working

__all__ = ["report"]


def report(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE", help="The page to write.")
    ] = Path("report.html"),
    title: Annotated[str, typer.Option(help="What stands on top of the page.")] = "",
    measures: MeasuresOption = "",
    task: TaskOption = "",
    test: TestOption = "permutation",
    statistic: StatisticOption = "w",
    correction: CorrectionOption = "maxt",
    alpha: AlphaOption = 0.05,
    baseline: BaselineOption = None,
    resamples: ResamplesOption = 9999,
    assessor: AssessorOption = None,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
) -> int:
    """Write one self-contained page: ranking, significance, figures, tables, method text."""
    from pyramidion.collection.files import write_text
    from pyramidion.report.comparing import CompareRequest, report_page
    from pyramidion.report.source import read_scored

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
        collection = read_scored(scores, format=source_format)
        write_text(output, report_page(collection, request, title=title))
    say(f"wrote {output}")
    return 0
