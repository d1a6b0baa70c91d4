"""``pyramidion pyramid agreement``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit, listed, say, working
from pyramidion.cli.pyramid.options import (
    FigureOption,
    SourceFormatOption,
    TaskOption,
    TopicOption,
)

__all__ = ["agreement"]

_HELP = "Peers annotated by {} person: a .pan file, a folder of them, or a collection."


def agreement(
    first: Annotated[Path, typer.Argument(metavar="A", help=_HELP.format("one"))],
    second: Annotated[Path, typer.Argument(metavar="B", help=_HELP.format("another"))],
    task: TaskOption = "",
    topic: TopicOption = "",
    peers: Annotated[bool, typer.Option("--peers", help="Also list every peer.")] = False,
    figure: FigureOption = None,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Tell how far two people agree who annotated the same peers with the same pyramids.

    Scott's pi, Cohen's kappa, Krippendorff's alpha and percent agreement on content units, with
    and without those of weight 1, and how far the scores differ.
    """
    from pyramidion.report.pyramid_agreement import AgreementRequest, agreement_answer

    request = AgreementRequest(peers, listed(topic), listed(task), source_format)
    with working(f"comparing {first} with {second}"):
        answer = agreement_answer(first, second, request, figure=figure)
    if figure is not None:
        say(f"wrote {figure}")
    return emit(answer, format, output)
