"""``pyramidion study vocabulary``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working
from pyramidion.cli.study.options import (
    AllWordsOption,
    FigureOption,
    SourceFormatOption,
    StemOption,
    TaskOption,
    TokenizerOption,
    TopicOption,
    request_of,
)

__all__ = ["vocabulary"]


def vocabulary(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    sources: Annotated[
        list[Path],
        typer.Argument(
            metavar="SRC...",
            help="A collection, whose references are a set for each topic; text files, which are "
            "one set; or folders of text files, each a set, or of such folders.",
        ),
    ],
    against: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="SRC", help="Sets to compare with, such as translations; may be repeated."
        ),
    ] = None,
    texts: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Take the first N texts of each set; as many as most have by default."
        ),
    ] = None,
    all_words: AllWordsOption = False,
    stem: StemOption = False,
    tokenizer: TokenizerOption = "unicode",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Words that one, two, ... all texts of a set have, and how the vocabulary grows.

    Summaries of one input share fewer words than translations of one text: people choose different
    content, not only different words (Tables 2.5 and 2.6, Figure 2.1). The tables of the thesis
    count stop words: --all-words.
    """
    from pyramidion.report.study_vocabulary import vocabulary_answer

    request = request_of(
        topic, task, source_format, all_words=all_words, stem=stem, tokenizer=tokenizer
    )
    with working(f"counting in {sources[0]}"):
        answer = vocabulary_answer(
            sources, request, against=against or (), texts=texts, figure=figure
        )
    return emit(answer, format, output)
