"""``pyramidion pyramid tiers``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, listed, say, working
from pyramidion.cli.pyramid.options import (
    FigureOption,
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

__all__ = ["tiers"]


def tiers(
    source: SourceArgument,
    task: TaskOption = "",
    topic: TopicOption = "",
    examples: Annotated[
        int, typer.Option(min=0, help="How many labels of a tier are shown; --format json has all.")
    ] = 2,
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Show a pyramid's tiers: how many content units weigh how much, and which."""
    from pyramidion.pyramid._source import Selection
    from pyramidion.report.pyramid_tiers import pyramid_tiers_answer

    selection = Selection(tasks=listed(task), topics=listed(topic), source_format=source_format)
    with working(f"reading {source}"):
        answer = pyramid_tiers_answer(source, selection, examples=examples, figure=figure)
    if figure is not None:
        say(f"wrote {figure}")
    return emit(answer, format, output)
