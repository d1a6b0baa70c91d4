"""Options that several studies share, and how they become a request."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pyramidion.cli.house import listed

if TYPE_CHECKING:
    from pyramidion.report.study_source import StudyRequest
    from pyramidion.text import Tokenizer

__all__ = [
    "AllWordsOption",
    "FigureOption",
    "PeersOption",
    "SourceArgument",
    "SourceFormatOption",
    "StemOption",
    "TaskOption",
    "TokenizerOption",
    "TopicOption",
    "request_of",
]

SourceArgument = Annotated[Path, typer.Argument(metavar="SRC", help="A collection, in any format.")]
TaskOption = Annotated[str, typer.Option(help="Which tasks, with commas; all by default.")]
TopicOption = Annotated[str, typer.Option(help="Which topics, with commas; all by default.")]
SourceFormatOption = Annotated[
    str | None, typer.Option("--from", metavar="FORMAT", help="The source's format.")
]
FigureOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Draw it, too: a file that ends in .svg, .pdf or .png."),
]
PeersOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="More summaries to look at, for instance those `pyramidion summarize` wrote.",
    ),
]
AllWordsOption = Annotated[bool, typer.Option("--all-words", help="Count stop words, too.")]
StemOption = Annotated[bool, typer.Option("--stem/--no-stem", help="Forms of a word are one.")]
TokenizerOption = Annotated[
    str, typer.Option(metavar="NAME", help="unicode for any script, or rouge.")
]


def request_of(
    topic: str,
    task: str,
    source_format: str | None,
    *,
    peers: Path | None = None,
    all_words: bool = False,
    stem: bool = True,
    tokenizer: str = "unicode",
) -> "StudyRequest":
    """Make a request of what was typed.

    Examples
    --------
    >>> request_of("T1,T2", "", None).topics
    ('T1', 'T2')
    """
    from pyramidion.report.study_source import StudyRequest

    return StudyRequest(
        topics=listed(topic),
        tasks=listed(task),
        peers=peers,
        all_words=all_words,
        stem=stem,
        tokenizer=cast("Tokenizer", tokenizer),
        source_format=source_format,
    )
