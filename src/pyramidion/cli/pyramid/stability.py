"""``pyramidion pyramid stability``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

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
from pyramidion.cli.pyramid.options import (
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

__all__ = ["stability"]


def stability(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    score: Annotated[
        Literal["original", "modified"], typer.Option(help="Which score.")
    ] = "original",
    which: Annotated[
        Literal["all", "references", "peers"],
        typer.Option("--of", help="Whose scores: the references', annotated peers', or all."),
    ] = "all",
    equal: Annotated[
        float, typer.Option(metavar="D", min=0, help="Scores up to so far apart are equal.")
    ] = 0.06,
    apart: Annotated[
        float,
        typer.Option(metavar="D", min=0, help="Seek divergence of pairs more than so far apart."),
    ] = 0.1,
    ranked: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Rank so many references by pyramids of the others; half of them by default.",
        ),
    ] = None,
    splits: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            help="Try so many splits into ranked references and models, at the most.",
        ),
    ] = 252,
    repetition: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Also draw models with repetition so many times, as in factoid studies.",
        ),
    ] = 0,
    most: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=1,
            max=1_000_000,
            help="Look at so many pyramids of one size at the most; a sample of more.",
        ),
    ] = 5000,
    topic: TopicOption = "",
    task: TaskOption = "",
    scores: Annotated[
        bool, typer.Option("--scores", help="Also list the scores of each summary.")
    ] = False,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw errors and correlations: .svg, .pdf or .png."),
    ] = None,
    scores_figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the scores of each summary of one topic."),
    ] = None,
    pair: Annotated[
        str, typer.Option(metavar="A,B", help="Draw the scores of these two summaries only.")
    ] = "",
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell how many references a pyramid needs: how scores and ranks settle as it grows."""
    from pyramidion.pyramid.stability.study import StabilitySettings
    from pyramidion.report.pyramid_stability import StabilityRequest, stability_answer
    from pyramidion.report.pyramid_stability_figures import StabilityFigures

    settings = StabilitySettings(
        score=score,
        which=which,
        equal_within=equal,
        apart=apart,
        held_out=ranked,
        splits=splits,
        repetition=repetition,
        most=most,
        seed=seed,
    )
    request = StabilityRequest(settings, listed(topic), listed(task), scores, source_format)
    figures = StabilityFigures(figure, scores_figure, listed(pair))
    with working(f"growing pyramids of {source}"):
        answer = stability_answer(source, request, figures=figures)
    for file in (figure, scores_figure):
        if file is not None:
            say(f"wrote {file}")
    return emit(answer, format, output)
