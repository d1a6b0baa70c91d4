"""``pyramidion assessors``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from pyramidion.cli._old_options import MeasuresOption, SourceFormatOption, TaskOption
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

if TYPE_CHECKING:
    from pyramidion.evaluation.assessors.study import StudyOptions
    from pyramidion.report.assessors_classy import ClassyRequest

__all__ = ["assessors"]

_IMPACT = "With --impact"


def assessors(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    sources: Annotated[
        list[Path],
        typer.Argument(help="Collections in any format, one a year, or tables of scores."),
    ],
    measures: MeasuresOption = "",
    task: TaskOption = "",
    level: Annotated[
        str,
        typer.Option(
            help="Of Krippendorff's alpha: nominal, ordinal, interval or ratio. By default ordinal "
            "where the scale has steps, else interval."
        ),
    ] = "",
    beside: Annotated[
        str,
        typer.Option(
            help="In the model of severity, beside the assessor: category, topic or nothing. By "
            "default categories if topics have any, else topics that assessors share."
        ),
    ] = "",
    scores: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A table of further scores; may be repeated."),
    ] = None,
    manual: Annotated[
        str,
        typer.Option(metavar="MEASURE", help="The manual score of pyramids; pyramid-modified."),
    ] = "",
    automatic: Annotated[
        str,
        typer.Option(
            metavar="MEASURE",
            help="The automatic one; by default pyramid-match, computed from annotated pyramids.",
        ),
    ] = "",
    contingency: Annotated[
        bool,
        typer.Option("--contingency", help="List how often each two values were given."),
    ] = False,
    confidence: Annotated[float, typer.Option(help="Of the intervals.")] = 0.95,
    resamples: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="Draws of topics for intervals of alpha.")
    ] = 1000,
    impact: Annotated[
        bool,
        typer.Option(
            "--impact",
            help="Leave out the worst assessors, and see what changes.",
            rich_help_panel=_IMPACT,
        ),
    ] = False,
    worst_by: Annotated[
        str,
        typer.Option(help="alpha, manual-automatic, or both.", rich_help_panel=_IMPACT),
    ] = "alpha,manual-automatic",
    most: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Leave out so many at most; all but one by default.",
            rich_help_panel=_IMPACT,
        ),
    ] = None,
    peers: Annotated[
        str, typer.Option(help="all, machines (no models), or both.", rich_help_panel=_IMPACT)
    ] = "all,machines",
    metrics: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Metrics among the scores, or to be computed; all there are by default.",
            rich_help_panel=_IMPACT,
        ),
    ] = "",
    classy: Annotated[
        Path | None,
        typer.Option(
            metavar="LATER",
            help="Train CLASSY on two years with and without the worst, and try it on this one.",
            rich_help_panel=_IMPACT,
        ),
    ] = None,
    versions: Annotated[
        str,
        typer.Option(
            help="Of CLASSY: some of 8, 25, 23, 6; all by default.", rich_help_panel=_IMPACT
        ),
    ] = "",
    targets: Annotated[
        str,
        typer.Option(help="Measures to train for, instead of versions.", rich_help_panel=_IMPACT),
    ] = "",
    figures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Draw figures into this folder.")
    ] = None,
    figure_form: Annotated[str, typer.Option("--figure-format", help="svg, pdf or png.")] = "svg",
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one self-contained page, too.")
    ] = None,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell which judges to trust: consistency, severity, drift, agreement, and what it matters.

    Consistency is how alike an assessor judges identical summaries by different systems; it needs
    summaries beside judgments. The level of alpha in the dissertation's Table 6.1 is interval.
    """
    from pyramidion.evaluation.assessors.levels import require_level
    from pyramidion.evaluation.assessors.study import StudyOptions
    from pyramidion.report.assessors import assessors_answer
    from pyramidion.report.assessors_impact import ImpactRequest, impact_answer

    options = StudyOptions(
        measures=listed(measures),
        tasks=listed(task),
        level=require_level(level),
        # The model checks its word itself.
        beside=cast("Any", beside or None),
        manual=manual,
        automatic=automatic,
        n_resamples=resamples,
        confidence_level=confidence,
        seed=seed,
    )
    files: dict[str, Any] = {
        "source_format": source_format,
        "scores": scores or (),
        "figures": figures,
        "figure_form": figure_form,
        "page": html,
    }
    with working("judging the judges") as progress:
        if impact or classy is not None:
            request = ImpactRequest(
                options,
                criteria=cast("Any", listed(worst_by)),
                peers=cast("Any", listed(peers)),
                metrics=listed(metrics),
                most=most,
                classy=_classy(classy, versions, targets, most, options),
            )
            answer = impact_answer(sources, request, progress=progress, **files)
        else:
            answer = assessors_answer(sources, options, contingency=contingency, **files)
    if html is not None:
        say(f"wrote {html}")
    return emit(answer, format, output)


def _classy(
    later: Path | None, versions: str, targets: str, most: int | None, options: "StudyOptions"
) -> "ClassyRequest | None":
    if later is None:
        return None
    from pyramidion.report.assessors_classy import ClassyRequest

    return ClassyRequest(later, listed(versions), listed(targets), options.tasks, most or 1)
