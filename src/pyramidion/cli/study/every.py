"""``pyramidion study all``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working
from pyramidion.cli.study.options import (
    AllWordsOption,
    PeersOption,
    SourceArgument,
    SourceFormatOption,
    StemOption,
    TaskOption,
    TokenizerOption,
    TopicOption,
    request_of,
)

__all__ = ["every"]


def every(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    peers: PeersOption = None,
    all_words: AllWordsOption = False,
    stem: StemOption = True,
    tokenizer: TokenizerOption = "unicode",
    topic: TopicOption = "",
    task: TaskOption = "",
    figures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Draw them, too, into a new folder.")
    ] = None,
    figure_form: Annotated[str, typer.Option("--figure-format", help="svg, pdf or png.")] = "svg",
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Every study that the data allow, with its usual settings."""
    from pyramidion.report.study_all import study_all_answer

    request = request_of(
        topic, task, source_format,
        peers=peers, all_words=all_words, stem=stem, tokenizer=tokenizer,
    )  # fmt: skip
    with working(f"studying {source}"):
        answer = study_all_answer(source, request, figures=figures, form=figure_form)
    return emit(answer, format, output)
