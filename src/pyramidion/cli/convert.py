"""``pyramidion convert``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working

__all__ = ["convert"]


def convert(
    source: Annotated[Path, typer.Argument(help="What to read: a file or folder.")],
    destination: Annotated[
        Path, typer.Argument(help="What to write; a name without an ending is a collection folder.")
    ],
    source_format: Annotated[
        str | None,
        typer.Option("--from", metavar="FORMAT", help="The source's format, if not guessed."),
    ] = None,
    destination_format: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="The destination's, if its name tells not."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a folder that exists already.")
    ] = False,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Convert between formats; what has no place in the destination is counted.

    Formats: collection, scores, pyramids, summaries, summeval, judged, realsumm, ducview, rouge,
    duc.
    """
    from pyramidion.report.conversion import convert_answer

    with working(f"converting {source}"):
        answer = convert_answer(
            source,
            destination,
            source_format=source_format,
            destination_format=destination_format,
            replace=force,
        )
    return emit(answer, format, output)
