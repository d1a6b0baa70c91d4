"""``pyramidion meta``."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from pyramidion.cli._old_options import AlphaOption, ScoresArgument, SourceFormatOption, TaskOption
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
    JudgedOption,
    LowerOption,
    MetricsOption,
    named,
)

__all__ = ["meta"]


def meta(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    human: JudgedOption = "",
    metric: MetricsOption = None,
    task: TaskOption = "",
    lower: LowerOption = "",
    peers: Annotated[str, typer.Option(help="all, machines (no models), or all,machines.")] = (
        "all,machines"
    ),
    level: Annotated[
        str,
        typer.Option(help="What to test and show: system, input, global; system,input by default."),
    ] = "",
    coefficient: Annotated[
        str,
        typer.Option(
            help="What to test and show: pearson, spearman, kendall, tau_ap; kendall by default."
        ),
    ] = "",
    test: Annotated[
        str,
        typer.Option(
            help="Between metrics: permutation, or on system means williams, steiger, zou, meng; "
            "none for none."
        ),
    ] = "permutation",
    correction: Annotated[
        str, typer.Option(help="For the number of pairs: maxt, holm, bh or none.")
    ] = "maxt",
    over: Annotated[
        str, typer.Option(help="What is drawn and swapped: systems, inputs (topics) or both.")
    ] = "both",
    interval: Annotated[str, typer.Option(help="percentile, bca or fisher.")] = "percentile",
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    alpha: AlphaOption = 0.05,
    resamples: Annotated[
        int, typer.Option(max=10_000_000, help="How many draws, and swaps of a test.")
    ] = 1000,
    figures: FiguresOption = None,
    figure_form: FigureFormOption = "svg",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one self-contained page, too.")
    ] = None,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell which metrics can stand in for people: correlations, intervals, differences.

    JSON and CSV hold Pearson, Spearman, Kendall and tau AP at system, input and global level, for
    all peers and for machines only. The table shows those that are tested.
    """
    from pyramidion.evaluation._meta.options import MetaOptions
    from pyramidion.report.meta import MetaRequest, meta_answer

    request = MetaRequest(
        humans=listed(human),
        metrics=named(metric),
        tasks=listed(task),
        lower_is_better=listed(lower),
        # The options check their words themselves.
        options=MetaOptions(
            peers=cast("Any", listed(peers)),
            over=cast("Any", over),
            method=cast("Any", interval),
            confidence_level=confidence,
            n_resamples=resamples,
            tests=cast("Any", () if test == "none" else listed(test)),
            levels=cast("Any", listed(level)),
            coefficients=cast("Any", listed(coefficient)),
            correction=cast("Any", correction),
            alpha=alpha,
            seed=seed,
        ),
    )
    with working(f"judging the metrics of {scores}"):
        answer = meta_answer(
            scores,
            request,
            source_format=source_format,
            figures=figures,
            figure_form=figure_form,
            page=html,
        )
    if html is not None:
        say(f"wrote {html}")
    return emit(answer, format, output)
