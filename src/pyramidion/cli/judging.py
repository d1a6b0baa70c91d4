"""Options that the commands which judge metrics share."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pyramidion.cli.house import listed

if TYPE_CHECKING:
    from pyramidion.evaluation._pair_verdicts import VerdictOptions
    from pyramidion.evaluation.procedures import Correction, StatisticName, TestName

__all__ = [
    "FigureFormOption",
    "FiguresOption",
    "JudgedOption",
    "LowerOption",
    "MetricsOption",
    "OneTestOption",
    "PairCorrectionOption",
    "named",
    "verdict_options",
]

JudgedOption = Annotated[
    str, typer.Option("--human", metavar="MEASURE", help="The human measures, with commas.")
]
MetricsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="MEASURE",
        help="Which metrics, with commas or repeated; every other measure by default.",
    ),
]
LowerOption = Annotated[
    str,
    typer.Option(
        "--lower-is-better", help="Metrics of which less is better, beside those known for it."
    ),
]
OneTestOption = Annotated[
    str,
    typer.Option(help="wilcoxon, permutation, paired-t, unpaired-t, welch, mc or hb."),
]
PairCorrectionOption = Annotated[
    str, typer.Option(help="For the number of pairs: none, holm, bh or maxt.")
]
FiguresOption = Annotated[
    Path | None, typer.Option(metavar="FOLDER", help="Draw figures into this folder.")
]
FigureFormOption = Annotated[str, typer.Option("--figure-format", help="svg, pdf or png.")]


def verdict_options(
    test: str, correction: str, alpha: float, statistic: str, resamples: int, seed: int
) -> "VerdictOptions":
    """Put the options of a test together; the names are checked there."""
    from pyramidion.evaluation._pair_verdicts import VerdictOptions

    return VerdictOptions(
        test=cast("TestName", test),
        correction=cast("Correction", correction),
        alpha=alpha,
        statistic=cast("StatisticName", statistic),
        n_resamples=resamples,
        seed=seed,
    )


def named(metric: list[str] | None) -> tuple[str, ...]:
    """Read metrics that were named with commas, repeatedly, or not at all.

    Examples
    --------
    >>> named(["bleu,rouge-2", "vert"]), named(None)
    (('bleu', 'rouge-2', 'vert'), ())
    """
    return tuple(name for names in metric or () for name in listed(names))
