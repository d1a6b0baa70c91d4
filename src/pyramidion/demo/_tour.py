"""The tour of the toolkit on the embedded collection.

Each stop is a function from the collection to tables. Other packages add stops as entry points of
the group ``pyramidion.tour_stops``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.checks import describe
from pyramidion.collection import Collection, ScoreMatrix, Scores
from pyramidion.collection.files import write_text, writing_folder
from pyramidion.collection.formats import all_formats, write_collection
from pyramidion.comparison import compare, report_page
from pyramidion.comparison._view import ranking_table
from pyramidion.demo import load_demo
from pyramidion.errors import InputError, MissingExtraError, Where
from pyramidion.metrics import score_collection
from pyramidion.metrics.registry import resolve_metrics
from pyramidion.metrics.system_means import SystemMeans, means_table
from pyramidion.questions import Options, load_plugins, option, question
from pyramidion.rendering import Cell, Table
from pyramidion.rendering.prose import Prose
from pyramidion.rendering.result import Form, Result, signed
from pyramidion.summarizers import summarize_collection
from pyramidion.text import is_stop_word, split_sentences, stem, tokenize

_TOPIC, _TASK = "P01", "A"
_METHODS = ("lead", "first", "random", "sum-avr", "sum-avr(context=off)", "lexrank", "coverage")
_METHOD = "sum-avr"
_MEASURES = ("rouge-1-r", "rouge-2-r", "rouge-su4-r")
_ROUGE = ("rouge-1-r", "rouge-2-r", "rouge-su4-r", "rouge-l-r")
_OTHERS = ("bleu", "memog", "js-references", "js-input", "signature-coverage", "sentence-length")
_README = "README.txt"
_ABOUT = "The files of Pyramidion's tour. They are written again each time.\n"

#: The files of the tour: name, format, which may not be installed, and description.
_FILES = (
    ("collection", "collection", "the whole collection, to read and edit by hand"),
    ("summaries.jsonl", "summaries", "the summaries alone, one per line"),
    ("scores.csv", "scores", "the judgments as a long table"),
    ("duc", "duc", "the same in NIST's layout: models, peers, documents"),
    ("rouge", "rouge", "a configuration for ROUGE with its files"),
    ("pyramids", "ducview", "the pyramids in DUCView's format"),
)

_MACHINES, _REPORT = "machines", "report.html"
_LISTED = (
    *((name, about) for name, _, about in _FILES),
    (_MACHINES, "the collection with summaries by machines: score and compare them"),
    (_REPORT, "the page that compares the people: open it in a browser"),
)


@dataclass(frozen=True, slots=True)
class TourOptions(Options):
    """Where the tour writes its files."""

    folder: Path = option(
        Path("pyramidion-demo"), "Folder for the files of the tour; it must be new, or from an "
        "earlier tour, which is replaced.", flags=("--output", "-o"), metavar="FOLDER",
    )  # fmt: skip


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tour(Result[Table]):
    """The tables of the tour, and the folder of its files."""

    folder: Path

    def closing(self, form: Form) -> Iterator[str]:
        """List the files."""
        yield f"The files of this tour are in {self.folder}/:"
        for file in sorted(self.folder.iterdir()):
            yield f"  {file}{'/' if file.is_dir() else ''}"


@question
def tour(options: TourOptions) -> Tour:
    """Tour every command on a small built-in collection, and keep the files it writes.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as parent:
    ...     result = tour(folder=f"{parent}/tour")
    >>> result.tables[0].title
    'The Pyramidion demonstration collection'
    """
    collection = load_demo()
    left_out = _write_files(collection, options.folder)
    added = (stop for _, stop in load_plugins("tour_stops"))
    tables = [table for stop in (*STOPS, *added) for table in stop(collection)]
    return Tour(
        command="demo",
        signature=signed("demo", collection.data_hash),
        values=tables,
        record=_record,
        tables=[*tables, _files_table(options.folder)],
        left_out=tuple(left_out),
        folder=options.folder,
    )


def _record(table: Table) -> dict[str, Any]:
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"title": table.title, "rows": rows}


def _overview(collection: Collection) -> tuple[Table, ...]:
    return tuple(describe(collection).tables)


def _sentences(collection: Collection) -> tuple[Table, ...]:
    """Show an article as sentences, with and without its dateline."""
    article = collection.topic(_TOPIC).documents[0]
    as_written = split_sentences(article.text)
    clean = split_sentences(article.text, boilerplate="strip")
    rows = ((1, "as written", as_written[0]), (1, "without boilerplate", clean[0]))
    note = f"The article has {len(as_written)} sentences."
    return (Table(("no.", "", "sentence"), rows, title=f"Sentences of {article.id}", note=note),)


def _words(collection: Collection) -> tuple[Table, ...]:
    """Show a reference's first words under the two tokenizers, stemmed, and without stop words."""
    summary = collection.references(_TOPIC, _TASK)[0]
    sentence = split_sentences(summary.plain)[0]
    tokens = tokenize(sentence)
    rows = (
        ("text", sentence),
        ("rouge", " ".join(tokens)),
        ("unicode", " ".join(tokenize(sentence, "unicode"))),
        ("stems", " ".join(map(stem, tokens))),
        ("no stop words", " ".join(token for token in tokens if not is_stop_word(token))),
    )
    title = f"Words of {summary.system}'s summary of {_TOPIC}, task {_TASK}"
    return (Table(("form", "first sentence"), rows, title=title),)


def _pyramid(collection: Collection) -> tuple[Table, ...]:
    """Show a pyramid's tiers with an example of each."""
    pyramid = collection.pyramids[_TASK, _TOPIC]
    tiers = pyramid.tiers().items()
    rows = tuple((w, len(scus), "; ".join(scu.label for scu in scus[:3])) for w, scus in tiers)
    title = f"Pyramid of {_TOPIC}, task {_TASK}: content units by how many references express them"
    return (Table(("weight", "units", "for instance"), rows, title=title),)


def _judgments(collection: Collection) -> tuple[Table, ...]:
    """Show judgments as topics x systems, averaged over assessors."""
    matrix = ScoreMatrix.from_scores(collection.scores, "responsiveness", task=_TASK)
    rows: list[tuple[Cell, ...]] = [
        (topic, *map(float, row)) for topic, row in zip(matrix.topics, matrix.values, strict=True)
    ]
    rows.append(("mean", *map(float, matrix.means())))
    title = f"Responsiveness of the references, task {_TASK} (mean of two assessors)"
    note = "Each person wrote for half of the topics, as at TAC; – is a missing value."
    columns = ("topic", *matrix.systems)
    return (Table(columns, tuple(rows), title=title, note=note, digits=2),)


def _rouge(collection: Collection) -> tuple[Table, ...]:
    """Score every person's summaries against the other three, and average."""
    scores = _rouge_scores(collection)
    pairs = [(measure, task) for measure in _ROUGE for task in scores.distinct("task")]
    matrices = [ScoreMatrix.from_scores(scores, measure, task=task) for measure, task in pairs]
    means = [dict(zip(matrix.systems, matrix.means().tolist(), strict=True)) for matrix in matrices]
    rows = tuple((name, *(by_system[name] for by_system in means)) for name in matrices[0].systems)
    columns = ("person", *(f"{measure} {task}" for measure, task in pairs))
    title = "ROUGE of each person against the others, stemmed, tasks A and B"
    return (Table(columns, rows, title=title),)


def _rouge_scores(collection: Collection) -> Scores:
    return score_collection(collection, resolve_metrics(_ROUGE, {"stem": True})).scores


def _metrics(collection: Collection) -> tuple[Table, ...]:
    """Show how different metrics score the references of one topic."""
    metrics = resolve_metrics(_OTHERS)
    result = score_collection(collection, metrics)
    chosen = np.array([s.topic == _TOPIC and s.task == _TASK for s in result.summaries])
    values = result.values[chosen]
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, "more" if metric.higher_is_better else "less", *values[:, column].tolist())
        for column, (name, metric) in enumerate(metrics.items())
    )
    columns = ("metric", "better is", *(s.system for s in compress(result.summaries, chosen)))
    title = f"Other metrics of the references of {_TOPIC}, task {_TASK}"
    return (Table(columns, rows, title=title, note="`pyramidion metrics` lists all."),)


def _comparison(collection: Collection) -> tuple[Table, ...]:
    """Compare people; with three topics each, no difference is significant."""
    matrix = ScoreMatrix.from_scores(collection.scores, "responsiveness", task=_TASK)
    return tuple(compare(matrix).tables[:2])


def with_machines(collection: Collection) -> Collection:
    """Add summaries by a few methods to a collection."""
    return summarize_collection(collection, method=_METHODS).to_collection()


def _machines(collection: Collection) -> tuple[Table, ...]:
    """Summarize, score and compare: a summary, each method's scores, and whether they differ."""
    machines = with_machines(collection)
    [shown] = (s for s in machines.summaries if s.key == (_TASK, _TOPIC, _METHOD))
    title = f"Summary of {_TOPIC}, task {_TASK}, by {_METHOD}"
    rows = tuple((sentence,) for sentence in shown.text)
    return Prose(("text",), rows, title=title), *_scored(machines)


def _scored(collection: Collection) -> tuple[Table, Table]:
    result = score_collection(collection, resolve_metrics(_MEASURES, {"stem": True}))
    by_machines = np.array([summary.kind == "machine" for summary in result.summaries])
    means = SystemMeans()
    means.add([*compress(result.summaries, by_machines)], result.values[by_machines])
    table = means_table(list(means.results(result.metrics, seed=0)))
    scores = result.scores.select(kind="machine")
    matrix = ScoreMatrix.from_scores(scores, "rouge-2-r", task=_TASK)
    ranking = ranking_table(compare(matrix).only)
    return (
        replace(table, title="ROUGE scores of the methods' summaries, stemmed"),
        replace(ranking, title=ranking.title.replace("Ranking by", "Ranking of the methods by")),
    )


#: The stops of the core, in order.
STOPS: tuple[Callable[[Collection], tuple[Table, ...]], ...] = (
    _overview, _sentences, _words, _pyramid, _judgments, _rouge, _metrics, _comparison, _machines,
)  # fmt: skip


def _files_table(folder: Path) -> Table:
    paths = ((folder / name, about) for name, about in _LISTED)
    rows = tuple((str(path), about) for path, about in paths if path.exists())
    note = (
        "Score and compare with people in one command: pyramidion meta COLLECTION -m rouge-2,su4 "
        "--human responsiveness, or report with the same options for a page. COLLECTION is "
        f"{folder / 'collection'}, or the output of pyramidion convert my.csv mine."
    )
    return Table(("file", "what it is"), rows, title="Files of this tour", note=note)


def _write_report(collection: Collection, path: Path) -> list[str]:
    """Write the page that compares the people, and report missing packages."""
    scores = _rouge_scores(collection)
    both = replace(collection, scores=Scores.concatenate((collection.scores, scores)))
    try:
        report_page(both, measures=("responsiveness", "rouge-2-r"), tasks=_TASK).save(path)
    except MissingExtraError as error:
        return [f"{_REPORT}: {error}"]
    return []


def _write_files(collection: Collection, folder: Path) -> list[str]:
    readme = folder / _README
    ours = readme.is_file() and readme.read_text(encoding="utf-8").startswith(_ABOUT)
    if folder.exists() and not folder.is_dir():
        raise InputError(
            "this is a file", where=Where(folder), hint="choose a folder with --output"
        )
    if folder.exists() and any(folder.iterdir()) and not ours:
        what = "the folder exists and is not from an earlier tour"
        raise InputError(what, where=Where(folder), hint="choose another with --output")
    with writing_folder(folder, replace=True) as new:
        installed = {format.name for format in all_formats()}
        for name, format, _ in _FILES:
            if format in installed:
                write_collection(collection, new / name, format=format)
        write_collection(with_machines(collection), new / _MACHINES)
        left_out = _write_report(collection, new / _REPORT)
        lines = (f"{name}: {about}\n" for name, about in _LISTED if (new / name).exists())
        write_text(new / _README, _ABOUT + "".join(lines) + f"\n{collection.notice}\n")
    return left_out
