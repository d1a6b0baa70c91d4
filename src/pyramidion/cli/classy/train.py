"""``pyramidion classy train``."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    SeedOption,
    emit,
    listed,
    say,
    working,
)

if TYPE_CHECKING:
    from pyramidion.classy.feature_sets import FeatureSet
    from pyramidion.classy.recipe import Method
    from pyramidion.classy.search import Criterion, SelectionLevel
    from pyramidion.stats.robust import RobustScale

__all__ = ["train"]


def train(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    years: Annotated[
        tuple[Path, Path],
        typer.Option(
            "--years",
            metavar="YEAR1 YEAR2",
            help="Two collections with judgments: fit on the first, choose on the second.",
        ),
    ],
    version: Annotated[
        str,
        typer.Option(
            metavar="NUMBERS",
            help="8 (pyramid), 25 (responsiveness), 23 (readability), 6 (responsiveness, always "
            "non-negative), with commas, or all.",
        ),
    ] = "",
    target: Annotated[
        str,
        typer.Option(
            metavar="MEASURES", help="Predict these measures instead of the versions', with commas."
        ),
    ] = "",
    task: Annotated[
        str, typer.Option(help="Which tasks, with commas; all that both years have by default.")
    ] = "",
    peers: Annotated[
        str,
        typer.Option(
            metavar="all|no-models",
            help="Learn from everybody's summaries, or from machines' only; both by default.",
        ),
    ] = "",
    features: Annotated[
        str | None,
        typer.Option(
            metavar="classy|nouveau|rose|family",
            help="The 13 features of CLASSY, Nouveau-ROUGE's, ROSE's, or the whole family of "
            "metrics, for the learners.",
        ),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(
            metavar="robust|nonneg|canon|regularised|ranking",
            help="One method; the best of the version's by default. The last two are learners "
            "without a search.",
        ),
    ] = None,
    criterion: Annotated[
        str | None,
        typer.Option(
            metavar="pearson|spearman|kendall",
            help="What is to be high; pearson by default, kendall for the learners.",
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="summary|system|input",
            help="Over all summaries, over systems' means, or within topics; summary by default, "
            "input for the learners.",
        ),
    ] = None,
    human: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="What the judgments are called, such as pyramid=scu-recall, with commas.",
        ),
    ] = "",
    without_features: Annotated[
        str, typer.Option(metavar="NAMES", help="Features not to be used, with commas.")
    ] = "",
    without_assessors: Annotated[
        str, typer.Option(metavar="NAMES", help="Leave out topics that these judged, with commas.")
    ] = "",
    exact: Annotated[
        bool, typer.Option("--exact", help="R2 and SU4 by the papers' formula: the best reference.")
    ] = False,
    scale: Annotated[
        str,
        typer.Option(
            metavar="matlab|text", help="How robust regression measures the spread of residuals."
        ),
    ] = "matlab",
    search_table: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Keep all subsets and their scores in a .csv file."),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Draw the search: a file that ends in .svg, .pdf or .png."
        ),
    ] = None,
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="The format of both years.")
    ] = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write the model here, if it is one and this ends in .json; or all into a new "
            "folder.",
        ),
    ] = None,
) -> int:
    """Train metrics on two years: fit on the first, choose on the second, refit on it.

    Without options: the papers' four versions, for each task, for all peers and for machines
    only. With tasks A and B these are sixteen models.
    """
    from pyramidion.classy.recipe import Recipe
    from pyramidion.classy.versions import human_measures
    from pyramidion.report.classy_training import TrainOutputs, TrainRequest, train_answer

    recipe = Recipe(
        features=cast("FeatureSet | None", features),
        method=cast("Method | None", method),
        criterion=cast("Criterion | None", criterion),
        level=cast("SelectionLevel | None", level),
        exact=exact,
        scale=cast("RobustScale", scale),
        measures=human_measures(listed(human)),
        without_features=listed(without_features),
        without_assessors=listed(without_assessors),
        seed=seed,
    )
    request = TrainRequest(
        versions=listed(version),
        targets=listed(target),
        tasks=listed(task),
        peers=listed(peers),
        recipe=recipe,
        source_format=source_format,
    )
    outputs = TrainOutputs(models=output, search_table=search_table, figure=figure)
    with working("training") as show:
        answer = train_answer(years, request, outputs=outputs, show=show)
    for written in (output, search_table, figure):
        if written is not None:
            say(f"wrote {written}")
    return emit(answer, format)
