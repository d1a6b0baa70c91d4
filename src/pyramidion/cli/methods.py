"""``pyramidion methods``."""

from typing import Annotated

import typer

from pyramidion.cli.house import FormatOption, OutputForm, OutputOption, emit

__all__ = ["methods"]


def methods(
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="A method to tell more about.")
    ] = None,
    format: FormatOption = OutputForm.table,
    output: OutputOption = None,
) -> int:
    """List the methods that `summarize` knows and their options, or describe one."""
    from pyramidion.report.summarizer_list import methods_answer

    return emit(methods_answer(name), format, output)
