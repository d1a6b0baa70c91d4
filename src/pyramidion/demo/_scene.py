"""A scene of the story: a command, an excerpt of its answer, and the conclusion."""

import io
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyramidion.cli import ask
from pyramidion.errors import MissingExtraError
from pyramidion.rendering import Table

#: The width of a terminal that does not report it; longer lines are hard to read.
_TEXT_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Scene:
    """A command that the demonstration runs, and what it concludes from the answer.

    Packages add scenes with an entry point of the group ``pyramidion.tour_stops``, whose value is
    a sequence of them.

    Parameters
    ----------
    heading
        The heading of the command in ``pyramidion --help``.
    question
        What the command is to answer.
    command
        What to type after ``pyramidion``, in the folder of the tour.
    show
        Returns a short table of the command's result, such as an `excerpt`.
    conclude
        Returns the conclusion from the command's result, in a sentence or two.

    Examples
    --------
    >>> Scene(
    ...     "Data", "What is in the collection?", "describe collection",
    ...     show=lambda result: excerpt(result.tables[0], ("", "number")),
    ...     conclude=lambda result: f"It has {result[0].topics} topics.",
    ... ).command
    'describe collection'
    """

    heading: str
    question: str
    command: str
    show: Callable[[Any], Table]
    conclude: Callable[[Any], str]


def excerpt(
    table: Table, columns: tuple[str, ...], rows: int = 6, where: tuple[str, str] | None = None
) -> Table:
    """Return some columns and the first rows of a table, without title and notes.

    Parameters
    ----------
    table
        The table of a result.
    columns
        The names of the columns.
    rows
        The number of rows.
    where
        A column and the value that it has in the rows to keep.

    Examples
    --------
    >>> table = Table(("system", "n", "mean"), (("x", 3, 0.5), ("y", 3, 0.25)))
    >>> print(excerpt(table, ("system", "mean"), rows=1).to_text(), end="")
     system    mean
     ──────────────
     x        0.500
    <BLANKLINE>
    ... and 1 more.
    """
    column, value = where or (table.columns[0], None)
    column_index = table.columns.index(column)
    matching_rows = tuple(row for row in table.rows if value in (None, row[column_index]))
    n_more = len(matching_rows) - rows
    note = f"... and {n_more} more." if n_more > 0 else ""
    short_table = Table(table.columns, matching_rows[:rows], note=note, digits=min(table.digits, 3))
    return short_table.take([table.columns.index(name) for name in columns])


@dataclass(frozen=True, slots=True)
class Chapter(Table):
    """A scene that was played: a row of command and conclusion, shown with the answer.

    Parameters
    ----------
    question
        What the command is to answer.
    answer
        An excerpt of the answer; None if the scene was skipped.
    opens
        Whether it is the first scene under its heading.
    """

    question: str = ""
    answer: Table | None = None
    opens: bool = False

    def to_text(self, *, width: int | None = None, styled: bool = False) -> str:
        """Write it for a terminal: question, command, answer, conclusion."""
        from rich.console import Console
        from rich.rule import Rule
        from rich.table import Table as Grid
        from rich.text import Text

        heading, command, conclusion = map(str, self.rows[0])
        columns = min(width or _TEXT_WIDTH, _TEXT_WIDTH)
        stream = io.StringIO()
        console = Console(
            file=stream, width=columns, force_terminal=styled, no_color=not styled,
            color_system="auto" if styled else None, highlight=False, markup=False, emoji=False,
        )  # fmt: skip
        if self.opens:
            console.print(Rule(Text(heading, style="bold"), align="left", style="cyan"))
            console.print()
        console.print(self.question)
        console.print(f"$ pyramidion {command}", style="bold cyan", soft_wrap=True)
        if self.answer is None:
            console.print()
        else:
            stream.write(self.answer.to_text(width=columns, styled=styled) + "\n")
        grid = Grid.grid(padding=(0, 1))
        grid.add_row("→", conclusion)
        console.print(grid, style="bold green")
        return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"

    def to_markdown(self) -> str:
        """Write the command as code, the answer as a table, and the conclusion below."""
        heading, command, conclusion = map(str, self.rows[0])
        title = f"## {heading}\n\n" if self.opens else ""
        answer = f"{self.answer.to_markdown()}\n" if self.answer is not None else ""
        code = f"```shell\npyramidion {command}\n```"
        return f"{title}{self.question}\n\n{code}\n\n{answer}**{conclusion}**\n"

    def to_record(self) -> dict[str, Any]:
        """Return the chapter as a JSON-serializable record."""
        record = dict(zip(self.columns, self.rows[0], strict=True))
        answer = [] if self.answer is None else self.answer.to_records()
        return {**record, "question": self.question, "answer": answer}


def play(scene: Scene, folder: Path, *, opens_pages: bool) -> Chapter:
    """Run the command of a scene in a folder, and conclude from its answer."""
    file_names = {path.name for path in folder.iterdir()}
    words = (
        str(folder / word) if word in file_names else word for word in shlex.split(scene.command)
    )
    answer: Table | None = None
    try:
        result = ask([*words])
        answer, conclusion = scene.show(result), scene.conclude(result)
    except MissingExtraError as error:
        conclusion = f"Skipped: {error}"
    columns = ("heading", "command", "conclusion")
    row = (scene.heading, scene.command, conclusion)
    return Chapter(columns, (row,), question=scene.question, answer=answer, opens=opens_pages)
