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
    "AbsentOption",
    "AllWordsOption",
    "FigureOption",
    "PeersOption",
    "SourceArgument",
    "SourceFormatOption",
    "StemOption",
    "TaskOption",
    "TokenizerOption",
    "TopOption",
    "TopicOption",
    "numbers_of",
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
TopOption = Annotated[
    str, typer.Option("--top", metavar="NUMBERS", help="How many most frequent ones, with commas.")
]
AbsentOption = Annotated[
    float,
    typer.Option(
        metavar="N", help="A word that the input lacks is as likely as one that is there N times."
    ),
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


def numbers_of(text: str) -> tuple[int, ...]:
    """Read whole numbers with commas between them.

    Examples
    --------
    >>> numbers_of("5, 8,12")
    (5, 8, 12)
    """
    from pyramidion.errors import InputError

    try:
        return tuple(map(int, listed(text)))
    except ValueError:
        raise InputError(
            f"{text!r} are no whole numbers", hint="write them with commas, such as 5,8,12"
        ) from None
