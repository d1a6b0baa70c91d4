"""``pyramidion study status``."""

from pathlib import Path
from typing import Annotated

import typer

from pyramidion.cli.house import (
    FormatOption,
    OutputForm,
    OutputOption,
    SeedOption,
    emit,
    say,
    working,
)
from pyramidion.cli.study.options import (
    SourceArgument,
    SourceFormatOption,
    TaskOption,
    TopicOption,
    request_of,
)

__all__ = ["status"]


def status(  # noqa: PLR0913, PLR0917 - one parameter an option is how typer works
    source: SourceArgument,
    pipeline: Annotated[
        str,
        typer.Option(metavar="NAME", help="What parses: light, or a spaCy pipeline or its folder."),
    ] = "",
    model: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A model that --save wrote, instead of the package's."),
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Train a model on these people, and write it."),
    ] = None,
    folds: Annotated[int, typer.Option(min=2, help="Parts of the cross-validation.")] = 20,
    topic: TopicOption = "",
    task: TaskOption = "",
    seed: SeedOption = 0,
    source_format: SourceFormatOption = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """Whom human summaries name and take for known, and how well that is told (Tables 5.2-5.5).

    People of the documents are labelled by the references: major if one of them names the person,
    hearer-old if most that do use a title and the last name, or the bare full name.
    """
    from pyramidion.report.study_status import status_answer
    from pyramidion.text.parsing import fallback_remark

    request = request_of(topic, task, source_format)
    with working(f"looking for people in {source}"):
        answer = status_answer(
            source, request, pipeline=pipeline, model=model, save=save, folds=folds, seed=seed
        )
    if remark := fallback_remark(pipeline):
        say(remark)
    return emit(answer, format, output)
