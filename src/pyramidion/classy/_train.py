"""Train metrics on two years: the question, its files and its table."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import MISSING, asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from pyramidion.classy._features import Peers
from pyramidion.classy._models import LinearModel
from pyramidion.classy._search import SubsetSearch
from pyramidion.classy._search_chart import search_figure, search_panels
from pyramidion.classy._training import (
    PEERS,
    Recipe,
    TrainedModel,
    Training,
    TrainingPlan,
    Version,
    chosen_versions,
    plan_training,
)
from pyramidion.collection._files import write_text, writing, writing_folder
from pyramidion.collection._ids import file_stem, to_spreadsheet
from pyramidion.collection._options import option
from pyramidion.collection._questions import Options, Progress, question
from pyramidion.collection._sources import Source, read_source
from pyramidion.errors import InputError, Where
from pyramidion.report.charts.style import require_figure_file, save
from pyramidion.report.result import Chart, Result, signed
from pyramidion.report.table import Table


@dataclass(frozen=True, slots=True)
class TrainOptions(Options):
    """What to train, on which years."""

    years: tuple[Source, Source] = option(
        MISSING, "Two collections with judgments: models are fitted on the first and selected on "
        "the second.", metavar="YEAR1 YEAR2",
    )  # fmt: skip
    version: tuple[str, ...] = option(
        (), "CLASSY versions to train, comma-separated: 8 (pyramid), 25 (responsiveness), 23 "
        "(readability), 6 (responsiveness, non-negative weights), or all.", metavar="NUMBERS",
    )  # fmt: skip
    target: tuple[str, ...] = option(
        (),
        "Human measures to predict instead of those of the versions, comma-separated.",
        metavar="MEASURES",
    )
    task: tuple[str, ...] = option(
        (), "Tasks to train for, comma-separated; by default all that both years have."
    )
    peers: tuple[Peers, ...] = option(
        (), "Summaries to learn from: all, or no-models (machines' only); by default a model for "
        "each.",
    )  # fmt: skip
    source_format: str | None = option(
        None,
        "Format of both collections; detected by default.",
        flags=("--from",),
        metavar="FORMAT",
    )
    progress: Progress = option(Progress(), "Receives progress updates.", typed=False)

    @property
    def wanted(self) -> tuple[Version, ...]:
        """The models to be trained."""
        return chosen_versions(self.version, self.target)

    @property
    def names(self) -> tuple[str, str] | None:
        """What the years are called, if they are paths."""
        paths = [Path(year) for year in self.years if isinstance(year, str | Path)]
        if len(paths) < 2:
            return None
        one, two = (path.name.split(".")[0] or str(path) for path in paths)
        return (one, two) if one != two else (str(paths[0]), str(paths[1]))


@dataclass(frozen=True, slots=True)
class TrainFiles(Options):
    """Where models, table and figure are written; whole, or not at all."""

    output: Path | None = option(
        None, "Write the model to this .json file if there is only one, or all models to this new "
        "folder.", flags=("--output", "-o"),
    )  # fmt: skip
    search_table: Path | None = option(
        None, "Write all subsets of features and their scores to this .csv file."
    )
    figure: Path | None = option(
        None, "Draw the search for features to this file (.svg, .pdf or .png).", metavar="FILE"
    )

    def check(self) -> None:
        """Refuse names that the files cannot have."""
        if self.figure is not None:
            require_figure_file(self.figure)
        if self.search_table is not None and self.search_table.suffix != ".csv":
            raise InputError(
                "the table of a search is a CSV file",
                where=Where(self.search_table),
                hint="end its name in .csv",
            )

    def require(self, recipe: Recipe, plan: TrainingPlan) -> None:
        """Refuse, before any work, what will not be there to be written."""
        if self.figure is not None and recipe.learns:
            raise InputError(
                f"the method {recipe.method} searches no subsets that could be drawn",
                where=Where(self.figure),
                hint="leave the figure out",
            )
        if self.output is not None and self.output.suffix == ".json" and plan.count > 1:
            raise InputError(
                f"{plan.count} models come out of this, and this is one file",
                where=Where(self.output),
                hint="name a folder, or choose with --version, --task and --peers",
            )

    def opened(self, stack: ExitStack) -> Iterator[Callable[[Training], None]]:
        """Open the files, so that what cannot be written is told before the work."""
        if self.output is not None and self.output.suffix == ".json":
            stream = stack.enter_context(writing(self.output))
            yield lambda done: stream.writelines([done.models[0].model.to_json().encode()])
        elif self.output is not None:
            folder = stack.enter_context(writing_folder(self.output))
            yield lambda done: _save(done, folder)
        if self.search_table is not None:
            table = stack.enter_context(writing(self.search_table))
            yield lambda done: table.writelines(
                piece.encode() for piece in search_table_csv(done.models)
            )
        if self.figure is not None:
            figure = self.figure
            yield lambda done: _draw(done, figure)


def _save(done: Training, folder: Path) -> None:
    taken: set[str] = set()
    for trained in done.models:
        # Its name without what all have in common.
        name = file_stem(*trained.model.name.split("/")[1:], taken=taken)
        write_text(folder / f"{name}.json", trained.model.to_json())


def _draw(done: Training, path: Path) -> None:
    save(_chart(done.models).draw(), path)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class TrainingResult(Result[LinearModel]):
    """The models that were trained, and the search that led to them."""

    training: Training


@question
def train(options: TrainOptions, recipe: Recipe, files: TrainFiles) -> TrainingResult:
    """Train metrics on two years: fit on the first, select on the second, then refit on it.

    Without options: the papers' four versions, for each task, for all peers and for machines
    only. With tasks A and B these are sixteen models.

    Examples
    --------
    >>> from pyramidion.classy import topic_parts
    >>> from pyramidion.demo import load_demo
    >>> first, second = topic_parts(load_demo(), 2)
    >>> result = train(years=(first, second), version="6", task="A", features="rose")
    >>> [model.name for model in result]
    ['rose/6/A/all']
    """
    read = [read_source(year, format=options.source_format) for year in options.years]
    plan = plan_training(
        *read,
        versions=options.wanted,
        tasks=options.task,
        peers=tuple(dict.fromkeys(options.peers)) or PEERS,
        recipe=recipe,
        names=options.names,
    )
    files.require(recipe, plan)
    with ExitStack() as stack:
        writers = list(files.opened(stack))
        training = plan.run(options.progress.advance)
        for write in writers:
            write(training)
    for path in (files.output, files.search_table, files.figure):
        if path is not None:
            options.progress.message(f"wrote {path}")
    criterion, level = recipe.selection
    return TrainingResult(
        command="classy train",
        signature=signed(
            "classy", "+".join(own.data_hash for own in read), recipe.seed,
            features=recipe.feature_set, method=recipe.method or "best", criterion=criterion,
            level=level,
        ),
        values=[trained.model for trained in training.models],
        record=asdict,
        tables=[_table(training.models)],
        left_out=(*(line for own in read for line in own.left_out), *training.left_out),
        charts=[] if recipe.learns else [_chart(training.models)],
        training=training,
    )  # fmt: skip


def _table(models: Sequence[TrainedModel]) -> Table:
    training = models[0].model.training
    one, two = (year["name"] for year in training["years"])
    columns = ("model", "predicts", "method", "chosen", f"n {one}", f"n {two}", "value")
    note = (
        f"Value: {training['criterion']} at {training['level']} level, {training['value_is']}. "
        "Judge a model on data it has not seen."
    )
    rows = tuple(_row(trained.model) for trained in models)
    return Table(columns, rows, title="Models", note=note, digits=3, name="models")


def _row(model: LinearModel) -> tuple[Any, ...]:
    training = model.training
    one, two = (year["rows"] for year in training["years"])
    chosen = training.get("chosen") or ", ".join(training["subset"])
    return model.name, model.target, model.method, chosen, one, two, training["value"]


def _chart(models: Sequence[TrainedModel]) -> Chart:
    one, two = (year["name"] for year in models[0].model.training["years"])
    note = (
        f"Fitted on {one}, scored on {two}, by which the best is chosen: its score is optimistic."
    )
    return Chart("search", partial(search_figure, search_panels(models), note=note), note)


# The search as a table

_HEADER = ("task", "peers", "target", "method", "size", "subset", "value", "iterations")


def search_table_csv(models: Sequence[TrainedModel]) -> Iterator[str]:
    """Write everything that was tried as CSV, piece by piece.

    A row is a subset (its features with ``+`` between) and a method, with its score on the year
    of selection; empty where it has none. What a learner tried has no size. Where two models were
    chosen from the same search it is written once.
    """
    yield _lines([_HEADER])
    written: set[tuple[str, ...]] = set()
    for trained in models:
        own = trained.model
        about = (own.task, own.peers, own.target)
        if trained.search is not None:
            for method in trained.search.methods:
                if (*about, method) not in written:
                    written.add((*about, method))
                    yield _lines(_subsets(about, method, trained, trained.search))
        elif trained.choice is not None:
            tried = trained.choice.values.items()
            yield _lines((*about, own.method, "", name, value, "") for name, value in tried)


def _subsets(
    about: tuple[str, ...], method: str, trained: TrainedModel, search: SubsetSearch
) -> Iterator[tuple[object, ...]]:
    place = [str(own) for own in search.methods].index(method)
    values = search.values[place, :, 0].tolist()
    repeated = search.iterations[:, 0].tolist() if method == "robust" else [0] * len(values)
    names = [group.name for group in trained.groups]
    sizes, masks = search.sizes.tolist(), search.masks.tolist()
    for mask, size, value, times in zip(masks, sizes, values, repeated, strict=True):
        subset = "+".join(name for bit, name in enumerate(names) if mask >> bit & 1)
        yield *about, method, size, subset, "" if np.isnan(value) else value, times


def _lines(rows: Iterable[Sequence[object]]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(map(to_spreadsheet, row) for row in rows)
    return stream.getvalue()
