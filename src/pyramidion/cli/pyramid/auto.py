"""``pyramidion pyramid auto``: annotating and building pyramids without people."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from pyramidion.cli.house import FormatOption, OutputForm, emit, listed, say, working
from pyramidion.cli.pyramid.options import (
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

if TYPE_CHECKING:
    from pyramidion.report import Answer
    from pyramidion.report.pyramid_auto_files import AutoFiles

__all__ = ["auto"]

auto = typer.Typer(
    name="auto",
    help="Annotate summaries with pyramids automatically, or build pyramids from references.",
    no_args_is_help=True,
)

FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FOLDER", help="Write the peers' annotations into a new folder."
    ),
]
ToOption = Annotated[
    Literal["ducview", "collection"],
    typer.Option(
        "--to",
        help="What the folder is: ducview (.pyr and .pan files) or collection (all of the "
        "source, with these annotations and scores).",
    ),
]
ScoresOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Write a table of scores: .csv, .tsv, .jsonl or .parquet."),
]


ModelOption = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A model of similarity instead of the one shipped."),
]


@auto.command()
def match(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    gap: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Words allowed between two parts of a contributor, if not more in its source.",
        ),
    ] = 10,
    skip: Annotated[
        int, typer.Option(metavar="N", min=0, help="Foreign words allowed inside a part.")
    ] = 0,
    least: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Look up contributors of so many words or more."),
    ] = 1,
    nested: Annotated[
        bool,
        typer.Option("--nested", help="Count content units found only inside longer matches, too."),
    ] = False,
    which: Annotated[
        Literal["annotated", "all", "peers", "references"],
        typer.Option(
            "--of",
            help="Compare scores of peers, references or all; annotated means peers if any are "
            "annotated, else references.",
        ),
    ] = "annotated",
    topic: TopicOption = "",
    task: TaskOption = "",
    output: FolderOption = None,
    to: ToOption = "ducview",
    scores: ScoresOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
) -> int:
    """Annotate each summary with the words that annotators marked in the topic's others.

    Manual and automatic scores of annotated summaries are compared by topic and by assessor;
    summaries that nobody annotated get an automatic score.
    """
    from pyramidion.pyramid.matching import MatchRules
    from pyramidion.report.pyramid_auto import MatchRequest, match_answer
    from pyramidion.report.pyramid_auto_files import AutoFiles

    request = MatchRequest(
        rules=MatchRules(gap=gap, skip=skip, least=least, nested=nested),
        which=which,
        topics=listed(topic),
        tasks=listed(task),
        source_format=source_format,
    )
    files = AutoFiles(output, to, scores)
    with working(f"matching {source}"):
        answer = match_answer(source, request, files=files)
    return _told(answer, files, format)


@auto.command()
def similar(
    source: SourceArgument,
    model: ModelOption = None,
    topic: TopicOption = "",
    task: TaskOption = "",
    output: FolderOption = None,
    to: ToOption = "ducview",
    scores: ScoresOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
) -> int:
    """Annotate each summary by the similarity of its words to content units.

    No annotated peer is needed, and a list of content units serves as well as a pyramid.
    """
    from pyramidion.report.pyramid_auto_files import AutoFiles
    from pyramidion.report.pyramid_auto_similar import SimilarRequest, similar_answer

    request = SimilarRequest(model, listed(topic), listed(task), source_format)
    files = AutoFiles(output, to, scores)
    with working(f"annotating {source}"):
        answer = similar_answer(source, request, files=files)
    return _told(answer, files, format)


@auto.command()
def build(
    source: Annotated[
        Path,
        typer.Argument(help="What holds references: a collection in any format, .pyr files."),
    ],
    model: ModelOption = None,
    topic: TopicOption = "",
    task: TaskOption = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FOLDER", help="Write .pyr files into a new folder."
        ),
    ] = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
) -> int:
    """Build pyramids of references alone, by grouping what they say alike."""
    from pyramidion.report.pyramid_auto_build import build_answer
    from pyramidion.report.pyramid_auto_files import AutoFiles
    from pyramidion.report.pyramid_auto_similar import SimilarRequest

    request = SimilarRequest(model, listed(topic), listed(task), source_format)
    files = AutoFiles(output)
    with working(f"building pyramids of {source}"):
        answer = build_answer(source, request, files=files)
    return _told(answer, files, format)


def _told(answer: "Answer", files: "AutoFiles", form: OutputForm) -> int:
    for name in files.names:
        say(f"wrote {name}")
    return emit(answer, form)
