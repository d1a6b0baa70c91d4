"""``pyramidion pyramid optimal``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, listed, working
from pyramidion.cli.pyramid.options import (
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

__all__ = ["optimal"]


def optimal(
    source: SourceArgument,
    size: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="X",
            help="How many content units; a reference's mean, rounded half up, by default.",
        ),
    ] = None,
    task: TaskOption = "",
    topic: TopicOption = "",
    examples: Annotated[int, typer.Option(min=0, max=1000, help="How many are shown.")] = 2,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell how many summaries of X content units are optimal, and show some."""
    from pyramidion.pyramid._source import Selection
    from pyramidion.report.pyramid_optimal import pyramid_optimal_answer

    selection = Selection(tasks=listed(task), topics=listed(topic), source_format=source_format)
    with working(f"reading {source}"):
        answer = pyramid_optimal_answer(source, selection, size=size, examples=examples)
    return emit(answer, format, output)
