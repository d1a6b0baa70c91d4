"""The tour: the story of an evaluation as commands with answers, and the files that they use.

Other packages add scenes as entry points of the group ``pyramidion.tour_stops``.
"""

import csv
import io
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from pyramidion.cli import ask
from pyramidion.collection import Collection
from pyramidion.collection.formats import all_formats, write_collection
from pyramidion.demo._load import EVALUATION_FOLDER, load_demo, load_evaluation
from pyramidion.demo._scene import Chapter, Scene, play
from pyramidion.demo._scenes import SCENES
from pyramidion.errors import InputError, MissingExtraError, Where
from pyramidion.files.writing import write_text, writing_folder
from pyramidion.questions import Options, load_plugins, option, question
from pyramidion.rendering import Table
from pyramidion.rendering.prose import Prose
from pyramidion.rendering.result import Form, LazySequence, Result, signed

_README_FILE = "README.txt"
_README_START = "The files of Pyramidion's tour. They are written again each time.\n"

#: Formats of the collection: name, format (which may not be installed), and description.
_COLLECTION_FILES = (
    ("collection", "collection", "six topics with articles and references, to read and edit"),
    ("summaries.jsonl", "summaries", "the references alone, one per line"),
    ("scores.csv", "scores", "their judgments as a long table"),
    ("duc", "duc", "the same in NIST's layout: models, peers, documents"),
    ("rouge", "rouge", "a configuration for ROUGE with its files"),
    ("pyramids", "ducview", "the pyramids in DUCView's format"),
)

#: The evaluation of twelve systems.
_YEARS_FILE, _ANSWERS_FILE, _DRAFT_FILE, _REPORT_FILE = (
    "years.csv",
    "answers.csv",
    "draft.txt",
    "report.html",
)
_JUDGED_FILE = "judged.csv"
_LISTED_FILES = (
    *((name, about) for name, _, about in _COLLECTION_FILES),
    ("evaluation", "the collection with twelve systems: summaries, judgments, annotated peers"),
    (_YEARS_FILE, "two years of scores: three assessors, a model that judges, and metrics"),
    (_ANSWERS_FILE, "answers to checklists"),
    (
        _JUDGED_FILE,
        "the judgments of people as a table with column names of its own, for the tutorial",
    ),
    (_DRAFT_FILE, "a summary to rewrite"),
    (_REPORT_FILE, "the page that compares the systems: open it in a browser"),
)
_DRAFT_KEY = ("A", "P04", "Dogwood")
_REPORT_OPTIONS = ("-m", "responsiveness", "--resamples", "999")


@dataclass(frozen=True, slots=True)
class TourOptions(Options):
    """Where the tour writes its files."""

    folder: Path = option(
        Path("pyramidion-demo"), "Folder for the files of the tour; it must be new, or from an "
        "earlier tour, which is replaced.", flags=("--output", "-o"), metavar="FOLDER",
    )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tour(Result[Chapter]):
    """The chapters of the story, each played when it is first needed, and the folder of files."""

    folder: Path

    def closing(self, form: Form) -> Iterator[str]:
        """Name the folder of the files."""
        yield f"The files of this tour are in {self.folder}/; {_README_FILE} describes them."


@question
def tour(options: TourOptions) -> Tour:
    """Walk through a complete evaluation on built-in data, command by command; keep its files.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     first = tour(folder=f"{parent}/tour")[0]
    >>> first.rows[0][1]
    'summarize collection --topic P01 --task A --words 60'
    """
    evaluation = load_evaluation()
    left_out = _write_files(evaluation, options.folder)
    scenes = _scenes()
    headings = [scene.heading for scene in scenes]
    chapters = [
        cache(
            partial(
                play, scene, options.folder, opens_pages=headings.index(scene.heading) == number
            )
        )
        for number, scene in enumerate(scenes)
    ]
    return Tour(
        command="demo",
        signature=signed("demo", evaluation.data_hash),
        values=LazySequence(chapters),
        record=Chapter.to_record,
        tables=LazySequence([partial(_opening_text, options.folder), *chapters]),
        left_out=tuple(left_out),
        folder=options.folder,
    )


def _scenes() -> list[Scene]:
    """Return all scenes, those of other packages after the core's under the same heading."""
    plugin_scenes = (scene for _, scenes in load_plugins("tour_stops") for scene in scenes)
    scenes = [*SCENES, *plugin_scenes]
    headings = list(dict.fromkeys(scene.heading for scene in scenes))
    return sorted(scenes, key=lambda scene: headings.index(scene.heading))


def _opening_text(folder: Path) -> Table:
    sentences = (
        "Twelve invented systems summarized news, people and a language model judged them, and "
        "a few things went wrong.",
        f"To type the commands yourself: cd {folder}",
    )
    rows = tuple((sentence,) for sentence in sentences)
    return Prose(("text",), rows, title="The story of an evaluation")


def _write_judgments_table(evaluation: Collection, path: Path) -> None:
    """Write a table as organizers have it: one judgment per row, and names of their own."""
    texts = {summary.key: summary for summary in evaluation.summaries}
    people = {key: text for key, text in texts.items() if text.kind == "human"}
    gold = {key[:2]: text.plain for key, text in reversed(people.items())}
    rows: dict[tuple[str, ...], dict[str, float]] = {}
    for judgment in evaluation.scores:
        key = (judgment.task, judgment.topic, judgment.system)
        if judgment.kind == "machine" and judgment.assessor_kind == "person":
            measures = rows.setdefault((*key, judgment.assessor), {})
            measures[judgment.measure] = judgment.value
    csv_file = io.StringIO()
    table = csv.writer(csv_file, lineterminator="\n")
    table.writerow(["story", "team", "output", "gold", "rater", "content", "style"])
    for (task, topic, system, rater), values in rows.items():
        text, reference = texts[task, topic, system].plain, gold[task, topic]
        scores = (f"{values[name]:g}" for name in ("responsiveness", "readability"))
        table.writerow([f"{topic}-{task}", system, text, reference, rater, *scores])
    write_text(path, csv_file.getvalue())


def _write_report(folder: Path) -> list[str]:
    """Write the page that compares the systems, and report missing packages."""
    try:
        ask(
            [
                "report",
                str(folder / _YEARS_FILE),
                *_REPORT_OPTIONS,
                "-o",
                str(folder / _REPORT_FILE),
            ]
        )
    except MissingExtraError as error:
        return [f"{_REPORT_FILE}: {error}"]
    return []


def _write_files(evaluation: Collection, folder: Path) -> list[str]:
    readme = folder / _README_FILE
    is_tour_folder = readme.is_file() and readme.read_text(encoding="utf-8").startswith(
        _README_START
    )
    if folder.exists() and not folder.is_dir():
        raise InputError(
            "this is a file", where=Where(folder), hint="choose a folder with --output"
        )
    if folder.exists() and any(folder.iterdir()) and not is_tour_folder:
        problem = "the folder exists and is not from an earlier tour"
        raise InputError(problem, where=Where(folder), hint="choose another with --output")
    collection = load_demo()
    with writing_folder(folder, replace=True) as new_folder:
        installed_formats = {format.name for format in all_formats()}
        for name, format, _ in _COLLECTION_FILES:
            if format in installed_formats:
                write_collection(collection, new_folder / name, format=format)
        write_collection(evaluation, new_folder / "evaluation")
        for name in (_YEARS_FILE, _ANSWERS_FILE):
            shutil.copyfile(EVALUATION_FOLDER / name, new_folder / name)
        [draft] = (summary for summary in evaluation.summaries if summary.key == _DRAFT_KEY)
        write_text(new_folder / _DRAFT_FILE, f"{draft.plain}\n")
        _write_judgments_table(evaluation, new_folder / _JUDGED_FILE)
        left_out = _write_report(new_folder)
        lines = (
            f"{name}: {description}\n"
            for name, description in _LISTED_FILES
            if (new_folder / name).exists()
        )
        write_text(
            new_folder / _README_FILE, _README_START + "".join(lines) + f"\n{collection.notice}\n"
        )
    return left_out
