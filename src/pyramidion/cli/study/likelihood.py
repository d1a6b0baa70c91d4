"""``pyramidion study likelihood``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working
from pyramidion.cli.study.options import (
    AbsentOption,
    AllWordsOption,
    FigureOption,
    PeersOption,
    SourceArgument,
    SourceFormatOption,
    StemOption,
    TaskOption,
    TopicOption,
    request_of,
)

__all__ = ["likelihood"]


def likelihood(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    words: Annotated[
        int, typer.Option(metavar="N", help="Cut summaries to N words; 0 leaves them whole.")
    ] = 80,
    absent: AbsentOption = 0.0005,
    peers: PeersOption = None,
    all_words: AllWordsOption = False,
    stem: StemOption = True,
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """How likely people's and machines' summaries are under their input (Table 4.3).

    The logarithm of the multinomial probability of a summary's words, were they drawn from the
    input's; the metric multinomial-input on summaries of one length.
    """
    from pyramidion.report.study_likelihood import likelihood_answer

    request = request_of(topic, task, source_format, peers=peers, all_words=all_words, stem=stem)
    with working(f"scoring summaries of {source}"):
        answer = likelihood_answer(source, request, limit=words, absent=absent, figure=figure)
    return emit(answer, format, output)
