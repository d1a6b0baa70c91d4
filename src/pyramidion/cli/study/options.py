"""Options that several studies share, and how they become a request."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from pyramidion.cli.house import listed
from pyramidion.cli.pyramid.options import (
    FigureOption,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

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
