"""``pyramidion verdicts``."""

from typing import TYPE_CHECKING, Annotated, cast

import typer

from pyramidion.cli._old_options import (
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
from pyramidion.errors import InputError

if TYPE_CHECKING:
    from pyramidion.evaluation._judged import Peers

__all__ = ["verdicts"]


def verdicts(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    scores: ScoresArgument,
    human: JudgedOption = "",
    metric: MetricsOption = None,
    task: TaskOption = "",
    top: Annotated[
        str,
        typer.Option(
            help="How many of the best systems by the human mean (ties with the last one are "
            "taken along), or all; several with commas."
        ),
    ] = "30,all",
    peers: Annotated[str, typer.Option(help="machines, or all to let people in.")] = "machines",
    combine: Annotated[
        str,
        typer.Option(metavar="METRICS", help="Judge every subset of these: all must agree."),
    ] = "",
    costs: Annotated[
        str, typer.Option(help="Of each kind of verdict; found and neither are 0.")
    ] = "missed=1,false=1,reversed=2",
    test: OneTestOption = "wilcoxon",
    statistic: StatisticOption = "w",
    correction: PairCorrectionOption = "none",
    alpha: AlphaOption = 0.05,
    resamples: ResamplesOption = 9999,
    draws: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="Draws of systems for intervals; 0 for none.")
    ] = 1000,
    lower: LowerOption = "",
    figures: FiguresOption = None,
    figure_form: FigureFormOption = "svg",
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell how far metrics agree with people on which systems differ significantly.

    Every pair of the best systems is tested twice, on the human scores and on the metric's. The
    defaults are those of the dissertation's chapter 7. Where the table has a column `collection`
    (a year), each year and task is judged by itself and all together.
    """
    from pyramidion.evaluation._verdicts.agreement import Costs
    from pyramidion.report.verdicts import VerdictsRequest, verdicts_answer

    request = VerdictsRequest(
        humans=listed(human),
        metrics=named(metric),
        tasks=listed(task),
        tops=_tops(top),
        peers=cast("Peers", peers),
        combined=listed(combine),
        costs=Costs.parse(costs),
        lower_is_better=listed(lower),
        options=verdict_options(test, correction, alpha, statistic, resamples, seed),
        n_resamples=draws,
    )
    with working(f"judging by {scores}"):
        answer = verdicts_answer(
            scores,
            request,
            source_format=source_format,
            figures=figures,
            figure_form=figure_form,
        )
    return emit(answer, format, output)


def _tops(text: str) -> tuple[int | None, ...]:
    """Read how many systems are wanted.

    Examples
    --------
    >>> _tops("30,all")
    (30, None)
    """
    words = listed(text) or ("all",)
    for word in words:
        if word != "all" and not (word.isdecimal() and int(word)):
            raise InputError(f"the number of top systems is {word!r}", hint="try --top 30,all")
    return tuple(None if word == "all" else int(word) for word in words)
