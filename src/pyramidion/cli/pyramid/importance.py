"""``pyramidion pyramid importance``."""

from typing import Annotated, Literal

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, listed, say, working
from pyramidion.cli.pyramid.options import (
    FigureOption,
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

__all__ = ["importance"]


def importance(
    source: SourceArgument,
    all_words: Annotated[
        bool, typer.Option("--all-words", help="Count stop words, too, as the thesis' table does.")
    ] = False,
    stem: Annotated[bool, typer.Option("--stem", help="Count forms of a word as one.")] = False,
    tokenizer: Annotated[
        Literal["unicode", "rouge"],
        typer.Option(help="What a word is: unicode for any script, or as ROUGE has it."),
    ] = "unicode",
    topic: TopicOption = "",
    task: TaskOption = "",
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Count the content units, words and sentences that so many people chose; fit Zipf's law.

    Content units and words are counted by how many references have them, sentences of the input by
    how useful they were judged (relative-utility).
    """
    from pyramidion.report.pyramid_importance import ImportanceRequest, importance_answer

    request = ImportanceRequest(
        choose="all" if all_words else "content",
        stem=stem,
        tokenizer=tokenizer,
        topics=listed(topic),
        tasks=listed(task),
        source_format=source_format,
    )
    with working(f"counting in {source}"):
        answer = importance_answer(source, request, figure=figure)
    if figure is not None:
        say(f"wrote {figure}")
    return emit(answer, format, output)
