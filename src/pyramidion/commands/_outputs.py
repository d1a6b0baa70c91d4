"""What a command is: a question, and the files that the command line writes of its answer."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from pyramidion.collection._checks import address_name
from pyramidion.collection._files import write_text, writing_folder
from pyramidion.collection._ids import file_stem
from pyramidion.collection._options import Declared, declared, option
from pyramidion.collection._questions import Options, Question
from pyramidion.collection.formats._preferences import write_preferences
from pyramidion.collection.formats._scores import require_scores_file, write_scores
from pyramidion.errors import InputError, Where
from pyramidion.report.charts.style import FigureForm, require_figure_file
from pyramidion.report.result import Form, Result


@dataclass(frozen=True, slots=True)
class Output(Options):
    """Options of the command line that write files beside the answer."""

    def prepare(self) -> None:
        """Refuse, before any work, what cannot be written to."""

    def write(self, result: Any) -> Iterator[str]:
        """Write the files, and report which."""
        yield from ()

    def finish(self, result: Result[Any]) -> Result[Any]:
        """Return the answer that is printed, for options that change it."""
        return result

    def given(self) -> Mapping[str, Any]:
        """Return what the question must know of them: options of it that are not typed."""
        return {}

    def answer(self, form: Form, path: Path | None) -> tuple[Form, Path | None] | None:
        """Say in which form the answer is written, and where; None where a file has it."""
        return form, path

    def closing(self, result: Any) -> Iterator[str]:
        """Say what a person reads after the answer."""
        yield from ()


@dataclass(frozen=True, slots=True)
class Command:
    """A question as a command.

    The question is a function made by `question`; it gives a `Result`, or None where it printed or
    wrote everything itself. There are ``--format`` and ``--output`` for what `answers`.
    """

    question: "Question[Any] | Callable[..., Any]"
    doing: str = ""
    outputs: tuple[type[Output], ...] = ()
    answers: bool = True

    @property
    def groups(self) -> dict[str, type[Options]]:
        """The question's groups of options, by the name of its parameter."""
        return dict(getattr(self.question, "groups", {}))

    @property
    def options(self) -> dict[Declared, str]:
        """The options that can be typed, each with its heading in the help."""
        kinds = (*self.groups.values(), *self.outputs)
        found = {one.name: (one, kind.panel) for kind in kinds for one in declared(kind)}
        return {one: panel for one, panel in found.values() if one.rules.get("typed")}


def _without(result: Result[Any], *lines: str) -> Result[Any]:
    """Add lines on what else was left out."""
    return replace(result, left_out=(*result.left_out, *lines))


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

    def write(self, result: Any) -> Iterator[str]:
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
        """Add what the figures do not show."""
        if self.figures is None:
            return result
        undrawn = (line for chart in result.charts for line in chart.left_out)
        return _without(result, *undrawn, *result.undrawn)


@dataclass(frozen=True, slots=True)
class OneFile(Output):
    """A file or folder, which the first option names."""

    @property
    def path(self) -> Path | None:
        """Where the file goes, if anywhere."""
        path: Path | None = getattr(self, fields(self)[0].name)
        return path

    def save(self, result: Any, path: Path) -> None:
        """Write it."""

    def given(self) -> Mapping[str, Any]:
        """Let a question that works on parts write them there."""
        return {} if self.path is None else {"parts_to": str(self.path)}

    def write(self, result: Any) -> Iterator[str]:
        """Write it, if it is asked for, and report it."""
        if self.path is not None and not result.in_parts:
            self.save(result, self.path)
            yield f"wrote {self.path}"


@dataclass(frozen=True, slots=True)
class FigureFile(OneFile):
    """A file for one figure."""

    figure: Path | None = option(
        None, "Draw the figure to this file (.svg, .pdf or .png).", metavar="FILE"
    )

    def prepare(self) -> None:
        """Refuse a name that no figure can have."""
        if self.figure is not None:
            require_figure_file(self.figure)

    def save(self, result: Any, path: Path) -> None:
        """Draw the first chart."""
        from pyramidion.report.charts import save

        save(result.charts[0].draw(), path)


@dataclass(frozen=True, slots=True)
class StudyFigure(FigureFile):
    """A file for the figure of a study, written without a message."""

    def write(self, result: Any) -> Iterator[str]:
        """Draw the first chart."""
        if self.figure is not None:
            self.save(result, self.figure)
        yield from ()

    def finish(self, result: Result[Any]) -> Result[Any]:
        """Add what the figure does not show."""
        return result if self.figure is None else _without(result, *result.charts[0].left_out)


@dataclass(frozen=True, slots=True)
class ImportanceFigure(FigureFile):
    """A file for the figure of pyramids that have as many references."""

    def write(self, result: Any) -> Iterator[str]:
        """Draw the pyramids of the most references, and report which are not drawn."""
        yield from FigureFile.write(self, result)
        fewer = sorted({one.references for one in result if one.references})[:-1]
        if self.figure is not None and fewer:
            counts = ", ".join(map(str, fewer))
            yield f"left out: the figure: pyramids of {counts} references"


@dataclass(frozen=True, slots=True)
class PyramidFigure(FigureFile):
    """A file for the figure of one pyramid."""

    def write(self, result: Any) -> Iterator[str]:
        """Draw the pyramid, if it is the only one."""
        if self.figure is not None and len(result) > 1:
            there = "; ".join(address_name(*address) for address, _ in result.values[:3])
            what = f"one pyramid can be drawn at a time, and {len(result)} are chosen"
            raise InputError(f"{what} ({there}, ...)", hint="choose one with --topic and --task")
        yield from FigureFile.write(self, result)


@dataclass(frozen=True, slots=True)
class StabilityFigures(Output):
    """Files for errors and correlations, and for the scores of one topic's summaries."""

    figure: Path | None = option(
        None, "Draw errors and correlations to this file (.svg, .pdf or .png)."
    )
    scores_figure: Path | None = option(
        None, "Draw the scores of each summary of one topic to this file (.svg, .pdf or .png)."
    )
    pair: tuple[str, ...] = option(
        (), "Draw only the scores of these two summaries.", metavar="A,B"
    )

    def prepare(self) -> None:
        """Refuse, before any work, what cannot be drawn or written."""
        for file in filter(None, (self.figure, self.scores_figure)):
            require_figure_file(file)
        if self.pair and self.scores_figure is None:
            hint = "name a file for it with --scores-figure"
            raise InputError("a pair of summaries, and no figure of scores", hint=hint)
        if self.pair and len(set(self.pair)) != 2:
            hint = "name two of them with a comma between"
            raise InputError(f"{', '.join(self.pair)} is not a pair of summaries", hint=hint)

    def write(self, result: Any) -> Iterator[str]:
        """Draw what is asked for: all of it, or nothing if one cannot be drawn."""
        from pyramidion.report.charts import save

        if self.scores_figure is not None and len(result.topics) > 1:
            hint = "choose one with --topic and --task"
            raise InputError(f"{len(result.topics)} pyramids, and one figure of scores", hint=hint)
        draw = result.plot_pair if self.pair else lambda: result.plot("scores")
        scores = draw(*self.pair) if self.scores_figure is not None else None
        for file, figure in ((self.figure, None), (self.scores_figure, scores)):
            if file is not None:
                save(figure or result.plot("stability"), file)
                yield f"wrote {file}"


@dataclass(frozen=True, slots=True)
class PageFile(OneFile):
    """A file for the result as one page."""

    html: Path | None = option(
        None, "Also write the result as a self-contained HTML page.", metavar="FILE"
    )

    def save(self, result: Any, path: Path) -> None:
        """Write the page."""
        write_text(path, result.page())


@dataclass(frozen=True, slots=True)
class ReportFile(Output):
    """Where the page goes that compares systems."""

    output: Path = option(
        Path("report.html"), "HTML file to write.", flags=("--output", "-o"), metavar="FILE"
    )

    def write(self, result: Any) -> Iterator[str]:
        """Write the page."""
        yield f"wrote {result.save(self.output)}"


@dataclass(frozen=True, slots=True)
class ScoreFile(OneFile):
    """A file for a table of scores."""

    def prepare(self) -> None:
        """Refuse a name that no table of scores can have."""
        require_scores_file(self.path)

    def save(self, result: Any, path: Path) -> None:
        """Write the table."""
        write_scores(result.to_scores(), path)


@dataclass(frozen=True, slots=True)
class ScoreTable(ScoreFile):
    """A file for the scores of every summary."""

    output: Path | None = option(
        None, "Write the scores of every summary to this file (.csv, .tsv, .jsonl or .parquet), "
        "for `pyramidion compare`.", flags=("--output", "-o"), metavar="FILE",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PredictionFile(ScoreTable):
    """The same, or a folder of parts."""

    def prepare(self) -> None:
        """Leave it to the question, which knows whether there are parts."""


@dataclass(frozen=True, slots=True)
class PreferenceTable(ScoreFile):
    """A file for preferences."""

    preferences: Path | None = option(
        None, "Write preferences to this file (.csv, .tsv, .jsonl or .parquet), for `pyramidion "
        "preferences`.", metavar="FILE",
    )  # fmt: skip

    def save(self, result: Any, path: Path) -> None:
        """Write the table."""
        write_preferences(result.to_preferences(), path)


@dataclass(frozen=True, slots=True)
class HitsFile(ScoreFile):
    """A file for the vectors of hits."""

    hits: Path | None = option(
        None, "Write the hits to this file (.csv, .tsv, .jsonl or .parquet), one row per system "
        "and content unit.",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class ComponentScores(ScoreFile):
    """A file for the components' scores."""

    scores: Path | None = option(
        None, "Write the component scores of every summary to this file (.csv, .tsv, .jsonl or "
        ".parquet).", metavar="FILE",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PyramidFolder(OneFile):
    """A new folder for pyramids."""

    folder: Path | None = option(
        None, "Write the pyramids as .pyr files to this new folder.",
        flags=("--output", "-o"), metavar="FOLDER",
    )  # fmt: skip

    def prepare(self) -> None:
        """Refuse a folder that is there, unless it is one of parts, before the work."""
        there = self.folder is not None and self.folder.exists()
        if self.folder is not None and there and not (self.folder / "_done").is_dir():
            hint = "choose another name or remove it"
            raise InputError("the folder exists already", where=Where(self.folder), hint=hint)

    def save(self, result: Any, path: Path) -> None:
        """Write the folder."""
        result.found.save(path)


@dataclass(frozen=True, slots=True)
class AnnotationFiles(PyramidFolder):
    """A new folder for annotations, and a table of their scores."""

    folder: Path | None = option(
        None, "Write the annotations of peers to this new folder.",
        flags=("--output", "-o"), metavar="FOLDER",
    )  # fmt: skip
    to: Literal["ducview", "collection"] = option(
        "ducview", "Format of the output folder: ducview (.pyr and .pan files) or collection (the "
        "whole source, with these annotations and scores).",
    )  # fmt: skip
    scores: Path | None = option(
        None, "Write the automatic scores to this file (.csv, .tsv, .jsonl or .parquet)."
    )

    def prepare(self) -> None:
        """Refuse what cannot be written to."""
        PyramidFolder.prepare(self)
        require_scores_file(self.scores)

    def save(self, result: Any, path: Path) -> None:
        """Write the folder."""
        result.found.save(path, self.to)

    def write(self, result: Any) -> Iterator[str]:
        """Write the folder and the table."""
        yield from PyramidFolder.write(self, result)
        if self.scores is not None and result.in_parts:
            yield f"did not write {self.scores}: the scores are in the folder of parts"
        elif self.scores is not None:
            result.found.save_scores(self.scores)
            yield f"wrote {self.scores}"


@dataclass(frozen=True, slots=True)
class SimilarityFile(OneFile):
    """A file for a fitted model of similarity."""

    write_model: Path | None = option(
        None, "Write the fitted model to this file, for `pyramid auto SRC --model`.",
        flags=("--output", "-o"), metavar="FILE",
    )  # fmt: skip

    def save(self, result: Any, path: Path) -> None:
        """Write the model."""
        result.model.save(path)


@dataclass(frozen=True, slots=True)
class ChainsFile(OneFile):
    """A file for Markov chains of references to people."""

    chains_file: Path | None = option(
        None, "Write the Markov chains to this file, for `rewrite --later sampled --chains`.",
        flags=("--save",), metavar="FILE.json",
    )  # fmt: skip

    def prepare(self) -> None:
        """Refuse another kind of file."""
        if self.path is not None and self.path.suffix != ".json":
            hint = "end the name in .json"
            raise InputError("chains are written as JSON", where=Where(self.path), hint=hint)

    def save(self, result: Any, path: Path) -> None:
        """Write the chains."""
        result.save_chains(path)


@dataclass(frozen=True, slots=True)
class ModelFile(Output):
    """A file for a model of the status of people."""

    save: Path | None = option(
        None, "Train a model on the people in the data, and write it to this file."
    )

    def write(self, result: Any) -> Iterator[str]:
        """Train the model and write it, without a message."""
        if self.save is not None:
            result.train_model().save(self.save)
        yield from ()


@dataclass(frozen=True, slots=True)
class TourFiles(Output):
    """The files that the tour leaves."""

    def closing(self, result: Any) -> Iterator[str]:
        """List the files."""
        yield f"The files of this tour lie in {result.folder}/ :"
        for file in sorted(result.folder.iterdir()):
            yield f"  {file}{'/' if file.is_dir() else ''}"


#: What a file's ending says about its form; a text may hold any.
_FORMS: dict[str, Form] = {
    ".txt": "table", ".md": "table", ".json": "json", ".csv": "csv", ".tex": "latex",
}  # fmt: skip
_TEXTS = (".txt", ".md")


@dataclass(frozen=True, slots=True)
class Target:
    """A place for summaries: peers, or a text in some form."""

    path: Path
    peers: bool
    form: Form = "table"
    note: str = ""

    @classmethod
    def named(cls, output: str, form: Form | None) -> "Target":
        """Find out from a name, and the form that was asked for, what is to be written there."""
        path = Path(output)
        if path.suffix == ".jsonl":
            return cls(path, peers=True, note=_unheard(f"{path} gets the summaries", form))
        if output.endswith("/") or not path.suffix or path.is_dir():
            return cls(path, peers=True, note=_unheard(f"{path} becomes a collection", form))
        usual = _FORMS.get(path.suffix)
        if usual is None:
            what = "it is not clear whether this is to be a folder or a file"
            hint = f"write {path}/ for a folder, or end a file with .jsonl, {', '.join(_FORMS)}"
            raise InputError(what, where=Where(path), hint=hint)
        other = form not in (None, usual) and path.suffix not in _TEXTS
        note = f"{path} gets {form}, as --format says" if other else ""
        return cls(path, peers=False, form=form or usual, note=note)


def _unheard(what: str, form: Form | None) -> str:
    return f"{what}, whatever --format says" if form is not None else ""


@dataclass(frozen=True, slots=True)
class SummaryOutput(Output):
    """A text to read, on the screen or in a file, or peers."""

    form: Form | None = option(
        None, "Output format: table, json, csv or latex; by default from the ending of --output, "
        "else table.", flags=("--format",), metavar="NAME",
    )  # fmt: skip
    output: str | None = option(
        None, "Where to write: FILE.jsonl for the summaries as peers; a new FOLDER/ for the "
        "collection with the summaries, ready for `score`; FILE.txt, .md, .json, .csv or .tex"
        " for the printed output.", flags=("--output", "-o"), metavar="PATH",
    )  # fmt: skip

    @property
    def target(self) -> Target | None:
        """Where the summaries go, if not to standard output."""
        return None if self.output is None else Target.named(self.output, self.form)

    def given(self) -> Mapping[str, Any]:
        """Let the question write the peers, which it may refuse before it begins."""
        target = self.target
        return {"peers": target.path if target is not None and target.peers else None}

    def write(self, result: Any) -> Iterator[str]:
        """Return what the question wrote."""
        target = self.target
        if target is not None and target.note:
            yield target.note
        if target is not None and target.peers:
            yield from (f"left out: {line}" for line in result.left_out)
            if not result.in_parts:
                number = len(result)
                yield f"wrote {target.path}: {number} {'summary' if number == 1 else 'summaries'}"

    def answer(self, form: Form, path: Path | None) -> tuple[Form, Path | None] | None:
        """Print a text, or write it to its file."""
        target = self.target
        if target is None:
            return self.form or form, path
        return None if target.peers else (target.form, target.path)

    def closing(self, result: Result[Any]) -> Iterator[str]:
        """Sign what people read."""
        target = self.target
        if (target.form if target is not None else self.form or "table") == "table":
            yield str(result.signature)


@dataclass(frozen=True, slots=True)
class RewriteOutput(SummaryOutput):
    """The same for summaries that are rewritten; no name of theirs is a folder's."""

    output: str | None = option(
        None, "Where to write: FILE.jsonl for the summaries as peers, any other file for the "
        "printed output.", flags=("--output", "-o"), metavar="FILE",
    )  # fmt: skip

    @property
    def target(self) -> Target | None:
        """Where the summaries go, if not to standard output."""
        if self.output is None:
            return None
        path = Path(self.output)
        return Target(path, peers=path.suffix == ".jsonl", form=self.form or "table")

    def given(self) -> Mapping[str, Any]:
        """Give the question nothing."""
        return {}

    def write(self, result: Any) -> Iterator[str]:
        """Write the peers."""
        if self.target is not None and self.target.peers:
            result.save_peers(self.target.path)
        yield from SummaryOutput.write(self, result)
