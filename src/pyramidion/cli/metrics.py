"""``pyramidion metrics``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit

__all__ = ["metrics"]


def metrics(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A metric to tell more about.")
    ] = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """List the metrics that `score` computes and what they need, or describe one."""
    from pyramidion.report.metrics import metrics_answer

    return emit(metrics_answer(name), format, output)
