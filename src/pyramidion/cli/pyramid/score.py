"""``pyramidion pyramid score``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pyramidion.cli.house import FormatOption, OutputForm, emit, listed, say, working
from pyramidion.cli.pyramid.options import (
    ReferencesOption,
    SourceArgument,
    SourceFormatOption,
    SystemOption,
    TaskOption,
    TopicOption,
)

__all__ = ["score"]


def score(
    source: SourceArgument,
    task: TaskOption = "",
    topic: TopicOption = "",
    system: SystemOption = "",
    references: ReferencesOption = True,
    workers: Annotated[
        Literal["majority", "each"],
        typer.Option(
            help="Where several people answered for a content unit: together, or each person."
        ),
    ] = "majority",
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="Write every summary's scores here, as .csv, .tsv, .jsonl or .parquet, "
            "for `pyramidion compare`.",
        ),
    ] = None,
) -> int:
    """Score summaries by their content units: original and modified score, precision, recall.

    Peers are scored by their pyramid, its own references by the others.
    """
    from pyramidion.pyramid._source import Selection
    from pyramidion.report.pyramid_scores import pyramid_score_answer

    selection = Selection(
        tasks=listed(task),
        topics=listed(topic),
        systems=listed(system),
        references=references,
        workers=workers,
        source_format=source_format,
    )
    with working(f"scoring {source}"):
        answer = pyramid_score_answer(source, selection, output=output)
    if output is not None:
        say(f"wrote {output}")
    return emit(answer, format)
