"""The rules of the house, in one place: output, errors, exit codes, shared options."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pyramidion.report import Answer

__all__ = [
    "FormatOption",
    "OutputForm",
    "OutputOption",
    "SeedOption",
    "emit",
    "listed",
    "say",
    "working",
]


class OutputForm(StrEnum):
    """The forms of ``--format``."""

    table = "table"
    json = "json"
    csv = "csv"
    latex = "latex"


FormatOption = Annotated[
    OutputForm, typer.Option("--format", help="How the answer is written to standard output.")
]
OutputOption = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", metavar="FILE", help="Write the answer here instead, whole or not at all."
    ),
]

SeedOption = Annotated[
    int, typer.Option("--seed", min=0, help="Where chance begins; results repeat.")
]


def emit(answer: "Answer", form: OutputForm, output: Path | None = None) -> int:
    """Write an answer to standard output or a file, and give the exit code.

    Parameters
    ----------
    answer
        The answer.
    form
        The form it is written in.
    output
        A file instead of standard output.
    """
    for line in answer.left_out:
        say(f"left out: {line}")
    if output is not None:
        from pyramidion.collection.files import write_text

        write_text(output, answer.written(form.value))
        say(f"wrote {output}")
    else:
        on_terminal = sys.stdout.isatty()
        width = os.get_terminal_size().columns if on_terminal else None
        try:
            for piece in answer.pieces(form.value, width=width, styled=on_terminal):
                sys.stdout.write(piece)
                sys.stdout.flush()
        except BrokenPipeError:
            # Here, because the library that reads options would make it exit code 1.
            _stop_writing()
    return 0 if answer.yes else 1


def _stop_writing() -> None:
    """Whoever read the output has seen enough; the interpreter must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def listed(text: str) -> tuple[str, ...]:
    """Read words with commas between them; commas in brackets belong to a word.

    Examples
    --------
    >>> listed("wilcoxon, paired-t"), listed("rouge-2,bleu(n=2,stem)")
    (('wilcoxon', 'paired-t'), ('rouge-2', 'bleu(n=2,stem)'))
    """
    from pyramidion.collection.ids import split_names

    return tuple(split_names(text))


def say(message: str) -> None:
    """Talk to the person at the terminal, not to the program that reads the data."""
    print(message, file=sys.stderr)


@contextmanager
def working(message: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar and the time while work is going on, where a person is looking.

    The bar moves; it fills where what is given is told how much is done, and of how much.
    """
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    bar = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[counted]}"))
    console = Console(stderr=True)
    with Progress(*bar, TimeElapsedColumn(), console=console, transient=True) as progress:
        task = progress.add_task(message, total=None, counted="")

        def show(done: int, total: int) -> None:
            progress.update(task, completed=done, total=total, counted=f"{done} of {total}")

        yield show
