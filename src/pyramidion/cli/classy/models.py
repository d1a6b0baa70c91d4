"""``pyramidion classy models``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit

__all__ = ["models"]


def models(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[MODEL]", help="A published model, a model's file, or a folder of them."
        ),
    ] = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """List the sixteen published models, or show what is in a model."""
    from pyramidion.report.classy_models import models_answer

    return emit(models_answer(name), format, output)
