"""``pyramidion report``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
from pyramidion.cli.house import SeedOption, listed, say, working
from pyramidion.cli.judging import JudgedOption, named

if TYPE_CHECKING:
    from pyramidion.collection import Collection
    from pyramidion.report.comparing import CompareRequest
    from pyramidion.report.page import Section

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
    human: JudgedOption = "",
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric", metavar="MEASURE", help="Which metrics to judge; all others by default."
        ),
    ] = None,
    assessors: Annotated[
        bool, typer.Option("--assessors", help="Judge the assessors on the page as well.")
    ] = False,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
) -> int:
    """Write one self-contained page: ranking, significance, figures, tables, method text.

    With --human the metrics are judged on the page as well, as `pyramidion meta` does, and with
    --assessors those who judged, as `pyramidion assessors` does.
    """
    from pyramidion.collection.files import write_text
    from pyramidion.collection.sources import read_scored
    from pyramidion.report.comparing import CompareRequest, report_page

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
        more = _judged(collection, request, listed(human), named(metric))
        more += _assessed(collection, request) if assessors else []
        write_text(output, report_page(collection, request, title=title, more=more))
    say(f"wrote {output}")
    return 0


def _judged(
    collection: "Collection",
    request: "CompareRequest",
    humans: tuple[str, ...],
    metrics: tuple[str, ...],
) -> "list[Section]":
    """Judge the metrics of the page's tasks, if a human measure is named."""
    if not humans:
        return []
    from pyramidion.evaluation._meta.options import MetaOptions
    from pyramidion.report.meta import MetaRequest, judge_collection
    from pyramidion.report.meta_page import meta_sections

    options = MetaOptions(alpha=request.alpha, seed=request.seed)
    asked = MetaRequest(humans, metrics, request.tasks, options=options)
    return list(meta_sections(judge_collection(collection, asked)))


def _assessed(collection: "Collection", request: "CompareRequest") -> "list[Section]":
    """Judge the assessors of the page's tasks."""
    from pyramidion.evaluation._assessors.view import assessor_sections, assessors

    return list(assessor_sections(assessors(collection, task=request.tasks, seed=request.seed)))
