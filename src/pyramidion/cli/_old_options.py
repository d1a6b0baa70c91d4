"""Options that commands which are not converted yet share; goes with the last of them."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "AlphaOption",
    "AssessorOption",
    "BaselineOption",
    "CorrectionOption",
    "MeasuresOption",
    "ResamplesOption",
    "ScoresArgument",
    "SourceFormatOption",
    "StatisticOption",
    "TaskOption",
    "TestOption",
]

ScoresArgument = Annotated[
    Path, typer.Argument(help="A table of scores, or a collection in any format.")
]
MeasuresOption = Annotated[
    str, typer.Option("--measures", "-m", help="Which measures, with commas; all by default.")
]
TaskOption = Annotated[str, typer.Option(help="Which tasks, with commas; all by default.")]
TestOption = Annotated[
    str,
    typer.Option(
        help="One or several of permutation, wilcoxon, paired-t, unpaired-t, welch, mc, hb."
    ),
]
StatisticOption = Annotated[str, typer.Option(help="What mc and hb resample: w, t or t-unpaired.")]
CorrectionOption = Annotated[
    str, typer.Option(help="For the number of pairs: maxt, holm, bh or none.")
]
AlphaOption = Annotated[float, typer.Option(help="The level of significance.")]
BaselineOption = Annotated[
    str | None, typer.Option(metavar="SYSTEM", help="Compare with this system only.")
]
AssessorOption = Annotated[
    str | None, typer.Option(help="Take this assessor's judgments only, not the mean of all.")
]
ResamplesOption = Annotated[int, typer.Option(max=10_000_000, help="How many resamples.")]
SourceFormatOption = Annotated[
    str | None, typer.Option("--from", metavar="FORMAT", help="The source's format.")
]
