"""``pyramidion pyramid missed``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, listed, working
from pyramidion.cli.pyramid.options import (
    ReferencesOption,
    SourceArgument,
    SourceFormatOption,
    SystemOption,
    TaskOption,
    TopicOption,
)

__all__ = ["missed"]


def missed(
    source: SourceArgument,
    task: TaskOption = "",
    topic: TopicOption = "",
    system: SystemOption = "",
    least: Annotated[
        int | None,
        typer.Option(
            min=1,
            metavar="WEIGHT",
            help="From which weight a unit is heavy; by default the least that every optimal "
            "summary as long as a reference has.",
        ),
    ] = None,
    top: Annotated[
        int, typer.Option(min=1, help="How many are shown of each; --format csv has all.")
    ] = 10,
    references: ReferencesOption = True,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Diagnose summaries: the heavy content units they missed, and what they said instead."""
    from pyramidion.pyramid._source import Selection
    from pyramidion.report.pyramid_missed import pyramid_missed_answer

    selection = Selection(
        tasks=listed(task),
        topics=listed(topic),
        systems=listed(system),
        references=references,
        source_format=source_format,
    )
    with working(f"reading {source}"):
        answer = pyramid_missed_answer(source, selection, least=least, top=top)
    return emit(answer, format, output)
