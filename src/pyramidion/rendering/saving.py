"""Files that a result can save, by command-line options or `Result.save`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from pyramidion.collection.formats.scores import require_scores_file, write_scores
from pyramidion.collection.ids import file_stem
from pyramidion.errors import InputError, Where
from pyramidion.files.writing import write_text, writing_folder
from pyramidion.questions import Options, OptionSpec, option
from pyramidion.questions.options import option_specs
from pyramidion.rendering.charts.style import FigureForm, require_figure_file, save


@dataclass(frozen=True, slots=True)
class Savable:
    """A file or folder that a result can save.

    Parameters
    ----------
    name
        The option that names the file, and the first argument of `Result.save`.
    help
        What the option does.
    writer
        Takes the result and the settings; returns a function that writes to a path. All files of a
        call are prepared this way before the first one is written.
    check
        Takes the path and the settings before the work, and rejects what cannot be written; the
        path is None if only a setting was given.
    settings
        Further options of the file.
    flags, metavar, default
        The flags and placeholder (see `option`), and the default path.
    left_out
        Lists the parts of the result that the file lacks, one line each.
    message
        Reported when the file is written, unless empty.
    for_parts
        Whether a question that works on a folder of parts writes to the path itself.
    instead_of_answer
        For an option that shares ``--output`` with the answer: whether a name means this file.
    answers
        Suffixes of ``--output`` that mean the printed answer, if this file is written in addition.

    Examples
    --------
    >>> notes = Savable("notes", "Write the notes to this file.", lambda result: print)
    >>> notes.save(None, "notes.txt")
    notes.txt
    """

    name: str
    help: str
    writer: Callable[..., Callable[[Path], object]]
    check: Callable[..., None] = lambda path: None
    settings: type[Options] = Options
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    default: Path | None = None
    left_out: Callable[[Any], Iterable[str]] = lambda result: ()
    message: Callable[[Any, Path], str] = lambda result, path: f"wrote {path}"
    for_parts: bool = False
    instead_of_answer: Callable[[str], bool] | None = None
    answers: tuple[str, ...] = ()

    def means_answer(self, name: str) -> bool:
        """Return whether a name is that of a file for the printed answer."""
        if self.instead_of_answer is not None:
            return not self.instead_of_answer(name)
        return "--output" in self.flags and Path(name).suffix in self.answers

    @property
    def options(self) -> tuple[OptionSpec, ...]:
        """The command-line options: the path, then the settings."""
        rules = {
            "help": self.help,
            "flags": self.flags,
            "metavar": self.metavar,
            "on_command_line": True,
        }
        # A trailing slash, which a path drops, distinguishes a folder from the answer.
        kind = Path if self.instead_of_answer is None else str
        path = OptionSpec(self.name, kind | None, self.default, rules)
        return (path, *option_specs(self.settings))

    def save(self, result: Any, path: str | Path, **settings: Any) -> None:
        """Check the path and write the file."""
        self.check(Path(path), **settings)
        self.writer(result, **settings)(Path(path))


def no_message(result: Any, path: Path) -> str:
    """Report nothing; a possible `Savable.message`."""
    return ""


@dataclass(frozen=True, slots=True)
class FigureSettings(Options):
    """How figures are written."""

    figure_format: FigureForm = option("svg", "File format of the figures: svg, pdf or png.")


def _figures_writer(result: Any, figure_format: FigureForm = "svg") -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        stems: set[str] = set()
        with writing_folder(folder) as new_folder:
            for chart in result.charts:
                save(
                    chart.draw(),
                    new_folder / f"{file_stem(chart.stem, used_names=stems)}.{figure_format}",
                )

    return write


def _require_new_folder(path: Path | None, figure_format: FigureForm = "svg") -> None:
    if path is not None and path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise InputError("the folder already exists", where=Where(path), hint="name another")


def _left_out_of_figures(result: Any) -> Iterable[str]:
    return (*(line for chart in result.charts for line in chart.left_out), *result.not_drawn)


def require_page_file(path: Path) -> None:
    """Refuse the name of a file that would not be a page."""
    if path.suffix.lower() in (".csv", ".json", ".md", ".pdf", ".tex", ".txt"):
        raise InputError("this is a page", "name a file that ends in .html", where=Where(path))


#: All figures, in a new folder.
FIGURE_FOLDER = Savable(
    "figures", "Draw figures to this new folder.", _figures_writer, _require_new_folder,
    settings=FigureSettings, metavar="FOLDER", left_out=_left_out_of_figures, message=no_message,
)  # fmt: skip

#: The main figure.
FIGURE_FILE = Savable(
    "figure", "Draw the figure to this file (.svg, .pdf or .png).",
    lambda result: partial(save, result.charts[0].draw()), require_figure_file,
    metavar="FILE", left_out=lambda result: result.charts[0].left_out,
)  # fmt: skip

#: The result as one page.
PAGE_FILE = Savable(
    "html", "Also write the result as a self-contained HTML page.",
    lambda result: partial(write_text, text=result.to_page()), require_page_file, metavar="FILE",
)  # fmt: skip

#: The scores of every summary, as `to_scores` returns them.
SCORE_FILE = Savable(
    "output", "Write the scores of every summary to this file (.csv, .tsv, .jsonl or .parquet), "
    "for `pyramidion compare`; or the printed output to FILE.txt, .md, .json or .tex.",
    lambda result: partial(write_scores, result.to_scores()), require_scores_file,
    flags=("--output", "-o"), metavar="FILE", answers=(".txt", ".md", ".json", ".tex"),
)  # fmt: skip
