"""``pyramidion demo``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, emit, say

__all__ = ["demo"]


def demo(
    folder: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FOLDER", help="Where the tour puts its files."),
    ] = Path("pyramidion-demo"),
    format: FormatOption = OutputForm.table,
) -> int:
    """Tour everything on the embedded collection, and leave its files to look at."""
    from pyramidion.demo.tour import tour

    answer = tour(folder)
    code = emit(answer, format)
    say(f"The files of this tour lie in {folder}/ :")
    for file in sorted(folder.iterdir()):
        say(f"  {file}{'/' if file.is_dir() else ''}")
    return code
