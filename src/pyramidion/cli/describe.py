"""``pyramidion describe``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, working

__all__ = ["describe"]


def describe(
    collection: Annotated[
        Path, typer.Argument(help="A collection: a folder or file in any format `convert` reads.")
    ],
    source_format: Annotated[
        str | None, typer.Option("--from", metavar="FORMAT", help="Its format, if not guessed.")
    ] = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Show what is in a collection, and everything that is missing or inconsistent.

    The exit code is 1 if anything is.
    """
    from pyramidion.collection.formats import read_collection
    from pyramidion.report.description import describe_answer

    with working(f"reading {collection}"):
        answer = describe_answer(read_collection(collection, format=source_format, strict=False))
    return emit(answer, format, output)
