"""Options that several commands about pyramids share."""

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "FigureOption",
    "ReferencesOption",
    "SourceArgument",
    "SourceFormatOption",
    "SystemOption",
    "TaskOption",
    "TopicOption",
]

SourceArgument = Annotated[
    Path,
    typer.Argument(
        help="What holds pyramids, annotated peers or answers for content units: a .pyr or .pan "
        "file, a folder of them, a collection in any format."
    ),
]
TaskOption = Annotated[str, typer.Option(help="Which tasks, with commas; all by default.")]
TopicOption = Annotated[str, typer.Option(help="Which topics, with commas; all by default.")]
SystemOption = Annotated[str, typer.Option(help="Which systems, with commas; all by default.")]
ReferencesOption = Annotated[
    bool,
    typer.Option(
        "--references/--no-references",
        help="Take the pyramids' own references too, each measured by the others.",
    ),
]
SourceFormatOption = Annotated[
    str | None, typer.Option("--from", metavar="FORMAT", help="The source's format.")
]
FigureOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw it, too: a file that ends in .svg, .pdf or .png."),
]
