"""``pyramidion study quality``, ``systems`` and ``utility``: what people judged."""

from typing import Annotated

import typer

from pyramidion.cli._old_options import MeasuresOption
from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    listed,
    working,
)
from pyramidion.cli.study.options import (
    FigureOption,
    PeersOption,
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
    request_of,
)

__all__ = ["quality", "systems", "utility"]


def quality(
    source: SourceArgument,
    measures: MeasuresOption = "",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Give the fraction of summaries judged very poor, poor, ... very good (Tables 2.3, 2.4)."""
    from pyramidion.report.study_quality import quality_answer

    request = request_of(topic, task, source_format)
    with working(f"counting judgments of {source}"):
        answer = quality_answer(source, request, measures=listed(measures), figure=figure)
    return emit(answer, format, output)


def systems(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    measures: MeasuresOption = "",
    baseline: Annotated[
        str | None, typer.Option(metavar="SYSTEM", help="List the pairs with this system only.")
    ] = None,
    confidence: Annotated[
        float, typer.Option(metavar="LEVEL", help="Of all intervals together.")
    ] = 0.95,
    draws: Annotated[
        int, typer.Option(min=100, max=10_000_000, help="Of the simulation; the thesis has 12616.")
    ] = 100_000,
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    seed: SeedOption = 0,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Systems and inputs as factors of a score, and which systems differ (Tables 2.1, 2.2).

    A two-way analysis of variance without interaction; simulated intervals for the differences of
    all pairs, which hold all at once. Systems that share no topic are analysed apart.
    """
    from pyramidion.report.study_systems import SystemsRequest, systems_answer

    wanted = SystemsRequest(listed(measures), baseline, confidence, draws, seed)
    request = request_of(topic, task, source_format)
    with working(f"analysing scores of {source}"):
        answer = systems_answer(source, request, wanted, figure=figure)
    return emit(answer, format, output)


def utility(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    measure: Annotated[str, typer.Option(help="The judgments of sentences.")] = "relative-utility",
    extract: Annotated[
        str,
        typer.Option(
            metavar="SENTENCES", help="Score an extract, too: document/number, with commas."
        ),
    ] = "",
    sentences: Annotated[
        int, typer.Option(metavar="N", help="Score the first N sentences of the documents in turn.")
    ] = 5,
    peers: PeersOption = None,
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Relative utility: how useful sentences are, and what extracts are worth (Table 2.7).

    A sentence's mark, 0 to 10, is the rounded mean of its judges'. Machines' summaries that consist
    of judged sentences are scored as extracts.
    """
    from pyramidion.report.study_utility import utility_answer

    request = request_of(topic, task, source_format, peers=peers)
    with working(f"scoring extracts of {source}"):
        answer = utility_answer(
            source, request,
            measure=measure, extract=listed(extract), sentences=sentences, figure=figure,
        )  # fmt: skip
    return emit(answer, format, output)
