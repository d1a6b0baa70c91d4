"""What a command is: a question, and what the command line adds to it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pyramidion.collection._files import write_text, writing_folder
from pyramidion.collection._ids import file_stem
from pyramidion.collection._options import Declared, declared, option
from pyramidion.collection._questions import Options, Question
from pyramidion.collection.formats._scores import require_scores_file, write_scores
from pyramidion.errors import InputError, Where
from pyramidion.report.charts.style import FigureForm, require_figure_file
from pyramidion.report.result import Chart, Form, Result

__all__ = ["Command", "FigureFile", "FigureFolder", "Output", "PageFile", "ScoreFile", "ScoreTable"]


@dataclass(frozen=True, slots=True)
class Output(Options):
    """Options of the command line that write files beside the answer."""

    def prepare(self) -> None:
        """Refuse, before any work, what cannot be written to."""

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Write the files, and tell which."""
        yield from ()

    def finish(self, result: Result[Any]) -> Result[Any]:
        """Give the answer that is printed, for options that change it."""
        return result

    def given(self) -> Mapping[str, Any]:
        """Give what the question must know of them: options of it that are not typed."""
        return {}

    def answer(self, form: Form, path: Path | None) -> tuple[Form, Path | None] | None:
        """Say in which form the answer is written, and where; None where a file has it."""
        return form, path

    def closing(self, result: Result[Any]) -> Iterator[str]:
        """Say what a person reads after the answer."""
        yield from ()


@dataclass(frozen=True, slots=True)
class FigureFolder(Output):
    """A folder for figures."""

    figures: Path | None = option(None, "Draw figures to this new folder.", metavar="FOLDER")
    figure_format: FigureForm = option("svg", "File format of the figures: svg, pdf or png.")

    def prepare(self) -> None:
        """Refuse a folder that has something in it."""
        there = self.figures
        if there is not None and there.exists() and (not there.is_dir() or any(there.iterdir())):
            raise InputError("the folder exists already", where=Where(there), hint="name another")

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Draw all charts, whole or not at all."""
        if self.figures is not None:
            from pyramidion.report.charts import save

            with writing_folder(self.figures) as new:
                taken: set[str] = set()
                for chart in result.charts:
                    stem = file_stem(chart.stem, taken=taken)
                    save(chart.draw(), new / f"{stem}.{self.figure_format}")
        yield from ()

    def finish(self, result: Result[Any]) -> Result[Any]:
        """Tell what the figures do not show."""
        if self.figures is None:
            return result
        undrawn = (line for chart in result.charts for line in chart.left_out)
        return replace(result, left_out=(*result.left_out, *undrawn))


@dataclass(frozen=True, slots=True)
class FigureFile(Output):
    """A file for one figure."""

    figure: Path | None = option(
        None, "Draw the figure to this file (.svg, .pdf or .png).", metavar="FILE"
    )

    def prepare(self) -> None:
        """Refuse a name that no figure can have."""
        if self.figure is not None:
            require_figure_file(self.figure)

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Draw the first chart."""
        if self.figure is not None:
            yield from draw_to(self.figure, result.charts[0])


@dataclass(frozen=True, slots=True)
class PageFile(Output):
    """A file for the result as one page."""

    html: Path | None = option(
        None, "Also write the result as a self-contained HTML page.", metavar="FILE"
    )

    def write(self, result: Result[Any]) -> Iterator[str]:
        """Write the page."""
        if self.html is not None and result.page is not None:
            write_text(self.html, result.page())
            yield f"wrote {self.html}"


@dataclass(frozen=True, slots=True)
class ScoreFile(Output):
    """A file for a table of scores, which the first option names."""

    @property
    def path(self) -> Path | None:
        """Where the scores go, if anywhere."""
        path: Path | None = getattr(self, fields(self)[0].name)
        return path

    def prepare(self) -> None:
        """Refuse a name that no table of scores can have."""
        require_scores_file(self.path)

    def write(self, result: Any) -> Iterator[str]:
        """Write the table."""
        if self.path is not None:
            write_scores(result.to_scores(), self.path)
            yield f"wrote {self.path}"


@dataclass(frozen=True, slots=True)
class ScoreTable(ScoreFile):
    """A file for the scores of every summary."""

    output: Path | None = option(
        None, "Write the scores of every summary to this file (.csv, .tsv, .jsonl or .parquet), "
        "for `pyramidion compare`.", flags=("--output", "-o"), metavar="FILE",
    )  # fmt: skip


def draw_to(path: Path, chart: Chart) -> Iterator[str]:
    """Draw a chart into a file, and tell so."""
    from pyramidion.report.charts import save

    save(chart.draw(), path)
    yield f"wrote {path}"


@dataclass(frozen=True, slots=True)
class Command:
    """A question as a command.

    Parameters
    ----------
    question
        A function made by `question`; it gives a `Result`, or None where it printed or wrote
        everything itself.
    doing
        What the progress bar says, with the options in braces: ``"comparing {source}"``.
    outputs
        Groups of options that write files beside the answer.
    answers
        Whether there are ``--format`` and ``--output`` for the answer.
    help
        What the command does, if the question's own docstring does not serve.
    """

    question: "Question[Any] | Callable[..., Any]"
    doing: str = ""
    outputs: tuple[type[Output], ...] = ()
    answers: bool = True
    help: str = ""

    @property
    def groups(self) -> dict[str, type[Options]]:
        """The question's groups of options, by the name of its parameter."""
        return dict(getattr(self.question, "groups", {}))

    @property
    def options(self) -> dict[Declared, str]:
        """The options that can be typed, each with the heading it stands under in the help."""
        kinds = (*self.groups.values(), *self.outputs)
        found = {one.name: (one, kind.panel) for kind in kinds for one in declared(kind)}
        return {one: panel for one, panel in found.values() if one.rules.get("typed")}
